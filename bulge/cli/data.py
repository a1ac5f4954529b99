"""`bulge data GAME`: a game's facts, row by row, each with where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
import typer

from bulge.cli.common import game_named
from bulge.core.data import DataTable, Row
from bulge.core.errors import BulgeError
from bulge.core.game import Game


def data(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.", show_default=False)],
    reconstructed: Annotated[
        bool,
        typer.Option("--reconstructed", help="Only rows that are our reading of what is not public."),
    ] = False,
    table: Annotated[str | None, typer.Option(metavar="NAME", help="Only this table.", show_default=False)] = None,
) -> None:
    """List a game's data and the source of every row.

    A source is the rulebook, the errata, history, geography, an invention of ours, a user's override, or
    "reconstructed": our best reading of a printed part that is not public, with the reason.
    """
    tables = _tables_of(game_named(ctx, game), table)
    shown: list[Row] = []
    for each in tables:
        rows = [row for row in each if row.reconstructed or not reconstructed]
        shown += rows
        for line in _table_lines(each.name, rows):
            typer.echo(line)
    for line in _summary(shown, reconstructed):
        typer.echo(line)


def _tables_of(game: Game[Any], only: str | None) -> list[DataTable[Any]]:
    tables: dict[str, DataTable[Any]] = getattr(getattr(game, "data", None), "tables", {})
    if only is None:
        return list(tables.values())
    if only not in tables:
        raise BulgeError(f"{game.title} has no table {only!r}; it has: {', '.join(tables) or 'none'}")
    return [tables[only]]


def _table_lines(name: str, rows: list[Row]) -> list[str]:
    if not rows:
        return []
    return [f"Table {name}: {_counted(len(rows), 'row')}", *(_row_line(row) for row in rows), ""]


def _row_line(row: Row) -> str:
    fields = ", ".join(_fields(row))
    return f"{row.id}: {fields}. Source: {row.source}"


def _fields(row: Row) -> Iterable[str]:
    for field in msgspec.structs.fields(row):
        value = getattr(row, field.name)
        # A field that a row leaves at its default says nothing about it.
        if field.name in ("id", "source") or value == field.default:
            continue
        if isinstance(value, dict):
            yield from (f"{key} {_plain(part)}" for key, part in value.items())
        else:
            yield f"{field.encode_name} {_plain(value)}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " and ".join(_plain(part) for part in value) or "none"
    return str(value)


def _summary(rows: list[Row], reconstructed: bool) -> list[str]:
    if not rows:
        return ["No row is reconstructed." if reconstructed else "There are no tables."]
    counts = Counter(row.source.partition(" ")[0].rstrip(":") for row in rows)
    return [f"All: {_counted(len(rows), 'row')}", *(f"From {source}: {n}" for source, n in counts.most_common())]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

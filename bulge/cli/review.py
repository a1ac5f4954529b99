"""`bulge review FILE`: where a finished game turned, by play and by luck."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from bulge.cli.common import check_writable, game_of_journal
from bulge.core import journal as journals
from bulge.core.game import Game, P
from bulge.core.journal import Journal
from bulge.players.review import QUICK, THOROUGH
from bulge.players.review import review as look_back
from bulge.players.reviewed import Moment, Review, Turning

STEPS = "▁▂▃▄▅▆▇█"


def review(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game that is over.")],
    thorough: Annotated[bool, typer.Option("--thorough", help="Let the computer think longer.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to share.")] = None,
) -> None:
    """Look back on a game: the chances through it, and where they turned, told apart into play and luck."""
    if html is not None:
        check_writable(html)
    journal = journals.read(file)
    game = game_of_journal(ctx, journal, file)
    found = _reviewed(game, journal, thorough)
    for line in lines(found):
        typer.echo(line)
    if html is not None:
        from bulge.lab.follow import course_of
        from bulge.lab.report.reviewed import page

        course = course_of(game_of_journal(ctx, journal, file), journal)  # it watches a game of its own
        html.write_text(page(found, game, course), "utf-8")
        typer.echo(f"Wrote {html}.")


def _reviewed(game: Game[P], journal: Journal, thorough: bool) -> Review:
    effort, console = THOROUGH if thorough else QUICK, Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("Looking back", total=len(journal.choices))
        return look_back(game, journal, effort=effort, each=lambda at: progress.update(task, completed=at))


def lines(found: Review) -> Iterator[str]:
    yield found.result
    yield f"Chances of {found.first}, from turn to turn: {_spark(found.moments)}"
    yield from (_turn_line(found, turn) for turn in dict.fromkeys(moment.turn for moment in found.moments))
    yield "Turning points:" if found.turnings else "Nothing turned it by much."
    yield from (_turning_line(turning, found.first) for turning in found.turnings)
    yield f"All dice together: {found.luck:+.0%} for {found.first}."
    yield found.account
    yield "Chances are those of computer players; a person may know better."


def _spark(moments: tuple[Moment, ...]) -> str:
    return "".join(STEPS[min(7, int(8 * moment.chance))] for moment in moments)


def _turn_line(found: Review, turn: int) -> str:
    first = next(moment for moment in found.moments if moment.turn == turn)
    return f"Turn {turn} begins: {first.chance:.0%} ({first.low:.0%} to {first.high:.0%})"


def _turning_line(turning: Turning, first: str) -> str:
    better = f" The computer: {turning.better}." if turning.better else ""
    where = f"Turn {turning.turn}, choice {turning.at}, {turning.kind}"
    return f"{where}, {turning.swing:+.0%} for {first}: {turning.words}{better}"

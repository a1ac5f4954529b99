"""`bulge rules`: every rule of a game, the code that cites it and the tests that hold it."""

from __future__ import annotations

from typing import Annotated

import typer

from bulge.cli.common import game_named
from bulge.core.ledger import Ledger, Line, ledger_of


def rules(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="The game.")],
    missing: Annotated[bool, typer.Option("--missing", help="Only rules that lack code or tests.")] = False,
) -> None:
    """List a game's rules, each with the code that cites it and the tests that hold it."""
    loaded = game_named(ctx, game)
    ledger = ledger_of(loaded)
    typer.echo(f"The rules of {loaded.title}")
    if not ledger.has_tests:
        typer.echo("The tests are not installed here, so this says nothing about them.")
    for line in ledger.lines:
        if not missing or _lacks_something(line, ledger):
            typer.echo("\n" + "\n".join(_lines_of(line, ledger)))
    typer.echo("\n" + "\n".join(_closing(ledger)))


def _lacks_something(line: Line, ledger: Ledger) -> bool:
    lacking = not line.code or (ledger.has_tests and not line.tests)
    return lacking and not line.rule.needs_nothing


def _lines_of(line: Line, ledger: Ledger) -> list[str]:
    rule = line.rule
    out = [f"{rule.number} {rule.title}", f"  {rule.words}"]
    if rule.needs_nothing and not (line.code or line.tests):
        return [*out, f"  needs neither code nor test: {rule.needs_nothing}"]
    without = f"none: {rule.needs_nothing}" if rule.needs_nothing else "none"
    out.append(f"  code: {', '.join(line.code) or without}")
    if ledger.has_tests:
        out.append(f"  tests: {', '.join(line.tests) or 'none'}")
    return out


def _closing(ledger: Ledger) -> list[str]:
    """The counts, and what leads nowhere."""
    counts = ledger.counts
    words = f"{counts['rules']} rules: {counts['need nothing']} need nothing, {counts['lack code']} lack code"
    if ledger.has_tests:
        words += f", {counts['lack tests']} lack tests, {counts['lack both']} lack both"
    out = [words + "."]
    out += [f"The code cites a rule that does not exist: {found}" for found in ledger.unknown_citations]
    out += [f"A test is marked with a rule that does not exist: {found}" for found in ledger.unknown_marks]
    return out

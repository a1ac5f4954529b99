"""`bulge verify FILE`: play a saved game again and compare all that it claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bulge.cli.common import game_of_journal
from bulge.cli.describe import result_lines
from bulge.core import journal as journals
from bulge.core.journal import Journal, Verdict

FAULTS = 1


def verify(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.", show_default=False)],
) -> None:
    """Check a saved game: its seed, every die, every choice and the result.

    The game is played again from its seed. Exit code 0 if all is as the file claims, 1 if something is not,
    2 if the file cannot be read or was altered.
    """
    journal = journals.read(file)
    game = game_of_journal(ctx, journal, file)
    verdict = journals.verify(game, journal)
    for line in _report(journal, verdict, file):
        typer.echo(line)
    if verdict.faults:
        raise typer.Exit(FAULTS)


def _report(journal: Journal, verdict: Verdict, file: Path) -> list[str]:
    game = verdict.match.game
    scenario = game.scenario(journal.scenario).title
    lines = [
        f"File: {file}",
        f"Game: {game.title}, scenario {scenario}",
        f"Choices: {len(journal.choices)}",
        f"Dice and draws: {journal.dice}",
    ]
    if journal.overrides:
        lines.append("Data: changed by overrides that the file holds")
    lines += [f"Part of {name}: {part}, committed to as {journal.commitments.get(name)}"
              for name, part in journal.parts.items()]  # fmt: skip
    lines += [f"Seed: {journal.seed}", f"Commitment: {journal.commitment}"]
    if verdict.faults:
        lines += [f"Fault: {fault}" for fault in verdict.faults]
        return [*lines, "Verdict: not as it claims."]
    lines += result_lines(verdict.match) if verdict.match.result else ["Result: none yet; the game is not over"]
    return [
        *lines,
        "Verdict: fine. Every choice fits the rules, and every die comes from the seed.",
        "If the commitment above is the one that was shown before the first choice, no die was chosen late.",
    ]

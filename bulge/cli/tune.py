"""`bulge tune`: learn from games that were played what an evaluation is worth in chances of winning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from bulge.cli.common import game_named
from bulge.core import journal as journals
from bulge.core.errors import BulgeError
from bulge.lab.store import JOURNALS, read_plan
from bulge.lab.tune import Judgement, Sample, Tuned, samples_of, tune

FEWEST_GAMES = 20


def tune_weights(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Runs of bulge sim --journals.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the weights.")],
) -> None:
    """Fit chances of winning to the games of some runs, and judge them by every fifth game, left out in turn.

    Positions are taken at the end of every phase. The fit is shown beside one that knows only their sum.
    """
    loaded = game_named(ctx, game)
    files = [(run, file) for run in runs for file in _journals(run, loaded.id)]
    if len(files) < FEWEST_GAMES:
        raise BulgeError(f"{len(files)} games are too few to learn from; {FEWEST_GAMES} are the least")
    samples: list[Sample] = []
    with typer.progressbar(files, label="Reading games", file=typer.get_text_stream("stderr")) as bar:
        for number, (_, file) in enumerate(bar):
            samples += samples_of(loaded, journals.read(file), number)
    tuned = tune(loaded, samples, "; ".join(_made_by(run) for run in runs))
    for line in report(tuned):
        typer.echo(line)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(msgspec.json.format(msgspec.json.encode(tuned.weights), indent=1) + b"\n")
    typer.echo(f"Wrote {out}.")


def _journals(run: Path, game: str) -> list[Path]:
    plan = read_plan(run)
    if plan.game != game:
        raise BulgeError(f"{run} holds games of {plan.game}, not of {game}")
    found = sorted((run / JOURNALS).glob("*.json"))
    if not found:
        raise BulgeError(f"{run} holds no journals: run bulge sim with --journals")
    return found


def _made_by(run: Path) -> str:
    plan = read_plan(run)
    players = " ".join(f"--{side.lower()} {level}" for side, level in plan.players.items())
    scenarios = " ".join(f"--scenario {scenario}" for scenario in plan.scenarios)
    return f"bulge sim {plan.game} {scenarios} {players} --games {plan.games} --seed {plan.seed} --journals"


def report(tuned: Tuned) -> Iterator[str]:
    """How well the plain value and its terms foretold games that were left out, by turn and altogether."""
    games, positions = tuned.weights.games, tuned.weights.positions
    yield f"{positions} positions from {games} games; judged by every fifth game, left out in turn."
    yield "Turn  positions  log-loss of the value, of its terms  AUC of the value, of its terms"
    for turn, judged in tuned.by_turn.items():
        yield _row(f"{turn:4}", judged)
    yield _row(" all", tuned.overall)
    yield "Calibration: " + "; ".join(
        f"given {band.given:.0%}, won {band.won:.0%} of {band.positions}" for band in tuned.bands
    )


def _row(head: str, judged: Sequence[Judgement]) -> str:
    value, terms = judged
    return (
        f"{head}  {value.positions:9}  {value.log_loss:21.3f}, {terms.log_loss:12.3f}  "
        f"{value.auc:16.2f}, {terms.auc:12.2f}"
    )

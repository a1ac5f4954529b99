"""`bulge tune`: learn from games that were played what an evaluation is worth in chances of winning."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from bulge.cli.common import check_writable, game_named, option_words, overrides_words, settings_of, side_flag
from bulge.core import journal as journals
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.lab.store import check_complete, journal_file, read_plan, whole_or_not_at_all
from bulge.lab.tune import Judgement, Sample, Tuned, samples_of, tune

FEWEST_GAMES = 20


def tune_weights(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    runs: Annotated[list[Path], typer.Argument(metavar="DIR", help="Runs of bulge sim --journals.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the weights.")],
) -> None:
    """Fit chances of winning to the games of some runs, and judge them by every fifth deal, left out in turn.

    Positions are taken at the end of every phase. The fit is shown beside one that knows only their sum.
    """
    loaded = game_named(ctx, game)
    check_writable(out)
    overrides = settings_of(ctx).overrides
    files = [file for run in runs for file in _journals(run, loaded.id, overrides.text if overrides else "")]
    commands = [_made_by(run, overrides_words(ctx)) for run in runs]
    if len(files) < FEWEST_GAMES:
        raise BulgeError(f"{len(files)} games are too few to learn from; {FEWEST_GAMES} are the least")
    with typer.progressbar(files, label="Reading games", file=typer.get_text_stream("stderr")) as bar:
        samples = _samples(loaded, bar)
    tuned = tune(loaded, samples, "; ".join(commands))
    for line in report(tuned):
        typer.echo(line)
    with whole_or_not_at_all(out) as file:
        file.write(msgspec.json.format(msgspec.json.encode(tuned.weights), indent=1) + b"\n")
    typer.echo(f"Wrote {out}.")


def _samples(game: Game[Any], files: Iterable[Path]) -> list[Sample]:
    """The positions of all games. One that is there twice would be judged by a fit that has seen it."""
    samples: list[Sample] = []
    seen: dict[str, Path] = {}
    for number, file in enumerate(files):
        journal = journals.read(file)
        if journal.check in seen:
            raise BulgeError(f"the game in {file} is in these runs twice: also in {seen[journal.check]}")
        seen[journal.check] = file
        try:
            samples += samples_of(game, journal, number)
        except BulgeError as error:
            raise BulgeError(f"{file}: {error}") from None
    return samples


def _journals(run: Path, game: str, overrides: str) -> list[Path]:
    plan = read_plan(run)
    if plan.game != game:
        raise BulgeError(f"{run} holds games of {plan.game}, not of {game}")
    if plan.overrides != overrides:
        own = "overrides of its own" if plan.overrides else "no overrides"
        raise BulgeError(f"{run} was played with {own}: bulge --overrides FILE tune wants the same")
    check_complete(run)
    if not plan.journals:
        raise BulgeError(f"{run} holds no journals: run bulge sim with --journals")
    files = sorted(journal_file(run, plan, place) for place in range(plan.total))
    if lost := [file for file in files if not file.exists()]:
        raise BulgeError(f"{run} has lost {len(lost)} of its {plan.total} journals: {lost[0].name} is the first")
    return files


def _made_by(run: Path, overrides: Sequence[str]) -> str:
    """The command that plays a run again."""
    plan = read_plan(run)
    scenarios = [word for scenario in plan.scenarios for word in ("--scenario", scenario)]
    players = [word for side, level in plan.players.items() for word in (side_flag(side), level)]
    games = ["--games", str(plan.games), "--seed", plan.seed]
    words = [plan.game, *scenarios, *players, *games, *option_words(plan.options), "--journals"]
    return shlex.join(["bulge", *overrides, "sim", *words])


def report(tuned: Tuned) -> Iterator[str]:
    """How well the plain value and its terms foretold games that were left out, by turn and altogether."""
    games, positions = tuned.weights.games, tuned.weights.positions
    yield f"{positions} positions from {games} games; judged by every fifth deal, left out in turn."
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

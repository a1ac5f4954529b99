"""`bulge fuzz`: play a game at random, many times, and say what broke."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bulge.cli.common import Agreed, game_named, settings_of
from bulge.cli.progress import with_progress
from bulge.core.errors import BulgeError
from bulge.core.fuzz import Played, plan_of, play_many, summary_of
from bulge.core.journal import save
from bulge.core.options import check_options, read_options
from bulge.games import load_game

MOST_FAILURES = 5
"""A run stops after so many failures: they are mostly the same one."""


def fuzz(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="The game to play.")],
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 100,
    seed: Annotated[str, typer.Option(help="What dice and choices follow from; SEED:NUMBER for one game.")] = "1",
    jobs: Annotated[int, typer.Option(help="How many processes.", min=1)] = 1,
    scenario: Annotated[str | None, typer.Option(help="One scenario; otherwise all of them in turn.")] = None,
    option: Agreed = None,
    thorough: Annotated[bool, typer.Option("--thorough", help="Costly probes after every choice too.")] = False,
    out: Annotated[Path, typer.Option(help="The folder for journals of failed games.")] = Path(),
) -> None:
    """Play random legal games to their end and probe every promise of the engine on the way."""
    overrides = settings_of(ctx).overrides
    agreed = read_options(option) if option else None
    plan = plan_of(
        seed, scenario, thorough=thorough, overrides=overrides.text if overrides else "", options=agreed
    )
    loaded = game_named(ctx, game)
    for id_ in [scenario] if scenario is not None else loaded.scenarios:
        check_options(loaded.options, loaded.scenario(id_).id, agreed or {})
    if out.exists() and not out.is_dir():
        raise BulgeError(f"{out} is not a folder")
    began = time.perf_counter()
    run = play_many(partial(load_game, loaded.id, overrides), plan, games, jobs)
    with closing(run):
        played = list(_up_to_enough_failures(with_progress(run, loaded.title, games), loaded.id, out, scenario))
    summary = summary_of(played)
    failed = f"; {summary.failed} failed" if summary.failed else ""
    typer.echo(f"{loaded.id}: {summary.words}; {time.perf_counter() - began:.1f} seconds{failed}.")
    if summary.failed:
        raise typer.Exit(1)


def _up_to_enough_failures(run: Iterable[Played], game: str, out: Path, scenario: str | None) -> Iterator[Played]:
    """Pass the games through and report those that failed, until there are enough of them."""
    failures = 0
    for one in run:
        yield one
        if one.failure is not None:
            _report(game, one, out, scenario)
            failures += 1
            if failures == MOST_FAILURES:
                typer.echo(f"Stopped after {MOST_FAILURES} failures.")
                return


def _report(game: str, played: Played, out: Path, scenario: str | None) -> None:
    """Save the journal of a failed game and say in two lines what failed and how to see it again."""
    failure = played.failure
    assert failure is not None
    typer.echo(f"{game} {played.label} failed after {failure.choices} choices: {failure.kind}: {failure.words}")
    again = f"bulge fuzz {game} --games 1 --seed {played.label}"
    if scenario is not None:
        again += f" --scenario {scenario}"
    if failure.journal is None:
        typer.echo(f"  Again: {again}   (there is no journal: the game did not even begin)")
        return
    path = out / f"{game}-{played.label.replace(':', '-')}.failed.json"
    try:
        save(failure.journal, path)
    except OSError as error:
        raise BulgeError(f"the journal cannot be saved as {path}: {error.strerror}") from None
    typer.echo(f"  See it: bulge play --load {path}   Again: {again}")

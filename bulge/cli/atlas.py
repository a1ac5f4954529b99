"""`bulge atlas`: one battle and several models of it, as a page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bulge.cli.common import telling_if_interrupted
from bulge.cli.progress import progress
from bulge.cli.sim import kept_words
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.games import GAMES, load_game

USUAL_GAMES = 60


def atlas(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the atlas: its page, and its runs.")],
    play: Annotated[bool, typer.Option("--play", help="Play every model anew, into the same folder.")] = False,
    games: Annotated[int, typer.Option(help="With --play: how many games of each model.", min=2)] = USUAL_GAMES,
    player: Annotated[str, typer.Option(help="With --play: who plays every side.")] = "greedy",
    model: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="With --play: only this model. May be repeated.")
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option("--run", metavar="DIR", help="A run that is there; may be repeated."),
    ] = None,
    what_if: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="A run with an option, scenario or override, as a second layer."),
    ] = None,
    ship: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write the results in the form that is shipped.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="How many processes.", min=1)] = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="What dice and players follow from.")] = "atlas",
) -> None:
    """Lay every model of the battle side by side, on one ground, beside the line of 1944.

    Without more, from the results that came with the program. With --play, every model is played many times first;
    what was interrupted goes on when the same command is given again. With --run, from runs of bulge sim: where
    two of a model differ in their players, the one that plans ahead is shown beside the other.
    """
    from bulge.lab.atlas.chapters import Given, chapters_of, in_place_of, shipped_runs
    from bulge.lab.atlas.make import write
    from bulge.lab.atlas.models import models
    from bulge.lab.atlas.shipped import ship as ship_results
    from bulge.lab.report.sample import read_samples

    if out.exists() and not out.is_dir():
        raise BulgeError(f"{out} is not a folder")
    if play and runs:
        raise BulgeError("--play makes runs and --run names them: one or the other")
    folders = list(runs or ())
    if play:
        chosen = _chosen(model or (), models())
        folders = [_played(load_game(id_), out / id_, player, games, seed, jobs) for id_ in chosen]
    ifs = [_named(words) for words in what_if or ()]
    samples = [(sample, "") for folder in folders for sample in read_samples(folder)]
    samples += [(sample, name) for name, folder in ifs for sample in read_samples(folder)]
    own: list[Given] = [(sample, name, ()) for sample, name in samples]
    made = chapters_of(own if folders else in_place_of(shipped_runs(), own))
    for shipped in ship_results(samples, ship) if ship is not None else ():
        typer.echo(f"Wrote {shipped}.")
    file = write(out, made)
    typer.echo(f"Wrote {file} ({file.stat().st_size // 1024} kB): {len(made)} runs.")


def _named(words: str) -> tuple[str, Path]:
    name, sign, folder = words.partition("=")
    if not sign or not name.strip() or not folder.strip():
        raise BulgeError(f"a run with an if is written as NAME=DIR, not {words!r}")
    return name.strip(), Path(folder.strip())


def _chosen(named: Sequence[str], known: Iterable[str]) -> list[str]:
    playable = [id_ for id_ in known if id_ in GAMES]
    for id_ in named:
        if id_ not in playable:
            raise BulgeError(f"the atlas has no model {id_!r}; it has: {', '.join(playable)}")
    return list(named) or playable


def _played(game: Game[Any], folder: Path, player: str, games: int, seed: str, jobs: int | None) -> Path:
    """A run of one model, taken up where it was left."""
    from bulge.lab.atlas.models import models
    from bulge.lab.plan import deciders, plan_of
    from bulge.lab.run import Processes, carry_out, here
    from bulge.lab.store import Folder

    scenario = models()[game.id].scenario
    players = dict.fromkeys(deciders(game, (scenario,)), player)
    run = Folder(folder, plan_of(game, players, games=games, scenarios=(scenario,), seed=seed), game.sides)
    missing, processes = len(run.missing()), jobs or os.cpu_count() or 1
    interrupted = telling_if_interrupted(lambda: [f"{game.title}: {kept_words(run)}"])
    with interrupted, progress(game.title, games, games - missing) as each:
        carry_out(run, here if processes == 1 or missing == 1 else Processes(processes), each)
    return folder

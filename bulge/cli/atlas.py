"""`bulge atlas`: one battle and several models of it, as a page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from bulge.cli.sim import progress
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.games import GAMES, load_game

PAGE, CSV, FIGURES = "atlas.html", "figures.csv", "figures.json"
USUAL_GAMES = 60


def atlas(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the atlas: its runs, and its page.")],
    games: Annotated[int, typer.Option(help="How many games of each model.", min=2)] = USUAL_GAMES,
    player: Annotated[str, typer.Option(help="Who plays every side.")] = "greedy",
    model: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="Only this model. May be repeated.")
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option("--run", metavar="DIR", help="A run that is there; may be repeated."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="How many processes.", min=1)] = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="What dice and players follow from.")] = "atlas",
) -> None:
    """Play every model many times and lay them side by side, on one ground, beside the line of 1944.

    What was interrupted goes on when the same command is given again. With --run, nothing is played.
    """
    from bulge.lab.atlas.models import models

    if out.exists() and not out.is_dir():
        raise BulgeError(f"{out} is not a folder")
    if runs:
        folders = list(runs)
    else:
        chosen = _chosen(model or (), models())
        folders = [_played(load_game(id_), out / id_, player, games, seed, jobs) for id_ in chosen]
    _write(out, folders)


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
    with progress(game.title, games, games - missing) as each:
        carry_out(run, here if processes == 1 or missing == 1 else Processes(processes), each)
    return folder


def _write(out: Path, folders: Sequence[Path]) -> None:
    from bulge.lab.atlas.figures import as_csv, figures_of
    from bulge.lab.atlas.models import models
    from bulge.lab.atlas.page import depth_chart, page, win_chart
    from bulge.lab.report.sample import read_samples

    order = list(models())
    samples = [sample for folder in folders for sample in read_samples(folder) if sample.game.id in order]
    samples.sort(key=lambda sample: order.index(sample.game.id))
    if not samples:
        raise BulgeError("none of these runs is of a model that the atlas knows")
    found = [figures_of(sample) for sample in samples]
    out.mkdir(parents=True, exist_ok=True)
    pictures = {figure.name: figure for figure in (depth_chart(found), win_chart(found))}
    downloads = {"all of them as CSV": CSV, "as JSON": FIGURES} | {
        f"{name} as {kind.upper()}": f"{name}.{kind}" for name in pictures for kind in ("svg", "png")
    }
    (out / CSV).write_text(as_csv(found), "utf-8")
    (out / FIGURES).write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    for name, figure in pictures.items():
        (out / f"{name}.svg").write_text(figure.alone(), "utf-8")
        (out / f"{name}.png").write_bytes(figure.png(1400))
    html = page(samples, found, downloads)
    (out / PAGE).write_text(html, "utf-8")
    typer.echo(f"Wrote {out / PAGE} ({len(html.encode()) // 1024} kB): {len(found)} models.")

"""`bulge sim`: a game by the thousand, each written down as a row of a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bulge.cli.common import (
    Agreed,
    Wish,
    game_named,
    settings_of,
    side_flag,
    sort_out,
    telling_if_interrupted,
)
from bulge.cli.progress import progress
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.options import read_options
from bulge.lab.locking import alone_in
from bulge.lab.plan import deciders, plan_of
from bulge.lab.run import Executor, Processes, carry_out, here
from bulge.lab.store import Folder, rows_of
from bulge.players.arena import wilson
from bulge.players.levels import PLAYERS

USUAL_PLAYER = "greedy"
ALL = "all"
RAY, RAY_HERE = "--ray", "local"
OWN_OPTIONS = ("--scenario", "--option", "--games", "--jobs", "--seed", "--out", "--journals", "--ray", "--help")


def sim(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of the run; the same command goes on in it.")
    ],
    scenario: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A scenario, or `all`. May be repeated; each gets all its games."),
    ] = None,
    option: Agreed = None,
    games: Annotated[int, typer.Option(help="How many games of each scenario.", min=1)] = 100,
    jobs: Annotated[
        int | None, typer.Option(help="How many processes; as many as there are cores.", min=1)
    ] = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="What dice and players follow from.")] = "1",
    journals: Annotated[bool, typer.Option("--journals", help="Keep the journal of every game too.")] = False,
) -> None:
    """Play many games and write each down as a row of DIR/results.parquet.

    Who plays a side is said by its name: --german planner --allied greedy (without it: greedy). --ray [ADDRESS]
    plays on a Ray cluster, or on one that is started here. A run that was interrupted goes on when the same
    command is given again, and ends with the same results. bulge report DIR shows what they say.
    """
    ray, words = _ray_address([game, *ctx.args])
    name, wishes = sort_out(words)
    if name is None:
        taken = f" ({ray!r} was taken for the address of a cluster)" if ray not in (None, RAY_HERE) else ""
        raise BulgeError(f"which game? It comes before the options: bulge sim GAME --out DIR ...{taken}")
    loaded = game_named(ctx, name)
    overrides = settings_of(ctx).overrides
    scenarios = _scenarios(loaded, scenario or ())
    plan = plan_of(
        loaded,
        _players(loaded, scenarios, wishes),
        games=games,
        scenarios=scenarios,
        seed=seed,
        options=read_options(option or ()),
        journals=journals,
        overrides=overrides.text if overrides else "",
    )
    with alone_in(out):
        folder = Folder(out, plan, loaded.sides)
        missing = len(folder.missing())
        if missing < plan.total:
            typer.echo(f"{plan.total - missing} of {plan.total} games are there already.")
        with (
            telling_if_interrupted(lambda: [kept_words(folder)]),
            progress(loaded.title, plan.total, plan.total - missing) as each,
        ):
            carry_out(folder, _executor(ray, jobs or os.cpu_count() or 1, missing), each)
    for line in summary(loaded, list(rows_of(out))):
        typer.echo(line)
    typer.echo(f"Wrote {out / 'results.parquet'}. What it says: bulge report {out}")


# ---------------------------------------------------------------------- arguments


def _ray_address(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Take `--ray`, `--ray ADDRESS` or `--ray=ADDRESS` out of the arguments."""
    rest, address = list(words), None
    for at, word in enumerate(rest):
        flag, equals, value = word.partition("=")
        if flag != RAY:
            continue
        follows = rest[at + 1] if at + 1 < len(rest) and not equals else ""
        apart = bool(follows) and not follows.startswith("-")
        address = value if equals else follows if apart else RAY_HERE
        del rest[at : at + 1 + apart]
        return address or RAY_HERE, rest
    return address, rest


def _players(game: Game[Any], scenarios: Sequence[str], wishes: Sequence[Wish]) -> dict[str, str]:
    players = dict.fromkeys(deciders(game, scenarios), USUAL_PLAYER)
    flags = {side_flag(side): side for side in players}
    for flag, player in wishes:
        if flag.lower() not in flags:
            hint = " (--overrides comes before the command)" if flag == "--overrides" else ""
            allowed = ", ".join([*flags, *OWN_OPTIONS])
            raise BulgeError(f"no such option or side: {flag}; {game.title} allows: {allowed}{hint}")
        if player not in PLAYERS:
            said = f"not {player!r}" if player else "and nothing follows it"
            raise BulgeError(f"{flag.lower()} wants a player, {said}; there are: {', '.join(PLAYERS)}")
        players[flags[flag.lower()]] = player
    return players


def _scenarios(game: Game[Any], named: Sequence[str]) -> tuple[str, ...]:
    """Those that were named, all of them, or the first one."""
    return tuple(game.scenarios) if ALL in named else tuple(named) or (next(iter(game.scenarios)),)


def _executor(ray: str | None, jobs: int, games: int) -> Executor:
    if ray is not None:
        from bulge.lab.on_ray import OnRay

        return OnRay(None if ray == RAY_HERE else ray, jobs)
    return here if jobs == 1 or games == 1 else Processes(jobs)


# ---------------------------------------------------------------------- what it came to


def kept_words(folder: Folder) -> str:
    """What an interrupted run has on the disk."""
    total = folder.plan.total
    return f"{total - len(folder.missing())} of {total} games are kept; the same command goes on with the others."


def summary(game: Game[Any], rows: Sequence[dict[str, Any]]) -> list[str]:
    """Who won how often, by scenario, with 95 % intervals."""
    lines = []
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        played = [row for row in rows if row["scenario"] == scenario]
        shares = [_share(side, sum(row["winner"] == side for row in played), len(played)) for side in game.sides]
        drawn = sum(row["winner"] is None for row in played)
        drawn_words = f"; drawn {drawn}" if drawn else ""
        lines.append(f"{game.scenario(scenario).title}: {'; '.join(shares)}{drawn_words}.")
    return lines


def _share(side: str, won: int, games: int) -> str:
    low, high = wilson(won, games)
    return f"{side} won {won} of {games}, {won / games:.0%} (95 % interval {low:.0%} to {high:.0%})"

"""`bulge ladder`: how strong the computer players are, as ratings with intervals."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from bulge.cli.common import (
    Agreed,
    check_contenders,
    check_writable,
    game_named,
    option_words,
    overrides_words,
    settings_of,
    telling_if_interrupted,
)
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.options import check_options, read_options
from bulge.games import load_game
from bulge.lab.store import whole_or_not_at_all
from bulge.players.arena import wilson
from bulge.players.ladder import Alone, Standing, Terms, meet, play_alone
from bulge.players.levels import LEVELS, PLAYERS
from bulge.players.ratings import rate
from bulge.players.strengths import Ranking, Strength

USUAL = ("random", "greedy", *LEVELS)


def ladder(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game that they play.")],
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYER", help=f"From the weakest up: {', '.join(PLAYERS)}; or FOLDER:PLAYER."),
    ] = None,
    most: Annotated[int, typer.Option(help="The most games of a meeting.", min=2)] = 60,
    ahead: Annotated[float, typer.Option(help="How many points should lie between neighbours.", min=0)] = 100,
    jobs: Annotated[int, typer.Option(help="How many processes.", min=1)] = 2,
    seed: Annotated[str, typer.Option(help="What dice and players follow from.")] = "1",
    scenario: Annotated[str | None, typer.Option(help="Which scenario.")] = None,
    option: Agreed = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the ratings, for the lobby to show.")
    ] = None,
) -> None:
    """Rate computer players: neighbours meet, with sides swapped, until it is clear how far apart they are.

    A hundred points stand for winning 64 games of 100. Where the rules play the enemy, each plays the same deals.
    """
    loaded = game_named(ctx, game)
    if out is not None:
        check_writable(out)
    names = players or list(USUAL)
    if len(names) < 2 or len(set(names)) < len(names):
        raise BulgeError(f"a ladder wants two or more different players, not: {', '.join(names)}")
    check_contenders(ctx, loaded, names)
    chosen = loaded.scenario(scenario or next(iter(loaded.scenarios)))
    agreed = read_options(option or ())
    check_options(loaded.options, chosen.id, agreed)
    terms = Terms(seed, chosen.id, agreed, most + most % 2, ahead)
    command = _command(loaded.id, names, terms, overrides_words(ctx))
    if len(loaded.players) == 1:
        _write(out, Ranking(loaded.id, command, _each_alone(loaded, names, terms)))
        return
    make = partial(load_game, loaded.id, settings_of(ctx).overrides)
    standings = _met(names, lambda pair: meet(make, pair, terms, jobs), ahead)
    for line in table([standing.meeting for standing in standings], names[0]):
        typer.echo(line)
    _write(out, Ranking(loaded.id, command, _strengths(standings, names[0], chosen.id)))


def _command(game: str, names: Sequence[str], terms: Terms, overrides: Sequence[str]) -> str:
    """The command that finds the same ratings again."""
    stopping = ["--most", str(terms.most), "--ahead", f"{terms.ahead:g}"]
    agreed = ["--scenario", str(terms.scenario), *stopping, "--seed", terms.seed, *option_words(terms.options)]
    return shlex.join(["bulge", *overrides, "ladder", game, *names, *agreed])


def _strengths(standings: Sequence[Standing], anchor: str, scenario: str) -> tuple[Strength, ...]:
    """Ratings with the seconds of a player-turn: the mean over the meetings that somebody had."""
    spent: dict[str, list[float]] = {}
    for standing in standings:
        for name, seconds in zip(standing.meeting[:2], standing.seconds, strict=True):
            spent.setdefault(name, []).append(seconds)
    return tuple(
        Strength(
            name=rating.name,
            kind="points",
            value=round(rating.points),
            low=round(rating.low),
            high=round(rating.high),
            games=rating.games,
            seconds=round(sum(spent[rating.name]) / len(spent[rating.name]), 2),
            scenario=scenario,
        )
        for rating in rate([standing.meeting for standing in standings], anchor)
    )


def _write(out: Path | None, ranking: Ranking) -> None:
    if out is None:
        return
    with whole_or_not_at_all(out) as file:
        file.write(msgspec.json.format(msgspec.json.encode(ranking), indent=1) + b"\n")
    typer.echo(f"Wrote {out}.")


def _met(
    names: Sequence[str], meeting: Callable[[tuple[str, str]], Iterable[Standing]], ahead: float
) -> list[Standing]:
    """Let all neighbours meet, and say how they stand after every batch and at the end."""
    standings: list[Standing] = []
    with telling_if_interrupted(lambda: _so_far(standings, names)):
        for met, (low, high) in enumerate(pairwise(names)):
            for standing in meeting((high, low)):
                standings[met:] = [standing]
                typer.echo(_score(standing), err=True)
            typer.echo(_verdict(standings[met], ahead))
    return standings


def _score(standing: Standing) -> str:
    first, second, scored, games = standing.meeting
    low, high = wilson(scored, games)
    return f"{first} scored {scored:g} of {games} against {second} ({low:.0%} to {high:.0%})"


def _verdict(last: Standing, ahead: float) -> str:
    """What a meeting came to."""
    first, second, scored, games = last.meeting
    doubt = "" if last.clear else f"; not clear whether {ahead:g} points apart"
    one, other = last.seconds
    return (
        f"{first} scored {scored:g} of {games} against {second}{doubt}. "
        f"Seconds a player-turn: {first} {one:.2f}, {second} {other:.2f}."
    )


def _so_far(standings: Sequence[Standing], names: Sequence[str]) -> Iterator[str]:
    """The ratings of those that have met."""
    games = sum(standing.meeting.games for standing in standings)
    yield f"Interrupted after {games} games; the same command begins anew."
    if standings:
        yield from table([standing.meeting for standing in standings], names[0])


def table(meetings: Sequence[Any], anchor: str) -> Iterator[str]:
    """The ratings, best first, above the weakest."""
    for rating in rate(meetings, anchor):
        spread = f" ({rating.low:.0f} to {rating.high:.0f})" if rating.name != anchor else ""
        yield f"{rating.name}: {rating.points:.0f}{spread}, {rating.games} games"


def _each_alone(game: Game[Any], names: Sequence[str], terms: Terms) -> tuple[Strength, ...]:
    found: list[Strength] = []

    def so_far() -> list[str]:
        return [f"Interrupted: {len(found)} of {len(names)} players have played; the same command begins anew."]

    with telling_if_interrupted(so_far):
        for name in names:
            alone = Alone(
                name, sum(play_alone(game, name, terms, number) for number in range(terms.most)), terms.most
            )
            low, high = wilson(alone.won, alone.games)
            typer.echo(f"{name} won {alone.won} of {alone.games} ({low:.0%} to {high:.0%}).")
            found.append(
                Strength(
                    name=name,
                    kind="won",
                    value=round(alone.won / alone.games, 4),
                    low=round(low, 4),
                    high=round(high, 4),
                    games=alone.games,
                    scenario=terms.scenario or "",
                )
            )
    return tuple(reversed(found))

"""`bulge bench`: how fast it is, beside python-chess in the same run, and whether that is fast enough."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Annotated

import typer

from bulge.cli.common import game_named
from bulge.cli.speed import (
    A_SIDE,
    LINES,
    MOVEMENT_POINTS,
    PLACES,
    ChessPlay,
    Contestant,
    GamePlay,
    LargeBoard,
    best_time,
    take_turns,
)
from bulge.core.compiling import is_compiled
from bulge.games import GAMES

SMALL_GAME, TIMES_CHESS = "ford", 3.0
"""The small game must make so many times as many random decisions a second as python-chess."""
ZONES_AND_SUPPLY, REACH, COPY = 0.5e-3, 0.15e-3, 10e-6
"""Seconds allowed on the large board."""


def bench(
    ctx: typer.Context,
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games; none: all of them.")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each thing that is measured.", min=0.01)] = 3.0,
) -> None:
    """Measure random play, copies, zones, supply and movement, and compare them with their targets."""
    contestants = [GamePlay(game_named(ctx, name)) for name in games or GAMES]
    for line in chain(_random_play(contestants, seconds), _copies(contestants, seconds), _large_board(seconds)):
        typer.echo(line)


def _random_play(ours: list[GamePlay], seconds: float) -> Iterator[str]:
    chess = _chess()
    made = "compiled" if is_compiled() else "interpreted"
    yield f"Random play of the {made} rules, all contestants in short turns in one process:"
    if chess is None:
        yield "  python-chess is not installed, so there is nothing to compare with: pip install chess"
    take_turns([*([chess] if chess else []), *ours], seconds)
    if chess is not None:
        yield f"  {_rate_words(chess)}"
    for each in ours:
        words = _rate_words(each)
        if chess is not None:
            ratio = _rate(each) / _rate(chess)
            words += f"; {ratio:.2f} times python-chess"
            if each.name == SMALL_GAME:
                words += f", target at least {TIMES_CHESS:g}: {_met(ratio >= TIMES_CHESS)}"
        yield f"  {words}"


def _chess() -> ChessPlay | None:
    try:
        return ChessPlay()
    except ModuleNotFoundError:
        return None


def _rate(each: Contestant) -> float:
    return each.decisions / each.seconds


def _rate_words(each: Contestant) -> str:
    return (
        f"{each.name}: {_rate(each):,.0f} decisions a second, branching {each.options / each.decisions:.1f}, "
        f"{each.decisions / each.games:,.0f} decisions a game"
    )


def _copies(ours: list[GamePlay], seconds: float) -> Iterator[str]:
    yield "Copies of a position:"
    for each in ours:
        took = best_time(each.copy, seconds)
        yield f"  {each.name}: {took * 1e6:.2f} µs, {1 / took:,.0f} copies a second"


def _large_board(seconds: float) -> Iterator[str]:
    yield f"A board of {LINES} by {PLACES} hexes with terrain, roads, rivers and {2 * A_SIDE} units:"
    large = LargeBoard()
    _, in_supply = large.zones_and_supply()
    took = best_time(large.zones_and_supply, seconds)
    yield (
        f"  zones of both sides and supply of all units ({len(in_supply)} in supply): {took * 1e3:.3f} ms, "
        f"target {ZONES_AND_SUPPLY * 1e3:g} ms: {_met(took <= ZONES_AND_SUPPLY)}"
    )
    took, hexes = _time_of_reach(large, seconds, unstacking=False)
    yield (
        f"  reach of one unit with {MOVEMENT_POINTS} points ({hexes} hexes): {took * 1e3:.3f} ms, "
        f"target {REACH * 1e3:g} ms: {_met(took <= REACH)}"
    )
    took, hexes = _time_of_reach(large, seconds, unstacking=True)
    yield f"  the same where leaving a friend costs extra ({hexes} hexes): {took * 1e3:.3f} ms"
    took = best_time(large.position.copy, seconds)
    yield f"  copy of the position: {took * 1e6:.2f} µs, target {COPY * 1e6:g} µs: {_met(took <= COPY)}"


def _time_of_reach(large: LargeBoard, seconds: float, *, unstacking: bool) -> tuple[float, int]:
    limits = large.limits(unstacking=unstacking)
    hexes = large.reach_of_one(limits).spaces.bit_count()
    return best_time(partial(large.reach_of_one, limits), seconds), hexes


def _met(met: bool) -> str:
    return "met" if met else "not met"

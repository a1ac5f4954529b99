"""Two players head to head: every seed twice, with sides swapped, so that neither dice nor sides decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from math import sqrt
from typing import Any

import msgspec

from bulge.core.chance import seed_of
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.processes import workers
from bulge.players.elsewhere import ElsewherePlayer, contender_for
from bulge.players.onward import onward


class Bout(msgspec.Struct, frozen=True):
    """What one game came to. Players are numbered 0 and 1; `first` plays the first side."""

    number: int
    first: int
    side_won: str | None
    player_won: int | None
    points: dict[str, int]
    turns: int
    seconds: tuple[float, float]
    """Processor time that each player took for the whole game."""


class Pairing(msgspec.Struct, frozen=True):
    """Who meets whom, on which seeds."""

    players: tuple[str, str]
    seed: str = "1"
    scenario: str | None = None
    options: dict[str, str] = {}


def play_bout(game: Game[Any], pairing: Pairing, number: int) -> Bout:
    """One game. Games 0 and 1 have the same dice, with sides swapped; so do 2 and 3, and so on."""
    first = number % 2
    label = f"{pairing.seed}:{number // 2}"
    match = Match(game, pairing.scenario, pairing.options, seed=seed_of(label), keep_log=False)
    if len(game.players) != 2:
        raise BulgeError(f"in {game.title} the rules play the enemy: there is nobody to swap sides with")
    sitting = {side: first ^ place for place, side in enumerate(game.players)}
    seated = {side: contender_for(pairing.players[who], game, side, label) for side, who in sitting.items()}
    players = {side: onward(player) for side, player in seated.items()}
    seconds = [0.0, 0.0]
    while match.decision is not None:
        side = match.decision.side
        began = time.process_time()
        choice = players[side].choose(match)
        seconds[sitting[side]] += time.process_time() - began
        match.choose(choice)
        if len(match.ids) > game.most_choices:
            raise BulgeError(f"game {label} does not end: {len(match.ids)} choices")
    for side, player in seated.items():
        seconds[sitting[side]] += player.seconds if isinstance(player, ElsewherePlayer) else 0.0
    result = match.result
    assert result is not None
    won = None if result.winner is None else sitting[result.winner]
    return Bout(number, first, result.winner, won, result.points, match.position.turn, (seconds[0], seconds[1]))


def play_bouts(
    make_game: Callable[[], Game[Any]], pairing: Pairing, games: int, jobs: int = 1, *, first: int = 0
) -> Generator[Bout, None, None]:
    """Games in order from a number on, in so many processes. `make_game` must pickle where there are several."""
    numbers = range(first, first + games)
    if jobs == 1:
        game = make_game()
        yield from (play_bout(game, pairing, number) for number in numbers)
        return
    with workers(jobs, _equip, make_game, pairing) as pool:
        # Whoever leaves `map` cancels what is not begun; of that the pool complains when its workers are killed.
        for playing in [pool.submit(_play_here, number) for number in numbers]:
            yield playing.result()


_equipment: tuple[Game[Any], Pairing] | None = None
"""In a process of its own: the game that it plays, and who plays it."""


def _equip(make_game: Callable[[], Game[Any]], pairing: Pairing) -> None:
    global _equipment
    _equipment = make_game(), pairing


def _play_here(number: int) -> Bout:
    assert _equipment is not None
    return play_bout(*_equipment, number)


# ---------------------------------------------------------------------- what it came to


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share: sensible also for few games, and for shares of 0 and 1."""
    if not games:
        return 0.0, 1.0
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


class Score(msgspec.Struct, frozen=True):
    """One player's score in some of the games."""

    games: int
    won: int
    low: float
    high: float


def score_of(bouts: Iterable[Bout], player: int) -> Score:
    bouts = list(bouts)
    won = sum(bout.player_won == player for bout in bouts)
    return Score(len(bouts), won, *wilson(won, len(bouts)))


def seconds_a_turn(bouts: Iterable[Bout], player: int) -> float:
    """Mean processor time that a player takes for one of its turns."""
    bouts = list(bouts)
    turns = sum(bout.turns for bout in bouts)
    return sum(bout.seconds[player] for bout in bouts) / turns if turns else 0.0

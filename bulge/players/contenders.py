"""The plans of one phase: how each is improved, and what stands after the enemy's reply to it.

Each is a task of its own that depends on its seed alone, so that other processes can do a part of them and find
the same.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from bulge.core.data import Overrides
from bulge.core.game import Game
from bulge.core.match import Match, Packed
from bulge.games import load_game
from bulge.players.greedy import GreedyPlayer, detours, fields_of
from bulge.players.knowledge import ArmyKnowledge, armies_of
from bulge.players.looking import Way, all_moves
from bulge.players.purpose import Purposes
from bulge.players.search import Plan, Search
from bulge.players.side_by_side import Matter
from bulge.players.weighing import Weighing

MOST_CHOICES_OF_REPLY = 400
AT_FIRST, AT_A_TIME = 2, 4
"""So many plans are improved side by side: from greed and from standing still, then from the best so far. It must
not depend on how many processes there are: each number of them has to find the same."""
FINALISTS = 2
"""So many plans meet all of the enemy's replies."""
GAMES_KEPT = 2

Goals = list[tuple[int, int]]
"""A plan as it goes to another process: unit and hex, in the order in which they are sent."""


def rounds(plans: int) -> Iterator[range]:
    """The numbers of the plans that are improved side by side, one round after the other."""
    first = 0
    while first < plans:
        last = min(plans, first + (AT_A_TIME if first else AT_FIRST))
        yield range(first, last)
        first = last


class Desk:
    """A phase of moves, ready for plans to be made for it."""

    def __init__(self, twin: Match[Any], search: Search, weighing: Weighing, matter: Matter | None = None) -> None:
        self.twin, self.search, self.weighing = twin, search, weighing
        self.matter = matter
        """The same for others who help."""

    def goals(self, plan: Plan) -> Goals:
        return [(unit, way.hex_) for unit, way in plan.items()]

    def plan(self, goals: Goals) -> Plan:
        ways = self.search.moves.ways
        return {unit: ways[unit][hex_] for unit, hex_ in goals}


@dataclass(frozen=True)
class Improve:
    """Make a plan better, with a random stream of its own."""

    start: Goals
    shaken: bool
    """Whether some units are sent elsewhere first."""
    evaluations: int
    breadth: int
    seed: float

    def __call__(self, desk: Desk, out_of_time: Callable[[], bool]) -> tuple[float, Goals]:
        search = desk.search
        search.rng, search.out_of_time = random.Random(self.seed), out_of_time
        start = desk.plan(self.start)
        if self.shaken:
            start = search.shaken(start)
        value, plan = search.improve(start, self.evaluations, self.breadth)
        return value, desk.goals(plan)


@dataclass(frozen=True)
class Reply:
    """Let the enemy reply to a plan, with dice by this seed."""

    goals: Goals
    seed: float

    def __call__(self, desk: Desk, out_of_time: Callable[[], bool]) -> float:
        return after_reply(desk.twin, desk.plan(self.goals), desk.weighing, self.seed)


def ranked_after(
    worths: Sequence[float],
    most: int,
    rounds: int,
    replied: Callable[[Sequence[int], int], Sequence[float | None]],
) -> list[tuple[int, float]]:
    """The plans by number, the best after the enemy's replies first, and what each is worth less than the best.

    So many at `most` are replied to, given what each is worth before. In every round all who are left meet the
    same dice, and the better half of them goes on, two at least. A round in which somebody found no time does not
    count, and is the last. Two plans are compared after the last replies that both have met, for what comes later
    would be held against one of them alone.
    """
    left = sorted(range(len(worths)), key=lambda plan: -worths[plan])[:most]
    gained = [0.0] * len(worths)
    valued = [dict(enumerate(worths))]
    for number in range(rounds):
        values = [value for value in replied(left, number) if value is not None]
        if len(values) < len(left):
            break
        for plan, value in zip(left, values, strict=True):
            gained[plan] += value
        valued.append({plan: worths[plan] + gained[plan] / (number + 1) for plan in left})
        left.sort(key=lambda plan: valued[-1][plan], reverse=True)
        left = left[: max(FINALISTS, len(left) // 2)]
    best = left[0]

    def less(plan: int) -> float:
        met = next(values for values in reversed(valued) if plan in values)
        return met[plan] - met[best]

    found = [(plan, less(plan)) for plan in range(len(worths))]
    return sorted(found, key=lambda pair: (pair[0] != best, -pair[1]))


# ---------------------------------------------------------------------- for other processes


class Situation(NamedTuple):
    """All that another process needs to know. The match is a copy made for the side to play (`copy_for`)."""

    game: str
    overrides: str
    match: Packed
    purposes: Purposes
    noise: float


def matter_of(twin: Match[Any], purposes: Purposes, noise: float) -> Matter:
    game = twin.game
    return Matter(
        desk_for, pickle.dumps(Situation(game.id, game.data.overrides.text, twin.packed(), purposes, noise))
    )


def desk_for(letter: bytes) -> Desk:
    """The same desk again in another process."""
    situation: Situation = pickle.loads(letter)
    game = _game(situation.game, situation.overrides)
    twin = Match.unpacked(game, situation.match)
    knowledge = armies_of(game)
    assert knowledge is not None
    start, side = twin.position.copy(), twin.asked().side
    moves = detours(all_moves(twin, lambda unit: knowledge.where(start, unit)), start, knowledge)
    fields = fields_of(moves, start, side, knowledge, situation.purposes)
    search = Search(
        knowledge, start, side, moves, fields, random.Random(0), lambda: False, situation.noise, game.board
    )
    return Desk(twin, search, Weighing(knowledge))


@lru_cache(GAMES_KEPT)
def _game(id_: str, overrides: str) -> Game[Any]:
    return load_game(id_, Overrides(overrides) if overrides else None)


# ---------------------------------------------------------------------- the enemy's reply


def after_reply(twin: Match[Any], plan: Plan, weighing: Weighing, seed: float) -> float:
    """The value afterwards. All plans meet the same dice, and a few dice tell only half of the truth."""
    side = twin.asked().side
    ahead = twin.copy_for(side, random.Random(seed))
    mine, theirs = _Executor(random.Random(0), list(plan.values())), GreedyPlayer(random.Random(1))
    _play_to_own_turn(ahead, side, mine, theirs)
    return weighing.value(ahead, side)


class _Executor(GreedyPlayer):
    """Carries out orders that were made already for one phase; moves on and fights as greed tells it."""

    def __init__(self, rng: random.Random, orders: list[Way]) -> None:
        super().__init__(rng)
        self._given: list[Way] | None = orders

    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        given, self._given = self._given, None
        return super().plan_moves(twin, knowledge) if given is None else given


def _play_to_own_turn(ahead: Match[Any], side: str, mine: GreedyPlayer, theirs: GreedyPlayer) -> None:
    """The rest of this player-turn, and the whole of the enemy's, until it is this side's phase again."""
    replied = False
    for _ in range(MOST_CHOICES_OF_REPLY):
        decision = ahead.decision
        if decision is None or (replied and decision.top and decision.side == side):
            return
        replied = replied or (decision.top and decision.side != side)
        ahead.choose((mine if decision.side == side else theirs).choose(ahead))

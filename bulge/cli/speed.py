"""Measuring speed: random play by turns, and the set operations on a large board.

Times are only worth something beside others taken in the same run on the same machine, so contestants in random
play take turns in short slices, and everything else is the best of many short batches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from time import perf_counter
from typing import Any, Protocol

from bulge.core.chance import seed_of
from bulge.core.game import Game
from bulge.core.hexes import ROWS_FROM_EAST, Grid, HexBoard, Sides, rectangle
from bulge.core.match import Match
from bulge.core.movement import Limits, Reach, StepCosts, reach
from bulge.core.position import Position
from bulge.core.spaces import members, union
from bulge.core.supply import Lines, supplied
from bulge.core.zones import zone

SLICE = 0.05
"""Seconds that a contestant plays before the next one has its turn."""
BATCH = 64
"""Decisions between two looks at the clock."""


# ---------------------------------------------------------------------- random play


class Contestant(Protocol):
    """Somebody who plays at random, a number of decisions at a time, and keeps count."""

    name: str
    decisions: int
    options: int
    games: float
    seconds: float

    def play(self, count: int) -> None:
        """Make so many decisions, beginning new games where one ends."""


class Tally:
    """What a contestant has done so far."""

    name: str

    def __init__(self) -> None:
        self.decisions = self.options = 0
        self.games = 0.0
        """Games begun; the one under way when time is up is counted whole."""
        self.seconds = 0.0
        self.rng = random.Random(1)


class GamePlay(Tally):
    """One of our games, without a log, its scenarios in turn."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        self.name, self._game = game.id, game
        self._scenarios = list(game.scenarios)
        self._match = self._new_match()

    def _new_match(self) -> Match[Any]:
        number = int(self.games)
        self.games += 1
        scenario = self._scenarios[number % len(self._scenarios)]
        return Match(self._game, scenario, seed=seed_of(f"bench {number}"), keep_log=False)

    def play(self, count: int) -> None:
        match, choose_from = self._match, self.rng.choice
        for _ in range(count):
            decision = match.decision
            while decision is None:
                match = self._match = self._new_match()
                decision = match.decision
            self.options += len(decision.options)
            match.choose(choose_from(decision.options))
        self.decisions += count

    def copy(self) -> object:
        return self._match.position.copy()


class ChessPlay(Tally):
    """python-chess, the yardstick: a well-known engine of rules in plain Python."""

    name = "python-chess"

    def __init__(self) -> None:
        super().__init__()
        self._new_board: Callable[[], Any] = import_module("chess").Board
        self._board = self._new_board()
        self.games = 1

    def play(self, count: int) -> None:
        board, choose_from = self._board, self.rng.choice
        for _ in range(count):
            if board.is_game_over():
                board = self._board = self._new_board()
                self.games += 1
            moves = list(board.legal_moves)
            self.options += len(moves)
            board.push(choose_from(moves))
        self.decisions += count


def take_turns(contestants: Sequence[Contestant], seconds: float) -> None:
    """Let each play for about so many seconds, in short slices by turns, so that all see the same machine."""
    while any(each.seconds < seconds for each in contestants):
        for each in contestants:
            began = now = perf_counter()
            while now - began < min(SLICE, seconds):
                each.play(BATCH)
                now = perf_counter()
            each.seconds += now - began


def best_time(action: Callable[[], object], seconds: float) -> float:
    """Seconds that an action takes, as the best of many short batches: what disturbs can only slow it down."""
    ends = perf_counter() + seconds
    count, best = 1, float("inf")
    while True:
        began = perf_counter()
        for _ in range(count):
            action()
        took = perf_counter() - began
        best = min(best, took / count)
        if began + took >= ends:
            return best
        if took < 0.005:
            count *= 2


# ---------------------------------------------------------------------- a large board

LINES, PLACES, A_SIDE = 40, 60, 60
POINT = 2
"""Costs are counted in half movement points, for the road."""
MOVEMENT_POINTS = 12
OVERLAND = 5
"""Hexes from a unit to a road that leads home."""


class LargePosition(Position, kw_only=True):
    """About as much as a large game holds for each unit."""

    where: list[int]
    steps: list[int]
    fatigue: list[int]
    owner: dict[int, int]
    moved: int = 0
    attacked: int = 0


class LargeBoard:
    """40 lines of 60 hexes with woods, rough ground, two rivers, roads and 120 units, always the same."""

    def __init__(self) -> None:
        rng = random.Random(1944)
        self.board = HexBoard(Grid(ROWS_FROM_EAST), rectangle(LINES, PLACES))
        self._lay_ground(rng)
        self._place_units(rng)

    def _at(self, line: int, place: int) -> int:
        return self.board.at(f"{line:02}{place:02}")

    def _lay_ground(self, rng: random.Random) -> None:
        board = self.board
        hexes = members(board.all)
        rng.shuffle(hexes)
        woods, rough = union(hexes[:800]), union(hexes[800:1200])
        roads = [self._road(self._at(line, 1), self._at(line, PLACES)) for line in range(4, LINES, 6)]
        roads += [self._road(self._at(1, place), self._at(LINES, place)) for place in range(5, PLACES, 9)]
        self.roads = board.sides(name for road in roads for name in road)
        self.rivers = self._river(20, rng) | self._river(40, rng)
        self.unbridged = self.rivers - self.roads
        ground = StepCosts.by_terrain(
            board, {POINT: board.all & ~woods & ~rough, 2 * POINT: woods, 3 * POINT: rough}
        )
        self.steps = ground.add(self.unbridged, 2 * POINT).along(self.roads, POINT // 2)
        self.one_a_hex = StepCosts.by_terrain(board, {1: board.all}).forbid(self.unbridged)
        ends = range(1, LINES + 1)
        self.homes = [union(self._at(line, place) for line in ends) for place in (1, PLACES)]

    def _road(self, from_: int, to: int) -> list[str]:
        return [
            self.board.side_name(self.board.side_number(*pair)) for pair in pairwise(self.board.line(from_, to))
        ]

    def _river(self, place: int, rng: random.Random) -> Sides:
        """The border of all that lies east of a line that wanders about this place."""
        east = 0
        for line in range(1, LINES + 1):
            place += rng.choice((-1, 0, 1))
            east |= union(self._at(line, east_of) for east_of in range(1, place + 1))
        return self.board.border(east)

    def _place_units(self, rng: random.Random) -> None:
        east = [self._at(line, place) for line in range(1, LINES + 1) for place in range(18, 31)]
        west = [self._at(line, place) for line in range(1, LINES + 1) for place in range(31, 44)]
        where = rng.sample(east, A_SIDE) + rng.sample(west, A_SIDE)
        self.position = LargePosition(
            step="move",
            where=where,
            steps=[2] * len(where),
            fatigue=[0] * len(where),
            owner={at: unit // A_SIDE for unit, at in enumerate(where)},
        )

    def zones_and_supply(self) -> tuple[list[int], list[int]]:
        """The zones of both sides, and every unit that is in supply."""
        board, where = self.board, self.position.where
        sides = [union(where[:A_SIDE]), union(where[A_SIDE:])]
        zones = [zone(board, occupied, not_across=self.unbridged) for occupied in sides]
        lines = [self._supply(own, zones, sides) for own in (0, 1)]
        in_supply = [unit for unit, at in enumerate(where) if lines[unit >= A_SIDE].spaces >> at & 1]
        return zones, in_supply

    def _supply(self, own: int, zones: list[int], sides: list[int]) -> Lines:
        enemy = 1 - own
        free = self.board.all & ~sides[enemy] & ~(zones[enemy] & ~sides[own])
        return supplied(
            self.one_a_hex, self.roads, self.homes[own], OVERLAND, overland_through=free, road_through=free
        )

    def limits(self, *, unstacking: bool) -> Limits:
        """What holds one unit back: enemies, their zones, and perhaps friends that cost half a point to leave."""
        where = self.position.where
        friends, enemies = union(where[1:A_SIDE]), union(where[A_SIDE:])
        stop = zone(self.board, enemies, not_across=self.unbridged)
        return Limits(blocked=enemies, stop=stop, leave=((friends, POINT // 2),) if unstacking else ())

    def reach_of_one(self, limits: Limits) -> Reach:
        return reach(self.steps, self.position.where[0], MOVEMENT_POINTS * POINT, limits)

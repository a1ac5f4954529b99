"""Movement as set operations: where a unit can go, what it costs, and by which way.

Costs are whole numbers of a game's smallest fraction of a movement point (fifths in The Bulge, tenths in The
Ardennes Offensive), so that they are exact. `StepCosts` says what each single step costs; `reach` floods outward
from a start, cheapest hexes first, all hexes of one cost at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import msgspec

from bulge.core.board import GraphBoard
from bulge.core.errors import BulgeError
from bulge.core.hexes import HexBoard, Sides
from bulge.core.spaces import disjoint, members

Costed = list[tuple[int, int]]
"""Pairs of a cost and the set of spaces that it buys."""


class Steps(Protocol):
    """What single steps cost, on any board."""

    def onward(self, front: int) -> Costed:
        """What can be entered from these spaces, by cost."""

    def back(self, front: int) -> Costed:
        """Where one may have come from into these spaces, by the cost of the step."""

    def cost(self, from_: int, to: int) -> int | None:
        """The cost of one step, or None where there is none."""


class StepCosts:
    """What it costs to enter each hex from each side. Every method gives a new table; none changes this one."""

    def __init__(self, board: HexBoard, by_direction: Sequence[Mapping[int, int]]) -> None:
        self.board = board
        self.by_direction = by_direction
        self._onward = [
            (shift, [(cost, into) for cost, into in sorted(classes.items()) if into])
            for shift, classes in zip(board.shifts, by_direction, strict=True)
        ]

    @classmethod
    def by_terrain(cls, board: HexBoard, costs: Mapping[int, int]) -> StepCosts:
        """From a set of hexes for each cost. Hexes in none of them cannot be entered."""
        return cls(board, [dict(costs) for _ in range(6)])

    def add(self, sides: Sides, extra: int) -> StepCosts:
        """Crossing these hexsides costs so much more."""
        return self._split(sides.entering, lambda cost: cost + extra)

    def along(self, roads: Sides, cost: int) -> StepCosts:
        """A step along these roads costs this, whatever the terrain. Hexes closed by terrain stay closed."""
        return self._split(roads.entering, lambda _: cost)

    def along_any(self, roads: Sides, cost: int) -> StepCosts:
        """As `along`, and a road also opens a hex that terrain closes."""
        return StepCosts(
            self.board,
            [
                _merge([*_outside(classes, roads.entering(d)), (cost, roads.entering(d) & self.board.all)])
                for d, classes in enumerate(self.by_direction)
            ],
        )

    def only(self, sides: Sides) -> StepCosts:
        """Steps across these hexsides alone: what cannot leave the road."""
        return StepCosts(
            self.board,
            [
                {cost: into & sides.entering(d) for cost, into in classes.items()}
                for d, classes in enumerate(self.by_direction)
            ],
        )

    def forbid(self, sides: Sides) -> StepCosts:
        """No step across these hexsides."""
        return StepCosts(
            self.board,
            [_merge(_outside(classes, sides.entering(d))) for d, classes in enumerate(self.by_direction)],
        )

    def times(self, hexes: int, factor: int) -> StepCosts:
        """Entering these hexes costs a multiple."""
        return self._split(lambda _: hexes, lambda cost: cost * factor)

    def _split(self, touched: Callable[[int], int], changed: Callable[[int], int]) -> StepCosts:
        """Change the cost of entering some hexes: which ones depends on the direction of the step."""
        out = []
        for direction, classes in enumerate(self.by_direction):
            here = touched(direction)
            inside = [(changed(cost), into & here) for cost, into in classes.items()]
            out.append(_merge([*_outside(classes, here), *inside]))
        return StepCosts(self.board, out)

    def onward(self, front: int) -> Costed:
        arrived: dict[int, int] = {}
        for shift, classes in self._onward:
            moved = front << shift if shift > 0 else front >> -shift
            for cost, into in classes:
                if entered := moved & into:
                    if cost in arrived:
                        arrived[cost] |= entered
                    else:
                        arrived[cost] = entered
        return list(arrived.items())

    def back(self, front: int) -> Costed:
        came: dict[int, int] = {}
        on_board = self.board.all
        for shift, classes in self._onward:
            for cost, into in classes:
                if entered := front & into:
                    came_from = (entered >> shift if shift > 0 else entered << -shift) & on_board
                    came[cost] = came.get(cost, 0) | came_from
        return list(came.items())

    def cost(self, from_: int, to: int) -> int | None:
        shift = to - from_
        if shift not in self.board.shifts:
            return None
        for cost, into in self._onward[self.board.shifts.index(shift)][1]:
            if into >> to & 1:
                return cost
        return None


def _outside(classes: Mapping[int, int], hexes: int) -> Costed:
    return [(cost, into & ~hexes) for cost, into in classes.items()]


def _merge(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    out: dict[int, int] = {}
    for cost, into in pairs:
        if into:
            out[cost] = out.get(cost, 0) | into
    return out


class LinkCosts:
    """What steps cost on a graph board: one cost a link, the same both ways unless said otherwise."""

    def __init__(
        self, board: GraphBoard, default: int = 1, special: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        self._cost: dict[tuple[int, int], int] = {
            (from_, to): default for from_, linked in board.links.items() for to in members(linked)
        }
        self._cost.update(special or {})
        self._from: dict[int, Costed] = {}
        self._into: dict[int, Costed] = {}
        for (from_, to), cost in self._cost.items():
            self._from.setdefault(from_, []).append((cost, 1 << to))
            self._into.setdefault(to, []).append((cost, 1 << from_))

    def onward(self, front: int) -> Costed:
        return list(_merge(pair for space in members(front) for pair in self._from.get(space, ())).items())

    def back(self, front: int) -> Costed:
        return list(_merge(pair for space in members(front) for pair in self._into.get(space, ())).items())

    def cost(self, from_: int, to: int) -> int | None:
        return self._cost.get((from_, to))


class NoWay(BulgeError):
    """A walk that the rules of movement do not allow: `step` says where it fails, `why` in a word."""

    def __init__(self, why: str, from_: int, to: int) -> None:
        super().__init__(why)
        self.why, self.from_, self.to = why, from_, to


class Limits(msgspec.Struct, frozen=True):
    """What holds a mover back beyond the plain cost of steps. All are sets of spaces."""

    blocked: int = 0
    """Spaces that may not be entered."""
    stop: int = 0
    """Spaces that end the move once entered (a start among them may be left)."""
    enter: tuple[tuple[int, int], ...] = ()
    """(set, extra): entering one of these costs so much more; extras add up."""
    leave: tuple[tuple[int, int], ...] = ()
    """(set, extra): leaving one of these costs so much more; extras add up."""
    bars: tuple[tuple[int, int], ...] = ()
    """(from, to): no step from one of the first directly into one of the second."""

    def extra_to_enter(self, space: int) -> int:
        return sum(extra for spaces, extra in self.enter if spaces >> space & 1)

    def extra_to_leave(self, space: int) -> int:
        return sum(extra for spaces, extra in self.leave if spaces >> space & 1)

    def barred(self, from_: int, to: int) -> bool:
        return any(source >> from_ & 1 and into >> to & 1 for source, into in self.bars)


FREE = Limits()


@dataclass
class Reach:
    """Where a move can go. `levels[cost]` is the set of spaces whose cheapest way costs exactly that."""

    steps: Steps
    limits: Limits
    levels: list[int]
    start: dict[int, int]
    before: Reach | None = None
    """The earlier part of the move, in another mode, whose spaces this part started from."""
    spaces: int = field(init=False)

    def __post_init__(self) -> None:
        self.spaces = 0
        for level in self.levels:
            self.spaces |= level

    def cost(self, space: int) -> int:
        for cost, level in enumerate(self.levels):
            if level >> space & 1:
                return cost
        raise NoWay("out of reach", space, space)

    def path(self, space: int) -> list[int]:
        """The spaces of a cheapest way, the start and this space included."""
        way = [space]
        cost = self.cost(space)
        while not self.start.get(cost, 0) >> space & 1:
            space, cost = self._came_from(space, cost)
            way.append(space)
        way.reverse()
        if self.before is not None:
            way[:1] = self.before.path(way[0])
        return way

    def _came_from(self, space: int, cost: int) -> tuple[int, int]:
        for _, origins in self.steps.back(1 << space):
            for origin in members(origins & self.spaces):
                earlier = self.cost(origin)
                if self._continues(origin, earlier) and self.step_cost(origin, space) == cost - earlier:
                    return origin, earlier
        raise AssertionError("a space was reached from nowhere")

    def _continues(self, space: int, cost: int) -> bool:
        return not self.limits.stop >> space & 1 or bool(self.start.get(cost, 0) >> space & 1)

    def step_cost(self, from_: int, to: int) -> int:
        """The whole cost of one step, extras included."""
        cost = self.steps.cost(from_, to)
        if cost is None:
            raise NoWay("no way", from_, to)
        if self.limits.blocked >> to & 1:
            raise NoWay("blocked", from_, to)
        if self.limits.barred(from_, to):
            raise NoWay("barred", from_, to)
        return cost + self.limits.extra_to_leave(from_) + self.limits.extra_to_enter(to)

    def walk(self, way: Sequence[int]) -> int:
        """The cost of going this very way from its first space; refused where the rules do not allow it."""
        budget = len(self.levels) - 1
        spent = min(cost for cost, spaces in self.start.items() if spaces >> way[0] & 1)
        for number, (from_, to) in enumerate(pairwise(way)):
            if number and self.limits.stop >> from_ & 1:
                raise NoWay("must stop", from_, to)
            spent += self.step_cost(from_, to)
            if spent > budget:
                raise NoWay("not enough points", from_, to)
        return spent

    def via(self, space: int) -> Reach:
        """The same move, but by way of this space."""
        cost = self.cost(space)
        # A move that must stop there ends there: nothing is left to spend.
        budget = len(self.levels) - 1 if self._continues(space, cost) else cost
        return reach(self.steps, {cost: 1 << space}, budget, self.limits, before=self)


def reach(
    steps: Steps,
    start: int | Mapping[int, int],
    budget: int,
    limits: Limits = FREE,
    *,
    before: Reach | None = None,
) -> Reach:
    """Every space that `budget` buys. `start` is a space, or sets of spaces by the cost already paid there.

    A move in two modes (drive first, then walk) is two calls: the second starts from the first's levels, a toll
    for changing added if there is one, and names it as `before`.
    """
    starts = {0: 1 << start} if isinstance(start, int) else dict(start)
    pending = [0] * (budget + 1)
    for cost, spaces in starts.items():
        if cost <= budget:
            pending[cost] |= spaces
    leaving = _ways_to_leave(limits)
    entering = [(into, extra) for into, extra in disjoint(limits.enter, ~limits.blocked) if into]
    levels = [0] * (budget + 1)
    done, stop = 0, limits.stop
    for cost in range(budget + 1):
        front = pending[cost] & ~done
        if not front:
            continue
        done |= front
        levels[cost] = front
        going = front & (~stop | starts.get(cost, 0)) if stop else front
        for from_, extra, allowed in leaving:
            if leavers := going & from_:
                spent = cost + extra
                for price, arrived in steps.onward(leavers):
                    fresh = arrived & allowed & ~done
                    for into, surcharge in entering:
                        total = spent + price + surcharge
                        if total <= budget and (entered := fresh & into):
                            pending[total] |= entered
    return Reach(steps, limits, levels, starts, before)


def _ways_to_leave(limits: Limits) -> list[tuple[int, int, int]]:
    """Disjoint (from, extra, allowed): what leaving each kind of space costs and where it may lead."""
    ways = [(spaces, extra, -1) for spaces, extra in disjoint(limits.leave, -1) if spaces]
    for source, barred in limits.bars:
        ways = [
            part
            for spaces, extra, allowed in ways
            for part in (
                (spaces & source, extra, allowed & ~barred),
                (spaces & ~source, extra, allowed),
            )
            if part[0]
        ]
    return ways

"""Movement as set operations: where a unit can go, what it costs, and by which way.

`StepCosts` says what each single step costs, in whole numbers of a game's smallest fraction of a movement point;
`reach` floods outward from a start, cheapest hexes first, all hexes of one cost at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from bulge.core.limits import FREE, Limits, NoWay
from bulge.core.spaces import disjoint, members
from bulge.core.steps import LinkCosts, StepCosts, Steps

__all__ = [
    "FREE", "Limits", "LinkCosts", "NoWay", "Reach", "StepCosts", "Steps", "either", "points_in_words", "reach",
    "too_dear",
]  # fmt: skip


@dataclass(slots=True)
class Reach:
    """Where a move can go. `levels[cost]` is the set of spaces whose cheapest way costs exactly that."""

    steps: Steps
    limits: Limits
    levels: list[int]
    spaces: int
    """All levels together: everything within reach."""
    start: dict[int, int]
    before: Reach | None = None
    """The earlier part of the move, in another mode, from whose spaces this part started, or from others."""

    @property
    def earlier(self) -> Reach | None:
        """The part of the move in another mode; none where what came before only led by way of a space."""
        return self.before if self.before is not None and self.before.steps is not self.steps else None

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
        if self.before is not None and self.before.spaces >> way[0] & 1:
            way[:1] = self.before.path(way[0])
        return way

    def _came_from(self, space: int, cost: int) -> tuple[int, int]:
        limits = self.limits
        arrived = cost - limits.extra_to_enter(space)
        for price, origins in self.steps.back(1 << space):
            for origin in members(origins & self.spaces):
                earlier = arrived - price - limits.extra_to_leave(origin)
                if self._leaves(origin, earlier) and not limits.barred(origin, space):
                    return origin, earlier
        raise AssertionError("a space was reached from nowhere")

    def _leaves(self, space: int, cost: int) -> bool:
        """Whether some cheapest way goes on from this space after spending so much."""
        if self.start.get(cost, 0) >> space & 1:
            return True
        return cost >= 0 and bool(self.levels[cost] >> space & 1) and not self.limits.stop >> space & 1

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
        paid = [cost for cost, spaces in self.start.items() if spaces >> way[0] & 1]
        if not paid:
            raise NoWay("no start", way[0], way[min(1, len(way) - 1)])
        spent = min(paid)
        for number, (from_, to) in enumerate(pairwise(way)):
            if number and self.limits.stop >> from_ & 1:
                raise NoWay("must stop", from_, to)
            spent += self.step_cost(from_, to)
            if spent > budget:
                raise NoWay("not enough points", from_, to)
        return spent

    def via(self, space: int) -> Reach:
        """The same move, but by way of this space: in the earlier part of the move, if that gets there."""
        earlier = self.earlier
        if earlier is not None and earlier.spaces >> space & 1:
            toll = min(self.start) - next(cost for cost, level in enumerate(earlier.levels) if level)
            before = earlier.via(space)
            start = {cost + toll: level for cost, level in enumerate(before.levels) if level}
            return reach(self.steps, start, len(self.levels) - 1, self.limits, before=before)
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
    until: int = 0,
) -> Reach:
    """Every space that `budget` buys. `start` is a space, or sets of spaces by the cost already paid there.

    Whoever only asks what it costs to get to the nearest of some spaces names them as `until`: nothing dearer
    is looked for.

    A move in two modes (drive first, then walk) is two calls: the second starts from the first's levels, a toll
    for changing added if there is one, and names it as `before`.
    """
    starts = {0: 1 << start} if isinstance(start, int) else dict(start)
    pending = [0] * (budget + 1)
    for cost, spaces in starts.items():
        if cost <= budget:
            pending[cost] |= spaces
    fresh = steps.all & ~limits.blocked
    leaving = _ways_to_leave(limits)
    entering = disjoint(limits.enter, fresh)
    levels = [0] * (budget + 1)
    done, stop = 0, limits.stop
    for cost in range(budget + 1):
        going = front = pending[cost] & ~done
        if stop:
            # A start may be left even where another way, one that must stop, came there for less.
            going = front & ~stop | starts.get(cost, 0) & stop
        if not front | going:
            continue
        done |= front
        levels[cost] = front
        if cost == budget or front & until:
            break  # whatever comes next is dearer
        fresh ^= fresh & front
        for from_, extra, allowed in leaving:
            if leavers := going & from_:
                spent = cost + extra
                for price, arrived in steps.onward(leavers, fresh & allowed, budget - spent):
                    for into, surcharge in entering:
                        total = spent + price + surcharge
                        if total <= budget and (entered := arrived & into):
                            pending[total] |= entered
    return Reach(steps, limits, levels, done, starts, before)


@dataclass(slots=True, kw_only=True)
class _Either(Reach):
    """Two ways to move, and to each space the cheaper of them."""

    first: Reach
    second: Reach
    by_second: int
    """The spaces to which the second is cheaper."""

    def path(self, space: int) -> list[int]:
        return (self.second if self.by_second >> space & 1 else self.first).path(space)

    def via(self, space: int) -> Reach:
        if not self.by_second >> space & 1:
            return self.first.via(space)
        start, second = {self.cost(space): 1 << space}, self.second
        return reach(second.steps, start, len(self.levels) - 1, second.limits, before=second)


def either(first: Reach, second: Reach) -> Reach:
    """Two moves with the same budget, and to each space the cheaper one.

    So is a move that may go over a space which changes the costs, or round it.
    """
    levels, done, by_second = [], 0, 0
    for cost, (one, two) in enumerate(zip(first.levels, second.levels, strict=True)):
        by_second |= (two & ~one | second.start.get(cost, 0)) & ~done
        levels.append((one | two) & ~done)
        done |= one | two
    return _Either(
        first.steps, first.limits, levels, done, first.start, first.before,
        first=first, second=second, by_second=by_second,
    )  # fmt: skip


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


def points_in_words(amount: int, point: int) -> str:
    """An amount of movement as a person writes it, where a point is so many: 2, 1/5, 3 1/2."""
    whole, rest = divmod(amount, point)
    if not rest:
        return str(whole)
    part = Fraction(rest, point)
    return f"{whole} {part}" if whole else str(part)


def too_dear(cost: str, left: str) -> str:
    """Why a space is out of reach, where points alone are wanting."""
    return f"the cheapest way there costs {cost} movement points, and {left} {'is' if left == '1' else 'are'} left"

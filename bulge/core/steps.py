"""What single steps cost: for every hex and side, or for every link of a graph.

Costs are whole numbers of a game's smallest fraction of a movement point (fifths in The Bulge, tenths in The
Ardennes Offensive), so that they are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from bulge.core.board import GraphBoard
from bulge.core.hexes import HexBoard, Sides
from bulge.core.spaces import members

Costed = list[tuple[int, int]]
"""Pairs of a cost and the set of spaces that it buys."""

ANY_COST = 1 << 30


class Steps(Protocol):
    """What single steps cost, on any board."""

    all: int
    """Every space of the board."""

    def onward(self, front: int, within: int = -1, most: int = ANY_COST) -> Costed:
        """What can be entered from these spaces, by cost: among the spaces of `within`, and for `most` at most."""

    def back(self, front: int) -> Costed:
        """Where one may have come from into these spaces, by the cost of the step."""

    def cost(self, from_: int, to: int) -> int | None:
        """The cost of one step, or None where there is none."""


class StepCosts:
    """What it costs to enter each hex from each side. Every method gives a new table; none changes this one."""

    def __init__(self, board: HexBoard, by_direction: Sequence[Mapping[int, int]]) -> None:
        self.board = board
        self.by_direction = by_direction
        _check_costs(cost for classes in by_direction for cost in classes)
        self.all = board.all
        self._onward = [
            (shift, _cheapest(classes)) for shift, classes in zip(board.shifts, by_direction, strict=True)
        ]
        # Most hexes cost the same from all sides. So `onward` takes them together, by what they cost from the
        # first side, and only those that differ (along a road, across a river) one side at a time.
        self._usual = self._onward[0][1]
        self._ways = [(shift, *_usual_and_odd(classes, dict(self._usual))) for shift, classes in self._onward]
        self._from: dict[int, list[tuple[int, int]]] = {}
        self._onward_from_one: dict[int, Costed] = {}
        """What `onward` finds from a set of one hex, kept once asked for: small fronts are mostly one hex."""

    @classmethod
    def by_terrain(cls, board: HexBoard, costs: Mapping[int, int]) -> StepCosts:
        """From a set of hexes for each cost. Hexes in none of them cannot be entered."""
        on_board = {cost: into & board.all for cost, into in costs.items()}
        return cls(board, [on_board for _ in range(6)])

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

    def into(self, hexes: int, other: StepCosts) -> StepCosts:
        """As this table, but entering these hexes costs what the other table says."""
        return StepCosts(
            self.board,
            [
                _merge([*_outside(mine, hexes), *((cost, into & hexes) for cost, into in theirs.items())])
                for mine, theirs in zip(self.by_direction, other.by_direction, strict=True)
            ],
        )

    def from_hex(self, hex_: int) -> list[tuple[int, int]]:
        """The single steps out of a hex: (where to, at what cost)."""
        found = self._from.get(hex_)
        if found is None:
            found = self._from[hex_] = []
            for shift, classes in self._onward:
                if (to := hex_ + shift) < 0:
                    continue
                for cost, into in classes:
                    if into >> to & 1:
                        found.append((to, cost))
                        break
        return found

    def _split(self, touched: Callable[[int], int], changed: Callable[[int], int]) -> StepCosts:
        """Change the cost of entering some hexes: which ones depends on the direction of the step."""
        out = []
        for direction, classes in enumerate(self.by_direction):
            here = touched(direction)
            inside = [(changed(cost), into & here) for cost, into in classes.items()]
            out.append(_merge([*_outside(classes, here), *inside]))
        return StepCosts(self.board, out)

    def onward(self, front: int, within: int = -1, most: int = ANY_COST) -> Costed:
        if front & (front - 1):
            return self._onward_from(front, within, most)
        known = self._onward_from_one.get(front)
        if known is None:
            known = self._onward_from_one[front] = self._onward_from(front, -1, ANY_COST)
        return [(cost, entered) for cost, into in known if cost <= most and (entered := into & within)]

    def _onward_from(self, front: int, within: int, most: int) -> Costed:
        arrived: dict[int, int] = {}
        at_usual_cost = 0
        for shift, usual, odd, odd_classes in self._ways:
            moved = (front << shift if shift > 0 else front >> -shift) & within
            at_usual_cost |= moved & usual
            if left := moved & odd:
                for cost, into in odd_classes:
                    if cost > most:
                        break
                    if entered := left & into:
                        arrived[cost] = arrived[cost] | entered if cost in arrived else entered
                        left ^= entered
                        if not left:
                            break
        for cost, into in self._usual:
            if cost > most or not at_usual_cost:
                break
            if entered := at_usual_cost & into:
                arrived[cost] = arrived[cost] | entered if cost in arrived else entered
                at_usual_cost ^= entered
        return list(arrived.items())

    def back(self, front: int) -> Costed:
        if not front:
            return []
        came: dict[int, int] = {}
        for shift, classes in self._onward:
            for cost, into in classes:
                if entered := front & into:
                    came_from = entered >> shift if shift > 0 else entered << -shift
                    came[cost] = came[cost] | came_from if cost in came else came_from
        on_board = self.board.all
        return [(cost, spaces & on_board) for cost, spaces in came.items()]

    def cost(self, from_: int, to: int) -> int | None:
        shift = to - from_
        if shift not in self.board.shifts:
            return None
        for cost, into in self._onward[self.board.shifts.index(shift)][1]:
            if into >> to & 1:
                return cost
        return None


def _check_costs(costs: Iterable[int]) -> None:
    """`reach` takes the cheapest first, and would lose a step that costs nothing."""
    if any(cost < 1 for cost in costs):
        raise ValueError("every step must cost at least 1")


def _together(sets: Iterable[int]) -> int:
    out = 0
    for spaces in sets:
        out |= spaces
    return out


def _cheapest(classes: Mapping[int, int]) -> Costed:
    """The classes, cheapest first; a hex that is in several of them stays in the first."""
    found, taken = [], 0
    for cost, into in sorted(classes.items()):
        if rest := into & ~taken:
            found.append((cost, rest))
            taken |= rest
    return found


def _usual_and_odd(classes: Costed, usual: Mapping[int, int]) -> tuple[int, int, Costed]:
    """The hexes that cost what they usually cost, those that do not, and these by cost."""
    as_usual = _together(into & usual.get(cost, 0) for cost, into in classes)
    odd_classes = [(cost, odd) for cost, into in classes if (odd := into & ~usual.get(cost, 0))]
    return as_usual, _together(odd for _, odd in odd_classes), odd_classes


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
        self.all = board.all
        self._cost: dict[tuple[int, int], int] = {
            (from_, to): default for from_, linked in board.links.items() for to in members(linked)
        }
        self._cost.update(special or {})
        _check_costs(self._cost.values())
        self._from: dict[int, Costed] = {}
        self._into: dict[int, Costed] = {}
        for (from_, to), cost in self._cost.items():
            self._from.setdefault(from_, []).append((cost, 1 << to))
            self._into.setdefault(to, []).append((cost, 1 << from_))

    def onward(self, front: int, within: int = -1, most: int = ANY_COST) -> Costed:
        steps = (pair for space in members(front) for pair in self._from.get(space, ()))
        return list(_merge((cost, into & within) for cost, into in steps if cost <= most).items())

    def back(self, front: int) -> Costed:
        return list(_merge(pair for space in members(front) for pair in self._into.get(space, ())).items())

    def cost(self, from_: int, to: int) -> int | None:
        return self._cost.get((from_, to))

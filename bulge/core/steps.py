"""What single steps cost: for every hex and side, or for every link of a graph.

Costs are whole numbers of a game's smallest fraction of a movement point (fifths in The Bulge, tenths in The
Ardennes Offensive), so that they are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import and_, or_, xor
from typing import Protocol, TypeAlias

from bulge.core.board import GraphBoard
from bulge.core.hexes import HexBoard, Sides
from bulge.core.kept import kept
from bulge.core.spaces import members

Costed = list[tuple[int, int]]
"""Pairs of a cost and the set of spaces that it buys."""

ByCost = dict[int, list[int]]
"""For each cost, the spaces that it buys in each of the six directions."""

ANY_COST = 1 << 30

Change: TypeAlias = Callable[[int], int | None]
"""From the cost of a step to its new cost; None closes the way."""


class Steps(Protocol):
    """What single steps cost, on any board."""

    all: int
    """Every space of the board."""

    def onward(self, front: int, within: int = -1, most: int = ANY_COST) -> Costed:
        """What can be entered from these spaces, by cost: among the spaces of `within`, and for `most` at most."""

    def back(self, front: int, most: int = ANY_COST) -> Costed:
        """Where one may have come from into these spaces, by the cost of the step, for `most` at most."""

    def cost(self, from_: int, to: int) -> int | None:
        """The cost of one step, or None where there is none."""


class StepCosts(Steps):
    """What it costs to enter each hex from each side. Every method gives a new table; none changes this one."""

    def __init__(self, board: HexBoard, by_direction: Sequence[Mapping[int, int]]) -> None:
        _check_costs(cost for classes in by_direction for cost in classes)
        self.by_direction = by_direction
        self._begin(board)

    def _begin(self, board: HexBoard) -> None:
        self.board = board
        self.all = board.hexes
        self._from: dict[int, list[tuple[int, int]]] = {}
        self._onward_from_one: dict[int, Costed] = {}
        """What `onward` finds from a set of one hex, kept once asked for: small fronts are mostly one hex."""

    @kept
    def _by_cost(self) -> ByCost:
        """For each cost, cheapest first, what is entered for it in each direction."""
        found = [dict(_cheapest(classes)) for classes in self.by_direction]
        costs = sorted({cost for classes in found for cost in classes})
        return {cost: [classes.get(cost, 0) for classes in found] for cost in costs}

    @kept
    def _onward(self) -> list[tuple[int, Costed]]:
        """For each direction its shift, and what can be entered in it, by cost."""
        return [
            (shift, [(cost, entered[direction]) for cost, entered in self._by_cost.items() if entered[direction]])
            for direction, shift in enumerate(self.board.shifts)
        ]

    @kept
    def _inward(self) -> list[tuple[int, int, list[int]]]:
        """For each cost what is entered for it from anywhere, and in each direction."""
        return [(cost, _together(entered), entered) for cost, entered in self._by_cost.items()]

    @classmethod
    def by_terrain(cls, board: HexBoard, costs: Mapping[int, int]) -> StepCosts:
        """From a set of hexes for each cost. Hexes in none of them cannot be entered."""
        on_board = {cost: into & board.hexes for cost, into in costs.items()}
        return cls(board, [on_board for _ in range(6)])

    def add(self, sides: Sides, extra: int) -> StepCosts:
        """Crossing these hexsides costs so much more."""
        return _Changed(self, sides.entered, sides.hexes, lambda cost: cost + extra)

    def along(self, roads: Sides, cost: int) -> StepCosts:
        """A step along these roads costs this, whatever the terrain. Hexes closed by terrain stay closed."""
        return _Changed(self, roads.entered, roads.hexes, lambda _: cost)

    def only(self, sides: Sides) -> StepCosts:
        """Steps across these hexsides alone: what cannot leave the road."""
        return _Changed(self, [self.all & ~entered for entered in sides.entered], self.all, _closed)

    def forbid(self, sides: Sides) -> StepCosts:
        """No step across these hexsides."""
        return _Changed(self, sides.entered, sides.hexes, _closed)

    def times(self, hexes: int, factor: int) -> StepCosts:
        """Entering these hexes costs a multiple."""
        return _Changed(self, [hexes] * 6, self.board.around(hexes), lambda cost: cost * factor)

    def into(self, hexes: int, other: StepCosts) -> StepCosts:
        """As this table, but entering these hexes costs what the other table says."""
        return _Patched(self, hexes, other)

    def entered(self, direction: int) -> Costed:
        """What can be entered by a step in this direction, by cost."""
        return self._onward[direction][1]

    def from_hex(self, hex_: int) -> list[tuple[int, int]]:
        """The single steps out of a hex: (where to, at what cost)."""
        found = self._from.get(hex_)
        if found is None:
            found = self._from[hex_] = self._find_from_hex(hex_)
        return found

    def _find_from_hex(self, hex_: int) -> list[tuple[int, int]]:
        found = []
        for shift, classes in self._onward:
            if (to := hex_ + shift) < 0:
                continue
            for cost, into in classes:
                if into >> to & 1:
                    found.append((to, cost))
                    break
        return found

    def onward(self, front: int, within: int = -1, most: int = ANY_COST) -> Costed:
        if front & (front - 1):
            return self._onward_from(front, within, most)
        known = self._onward_from_one.get(front)
        if known is None:
            known = self._onward_from_one[front] = self._onward_from(front, -1, ANY_COST)
        return [(cost, entered) for cost, into in known if cost <= most and (entered := into & within)]

    def _onward_from(self, front: int, within: int, most: int) -> Costed:
        # Directions 2 to 4 go up in number, by a, b and c; the other three are their opposites.
        _, _, a, b, c, _ = self.board.shifts
        to2, to3, to4 = front << a & within, front << b & within, front << c & within
        to5, to0, to1 = front >> a & within, front >> b & within, front >> c & within
        arrived: Costed = []
        for cost, _, (in0, in1, in2, in3, in4, in5) in self._inward:
            if cost > most:
                break
            if entered := to0 & in0 | to1 & in1 | to2 & in2 | to3 & in3 | to4 & in4 | to5 & in5:
                arrived.append((cost, entered))
        return arrived

    def back(self, front: int, most: int = ANY_COST) -> Costed:
        came: Costed = []
        _, _, a, b, c, _ = self.board.shifts
        for cost, anyhow, (in0, in1, in2, in3, in4, in5) in self._inward:
            if cost > most:
                break
            if f := front & anyhow:
                up = (f & in5) << a | (f & in0) << b | (f & in1) << c
                down = (f & in2) >> a | (f & in3) >> b | (f & in4) >> c
                came.append((cost, (up | down) & self.all))
        return came

    def cost(self, from_: int, to: int) -> int | None:
        shift = to - from_
        if shift not in self.board.shifts:
            return None
        for cost, into in self._onward[self.board.shifts.index(shift)][1]:
            if into >> to & 1:
                return cost
        return None


class _Derived(StepCosts):
    """Another table that is changed for entering some hexes.

    Its sets are made only when somebody asks for sets: a unit that walks step by step asks for single steps,
    and games make such tables by the hundred (for the bridges that are broken now).
    """

    def __init__(self, base: StepCosts, changed_from: int) -> None:
        self._base = base
        self._begin(base.board)
        self._changed_from = changed_from
        """The hexes out of which some step is changed; all others are left as in the other table."""

    def from_hex(self, hex_: int) -> list[tuple[int, int]]:
        changed = self._changed_from >> hex_ & 1
        known = self._from if changed else self._base._from
        found = known.get(hex_)
        if found is None:
            found = known[hex_] = self._find_from_hex(hex_) if changed else self._base.from_hex(hex_)
        return found


class _Changed(_Derived):
    """A table with the cost of entering some hexes changed: which ones depends on the direction of the step."""

    def __init__(self, base: StepCosts, touched: Sequence[int], changed_from: int, change: Change) -> None:
        super().__init__(base, changed_from)
        self._touched, self._change = touched, change

    @kept
    def _by_cost(self) -> ByCost:
        pairs = []
        for cost, entered in self._base._by_cost.items():
            inside = list(map(and_, entered, self._touched))
            pairs.append((cost, list(map(xor, entered, inside))))
            if any(inside) and (changed := self._change(cost)) is not None:
                pairs.append((changed, inside))
        _check_costs(cost for cost, _ in pairs)
        return _merge_directions(pairs)

    def _find_from_hex(self, hex_: int) -> list[tuple[int, int]]:
        shifts, touched = self.board.shifts, self._touched
        found = []
        for to, cost in self._base.from_hex(hex_):
            if touched[shifts.index(to - hex_)] >> to & 1:
                changed = self._change(cost)
                if changed is not None:
                    found.append((to, changed))
            else:
                found.append((to, cost))
        return found


def _closed(_: int) -> None:
    """The change that closes a way."""
    return


class _Patched(_Derived):
    """A table that holds everywhere but for entering some hexes, where another one does."""

    def __init__(self, base: StepCosts, hexes: int, other: StepCosts) -> None:
        super().__init__(base, base.board.around(hexes))
        self._hexes, self._other = hexes, other

    @kept
    def _by_cost(self) -> ByCost:
        mine, theirs = self._base._by_cost.items(), self._other._by_cost.items()
        outside = [(cost, [into & ~self._hexes for into in entered]) for cost, entered in mine]
        inside = [(cost, [into & self._hexes for into in entered]) for cost, entered in theirs]
        return _merge_directions([*outside, *inside])

    def _find_from_hex(self, hex_: int) -> list[tuple[int, int]]:
        hexes = self._hexes
        return [
            *((to, cost) for to, cost in self._base.from_hex(hex_) if not hexes >> to & 1),
            *((to, cost) for to, cost in self._other.from_hex(hex_) if hexes >> to & 1),
        ]


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


def _merge_directions(pairs: Iterable[tuple[int, list[int]]]) -> ByCost:
    """Costs with what is entered in each direction, cheapest first; what has the same cost is taken together."""
    out: ByCost = {}
    for cost, entered in pairs:
        known = out.get(cost)
        out[cost] = entered if known is None else list(map(or_, known, entered))
    return dict(sorted(out.items()))


def _merge(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    out: dict[int, int] = {}
    for cost, into in pairs:
        if into:
            out[cost] = out.get(cost, 0) | into
    return out


class LinkCosts(Steps):
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

    def back(self, front: int, most: int = ANY_COST) -> Costed:
        pairs = (pair for space in members(front) for pair in self._into.get(space, ()) if pair[0] <= most)
        return list(_merge(pairs).items())

    def cost(self, from_: int, to: int) -> int | None:
        return self._cost.get((from_, to))

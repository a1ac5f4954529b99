"""The base of a situation: what follows from where units stand, at one moment.

Rules take a situation and ask it; after a move they tell it (`note_move`), or take a new one (`now`). A game adds
its own sets (supply, bridges) and drops them in `_forget` when a move may have changed them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, Protocol, Self, TypeVar

from bulge.core.compiling import compiled
from bulge.core.hexes import HexBoard, Sides
from bulge.core.kept import Keeps, kept
from bulge.core.spaces import union
from bulge.core.supply import Lines
from bulge.games.hexes.roster import Roster
from bulge.games.hexes.sides import other


class StandingFacts(Protocol):
    """What a situation must know of a game's facts."""

    @property
    def board(self) -> HexBoard: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def sizes(self) -> Sequence[int]: ...
    @property
    def stack_limit(self) -> int: ...


class StandingPosition(Protocol):
    where: list[int]


F = TypeVar("F", bound=StandingFacts)
P = TypeVar("P", bound=StandingPosition)


@compiled(allow_interpreted_subclasses=True)
class Supplied(Keeps):
    """Lines of supply, and the bridges that the enemy interdicts: found once somebody asks, and then kept."""

    occupied: dict[str, int]
    zones: dict[str, int]

    def __init__(self) -> None:
        self._lines: dict[str, Lines] = {}
        self._interdicted: dict[str, Sides] = {}

    def unnegated(self, side: str) -> int:
        """The zone of this side's enemy, less what this side's own units negate."""
        return self.zones[other(side)] & ~self.occupied[side]

    def denied(self, side: str) -> int:
        """What the enemy of this side holds, or has in a zone that no unit of this side negates."""
        return self.occupied[other(side)] | self.unnegated(side)

    def find_lines(self, side: str) -> Lines:
        """Lines of supply as they run now, for every hex at once."""
        raise NotImplementedError

    def find_interdicted(self, side: str) -> Sides:
        """The bridges that do this side no good."""
        raise NotImplementedError

    def lines(self, side: str) -> Lines:
        found = self._lines.get(side)
        if found is None:
            found = self._lines[side] = self.find_lines(side)
        return found

    def interdicted(self, side: str) -> Sides:
        found = self._interdicted.get(side)
        if found is None:
            found = self._interdicted[side] = self.find_interdicted(side)
        return found

    def room(self, hex_: int) -> int:
        """How much more finds room in a hex."""
        raise NotImplementedError


@compiled(allow_interpreted_subclasses=True)
class HexSituation(Supplied, Generic[F, P]):
    def __init__(self, facts: F, p: P) -> None:
        super().__init__()
        self.facts, self.p = facts, p
        where, hexes, roster = p.where, facts.board.hexes, facts.roster
        self.occupied = {side: roster.held_by(side, where) & hexes for side in roster.sets}
        """The hexes in which each side stands."""
        self.zones = {side: self._zone(side) for side in self.occupied}
        """The zone of control of each side."""
        self._where = where.copy()
        self._stacks: dict[int, list[int]] = {}
        self._crowded: dict[int, int] = {}

    def _zone(self, side: str) -> int:
        """All six hexes around every unit; a game in which some have none says so here."""
        return self.facts.board.around(self.occupied[side])

    # ------------------------------------------------------------------ keeping up with moves

    def now(self) -> Self:
        """The situation as it is now: this one, unless a unit has moved, come or gone since."""
        return self if self._where == self.p.where else type(self)(self.facts, self.p)

    def note_move(self, unit: int, from_: int) -> None:
        """A unit has moved from a space, or come on the map (from a negative one): bring everything up to date."""
        facts, to = self.facts, self.p.where[unit]
        if to == from_:
            return
        self._where[unit] = to
        self._stacks.clear()
        side, hexes = facts.roster.side_of(unit), facts.board.hexes
        loads, size, occupied = self.loads, facts.sizes[unit], self.occupied[side]
        changed = 0
        if from_ >= 0:
            changed = 1 << from_
            loads[from_] -= size
            if not loads[from_]:
                del loads[from_]
                occupied &= ~changed
            self._note_crowding(from_)
        if to >= 0:
            changed |= 1 << to
            loads[to] = loads.get(to, 0) + size
            occupied |= 1 << to & hexes
            self._note_crowding(to)
        self.occupied[side] = occupied
        self.zones[side] = self._zone(side)
        self._forget(unit, changed)

    def _forget(self, unit: int, hexes: int) -> None:
        """Drop what a move of this unit from and to these hexes may have changed."""

    # ------------------------------------------------------------------ stacks

    def stack(self, hex_: int) -> list[int]:
        """The units that stand in a hex."""
        found = self._stacks.get(hex_)
        if found is None:
            bodies = self.facts.roster.bodies
            found = [unit for unit, at in enumerate(self.p.where) if at == hex_ and bodies[unit]]
            self._stacks[hex_] = found
        return found

    def who_is_in(self, hex_: int) -> str:
        """`2nd Panzer Division stands`: who holds a hex, in words."""
        return self.facts.roster.who_is_in(self.p.where, hex_)

    @kept
    def loads(self) -> dict[int, int]:
        """The sizes of the units in each occupied space, added up."""
        loads: dict[int, int] = {}
        for hex_, size in zip(self.p.where, self.facts.sizes, strict=True):
            if hex_ >= 0 and size:
                loads[hex_] = loads.get(hex_, 0) + size
        return loads

    def room(self, hex_: int) -> int:
        return self.facts.stack_limit - self.loads.get(hex_, 0)

    def crowded(self, size: int) -> int:
        """The spaces that have no room for so much."""
        found = self._crowded.get(size)
        if found is None:
            limit = self.facts.stack_limit - size
            found = self._crowded[size] = union([hex_ for hex_, load in self.loads.items() if load > limit])
        return found

    def _note_crowding(self, hex_: int) -> None:
        load, here, limit = self.loads.get(hex_, 0), 1 << hex_, self.facts.stack_limit
        for size, crowded in self._crowded.items():
            self._crowded[size] = crowded | here if load + size > limit else crowded & ~here


# What follows depends on a few sets only and is asked for again and again, so answers are kept.


@lru_cache(maxsize=512)
def within(board: HexBoard, hexes: int, distance: int) -> int:
    """The hexes so near to some others."""
    return board.within(hexes, distance)


@lru_cache(maxsize=2048)
def sides_of(sides: Sides, hexes: int) -> Sides:
    """Those of these hexsides that belong to one of these hexes."""
    return sides.of(hexes)

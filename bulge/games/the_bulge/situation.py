"""What follows from where the units stand: stacks, zones of control, interdiction and supply (rules 6, 7, 8, 11).

A `Situation` belongs to one moment. Rules take one and ask it; after a move they tell it, or take a new one.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from bulge.core.hexes import Sides
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.supply import Lines, supplied
from bulge.games.the_bulge.facts import ALLIED, GERMAN, POINT, STACK_LIMIT, EntryKind, Facts, other
from bulge.games.the_bulge.position import BulgePosition

SUPPLY_POINTS = 6
INTERDICTION_RANGE = 3


class Situation:
    def __init__(self, facts: Facts, p: BulgePosition) -> None:
        self.facts, self.p = facts, p
        where = p.where
        self.us = union(where[facts.us_units.start : facts.us_units.stop])
        self.british = union(where[facts.british_units.start : facts.british_units.stop])
        german, allied = union([where[unit] for unit in facts.fighters_of[GERMAN]]), self.us | self.british
        self.occupied = {GERMAN: german, ALLIED: allied}
        around = facts.board.around
        self.zones = {GERMAN: around(german), ALLIED: around(allied)}
        """8.1: all six hexes around every unit, whatever the terrain or the supply."""
        self._where = where.copy()
        self._stacks: dict[int, list[int]] = {}
        self._crowded: dict[int, int] = {}
        self._lines: dict[str, Lines] = {}
        self._broken: dict[str, Sides] = {}
        self.entries: dict[EntryKind, int] = {}
        """Where neither the enemy nor stacking keeps reinforcements from coming on, once found."""

    def now(self) -> Situation:
        """The situation as it is now: this one, unless a unit has moved, come or gone since."""
        return self if self._where == self.p.where else Situation(self.facts, self.p)

    def note_move(self, unit: int, from_: int) -> None:
        """A unit has moved from a hex (or come on the map): bring everything up to date."""
        facts, to = self.facts, self.p.where[unit]
        if to == from_:
            return
        self._where[unit] = to
        self._stacks.clear()
        loads, thirds = self.loads, facts.thirds[unit]
        left = 0
        if from_ >= 0:
            loads[from_] -= thirds
            if not loads[from_]:
                del loads[from_]
                left = 1 << from_
            self._note_crowding(from_)
        loads[to] = loads.get(to, 0) + thirds
        self._note_crowding(to)
        side = facts.side_of(unit)
        if side == ALLIED:
            if facts.british(unit):
                self.british = self.british & ~left | 1 << to
            else:
                self.us = self.us & ~left | 1 << to
        self.occupied[side] = self.occupied[side] & ~left | 1 << to
        self.zones[side] = facts.board.around(self.occupied[side])
        self._forget(side, 1 << to | (1 << from_ if from_ >= 0 else 0))

    def _forget(self, side: str, hexes: int) -> None:
        """Drop what a move of this side from and to these hexes may have changed.

        A side's own supply changes only where its units negate an enemy zone or Allies hold the West Wall.
        """
        if hexes & self.facts.edge_roads:
            self.entries.clear()
        self._lines.pop(other(side), None)
        self._broken.pop(other(side), None)
        if hexes & self.zones[other(side)] or (side == ALLIED and hexes & self.facts.wall):
            self._lines.pop(side, None)
            self._broken.pop(side, None)

    def _note_crowding(self, hex_: int) -> None:
        load, here = self.loads.get(hex_, 0), 1 << hex_
        for thirds, crowded in self._crowded.items():
            self._crowded[thirds] = crowded | here if load + thirds > STACK_LIMIT else crowded & ~here

    @property
    def vdh(self) -> int:
        """The hex of von der Heydte's men, as a set; it may empty in the middle of a move (14.5)."""
        hex_ = self.p.where[self.facts.vdh]
        return 1 << hex_ if hex_ >= 0 else 0

    @property
    def commandos(self) -> int:
        """The hex of the commandos, as a set (14.4)."""
        hex_ = self.p.where[self.facts.sses]
        return 1 << hex_ if hex_ >= 0 else 0

    # ------------------------------------------------------------------ stacking (6)

    def stack(self, hex_: int) -> list[int]:
        """The fighting units in a hex."""
        found = self._stacks.get(hex_)
        if found is None:
            fighting = self.facts.fighting
            found = [unit for unit, at in enumerate(self.p.where) if at == hex_ and fighting[unit]]
            self._stacks[hex_] = found
        return found

    @cached_property
    @rule("6.1", "6.2", "6.7")
    def loads(self) -> dict[int, int]:
        """Thirds of a division in each occupied hex. Markers have none (6.7)."""
        loads: dict[int, int] = {}
        for hex_, thirds in zip(self.p.where, self.facts.thirds, strict=True):
            if hex_ >= 0:
                loads[hex_] = loads.get(hex_, 0) + thirds
        return loads

    def room(self, hex_: int) -> int:
        """How many thirds of a division still find room in a hex."""
        return STACK_LIMIT - self.loads.get(hex_, 0)

    def crowded(self, thirds: int) -> int:
        """The hexes that have no room for so many thirds."""
        found = self._crowded.get(thirds)
        if found is None:
            found = union([hex_ for hex_, load in self.loads.items() if load + thirds > STACK_LIMIT])
            self._crowded[thirds] = found
        return found

    def other_ally(self, unit: int) -> int:
        """Hexes where the other Allied nation stands: US and British units may not end stacked (6.10)."""
        if unit in self.facts.german_units:
            return 0
        return self.us if self.facts.british(unit) else self.british

    # ------------------------------------------------------------------ zones (8)

    @rule("8.4")
    def unnegated(self, side: str) -> int:
        """The zone of this side's enemy, less what this side's own units negate (for supply and retreat)."""
        return self.zones[other(side)] & ~self.occupied[side]

    # ------------------------------------------------------------------ interdiction (11)

    def interdicted(self, side: str) -> Sides:
        """The bridges that do this side no good."""
        found = self._broken.get(side)
        if found is None:
            hexes = self._in_allied_range() if side == GERMAN else self._in_german_reach()
            found = self._broken[side] = bridges_on(self.facts, hexes)
        return found

    @rule("11.1", "11.2")
    def _in_allied_range(self) -> int:
        """Within three hexes of an Allied unit, whatever its supply."""
        return within_range(self.facts, self.occupied[ALLIED])

    @rule("11.4")
    def _in_german_reach(self) -> int:
        """Held by a German unit, or in an unnegated German zone."""
        return self.occupied[GERMAN] | self.unnegated(ALLIED)

    # ------------------------------------------------------------------ supply (7)

    @rule("7.2", "7.12")
    def lines(self, side: str) -> Lines:
        """Lines of supply overland, for every hex at once."""
        found = self._lines.get(side)
        if found is None:
            free = self.facts.board.all & ~self.occupied[other(side)] & ~self.unnegated(side)
            if side == ALLIED:
                free &= ~self.facts.wall | self.occupied[ALLIED]
            found = self._lines[side] = supply_lines(self.facts, side, free, self.interdicted(side))
        return found

    @rule("5.5", "7.1", "7.11", "14.3")
    def overland(self, unit: int) -> bool:
        """Whether a unit is in supply by land."""
        p, facts = self.p, self.facts
        if unit == facts.ssp:
            return True
        if unit in facts.german_units:
            if p.short >> unit & 1:
                return False
            if p.turn <= 3:
                return True
            return bool(self.lines(GERMAN).among(1 << p.where[unit]))
        return bool(self.lines(ALLIED).among(1 << p.where[unit]))

    @rule("7.5")
    def in_supply(self, unit: int) -> bool:
        """Whether a unit is in supply by land or air."""
        return bool(self.p.airlifted >> unit & 1) or self.overland(unit)

    def live_sources(self, side: str) -> int:
        """The supply source hexes that work now (7.10)."""
        return self.facts.sources[side] & ~self.occupied[other(side)] & ~self.unnegated(side)


# What follows depends on a few sets only and is asked for again and again, so answers are kept.


@lru_cache(maxsize=256)
def within_range(facts: Facts, units: int) -> int:
    return facts.board.within(units, INTERDICTION_RANGE)


@lru_cache(maxsize=256)
def bridges_on(facts: Facts, hexes: int) -> Sides:
    """All bridges on a side of these hexes."""
    return facts.bridges.of(hexes)


@lru_cache(maxsize=1024)
@rule("7.2", "7.3", "7.4", "7.10", "8.6", "11.3")
def supply_lines(facts: Facts, side: str, free: int, broken: Sides) -> Lines:
    """Six points overland, then the road to a source, through free hexes only.

    Overland, terrain counts as if there were no roads, and an interdicted bridge as a river.
    """
    return supplied(
        off_road_supply(facts, broken),
        facts.roads - broken,
        facts.sources[side],
        SUPPLY_POINTS * POINT,
        overland_through=free,
        road_through=free,
    )


@lru_cache(maxsize=256)
def off_road_supply(facts: Facts, broken: Sides) -> StepCosts:
    return facts.off_road.add(broken, facts.river_toll)

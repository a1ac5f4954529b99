"""What follows from where the units stand: stacks, zones, interdicted bridges and supply (rules 7, 8, 12 and 13).

A `Situation` belongs to one moment. Rules take one and ask it; after a move they tell it, or take a new one.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from bulge.core.hexes import Sides
from bulge.core.kept import kept
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.supply import Lines, supplied
from bulge.games.ardennes_offensive.facts import ALLIED, DIVISION, GERMAN, SIDES, Facts, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.hexes.situation import Supplied, sides_of, within

SUPPLY_HEXES = 3
INTERDICTION_RANGE = 3


BEFORE_JUDGMENT = ("setup", "table", "reinforcements")
"""Steps of a player-turn in which its supply and its bridges have not been judged yet."""


@rule("4.1", "13.1A")
def judged(p: ArdennesPosition) -> str:
    """The side whose supply and bridges are settled for its player-turn; nobody's before that is done."""
    return _judged_in(p.step)


@cache
def _judged_in(step: str) -> str:
    name, _, phase = step.partition("_")
    return "" if phase in BEFORE_JUDGMENT else {"german": GERMAN, "allied": ALLIED}.get(name, "")


class Situation(Supplied):
    def __init__(self, facts: Facts, p: ArdennesPosition) -> None:
        super().__init__()
        self.facts, self.p = facts, p
        where = p.where
        first_ally = facts.allied_units.start
        self.occupied = {
            GERMAN: union(where[:first_ally]) & facts.live,
            ALLIED: union(where[first_ally:]) & facts.live,
        }
        columns = union([where[unit] for unit in members(p.road)])
        self.marching = {side: columns & self.occupied[side] for side in SIDES}
        """The hexes of units in Road Mode; such a unit is always alone."""
        self.zones = {side: self._zone(side) for side in SIDES}
        """7.0, 6.6J: all six hexes around every unit, but for those in Road Mode."""
        self._where, self._road = where.copy(), p.road
        self._full: int | None = None
        self._divisions: int | None = None
        self.entries: dict[str, int] = {}
        """Where each side's reinforcements may come on, once found."""

    @rule("6.6J", "7.0", "7.5E")
    def _zone(self, side: str) -> int:
        return self.facts.board.around(self.occupied[side] & ~self.marching[side])

    def now(self) -> Situation:
        """The situation as it is now: this one, unless a unit has moved, come, gone or changed its mode since."""
        p = self.p
        return self if self._where == p.where and self._road == p.road else Situation(self.facts, p)

    def note_move(self, unit: int, from_: int) -> None:
        """A unit has moved from a hex, come on the map or changed its mode: bring everything up to date."""
        facts, p, to = self.facts, self.p, self.p.where[unit]
        on_map = facts.on_map
        side = GERMAN if unit < facts.allied_units.start else ALLIED
        if to != from_:
            self._where[unit] = to
            loads, size = self.loads, facts.size[unit]
            if on_map[from_]:
                loads[from_] -= size
                if not loads[from_]:
                    del loads[from_]
                    self.occupied[side] &= ~(1 << from_)
                self.marching[side] &= ~(1 << from_)
            if on_map[to]:
                loads[to] = loads.get(to, 0) + size
                self.occupied[side] |= 1 << to
        if on_map[to]:
            if p.road >> unit & 1:
                self.marching[side] |= 1 << to
            else:
                self.marching[side] &= ~(1 << to)
        self._road = p.road
        self.zones[side] = self._zone(side)
        self._lines.clear()
        self._interdicted.pop(other(side), None)
        self._note_full(from_)
        self._note_full(to)
        if any(on_map[hex_] and facts.gate_hexes >> hex_ & 1 for hex_ in (from_, to)):
            self.entries.clear()
        if facts.size[unit] == DIVISION:
            self._divisions = None

    def _note_full(self, hex_: int) -> None:
        if self._full is not None and self.facts.on_map[hex_]:
            full = self.loads.get(hex_, 0) == DIVISION
            self._full = self._full | 1 << hex_ if full else self._full & ~(1 << hex_)

    # ------------------------------------------------------------------ stacking (8)

    @kept
    @rule("8.0", "8.2C", "8.3F")
    def loads(self) -> dict[int, int]:
        """Thirds of a division equivalent in each occupied hex; those at the map's edge hold any number."""
        where, on_map = self.p.where, self.facts.on_map
        loads = dict(Counter([hex_ for hex_ in where if on_map[hex_]]))
        for division in self.facts.divisions:
            if on_map[hex_ := where[division]]:
                loads[hex_] += DIVISION - 1
        return loads

    def stack(self, hex_: int) -> list[int]:
        """The units in a hex."""
        return [unit for unit, at in enumerate(self.p.where) if at == hex_]

    def units_in(self, side: str, hexes: int) -> int:
        """Those of a side's units that are in these hexes, as a set."""
        where, on_map = self.p.where, self.facts.on_map
        return union([u for u in self.facts.units_of[side] if on_map[at := where[u]] and hexes >> at & 1])

    def names_in(self, hexes: int, but_for: int = -1) -> str:
        """The units in these hexes, for people; one of them may be left out."""
        rows, where = self.facts.rows, self.p.where
        names = [rows[u].name for u, at in enumerate(where) if at >= 0 and hexes >> at & 1 and u != but_for]
        return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)

    @rule("8.0", "8.2C")
    def room(self, hex_: int) -> int:
        """How many thirds of a division equivalent still find room in a hex."""
        return DIVISION - self.loads.get(hex_, 0)

    @property
    def divisions(self) -> int:
        """The hexes of German infantry divisions."""
        if self._divisions is None:
            where = self.p.where
            self._divisions = union([where[unit] for unit in self.facts.divisions]) & self.facts.live
        return self._divisions

    def crowded(self, size: int) -> int:
        """The hexes that have no room for a unit of so many thirds: a division stacks with nobody."""
        if size == DIVISION:
            return self.occupied[GERMAN] | self.occupied[ALLIED]
        if self._full is None:
            self._full = union([hex_ for hex_, load in self.loads.items() if load == DIVISION])
        return self._full

    # ------------------------------------------------------------------ the road (6.5G)

    @property
    def everybody(self) -> int:
        """The hexes of both sides' units."""
        return self.occupied[GERMAN] | self.occupied[ALLIED]

    @rule("6.5G")
    def beside_columns(self, side: str) -> int:
        """Where this side's units in Road Mode suffer nobody: in their hexes and on the road next to them."""
        columns = self.marching[side]
        return columns | self.facts.roads.across(columns) if columns else 0

    @rule("6.5G")
    def shut_to_columns(self, but_for: int) -> int:
        """Hexes that no unit in Road Mode may enter for the units there, or on the road next to them."""
        units = (self.occupied[GERMAN] | self.occupied[ALLIED]) & ~but_for
        return units | self.facts.roads.across(units)

    # ------------------------------------------------------------------ bridges (13)

    @rule("13.1A", "13.4E", "13.5F", "E13.0-1", "E13.0-2", "E13.0-3", "E13.0-4")
    def find_interdicted(self, side: str) -> Sides:
        """As judged in the side's own turn, as things stand at other times.

        On the first turn those behind the German line are spared.
        """
        p, facts = self.p, self.facts
        hexes = p.interdicting if side == judged(p) else self.within_fire(side)
        found = sides_of(facts.bridges, hexes & facts.bridge_hexes)
        return found - facts.behind_german_line if side == GERMAN and p.turn == 1 else found

    @rule("13.1A", "13.3D")
    def within_fire(self, side: str) -> int:
        """The hexes within three of an enemy of this side that is not in Road Mode."""
        enemy = other(side)
        return within(self.facts.board, self.occupied[enemy] & ~self.marching[enemy], INTERDICTION_RANGE)

    # ------------------------------------------------------------------ supply (12)

    @rule("7.2B", "7.3D", "12.1A")
    def find_lines(self, side: str) -> Lines:
        free = self.facts.passable & ~self.denied(side)
        return supply_lines(self.facts, side, free, self.interdicted(side))

    @rule("4.2", "12.3G")
    def supplied_hexes(self, side: str) -> int:
        """Those of this side's hexes whose units can trace a path; all of the Germans' on the first turn."""
        if side == GERMAN and self.p.turn == 1:
            return self.occupied[GERMAN]
        return self.lines(side).among(self.occupied[side])

    @rule("12.3H", "12.3J")
    def isolated_hexes(self, side: str) -> int:
        """Cut off, wholly surrounded, and more than three hexes from any supplied friend and from the own edge."""
        supplied = self.supplied_hexes(side)
        cut_off = self.occupied[side] & ~supplied & ~self.facts.near_source[side]
        if not cut_off:
            return 0
        cut_off &= ~self.facts.board.within(supplied, SUPPLY_HEXES)
        shut = self.denied(side)
        return union([hex_ for hex_ in members(cut_off) if self._surrounded(hex_, shut)])

    def _surrounded(self, hex_: int, shut: int) -> bool:
        around = self.facts.board.next_to(hex_)
        return around.bit_count() == 6 and not around & ~shut


@rule("6.5G", "8.0", "8.2C")
def finds_room(facts: Facts, p: ArdennesPosition, unit: int, hex_: int) -> bool:
    """Whether a unit could stack with its friends in a hex, in a position that nobody has looked at yet."""
    there = [mate for mate, at in enumerate(p.where) if at == hex_ and mate != unit]
    if any(p.road >> mate & 1 for mate in there):
        return False
    return sum(facts.size[mate] for mate in there) + facts.size[unit] <= DIVISION


# What follows depends on a few sets only and is asked for again and again, so answers are kept.


@lru_cache(maxsize=512)
@rule("12.1A", "12.1B", "12.1C", "13.2B")
def supply_lines(facts: Facts, side: str, free: int, cut: Sides) -> Lines:
    """Three hexes to a road, whatever the terrain, then along it to a source, through free hexes only."""
    roads, sources = facts.roads - cut, facts.sources_over(side, cut)
    return supplied(facts.one_a_hex, roads, sources, SUPPLY_HEXES, overland_through=free, road_through=free)


@lru_cache(maxsize=64)
@rule("13.2B", "6.5F")
def steps_of(facts: Facts, side: str, mechanized: bool, cut: Sides) -> tuple[StepCosts, StepCosts]:
    """What steps cost off Road Mode and in it. A cut road gives no road rate, and no column crosses there."""
    key = side, mechanized
    cut_off_road = facts.with_roads(mechanized, facts.off_road[key], cut)
    return facts.steps[key].into(cut.hexes, cut_off_road), facts.march[key].forbid(cut)

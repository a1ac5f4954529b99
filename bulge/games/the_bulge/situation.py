"""What follows from where the units stand: stacks, zones of control, interdiction and supply (rules 6, 7, 8, 11).

A `Situation` belongs to one moment. Rules take one and ask it; after a move they tell it, or take a new one.
"""

from __future__ import annotations

from functools import lru_cache

from bulge.core.hexes import Sides
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import lowest, union
from bulge.core.supply import Lines, supplied
from bulge.games.hexes.situation import HexSituation, sides_of, within
from bulge.games.the_bulge.facts import ALLIED, GERMAN, Facts, other
from bulge.games.the_bulge.position import BulgePosition

SUPPLY_POINTS = 6
INTERDICTION_RANGE = 3


class Situation(HexSituation[Facts, BulgePosition]):
    def __init__(self, facts: Facts, p: BulgePosition) -> None:
        super().__init__(facts, p)
        self._stranded: list[int] | None = None
        self.entries: dict[int, tuple[int, int]] = {}
        """Where each kind of reinforcement may come on, once found: the sure hexes, and the doubtful ones."""
        self.come_on: set[int] = set()
        """The kinds that have a sure hex."""

    def _forget(self, unit: int, hexes: int) -> None:
        """A side's own supply changes only where its units negate an enemy zone or Allies hold the West Wall."""
        facts, enemy = self.facts, self.facts.enemy_of[unit]
        if hexes & facts.edge_roads:
            self.forget_entries(hexes)
        self._forget_supply(enemy)
        if hexes & self.zones[enemy] or (enemy == GERMAN and hexes & facts.wall):
            self._forget_supply(other(enemy))

    def _forget_supply(self, side: str) -> None:
        self._lines.pop(side, None)
        self._interdicted.pop(side, None)
        if side == GERMAN:
            self._stranded = None

    def forget_entries(self, hexes: int) -> None:
        """Who stands in these hexes has changed: find anew who may come on by one of them."""
        by, rows = self.facts.entries, self.facts.rows
        for kind in [kind for kind in self.entries if by[rows[kind].edge] & hexes]:
            del self.entries[kind]
            self.come_on.discard(kind)

    # ------------------------------------------------------------------ who is where

    def held_by(self, nation: range) -> int:
        """The hexes of a nation's units."""
        return union(self.p.where[nation.start : nation.stop])

    def other_ally(self, unit: int) -> int:
        """Hexes where the other Allied nation stands: US and British units may not end stacked (6.10)."""
        facts = self.facts
        if unit in facts.german_units:
            return 0
        return self.held_by(facts.us_units if facts.british(unit) else facts.british_units)

    @property
    def vdh(self) -> int:
        """The hex of von der Heydte's men, as a set; it may empty in the middle of a move (14.5)."""
        hex_ = self.p.where[self.facts.vdh]
        return 1 << hex_ if hex_ >= 0 else 0

    @rule("8.1")
    def whose_zone(self, side: str, hex_: int) -> str:
        """`the zone of 2nd Panzer Division in 1306`: what a unit of the other side would meet in a hex."""
        at = lowest(self.facts.board.next_to(hex_) & self.occupied[side])
        return f"the zone of {self.facts.roster.list(self.stack(at))} in {self.facts.board.name(at)}"

    # ------------------------------------------------------------------ interdiction (11)

    @rule("11.1", "11.2", "11.4")
    def find_interdicted(self, side: str) -> Sides:
        """To the Germans all bridges within three hexes of an Allied unit, whatever its supply.

        To the Allies all that a German unit holds, or has in its unnegated zone.
        """
        facts = self.facts
        if side == GERMAN:
            hexes = within(facts.board, self.occupied[ALLIED], INTERDICTION_RANGE)
        else:
            hexes = self.denied(ALLIED)
        return sides_of(facts.bridges, hexes & facts.bridges.hexes)

    # ------------------------------------------------------------------ supply (7)

    @rule("7.2", "7.12", "8.4")
    def find_lines(self, side: str) -> Lines:
        free = self.facts.board.all & ~self.denied(side)
        if side == ALLIED:
            free &= ~self.facts.wall | self.occupied[ALLIED]
        return supply_lines(self.facts, side, free, self.interdicted(side))

    @rule("5.5", "7.1", "7.11", "14.3")
    def overland(self, unit: int) -> bool:
        """Whether a unit is in supply by land."""
        p, facts, side = self.p, self.facts, ALLIED
        if unit in facts.german_units:
            if unit == facts.ssp:
                return True
            if p.short >> unit & 1:
                return False
            if p.turn <= 3:
                return True
            side = GERMAN
        lines = self._lines.get(side) or self.lines(side)
        return bool(lines.among(1 << p.where[unit]))

    @rule("7.5")
    def in_supply(self, unit: int) -> bool:
        """Whether a unit is in supply by land or air."""
        return bool(self.p.airlifted >> unit & 1) or self.overland(unit)

    @rule("5.4", "7.5", "14.4")
    def supplied_to_move(self, unit: int) -> bool:
        """Supply for movement: on the first turn no US unit has it but the 2nd Division.

        A unit under the commandos has it only from the air.
        """
        if self.p.turn == 1 and unit in self.facts.us_units:
            return self.facts.rows[unit].special == "on_the_ball"
        if self.p.disrupted == unit:
            return bool(self.p.airlifted >> unit & 1)
        return self.in_supply(unit)

    @rule("14.7")
    def stranded(self) -> list[int]:
        """Artillery out of supply, which cannot move; kept as long as no line has changed."""
        if self._stranded is None:
            on_map = [vak for vak in self.facts.vaks if self.p.where[vak] >= 0]
            self._stranded = [vak for vak in on_map if not self.in_supply(vak)]
        return self._stranded

    def live_sources(self, side: str) -> int:
        """The supply source hexes that work now (7.10)."""
        return self.facts.sources[side] & ~self.denied(side)


# What follows depends on a few sets only and is asked for again and again, so answers are kept.


@lru_cache(maxsize=1024)
@rule("7.2", "7.3", "7.4", "7.10", "8.6", "11.3")
def supply_lines(facts: Facts, side: str, free: int, broken: Sides) -> Lines:
    """Six points overland, then the road to a source, through free hexes only.

    Overland, terrain counts as if there were no roads, and an interdicted bridge as a river.
    """
    off_road, roads = supply_ground(facts, broken)
    sources = facts.sources[side]
    return supplied(off_road, roads, sources, SUPPLY_POINTS, overland_through=free, road_through=free)


@lru_cache(maxsize=1024)
def supply_ground(facts: Facts, broken: Sides) -> tuple[StepCosts, Sides]:
    """What steps off the road cost, and the roads that are left."""
    return facts.in_points.add(broken, facts.terrain["river"].points), facts.roads - broken

"""A position as the rules look at it: who stands where, whose zone and whose bonds lie where (rules 8 to 10)."""

from __future__ import annotations

from typing import Any

from bulge.core.compiling import compiled
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.facts import GONE, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.standing import Standing, loose_units, remember, standing_of
from bulge.games.ardennes_44.zones import Bonds, Links


@compiled(allow_interpreted_subclasses=True)
class Situation:
    def __init__(self, facts: Facts, p: Ardennes44) -> None:
        self.facts, self.p = facts, p
        self.field = facts.field_of(p.scenario)
        self._take(standing_of(facts, p))

    def _take(self, standing: Standing) -> None:
        self.kept: dict[object, tuple[Any, int]] = {}
        """What rules have worked out for these places, such as who can leave a zone, each with the spaces that it
        depends on: as long as no friend comes or goes there, it holds."""
        self.standing = standing
        self.occupied = standing.occupied
        """Where each side's units are: hexes of the map, and boxes beside it."""
        self.worked_out = standing.worked_out

    def note_move(self, unit: int) -> None:
        """A unit stands elsewhere now."""
        from_, to, known = self.standing.where[unit], self.p.where[unit], self.kept
        self._take(remember(self.facts, self.standing.with_one(unit, to, loose_units(self.p))))
        if known:
            changed = union((from_, to))
            self.kept = {key: found for key, found in known.items() if not found[1] & changed}

    def without(self, unit: int) -> Situation:
        """The same as if a unit were nowhere: what its own presence does not count for."""
        other_: Situation = Situation.__new__(Situation)
        other_.facts, other_.p, other_.field = self.facts, self.p, self.field
        other_._take(self.standing.with_one(unit, GONE, self.standing.loose))
        return other_

    def look_again(self) -> None:
        """Several units stand elsewhere, or bear other markers."""
        standing = standing_of(self.facts, self.p)
        if standing is not self.standing:
            self._take(standing)

    @property
    def stacks(self) -> dict[int, list[int]]:
        """The units in each space."""
        return self.standing.stacks

    def stack(self, space: int) -> list[int]:
        return self.standing.stacks.get(space, [])

    # ------------------------------------------------------------------ zones

    def zone(self, side: str) -> int:
        """The hexes in the zone of this side."""
        return self.standing.armies[side].zone

    @rule("9.2.1", "17.1", "23.3")
    def unnegated(self, side: str) -> int:
        """The zone of this side's enemy without the hexes where a friend stands: for supply (23.3)."""
        return self.zone(other(side)) & ~self.occupied[side]

    # ------------------------------------------------------------------ bonds

    def links(self, side: str) -> Links:
        """What the units of this side would close if no enemy stood in the way."""
        return self.standing.armies[side].links

    def bonds(self, side: str) -> Bonds:
        """The bonds of this side, which close the way to its enemy."""
        return self.standing.bonds(side)

    # ------------------------------------------------------------------ neighbours

    def next_to_enemy(self, side: str) -> int:
        """Every hex next to an enemy of this side."""
        return self.standing.armies[other(side)].around

    def facing_enemies(self, side: str) -> int:
        """The units of this side next to an enemy."""
        found = self.worked_out.get(("facing", side))
        if found is None:
            found = self.worked_out["facing", side] = self.units_in(self.next_to_enemy(side), side)
        return found

    def units_in(self, spaces: int, side: str) -> int:
        """The units of this side in these spaces."""
        stacks = self.standing.stacks
        return union([unit for hex_ in members(spaces & self.occupied[side]) for unit in stacks[hex_]])


@rule("33.1")
def enemy_blocks(p: Ardennes44, side: str) -> int:
    """The hexes of the Roadblocks against a side: dearer to enter, shut to columns, supply and demolition."""
    return union(p.blocks_allied if side == GERMAN else p.blocks_german)

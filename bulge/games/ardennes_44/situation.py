"""What follows from where the units stand at one moment: stacks, zones, bonds (rules 8 to 10)."""

from __future__ import annotations

from functools import cached_property

from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.zones import Bonds, bonds, edge_sides, zone


class Situation:
    def __init__(self, facts: Facts, p: Ardennes44) -> None:
        self.facts, self.p = facts, p
        self.field = facts.field_of(p.scenario)
        where = p.where
        first_ally = facts.first_ally
        self.occupied = {GERMAN: union(where[:first_ally]), ALLIED: union(where[first_ally:])}
        """Where each side's units are: hexes of the map, and boxes beside it."""
        self._zones: dict[str, int] = {}
        self._bonds: dict[str, Bonds] = {}
        self._formers: dict[str, tuple[int, int]] = {}
        """The hexes of units that can form bonds: with others than silhouettes, and with silhouettes alone."""

    @cached_property
    def stacks(self) -> dict[int, list[int]]:
        """The units in each space."""
        found: dict[int, list[int]] = {}
        for unit, space in enumerate(self.p.where):
            if space >= 0:
                found.setdefault(space, []).append(unit)
        return found

    def stack(self, space: int) -> list[int]:
        return self.stacks.get(space, [])

    # ------------------------------------------------------------------ zones

    def zone(self, side: str) -> int:
        """The hexes in the zone of this side."""
        found = self._zones.get(side)
        if found is None:
            held = self.occupied[side] & self.field.hexes
            full = self._hexes_of(side, ~self.facts.silhouettes)
            found = self._zones[side] = zone(self.facts.ground, full, held & ~full)
        return found

    def _hexes_of(self, side: str, units: int) -> int:
        where = self.p.where
        return union([where[unit] for unit in self.facts.units_of[side] if units >> unit & 1]) & self.field.hexes

    @rule("9.2.1", "17.1", "23.3")
    def unnegated(self, side: str) -> int:
        """The zone of this side's enemy without the hexes where a friend stands: for supply (23.3)."""
        return self.zone(other(side)) & ~self.occupied[side]

    # ------------------------------------------------------------------ bonds

    def bonds(self, side: str) -> Bonds:
        """The bonds of this side, which close the way to its enemy."""
        found = self._bonds.get(side)
        if found is None:
            found = self._bonds[side] = self.bonds_against(side, self.occupied[other(side)])
        return found

    @rule("10.1", "10.3", "10.6", "12.5", "18.3")
    def bonds_against(self, side: str, enemies: int) -> Bonds:
        """The same, if the enemy stood in these hexes."""
        facts, p = self.facts, self.p
        found = self._formers.get(side)
        if found is None:
            fit = ~(p.disrupted | p.broken | p.columns | facts.guns)
            full = self._hexes_of(side, fit & ~facts.silhouettes)
            found = self._formers[side] = full, self._hexes_of(side, fit & facts.silhouettes) & ~full
        edge = edge_sides(facts.ground, self.field.hexes, side)
        return bonds(facts.ground, *found, enemies, edge)

    def note_move(self, side: str) -> None:
        """A unit of this side stands elsewhere now, or bears another marker."""
        units = self.facts.units_of[side]
        self.occupied[side] = union(self.p.where[units.start : units.stop])
        self._zones.pop(side, None)
        self._formers.pop(side, None)
        self._bonds.clear()
        self.__dict__.pop("stacks", None)

    # ------------------------------------------------------------------ neighbours

    def next_to_enemy(self, side: str) -> int:
        """Every hex next to an enemy of this side."""
        return self.facts.board.around(self.occupied[other(side)] & self.field.hexes)

    def units_in(self, spaces: int, side: str) -> int:
        """The units of this side in these spaces."""
        where = self.p.where
        return sum(
            1 << unit for unit in self.facts.units_of[side] if where[unit] >= 0 and spaces >> where[unit] & 1
        )


@rule("33.1")
def enemy_blocks(p: Ardennes44, side: str) -> int:
    """The hexes of the Roadblocks against a side: dearer to enter, shut to columns, supply and demolition."""
    return union(p.blocks_allied if side == GERMAN else p.blocks_german)


def on_turn(p: Ardennes44) -> str:
    """The side whose player-turn it is."""
    return GERMAN if p.step.startswith("german") else ALLIED

"""What follows from where the units stand: stacks, zones, bonds (rules 8 to 10)."""

from __future__ import annotations

from bisect import insort
from functools import cached_property

from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import DUE, Facts, Field
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.zones import Links, links, zone


class Standing:
    """Units in their places. It is never changed once made, so whoever looks at the same places shares it."""

    def __init__(self, facts: Facts, field: Field, where: list[int], loose: int) -> None:
        self.facts, self.field, self.where, self.loose = facts, field, where, loose
        first_ally = facts.first_ally
        self.occupied = {GERMAN: union(where[:first_ally]), ALLIED: union(where[first_ally:])}
        """Where each side's units are: hexes of the map, and boxes beside it."""
        self.zones: dict[str, int] = {}
        self.links: dict[str, Links] = {}
        self.near: dict[str, int] = {}
        self.waiting: dict[tuple[str, int], list[int]] = {}
        self.present: dict[str, int] = {}

    @cached_property
    def stacks(self) -> dict[int, list[int]]:
        """The units in each space, by number."""
        found: dict[int, list[int]] = {}
        for unit, space in enumerate(self.where):
            if space >= 0:
                found.setdefault(space, []).append(unit)
        return found

    def moved(self, unit: int, to: int, loose: int) -> Standing:
        """The same with one unit elsewhere: what follows from the enemy's places stays known."""
        side, from_ = self.facts.side_of(unit), self.where[unit]
        after: Standing = object.__new__(Standing)
        after.facts, after.field, after.loose = self.facts, self.field, loose
        after.where = [*self.where]
        after.where[unit] = to
        after.stacks = stacks = dict(self.stacks)
        held = self.occupied[side]
        if from_ >= 0:
            left = [mate for mate in stacks[from_] if mate != unit]
            if left:
                stacks[from_] = left
            else:
                del stacks[from_]
                held &= ~(1 << from_)
        if to >= 0:
            stacks[to] = joined = [*stacks.get(to, ())]
            insort(joined, unit)
            held |= 1 << to
        enemy = other(side)
        after.occupied = {**self.occupied, side: held}
        after.zones = {enemy: self.zones[enemy]} if enemy in self.zones else {}
        after.links = {enemy: self.links[enemy]} if enemy in self.links else {}
        after.near = {side: self.near[side]} if side in self.near else {}
        within = self.facts.on_map(from_) and self.facts.on_map(to)
        after.waiting, after.present = (self.waiting, self.present) if within else ({}, {})
        return after

    def on_map(self, side: str) -> int:
        """The units of this side on the map, as a set."""
        found = self.present.get(side)
        if found is None:
            on_map, where = self.facts.on_map, self.where
            found = self.present[side] = union([unit for unit in self.facts.units_of[side] if on_map(where[unit])])
        return found

    def beside(self, side: str, turn: int) -> list[int]:
        """The units of this side in boxes beside the map, and those that are due by this turn."""
        found = self.waiting.get((side, turn))
        if found is None:
            off_map, rows, found = self.facts.off_map, self.facts.rows, []
            for unit in self.facts.units_of[side]:
                at = self.where[unit]
                if rows[unit].turn <= turn if at == DUE else at >= 0 and off_map >> at & 1:
                    found.append(unit)
            self.waiting[side, turn] = found
        return found

    def spaces_of(self, side: str, units: int) -> int:
        """The spaces in which one of these units of a side is."""
        where = self.where
        return union([where[unit] for unit in self.facts.units_of[side] if units >> unit & 1])

    def hexes_of(self, side: str, units: int) -> int:
        """The same, hexes of the map only."""
        return self.spaces_of(side, units) & self.field.hexes

    @rule("18.4", "23.5")
    def zone(self, side: str) -> int:
        """The hexes in the zone of this side; who is shaken or cut off has one too."""
        found = self.zones.get(side)
        if found is None:
            full = self.hexes_of(side, ~(self.facts.silhouettes | self.facts.dump))
            held = self.occupied[side] & self.field.hexes
            if side == ALLIED and self.where[self.facts.dump_unit] >= 0:
                held = self.hexes_of(side, ~self.facts.dump)
            found = self.zones[side] = zone(self.facts.ground, full, held & ~full)
        return found

    @rule("10.1", "10.6")
    def links_of(self, side: str) -> Links:
        """What the units of this side would close if no enemy stood in the way."""
        found = self.links.get(side)
        if found is None:
            facts = self.facts
            fit = ~(self.loose | facts.guns | facts.dump)
            full = self.hexes_of(side, fit & ~facts.silhouettes)
            silhouettes = self.hexes_of(side, fit & facts.silhouettes) & ~full
            found = self.links[side] = links(facts.ground, self.field.hexes, side, full, silhouettes)
        return found

    def next_to(self, side: str) -> int:
        """Every hex next to an enemy of this side."""
        found = self.near.get(side)
        if found is None:
            enemies = self.occupied[other(side)] & self.field.hexes
            found = self.near[side] = self.facts.board.around(enemies)
        return found


_KEPT = 4
"""How many of the places that were looked at last are kept."""


def standing_of(facts: Facts, p: Ardennes44) -> Standing:
    """How a position stands; the same object as long as nobody has moved."""
    loose, field = loose_units(p), facts.field_of(p.scenario)
    for known in facts.recent:
        if known.loose == loose and known.field is field and known.where == p.where:
            return known
    return remember(facts, Standing(facts, field, [*p.where], loose))


@rule("10.1", "12.5", "18.3")
def loose_units(p: Ardennes44) -> int:
    """Units that form no bonds: Disrupted, Broken or in column."""
    return p.disrupted | p.broken | p.columns


def remember(facts: Facts, standing: Standing) -> Standing:
    facts.recent = (standing, *facts.recent[: _KEPT - 1])
    return standing

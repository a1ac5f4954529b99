"""What follows from where the units stand: stacks, zones, bonds (rules 8 to 10)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bulge.core.compiling import compiled
from bulge.core.kept import Keeps, kept
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES, other
from bulge.games.ardennes_44.facts import DUE, Facts, Field
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.stacking import Load, load_of
from bulge.games.ardennes_44.zones import Links, links, zone

if TYPE_CHECKING:
    from bulge.games.ardennes_44.passage import Passages


@compiled(allow_interpreted_subclasses=True)
class Army(Keeps):
    """One side's units in their places. It is never changed once made: while a side moves, its enemy's army, and
    all that was found out about it, stays the same object."""

    def __init__(self, facts: Facts, field: Field, side: str, places: list[int], loose: int) -> None:
        self.facts, self.field, self.side, self.loose = facts, field, side, loose
        self.units = facts.units_of[side]
        self.places = places
        """Where each unit is, from the side's first one on."""
        self.held = union(places)
        """The hexes of the map, and the boxes beside it, in which somebody is."""
        self.waiting: dict[int, list[int]] = {}
        self.passages: Passages = {}
        """What it leaves open to its enemy's units, by their kind."""

    def moved(self, unit: int, to: int, loose: int, held: int) -> Army:
        """The same with one unit elsewhere."""
        after: Army = Army.__new__(Army)
        after.facts, after.field, after.side, after.units = self.facts, self.field, self.side, self.units
        after.loose, after.held = loose, held
        after.places = [*self.places]
        after.places[unit - self.units.start] = to
        after.passages = {}
        on_map = self.facts.on_map
        if on_map(self.places[unit - self.units.start]) and on_map(to):
            after.waiting, after.on_map = self.waiting, self.on_map
        else:
            after.waiting = {}
        return after

    @kept
    def on_map(self) -> int:
        """The units on the map, as a set."""
        on_map = self.facts.on_map
        return union([unit for unit, place in zip(self.units, self.places, strict=True) if on_map(place)])

    def beside(self, turn: int) -> list[int]:
        """The units in boxes beside the map, and those that are due by this turn."""
        found = self.waiting.get(turn)
        if found is None:
            off_map, rows, found = self.facts.off_map, self.facts.rows, []
            for unit, at in zip(self.units, self.places, strict=True):
                if rows[unit].turn <= turn if at == DUE else at >= 0 and off_map >> at & 1:
                    found.append(unit)
            self.waiting[turn] = found
        return found

    def spaces_of(self, units: int) -> int:
        """The spaces in which one of these units is."""
        mine = units >> self.units.start
        return union([place for number, place in enumerate(self.places) if mine >> number & 1])

    def hexes_of(self, units: int) -> int:
        """The same, hexes of the map only."""
        return self.spaces_of(units) & self.field.hexes

    @kept
    def around(self) -> int:
        """Every hex next to one of them."""
        return self.facts.board.around(self.held & self.field.hexes)

    @kept
    @rule("18.4", "23.5")
    def zone(self) -> int:
        """The hexes in their zone; who is shaken or cut off has one too."""
        facts = self.facts
        full = self.hexes_of(~(facts.silhouettes | facts.dump))
        held = self.held & self.field.hexes
        if self.side == ALLIED and self.places[facts.dump_unit - self.units.start] >= 0:
            held = self.hexes_of(~facts.dump)
        return zone(facts.ground, full, held & ~full)

    @kept
    @rule("10.1", "10.6")
    def links(self) -> Links:
        """What they would close if no enemy stood in the way."""
        facts = self.facts
        fit = ~(self.loose | facts.guns | facts.dump)
        full = self.hexes_of(fit & ~facts.silhouettes)
        silhouettes = self.hexes_of(fit & facts.silhouettes) & ~full
        return links(facts.ground, self.field.hexes, self.side, full, silhouettes)

    @kept
    def closing(self) -> list[int]:
        """For each direction, the hexes into which no enemy may step that way, unless a friend of his is there."""
        return self.links.closing


@compiled(allow_interpreted_subclasses=True)
class Standing(Keeps):
    """Both armies. It is never changed once made, so whoever looks at the same places shares it."""

    def __init__(self, facts: Facts, field: Field, where: list[int], loose: int) -> None:
        self.facts, self.field, self.where, self.loose = facts, field, where, loose
        self._take({side: _army(facts, field, side, where, loose) for side in SIDES})
        self._loads: dict[int, Load] = {}
        self._loads_with = 0

    def _take(self, armies: dict[str, Army]) -> None:
        self.armies = armies
        self.occupied = {side: army.held for side, army in armies.items()}
        """Where each side's units are: hexes of the map, and boxes beside it."""

    @kept
    def stacks(self) -> dict[int, list[int]]:
        """The units in each space, by number."""
        found: dict[int, list[int]] = {}
        for unit, space in enumerate(self.where):
            if space >= 0:
                found.setdefault(space, []).append(unit)
        return found

    def moved(self, unit: int, to: int, loose: int) -> Standing:
        """The same with one unit elsewhere."""
        side, from_ = self.facts.side_of(unit), self.where[unit]
        after: Standing = Standing.__new__(Standing)
        after.facts, after.field, after.loose = self.facts, self.field, loose
        after.where = [*self.where]
        after.where[unit] = to
        after.stacks = stacks = dict(self.stacks)
        after._loads, after._loads_with = dict(self._loads), self._loads_with
        army, enemy = self.armies[side], self.armies[other(side)]
        held = army.held
        if from_ >= 0:
            left = [mate for mate in stacks[from_] if mate != unit]
            if left:
                stacks[from_] = left
            else:
                del stacks[from_]
                held &= ~(1 << from_)
            after._loads.pop(from_, None)
        if to >= 0:
            stacks[to] = joined = [*stacks.get(to, ())]
            insort(joined, unit)
            held |= 1 << to
            after._loads.pop(to, None)
        ours = army.moved(unit, to, loose & self.facts.of_side[side], held)
        after._take({side: ours, enemy.side: enemy})
        return after

    def load(self, space: int, reduced: int) -> Load:
        """What the stack in a space counts for stacking."""
        if self._loads_with != reduced:
            self._loads, self._loads_with = {}, reduced
        found = self._loads.get(space)
        if found is None:
            found = self._loads[space] = load_of(self.facts, reduced, self.stacks.get(space, ()))
        return found

    def on_map(self, side: str) -> int:
        """The units of this side on the map, as a set."""
        return self.armies[side].on_map

    def spaces_of(self, side: str, units: int) -> int:
        """The spaces in which one of these units of a side is."""
        return self.armies[side].spaces_of(units)


_KEPT = 4
"""How many of the places that were looked at last are kept."""


def standing_of(facts: Facts, p: Ardennes44) -> Standing:
    """How a position stands; the same object as long as nobody has moved."""
    loose, field = loose_units(p), facts.field_of(p.scenario)
    for known in facts.recent:
        if known.loose == loose and known.field is field and known.where == p.where:
            return known
    return remember(facts, Standing(facts, field, [*p.where], loose))


def _army(facts: Facts, field: Field, side: str, where: Sequence[int], loose: int) -> Army:
    """The army of a side; the same object as long as none of its own units has moved."""
    places = [*(where[: facts.first_ally] if side == GERMAN else where[facts.first_ally :])]
    loose &= facts.of_side[side]
    for known in facts.recent:
        army = known.armies[side]
        if army.loose == loose and army.field is field and army.places == places:
            return army
    return Army(facts, field, side, places, loose)


@rule("10.1", "12.5", "18.3")
def loose_units(p: Ardennes44) -> int:
    """Units that form no bonds: Disrupted, Broken or in column."""
    return p.disrupted | p.broken | p.columns


def remember(facts: Facts, standing: Standing) -> Standing:
    facts.recent = (standing, *facts.recent[: _KEPT - 1])
    return standing

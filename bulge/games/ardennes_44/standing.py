"""What follows from where the units stand: stacks, zones, bonds (rules 8 to 10)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bulge.core.compiling import compiled
from bulge.core.kept import Keeps, kept
from bulge.core.rulebook import rule
from bulge.core.spaces import picked, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES, other
from bulge.games.ardennes_44.facts import DUE, Facts, Field
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.zones import Bonds, Links, bonds, links, zone

if TYPE_CHECKING:
    from bulge.games.ardennes_44.passage import Passages


@compiled(allow_interpreted_subclasses=True)
class Army(Keeps):
    """One side's units in their places. It is never changed once made: while a side moves, its enemy's army, and
    all that was found out about it, stays the same object."""

    def __init__(self, facts: Facts, field: Field, side: str, where: list[int], loose: int) -> None:
        self.facts, self.field, self.side, self.loose = facts, field, side, loose
        self.units = facts.units_of[side]
        self._where = where
        self.held = union(self.places)
        """The hexes of the map, and the boxes beside it, in which somebody is."""
        self.passages: Passages = {}
        """What it leaves open to its enemy's units, by their kind."""

    def moved(self, units: Sequence[int], where: list[int], loose: int, held: int) -> Army:
        """The same with some of its units elsewhere."""
        after: Army = Army.__new__(Army)
        after.facts, after.field, after.side, after.units = self.facts, self.field, self.side, self.units
        after.loose, after.held, after._where = loose, held, where
        after.passages = {}
        boxed, due, gone, off_map = self.boxed, self.due, self.gone, self.facts.off_map
        for unit in units:
            bit, at = 1 << unit, where[unit]
            if (boxed | due | gone) & bit:
                boxed, due, gone = boxed & ~bit, due & ~bit, gone & ~bit
            if at == DUE:
                due |= bit
            elif at < 0:
                gone |= bit
            elif off_map & 1 << at:
                boxed |= bit
        after.boxed, after.due, after.gone = boxed, due, gone
        return after

    def is_of(self, field: Field, where: list[int], loose: int) -> bool:
        """Whether this is the army of these units where they are."""
        same = self.loose == loose and self.field is field
        return same and self.places == where[self.units.start : self.units.stop]

    @kept
    def places(self) -> list[int]:
        """Where each unit is, from the side's first one on."""
        return self._where[self.units.start : self.units.stop]

    @property
    def on_map(self) -> int:
        """The units on the map, as a set."""
        return self.facts.of_side[self.side] & ~(self.boxed | self.due | self.gone)

    @kept
    def boxed(self) -> int:
        """Those in boxes beside it."""
        beside = self.facts.off_map
        if not self.held & beside:
            return 0
        spaces = zip(self.units, self.places, strict=True)
        return union([unit for unit, at in spaces if at >= 0 and beside >> at & 1])

    @kept
    def due(self) -> int:
        """Those that are to arrive, now or later."""
        return union([unit for unit, at in zip(self.units, self.places, strict=True) if at == DUE])

    @kept
    def gone(self) -> int:
        """Those that are nowhere else."""
        return union([unit for unit, at in zip(self.units, self.places, strict=True) if at < 0 and at != DUE])

    def spaces_of(self, units: int) -> int:
        """The spaces in which one of these units is."""
        mine = (units & self.facts.of_side[self.side]) >> self.units.start
        return union(picked(self.places, mine))

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

    def _take(self, armies: dict[str, Army]) -> None:
        self.armies = armies
        self.occupied = {side: army.held for side, army in armies.items()}
        """Where each side's units are: hexes of the map, and boxes beside it."""
        self.worked_out: dict[object, int] = {}
        """Sets that take long to find, such as the roads to supply, by all that they depend on but the places."""
        self._bonds: dict[str, Bonds] = {}

    @kept
    def stacks(self) -> dict[int, list[int]]:
        """The units in each space, by number."""
        found: dict[int, list[int]] = {}
        for unit, space in enumerate(self.where):
            if space >= 0:
                found.setdefault(space, []).append(unit)
        return found

    def with_one(self, unit: int, to: int, loose: int) -> Standing:
        """The same with one unit elsewhere: after every move, and so without what several would need."""
        facts, where, side = self.facts, [*self.where], GERMAN if unit < self.facts.first_ally else ALLIED
        from_, mine = where[unit], facts.of_side[side]
        where[unit] = to
        if (loose ^ self.loose) & ~mine:
            return self.with_some((unit,), where, loose)
        stacks, army = self.stacks.copy(), self.armies[side]
        held = army.held
        if from_ >= 0:
            left = _take_out(stacks, from_, unit)
            if not left or not any(mate in army.units for mate in left):
                held &= ~(1 << from_)
        if to >= 0:
            _put_in(stacks, to, unit)
            held |= 1 << to
        after = self._after(where, loose, stacks)
        after._take({**self.armies, side: army.moved((unit,), where, loose & mine, held)})
        return after

    def with_some(self, units: Sequence[int], where: list[int], loose: int) -> Standing:
        """The same with these units where they are now."""
        before, stacks = self.where, self.stacks.copy()
        for unit in units:
            if before[unit] >= 0:
                _take_out(stacks, before[unit], unit)
            if where[unit] >= 0:
                _put_in(stacks, where[unit], unit)
        after, armies = self._after(where, loose, stacks), {}
        for side, army in self.armies.items():
            own = army.units
            moved = [unit for unit in units if unit in own]
            still = not moved and loose & self.facts.of_side[side] == army.loose
            armies[side] = army if still else self._army_after(army, moved, after)
        after._take(armies)
        return after

    def _after(self, where: list[int], loose: int, stacks: dict[int, list[int]]) -> Standing:
        """Another one, whose armies are still to be found."""
        after: Standing = Standing.__new__(Standing)
        after.facts, after.field = self.facts, self.field
        after.where, after.loose, after.stacks = where, loose, stacks
        return after

    def _army_after(self, army: Army, units: Sequence[int], after: Standing) -> Army:
        """An army with these of its units elsewhere."""
        side, own, held, stacks = army.side, army.units, army.held, after.stacks
        for unit in units:
            from_, to = self.where[unit], after.where[unit]
            if from_ >= 0 and (from_ not in stacks or not any(mate in own for mate in stacks[from_])):
                held &= ~(1 << from_)
            if to >= 0:
                held |= 1 << to
        loose = after.loose & self.facts.of_side[side]
        for known in self.facts.recent:
            if (same := known.armies[side]).held == held and same.is_of(self.field, after.where, loose):
                return same
        return army.moved(units, after.where, loose, held)

    @rule("10.3")
    def bonds(self, side: str) -> Bonds:
        """The bonds of a side, which close the way to its enemy."""
        found = self._bonds.get(side)
        if found is None:
            army, enemies = self.armies[side], self.occupied[other(side)]
            found = self._bonds[side] = bonds(self.facts.board, army.links, enemies)
        return found

    def on_map(self, side: str) -> int:
        """The units of this side on the map, as a set."""
        return self.armies[side].on_map

    def spaces_of(self, side: str, units: int) -> int:
        """The spaces in which one of these units of a side is."""
        return self.armies[side].spaces_of(units)


def _take_out(stacks: dict[int, list[int]], space: int, unit: int) -> list[int]:
    """A unit leaves a stack; those who are left."""
    left = [mate for mate in stacks[space] if mate != unit]
    if left:
        stacks[space] = left
    else:
        del stacks[space]
    return left


def _put_in(stacks: dict[int, list[int]], space: int, unit: int) -> None:
    """A unit joins a stack. Standings share what is the same in both, so that no list ever changes."""
    stacks[space] = joined = [*stacks.get(space, ())]
    insort(joined, unit)


_KEPT = 4
"""How many of the places that were looked at last are kept."""
_FEW = 12
"""If no more units than these stand elsewhere, what is known is brought up to date rather than found anew."""
_RUN = 50
"""How many units are compared at once."""


def standing_of(facts: Facts, p: Ardennes44) -> Standing:
    """How a position stands; the same object as long as nobody has moved."""
    loose, field = loose_units(p), facts.field_of(p.scenario)
    for known in facts.recent:
        if known.loose == loose and known.field is field and known.where == p.where:
            return known
    where = [*p.where]
    for known in facts.recent:
        if known.field is field:
            elsewhere = _elsewhere(known.where, where)
            if len(elsewhere) <= _FEW:
                return remember(facts, known.with_some(elsewhere, where, loose))
    return remember(facts, Standing(facts, field, where, loose))


def _elsewhere(before: list[int], where: list[int]) -> list[int]:
    """The units that are not where they were before; most are, so that whole runs of them are compared first."""
    found = []
    for first in range(0, len(where), _RUN):
        run = where[first : first + _RUN]
        if run != before[first : first + _RUN]:
            found += [unit for unit, at in enumerate(run, first) if at != before[unit]]
    return found


def _army(facts: Facts, field: Field, side: str, where: list[int], loose: int) -> Army:
    """The army of a side; the same object as long as none of its own units has moved."""
    loose &= facts.of_side[side]
    for known in facts.recent:
        if known.armies[side].is_of(field, where, loose):
            return known.armies[side]
    return Army(facts, field, side, where, loose)


@rule("10.1", "12.5", "18.3")
def loose_units(p: Ardennes44) -> int:
    """Units that form no bonds: Disrupted, Broken or in column."""
    return p.disrupted | p.broken | p.columns


def remember(facts: Facts, standing: Standing) -> Standing:
    facts.recent = (standing, *facts.recent[: _KEPT - 1])
    return standing

"""The roster of a game: its counters by side and nation, and where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from bulge.core.bars import Bar
from bulge.core.decision import Decision, Kind
from bulge.core.errors import BadData
from bulge.core.question import Barred
from bulge.core.spaces import members, union

GONE, DUE = -1, -2
"""Where a unit is that is lost (or was taken off), and one that has not arrived yet."""


class Counter(Protocol):
    """What the roster asks of a row of units.csv."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def nation(self) -> str: ...


class Roster:
    """The units in the order of the data: nation after nation, so that a side is a range and a set of bits."""

    def __init__(
        self, game: str, rows: Sequence[Counter], camps: Mapping[str, Sequence[str]], markers: Iterable[int] = ()
    ) -> None:
        """`camps` names each side's nations in the order of the rows; `markers` are counters that hold no hex."""
        self.game, self.rows = game, rows
        self.nations = {nation: self._run(nation) for nations in camps.values() for nation in nations}
        self.units_of = {
            side: range(self.nations[nations[0]].start, self.nations[nations[-1]].stop)
            for side, nations in camps.items()
        }
        self.sets = {side: (1 << units.stop) - (1 << units.start) for side, units in self.units_of.items()}
        self._sides = [
            next(side for side, units in self.units_of.items() if unit in units) for unit in range(len(rows))
        ]
        without = set(markers)
        self.bodies_of = {side: [u for u in units if u not in without] for side, units in self.units_of.items()}
        """The units of each side that stand in their hexes; the other counters only lie there."""
        self._whole = {side: len(self.bodies_of[side]) == len(units) for side, units in self.units_of.items()}
        self.bodies = [unit not in without for unit in range(len(rows))]
        self.everybody = (1 << len(rows)) - 1

    def _run(self, nation: str) -> range:
        found = [unit for unit, row in enumerate(self.rows) if row.nation == nation]
        if not found or found != list(range(found[0], found[-1] + 1)):
            raise BadData(f"units.csv of {self.game} must list the {nation} units one after the other")
        return range(found[0], found[-1] + 1)

    def only(self, what: str, wanted: Iterable[int]) -> int:
        """The one unit of a kind."""
        found = list(wanted)
        if len(found) != 1:
            raise BadData(f"units.csv of {self.game} must have exactly one {what!r} unit")
        return found[0]

    def side_of(self, unit: int) -> str:
        return self._sides[unit]

    def name(self, unit: int) -> str:
        return self.rows[unit].name

    def list(self, units: Iterable[int]) -> str:
        """Units in words."""
        return ", ".join(self.rows[unit].name for unit in units)

    # ------------------------------------------------------------------ where they are, as sets of units

    @staticmethod
    def at(where: Sequence[int], place: int) -> int:
        """The units of one place: a hex, a box, GONE or DUE."""
        return union([unit for unit, at in enumerate(where) if at == place])

    @staticmethod
    def within(where: Sequence[int], spaces: int) -> int:
        """The units that are in these spaces."""
        return union([unit for unit, at in enumerate(where) if at >= 0 and spaces >> at & 1])

    @staticmethod
    def off(where: Sequence[int]) -> int:
        """The units that are nowhere on the board: lost, or not there yet."""
        return union([unit for unit, at in enumerate(where) if at < 0])

    def held_by(self, side: str, where: Sequence[int]) -> int:
        """The spaces in which units of a side stand."""
        if self._whole[side]:
            return union(where[self.units_of[side].start : self.units_of[side].stop])
        return union([where[unit] for unit in self.bodies_of[side]])

    def who_is_in(self, where: Sequence[int], space: int) -> str:
        """`2nd Panzer Division stands`, `X and Y stand`: who holds a space, in words."""
        names = [self.name(unit) for unit in members(self.at(where, space)) if self.bodies[unit]]
        return f"{' and '.join(names)} {'stand' if len(names) > 1 else 'stands'}" if names else "nobody stands"

    # ------------------------------------------------------------------ bars that many questions begin with

    def bar(self, shut: int | Callable[[int], bool], rule: str, words: str) -> Bar:
        """Units that may not be chosen: `words` are what is true of each of them, after its name."""
        return Bar(shut, rule, lambda unit: f"{self.name(unit)} {words}")

    def lost(self, where: Sequence[int], rule: str) -> Bar:
        return self.bar(lambda unit: where[unit] == GONE, rule, "is no longer in play")

    def not_of(self, side: str, rule: str) -> Bar:
        return self.bar(self.everybody & ~self.sets[side], rule, "belongs to the other side")

    def not_come(self, where: Sequence[int], rule: str) -> Bar:
        return self.bar(lambda unit: where[unit] == DUE, rule, "has not come on the map yet")

    def one_of(self, side: str, prompt: str, units: Sequence[int], rule: str, others: str) -> Decision:
        """Which of a few units? `others` is what is true of all the rest (`takes no part in this battle`)."""
        rest = self.everybody & ~union(list(units))
        return Decision(side, prompt, units, rule, Kind.UNIT, about=Barred(lambda: [self.bar(rest, rule, others)]))

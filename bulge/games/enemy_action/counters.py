"""The counters: what each unit is worth at each number of steps, and whom it belongs to (rule 2.21)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from bulge.core.errors import BadData
from bulge.core.rulebook import rule
from bulge.games.enemy_action.rows import UnitRow

CORPS_ORDER = ("ISS", "IISS", "XLVII", "LIII", "LVIII", "LXVI", "LXVII", "LXXX", "LXXXV", "OKW")
"""German corps by their numbers, OKW last: how ties of selector numbers are broken (2.21)."""

MECHANIZED = ("mech_infantry", "armor", "recon", "combined_arms")
ARMOR = ("armor", "combined_arms")
INFANTRY = ("infantry", "airborne")
QUALITIES = {"R": "regular", "E": "elite", "G": "green"}

T = TypeVar("T")


class Counters:
    """Lists go by unit; what depends on the steps left is a tuple by steps, with nothing at 0."""

    rows: list[UnitRow]

    @rule("2.2", "2.21")
    def read_counters(self, rows: list[UnitRow]) -> None:
        self.rows = rows
        germans = [unit for unit, row in enumerate(rows) if row.side == "german"]
        if germans != list(range(len(germans))):
            raise BadData("units.csv of enemy_action must list the German units first")
        self.german_units = range(len(germans))
        self.allied_units = range(len(germans), len(rows))
        self.unit_of = {row.id: unit for unit, row in enumerate(rows)}
        self.full = [row.steps for row in rows]
        self.strengths = [_by_steps(row, row.strength, lambda text: int(text.strip("[]")), 0) for row in rows]
        self.brackets = [_by_steps(row, row.strength, lambda text: text.startswith("["), False) for row in rows]
        self.qualities = [_by_steps(row, row.quality, lambda text: QUALITIES[text], "") for row in rows]
        self.selectors = [_by_steps(row, row.selector, int, 0) for row in rows]
        self.moves = [row.move for row in rows]
        self.mechanized = [row.type in MECHANIZED for row in rows]
        self.armored = [row.type in ARMOR for row in rows]
        self.recon = [row.type == "recon" for row in rows]
        self.foot = [row.type in INFANTRY for row in rows]
        self.any_infantry = [row.type in (*INFANTRY, "mech_infantry") for row in rows]
        """Infantry of methods 5 to 9 from 23 December (9.2)."""
        self.brings_infantry = [row.type in (*INFANTRY, "mech_infantry", "combined_arms") for row in rows]
        """Half of combined arms (12.41)."""
        self.army_of = [row.army for row in rows]
        self.corps_of = [row.corps for row in rows]
        self.division_of = [row.division or row.id for row in rows]
        """A unit without a division is one of its own."""
        self.corps_rank = [CORPS_ORDER.index(row.corps) if row.side == "german" else 0 for row in rows]
        self.entry_day = [int(row.entry) if row.entry.isdecimal() else 0 for row in rows]
        self.okw = [unit for unit in self.german_units if rows[unit].entry == "OR"]
        self.heydte = self.unit_of["VDH.ISS"]
        self.peiper = self.unit_of["Peiper.1SS.ISS"]
        self.brigade_150 = self.unit_of["150.ISS"]
        self.corps_units: dict[str, list[int]] = {}
        self.army_units: dict[str, list[int]] = {}
        for unit, row in enumerate(rows):
            self.corps_units.setdefault(row.corps, []).append(unit)
            self.army_units.setdefault(row.army, []).append(unit)

    def is_german(self, unit: int) -> bool:
        return unit in self.german_units

    def name_of(self, unit: int) -> str:
        return self.rows[unit].name

    def ids(self, units: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.rows[unit].id for unit in units)

    def short(self, unit: int) -> str:
        """As one would write it in a margin: a regiment with its division, anybody else by name."""
        regiment, division, *corps = [*self.rows[unit].id.split("."), ""]
        return f"{regiment}/{division}" if len(corps) > 1 else self.rows[unit].name


def _by_steps(row: UnitRow, text: str, read: Callable[[str], T], nothing: T) -> tuple[T, ...]:
    """The printed values turned round, so that they stand by the steps left."""
    parts = text.split("|")
    if len(parts) != row.steps:
        raise BadData(f"units.csv of enemy_action, row {row.id!r}: {text!r} does not fit {row.steps} steps")
    return (nothing, *(read(part) for part in reversed(parts)))

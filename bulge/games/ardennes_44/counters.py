"""The counters of Ardennes '44: what is printed on them, by unit and by side of the counter (rule 2)."""

from __future__ import annotations

from collections.abc import Callable

from bulge.core.errors import BadData
from bulge.core.rulebook import rule
from bulge.games.ardennes_44.rows import UnitRow

GERMAN, ALLIED = "German", "Allied"
SIDES = (GERMAN, ALLIED)

INFANTRY = ("infantry", "parachute", "glider", "engineer", "fortress", "mech_infantry")
TANKS = ("tank", "tank_nato", "td")
"""Tank Units, by their type; Flak, Sturmtiger and Brummbär are none (21.2, 27.4)."""
SILHOUETTES = ("tank", "td", "flak", "special")
GUNS = ("artillery", "nebelwerfer")
FOOT = ("infantry", "parachute", "glider", "engineer", "fortress")
"""The types that are not mechanized; artillery moves as a vehicle (2.4)."""

ARMY_OF = {"red": "6PzA", "grey": "5PzA", "blue": "7A"}
"""The German armies by the colour of their counters (2.11)."""

JAGDTIGERS = "653"
"""The battalion that a die brings on (27.7)."""


class Counters:
    """The units by number: the Germans first. Sets of units are ints."""

    @rule("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.11")
    def __init__(self, rows: list[UnitRow]) -> None:
        self.rows = rows
        germans = [row.side == GERMAN for row in rows]
        first_ally = germans.index(False)
        if any(germans[first_ally:]):
            raise BadData("units.csv of ardennes_44 must list the German units before all others")
        self.first_ally = first_ally
        self.units_of = {GERMAN: range(first_ally), ALLIED: range(first_ally, len(rows))}
        self.number = {row.id: unit for unit, row in enumerate(rows)}
        self.guns = self.those(lambda row: row.type in GUNS)
        self.immobile = self.those(lambda row: row.movement == 0)
        self.infantry = self.those(lambda row: row.type in INFANTRY)
        self.vehicles = self.those(lambda row: row.type not in INFANTRY)
        """Vehicle type units, artillery included: it moves as they do."""
        self.foot = self.those(lambda row: row.type in FOOT)
        self.tanks = self.those(lambda row: row.type in TANKS)
        self.silhouettes = self.those(lambda row: row.type in SILHOUETTES)
        self.recon = self.those(lambda row: row.type == "recon")
        self.flak = self.those(lambda row: row.type == "flak")
        self.red_coded = self.those(lambda row: row.red)
        self.at_dams = self.those(lambda row: row.special == "rrd")
        self.jagdtigers = self.those(lambda row: row.id == JAGDTIGERS)
        self.peiper = self.those(lambda row: row.special == "peiper")
        self.engineers = self.those(lambda row: row.type == "engineer" and row.nation == "us")
        self.of_106 = self.those(lambda row: row.division == "106" and row.side == ALLIED)
        self.dump = self.those(lambda row: row.type == "dump")
        """The guards of a fuel dump, who only defend (32.2)."""
        self.dump_unit = self.dump.bit_length() - 1
        self.british = self.those(lambda row: row.nation == "british")
        self.of_colour: dict[str, int] = {}
        """The units whose counters have a colour; each German army has its own."""
        for unit, row in enumerate(rows):
            self.of_colour[row.colour] = self.of_colour.get(row.colour, 0) | 1 << unit
        self.of_side = {side: sum(1 << unit for unit in units) for side, units in self.units_of.items()}
        self.not_as_usual = self.red_coded | self.at_dams | self.engineers | self.guns & self.of_side[GERMAN]
        """Units of which not only markers say whether they move as usual (13.2.2, 22.3, 27.6, 29.1.1)."""
        self.in_regiments = self.those(lambda row: bool(row.regiment))
        self.spares: dict[str, list[int]] = {}
        """Spare counters by kind: breakdown units and remnants (16.4, 26.2)."""
        for unit, row in enumerate(rows):
            if row.entry == "pool":
                self.spares.setdefault(row.id.rstrip("0123456789"), []).append(unit)
        self.formation = [f"{row.side} {row.division}" if row.division else row.id for row in rows]
        """Each unit's formation; an independent unit is one by itself (14.3.1)."""
        self.way = ["foot" if row.type in FOOT else "mech" if row.type in INFANTRY else "vehicle" for row in rows]
        """How each unit moves: on foot, mechanized infantry, or as a vehicle (2.4)."""

        self.loads = [[self._load(unit, reduced) for unit in range(len(rows))] for reduced in (0, -1)]
        """What each unit counts for stacking, in full and reduced: Stacking Points, steps of silhouettes, guns."""

    @rule("8.2", "8.4")
    def _load(self, unit: int, reduced: int) -> tuple[int, int, int]:
        if self.guns >> unit & 1:
            return 0, 0, 1
        if self.silhouettes >> unit & 1:
            return 0, self.steps_left(unit, reduced), 0
        return self.points(unit, reduced), 0, 0

    def those(self, asked: Callable[[UnitRow], bool]) -> int:
        """The set of the units whose row fits."""
        return sum(1 << unit for unit, row in enumerate(self.rows) if asked(row))

    def side_of(self, unit: int) -> str:
        return GERMAN if unit < self.first_ally else ALLIED

    def attack(self, unit: int, reduced: int) -> int:
        row = self.rows[unit]
        return row.attack_reduced if reduced >> unit & 1 and row.attack_reduced else row.attack

    def defence(self, unit: int, reduced: int) -> int:
        row = self.rows[unit]
        return row.defence_reduced if reduced >> unit & 1 and row.defence_reduced else row.defence

    def movement(self, unit: int, reduced: int) -> int:
        row = self.rows[unit]
        return row.movement_reduced if reduced >> unit & 1 and row.movement_reduced else row.movement

    @rule("8.2")
    def points(self, unit: int, reduced: int) -> int:
        row = self.rows[unit]
        return row.points_reduced if reduced >> unit & 1 and row.points_reduced else row.points

    def steps_left(self, unit: int, reduced: int) -> int:
        """The steps that this counter still stands for, without the remnant that may take its place (16.4)."""
        row = self.rows[unit]
        return 1 if row.steps == 1 or reduced >> unit & 1 else 2

    def remnant_of(self, unit: int) -> str:
        """The kind of remnant that a large unit leaves; empty for all others (16.4)."""
        row = self.rows[unit]
        if row.points_reduced != 2:
            return ""
        nation = {"us": "US", "british": "UK", "german": "GE"}[row.nation]
        kind = {"tank_nato": "arm", "mech_infantry": "pzg", "parachute": "para", "glider": "para"}.get(
            row.type, "inf"
        )
        return f"Rem-{nation}-{kind}-"


def other(side: str) -> str:
    return ALLIED if side == GERMAN else GERMAN

"""The rows of Ardennes '44's data files."""

from __future__ import annotations

from typing import Literal

from bulge.core.data import Row


class UnitRow(Row, frozen=True, kw_only=True):
    name: str
    side: Literal["German", "Allied"]
    nation: Literal["german", "us", "british"]
    colour: str
    corps: str = ""
    division: str = ""
    """What is printed bold: a division, a brigade or a cavalry group; empty for an independent unit."""
    regiment: str = ""
    """Units of one regiment or brigade share it (12.4.2)."""
    type: str
    size: str
    attack: int
    defence: int
    movement: int
    attack_reduced: int = 0
    defence_reduced: int = 0
    movement_reduced: int = 0
    parentheses: bool = False
    points: int = 0
    points_reduced: int = 0
    steps: int
    morale: Literal["green", "veteran", "elite"]
    tq: int = 0
    tq_kind: Literal["", "grey", "red", "square"] = ""
    range: int = 0
    hex: str = ""
    improved: bool = False
    red: bool = False
    area: str = ""
    turn: int = 0
    entry: str = ""
    special: Literal["", "rrd", "peiper"] = ""


class TerrainRow(Row, frozen=True, kw_only=True):
    mud: int
    frozen: int
    foot: int
    bonus: int
    confidence: str


class DieRow(Row, frozen=True, kw_only=True):
    low: int
    results: tuple[str, ...]

    def result(self, die: int) -> str:
        """The result of a modified die, held at the table's ends."""
        return self.results[max(0, min(len(self.results) - 1, die - self.low))]


class EntryRow(Row, frozen=True, kw_only=True):
    letter: str
    side: Literal["German", "Allied"]
    sector: str
    blocking: bool = False
    road: str = ""
    confidence: str


class BoundaryRow(Row, frozen=True, kw_only=True):
    between: str
    confidence: str


class AreaRow(Row, frozen=True, kw_only=True):
    corps: str
    army: str
    confidence: str


class VictoryRow(Row, frozen=True, kw_only=True):
    place: str
    sheet: Literal["East", "West", "Liege"]
    group: Literal["", "meuse", "liege"] = ""
    confidence: str


class NightRow(Row, frozen=True, kw_only=True):
    date: str
    german_replacements: int
    allied_replacements: int
    confidence: str


class ScenarioRow(Row, frozen=True, kw_only=True):
    title: str
    words: str
    sheets: Literal["E", "EW"]
    first_turn: int
    last_turn: int
    points: int = 0
    without: tuple[str, ...] = ()
    set_up: Literal["start", "december_22"] = "start"
    german_towns: tuple[str, ...] = ()
    """Towns beyond the start line that the Germans hold when it begins."""


class LaterRow(Row, frozen=True, kw_only=True):
    """Where a unit is on the morning of 22 December (S4.2)."""

    hex: str = ""
    state: Literal["full", "reduced", "lost", "absent", "due"]
    improved: bool = False
    pocket: Literal["", "Bastogne", "Peiper"] = ""
    confidence: str

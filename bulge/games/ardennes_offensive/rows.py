"""The rows of The Ardennes Offensive's data files."""

from __future__ import annotations

from typing import Literal

from bulge.core.data import Row
from bulge.core.ranges import Space, Words


class UnitRow(Row, frozen=True, kw_only=True):
    short: Words
    name: Words
    nation: Literal["german", "us", "french", "british"]
    army: Words = ""
    type: Literal["infantry", "parachute", "glider", "engineers", "armor", "armored_infantry", "cavalry"]
    size: Literal["II", "III", "X", "XX"]
    mechanized: bool
    strength: int
    movement: int
    hex: Space = ""
    turn: int = 0
    section: Literal["", "E", "drop", "NE", "NW", "W", "WB", "SW", "SE"] = ""
    varied_turn: int = 0
    varied_section: Literal["", "E", "drop", "NE", "NW", "W", "WB", "SW", "SE"] = ""


class TerrainRow(Row, frozen=True, kw_only=True):
    mechanized: int
    foot: int
    allied: int
    german_defence: int
    german_attack: int
    stands: Literal["", "both", "german"] = ""


class ExitRow(Row, frozen=True, kw_only=True):
    edge: Space
    section: Literal["NE", "NW", "W", "SW", "SE"]
    leads_to: Words
    points: int


class ScenarioRow(Row, frozen=True, kw_only=True):
    title: Words
    words: Words
    allied_set_up: Literal["historical", "free"]
    allied_schedule: Literal["historical", "slowed"]
    german_set_up: Literal["historical", "free"]
    german_schedule: Literal["historical", "accelerated"]

"""The rows of The Bulge's data files."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bulge.core.data import Row
from bulge.core.ranges import Space, Words

LAST_TURN = 10
MOVEMENT_FACTOR, VAK_MOVEMENT_FACTOR = 6, 3


class UnitRow(Row, frozen=True, kw_only=True):
    name: Words
    nation: Literal["german", "us", "british"]
    army: Words = ""
    type: Literal["panzer", "armor", "infantry", "paratroops", "artillery", "flak", "commando"]
    size: Literal["I", "[I]", "II", "[II]", "III", "X", "XX", "[XX]", "XXX"]
    mechanized: bool
    factor: int
    steps: Annotated[int, Meta(ge=0, le=2)]
    reduced: int = 0
    hex: Space = ""
    turn: Annotated[int, Meta(ge=0, le=LAST_TURN)] = 0
    edge: Literal["", "N", "E", "S", "W"] = ""
    special: Literal["", "ssp", "sses", "vdh", "flak", "vak", "cavalry", "on_the_ball"] = ""

    @property
    def movement(self) -> int:
        return VAK_MOVEMENT_FACTOR if self.special == "vak" else MOVEMENT_FACTOR


class TerrainRow(Row, frozen=True, kw_only=True):
    points: int
    defence: int


class TownRow(Row, frozen=True, kw_only=True):
    points: int

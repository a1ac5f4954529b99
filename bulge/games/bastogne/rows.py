"""The rows of Bastogne's data files."""

from __future__ import annotations

from typing import Annotated, Literal

from bulge.core.data import Row
from bulge.core.ranges import FIXED, Space, Words


class USRow(Row, frozen=True, kw_only=True):
    name: Words
    formation: Literal["101", "CCB", "CCR", "event"]
    type: str
    size: Literal["", "I", "II", "TF", "X", "XX"] = ""
    mechanized: bool
    front: int = 0
    back: int | None = None
    impact: int = 0
    edge: int = 0
    """What it adds to the tactical edge (17.3.1)."""
    start: Space = ""
    """Where our own plan of defence puts it; players may put it anywhere (28.1)."""


class GermanRow(Row, frozen=True, kw_only=True):
    name: Words
    formation: str
    type: str
    size: Literal["II", "III"]
    mechanized: bool
    artillery: bool
    front: int
    back: int | None = None


class EventRow(Row, frozen=True, kw_only=True):
    name: Words
    chits: int
    disposition: Literal["return", "discard", "end_of_turn", "placed"]


class FormationRow(Row, frozen=True, kw_only=True):
    name: Words
    kind: Annotated[Literal["division", "new", "corps"], FIXED]


class WeatherRow(Row, frozen=True, kw_only=True):
    name: Words
    supply_dice: int
    airstrike_dice: int
    movement: int
    range: int
    halved: bool


class DieRow(Row, frozen=True, kw_only=True):
    first: int
    faces: tuple[str, ...]

    def result(self, die: int) -> str:
        """What a die means; one beyond the table counts as its end."""
        return self.faces[max(0, min(len(self.faces) - 1, die - self.first))]

    def count(self, result: str, dice: list[int]) -> int:
        """How many of these dice say so."""
        return sum(dice.count(die) for die in set(dice) if self.result(die) == result)


class NumberRow(Row, frozen=True, kw_only=True):
    value: int

"""The rows of Enemy Action's data files: units, cards, chits, the calendar, the map's own features."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from bulge.core.data import Row
from bulge.core.ranges import FIXED
from bulge.core.rulebook import rule

Span = tuple[int, int]
"""The first and the last day of a span."""


@rule("2.0")
def holds(spans: tuple[Span, ...], day: int) -> bool:
    """Whether a day lies in one of these spans."""
    return any(first <= day <= last for first, last in spans)


class UnitRow(Row, frozen=True, kw_only=True):
    name: str
    side: Literal["german", "allied"]
    army: str
    corps: str
    division: str = ""
    size: str
    type: Literal["infantry", "airborne", "mech_infantry", "armor", "recon", "combined_arms"]
    steps: int
    strength: str
    """From full to the last step, parted by |; brackets as printed."""
    quality: str
    move: int
    selector: str
    hex: str = ""
    entry: str = ""
    """The day of December on which it comes, OR for the OKW reserve, VDH for von der Heydte."""
    strategic: bool = False


class CommandRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command on a card, with the days on which it may be used."""

    do: str
    dates: tuple[Span, ...]
    event: str = ""
    points: int = 0


class FormationRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    units: tuple[str, ...]
    no_fuel: tuple[int, ...] = ()


class CardRow(Row, frozen=True, kw_only=True):
    number: int
    level: Literal["no_command", "division", "corps", "army", "army_group"]
    title: str
    date: int
    """The day on which it comes into play; 0 for the cards of the OKW reserve (9.8)."""
    primary: bool
    cv: int
    corps: Annotated[str, FIXED] = ""
    army: Annotated[str, FIXED] = ""
    formations: tuple[FormationRow, ...] = ()
    commands: tuple[CommandRow, ...]
    tactics: tuple[str, ...]
    tactic_dates: tuple[Span, ...]
    tactic_back_to_deck: bool = False
    not_in_this_game: tuple[str, ...] = ()
    """Functions printed on it that belong to the other versions of the game (2.31)."""


class ChangeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One instruction of a set-up card."""

    unit: str = ""
    hex: str = ""
    to: str = ""
    do: Literal["", "reduce", "disperse", "eliminate", "ip"] = ""


class SetUpCardRow(Row, frozen=True, kw_only=True):
    corps: str
    letter: str
    picture: tuple[ChangeRow, ...]
    second: dict[str, tuple[ChangeRow, ...]]
    third: tuple[ChangeRow, ...]


class ChitRow(Row, frozen=True, kw_only=True):
    """One face of a chit."""

    chit: int
    face: Literal["front", "back"]
    blue: bool
    priority: bool
    situation: str
    attacker: int
    defender: int
    german: int
    us: int


class SituationRow(Row, frozen=True, kw_only=True):
    looks_at: str
    test: str


class DayRow(Row, frozen=True, kw_only=True):
    supplemental: int
    hand: int
    german_discards: int
    far: int
    """How far from the Westwall fixed artillery reaches."""
    defeat_vp: int = 0
    defeat_level: str = ""
    victory_vp: int = 0
    victory_level: str = ""


class ObjectiveRow(Row, frozen=True, kw_only=True):
    table: int
    army: str = ""
    at: str = ""
    die_from: int
    die_to: int
    to: str
    name: str
    facing: Literal["N", "W", "S"]
    exit: bool


class MarginalRow(Row, frozen=True, kw_only=True):
    ratio_below: float = 0
    cancel_if: str = ""


class AdvanceRow(Row, frozen=True, kw_only=True):
    route: str
    already_0: int
    already_1: int
    already_2: int


class SurrenderRow(Row, frozen=True, kw_only=True):
    die_to: int


class TownRow(Row, frozen=True, kw_only=True):
    name: str
    kind: Literal["town", "city"]
    owner: Literal["german", "allied"]
    vp: int


class BridgeRow(Row, frozen=True, kw_only=True):
    river: str
    owner: Literal["german", "allied"]
    blown: bool
    crisis_owner: Literal["german", "allied"]
    crisis_blown: bool


class EdgeRow(Row, frozen=True, kw_only=True):
    side: Literal["german", "allied"]
    leads_to: str
    lost_with: str = ""
    exit: Literal["", "always", "by objective"] = ""


class ArrowRow(Row, frozen=True, kw_only=True):
    hex: str
    to: str
    arrow: Literal["primary", "secondary"]
    only: Literal["", "5", "6", "7", "B"] = ""


class HoldRow(Row, frozen=True, kw_only=True):
    value: int


class TerrainRow(Row, frozen=True, kw_only=True):
    foot: int
    mechanized: int
    frozen: int
    """What a mechanized unit pays on hard ground (Ground Freeze)."""
    combat: str = ""


class PlacedRow(Row, frozen=True, kw_only=True):
    """Where a unit stands at the start of 18.5."""

    side: str
    hex: str = ""
    steps_lost: int = 0
    eliminated: bool
    supply: Literal["in", "low"] = "in"
    ip: bool = False


class EventRow(Row, frozen=True, kw_only=True):
    side: str
    kind: Literal["event", "special_event", "tactic"]
    title: str
    words: str
    dates: tuple[Span, ...]


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    least: int
    level: str


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A victory check on these days: the first band whose least is reached holds; no level, no end."""

    first: int
    last: int
    bands: tuple[Band, ...]


class PlacedObjective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hex: str
    facing: str
    table: int


class ScenarioRow(Row, frozen=True, kw_only=True):
    title: str
    words: str
    rule: str
    first_day: int
    last_day: int
    depots: bool
    detachments: bool
    replacements: bool
    town_without_value: int = 0
    lost_if_objectives_move: int = 0
    calendar_checks: tuple[int, ...] = ()
    checks: tuple[Check, ...]
    set_up: str = ""
    depot_hexes: tuple[str, ...] = ()
    army_objectives: tuple[PlacedObjective, ...] = ()
    corps_objectives: tuple[str, ...] = ()
    detachment_hexes: tuple[str, ...] = ()
    german_towns: tuple[str, ...] = ()
    german_discards: tuple[str, ...] = ()
    german_command: str = ""
    german_support: str = ""

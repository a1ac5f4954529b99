"""Allied aerial supply, from Turn 8 (7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, DIVISION, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

AIRLIFT = "aerial_supply"
MARKERS = 3
MOST_IN_A_HEX = 2


def may_airlift(facts: Facts, s: Situation) -> bool:
    """Whether there is a marker, and a unit that needs it."""
    if s.p.turn < AIR_FROM or (len(s.p.air_hexes) == MARKERS and not any(s.p.air_room)):
        return False
    return any(True for _ in _needy(facts, s, facts.allied_units))


@rule("7.5")
def needy(facts: Facts, s: Situation, among: Iterable[int]) -> list[int]:
    """Units out of supply that a marker could still supply."""
    return list(_needy(facts, s, among))


def _needy(facts: Facts, s: Situation, among: Iterable[int]) -> Iterator[int]:
    allied, disrupted = s.occupied[ALLIED], s.p.disrupted
    cut_off = allied & ~s.lines(ALLIED).among(allied)
    if not cut_off and disrupted < 0:
        return
    where, lifted = s.p.where, s.p.airlifted
    for unit in among:
        needs = where[unit] >= 0 and (cut_off >> where[unit] & 1 or unit == disrupted)
        if needs and not lifted >> unit & 1 and _marker_for(facts, s.p, unit) is not None:
            yield unit


def _marker_for(facts: Facts, p: BulgePosition, unit: int) -> int | None:
    """A marker in the unit's hex with room left, or a new one; None if there is neither."""
    here, need = p.where[unit], facts.thirds[unit]
    for marker, (hex_, room) in enumerate(zip(p.air_hexes, p.air_room, strict=True)):
        if hex_ == here and room >= need:
            return marker
    if len(p.air_hexes) < MARKERS and p.air_hexes.count(here) < MOST_IN_A_HEX:
        return len(p.air_hexes)
    return None


@rule("7.5")
def offer_airlift(
    t: Table[BulgePosition], facts: Facts, s: Situation, among: Iterable[int], *, asked_for: bool = False
) -> Play:
    """The Allied player may supply some, all or none of these units; a marker carries one division.

    Who has asked for it supplies at least one, or a player could ask for ever and nothing would happen.
    """
    if t.p.turn < AIR_FROM:
        return
    while True:
        units = needy(facts, s, among)
        if not units:
            return
        options: list[Choice] = [*units] if asked_for else [*units, DONE]
        asked_for = False
        unit = yield Decision(ALLIED, "Supply a unit from the air?", options, "7.5", Kind.UNIT)
        if unit == DONE:
            return
        _airlift(t, facts, unit)


def _airlift(t: Table[BulgePosition], facts: Facts, unit: int) -> None:
    p = t.p
    marker = _marker_for(facts, p, unit)
    assert marker is not None
    if marker == len(p.air_hexes):
        p.air_hexes.append(p.where[unit])
        p.air_room.append(DIVISION)
    p.air_room[marker] -= facts.thirds[unit]
    p.airlifted |= 1 << unit
    t.say("7.5", f"{facts.rows[unit].name} is supplied from the air.", units=(unit,))

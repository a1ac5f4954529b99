"""Allied aerial supply, from Turn 8 (7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, Refusal
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, DIVISION, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

AIRLIFT = "aerial_supply"
NO_AIRLIFT = {
    AIRLIFT: Refusal(
        "7.5", f"aerial supply begins on turn {AIR_FROM}, and needs a marker left and a unit that wants it"
    )
}
"""Why it cannot be asked for now."""
MARKERS = 3
MOST_IN_A_HEX = 2


def may_airlift(s: Situation) -> bool:
    """Whether there is a marker, and a unit that needs it."""
    if s.p.turn < AIR_FROM or (len(s.p.air_hexes) == MARKERS and not any(s.p.air_room)):
        return False
    return any(True for _ in needy(s, s.facts.allied_units))


@rule("7.5")
def needy(s: Situation, among: Iterable[int]) -> Iterator[int]:
    """Units out of supply that a marker could still supply."""
    where, lifted, disrupted = s.p.where, s.p.airlifted, s.p.disrupted
    cut_off = _cut_off(s)
    if not cut_off and disrupted < 0:
        return
    for unit in among:
        needs = where[unit] >= 0 and (cut_off >> where[unit] & 1 or unit == disrupted)
        if needs and not lifted >> unit & 1 and _marker_for(s.facts, s.p, unit) is not None:
            yield unit


def _cut_off(s: Situation) -> int:
    """The hexes of Allied units without a line of supply."""
    allied = s.occupied[ALLIED]
    return allied & ~s.lines(ALLIED).among(allied)


def _marker_for(facts: Facts, p: BulgePosition, unit: int) -> int | None:
    """A marker in the unit's hex with room left, or a new one; None if there is neither."""
    here, need = p.where[unit], facts.sizes[unit]
    for marker, (hex_, room) in enumerate(zip(p.air_hexes, p.air_room, strict=True)):
        if hex_ == here and room >= need:
            return marker
    if len(p.air_hexes) < MARKERS and p.air_hexes.count(here) < MOST_IN_A_HEX:
        return len(p.air_hexes)
    return None


def may_not_be_lifted(s: Situation, among: int) -> Iterator[Bar]:
    """Units that are not supplied from the air."""
    p, roster = s.p, s.facts.roster
    name, fed = roster.name, roster.within(p.where, ~_cut_off(s))
    yield roster.lost(p.where, "2.11")
    yield roster.not_of(ALLIED, "7.5")
    yield roster.not_come(p.where, "12.1")
    yield Bar(~among, "7.5", lambda unit: f"{name(unit)} takes no part in this battle")
    yield Bar(p.airlifted, "7.5", lambda unit: f"{name(unit)} is supplied from the air already")
    yield Bar(fed, "7.5", lambda unit: f"{name(unit)} is in supply overland")
    yield Bar(-1, "7.5", lambda unit: f"no marker is left with room for {name(unit)}, or its hex has two")


@rule("7.5")
def offer_airlift(t: Table[BulgePosition], s: Situation, among: Iterable[int], *, asked_for: bool = False) -> Play:
    """The Allied player may supply some, all or none of these units; a marker carries one division.

    Who has asked for it supplies at least one, or a player could ask for ever and nothing would happen.
    """
    if t.p.turn < AIR_FROM:
        return
    while True:
        options: list[Choice] = [*needy(s, among)]
        if not options:
            return
        if not asked_for:
            options.append(DONE)
        asked_for = False
        about = Barred(partial(may_not_be_lifted, s, union(list(among))))
        unit = yield Decision(ALLIED, "Supply a unit from the air?", options, "7.5", Kind.UNIT, about=about)
        if unit == DONE:
            return
        _airlift(t, s.facts, unit)


def _airlift(t: Table[BulgePosition], facts: Facts, unit: int) -> None:
    p = t.p
    marker = _marker_for(facts, p, unit)
    assert marker is not None
    if marker == len(p.air_hexes):
        p.air_hexes.append(p.where[unit])
        p.air_room.append(DIVISION)
    p.air_room[marker] -= facts.sizes[unit]
    p.airlifted |= 1 << unit
    t.say("7.5", f"{facts.rows[unit].name} is supplied from the air.", units=(unit,))

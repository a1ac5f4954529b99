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


@rule("7.5")
def needy(s: Situation, among: Iterable[int]) -> list[int]:
    """Units out of supply that a marker could still supply."""
    p = s.p
    if p.turn < AIR_FROM or (len(p.air_hexes) == MARKERS and not any(p.air_room)):
        return []
    cut_off = _cut_off(s)
    if not cut_off and p.disrupted < 0:
        return []
    wants = (s.facts.roster.within(p.where, cut_off) | union([p.disrupted])) & ~p.airlifted
    return [unit for unit in among if wants >> unit & 1 and _marker_for(s.facts, p, unit) is not None]


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
    yield roster.lost(p.where, "2.11")
    yield roster.not_of(ALLIED, "7.5")
    yield roster.not_come(p.where, "12.1")
    yield roster.bar(~among, "7.5", "takes no part in this battle")
    yield roster.bar(p.airlifted, "7.5", "is supplied from the air already")
    yield roster.bar(roster.within(p.where, ~_cut_off(s)), "7.5", "is in supply overland")
    yield Bar(-1, "7.5", lambda unit: f"no marker is left with room for {roster.name(unit)}, or its hex has two")


@rule("7.5")
def offer_airlift(t: Table[BulgePosition], s: Situation, among: Iterable[int], *, asked_for: bool = False) -> Play:
    """The Allied player may supply some, all or none of these units; a marker carries one division.

    Who has asked for it supplies at least one, or a player could ask for ever and nothing would happen.
    """
    p, facts = t.p, s.facts
    while units := needy(s, among):
        options: list[Choice] = [*units] if asked_for else [*units, DONE]
        asked_for = False
        about = Barred(partial(may_not_be_lifted, s, union(list(among))))
        unit = yield Decision(ALLIED, "Supply a unit from the air?", options, "7.5", Kind.UNIT, about=about)
        if unit == DONE:
            return
        marker = _marker_for(facts, p, unit)
        assert marker is not None
        if marker == len(p.air_hexes):
            p.air_hexes.append(p.where[unit])
            p.air_room.append(DIVISION)
        p.air_room[marker] -= facts.sizes[unit]
        p.airlifted |= 1 << unit
        t.say("7.5", f"{facts.rows[unit].name} is supplied from the air.", units=(unit,))

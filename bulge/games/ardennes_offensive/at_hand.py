"""Where units are, in words, and which cannot be chosen for anything: lost, still to come, the other side's."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.bars import Bar
from bulge.core.rulebook import rule
from bulge.games.ardennes_offensive.facts import ABSENT, SECTION_WORDS, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.hexes.roster import DUE, GONE


@rule("4.1", "14.0", "16.0A", "17.0")
def not_at_hand(facts: Facts, p: ArdennesPosition, side: str) -> Iterator[Bar]:
    """Units of the other side, and those of this one that are not in play."""
    roster, where = facts.roster, p.where
    yield roster.lost(where, "16.0A")
    absent, due = roster.at(where, ABSENT), roster.at(where, DUE)
    yield Bar(absent, "17.0", lambda unit: f"{roster.name(unit)} does not come in this scenario")
    yield Bar(due, "14.0", lambda unit: f"{roster.name(unit)} is {due_words(facts, p, unit)}")
    yield roster.not_of(side, "4.1")


@rule("14.0", "14.1A")
def due_words(facts: Facts, p: ArdennesPosition, unit: int) -> str:
    """When and where a reinforcement is due, or was and is kept out."""
    arrival = facts.arrivals[p.scenario][unit]
    way = SECTION_WORDS[arrival.section]
    where = way if arrival.section == "drop" else f"in the {way}"
    return f"due on turn {arrival.turn}, {where}" + (", and kept out so far" if p.late.get(unit) else "")


def unit_words(facts: Facts, p: ArdennesPosition, unit: int) -> str:
    row, at = facts.rows[unit], p.where[unit]
    if at == GONE:
        return f"{row.name}, lost"
    if at == ABSENT:
        return f"{row.name}, not in this scenario"
    if at == DUE:
        return f"{row.name}, {row.strength}-{row.movement}, {due_words(facts, p, unit)}"
    mode = ", in Road Mode" if p.road >> unit & 1 else ""
    values, place = f"{row.name}, {row.strength}-{row.movement}{mode}", facts.map.words(at)
    if facts.on_map[at]:
        return f"{values}, in {place}"
    if p.dormant >> unit & 1:
        return f"{values}, dormant at {place}"
    return f"{values}, arriving at {facts.map.words(facts.entry_of[at])}"

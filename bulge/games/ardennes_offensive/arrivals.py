"""Reinforcements: who is due, where they are placed, and how they come on (rule 14)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.decision import Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import (
    ALLIED,
    DUE,
    SECTION_WORDS,
    SECTIONS,
    Facts,
    aside,
    hex_beside,
    other,
    road_hex_cost,
)
from bulge.games.ardennes_offensive.movement import Walk, allowance, kept_back
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

STAGING = 2
"""Road hexes that a unit loses for each that came on before it at the same place (14.2B)."""


@dataclass(frozen=True)
class Placing:
    """A reinforcement that is about to be placed."""

    unit: int


# ---------------------------------------------------------------------- placing


@rule("14.0", "14.1A")
def reinforcements(t: Table[ArdennesPosition], facts: Facts, side: str) -> Play:
    """Everybody who is due is placed, in Road Mode; who finds every road of his section held is delayed."""
    p = t.p
    s = Situation(facts, p)
    while (unit := next_to_place(facts, p, side)) is not None:
        hexes = places_for(facts, s, unit)
        bit = 1 << unit
        if not hexes:
            p.late[unit] = p.late.get(unit, 0) + 1
            p.moved |= bit
            t.say("14.1A", f"{facts.rows[unit].name} is kept out for a turn.", units=(unit,))
            continue
        hex_ = hexes[0]
        if len(hexes) > 1:
            late, section = p.late.get(unit), facts.arrivals[p.scenario][unit].section
            way = "after its delay" if late else f"in the {SECTION_WORDS[section]}"
            prompt = f"Where does {facts.rows[unit].name} arrive, {way}?"
            hex_ = yield Decision(side, prompt, hexes, "14.1A", Kind.SPACE, top=True, about=Placing(unit))
        p.where[unit] = aside(hex_)
        p.road |= bit
        t.say("14.1A", f"{facts.rows[unit].name} arrives at {facts.board.name(hex_)}.", units=(unit,))
    p.moved = 0


def next_to_place(facts: Facts, p: ArdennesPosition, side: str) -> int | None:
    """The first unit that is due and has neither been placed nor put off this turn."""
    arrivals = facts.arrivals[p.scenario]
    for unit in facts.units_of[side]:
        if p.where[unit] != DUE or arrivals[unit].turn > p.turn or p.moved >> unit & 1:
            continue
        if unit != facts.drop_unit:
            return unit
    return None


@rule("14.1A")
def places_for(facts: Facts, s: Situation, unit: int) -> list[int]:
    """Where a reinforcement may be placed: a road of its section that the enemy neither holds nor controls.

    After a turn's delay the adjacent section serves; after two, whichever is the next one that is open.
    """
    section = facts.arrivals[s.p.scenario][unit].section.rstrip("B")
    if section == "E":
        return open_entries(facts, s, unit, "E")
    late, home = s.p.late.get(unit, 0), SECTIONS.index(section)
    if not late:
        return open_entries(facts, s, unit, section)
    for off in [1] if late == 1 else [1, 2, 3, 4, 0]:
        near = [name for at, name in enumerate(SECTIONS) if abs(at - home) == off]
        if found := [hex_ for name in near for hex_ in open_entries(facts, s, unit, name)]:
            return found
    return []


@rule("14.1A", "14.3C")
def open_entries(facts: Facts, s: Situation, unit: int, section: str) -> list[int]:
    """The entry hexes of a section by which this unit could come on."""
    return [hex_ for hex_ in facts.entries[section] if open_to(facts, s, unit, hex_)]


@rule("6.5F", "14.1A", "16.0F")
def open_to(facts: Facts, s: Situation, unit: int, entry: int) -> bool:
    """Whether the enemy leaves the first hex on the map free, and the bridge that leads there whole."""
    side, first = facts.side_of(unit), first_hex(facts, entry)
    if (s.occupied[other(side)] | s.unnegated(side)) >> first & 1 or bridge_is_cut(facts, s, unit, entry):
        return False
    return not kept_back(facts, s.p, unit) or bool(facts.beyond_meuse >> first & 1)


@rule("6.5F", "13.2B")
def bridge_is_cut(facts: Facts, s: Situation, unit: int, entry: int) -> bool:
    """Whether the road comes onto the map over an interdicted bridge: reinforcements are in Road Mode."""
    first = first_hex(facts, entry)
    return first != entry and s.cut_bridges(facts.side_of(unit)).between(entry, first)


def first_hex(facts: Facts, entry: int) -> int:
    """The first hex on the map for somebody who comes on here; a German entry hex lies on the map itself."""
    return facts.exit_of.get(entry, entry)


@rule("14.1A")
def place_again(t: Table[ArdennesPosition], facts: Facts, side: str) -> None:
    """Reinforcements that still wait beside a hex which the enemy has since closed are placed anew."""
    p = t.p
    s = Situation(facts, p)
    for unit in facts.units_of[side]:
        entry = hex_beside(p.where[unit])
        if entry >= 0 and not p.dormant >> unit & 1 and not open_to(facts, s, unit, entry):
            p.where[unit] = DUE
            p.road &= ~(1 << unit)


# ---------------------------------------------------------------------- coming on


@rule("6.5G", "14.1A", "14.2B")
def able_to_come_on(facts: Facts, s: Situation, units: list[int]) -> list[int]:
    """Those of these who could come on now: the first hex free of enemies and of others on the road."""
    shut, where, exit_of = s.shut_to_columns(0), s.p.where, facts.exit_of
    return [
        unit
        for unit in units
        if not shut >> exit_of.get(entry := hex_beside(where[unit]), entry) & 1
        and open_to(facts, s, unit, entry)
        and points_on_arrival(facts, s.p, unit) >= 0
    ]


@rule("14.2B")
def points_on_arrival(facts: Facts, p: ArdennesPosition, unit: int) -> int:
    """What a reinforcement has left once it stands in its first hex on the map."""
    side, entry = facts.side_of(unit), hex_beside(p.where[unit])
    road_hexes = STAGING * p.staged.get(entry, 0) + (side == ALLIED)
    return allowance(facts, p, unit) - road_hexes * road_hex_cost(side, facts.mechanized[unit])


@rule("14.1A", "14.2B")
def come_on(t: Table[ArdennesPosition], facts: Facts, s: Situation, unit: int) -> Walk:
    """A reinforcement enters its first hex and may march on from there."""
    p = t.p
    entry = hex_beside(p.where[unit])
    left = points_on_arrival(facts, p, unit)
    way = Walk(s, unit, first_hex(facts, entry), left)
    p.staged[entry] = p.staged.get(entry, 0) + 1
    p.where[unit] = way.here
    t.say("14.2B", f"{facts.rows[unit].name} comes on at {facts.board.name(way.here)}.", spaces=(way.here,))
    return way

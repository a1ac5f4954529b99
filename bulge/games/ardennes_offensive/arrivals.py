"""Reinforcements: who is due, where they are placed, and how they come on (rule 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from bulge.core.bars import Bar, open_to, shuts
from bulge.core.decision import Decision, Kind, Play, settle
from bulge.core.hexes import Sides
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import ALLIED, SECTION_WORDS, SECTIONS, Facts, other, road_hex_cost
from bulge.games.ardennes_offensive.movement import NOT_OVER_THE_MEUSE, Walk, allowance, kept_back
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.hexes.roster import DUE

STAGING = 2
"""Road hexes that a unit loses for each that came on before it at the same place (14.2B)."""


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
        late, section = p.late.get(unit), facts.arrivals[p.scenario][unit].section
        way = "after its delay" if late else f"in the {SECTION_WORDS[section]}"
        prompt = f"Where does {facts.rows[unit].name} arrive, {way}?"
        about = WhereItArrives(partial(no_arrival_now, facts, s, unit), units=[unit])
        hex_ = yield from settle(Decision(side, prompt, hexes, "14.1A", Kind.SPACE, top=True, about=about))
        p.where[unit] = facts.beside[hex_]
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
    open_ = open_to(union(facts.entries[section]), no_arrival(facts, s, unit))
    return [hex_ for hex_ in facts.entries[section] if open_ >> hex_ & 1]


@rule("14.1A", "14.3C")
def no_arrival(facts: Facts, s: Situation, unit: int) -> Iterator[Bar]:
    """Hexes at which a reinforcement may not be placed."""
    yield Bar(~facts.all_entries, "14.1A", "no road leads onto the map there")
    yield from closed_roads(facts, s, facts.side_of(unit))
    if kept_back(facts, s.p, unit):
        over = [entry for entry, first in facts.first_hex.items() if not facts.beyond_meuse >> first & 1]
        yield Bar(union(over), *NOT_OVER_THE_MEUSE)


@rule("6.5F", "13.2B", "14.1A", "16.0F")
def closed_roads(facts: Facts, s: Situation, side: str) -> Iterator[Bar]:
    """Entry hexes that the enemy closes: he has the first hex on the map, or cuts the bridge to it."""
    first_hex, name = facts.first_hex, facts.map.words
    held = s.occupied[other(side)] | s.unnegated(side)
    shut = entries_to(facts, held & facts.entered)
    yield Bar(
        shut, "14.1A", lambda at: f"the enemy holds or controls {name(first_hex[at])}, where it would come on"
    )
    yield Bar(
        entries_over(facts, s.interdicted(side)),
        "6.5F",
        lambda at: f"the bridge to {name(first_hex[at])} is interdicted, and it is in Road Mode",
    )


@rule("14.1A")
def place_again(t: Table[ArdennesPosition], facts: Facts, side: str) -> None:
    """Reinforcements that still wait beside a hex which the enemy has since closed are placed anew."""
    p = t.p
    open_ = open_to(facts.all_entries, closed_roads(facts, Situation(facts, p), side))
    for unit in facts.units_of[side]:
        entry = facts.entry_of.get(p.where[unit])
        if entry is not None and not p.dormant >> unit & 1 and not open_ >> entry & 1:
            p.where[unit] = DUE
            p.road &= ~(1 << unit)


class WhereItArrives(Barred):
    """By which road a reinforcement comes on."""


def no_arrival_now(facts: Facts, s: Situation, unit: int) -> Iterator[Bar]:
    """All that keeps a reinforcement from a hex, the section in which it is due included."""
    yield from no_arrival(facts, s, unit)
    words = f"it is due in the {SECTION_WORDS[facts.arrivals[s.p.scenario][unit].section]}"
    if s.p.late.get(unit):
        words += ", and after its delay it comes by the next section that is open"
    yield Bar(~union(places_for(facts, s, unit)), "14.1A", words)


# ---------------------------------------------------------------------- coming on


def able_to_come_on(facts: Facts, s: Situation, units: list[int]) -> list[int]:
    """Those of these, all of one side, who could come on now."""
    p, entry_of, open_ = s.p, facts.entry_of, roads_on(s, facts.side_of(units[0]))
    return [
        unit for unit in units if open_ >> entry_of[p.where[unit]] & 1 and points_on_arrival(facts, p, unit) >= 0
    ]


def roads_on(s: Situation, side: str) -> int:
    """The entry hexes by which a side's reinforcements may come on now; they change only with who is at a gate."""
    found = s.entries.get(side)
    if found is None:
        found = s.entries[side] = open_to(s.facts.all_entries, no_coming_on(s.facts, s, side))
    return found


@rule("6.5G", "14.1A")
def no_coming_on(facts: Facts, s: Situation, side: str) -> Iterator[Bar]:
    """Entry hexes by which nobody comes on now: for the enemy, or for others on the road."""
    yield from closed_roads(facts, s, side)
    shut = entries_behind(facts, s.everybody & facts.gate_hexes)
    yield Bar(shut, "6.5G", lambda at: f"it comes on in Road Mode, and there is {_in_its_way(facts, s, at)}")


# Which entries some hexes or bridges shut is asked for before every move, and seldom changes.


@lru_cache(maxsize=256)
def entries_to(facts: Facts, firsts: int) -> int:
    """The entries whose first hex is one of these."""
    return union([entry for entry, first in facts.first_hex.items() if firsts >> first & 1])


@lru_cache(maxsize=256)
def entries_over(facts: Facts, bridges: Sides) -> int:
    """The entries whose road comes onto the map over one of these bridges."""
    return union([edge for edge, exit_ in facts.edge_bridges if bridges.between(edge, exit_)])


@lru_cache(maxsize=1024)
def entries_behind(facts: Facts, units: int) -> int:
    """The entries at whose gate somebody stands."""
    return union([entry for entry, gate in facts.gates if gate & units])


def _in_its_way(facts: Facts, s: Situation, entry: int) -> str:
    names = s.names_in(s.everybody & dict(facts.gates)[entry])
    return f"{names} in {facts.map.words(facts.first_hex[entry])} or next to it on the road"


@rule("14.1A", "14.2B")
def may_not_come_on(facts: Facts, s: Situation, units: list[int]) -> Iterator[Bar]:
    """Those of these reinforcements who cannot come on now."""
    if not units:
        return
    p, entry = s.p, {unit: facts.entry_of[s.p.where[unit]] for unit in units}
    for bar in no_coming_on(facts, s, facts.side_of(units[0])):
        kept_out = union([unit for unit in units if shuts(bar, entry[unit])])
        yield Bar(kept_out, bar.rule, partial(_of_its_entry, bar, entry))
    tired = union([unit for unit in units if points_on_arrival(facts, p, unit) < 0])
    yield Bar(tired, "14.2B", "so many have come on there in this phase that it has no points left for it")


def _of_its_entry(bar: Bar, entry: Mapping[int, int], unit: int) -> str:
    return bar.words if isinstance(bar.words, str) else bar.words(entry[unit])


@rule("14.2B")
def points_on_arrival(facts: Facts, p: ArdennesPosition, unit: int) -> int:
    """What a reinforcement has left once it stands in its first hex on the map."""
    side, entry = facts.side_of(unit), facts.entry_of[p.where[unit]]
    road_hexes = STAGING * p.staged.get(entry, 0) + (side == ALLIED)
    return allowance(facts, p, unit) - road_hexes * road_hex_cost(side, facts.mechanized[unit])


@rule("14.1A", "14.2B")
def come_on(t: Table[ArdennesPosition], facts: Facts, s: Situation, unit: int) -> Walk:
    """A reinforcement enters its first hex and may march on from there."""
    p = t.p
    entry = facts.entry_of[p.where[unit]]
    left = points_on_arrival(facts, p, unit)
    way = Walk(s, unit, facts.first_hex[entry], left)
    p.staged[entry] = p.staged.get(entry, 0) + 1
    p.where[unit] = way.here
    t.say("14.2B", f"{facts.rows[unit].name} comes on at {facts.board.name(way.here)}.", spaces=(way.here,))
    return way

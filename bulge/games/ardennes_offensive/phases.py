"""The movement phases, and what comes before them: supply, forced conversions, the drop (4.1, 5, 6.7, 15)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_offensive.arrivals import able_to_come_on, come_on
from bulge.games.ardennes_offensive.facts import ALLIED, DUE, GERMAN, Facts, hex_beside
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import MODE_TOLL, STOP, Walk, allowance, walk
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

PROMPTS = {
    True: "Move a unit, or end the movement phase",
    False: "Move a mechanized unit that has not fought, or end the phase",
}
"""What is asked in the first and in the second movement phase."""

SURVIVES = 2
"""The highest die by which the paratroopers survive their drop (15.0)."""


# ---------------------------------------------------------------------- supply judgment


@rule("4.1", "12.0", "12.3G", "12.4K", "12.5L", "13.0", "13.1A", "E12.0-2")
def judge_supply(t: Table[ArdennesPosition], facts: Facts, side: str) -> None:
    """The supply of every unit of the side on turn, and its bridges, are settled for the whole player-turn."""
    p = t.p
    p.interdicting = Situation(facts, p).within_fire(side)
    s = Situation(facts, p)
    supplied, isolated = s.supplied_hexes(side), s.isolated_hexes(side)
    for unit in facts.units_of[side]:
        if (hex_ := p.where[unit]) >= 0 and not supplied >> hex_ & 1:
            p.unsupplied |= 1 << unit
            if isolated >> hex_ & 1:
                p.isolated |= 1 << unit
    for words, units in (("unsupplied", p.unsupplied & ~p.isolated), ("isolated", p.isolated)):
        if units and t.keeps_log:
            names = ", ".join(facts.rows[unit].name for unit in members(units))
            t.say("12.3G", f"{words.capitalize()}: {names}.", units=tuple(members(units)))


# ---------------------------------------------------------------------- forced conversions, and waking


@rule("6.4D", "6.7L", "E6.7L")
def convert(t: Table[ArdennesPosition], facts: Facts, side: str) -> None:
    """Units that fought in Road Mode leave it now, woken ones too; one without the points for it is eliminated."""
    p = t.p
    for unit in members(p.fought_on_road):
        if facts.side_of(unit) != side or not (p.where[unit] >= 0 or p.awake >> unit & 1):
            continue
        p.fought_on_road &= ~(1 << unit)
        name = facts.rows[unit].name
        if allowance(facts, p, unit) < MODE_TOLL[facts.mechanized[unit]]:
            t.say("6.7L", f"{name} cannot leave Road Mode as it must.", units=(unit,))
            eliminate(t, facts, unit, "6.7L")
        else:
            p.road &= ~(1 << unit)
            p.converted |= 1 << unit
            t.say("6.7L", f"{name} must leave Road Mode.", units=(unit,))


@rule("5.3M", "9.7P")
def wake(t: Table[ArdennesPosition], facts: Facts) -> None:
    """Dormant units next to an Allied unit in play may come back in this phase."""
    p = t.p
    if p.dormant:
        near = facts.board.around(Situation(facts, p).occupied[ALLIED])
        p.awake = sum(1 << unit for unit in members(p.dormant) if near >> hex_beside(p.where[unit]) & 1)


# ---------------------------------------------------------------------- movement


@rule("4.1", "5.1A", "5.2K", "6.2A", "6.2B")
def movement_phase(t: Table[ArdennesPosition], facts: Facts, side: str, *, initial: bool) -> Play:
    """Units move one at a time, each at most once; after combat only mechanized ones that did not fight."""
    p = t.p
    s = Situation(facts, p)
    waiting = waiting_to_move(facts, p, side, initial)
    arriving = [
        unit
        for unit in facts.units_of[side]
        if hex_beside(p.where[unit]) >= 0
        and not p.dormant >> unit & 1
        and not p.moved >> unit & 1
        and (initial or facts.mechanized[unit])
    ]
    while True:
        options: list[Choice]
        crowding = must_part(facts, s, waiting, side) if initial else []
        if crowding:
            options = [*crowding]
            prompt = "Move a unit away from its neighbour on the road: one of them is in Road Mode"
        else:
            coming = able_to_come_on(facts, s, arriving) if arriving else []
            options = [*movable(facts, s, waiting, side), *coming]
            prompt = f"Move a unit; reinforcements that can come on must: {len(coming)}"
            if not coming:
                options.append(DONE)
                prompt = PROMPTS[initial]
        if options == [DONE]:
            break
        unit = yield Decision(side, prompt, options, "5.0", Kind.UNIT, top=True)
        if unit == DONE:
            break
        if unit in waiting:
            waiting.remove(unit)
            yield from walk(t, facts, start_of_move(facts, s, unit, must_go=unit in crowding))
        else:
            arriving.remove(unit)
            yield from walk(t, facts, come_on(t, facts, s, unit))
    p.moved = p.awake = p.converted = 0
    p.staged = {}


def waiting_to_move(facts: Facts, p: ArdennesPosition, side: str, initial: bool) -> list[int]:
    """The units in play that may move in this phase, and the dormant ones that have been woken."""
    done = p.moved
    if not initial:
        done |= p.attacked | ~facts.mechanized_set
    where, awake = p.where, p.awake
    return [
        unit for unit in facts.units_of[side] if not done >> unit & 1 and (where[unit] >= 0 or awake >> unit & 1)
    ]


@rule("5.2G", "7.1A", "7.2B")
def movable(facts: Facts, s: Situation, units: list[int], side: str) -> list[int]:
    """Those of these that can do anything at all: alone in an enemy zone, a unit can at best change its mode."""
    zone = s.zones[ALLIED if side == GERMAN else GERMAN]
    where, loads, size, roads = s.p.where, s.loads, facts.size, facts.road_hexes
    return [
        unit
        for unit in units
        if not zone >> (hex_ := max(where[unit], 0)) & 1
        or loads[hex_] > size[unit]
        or (roads >> hex_ & 1 and may_change_mode(facts, s, unit))
    ]


@rule("6.3C", "6.5G")
def may_change_mode(facts: Facts, s: Situation, unit: int) -> bool:
    """Whether a unit alone on a road could change its mode where it stands."""
    p, hex_ = s.p, s.p.where[unit]
    if allowance(facts, p, unit) < MODE_TOLL[facts.mechanized[unit]]:
        return False
    if p.road >> unit & 1:
        return True
    if not facts.marched_by(facts.side_of(unit)) >> hex_ & 1:
        return False
    return not facts.roads.across(1 << hex_) & (s.occupied[GERMAN] | s.occupied[ALLIED])


def start_of_move(facts: Facts, s: Situation, unit: int, *, must_go: bool = False) -> Walk:
    """A unit begins to move where it stands; a woken one, beside the map."""
    where = s.p.where[unit]
    here = where if where >= 0 else hex_beside(where)
    return Walk(s, unit, here, allowance(facts, s.p, unit), must_go=must_go)


@rule("6.7N")
def in_the_way(facts: Facts, s: Situation, unit: int) -> bool:
    """Whether a unit is next to a friend on the road, one of the two in Road Mode: a retreat may end so."""
    hex_, side = s.p.where[unit], facts.side_of(unit)
    if hex_ < 0 or not s.marching[side]:
        return False
    near = facts.roads.across(1 << hex_)
    friends = s.occupied[side] if s.p.road >> unit & 1 else s.marching[side]
    return bool(near & friends)


@rule("6.7N")
def must_part(facts: Facts, s: Situation, units: list[int], side: str) -> list[int]:
    """Those of these units that must enter another hex before all others do anything: to deploy is not enough."""
    if not facts.roads.across(s.marching[side]) & s.occupied[side]:
        return []
    crowding = [unit for unit in units if in_the_way(facts, s, unit)]
    return [unit for unit in crowding if start_of_move(facts, s, unit, must_go=True).options() != [STOP]]


# ---------------------------------------------------------------------- the drop


@rule("15.0")
def drop_hexes(facts: Facts, s: Situation) -> int:
    """Where the paratroopers may land: no Allied unit, none of their zones, and room among Germans."""
    taken = s.occupied[ALLIED] | s.unnegated(GERMAN) | s.crowded(1) | s.beside_columns(GERMAN)
    return facts.passable & ~taken


@rule("15.0")
def paradrop(t: Table[ArdennesPosition], facts: Facts) -> Play:
    """On its turn von der Heydte's unit must be dropped; a die says whether it survives."""
    p, unit = t.p, facts.drop_unit
    if p.where[unit] != DUE or facts.arrivals[p.scenario][unit].turn > p.turn:
        return
    hexes = members(drop_hexes(facts, Situation(facts, p)))
    if not hexes:
        return
    prompt = "Where do von der Heydte's paratroopers land? A 1 or a 2 saves them"
    hex_ = yield Decision(GERMAN, prompt, hexes, "15.0", Kind.SPACE, top=True)
    p.where[unit] = hex_
    if t.roll("15.0", f"the drop in {facts.board.name(hex_)} (1 or 2 survives)") > SURVIVES:
        eliminate(t, facts, unit, "15.0")
    else:
        t.say("15.0", f"The paratroopers hold {facts.board.name(hex_)}.", spaces=(hex_,), units=(unit,))

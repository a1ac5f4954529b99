"""The movement phases, and what comes before them: supply and forced conversions (rules 4.1, 5, 6.7 and 12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_offensive.arrivals import able_to_come_on, come_on, may_not_come_on
from bulge.games.ardennes_offensive.at_hand import not_at_hand
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, Facts
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import MODE_TOLL, STOP, Walk, allowance
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.ardennes_offensive.walking import walk

PROMPTS = {
    True: "Move a unit, or end the movement phase",
    False: "Move a mechanized unit that has not fought, or end the phase",
}
"""What is asked in the first and in the second movement phase."""


# ---------------------------------------------------------------------- supply judgment


@rule("4.1", "12.0", "12.3G", "12.4K", "12.5L", "13.0", "13.1A", "E12.0-2")
def judge_supply(t: Table[ArdennesPosition], facts: Facts, side: str) -> None:
    """The supply of every unit of the side on turn, and its bridges, are settled for the whole player-turn."""
    p = t.p
    p.interdicting = Situation(facts, p).within_fire(side)
    s = Situation(facts, p)
    supplied, isolated = s.supplied_hexes(side), s.isolated_hexes(side)
    for unit in facts.units_of[side]:
        if facts.on_map[hex_ := p.where[unit]] and not supplied >> hex_ & 1:
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
        if facts.side_of(unit) != side or not (facts.on_map[p.where[unit]] or p.awake >> unit & 1):
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
        p.awake = sum(1 << unit for unit in members(p.dormant) if near >> p.where[unit] & 1)


# ---------------------------------------------------------------------- movement


@rule("4.1", "5.1A", "5.2K", "6.2A", "6.2B")
def movement_phase(t: Table[ArdennesPosition], facts: Facts, side: str, *, initial: bool) -> Play:
    """Units move one at a time, each at most once; after combat only mechanized ones that did not fight."""
    p = t.p
    s = Situation(facts, p)
    waiting, arriving = waiting_to_move(facts, p, side, initial), waiting_to_arrive(facts, p, side, initial)
    question = WhoMoves(facts, initial)
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
        unit = yield Decision(side, prompt, options, "5.0", Kind.UNIT, top=True, about=question)
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
    where, on_map, awake = p.where, facts.on_map, p.awake
    return [
        unit
        for unit in facts.units_of[side]
        if not done >> unit & 1 and (on_map[where[unit]] or awake >> unit & 1)
    ]


def waiting_to_arrive(facts: Facts, p: ArdennesPosition, side: str, initial: bool) -> list[int]:
    """The reinforcements beside the map that may come on in this phase."""
    done = p.moved | p.dormant
    if not initial:
        done |= ~facts.mechanized_set
    return [unit for unit in facts.units_of[side] if p.where[unit] in facts.entry_of and not done >> unit & 1]


@rule("5.2G", "7.1A", "7.2B")
def movable(facts: Facts, s: Situation, units: list[int], side: str) -> list[int]:
    """Those of these that can do anything at all: alone in an enemy zone, a unit can at best change its mode."""
    zone = s.zones[ALLIED if side == GERMAN else GERMAN]
    where, loads, size, roads = s.p.where, s.loads, facts.size, facts.road_hexes
    zone &= facts.live
    held = [unit for unit in units if zone >> where[unit] & 1]
    stuck = [
        unit
        for unit in held
        if loads[where[unit]] == size[unit] and not (roads >> where[unit] & 1 and may_change_mode(facts, s, unit))
    ]
    return [unit for unit in units if unit not in stuck] if stuck else units


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
    """A unit begins to move where it stands; a woken one, on the map's edge."""
    return Walk(s, unit, s.p.where[unit], allowance(facts, s.p, unit), must_go=must_go)


@rule("6.7N")
def in_the_way(facts: Facts, s: Situation, unit: int) -> bool:
    """Whether a unit is next to a friend on the road, one of the two in Road Mode: a retreat may end so."""
    hex_, side = s.p.where[unit], facts.side_of(unit)
    if not facts.on_map[hex_] or not s.marching[side]:
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


@rule("5.2F", "8.0", "8.2C")
def hemmed_in(facts: Facts, s: Situation, side: str, units: Sequence[Choice]) -> int:
    """Those of these units that can enter no hex and not change their mode; a vacant hex beside them is enough."""
    close = s.occupied[side] & ~facts.board.around(facts.passable & ~s.everybody)
    doubtful = [unit for hex_ in members(close) for unit in s.stack(hex_) if unit in units]
    return union([unit for unit in doubtful if start_of_move(facts, s, unit).options() == [STOP]])


# ---------------------------------------------------------------------- who moves


@dataclass(frozen=True, slots=True)
class WhoMoves(Question):
    """The next unit to move or to come on, or the end of the phase."""

    facts: Facts
    initial: bool

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice != DONE:
            return plain
        return replace(plain, words="end the phase", role="end_phase" if self.initial else "end_turn")

    def idle(self, t: Table[ArdennesPosition], decision: Decision) -> int:
        return hemmed_in(self.facts, Situation(self.facts, t.p), decision.side, decision.options)

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        return may_not_move(self.facts, Situation(self.facts, t.p), decision.side, initial=self.initial)

    def why_not_word(self, t: Table[ArdennesPosition], decision: Decision, word: str) -> Refusal | None:
        if word != DONE:
            return None
        names = ", ".join(self.facts.rows[unit].name for unit in decision.options if isinstance(unit, int))
        s = Situation(self.facts, t.p)
        if self.initial and must_part(
            self.facts, s, [u for u in decision.options if isinstance(u, int)], decision.side
        ):
            return Refusal("6.7N", f"units next to a friend in Road Mode on the road must part first: {names}")
        return Refusal("14.1A", f"reinforcements that can come on must; these can move or come on: {names}")


@rule("5.0", "5.2G", "5.2K", "5.3M", "6.7N", "7.1A")
def may_not_move(facts: Facts, s: Situation, side: str, *, initial: bool) -> Iterator[Bar]:
    """Units that do not move now, in play or beside the map."""
    p, rows, where = s.p, facts.rows, s.p.where
    yield from not_at_hand(facts, p, side)
    yield Bar(p.moved, "5.0", lambda unit: f"{rows[unit].name} has moved already")
    asleep = p.dormant & ~p.awake
    yield Bar(asleep, "5.3M", lambda unit: f"{rows[unit].name} is dormant until an Allied unit stands next to it")
    if not initial:
        yield Bar(~facts.mechanized_set, "5.2K", lambda unit: f"{rows[unit].name} is not mechanized")
        yield Bar(p.attacked, "5.2K", lambda unit: f"{rows[unit].name} has fought in this turn")
    else:
        waiting = waiting_to_move(facts, p, side, initial)
        if crowding := must_part(facts, s, waiting, side):
            first = ", ".join(rows[unit].name for unit in crowding)
            words = f"units next to a friend in Road Mode on the road move first: {first}"
            yield Bar(~union(crowding), "6.7N", words)
    yield from may_not_come_on(facts, s, waiting_to_arrive(facts, p, side, initial))
    alone = [
        unit for unit in facts.units_of[side] if facts.on_map[where[unit]] and not movable(facts, s, [unit], side)
    ]
    yield Bar(
        union(alone), "7.1A", lambda unit: f"{rows[unit].name} is alone in an enemy zone and may not leave it"
    )

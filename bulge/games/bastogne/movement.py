"""Movement of both sides (rules 14.3, 15, 25.1, 26.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, Refusal
from bulge.core.look import Reachable
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked, no_room, not_at_hand, not_on_the_map, who_stands
from bulge.games.bastogne.facts import (
    ALLOWED_MOST,
    LEADER_MOVES,
    STACK_LIMIT,
    TRACKS,
    US,
    Facts,
    counted,
)
from bulge.games.bastogne.losses import go_together
from bulge.games.bastogne.morale import level
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import (
    commander,
    commands,
    full_spaces,
    german_spaces,
    germans_in,
    has_room,
    load,
    us_in,
    us_spaces,
    weather,
)
from bulge.games.bastogne.targets import ORDERS, give_order, orders

INTELLIGENCE = "intelligence"

# ---------------------------------------------------------------------- German movement (15.7)


@rule("9.4", "9.5", "15.6", "15.7", "15.8", "15.9")
def move_germans(t: SiegeTable, facts: Facts) -> None:
    """Track by track from the north, the foremost units first, as far as they can towards the Center."""
    p = t.p
    name, allowance = level(p)
    t.say("15.6", f"German morale is {name}: German units move {allowance}.")
    for track, line in enumerate(facts.tracks):
        division = facts.formations[p.division[track]].name
        if not p.assault >> track & 1:
            t.say("9.5", f"{TRACKS[track]}: {division} is in refit mode and does not move.")
            continue
        barred = us_spaces(facts, p)
        for number in range(1, len(line)):
            goal = number
            while goal and number - goal < allowance and not barred >> line[goal - 1] & 1:
                goal -= 1
            if goal == number:
                continue
            if units := germans_in(facts, p, line[number]):
                way = line[number - 1 : goal - 1 if goal else None : -1]
                go_together(t, facts, units, way, "15.7", "moves" if len(units) == 1 else "move")


# ---------------------------------------------------------------------- US movement (15.4, 15.5)


Ways = dict[int, tuple[int, ...]]
"""Everywhere that a unit can go, with the way there."""


@rule("15.3", "15.4", "25.1", "26.1", "29.0")
def allowance(facts: Facts, p: BastognePosition, unit: int) -> int:
    """By weather; leaders always three, HQs one more than the others, at most four."""
    return allowances(facts, p)[facts.pace[unit]] + (p.quick and p.where[unit] == facts.center)


def allowances(facts: Facts, p: BastognePosition) -> tuple[int, int, int]:
    most = weather(facts, p).movement
    return most, min(ALLOWED_MOST, most + 1), LEADER_MOVES


@rule("15.2", "15.8", "15.9", "15.10")
def ways_along(facts: Facts, space: int, spaces: int, barred: int) -> Ways:
    """Everywhere that a move of so many spaces leads along tracks; the Center ends it."""
    found: Ways = {}
    for ray in facts.rays[space]:
        for way in ray[:spaces]:
            if barred >> way[-1] & 1:
                break
            found[way[-1]] = way
    return found


@rule("15.5")
def _lateral_ends(facts: Facts, p: BastognePosition, space: int, barred: int) -> list[int]:
    """A lateral road takes the whole allowance and ends in a US controlled space."""
    return [end for end in facts.laterals.get(space, []) if not (barred | p.german) >> end & 1]


@rule("14.1", "15.2", "15.5")
def ways_of(facts: Facts, p: BastognePosition, unit: int) -> Ways:
    """Where a unit may end by its own allowance: along tracks, or by a lateral road."""
    here, barred = p.where[unit], german_spaces(facts, p)
    found = ways_along(facts, here, allowance(facts, p, unit), barred)
    if laterals := _lateral_ends(facts, p, here, barred):
        found = {end: (here, end) for end in laterals} | found
    full = full_spaces(facts, p) if facts.battalions[unit] else 0
    return {end: way for end, way in found.items() if not full >> end & 1}


def cost_of(facts: Facts, way: tuple[int, ...]) -> str:
    """Spaces on the way; a lateral road takes all that the unit has."""
    lateral = len(way) == 2 and way[1] in facts.laterals.get(way[0], [])
    return "all" if lateral else str(len(way) - 1)


@rule("14.3")
def overstacked_center(facts: Facts, p: BastognePosition) -> bool:
    return load(facts, p, facts.center) > STACK_LIMIT


@rule("14.3", "25.1", "26.1")
def must_make_room(facts: Facts, p: BastognePosition, movable: list[int]) -> list[int]:
    """While the Center is overstacked, a battalion leaves it before anybody else moves, or is led out."""
    if not overstacked_center(facts, p):
        return []
    return [unit for unit in movable if p.where[unit] == facts.center and _makes_room(facts, p, unit)]


def _makes_room(facts: Facts, p: BastognePosition, unit: int) -> bool:
    return bool(facts.battalions[unit] or ways_to_lead_out(facts, p, unit))


@rule("14.3")
def ways_to_lead_out(facts: Facts, p: BastognePosition, guide: int) -> Ways:
    """The ways of a leader or HQ on which a battalion that goes along can be dropped."""
    led = [mate for mate in _companions(facts, p, guide) if facts.battalions[mate]]
    if not led:
        return {}
    return {end: way for end, way in ways_of(facts, p, guide).items() if _rides(facts, p, led[0], way)}


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoMoves(Asked):
    sector: int
    said = {
        INTELLIGENCE: "use the Intelligence marker: one space more for units that start in the Center",
        DONE: "end movement",
    } | ORDERS
    asides = (INTELLIGENCE, *ORDERS)

    @rule("15.1", "15.2")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name = self.facts, self.facts.name_of
        yield from not_at_hand(facts, p)
        yield Bar(p.done, "15.2", lambda unit: f"{name(unit)} has moved already")
        if p.shared:
            others = ~union([unit for unit in facts.rank if self.sector >> max(0, p.where[unit]) & 1])
            yield Bar(others, "1.0", lambda unit: f"{commander(facts, p, p.where[unit])} commands {name(unit)}")
        words = "has nowhere to go: Germans or full spaces are all round"
        yield Bar(stuck(facts, p), "15.8", lambda unit: f"{name(unit)} {words}")

    def bars(self, t: SiegeTable, decision: Decision) -> Iterator[Bar]:
        yield from self.shut(t.p)
        if DONE not in decision.options:
            yield Bar(-1, "14.3", "a battalion must leave the overstacked Center first, alone or led")

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        if word == DONE:
            return Refusal("14.3", "the Center is overstacked: a battalion must leave it first")
        if word == INTELLIGENCE:
            return Refusal("29.0", "no Intelligence marker is at hand, or it is used already")
        return None


def stuck(facts: Facts, p: BastognePosition) -> int:
    """Who could move and has nowhere to go; of those in one space that are alike, one is looked at."""
    found, barred, full = 0, german_spaces(facts, p), full_spaces(facts, p)
    known: dict[tuple[int, int, int], bool] = {}
    most, done = allowances(facts, p), p.done
    for unit, alike in enumerate(zip(p.where, facts.pace, facts.battalions, strict=False)):
        if alike[0] >= 0 and not done >> unit & 1:
            goes = known.get(alike)
            if goes is None:
                here, pace, heavy = alike
                spaces = most[pace] + (p.quick and here == facts.center)
                goes = known[alike] = _has_a_way(facts, p, here, spaces, barred, full if heavy else 0)
            if not goes:
                found |= 1 << unit
    return found


def _has_a_way(facts: Facts, p: BastognePosition, here: int, spaces: int, barred: int, full: int) -> bool:
    for ray in facts.rays[here]:
        for way in ray[:spaces]:
            if barred >> way[-1] & 1:
                break
            if not full >> way[-1] & 1:
                return True
    return bool(union(_lateral_ends(facts, p, here, barred)) & ~full)


@rule("14.3", "15.1", "15.2")
def move_us(t: SiegeTable, facts: Facts) -> Play:
    """Units move one at a time, each once; leaders and HQs take others along."""
    p = t.p
    while p.cursor < len(commands(facts, p)):
        side, sector = commands(facts, p)[p.cursor]
        question = WhoMoves(facts, sector=sector)
        movable = question.open(p, facts.led_set)
        crowded = must_make_room(facts, p, movable)
        options: list[Choice] = [*crowded] or [*movable, DONE]
        if p.intelligence and not p.quick and side == US:
            options.append(INTELLIGENCE)
        if options != [DONE]:
            options += orders(p, side)
        unit: Choice = DONE
        if options != [DONE]:
            prompt, rule_ = "Move a unit, or end movement", "15.2"
            if crowded:
                prompt, rule_ = "The Center is overstacked: which unit leaves it?", "14.3"
            unit = yield Decision(side, prompt, options, rule_, Kind.UNIT, top=True, about=question)
        if unit == INTELLIGENCE:
            _hurry(t, facts)
        elif unit in ORDERS:
            give_order(t, unit)
        elif isinstance(unit, int):
            yield from _move(t, facts, side, unit)
        else:
            p.cursor += 1
    p.cursor = p.done = 0
    p.quick = p.order_given = False


@rule("29.0")
def _hurry(t: SiegeTable, facts: Facts) -> None:
    """The Intelligence marker is used up: one space more for all who start in the Center."""
    use_intelligence(t, facts)
    t.p.quick = True
    t.say("29.0", "Units that start in the Center move one space more.")


@rule("29.0", "7.4")
def use_intelligence(t: SiegeTable, facts: Facts) -> None:
    t.p.intelligence -= 1
    t.p.cup.append(next(at for at, row in enumerate(facts.events) if row.id == "intelligence"))


def _move(t: SiegeTable, facts: Facts, side: str, unit: int) -> Play:
    p = t.p
    ways = ways_of(facts, p, unit)
    crowded = overstacked_center(facts, p) and p.where[unit] == facts.center and not facts.battalions[unit]
    if crowded:
        ways = ways_to_lead_out(facts, p, unit) or ways
    prompt, question = f"Where does {facts.name_of(unit)} go?", WhereTo(facts, unit=unit, ways=ways)
    end = next(iter(ways))
    if len(ways) > 1:
        end = yield Decision(side, prompt, [*ways], "15.5", Kind.SPACE, about=question)
    way = ways[end]
    companions = _companions(facts, p, unit)
    walk(t, facts, unit, way)
    while companions := [mate for mate in companions if _rides(facts, p, mate, way)]:
        must = [mate for mate in companions if facts.battalions[mate]] if crowded else []
        options: list[Choice] = [*must] or [*companions, DONE]
        crowded = False
        rule_ = "25.1" if unit in facts.leaders else "26.1"
        prompt, with_ = f"Who goes with {facts.name_of(unit)}?", WhoGoesAlong(facts, unit=unit, ways={end: way})
        mate = yield Decision(side, prompt, options, rule_, Kind.UNIT, about=with_)
        if mate == DONE:
            return
        companions.remove(mate)
        drops = _rides(facts, p, mate, way)
        drop = drops[0]
        if len(drops) > 1:
            prompt = f"How far does {facts.name_of(mate)} go along?"
            about = HowFar(facts, unit=mate, ways={stop: way[: way.index(stop) + 1] for stop in drops})
            drop = yield Decision(side, prompt, drops, rule_, Kind.SPACE, about=about)
        walk(t, facts, mate, way[: way.index(drop) + 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereTo(Asked):
    """A unit that moves, and everywhere it can go."""

    ways: Ways

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, unit = self.facts, self.unit
        yield from not_on_the_map(facts)
        yield Bar(1 << p.where[unit], "15.2", "the unit is there now")
        yield Bar(german_spaces(facts, p), "15.8", lambda space: f"{who_stands(facts, p, space)} there")
        lost = union(facts.laterals.get(p.where[unit], [])) & p.german
        yield Bar(lost, "15.5", "a lateral road must end in a US controlled space")
        yield from no_room(facts, p, unit)
        most = counted(allowance(facts, p, unit), "space")
        words = f"it is beyond the {most} that the unit can move, behind Germans, or behind the Center"
        yield Bar(~union(self.ways), "15.4", words)

    @rule("15.5")
    def cost(self, t: SiegeTable, space: int) -> str:
        return cost_of(self.facts, self.ways[space])

    def reachable(self, t: SiegeTable, decision: Decision) -> Reachable:
        name = self.facts.board.name
        costs = {name(end): self.cost(t, end) for end in self.ways}
        return Reachable(costs, {name(end): tuple(map(name, way)) for end, way in self.ways.items()})


class WhoGoesAlong(WhereTo):
    """Who goes with a leader or HQ, all or part of its way."""

    said = {DONE: "nobody else goes along"}

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name = self.facts, self.facts.name_of
        (way,) = self.ways.values()
        yield from not_at_hand(facts, p)
        yield Bar(p.done, "15.2", lambda unit: f"{name(unit)} has moved already")
        off = union(unit for unit in facts.rank if p.where[unit] != way[0])
        yield Bar(off, "25.1", lambda unit: f"{name(unit)} did not start in {facts.at(way[0])}")
        yield Bar(~facts.us_set, "25.1", "a leader moves by himself")
        if self.unit not in facts.leaders:
            yield Bar(union(facts.hqs), "26.1", "an HQ takes no other HQ along")
        full = full_spaces(facts, p)
        if all(full >> space & 1 for space in way[1:]):
            yield Bar(union(facts.stacking), "14.1", "no space on the way has room for a battalion")
        yield Bar(-1, "14.3", "a battalion must leave the overstacked Center first")

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        return Refusal("14.3", "a battalion must leave the overstacked Center first") if word == DONE else None


class HowFar(WhereTo):
    """Where a unit that goes along is dropped."""

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from no_room(self.facts, p, self.unit)
        yield Bar(~union(self.ways), "25.1", "it is not on the way of the leader or HQ")


@rule("25.1", "26.1")
def _companions(facts: Facts, p: BastognePosition, guide: int) -> list[int]:
    """Whom a leader or HQ may take along: units of its space that have not moved; an HQ takes no other HQ."""
    if guide not in facts.leaders and guide not in facts.hqs:
        return []
    here = [unit for unit in us_in(facts, p, p.where[guide]) if not p.done >> unit & 1]
    return [unit for unit in here if guide in facts.leaders or unit not in facts.hqs]


def _rides(facts: Facts, p: BastognePosition, mate: int, way: tuple[int, ...]) -> list[int]:
    """Where along the way a unit may be dropped off, the farthest first."""
    return [space for space in reversed(way[1:]) if has_room(facts, p, mate, space)]


@rule("5.2", "15.2")
def walk(t: SiegeTable, facts: Facts, unit: int, way: tuple[int, ...]) -> None:
    """Every space on the way comes under US control, unless it is a leader who passes."""
    p = t.p
    start = p.where[unit]
    p.where[unit] = way[-1]
    p.german &= -1 if unit in facts.leaders else ~union(way)
    p.done |= 1 << unit
    words = f"{facts.name_of(unit)} moves to {facts.at(way[-1])}."
    t.say("15.2", words, spaces=(start, *way[1:]), units=(unit,), kind="move")

"""Movement of both sides (rules 14.3, 15, 25.1, 26.1)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.bastogne.facts import (
    ALLOWED_MOST,
    LEADER_MOVES,
    STACK_LIMIT,
    TRACKS,
    US,
    Facts,
)
from bulge.games.bastogne.losses import go_together, settle
from bulge.games.bastogne.morale import level
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import (
    commands,
    german_spaces,
    germans_in,
    has_room,
    load,
    us_in,
    us_spaces,
    weather,
)

INTELLIGENCE = "intelligence"

# ---------------------------------------------------------------------- German movement (15.7)


@rule("9.4", "9.5", "15.6", "15.7", "15.8", "15.9")
def move_germans(t: Table[BastognePosition], facts: Facts) -> Play:
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
            units = germans_in(facts, p, line[number])
            if units and goal != number:
                way = line[number - 1 : goal - 1 if goal else None : -1]
                go_together(t, facts, units, way, "15.7", "moves" if len(units) == 1 else "move")
    return
    yield


# ---------------------------------------------------------------------- US movement (15.4, 15.5)


@dataclass(frozen=True)
class Move:
    """A unit that moves, and everywhere it can go, with the way there."""

    unit: int
    ways: dict[int, tuple[int, ...]]

    @rule("15.5")
    def cost(self, facts: Facts, end: int) -> str:
        """Spaces on the way; a lateral road takes all that the unit has."""
        way = self.ways[end]
        lateral = len(way) == 2 and end in facts.laterals.get(way[0], [])
        return "all" if lateral else str(len(way) - 1)


@rule("15.3", "15.4", "25.1", "26.1", "29.0")
def allowance(facts: Facts, p: BastognePosition, unit: int) -> int:
    """By weather; leaders always three, HQs one more than the others, at most four."""
    most = weather(facts, p).movement
    if unit in facts.leaders:
        most = LEADER_MOVES
    elif unit in facts.hqs:
        most = min(ALLOWED_MOST, most + 1)
    return most + (p.quick and p.where[unit] == facts.center)


@rule("15.2", "15.5", "15.8", "15.9", "15.10")
def ways(facts: Facts, p: BastognePosition, space: int, spaces: int) -> dict[int, tuple[int, ...]]:
    """Everywhere that a move of so many spaces leads: along tracks, ending in the Center, or by a lateral road."""
    barred = german_spaces(facts, p) | facts.staging_areas
    found: dict[int, tuple[int, ...]] = {}
    front: list[tuple[int, ...]] = [(space,)]
    for _ in range(spaces):
        steps = [(*way, near) for way in front for near in members(facts.beside[way[-1]] & ~barred)]
        front = [way for way in steps if way[-1] not in found and way[-1] != space]
        found |= {way[-1]: way for way in front}
        front = [way for way in front if way[-1] != facts.center]
    for end in _lateral_ends(facts, p, space, barred):
        found.setdefault(end, (space, end))
    return found


@rule("15.5")
def _lateral_ends(facts: Facts, p: BastognePosition, space: int, barred: int) -> list[int]:
    """A lateral road takes the whole allowance and ends in a US controlled space."""
    return [end for end in facts.laterals.get(space, []) if not (barred | p.german) >> end & 1]


def move_of(facts: Facts, p: BastognePosition, unit: int) -> Move:
    """Where a unit may end by its own allowance."""
    found = ways(facts, p, p.where[unit], allowance(facts, p, unit))
    return Move(unit, {end: way for end, way in found.items() if has_room(facts, p, unit, end)})


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
def ways_to_lead_out(facts: Facts, p: BastognePosition, guide: int) -> dict[int, tuple[int, ...]]:
    """The ways of a leader or HQ on which a battalion that goes along can be dropped."""
    led = [mate for mate in _companions(facts, p, guide) if facts.battalions[mate]]
    if not led:
        return {}
    return {end: way for end, way in move_of(facts, p, guide).ways.items() if _rides(facts, p, led[0], way)}


def _movable(facts: Facts, p: BastognePosition, sector: int) -> list[int]:
    """Who has not moved and has somewhere to go; units of one space that are alike are asked for once."""
    known: dict[tuple[int, int, int], bool] = {}
    found = []
    for unit in range(facts.leaders.stop):
        here = p.where[unit]
        if here < 0 or not sector >> here & 1 or p.done >> unit & 1:
            continue
        alike = here, allowance(facts, p, unit), facts.battalions[unit]
        if alike not in known:
            known[alike] = bool(move_of(facts, p, unit).ways)
        if known[alike]:
            found.append(unit)
    return found


@rule("14.3", "15.1", "15.2")
def move_us(t: Table[BastognePosition], facts: Facts) -> Play:
    """Units move one at a time, each once; leaders and HQs take others along."""
    p = t.p
    while p.cursor < len(commands(facts, p)):
        side, sector = commands(facts, p)[p.cursor]
        options: list[Choice] = []
        movable = _movable(facts, p, sector)
        crowded = must_make_room(facts, p, movable)
        options += crowded or [*movable, DONE]
        if p.intelligence and not p.quick and side == US:
            options.append(INTELLIGENCE)
        unit: Choice = DONE
        if options != [DONE]:
            prompt, rule_ = "Move a unit, or end movement", "15.2"
            if crowded:
                prompt, rule_ = "The Center is overstacked: which unit leaves it?", "14.3"
            unit = yield Decision(side, prompt, options, rule_, Kind.UNIT, top=True)
        if unit == INTELLIGENCE:
            _hurry(t, facts)
        elif isinstance(unit, int):
            yield from _move(t, facts, side, unit)
        else:
            p.cursor += 1
    p.cursor = p.done = 0
    p.quick = False


@rule("29.0")
def _hurry(t: Table[BastognePosition], facts: Facts) -> None:
    """The Intelligence marker is used up: one space more for all who start in the Center."""
    use_intelligence(t, facts)
    t.p.quick = True
    t.say("29.0", "Units that start in the Center move one space more.")


@rule("29.0", "7.4")
def use_intelligence(t: Table[BastognePosition], facts: Facts) -> None:
    t.p.intelligence -= 1
    t.p.cup.append(next(at for at, row in enumerate(facts.events) if row.id == "intelligence"))


def _move(t: Table[BastognePosition], facts: Facts, side: str, unit: int) -> Play:
    p = t.p
    move = move_of(facts, p, unit)
    crowded = overstacked_center(facts, p) and p.where[unit] == facts.center and not facts.battalions[unit]
    if crowded and (leading := ways_to_lead_out(facts, p, unit)):
        move = Move(unit, leading)
    prompt = f"Where does {facts.name_of(unit)} go?"
    end = yield Decision(side, prompt, [*move.ways], "15.5", Kind.SPACE, about=move)
    way = move.ways[end]
    companions = _companions(facts, p, unit)
    walk(t, facts, unit, way)
    while companions := [mate for mate in companions if _rides(facts, p, mate, way)]:
        must = [mate for mate in companions if facts.battalions[mate]] if crowded else []
        options: list[Choice] = [*must] or [*companions, DONE]
        crowded = False
        rule_ = "25.1" if unit in facts.leaders else "26.1"
        prompt = f"Who goes with {facts.name_of(unit)}?"
        mate = yield Decision(side, prompt, options, rule_, Kind.UNIT, about=Move(unit, {end: way}))
        if mate == DONE:
            return
        companions.remove(mate)
        drops = _rides(facts, p, mate, way)
        drop = drops[0]
        if len(drops) > 1:
            prompt = f"How far does {facts.name_of(mate)} go along?"
            about = Move(mate, {stop: way[: way.index(stop) + 1] for stop in drops})
            drop = yield Decision(side, prompt, drops, rule_, Kind.SPACE, about=about)
        walk(t, facts, mate, way[: way.index(drop) + 1])


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
def walk(t: Table[BastognePosition], facts: Facts, unit: int, way: tuple[int, ...]) -> None:
    """Every space on the way comes under US control, unless it is a leader who passes."""
    p = t.p
    start = p.where[unit]
    for space in way[1:]:
        p.where[unit] = space
        settle(t, facts, space)
    p.done |= 1 << unit
    words = f"{facts.name_of(unit)} moves to {facts.at(way[-1])}."
    t.say("15.2", words, spaces=(start, way[-1]), units=(unit,))

"""Allied events: Engineers, Airpower, Raise the Alarm (rules 4.12, 5.1, 10.8, 13.4, 14.2)."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, FIRST_DAY, GERMAN, Facts
from bulge.games.enemy_action.movement import allied_moves, may_move
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
BLOW, REPAIR, BUILD, ROADBLOCKS = "blow", "repair", "build", "roadblocks"
ROADBLOCK_COUNT, ALARMED = 2, 2
MANTEUFFEL_RANGE = 4


def possible_uses(facts: Facts, p: EnemyActionPosition, event: str) -> Sequence[object]:
    """What an Allied event could be used for now; nothing, if it would have no effect."""
    if event == "engineers":
        return engineer_tasks(facts, p)
    if event == "airpower":
        return unsupplied_stacks(facts, p)
    return alarm_units(facts, p)


# ---------------------------------------------------------------------- Engineers


def engineer_tasks(facts: Facts, p: EnemyActionPosition) -> list[str]:
    found = [task for task in (BLOW, REPAIR, BUILD) if bridge_sites(facts, p, task)]
    return [*found, ROADBLOCKS] if roadblock_hexes(facts, p) else found


@rule("4.12", "13.0", "14.21", "14.22")
def bridge_sites(facts: Facts, p: EnemyActionPosition, task: str) -> list[int]:
    """River hexsides with a bank in Allied supply and no enemy near."""
    s = Situation(facts, p)
    if task == BLOW:
        if day_of(p) == FIRST_DAY:
            return []
        sides, closed = intact_bridges(facts, p) & ~p.german_bridges, s.occupied[GERMAN]
    else:
        bare = (1 << len(facts.river_sides)) - 1 & ~intact_bridges(facts, p) & ~p.blown
        sides = p.blown if task == REPAIR else bare
        closed = s.occupied[GERMAN] | s.zones[GERMAN] & ~s.occupied[ALLIED]
    lines = s.lines(ALLIED)
    found = []
    for side in members(sides):
        banks = sum(1 << hex_ for hex_ in facts.river_sides[side])
        if not banks & closed and lines.among(banks):
            found.append(side)
    return found


@rule("10.8", "13.0")
def roadblock_hexes(facts: Facts, p: EnemyActionPosition) -> int:
    """Empty road hexes in Allied supply, not beside a German unit, nor German towns or the Westwall."""
    s = Situation(facts, p)
    hexes = facts.road_hexes & ~s.occupied[ALLIED] & ~facts.board.within(s.occupied[GERMAN], 1)
    hexes &= ~(p.roadblocks | p.detachments | p.german_towns | facts.wall)
    if p.manteuffel:
        fifth = sum({1 << p.where[unit] for unit in facts.army_units["5PzA"] if p.where[unit] >= 0})
        hexes &= ~facts.board.within(fifth, MANTEUFFEL_RANGE)
    return s.lines(ALLIED).among(hexes)


@rule("14.21", "14.22")
def engineers(t: Tab, facts: Facts) -> Play:
    """Blow, repair or build a bridge, or place roadblocks."""
    p = t.p
    tasks = engineer_tasks(facts, p)
    task = tasks[0]
    if len(tasks) > 1:
        task = yield Decision(ALLIED, "Engineers: what do they do?", tasks, "14.2", top=True)
    if task == ROADBLOCKS:
        p.to_place = ROADBLOCK_COUNT
        return "roadblocks"
    number = facts.board.side_number
    sites = {number(*facts.river_sides[side]): side for side in bridge_sites(facts, p, task)}
    prompt = f"Which bridge do the engineers {task}?"
    rule_ = "14.22" if task == BUILD else "14.21"
    side = sites[(yield Decision(ALLIED, prompt, [*sites], rule_, Kind.SIDE))]
    _work(p, task, side)
    t.say(rule_, f"Engineers {task} the bridge {facts.side_words(side)}.", spaces=facts.river_sides[side])
    return "allied_end"


@rule("14.21", "14.22", "14.23")
def _work(p: EnemyActionPosition, task: str, side: int) -> None:
    here = 1 << side
    if task == BLOW:
        if p.built & here:
            p.built &= ~here
        else:
            p.blown |= here
        return
    if task == REPAIR:
        p.blown &= ~here
    else:
        p.built |= here
    p.german_bridges &= ~here


@rule("10.8")
def roadblocks(t: Tab, facts: Facts) -> Play:
    """Up to two roadblocks."""
    p = t.p
    hexes = members(roadblock_hexes(facts, p)) if p.to_place else []
    if not hexes:
        p.to_place = 0
        return "allied_end"
    options: list[Choice] = [*hexes, DONE]
    hex_ = yield Decision(ALLIED, f"Place a roadblock ({p.to_place} left)", options, "10.8", Kind.SPACE, top=True)
    if hex_ == DONE:
        p.to_place = 0
        return "allied_end"
    p.roadblocks |= 1 << hex_
    p.to_place -= 1
    t.say("10.8", f"A roadblock in {facts.at(hex_)}.", spaces=(hex_,))
    return "roadblocks"


# ---------------------------------------------------------------------- Airpower


@rule("13.4")
def unsupplied_stacks(facts: Facts, p: EnemyActionPosition) -> list[int]:
    s = Situation(facts, p)
    return [hex_ for hex_, units in s.stacks[ALLIED].items() if any(not s.supplied(unit) for unit in units)]


@rule("13.4")
def airpower(t: Tab, facts: Facts) -> Play:
    """One stack is supplied from the air, until the next Supply Phase."""
    p = t.p
    hexes = unsupplied_stacks(facts, p)
    hex_ = yield Decision(ALLIED, "Which stack is supplied from the air?", hexes, "13.4", Kind.SPACE, top=True)
    for unit in Situation(facts, p).stack(hex_):
        clear_supply(p, unit)
    t.say("13.4", f"{facts.at(hex_)} is supplied from the air.", spaces=(hex_,))
    return "allied_end"


def clear_supply(p: EnemyActionPosition, unit: int) -> None:
    """A unit is in supply: no marker any more."""
    gone = ~(1 << unit)
    p.low &= gone
    p.out &= gone
    p.isolated &= gone


# ---------------------------------------------------------------------- Raise the Alarm


@rule("4.12")
def alarm_units(facts: Facts, p: EnemyActionPosition) -> list[int]:
    """Units that can trace supply, have not been alarmed yet, and have somewhere to go."""
    s = Situation(facts, p)
    lines = s.lines(ALLIED)
    able = [u for u in s.units_in(-1, ALLIED) if may_move(facts, p, u) and lines.among(1 << p.where[u])]
    return [unit for unit in able if not p.moved >> unit & 1 and allied_moves(s, unit, free=True).ends]


@rule("4.12")
def raise_the_alarm(t: Tab, facts: Facts) -> Play:
    """Two units move freely; it is no activation."""
    p = t.p
    p.moved = p.forded = p.bridged = 0
    p.to_place = ALARMED
    return (yield from alarm_moves(t, facts))


def alarm_moves(t: Tab, facts: Facts) -> Play:
    p = t.p
    units = alarm_units(facts, p) if p.to_place else []
    if not units:
        p.to_place = p.moved = 0
        return "allied_end"
    options: list[Choice] = [*units, DONE]
    prompt = f"Raise the alarm: which unit moves? ({p.to_place} left)"
    unit = yield Decision(ALLIED, prompt, options, "4.12", Kind.UNIT)
    if unit == DONE:
        p.to_place = p.moved = 0
        return "allied_end"
    moves = allied_moves(Situation(facts, p), unit, free=True)
    hex_ = yield Decision(ALLIED, f"Where does {facts.name_of(unit)} go?", members(moves.ends), "4.12", Kind.SPACE)
    walk(t, facts, unit, moves.way(hex_), "4.12", "is alarmed and moves")
    p.moved |= 1 << unit
    p.to_place -= 1
    return "alarm_moves"

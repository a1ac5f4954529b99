"""Allied events: Engineers, Airpower, Raise the Alarm (rules 4.12, 5.1, 10.8, 13.4, 14.2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to, shuts
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.allied_activation import GoalQuestion
from bulge.games.enemy_action.facts import ALLIED, FIRST_DAY, GERMAN, Facts
from bulge.games.enemy_action.movement import allied_moves, may_move
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation, now
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
BLOW, REPAIR, BUILD, ROADBLOCKS = "blow", "repair", "build", "roadblocks"
TASK_WORDS = {
    BLOW: "Blow up a bridge",
    REPAIR: "Repair a destroyed bridge",
    BUILD: "Build a new bridge",
    ROADBLOCKS: "Place up to two roadblocks",
}
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


def bridge_sites(facts: Facts, p: EnemyActionPosition, task: str) -> list[int]:
    """River hexsides at which the engineers may do their task."""
    return members(open_to((1 << len(facts.river_sides)) - 1, site_bars(facts, p, task)))


@rule("4.12", "13.0", "14.21", "14.22")
def site_bars(facts: Facts, p: EnemyActionPosition, task: str) -> list[Bar]:
    """What shuts a river hexside, by its number among the rivers: its bridge, the enemy, supply."""
    s = now(facts, p)
    intact = intact_bridges(facts, p)
    lines = s.lines(ALLIED)
    first_day = -1 if day_of(p) == FIRST_DAY else 0
    states = {
        BLOW: [
            Bar(first_day, "4.12", "no bridge is blown on 16 December"),
            Bar(~intact, "14.21", "there is no bridge that stands"),
            Bar(p.german_bridges, "14.21", "the bridge is German"),
        ],
        REPAIR: [Bar(~p.blown, "14.21", "no bridge lies destroyed there")],
        BUILD: [Bar(intact | p.blown, "14.22", "there is a bridge already, whole or destroyed")],
    }
    closed = s.occupied[GERMAN] | (0 if task == BLOW else s.zones[GERMAN] & ~s.occupied[ALLIED])

    return [
        *states[task],
        Bar(facts.rivers_at(closed), "14.2", "a German unit, or its zone of control, is on a bank"),
        Bar(~facts.rivers_at(lines.among(facts.river_hexes)), "13.0", "neither bank is in Allied supply"),
    ]


class SiteQuestion(Question):
    """At which river hexside the engineers work; the client points at any hexside of the map."""

    def __init__(self, facts: Facts, task: str) -> None:
        self.facts, self.task = facts, task

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        facts = self.facts

        def river(side: int) -> int:
            return facts.river_side(*facts.board.side_hexes(side))

        def at_any_side(bar: Bar) -> Bar:
            return Bar(lambda side: shuts(bar, river(side)), bar.rule, bar.words)

        no_river = Bar(lambda side: river(side) < 0, "14.2", "no river runs there")
        return [no_river, *map(at_any_side, site_bars(facts, t.p, self.task))]


class TaskQuestion(Question):
    """What the engineers do."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words=TASK_WORDS[str(choice)])

    @rule("4.12", "14.2")
    def why_not_word(self, t: Tab, decision: Decision, word: str) -> Refusal | None:
        if word == BLOW and day_of(t.p) == FIRST_DAY:
            return Refusal("4.12", "no bridge is blown on 16 December")
        return Refusal("14.2", "there is nowhere to do that") if word in TASK_WORDS else None


def roadblock_hexes(facts: Facts, p: EnemyActionPosition) -> int:
    return open_to(facts.road_hexes, roadblock_bars(facts, p))


@rule("10.8", "13.0")
def roadblock_bars(facts: Facts, p: EnemyActionPosition) -> list[Bar]:
    """Empty road hexes in Allied supply, not beside a German unit, nor German towns or the Westwall."""
    s = now(facts, p)
    board = facts.board
    fifth = sum({1 << p.where[unit] for unit in facts.army_units["5PzA"] if p.where[unit] >= 0})
    kept_off = board.within(fifth, MANTEUFFEL_RANGE) if p.manteuffel else 0
    return [
        Bar(~facts.road_hexes, "10.8", "no road runs through it"),
        Bar(s.occupied[ALLIED], "10.8", "an Allied unit stands there: it needs no roadblock"),
        Bar(board.within(s.occupied[GERMAN], 1), "10.8", "a German unit is in it or beside it"),
        Bar(p.roadblocks, "10.8", "there is a roadblock already"),
        Bar(p.detachments, "10.8", "a German detachment holds it"),
        Bar(p.german_towns, "10.8", "the town is German"),
        Bar(facts.wall, "10.8", "it is a Westwall hex"),
        Bar(kept_off, "10.8", "Manteuffel directs traffic within four hexes of it"),
        Bar(~s.lines(ALLIED).among(board.all), "13.0", "it is not in Allied supply"),
    ]


class RoadblockQuestion(Question):
    """Where a roadblock goes."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return Option(plain.id, "No more roadblocks", role="end") if choice == DONE else plain

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return roadblock_bars(self.facts, t.p)


@rule("14.21", "14.22")
def engineers(t: Tab, facts: Facts) -> Play:
    """Blow, repair or build a bridge, or place roadblocks."""
    p = t.p
    tasks = engineer_tasks(facts, p)
    task = tasks[0]
    if len(tasks) > 1:
        prompt = "Engineers: what do they do?"
        task = yield Decision(ALLIED, prompt, tasks, "14.2", top=True, about=TaskQuestion(facts))
    if task == ROADBLOCKS:
        p.to_place = ROADBLOCK_COUNT
        return "roadblocks"
    number = facts.board.side_number
    sites = {number(*facts.river_sides[side]): side for side in bridge_sites(facts, p, task)}
    prompt = f"Which bridge do the engineers {task}?"
    rule_ = "14.22" if task == BUILD else "14.21"
    side = sites[(yield Decision(ALLIED, prompt, [*sites], rule_, Kind.SIDE, about=SiteQuestion(facts, task)))]
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
    prompt = f"Place a roadblock ({p.to_place} left)"
    hex_ = yield Decision(ALLIED, prompt, options, "10.8", Kind.SPACE, top=True, about=RoadblockQuestion(facts))
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
    s = now(facts, p)
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
    s = Situation(facts, p)
    moves = allied_moves(s, unit, free=True)
    prompt = f"Where does {facts.name_of(unit)} go?"
    about = GoalQuestion(facts, s, moves)
    hex_ = yield Decision(ALLIED, prompt, members(moves.ends), "4.12", Kind.SPACE, about=about)
    walk(t, facts, unit, moves.way(hex_), "4.12", "is alarmed and moves")
    p.moved |= 1 << unit
    p.to_place -= 1
    return "alarm_moves"

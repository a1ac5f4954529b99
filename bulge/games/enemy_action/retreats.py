"""Retreats after combat: where to, in which order of priority, and at what price (rules 12.7, 12.75, 11.1)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Option
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.arrows import arrows_from
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, GERMAN, PRUEM, Facts, mask, other
from bulge.games.enemy_action.movement import british_bounds, side_of
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import enter, leave

Tab = Table[EnemyActionPosition]
COSTLY = 3
"""From this priority on a retreat costs a step."""


class Retreat(NamedTuple):
    """The hexes of the best priority that is open."""

    priority: int
    hexes: int

    @property
    def costs_step(self) -> bool:
        return self.priority >= COSTLY


NONE = Retreat(0, 0)


@rule("12.7", "12.9", "12.75", "13.23", "13.51", "12.51")
def retreats_left(s: Situation, battle: Battle) -> int:
    """How many more hexes the defenders may fall back: two, or one if any was dispersed, or isolated; or none."""
    p, facts = s.p, s.facts
    units = members(battle.defenders)
    fixed = any(
        p.no_fuel >> unit & 1 or unit == facts.heydte or (p.isolated >> unit & 1 and facts.mechanized[unit])
        for unit in units
    )
    if fixed or not units:
        return 0
    slow = battle.was_dispersed or any(p.isolated >> unit & 1 for unit in units)
    return (1 if slow else 2) - len(battle.retreat)


@rule("12.7", "12.71", "12.73", "15.22", "11.1")
def open_retreats(s: Situation, battle: Battle) -> Retreat:
    """The first priority that has a hex; unbridged rivers and roadless forest only if nothing else is left."""
    units = members(battle.defenders)
    if not units or retreats_left(s, battle) < 1:
        return NONE
    here = s.where[units[0]]
    classes = _classes(s, battle, units, here)
    for priority, found in enumerate(classes, 1):
        if found:
            best = Retreat(priority, _easy(s, here, found) or found)
            return _survivable(s, battle, best, classes)
    return NONE


@rule("12.75")
def passages(s: Situation, battle: Battle) -> Retreat:
    """Full hexes that the defenders may pass on a retreat of two hexes, if a way leads on from them."""
    units = members(battle.defenders)
    if not battle.defender_hits or battle.retreat or retreats_left(s, battle) < 2:
        return NONE
    here = s.where[units[0]]
    roomy = open_retreats(s, battle)
    for priority, found in enumerate(_classes(s, battle, units, here, full=True), 1):
        if roomy.hexes and priority > roomy.priority:
            break
        through = sum(1 << hex_ for hex_ in members(_easy(s, here, found) or found) if _leads_on(s, battle, hex_))
        if through:
            return Retreat(priority, through)
    return NONE


def _leads_on(s: Situation, battle: Battle, hex_: int) -> bool:
    """Whether the defenders could go on from this hex to one with room."""
    units = members(battle.defenders)
    moved = Situation(s.facts, s.p, dict.fromkeys(units, hex_))
    return any(_classes(moved, replace(battle, retreat=(hex_,)), units, hex_))


def _classes(s: Situation, battle: Battle, units: list[int], here: int, *, full: bool = False) -> list[int]:
    """The hexes of each of the four priorities; `full`: those without room."""
    side = side_of(s.facts, units[0])
    hexes = open_to(s.facts.board.next_to(here), retreat_bars(s, battle, units, here))
    roomy = sum(1 << hex_ for hex_ in members(hexes) if s.room_for(units, hex_))
    hexes = hexes & ~roomy if full else roomy
    zone, held = s.zones[other(side)], s.occupied[side]
    fed = sum(1 << hex_ for hex_ in members(hexes & held) if any(s.supplied(unit) for unit in s.stack(hex_)))
    lines = s.lines(side)
    return [hexes & ~zone, hexes & zone & fed, lines.among(hexes & zone & ~held), hexes & zone & ~fed]


@rule("12.72")
def _survivable(s: Situation, battle: Battle, best: Retreat, classes: list[int]) -> Retreat:
    """If every best way would cost the last steps over two hexes, and a lesser one would not, take that."""
    steps = sum(s.p.steps[unit] for unit in members(battle.defenders))
    if not best.costs_step or battle.retreat or not battle.defender_hits or steps > COSTLY - 1:
        return best
    if retreats_left(s, battle) < 2 or any(not _costs_again(s, battle, hex_) for hex_ in members(best.hexes)):
        return best
    for priority, found in enumerate(classes, 1):
        saving = [hex_ for hex_ in members(found & ~best.hexes) if not _costs_again(s, battle, hex_)]
        if saving and priority >= best.priority and steps > 1:
            return Retreat(priority, sum(1 << hex_ for hex_ in saving))
    return best


def _costs_again(s: Situation, battle: Battle, hex_: int) -> bool:
    """Whether a retreat on from this hex would cost a step too."""
    units = members(battle.defenders)
    moved = Situation(s.facts, s.p, dict.fromkeys(units, hex_))
    classes = _classes(moved, replace(battle, retreat=(hex_,)), units, hex_)
    return not classes[0] and not classes[1]


@rule("12.7", "12.71", "12.75", "15.22", "10.7", "10.8")
def retreat_bars(s: Situation, battle: Battle, units: list[int], here: int) -> list[Bar]:
    """What shuts a neighbouring hex to a retreat, room and priority apart."""
    facts, p, board = s.facts, s.p, s.facts.board
    side = side_of(facts, units[0])
    own_towns = p.german_towns if side == GERMAN else ~p.german_towns
    bars = [
        Bar(~board.next_to(here), "12.7", "a retreat goes one hex at a time"),
        Bar(s.occupied[other(side)], "12.7", lambda hex_: f"{facts.name_of(s.stack(hex_)[0])} stands there"),
        Bar(facts.towns & ~own_towns & ~s.occupied[side], "12.71", "it is an enemy town"),
    ]
    if battle.retreat:
        words = "a retreat of two hexes ends two hexes from the fight"
        bars.append(Bar(~board.ring(1 << battle.target, 2), "12.75", words))
    else:
        bars.append(Bar(1 << battle.target, "12.7", "they are to leave it"))
    if side == GERMAN:
        return [*bars, Bar(p.roadblocks, "10.8", "a roadblock bars it")]
    bounds = 0
    for unit in units:
        bounds |= british_bounds(facts, p, unit)
    return [
        *bars,
        Bar(facts.wall & ~s.occupied[ALLIED], "12.71", "it is a Westwall hex without an Allied unit"),
        Bar(p.detachments, "15.22", "a German detachment holds it"),
        Bar(bounds, "10.7", "XXX Corps stays west of the Meuse"),
    ]


class RetreatQuestion(Question):
    """Where Allied defenders fall back to."""

    def __init__(self, s: Situation, battle: Battle, open_: dict[int, bool]) -> None:
        self.s, self.battle, self.open = s, battle, open_

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        notes = []
        if self.open[int(choice)]:
            notes.append("costs a step")
        if not self.s.room_for(members(self.battle.defenders), int(choice)):
            notes.append("full: only on the way to a second hex")
        return replace(plain, words=f"{plain.words} ({', '.join(notes)})") if notes else plain

    @rule("12.7", "12.73", "10.4")
    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        s, units = self.s, members(self.battle.defenders)
        return [
            *retreat_bars(s, self.battle, units, s.where[units[0]]),
            Bar(
                lambda hex_: hex_ not in self.open and not s.room_for(units, hex_),
                "12.73",
                "they stay together, and there is no room for all of them",
            ),
            Bar(~mask(self.open), "12.7", "a hex of a better priority, or on easier ground, is open"),
        ]

    def subject(self, t: Tab, decision: Decision) -> Subject:
        facts = self.s.facts
        return Subject((facts.board.name(self.battle.target),), facts.ids(members(self.battle.defenders)))


def _easy(s: Situation, here: int, hexes: int) -> int:
    """Not over an unbridged river, and into forest only by road."""
    facts = s.facts
    intact = intact_bridges(facts, s.p)
    unbridged = (facts.rivers - facts.sides(intact)).across(1 << here)
    by_road = facts.open_roads(intact).across(1 << here)
    return hexes & ~unbridged & (~facts.by_terrain["forest"] | by_road)


@rule("12.7")
def german_retreat_hex(t: Tab, s: Situation, battle: Battle, hexes: int) -> int:
    """Not along an arrow, not beside one, then easternmost, then nearest to Prüm."""
    facts, board = s.facts, s.facts.board
    unit = members(battle.defenders)[0]
    here = s.where[unit]
    ahead = sum(1 << hex_ for hex_ in arrows_from(s, unit, here))
    pruem = board.at(PRUEM)
    tests = [
        line("12.7", "not along an arrow", ~ahead),
        line("12.7", "not beside an arrow's direction", ~board.around(ahead)),
        line("12.7", "easternmost", lambda hex_: -facts.east[hex_]),
        line("12.7", "nearest to Prüm", lambda hex_: facts.distance(hex_, pruem)),
    ]
    return pick(t, facts, hexes, tests)


@rule("12.7", "12.75", "12.9", "12.73")
def fall_back(t: Tab, facts: Facts, battle: Battle, hex_: int) -> Battle:
    """All defenders go there together; after two hexes they are dispersed."""
    p = t.p
    units = members(battle.defenders)
    here = p.where[units[0]]
    names = ", ".join(map(facts.short, units))
    t.say("12.7", f"{names} retreat to {facts.at(hex_)}.", spaces=(here, hex_), units=tuple(units), kind="retreat")
    for unit in units:
        p.where[unit] = hex_
    leave(t, facts, units[0], here, beaten=True)
    for unit in units:
        enter(t, facts, unit, hex_)
    p.fell_back |= battle.defenders
    battle = replace(battle, retreat=(*battle.retreat, hex_))
    if len(battle.retreat) == 2:
        p.dispersed |= battle.defenders
        t.say("12.75", f"{names} are dispersed.", units=tuple(units))
    return battle

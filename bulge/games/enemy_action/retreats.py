"""Retreats after combat: where to, in which order of priority, and at what price (rules 12.7, 12.75, 11.1)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.arrows import arrows_from
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, GERMAN, PRUEM, Facts, other
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


def _classes(s: Situation, battle: Battle, units: list[int], here: int) -> list[int]:
    """The hexes of each of the four priorities."""
    facts, board = s.facts, s.facts.board
    side = side_of(facts, units[0])
    hexes = _allowed(s, units, side, here)
    hexes &= board.ring(1 << battle.target, 2) if battle.retreat else ~(1 << battle.target)
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


def _allowed(s: Situation, units: list[int], side: str, here: int) -> int:
    """Neighbours with room that are not the enemy's: no enemy towns, no Westwall for Allies, no detachments."""
    facts, p = s.facts, s.p
    hexes = facts.board.next_to(here) & ~s.occupied[other(side)]
    own_towns = p.german_towns if side == GERMAN else ~p.german_towns
    hexes &= ~facts.towns | own_towns | s.occupied[side]
    if side == ALLIED:
        hexes &= ~facts.wall | s.occupied[ALLIED]
        hexes &= ~p.detachments
        for unit in units:
            hexes &= ~british_bounds(facts, p, unit)
    else:
        hexes &= ~p.roadblocks
    return sum(1 << hex_ for hex_ in members(hexes) if s.room_for(units, hex_))


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
    t.say("12.7", f"{names} retreat to {facts.at(hex_)}.", spaces=(here, hex_), units=tuple(units))
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

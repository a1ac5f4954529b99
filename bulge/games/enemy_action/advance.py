"""Advance after combat (rules 12.8 to 12.83)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.arrows import arrows_from
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, other
from bulge.games.enemy_action.movement import british_bounds
from bulge.games.enemy_action.objectives import distance_to_objective
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.restrictions import exposures, surrounded_from
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.tactics import the_battle
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
STAY = "stay"
CAREFUL_FROM, CAREFUL_HOLD = 22, 4


@rule("12.8", "12.9", "13.51")
def advance(t: Tab, facts: Facts) -> Play | str:
    """If the hex is empty and the attackers are not dispersed, they may go in."""
    p = t.p
    battle = the_battle(p)
    empty = not Situation(facts, p).stack(battle.target)
    if not empty or battle.scattered or not (battle.retreat or battle.eliminated):
        return "battle_end"
    return german_advance(t, facts) if battle.side == GERMAN else allied_advance(t, facts)


@rule("12.81")
def goes_two_hexes(battle: Battle) -> bool:
    return len(battle.retreat) == 2 or battle.eliminated


@rule("12.8", "12.82", "10.8")
def may_enter(s: Situation, battle: Battle, unit: int) -> bool:
    """Into the attacked hex: stacking, rivers, roadblocks and detachments."""
    facts, p, from_, to = s.facts, s.p, s.where[unit], battle.target
    if not s.has_room(unit, to) or (p.dispersed | p.no_fuel) >> unit & 1:
        return False
    if not facts.is_german(unit) and british_bounds(facts, p, unit) >> to & 1:
        return False
    return crossing_open(s, battle, from_, to, battle.side)


@rule("12.82")
def crossing_open(s: Situation, battle: Battle, from_: int, to: int, side: str) -> bool:
    """One unit over an unbridged side, one over a bridge into an enemy zone, in a combat."""
    facts, river = s.facts, s.facts.river_side(from_, to)
    if river < 0:
        return True
    bridged = intact_bridges(facts, s.p) >> river & 1
    if bridged and not s.zones[other(side)] >> to & 1:
        return True
    return not battle.crossed >> river & 1


@rule("12.81", "12.82", "15.22")
def second_hexes(s: Situation, battle: Battle, unit: int, from_: int) -> int:
    """Where a mechanized unit may go on to: along the retreat, or elsewhere as zones and terrain allow."""
    facts, board, target = s.facts, s.facts.board, battle.target
    if not facts.mechanized[unit] or not goes_two_hexes(battle):
        return 0
    if unbridged(s, from_, target):
        return 0
    side = battle.side
    path = 1 << battle.retreat[0] if battle.retreat else 0
    stops = (
        facts.open_roads(intact_bridges(facts, s.p)).across(s.p.roadblocks)
        if side == GERMAN
        else board.around(s.p.detachments)
    )
    if stops >> target & 1:
        return 0
    hexes = board.next_to(target) & ~s.occupied[other(side)]
    hexes &= ~(s.p.roadblocks if side == GERMAN else s.p.detachments | british_bounds(facts, s.p, unit))
    zone = s.zones[other(side)]
    intact = intact_bridges(facts, s.p)
    by_road = facts.open_roads(intact).across(1 << target)
    free = hexes & ~(facts.rivers - facts.sides(intact)).across(1 << target)
    free &= ~facts.by_terrain["forest"] | by_road
    if zone >> target & 1:
        free &= ~zone
    hexes &= free | path
    return sum(
        1 << hex_ for hex_ in members(hexes)
        if s.has_room(unit, hex_) and crossing_open(s, battle, target, hex_, side)
    )  # fmt: skip


def unbridged(s: Situation, from_: int, to: int) -> bool:
    side = s.facts.river_side(from_, to)
    return side >= 0 and not intact_bridges(s.facts, s.p) >> side & 1


def go_in(t: Tab, facts: Facts, unit: int, way: list[int], words: str) -> None:
    """The unit advances, and the river sides it crosses count."""
    p = t.p
    battle = the_battle(p)
    rivers = sum(1 << side for a, b in pairwise(way) if (side := facts.river_side(a, b)) >= 0)
    walk(t, facts, unit, way, "12.8", words)
    into = list(battle.into)
    if way[0] == battle.target:
        into.remove(way[0])
    p.battle = replace(the_battle(p), crossed=battle.crossed | rivers, into=(*into, way[-1]))


# ---------------------------------------------------------------------- Germans (12.83)


@rule("12.83")
def german_advance(t: Tab, facts: Facts) -> str:
    """One attacker after the other by ascending selector, by the table of routes."""
    p = t.p
    s = Situation(facts, p)
    battle = the_battle(p)
    able = [u for u in members(battle.attackers & ~battle.joined) if not s.bracketed(u) and p.where[u] >= 0]
    for unit in s.ascending(able):
        _try_advance(t, facts, unit)
    return "battle_end"


def _try_advance(t: Tab, facts: Facts, unit: int) -> None:
    s, battle = Situation(facts, t.p), the_battle(t.p)
    start, target = s.where[unit], battle.target
    if not may_enter(s, battle, unit) or not _leaves_safely(s, unit, start, target):
        return
    if not _goes(t, s, unit, start, target):
        return
    go_in(t, facts, unit, [start, target], "advances")
    _second_hex(t, facts, unit, start)


def _second_hex(t: Tab, facts: Facts, unit: int, start: int) -> None:
    """Along an arrow, fewer units first, then the primary; else along the retreat; else the best chance."""
    s, battle = Situation(facts, t.p), the_battle(t.p)
    target = battle.target
    hexes = [
        hex_ for hex_ in members(second_hexes(s, battle, unit, start)) if _leaves_safely(s, unit, target, hex_)
    ]
    if not hexes:
        return
    ahead = [hex_ for hex_ in arrows_from(s, unit, target) if hex_ in hexes]
    if ahead:
        hex_ = min(ahead, key=lambda at: (battle.into.count(at), ahead.index(at)))
    elif battle.retreat and battle.retreat[0] in hexes:
        hex_ = battle.retreat[0]
    else:
        hex_ = max(sorted(hexes, key=facts.board.name), key=lambda at: chance(s, unit, target, at)[0])
    if _goes(t, s, unit, target, hex_):
        go_in(t, facts, unit, [target, hex_], "advances a second hex")


@rule("12.83", "9.21")
def _leaves_safely(s: Situation, unit: int, from_: int, to: int) -> bool:
    """Nobody surrounded is freed, and no VP hex, Westwall hex or empty town is opened to Allied supply."""
    held = surrounded_from(s, unit, 1 << to)
    if held[from_] & ~held[to]:
        return False
    found = exposures(s, unit, 1 << to)
    return found is None or not found[to] & ~found[from_]


@rule("12.83")
def chance(s: Situation, unit: int, from_: int, to: int) -> tuple[int, str]:
    """The die that still lets a unit advance, by its route and how many are there already."""
    facts, battle = s.facts, the_battle(s.p)
    already = min(2, battle.into.count(to))
    nearer = distance_to_objective(s, unit, to) < distance_to_objective(s, unit, from_)
    over = facts.river_side(from_, to) >= 0
    if to in arrows_from(s, unit, from_):
        row, why = "1", "along an arrow"
    elif over and nearer:
        row, why = "1", "over a river, closer to the objective"
    elif s.vp_value(to):
        row, why = "1", "into a VP hex"
    elif enables_supply(s, unit, to):
        row, why = "1", "it opens supply"
    elif facts.towns >> to & 1 or nearer:
        row, why = "2", "into a town" if facts.towns >> to & 1 else "closer to the objective"
    else:
        row, why = "3", "another route"
    found = facts.advance[row]
    return (found.already_0, found.already_1, found.already_2)[already], why


def enables_supply(s: Situation, unit: int, to: int) -> bool:
    """Whether a German unit that cannot trace supply could with this one there."""
    cut_off = sum(1 << hex_ for hex_ in s.stacks[GERMAN] if not s.traces(GERMAN, hex_))
    return bool(cut_off and Situation(s.facts, s.p, {unit: to}).lines(GERMAN).among(cut_off))


def _goes(t: Tab, s: Situation, unit: int, from_: int, to: int) -> bool:
    facts = s.facts
    careful = day_of(s.p) >= CAREFUL_FROM and facts.hold.get(to, 0) < CAREFUL_HOLD
    if careful and _would_be_surrounded(s, to) and not enables_supply(s, unit, to):
        t.say("12.83", f"{facts.short(unit)} does not advance into surrounded {facts.at(to)}.", units=(unit,))
        return False
    most, why = chance(s, unit, from_, to)
    if most >= 10:
        return True
    if not most:
        t.say("12.83", f"{facts.short(unit)} does not advance into {facts.at(to)}: {why}.", units=(unit,))
        return False
    die = t.roll("12.83", f"{facts.short(unit)} advances into {facts.at(to)} on 1 to {most} ({why})", 10)
    return die <= most


def _would_be_surrounded(s: Situation, hex_: int) -> bool:
    return not s.facts.board.next_to(hex_) & ~(s.occupied[ALLIED] | s.zones[ALLIED])


# ---------------------------------------------------------------------- Allies


@rule("12.8", "12.81", "10.6")
def allied_advance(t: Tab, facts: Facts) -> Play:
    """The player sends in whom he likes, one unit after the other."""
    p = t.p
    battle = the_battle(p)
    s = Situation(facts, p)
    units = [
        unit for unit in members(battle.attackers & ~battle.joined & ~battle.checked) if may_enter(s, battle, unit)
    ]
    units = [
        unit
        for unit in units
        if _supplied_ends(s, unit, [battle.target, *members(second_hexes(s, battle, unit, p.where[unit]))])
    ]
    if not units:
        return "battle_end"
    options: list[Choice] = [*units, DONE]
    prompt = f"Who advances into {facts.at(battle.target)}?"
    unit = yield Decision(ALLIED, prompt, options, "12.8", Kind.UNIT, top=True)
    if unit == DONE:
        return "battle_end"
    start = p.where[unit]
    second = _supplied_ends(s, unit, members(second_hexes(s, battle, unit, start)))
    may_stop = bool(_supplied_ends(s, unit, [battle.target]))
    way = [start, battle.target]
    if second:
        ends: list[Choice] = [*second, STAY] if may_stop else [*second]
        chosen = yield Decision(ALLIED, "Advance a second hex?", ends, "12.81", Kind.SPACE)
        if isinstance(chosen, int):
            way.append(chosen)
    go_in(t, facts, unit, way, "advances")
    p.battle = replace(the_battle(p), checked=battle.checked | 1 << unit)
    return "battle_advance"


def _supplied_ends(s: Situation, unit: int, hexes: Iterable[int]) -> list[int]:
    """No advance ends out of supply (13.0)."""
    lines = s.without(unit).lines(ALLIED)
    return [hex_ for hex_ in hexes if lines.among(1 << hex_)]

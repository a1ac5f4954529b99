"""German movement methods 1 to 9: opportunities, and infantry that strengthens the line (rule 9.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bulge.core.priority import Line
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.arrows import go_on_by_arrows
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, EXITED, GERMAN, Facts
from bulge.games.enemy_action.movement import Moves, allied_proximate
from bulge.games.enemy_action.objectives import distance_to_objective, objective_of, tie_breakers
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.restrictions import free_moves, restricted_moves, zone_at
from bulge.games.enemy_action.routes import adjusted, ends, go, route
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
MECHANIZED_INFANTRY_FROM = 23


class Method(NamedTuple):
    name: str
    title: str
    descending: bool
    first_day: int
    try_: Callable[[Tab, Situation, int], bool]
    """Moves the unit, or settles that it stays, if the method fits it: then True."""
    fails: str
    """What was not there, if it does not fit."""
    infantry: bool = False


def _move(
    t: Tab, s: Situation, moves: Moves, goals: int, name: str, words: str, tests: tuple[Line, ...] = (),
    *, adjust: bool = False,
) -> bool:  # fmt: skip
    """To the best of these hexes, if there is one."""
    open_ = ends(s, moves)
    goals &= open_
    if not goals:
        return False
    end = pick(t, s.facts, goals, (*tests, *tie_breakers(s, moves.unit)))
    if adjust:
        end = adjusted(t, s, moves.unit, end, open_, goals)
    go(t, s, moves, end, "9.2", f"(method {name}) {words}")
    return True


def _move_within(
    t: Tab, s: Situation, unit: int, goals: int, name: str, words: str, tests: tuple[Line, ...] = (),
    *, adjust: bool = False,
) -> bool:  # fmt: skip
    """The same within the restrictions of 9.21, which are looked into only if a goal is in reach without them."""
    if not goals & free_moves(s, unit).hexes:
        return False
    return _move(t, s, restricted_moves(s, unit), goals, name, words, tests, adjust=adjust)


# ---------------------------------------------------------------------- 1: special moves, free of 9.21


@rule("9.2", "10.9", "10.91", "10.92", "10.93", "17.1")
def exit_map(t: Tab, s: Situation, unit: int) -> bool:
    """1a: off the map, if a supplied unit can get to an exit that no enemy controls with a point left."""
    facts, p = s.facts, s.p
    if not s.supplied(unit):
        return False
    moves, start = free_moves(s, unit), p.where[unit]
    exits = (facts.exits | p.exits) & ~s.zones[ALLIED]
    goals = sum(
        1 << hex_ for hex_ in members(exits & moves.reach.spaces) if moves.reach.cost(hex_) < facts.moves[unit]
    )
    if not goals:
        return False
    end = pick(t, facts, goals, tie_breakers(s, unit))
    if end != start:
        walk(t, facts, unit, route(s, moves, end), "9.2", "(method 1a) goes for the map's edge")
    points = s.strength(unit) * (2 if facts.mechanized[unit] else 1)
    p.where[unit] = EXITED
    p.exit_points += points
    p.moved |= 1 << unit
    t.say(
        "10.93",
        f"{facts.name_of(unit)} leaves the map at {facts.at(end)}: {points} VP.",
        spaces=(end,),
        units=(unit,),
    )
    return True


@rule("9.2")
def next_to_meuse(t: Tab, s: Situation, unit: int) -> bool:
    """1b: the first German unit at the Meuse, and on by arrows while points last."""
    if s.p.at_meuse:
        return False
    moves = free_moves(s, unit)
    goals = ends(s, moves) & s.facts.meuse
    if not goals:
        return False
    end = pick(t, s.facts, goals, tie_breakers(s, unit))
    left = s.facts.moves[unit] - moves.cost(end)
    go(t, s, moves, end, "9.2", "(method 1b) comes up to the Meuse")
    go_on_by_arrows(t, s.facts, unit, left)
    return True


@rule("9.2")
def enter_vp_hex(t: Tab, s: Situation, unit: int) -> bool:
    """1c: into an empty Allied VP hex; not out of one that Allied supply reaches, unless for more."""
    facts, start = s.facts, s.p.where[unit]
    goals = s.allied_vp & ~s.occupied[ALLIED]
    if s.vp_value(start) and s.traces(ALLIED, start):
        goals = sum(1 << hex_ for hex_ in members(goals) if s.vp_value(hex_) > s.vp_value(start))
    return _move(t, s, free_moves(s, unit), goals & facts.board.all, "1c", "enters an empty VP hex")


# ---------------------------------------------------------------------- 2 to 4


@rule("9.2")
def closer_and_next_to_vp(t: Tab, s: Situation, unit: int) -> bool:
    """2: closer to the objective and next to an Allied VP hex."""
    if objective_of(s, unit) < 0:
        return False
    goals = closer(s, unit, s.facts.board.around(s.allied_vp))
    words = "comes closer to its objective and next to a VP hex"
    return _move_within(t, s, unit, goals, "2", words, adjust=True)


def closer(s: Situation, unit: int, hexes: int) -> int:
    """Those of these hexes that lie closer to the unit's objective than it stands now."""
    which = objective_of(s, unit)
    if which < 0:
        return 0
    now = distance_to_objective(s, unit, s.where[unit])
    return hexes & s.facts.board.within(1 << s.p.objective[which], now - 1) if now else 0


@rule("9.2", "9.3")
def cause_surround(t: Tab, s: Situation, unit: int) -> bool:
    """3: where an Allied hex would be surrounded that is not; or next to one that the unit surrounds from afar."""
    if s.bracketed(unit):
        return False
    if not surrounds(s, free_moves(s, unit)):
        return _closes_up(t, s, unit)
    moves = restricted_moves(s, unit)
    caused = surrounds(s, moves)
    if not caused:
        return _closes_up(t, s, unit)
    cuts = sum(1 << hex_ for hex_ in caused if cuts_supply(s, unit, hex_, caused[hex_])) if len(caused) > 1 else 0
    tests = (line("9.2", "would cut the enemy's supply", cuts), *tie_breakers(s, unit))
    end = pick(t, s.facts, sum(1 << hex_ for hex_ in caused), tests)
    s.p.surrounded |= caused[end]
    names = ", ".join(s.facts.board.names_of(caused[end]))
    go(t, s, moves, end, "9.2", f"(method 3) surrounds {names}")
    return True


def surrounds(s: Situation, moves: Moves) -> dict[int, int]:
    """Each hex from which the unit would surround Allied hexes, with those hexes."""
    board, unit, open_ = s.facts.board, moves.unit, ends(s, moves)
    near = s.occupied[ALLIED] & board.within(open_, 2) & ~s.surrounded_allies & ~s.p.surrounded
    if not near:
        return {}
    away = s.without(unit)
    held = away.occupied[GERMAN] | away.zones[GERMAN]
    gaps = {hex_: board.next_to(hex_) & ~held for hex_ in members(near)}
    found: dict[int, int] = {}
    for enemy, gap in gaps.items():
        for hex_ in members(open_ & board.within(1 << enemy, 2)):
            if not gap & ~(1 << hex_ | zone_at(away, unit, hex_)):
                found[hex_] = found.get(hex_, 0) | 1 << enemy
    return found


def cuts_supply(s: Situation, unit: int, hex_: int, enemies: int) -> bool:
    """Whether an Allied unit could no longer trace supply with the unit there."""
    return not Situation(s.facts, s.p, {unit: hex_}).lines(ALLIED).among(enemies)


def _closes_up(t: Tab, s: Situation, unit: int) -> bool:
    """A unit that surrounds somebody from two hexes away comes next to him, and keeps him surrounded."""
    board, start = s.facts.board, s.p.where[unit]
    afar = s.surrounded_allies & board.ring(1 << start, 2)
    if not afar:
        return False
    away = s.without(unit)
    mine = sum(1 << hex_ for hex_ in members(afar) if not away.is_surrounded(hex_))
    if not mine:
        return False
    return _move_within(t, s, unit, board.around(mine), "3", "closes up on the enemy it surrounds")


@rule("9.2")
def open_supply(t: Tab, s: Situation, unit: int) -> bool:
    """4: where its presence lets German units trace supply that cannot."""
    facts = s.facts
    lost = [hex_ for hex_ in s.stacks[GERMAN] if not s.traces(GERMAN, hex_)]
    others = {hex_: [mate for mate in s.stacks[GERMAN][hex_] if mate != unit] for hex_ in lost}
    cut_off = sum(1 << hex_ for hex_, units in others.items() if units)
    if not cut_off:
        return False
    moves = restricted_moves(s, unit)
    freed = {}
    for hex_ in members(ends(s, moves) & s.zones[ALLIED]):
        again = Situation(facts, s.p, {unit: hex_}).lines(GERMAN).among(cut_off)
        freed[hex_] = sum(len(others[at]) for at in members(again))
    goals = sum(1 << hex_ for hex_, count in freed.items() if count)
    tests = (line("9.2", "for the most units", lambda hex_: -freed[hex_]),)
    return _move(t, s, moves, goals, "4", "opens a line of supply", tests)


# ---------------------------------------------------------------------- 5 to 9: infantry


def infantry_of_methods(facts: Facts, p: EnemyActionPosition, unit: int) -> bool:
    """Foot; from 23 December mechanized infantry too; on the defence all of the 7th Army (9.15)."""
    if p.defensive and facts.army_of[unit] == "7A":
        return True
    return facts.any_infantry[unit] if day_of(p) >= MECHANIZED_INFANTRY_FROM else facts.foot[unit]


@rule("9.2")
def next_to_vp(t: Tab, s: Situation, unit: int) -> bool:
    """5: next to an Allied VP hex; from one such hex only to another, closer to the objective."""
    board, start = s.facts.board, s.p.where[unit]
    here = board.next_to(start) & s.allied_vp
    goals = board.around(s.allied_vp & ~here)
    if here:
        goals = closer(s, unit, goals)
    return _move_within(t, s, unit, goals, "5", "comes next to a VP hex", adjust=True)


@rule("9.2")
def enter_empty_town(t: Tab, s: Situation, unit: int) -> bool:
    """6: an empty Allied town, or an empty German one that Allied supply reaches."""
    facts, p = s.facts, s.p
    empty = facts.towns & free_moves(s, unit).hexes & ~s.occupied[GERMAN] & ~s.occupied[ALLIED]
    goals = empty & ~p.german_towns | s.lines(ALLIED).among(empty & p.german_towns)
    return _move_within(t, s, unit, goals, "6", "enters an empty town")


@rule("9.2")
def next_to_enemy(t: Tab, s: Situation, unit: int) -> bool:
    """7: next to an Allied unit or town that no German infantry without brackets watches."""
    facts, p, board = s.facts, s.p, s.facts.board
    targets = s.occupied[ALLIED] | facts.towns & ~p.german_towns
    watchers = [
        mate for mate in facts.german_units
        if s.where[mate] >= 0 and mate != unit and infantry_of_methods(facts, p, mate) and not s.bracketed(mate)
    ]  # fmt: skip
    watched = board.around(sum(1 << hex_ for hex_ in {s.where[mate] for mate in watchers}))
    alone = targets & ~watched
    if not s.bracketed(unit) and board.next_to(p.where[unit]) & alone:
        return _stays(t, s, unit, "7", "is alone in watching an enemy, and stays")
    return _move_within(t, s, unit, board.around(alone), "7", "comes next to an enemy", adjust=True)


@rule("9.2")
def relieve_armor(t: Tab, s: Situation, unit: int) -> bool:
    """8: into a town held by armor alone, which Allied supply reaches."""
    facts, start = s.facts, s.p.where[unit]

    def fits(hex_: int) -> bool:
        mates = [mate for mate in s.stacks[GERMAN].get(hex_, []) if mate != unit]
        return bool(mates) and all(facts.armored[mate] for mate in mates) and s.traces(ALLIED, hex_)

    if facts.towns >> start & 1 and fits(start):
        return _stays(t, s, unit, "8", "stays in the town with the armor")
    towns = free_moves(s, unit).hexes & facts.towns & s.occupied[GERMAN]
    goals = sum(1 << hex_ for hex_ in members(towns) if fits(hex_))
    return _move_within(t, s, unit, goals, "8", "joins armor in a town")


@rule("9.2", "15.3")
def relieve_detachment(t: Tab, s: Situation, unit: int) -> bool:
    """9: onto a detachment that an Allied unit is proximate to and German supply reaches."""
    if not s.p.detachments & free_moves(s, unit).hexes:
        return False
    moves = restricted_moves(s, unit)
    goals = s.lines(GERMAN).among(s.p.detachments & ends(s, moves))
    goals = allied_proximate(s, goals) if goals else 0
    tests = (line("9.2", "next to an Allied unit", s.next_to_enemy(GERMAN)),)
    return _move(t, s, moves, goals, "9", "relieves a detachment", tests)


def _stays(t: Tab, s: Situation, unit: int, name: str, words: str) -> bool:
    s.p.moved |= 1 << unit
    hex_ = s.p.where[unit]
    t.say(
        "9.2",
        f"{s.facts.name_of(unit)} (method {name}) {words} ({s.facts.at(hex_)}).",
        spaces=(hex_,),
        units=(unit,),
    )
    return True


METHODS = (
    Method("1a", "exit the map", False, 16, exit_map, "no exit is open to it with a point left"),
    Method("1b", "next to the Meuse", False, 16, next_to_meuse, "the Meuse is out of reach, or others are there"),
    Method("1c", "enter an empty VP hex", True, 16, enter_vp_hex, "no empty VP hex is in reach"),
    Method(
        "2",
        "closer and next to a VP hex",
        False,
        16,
        closer_and_next_to_vp,
        "no hex beside a VP hex is open that is closer to its objective",
    ),
    Method("3", "cause surround", True, 16, cause_surround, "nobody would be surrounded"),
    Method("4", "open a supply line", True, 19, open_supply, "nobody would get supply through it"),
    Method("5", "next to a VP hex", False, 16, next_to_vp, "no other hex beside a VP hex is open", infantry=True),
    Method("6", "enter an empty town", True, 16, enter_empty_town, "no empty town is open", infantry=True),
    Method("7", "next to an enemy", True, 16, next_to_enemy, "every enemy in reach is watched", infantry=True),
    Method(
        "8", "town held by armor", True, 16, relieve_armor, "no armor is alone in a town in reach", infantry=True
    ),
    Method(
        "9", "relieve a detachment", True, 18, relieve_detachment, "no detachment in reach needs it", infantry=True
    ),
)
SPECIAL = ("1a", "1b", "1c")
"""Method 1: the only one for units out of supply (9.25)."""

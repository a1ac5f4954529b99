"""German movement methods 11 to 13, corps objectives and units out of supply (rules 9.2, 9.23, 9.25)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN
from bulge.games.enemy_action.methods import closer
from bulge.games.enemy_action.movement import Moves, fords_from, may_move
from bulge.games.enemy_action.objectives import corps_goal, easternmost, tie_breakers
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.restrictions import free_moves, restricted_moves, restrictions, zone_at
from bulge.games.enemy_action.routes import adjusted, ends, go
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, defending
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
ADVANTAGE = 3
CORPS_RANGE = 3


# ---------------------------------------------------------------------- 11: closer to the objective


@rule("9.2")
def move_closer(t: Tab, s: Situation, unit: int) -> bool:
    """11: closer to the objective; of several hexes one beside an enemy whom 3:1 can be brought against."""
    if not closer(s, unit, free_moves(s, unit).hexes):
        return False
    moves = restricted_moves(s, unit)
    open_ = ends(s, moves)
    goals = closer(s, unit, open_)
    if not goals:
        return False
    strong = favourable(s, unit, goals) if goals & (goals - 1) else 0
    tests = (line("9.2", "next to an enemy at 3:1", strong), *tie_breakers(s, unit))
    end = pick(t, s.facts, goals, tests)
    end = adjusted(t, s, unit, end, open_, strong or goals)
    go(t, s, moves, end, "9.2", "(method 11) comes closer to its objective")
    return True


@rule("9.2")
def favourable(s: Situation, unit: int, hexes: int) -> int:
    """Hexes beside an Allied stack against which the unit and its helpers would have three to one."""
    board = s.facts.board
    found = 0
    for target in members(s.occupied[ALLIED] & board.around(hexes)):
        helpers = helpers_against(s, unit, target)
        defence = defence_strength(s, defending(s, target), target)
        for hex_ in members(hexes & board.next_to(target) & ~found):
            if attack_strength(s, [unit, *helpers], target, {unit: hex_}) >= ADVANTAGE * defence:
                found |= 1 << hex_
    return found


def helpers_against(s: Situation, unit: int, target: int) -> list[int]:
    """Germans beside the target, active reserves, and active units that could still come beside it."""
    key = "helpers", target
    known = s.kept.get(key)
    if not isinstance(known, list):
        known = s.kept[key] = _helpers(s, target)
    return [mate for mate in known if mate != unit]


def _helpers(s: Situation, target: int) -> list[int]:
    facts, p = s.facts, s.p
    beside = facts.board.next_to(target)
    found = [mate for mate in s.units_in(beside, GERMAN) if not p.dispersed >> mate & 1]
    for mate in members(p.active & ~p.no_fuel):
        if p.where[mate] == BOX:
            found.append(mate)
        elif p.where[mate] >= 0 and not p.moved >> mate & 1 and mate not in found and may_move(facts, p, mate):
            far = facts.distance(p.where[mate], target) > facts.moves[mate] + 1
            if not far and restricted_moves(s, mate).hexes & beside:
                found.append(mate)
    return found


# ---------------------------------------------------------------------- 12: infiltrate


@rule("9.2")
def infiltrate(t: Tab, s: Situation, unit: int) -> bool:
    """12: one unit in an activation slips one hex closer through zones; whom it leaves has moved too."""
    facts, p = s.facts, s.p
    start = p.where[unit]
    mates = [mate for mate in s.stacks[GERMAN][start] if (p.active & ~p.moved) >> mate & 1]
    if p.infiltrated or s.bracketed(unit) or not s.supplied(unit):
        return False
    if not any(mate != unit and not s.bracketed(mate) for mate in mates):
        return False
    open_ = facts.board.next_to(start) & ~s.occupied[ALLIED] & ~p.roadblocks
    open_ &= ~facts.rivers.across(1 << start) if facts.mechanized[unit] else -1
    open_ &= ~facts.by_terrain["forest"] if facts.mechanized[unit] else -1
    over = sum(1 << hex_ for hex_ in members(open_) if _unbridged(s, start, hex_))
    open_ &= ~(over & ~fords_from(s, start))
    goals = closer(s, unit, sum(1 << hex_ for hex_ in members(open_) if s.has_room(unit, hex_)))
    more = restrictions(s, unit, goals)
    goals &= ~more.blocked
    goals = sum(1 << hex_ for hex_ in members(goals) if not more.barred(start, hex_))
    if not goals:
        return False
    end = pick(t, facts, goals, tie_breakers(s, unit))
    walk(t, facts, unit, [start, end], "9.2", "(method 12) infiltrates")
    p.infiltrated = True
    for mate in mates:
        p.moved |= 1 << mate
    return True


def _unbridged(s: Situation, from_: int, to: int) -> bool:
    side = s.facts.river_side(from_, to)
    return side >= 0 and not (s.facts.bridges & ~s.p.blown | s.p.built) >> side & 1


# ---------------------------------------------------------------------- 13: next to an Allied unit


@rule("9.2")
def next_to_unit(t: Tab, s: Situation, unit: int) -> bool:
    """13: next to an Allied unit, if it is next to none."""
    near = s.next_to_enemy(GERMAN)
    if near >> s.p.where[unit] & 1 or not near & free_moves(s, unit).hexes:
        return False
    moves = restricted_moves(s, unit)
    open_ = ends(s, moves)
    goals = open_ & near
    if not goals:
        return False
    end = adjusted(t, s, unit, pick(t, s.facts, goals, tie_breakers(s, unit)), open_, goals)
    go(t, s, moves, end, "9.2", "(method 13) comes next to an Allied unit")
    return True


# ---------------------------------------------------------------------- corps objectives (9.23)


@rule("9.23")
def move_by_corps_objective(t: Tab, s: Situation, unit: int) -> bool:
    """Towards the nearest Allied unit within three hexes of the corps marker, and next to it if possible."""
    facts, board, start = s.facts, s.facts.board, s.p.where[unit]
    marker = corps_goal(facts, s.p, unit)
    targets = s.occupied[ALLIED] & board.within(1 << marker, CORPS_RANGE)
    if not targets:
        return False
    nearest = line("9.23", "nearest Allied unit", lambda hex_: facts.distance(hex_, start))
    target = pick(t, facts, targets, (nearest, easternmost(facts)))
    if facts.distance(start, target) == 1:
        t.say(
            "9.23", f"{facts.name_of(unit)} is next to {facts.at(target)} already.", spaces=(start,), units=(unit,)
        )
        return False
    moves = free_moves(s, unit)
    open_ = ends(s, moves)
    return _approach(t, s, moves, open_, target)


def _approach(t: Tab, s: Situation, moves: Moves, open_: int, target: int) -> bool:
    facts, board, unit = s.facts, s.facts.board, moves.unit
    beside = open_ & board.next_to(target)
    if beside:
        away = s.without(unit)
        gap = board.next_to(target) & ~(away.occupied[GERMAN] | away.zones[GERMAN])
        closes = sum(
            1 << hex_ for hex_ in members(beside) if gap and not gap & ~(1 << hex_ | zone_at(away, unit, hex_))
        )
        tests = (
            line("9.23", "surrounds it", closes),
            line("9.23", "unoccupied", ~s.occupied[GERMAN]),
            easternmost(facts),
        )
        end = adjusted(t, s, unit, pick(t, facts, beside, tests), open_, beside, enemies=1 << target)
    else:
        now = facts.distance(moves.start, target)
        nearer = open_ & board.within(1 << target, now - 1)
        if not nearer:
            return False
        nearest = line("9.23", "nearest to the target", lambda hex_: facts.distance(hex_, target))
        end = pick(t, facts, nearer, (nearest, easternmost(facts)))
    go(t, s, moves, end, "9.23", f"goes for {facts.at(target)}")
    return True


# ---------------------------------------------------------------------- out of supply (9.25)


@rule("9.25")
def move_to_supply(t: Tab, s: Situation, unit: int) -> bool:
    """Towards the nearest hex from which supply can be traced, and into it; a unit that stands in one stays."""
    facts, start = s.facts, s.p.where[unit]
    lines = s.without(unit).lines(GERMAN)
    if lines.among(1 << start):
        return False
    moves = free_moves(s, unit)
    open_ = ends(s, moves)
    supplied = lines.among(open_)
    near_start = line("9.25", "the closest hex in supply", lambda hex_: facts.distance(hex_, start))
    if supplied:
        end = pick(t, facts, supplied, (near_start, *tie_breakers(s, unit)))
    else:
        goal = pick(None, facts, lines.among(facts.board.all & ~s.occupied[ALLIED]), (near_start,))
        if goal < 0:
            return False
        nearer = open_ & facts.board.within(1 << goal, facts.distance(start, goal) - 1)
        if not nearer:
            return False
        to_goal = line("9.25", "closest to supply", lambda hex_: facts.distance(hex_, goal))
        end = pick(t, facts, nearer, (to_goal, *tie_breakers(s, unit)))
    go(t, s, moves, end, "9.25", "is out of supply and falls back towards it")
    return True

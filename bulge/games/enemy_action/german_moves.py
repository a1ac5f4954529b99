"""The German movement step: whose turn it is to move, and by which method (rules 9.0, 9.2)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Condition, Table
from bulge.games.enemy_action.arrows import follow_arrows
from bulge.games.enemy_action.explaining import failed, tell_what_failed, why_it_stays
from bulge.games.enemy_action.facts import Facts
from bulge.games.enemy_action.last_methods import (
    infiltrate,
    move_by_corps_objective,
    move_closer,
    move_to_supply,
    next_to_unit,
)
from bulge.games.enemy_action.methods import METHODS, SPECIAL, infantry_of_methods
from bulge.games.enemy_action.movement import may_move
from bulge.games.enemy_action.objectives import corps_goal
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation, now

CORPS_MOVES = 0
LAST_METHODS = len(METHODS) + 1
TO_SUPPLY = LAST_METHODS + 1
LAST = (("10", follow_arrows), ("11", move_closer), ("12", infiltrate), ("13", next_to_unit))


@rule("9.2", "9.23", "9.25")
def begin_moves(t: Table[EnemyActionPosition], facts: Facts) -> str:
    """Corps-objective units come first, then methods 1 to 9, then 10 to 13 unit by unit, then who lacks supply."""
    p = t.p
    p.method, p.surrounded, p.infiltrated = CORPS_MOVES, 0, False
    p.queue = _queue(facts, p)
    return "german_moves"


@rule("9.2")
def german_moves(t: Table[EnemyActionPosition], facts: Facts) -> str:
    """One unit and one method, or the next method; the cursor is in the position."""
    p = t.p
    if not p.queue:
        if p.method == TO_SUPPLY:
            return "german_detachments"
        p.method += 1
        p.queue = _queue(facts, p)
        return "german_moves"
    unit = p.queue.pop(0)
    if not p.moved >> unit & 1 and p.where[unit] >= 0:
        _try(t, facts, unit)
    return "german_moves"


def _try(t: Table[EnemyActionPosition], facts: Facts, unit: int) -> None:
    p = t.p
    s = now(facts, p)
    since = len(t.events or ())
    if p.method == CORPS_MOVES:
        move_by_corps_objective(t, s, unit)
    elif p.method == TO_SUPPLY:
        move_to_supply(t, s, unit)
    elif p.method == LAST_METHODS:
        tried = next((at for at, (_, method) in enumerate(LAST) if method(t, s, unit)), len(LAST))
        if tried < len(LAST):
            tell_what_failed(t, since, unit, failed(s, unit, len(METHODS) + tried))
        elif t.keeps_log:
            _say_it_stays(t, s, unit)
    elif METHODS[p.method - 1].try_(t, s, unit):
        tell_what_failed(t, since, unit, failed(s, unit, p.method - 1))


def _say_it_stays(t: Table[EnemyActionPosition], s: Situation, unit: int) -> None:
    hex_, reasons = t.p.where[unit], why_it_stays(s, unit)
    words = f"{s.facts.name_of(unit)} stays in {s.facts.at(hex_)}: {'; '.join(reasons)}."
    tests = (*failed(s, unit, len(METHODS)), *(Condition(reason, holds=False) for reason in reasons))
    t.say("9.2", words, spaces=(hex_,), units=(unit,), kind="passed", conditions=tests)


def _queue(facts: Facts, p: EnemyActionPosition) -> list[int]:
    """Who is looked at by the method at hand, in its order."""
    s = now(facts, p)
    units = [
        unit for unit in members(p.active & ~p.moved) if p.where[unit] >= 0 and may_move(facts, p, unit)
    ]  # fmt: skip
    with_corps = [unit for unit in units if corps_goal(facts, p, unit) >= 0 and s.supplied(unit)]
    if p.method == CORPS_MOVES:
        return s.ascending(with_corps)
    if p.method == TO_SUPPLY:
        return s.ascending(unit for unit in units if not s.supplied(unit))
    rest = [unit for unit in units if unit not in with_corps]
    if p.method == LAST_METHODS:
        return s.ascending(unit for unit in rest if s.supplied(unit) and not _on_the_defence(facts, p, unit))
    method = METHODS[p.method - 1]
    if day_of(p) < method.first_day:
        return []
    if method.name not in SPECIAL:
        rest = [unit for unit in rest if s.supplied(unit)]
    if method.infantry:
        rest = [unit for unit in rest if infantry_of_methods(facts, p, unit)]
    return s.descending(rest) if method.descending else s.ascending(rest)


@rule("9.15")
def _on_the_defence(facts: Facts, p: EnemyActionPosition, unit: int) -> bool:
    """The 7th Army moves by methods 1 to 9 only once its third objective is reached."""
    return p.defensive and facts.army_of[unit] == "7A"

"""Which attacks the Germans make: lead units, situational ratios, the marginal attack (rules 9.5, 12.21)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, BOX, FIRST_DAY, GERMAN, Facts, mask
from bulge.games.enemy_action.objectives import distance_to_objective
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import (
    attack_strength,
    defending,
    ratio,
    ratio_words,
    situational_defence,
)
from bulge.games.enemy_action.tactics import bonus_tactic_applies

Tab = Table[EnemyActionPosition]
SURE, LEAST_IN_LOW_SUPPLY, HOPELESS = 4, 3, 1


class Plan(NamedTuple):
    """A possible attack by a lead unit."""

    target: int
    units: tuple[int, ...]
    """Active units on the map, the lead unit first."""
    reserves: dict[int, int]
    """Active reserves and where each would be placed."""
    joined: tuple[int, ...]
    """Inactive neighbours, if the support card coordinates the assault."""
    ratio: Fraction
    attack: int
    defence: int
    why: tuple[str, ...]


@rule("9.54", "12.1", "13.51", "12.9")
def fit_to_attack(p: EnemyActionPosition, unit: int) -> bool:
    """Undispersed, fuelled, in supply or low supply, and not yet used in an attack of this activation."""
    return not (p.dispersed | p.no_fuel | p.out | p.isolated | p.attacked) >> unit & 1


@rule("9.5")
def order_attacks(t: Tab, facts: Facts) -> str:
    """Lead units are looked at by ascending selector."""
    p = t.p
    s = Situation(facts, p)
    leads = [unit for unit in members(p.active) if p.where[unit] >= 0 and p.steps[unit] >= 2]
    p.queue = s.ascending(leads)
    p.checked = 0
    return "german_attacks"


@rule("9.5", "9.51", "9.52", "9.53")
def german_attacks(t: Tab, facts: Facts) -> str:
    """The next lead unit, its best target, and whether it attacks."""
    p = t.p
    if not p.queue:
        return "german_finish"
    lead = p.queue.pop(0)
    if p.where[lead] < 0 or p.steps[lead] < 2 or not fit_to_attack(p, lead) or lead == facts.heydte:
        return "german_attacks"
    s = Situation(facts, p)
    targets = s.occupied[ALLIED] & facts.board.next_to(p.where[lead]) & ~p.checked
    if not targets:
        return "german_attacks"
    plan = best_plan(t, s, lead, targets)
    p.checked |= 1 << plan.target
    if not attack_goes_in(t, s, lead, plan):
        return "german_attacks"
    defenders = defending(s, plan.target)
    p.battle = Battle(
        GERMAN,
        plan.target,
        mask(plan.units) | mask(plan.joined),
        mask(defenders),
        joined=mask(plan.joined),
        was_dispersed=mask(defenders) & p.dispersed,
    )
    return "battle_cards"


def best_plan(t: Tab, s: Situation, lead: int, targets: int) -> Plan:
    """The highest ratio, then a VP hex, then the hex closest to the objective."""
    plans = {target: plan_against(s, lead, target) for target in members(targets)}
    ranked = sorted({plan.ratio for plan in plans.values()}, reverse=True)
    tests = [
        line("9.51", "highest ratio", lambda hex_: ranked.index(plans[hex_].ratio)),
        line("9.51", "a VP hex", s.facts.vp_hexes),
        line("9.51", "closest to the objective", lambda hex_: distance_to_objective(s, lead, hex_)),
    ]
    return plans[pick(t, s.facts, targets, tests)]


@rule("9.5")
def plan_against(s: Situation, lead: int, target: int) -> Plan:
    """Everybody who would take part against a hex, and the situational ratio."""
    facts, p = s.facts, s.p
    beside = [unit for unit in s.units_in(facts.board.next_to(target), GERMAN) if fit_to_attack(p, unit)]
    beside = [unit for unit in beside if unit != facts.heydte]
    active = [lead, *(unit for unit in beside if p.active >> unit & 1 and unit != lead)]
    joined: list[int] = []
    if p.support >= 0 and "assault_coordination" in facts.german.tactics(p.support, day_of(p)):
        joined = [unit for unit in beside if not p.active >> unit & 1]
    reserves = reserve_places(s, target)
    attack = attack_strength(s, [*active, *joined, *reserves], target, reserves)
    defence, why = situational_defence(s, target)
    return Plan(
        target, tuple(active), reserves, tuple(joined), ratio(attack, defence), attack, defence, tuple(why)
    )


@rule("12.21", "13.3")
def reserve_places(s: Situation, target: int) -> dict[int, int]:
    """Where active reserves would come in beside a target, each in its turn."""
    facts, p = s.facts, s.p
    waiting = [unit for unit in members(p.active & ~p.no_fuel & ~p.attacked) if p.where[unit] == BOX]
    found: dict[int, int] = {}
    for unit in s.ascending(waiting):
        now = Situation(facts, p, found) if found else s
        hex_ = reserve_hex(None, now, unit, target)
        if hex_ >= 0:
            found[unit] = hex_
    return found


@rule("12.21", "14.1")
def reserve_hex(t: Tab | None, s: Situation, unit: int, target: int) -> int:
    """Surrounding the defender, not across a river, empty, with the fewest units, closest to the objective."""
    facts, p, board = s.facts, s.p, s.facts.board
    hexes = board.next_to(target) & ~s.occupied[ALLIED] & ~(facts.towns & ~p.german_towns) & ~p.roadblocks
    hexes = s.lines(GERMAN, reserve=True).among(hexes)
    hexes = sum(1 << hex_ for hex_ in members(hexes) if s.has_room(unit, hex_))
    if not hexes:
        return -1
    gap = board.next_to(target) & ~(s.occupied[GERMAN] | s.zones[GERMAN])
    closes = sum(1 << hex_ for hex_ in members(hexes) if not gap & ~(1 << hex_ | board.next_to(hex_)))
    tests = [
        line("12.21", "surrounds the defender", closes if gap else 0),
        line("12.21", "not across a river", ~facts.rivers.across(1 << target)),
        line("12.21", "an empty hex", ~s.occupied[GERMAN]),
        line("12.21", "the fewest German units", lambda hex_: len(s.stacks[GERMAN].get(hex_, ()))),
        line("12.21", "closest to the objective", lambda hex_: distance_to_objective(s, unit, hex_)),
    ]
    return pick(t, facts, hexes, tests)


@rule("9.5")
def attack_goes_in(t: Tab, s: Situation, lead: int, plan: Plan) -> bool:
    """Sure at 4:1 or against isolated units; hopeless below 1:1; else a die on the marginal attack table."""
    facts, p = s.facts, s.p
    units = [*plan.units, *plan.joined, *plan.reserves]
    why = f" ({', '.join(plan.why)})" if plan.why else ""
    words = (
        f"Attack check on {facts.at(plan.target)} by {', '.join(map(facts.short, units))}: "
        f"{plan.attack} to {plan.defence}{why}, {ratio_words(plan.ratio)}"
    )
    here = (plan.target,)
    if all(p.isolated >> unit & 1 for unit in defending(s, plan.target)):
        t.say("9.5", f"{words}; the defenders are isolated: attack.", spaces=here, units=tuple(units), depth=3)
        return True
    if plan.ratio >= SURE:
        t.say("9.5", f"{words}; at least 4:1: attack.", spaces=here, units=tuple(units), depth=3)
        return True
    if plan.ratio < HOPELESS:
        t.say("9.5", f"{words}; below 1:1: no attack.", spaces=here, units=tuple(units), kind="passed")
        return False
    if plan.ratio < LEAST_IN_LOW_SUPPLY and all(p.low >> unit & 1 for unit in units):
        t.say(
            "9.5", f"{words}; below 3:1 with all attackers in low supply: no attack.", spaces=here, kind="passed"
        )
        return False
    t.say("9.5", f"{words}.", spaces=here, units=tuple(units), depth=3)
    return _marginal(t, s, plan, units)


@rule("9.5")
def _marginal(t: Tab, s: Situation, plan: Plan, units: list[int]) -> bool:
    p = s.p
    modifiers = []
    if day_of(p) == FIRST_DAY:
        modifiers.append("16 December")
    if s.elite(units) and not s.elite(defending(s, plan.target)):
        modifiers.append("only the attackers are elite")
    if p.army_card:
        modifiers.append("army card")
    placed = Situation(s.facts, p, plan.reserves)
    if p.support >= 0 and bonus_tactic_applies(placed, p.support, plan.target, units, ()):
        modifiers.append("the support card's tactic")
    going = sum(not cancelled(s, plan, units, die - len(modifiers)) for die in range(1, 11))
    die = t.roll("9.5", f"The marginal attack goes in on {going} dice of 10", 10)
    net = die - len(modifiers)
    told = f"Marginal attack, die {die}" + (
        f" - {len(modifiers)} ({', '.join(modifiers)}) = {net}" if modifiers else ""
    )
    reason = cancelled(s, plan, units, net)
    if reason:
        t.say("9.5", f"{told}: cancelled, {reason}.", spaces=(plan.target,), kind="passed")
    else:
        t.say("9.5", f"{told}: the attack goes in.", spaces=(plan.target,), depth=3)
    return not reason


@rule("9.5")
def cancelled(s: Situation, plan: Plan, units: list[int], die: int) -> str:
    """Why the marginal attack table cancels an attack; empty if it does not."""
    facts = s.facts
    if die <= 0:
        return ""
    row = facts.marginal[die]
    if row.ratio_below and plan.ratio < Fraction(row.ratio_below):
        return f"below {row.ratio_below:g}:1"
    defenders = defending(s, plan.target)
    places = {plan.reserves.get(unit, s.where[unit]) for unit in units}
    town = bool(facts.towns >> plan.target & 1)
    found = {
        "only_def_elite": ("only the defender is elite", s.elite(defenders) and not s.elite(units)),
        "only_def_armor": (
            "only the defender has armor",
            any(facts.armored[unit] for unit in defenders) and not any(facts.armored[unit] for unit in units),
        ),
        "one_hex": ("all attack from one hex", len(places) == 1),
        "def_in_town": ("the defender is in a town", town),
        "def_in_town_without_vp": ("the defender is in a town without VP", town and not s.vp_value(plan.target)),
    }
    return next((found[test][0] for test in row.cancel_if.split() if found[test][1]), "")

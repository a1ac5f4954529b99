"""Hits on Germans become step losses, retreats and dispersal, by the rules alone (12.52 to 12.6, 17.1)."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import GERMAN, GONE, Facts
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.retreats import (
    fall_back,
    german_retreat_hex,
    open_retreats,
)
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.tactics import the_battle

Tab = Table[EnemyActionPosition]
DISPERSAL_TAKES = 2


@rule("12.6", "17.1")
def lose_step(t: Tab, facts: Facts, battle: Battle, unit: int, number: str = "12.6") -> Battle:
    """A step less; the last one eliminates."""
    p = t.p
    hex_ = p.where[unit]
    p.steps[unit] -= 1
    battle = replace(battle, hit=battle.hit | 1 << unit, hit_hexes=battle.hit_hexes | 1 << hex_)
    if p.steps[unit]:
        words = f"{facts.name_of(unit)} loses a step ({p.steps[unit]} left)."
        t.say(number, words, spaces=(hex_,), units=(unit,), kind="loss")
        return battle
    t.say(number, f"{facts.name_of(unit)} is eliminated.", spaces=(hex_,), units=(unit,), kind="loss")
    remove(p, unit)
    if hex_ >= 0 and all(at != hex_ for at in p.where):
        p.positions &= ~(1 << hex_)
    gone = ~(1 << unit)
    return replace(
        battle,
        attackers=battle.attackers & gone,
        defenders=battle.defenders & gone,
        eliminated=battle.eliminated or not battle.defenders & gone,
    )


def remove(p: EnemyActionPosition, unit: int) -> None:
    """A unit is out of the game, with all its markers."""
    p.where[unit] = GONE
    p.steps[unit] = 0
    gone = ~(1 << unit)
    p.dispersed &= gone
    p.low &= gone
    p.out &= gone
    p.isolated &= gone
    p.no_fuel &= gone
    p.active &= gone


# ---------------------------------------------------------------------- Germans (12.52, 12.53, 12.6)


@rule("12.6")
def german_loser(s: Situation, units: list[int]) -> int:
    """Four steps, then two or three, then one; the fullest hex, the highest selector."""
    steps = s.p.steps

    def rank(unit: int) -> tuple[int, int]:
        size = 0 if steps[unit] >= 4 else 1 if steps[unit] >= 2 else 2
        return size, -s.stack_steps(s.where[unit])

    return min(s.descending(units), key=rank)


@rule("12.52")
def german_defence(t: Tab, facts: Facts) -> str:
    """Each hit by the first priority that applies: A step, B and C retreat, D the hold check."""
    p = t.p
    battle = the_battle(p)
    while battle.defender_hits and battle.defenders:
        battle = _one_german_hit(t, facts, replace(battle, defender_hits=battle.defender_hits - 1))
        p.battle = battle
    p.battle = replace(battle, hit=0, hit_hexes=0)
    return "battle_attackers"


def _one_german_hit(t: Tab, facts: Facts, battle: Battle) -> Battle:
    s = Situation(facts, t.p)
    units = members(battle.defenders)
    steps = sum(t.p.steps[unit] for unit in units)
    way = open_retreats(s, battle)
    hits = battle.defender_hits + 1
    if not way.hexes:
        letter, why, back = "A", "no retreat is left", False
    elif hits >= steps:
        letter, why, back = "B", f"{hits} hits against {steps} steps", True
    elif _loses_zone(s, units):
        letter, why, back = "C", "a step less would end its zone", True
    else:
        return _hold_check(t, s, battle, steps)
    t.say("12.52", f"Hit by priority {letter}: {why}: {'retreat' if back else 'step loss'}.", units=tuple(units))
    return _german_retreats(t, facts, battle) if back else _german_step(t, facts, battle)


def _loses_zone(s: Situation, units: list[int]) -> bool:
    """Whether the stack exerts control now and would not after a step loss."""
    hex_ = s.where[units[0]]
    if not s.exerts(GERMAN, hex_):
        return False
    loser = german_loser(s, units)
    twin = s.p.copy()
    twin.steps[loser] -= 1
    if not twin.steps[loser]:
        twin.where[loser] = GONE
    return not Situation(s.facts, twin).exerts(GERMAN, hex_)


@rule("12.52")
def hold_chance(s: Situation, battle: Battle, steps: int) -> tuple[int, list[str]]:
    """What the die must not exceed for the Germans to stand."""
    facts, units = s.facts, members(battle.defenders)
    hex_ = s.where[units[0]]
    parts = [(facts.hold.get(hex_, 0), "hold value"), (steps, "steps")]
    places = {s.where[unit] for unit in members(battle.attackers)}
    if places and all(facts.river_side(at, battle.target) >= 0 for at in places):
        parts.append((2, "attackers across a river"))
    if not s.traces(GERMAN, hex_, reserve=True):
        parts.append((-2, "no reserve supply"))
    if open_retreats(s, battle).costs_step:
        parts.append((2, "every retreat costs a step"))
    if battle.retreat:
        parts.append((3, "already fell back"))
    return sum(number for number, _ in parts), [f"{number:+d} {words}" for number, words in parts if number]


def _hold_check(t: Tab, s: Situation, battle: Battle, steps: int) -> Battle:
    chance, parts = hold_chance(s, battle, steps)
    die = t.roll("12.52", f"Hold check, chance {chance} ({', '.join(parts)})", 10)
    if die <= chance:
        t.say("12.52", f"{die} is not more than {chance}: they stand and lose a step.")
        return _german_step(t, s.facts, battle)
    t.say("12.52", f"{die} is more than {chance}: they retreat.")
    return _german_retreats(t, s.facts, battle)


def _german_step(t: Tab, facts: Facts, battle: Battle) -> Battle:
    loser = german_loser(Situation(facts, t.p), members(battle.defenders))
    return lose_step(t, facts, battle, loser)


def _german_retreats(t: Tab, facts: Facts, battle: Battle) -> Battle:
    """One hex back; into an enemy zone it costs a step that satisfies no hit."""
    s = Situation(facts, t.p)
    way = open_retreats(s, battle)
    battle = fall_back(t, facts, battle, german_retreat_hex(t, s, battle, way.hexes))
    if way.costs_step:
        battle = _german_step(t, facts, battle)
    return battle


@rule("12.53", "12.54")
def german_attackers(t: Tab, facts: Facts) -> str:
    """The first hit a step; the second and third by die; the fourth disperses; a dispersal takes two hits."""
    p = t.p
    battle = the_battle(p)
    if battle.spared and battle.attacker_hits:
        fewer = min(battle.spared, battle.attacker_hits)
        t.say(
            "12.54", f"The defender is wiped out with {battle.spared} hits to spare: {fewer} attacker hits less."
        )
        battle = replace(battle, attacker_hits=battle.attacker_hits - fewer)
    number = 0
    while battle.attacker_hits and battle.attackers:
        number += 1
        battle = replace(battle, attacker_hits=battle.attacker_hits - 1)
        units = members(battle.attackers)
        steps = sum(p.steps[unit] for unit in units)
        if battle.absorbed:
            battle = replace(battle, absorbed=battle.absorbed - 1)
        elif number > 1 and not battle.scattered and _scatters(t, facts, battle, number, steps):
            battle = scatter(t, facts, battle)
        else:
            battle = lose_step(t, facts, battle, german_loser(Situation(facts, p), units))
    p.battle = battle
    return "battle_advance"


def _scatters(t: Tab, facts: Facts, battle: Battle, number: int, steps: int) -> bool:
    if steps == 1 or number >= 4:
        return True
    hold = facts.hold.get(battle.target, 0)
    die = t.roll("12.53", f"Hit {number} on the attackers (hold value {hold}, {steps} steps)", 10)
    return die > hold and die > steps


@rule("12.53", "12.9")
def scatter(t: Tab, facts: Facts, battle: Battle) -> Battle:
    """All attackers are dispersed, which takes this hit and the next."""
    t.p.dispersed |= battle.attackers
    units = members(battle.attackers)
    t.say("12.9", f"The attackers are dispersed: {', '.join(map(facts.short, units))}.", units=tuple(units))
    return replace(battle, scattered=True, absorbed=DISPERSAL_TAKES - 1)

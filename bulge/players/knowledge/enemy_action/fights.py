"""What a fight is worth to the Allies: exact chances of hits, and a price for every step, town and card."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bulge.core.spaces import members
from bulge.games.enemy_action.chits import Hits, most_chits
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, mask
from bulge.games.enemy_action.odds import hit_chances, net_hits
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import defending

STEP, UNIT = 0.9, 1.6
"""What an Allied step is worth, and a whole unit on top of its last one."""
GERMAN_STEP, GROUND = 0.6, 0.2
SCATTERED = 0.5
"""What it costs to have all attackers dispersed."""
CARD = 0.3
"""An attack on supplied Germans takes a card out of their day."""
DISORDER = 0.7
"""What it costs a unit to be dispersed by a retreat of two hexes."""
LONG, CHEAP = 9, 0.4
"""With so many days to come a step has its full price; on the last day only this much of it."""
DRIVEN_OUT = 0.5
"""How likely a hit drives Germans out of their hex rather than costing them a step."""


def dear(facts: Facts, p: EnemyActionPosition) -> float:
    """How much of its full price a step still has: what counts at the end are towns."""
    left = facts.scenarios[p.scenario].last_day - day_of(p)
    return CHEAP + (1 - CHEAP) * min(1.0, left / LONG)


def attack_on(s: Situation, target: int, units: Sequence[int], tactics: tuple[str, ...] = ()) -> Battle:
    return Battle(ALLIED, target, mask(units), mask(defending(s, target)), attack_tactics=tactics)


def worth_of_attack(s: Situation, battle: Battle, total: int | None = None, more: float = 0.0) -> float:
    """The mean worth of an attack for the Allies, by so many chits in all; `more`: for driving them off."""
    number = most_chits(s, battle)[0] if total is None else total
    steps = sum(s.p.steps[unit] for unit in members(battle.defenders))
    prize = s.facts.vp.get(battle.target, 0) + GROUND + more
    price = dear(s.facts, s.p)
    supplied = any(s.supplied(unit) for unit in members(battle.defenders))
    found = CARD if supplied and s.p.pile else 0.0
    for hits, chance in hit_chances(s, battle, number).items():
        net = net_hits(s, battle, hits)
        found += float(chance) * (_on_germans(net, steps, prize, price) - price * cost_to_attackers(net.attacker))
    return found


def _on_germans(net: Hits, steps: int, prize: float, price: float) -> float:
    if not net.defender:
        return 0.0
    taken = 1.0 if net.defender >= steps else DRIVEN_OUT
    return price * GERMAN_STEP * min(net.defender, steps) + prize * taken


def cost_to_attackers(hits: int) -> float:
    """The first a step, up to two more a dispersal, the rest steps."""
    if not hits:
        return 0.0
    return STEP * (1 + max(0, hits - 3)) + (SCATTERED if hits > 1 else 0.0)


def cost_of_defence(s: Situation, battle: Battle) -> float:
    """What a German attack costs the Allies on average: steps, units, the hex."""
    facts, p = s.facts, s.p
    units = members(battle.defenders)
    steps = sum(p.steps[unit] for unit in units)
    price = dear(facts, p)
    hold = worth_of_hex(facts, p, battle.target) / price
    found = 0.0
    for hits, chance in hit_chances(s, battle, most_chits(s, battle)[0]).items():
        net = net_hits(s, battle, hits)
        found += float(chance) * (cost_of_hits(net.defender, steps, len(units), hold) - GERMAN_STEP * net.attacker)
    return price * found


def cost_of_hits(hits: int, steps: int, units: int, hold: float) -> float:
    """Two hits can be walked off, at the price of the hex; what is left costs steps, and units at the end."""
    if not hits:
        return 0.0
    stay = STEP * hits + UNIT * units if hits >= steps else STEP * hits
    stay += hold if hits >= steps else 0.0
    back = max(0, hits - 2)
    leave = hold + 0.2 + STEP * min(back, steps) + (UNIT * units if back >= steps else 0.0)
    return min(stay, leave)


def worth_of_hex(facts: Facts, p: EnemyActionPosition, hex_: int) -> float:
    return facts.vp.get(hex_, 0) + 0.1 * facts.hold.get(hex_, 0)


def with_tactic(battle: Battle, tactic: str) -> Battle:
    """The same fight with one more Allied tactic."""
    if battle.side == ALLIED:
        return replace(battle, attack_tactics=(*battle.attack_tactics, tactic))
    return replace(battle, defence_tactics=(*battle.defence_tactics, tactic))


def gain_by_tactic(s: Situation, battle: Battle, tactic: str) -> float:
    """How much better a fight goes with a tactic; who could be brought in by one is not looked at."""
    p = s.p
    if tactic == "engineers_tactic":
        twin = p.copy()
        here = 1 << battle.target
        twin.positions = p.positions & ~here if battle.side == ALLIED else p.positions | here
        after = Situation(s.facts, twin)
    else:
        after = s
    if battle.side == GERMAN:
        return cost_of_defence(s, battle) - cost_of_defence(after, with_tactic(battle, tactic))
    return worth_of_attack(after, with_tactic(battle, tactic)) - worth_of_attack(s, battle)

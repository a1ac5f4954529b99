"""Combat tactics: German cards drawn, the bonus tactic, what each does at once (rules 12.3, 12.31 to 12.38)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, mask
from bulge.games.enemy_action.german_cards import draw_card, release_reserves, shown, title
from bulge.games.enemy_action.movement import may_move, moves_of
from bulge.games.enemy_action.objectives import distance_to_objective
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
ARTILLERY = ("artillery", "fixed_artillery", "corps_artillery")


def the_battle(p: EnemyActionPosition) -> Battle:
    assert p.battle is not None
    return p.battle


def tactic_title(facts: Facts, tactic: str) -> str:
    return facts.events[tactic].title


# ---------------------------------------------------------------------- what a tactic means


@rule("12.31", "12.41")
def within_fixed_range(s: Situation, target: int) -> bool:
    """Fixed artillery reaches so many hexes from the Westwall, by the calendar."""
    far = s.facts.calendar[day_of(s.p)].far
    return bool(s.facts.board.within(s.facts.wall, far) >> target & 1)


def has_artillery(s: Situation, tactics: Iterable[str], target: int) -> bool:
    return any(
        tactic in ARTILLERY and (tactic != "fixed_artillery" or within_fixed_range(s, target))
        for tactic in tactics
    )


def attack_hexes(s: Situation, units: Iterable[int]) -> set[int]:
    return {s.where[unit] for unit in units if s.where[unit] >= 0}


@rule("12.41")
def is_flank(s: Situation, hexes: set[int], target: int) -> bool:
    """From three hexes, or from two that do not touch; never against a town or city."""
    if s.facts.towns >> target & 1:
        return False
    return len(hexes) >= 3 or (len(hexes) == 2 and not s.facts.board.adjacent(*hexes))


@rule("12.31")
def bonus_tactic_applies(s: Situation, card: int, target: int, units: Sequence[int], drawn: Sequence[str]) -> bool:
    """Whether the support card's tactic does more for this attack than add a chit, and is not drawn already."""
    tactics = s.facts.german.tactics(card, day_of(s.p))
    return any(_useful(s, tactic, target, units) for tactic in tactics if tactic not in drawn)


def _useful(s: Situation, tactic: str, target: int, units: Sequence[int]) -> bool:
    facts = s.facts
    hexes = attack_hexes(s, units)
    if tactic == "press_the_attack":
        return False
    if tactic == "artillery":
        return not s.p.army_card
    if tactic == "fixed_artillery":
        return within_fixed_range(s, target) and not s.p.army_card
    if tactic == "infantry_infiltration":
        return not is_flank(s, hexes, target) and not (facts.towns >> target & 1 and len(hexes) > 1)
    if tactic == "panzer_battalion":
        return not any(facts.armored[unit] for unit in units)
    if tactic == "reinforce_battle":
        return bool(reinforcements(s, target, GERMAN))
    return True


# ---------------------------------------------------------------------- German cards in a German attack


@rule("12.3", "12.33", "12.38")
def draw_tactics(t: Tab, facts: Facts) -> tuple[str, ...]:
    """One card for its tactics; from an empty pile the discards are shuffled for this draw alone."""
    p = t.p
    if p.pile:
        card = draw_card(t, facts, "tactic")
        back = facts.german[card].tactic_back_to_deck and bool(p.pile)
        if back:
            p.pile |= 1 << card
            t.say("12.3", f"{title(facts, card)} goes back into the pile.", depth=3)
        else:
            p.discards |= 1 << card
    elif p.discards:
        card = t.draw(members(p.discards))
        words = f"The pile is empty; from the discards: {title(facts, card)}."
        t.say("12.38", words, cards=shown(facts, card), kind="card", depth=3)
        if facts.german[card].level == "army_group":
            release_reserves(t, facts)
            p.discards |= p.pile
            p.pile = 0
    else:
        return ()
    p.drawn_card = card
    found = facts.german.tactics(card, day_of(p))
    names = ", ".join(tactic_title(facts, tactic) for tactic in found) or "none"
    t.say("12.3", f"Combat tactic: {names}.", depth=3)
    return found


@rule("12.3", "14.34", "12.83")
def apply_german_tactic(t: Tab, facts: Facts, tactic: str) -> None:
    """What a tactic of the German attacker does at once."""
    p, battle = t.p, the_battle(t.p)
    battle = replace(battle, attack_tactics=(*battle.attack_tactics, tactic))
    p.battle = battle
    s = Situation(facts, p)
    if tactic == "combat_engineers" and p.positions >> battle.target & 1:
        p.positions &= ~(1 << battle.target)
        t.say(
            "14.34",
            f"Combat Engineers destroy the improved position in {facts.at(battle.target)}.",
            spaces=(battle.target,),
        )
    elif tactic == "assault_coordination":
        fresh = [unit for unit in coordinated(s, battle) if not battle.attackers >> unit & 1]
        p.battle = replace(battle, attackers=battle.attackers | mask(fresh), joined=battle.joined | mask(fresh))
        if fresh:
            t.say("12.1", f"Joining the assault: {', '.join(map(facts.short, fresh))}.", units=tuple(fresh))
    elif tactic == "reinforce_battle":
        _reinforce_attack(t, s, battle)


@rule("12.1", "9.5")
def coordinated(s: Situation, battle: Battle) -> list[int]:
    """Inactive units beside the target that may join: undispersed, fuelled, supplied, and fresh."""
    p, facts = s.p, s.facts
    bad = p.dispersed | p.no_fuel | p.out | p.isolated | p.attacked | p.active
    if battle.side == ALLIED:
        bad |= p.low
    beside = s.units_in(facts.board.next_to(battle.target), battle.side)
    return [unit for unit in beside if not bad >> unit & 1 and unit != facts.heydte]


# ---------------------------------------------------------------------- Reinforce Battle


@rule("12.1", "6.4", "4.12")
def reinforcements(s: Situation, target: int, side: str, *, into: bool = False) -> dict[int, int]:
    """Inactive units that could move up beside the target, or into it, and the hexes they could take."""
    facts, p = s.facts, s.p
    goals = 1 << target if into else facts.board.next_to(target)
    bad = p.dispersed | p.no_fuel | p.low | p.out | p.isolated | p.attacked | p.active | p.defended
    found = {}
    for unit in s.units_in(facts.board.within(1 << target, max(facts.moves) + 1), side):
        if bad >> unit & 1 or not may_move(facts, p, unit) or (side == GERMAN and s.bracketed(unit)):
            continue
        if s.where[unit] == target or (not into and facts.board.adjacent(s.where[unit], target)):
            continue
        hexes = (
            moves_of(s, unit, short_step=False).hexes & goals & ~s.occupied[ALLIED if side == GERMAN else GERMAN]
        )
        hexes = sum(1 << hex_ for hex_ in members(hexes) if s.has_room(unit, hex_))
        if hexes:
            found[unit] = hexes
    return found


def preferred(s: Situation, units: Iterable[int], fighters: int) -> int:
    """Of the same division as somebody in the fight, then corps, then the strongest."""
    facts = s.facts
    divisions = {facts.division_of[unit] for unit in members(fighters)}
    corps = {facts.corps_of[unit] for unit in members(fighters)}
    return min(
        s.ascending(units),
        key=lambda unit: (
            facts.division_of[unit] not in divisions,
            facts.corps_of[unit] not in corps,
            -s.strength(unit),
        ),
    )


@rule("9.24", "12.83")
def _reinforce_attack(t: Tab, s: Situation, battle: Battle) -> None:
    facts, p = s.facts, s.p
    found = reinforcements(s, battle.target, GERMAN)
    if not found:
        t.say("12.3", "Nobody is there to reinforce the battle.")
        return
    unit = preferred(s, found, battle.attackers)
    board, target = facts.board, battle.target
    gap = board.next_to(target) & ~(s.occupied[GERMAN] | s.zones[GERMAN])
    closes = sum(
        1 << hex_ for hex_ in members(found[unit]) if gap and not gap & ~(1 << hex_ | board.next_to(hex_))
    )
    tests = [
        line("9.24", "surrounds the defender", closes),
        line("9.24", "an unoccupied hex", ~s.occupied[GERMAN]),
        line("9.24", "not across a river", ~facts.rivers.across(1 << target)),
        line("9.24", "closest to the objective", lambda hex_: distance_to_objective(s, unit, hex_)),
    ]
    hex_ = pick(t, facts, found[unit], tests)
    walk(t, facts, unit, moves_of(s, unit, short_step=False).way(hex_), "12.3", "reinforces the battle")
    p.battle = replace(battle, attackers=battle.attackers | 1 << unit, joined=battle.joined | 1 << unit)


@rule("12.22", "14.31")
def apply_defence_tactic(t: Tab, facts: Facts, tactic: str) -> None:
    """What a tactic of the German defender does at once."""
    p = t.p
    battle = replace(the_battle(p), defence_tactics=(*the_battle(p).defence_tactics, tactic))
    p.battle = battle
    s, target = Situation(facts, p), battle.target
    if tactic == "combat_engineers" and not (facts.towns | p.positions) >> target & 1:
        p.positions |= 1 << target
        t.say(
            "14.31",
            f"Combat Engineers: the Germans in {facts.at(target)} have an improved position.",
            spaces=(target,),
        )
    elif tactic == "reinforce_battle":
        found = reinforcements(s, target, GERMAN, into=True)
        if found:
            unit = preferred(s, found, battle.defenders)
            walk(t, facts, unit, moves_of(s, unit).way(target), "12.3", "reinforces the battle")
            p.battle = replace(battle, defenders=battle.defenders | 1 << unit)

"""The stages of a combat, German or Allied (rules 12.0, 12.1, 12.21 to 12.23, 12.36)."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.decision import Choice, Decision, Kind, Option, Play, Preview
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.advance import advance
from bulge.games.enemy_action.allied_losses import allied_attackers, allied_defence
from bulge.games.enemy_action.chits import LARGE, count_hits, draw_chits, least_chits, most_chits
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, Facts, mask
from bulge.games.enemy_action.german_attack import reserve_hex
from bulge.games.enemy_action.losses import german_attackers, german_defence, remove
from bulge.games.enemy_action.odds import preview
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, ratio, ratio_words
from bulge.games.enemy_action.tactics import (
    apply_defence_tactic,
    apply_german_tactic,
    bonus_tactic_applies,
    draw_tactics,
    tactic_title,
    the_battle,
)
from bulge.games.enemy_action.walking import enter

Tab = Table[EnemyActionPosition]
OVERWHELMING_ODDS = 9
UNDETECTED_BELOW_STEPS, UNDETECTED_UNITS = 4, 2


# ---------------------------------------------------------------------- a German attack, steps 1 and 2


@rule("12.0", "12.3", "12.31", "12.35", "12.36", "8.1")
def battle_cards(t: Tab, facts: Facts) -> str:
    """A card for its tactic, then the support card's bonus; none of both for an overwhelming attack."""
    p = t.p
    battle = the_battle(p)
    t.say(
        "12.0",
        f"Attack on {facts.at(battle.target)}.",
        spaces=(battle.target,),
        units=tuple(members(battle.attackers)),
        kind="battle",
        depth=3,
    )
    if p.army_card:
        apply_german_tactic(t, facts, "artillery")
        battle = the_battle(p)
    s = Situation(facts, p)
    if is_overwhelming(s, battle):
        t.say("12.36", "The attack is overwhelming: no tactics are drawn.", depth=3)
        return "battle_reserves"
    if any(s.supplied(unit) for unit in members(battle.attackers)):
        drawn = draw_tactics(t, facts)
        for tactic in drawn:
            apply_german_tactic(t, facts, tactic)
        _bonus(t, facts, drawn)
    return "battle_reserves"


@rule("12.36")
def is_overwhelming(s: Situation, battle: Battle) -> bool:
    """Nine to one, and seven chits or more before any tactic is drawn."""
    units = members(battle.attackers)
    odds = ratio(
        attack_strength(s, units, battle.target), defence_strength(s, members(battle.defenders), battle.target)
    )
    return odds >= OVERWHELMING_ODDS and most_chits(s, battle)[0] >= LARGE


@rule("12.31")
def _bonus(t: Tab, facts: Facts, drawn: tuple[str, ...]) -> None:
    """The first attack that the support card's tactic does something for has it; the card is then used up."""
    p = t.p
    units = members(the_battle(p).attackers)
    if p.support < 0 or not bonus_tactic_applies(
        Situation(facts, p), p.support, the_battle(p).target, units, drawn
    ):
        return
    for tactic in facts.german.tactics(p.support, day_of(p)):
        if tactic not in drawn:
            t.say("12.31", f"Bonus tactic of the support card: {tactic_title(facts, tactic)}.", depth=3)
            apply_german_tactic(t, facts, tactic)
    p.discards |= 1 << p.support
    p.support = -1


@rule("12.2", "12.21", "9.4")
def battle_reserves(t: Tab, facts: Facts) -> str:
    """Active reserves come in beside the target, by ascending selector, wherever reserve supply reaches."""
    p = t.p
    waiting = [unit for unit in members(p.active & ~p.no_fuel & ~p.attacked) if p.where[unit] == BOX]
    for unit in Situation(facts, p).ascending(waiting):
        hex_ = reserve_hex(t, Situation(facts, p), unit, the_battle(p).target)
        if hex_ < 0:
            continue
        p.where[unit] = hex_
        p.placed |= 1 << unit
        t.say(
            "12.21",
            f"{facts.name_of(unit)} joins from reserve in {facts.at(hex_)}.",
            spaces=(hex_,),
            units=(unit,),
            kind="move",
        )
        enter(t, facts, unit, hex_)
        p.battle = replace(the_battle(p), attackers=the_battle(p).attackers | 1 << unit)
    return "battle_tactics"


# ---------------------------------------------------------------------- an Allied attack, step 3


@rule("12.22", "12.23", "12.3", "12.37", "12.38")
def battle_draw(t: Tab, facts: Facts) -> str:
    """A German card: an undetected defender if its formation fits, else its tactic."""
    p = t.p
    battle = the_battle(p)
    s = Situation(facts, p)
    units = members(battle.defenders)
    if facts.heydte in units or not any(s.supplied(unit) for unit in units):
        return "battle_chits"
    tactics = draw_tactics(t, facts)
    awake = any(not p.dispersed >> unit & 1 for unit in units)
    if tactics and not _undetected(t, s, battle, p.drawn_card) and awake:
        for tactic in tactics:
            apply_defence_tactic(t, facts, tactic)
    return "battle_chits"


@rule("12.22", "13.3")
def _undetected(t: Tab, s: Situation, battle: Battle, card: int) -> bool:
    """A reserve unit of the card's formation was there all along."""
    facts, p = s.facts, s.p
    units = members(battle.defenders)
    steps = sum(p.steps[unit] for unit in units)
    if steps >= UNDETECTED_BELOW_STEPS or len(units) > UNDETECTED_UNITS:
        return False
    if not s.traces(GERMAN, battle.target, reserve=True):
        return False
    called = called_units(facts, card, units)
    if not any(unit in called for unit in units):
        return False
    found = [u for u in called if p.where[u] == BOX and not p.no_fuel >> u & 1 and s.has_room(u, battle.target)]
    if not found:
        return False
    divisions = {facts.division_of[unit] for unit in units}
    corps = {facts.corps_of[unit] for unit in units}
    unit = min(
        s.ascending(found), key=lambda u: (facts.division_of[u] not in divisions, facts.corps_of[u] not in corps)
    )
    p.where[unit] = battle.target
    p.battle = replace(battle, defenders=battle.defenders | 1 << unit)
    t.say("12.22", f"An undetected defender: {facts.name_of(unit)}.", spaces=(battle.target,), units=(unit,))
    return True


@rule("12.22")
def called_units(facts: Facts, card: int, defenders: list[int]) -> list[int]:
    """Everybody of the card's formation; for Army Group B, of the defenders' armies."""
    row = facts.german[card]
    if row.level == "army":
        return facts.army_units[row.army]
    if row.level == "army_group":
        return [unit for army in {facts.army_of[unit] for unit in defenders} for unit in facts.army_units[army]]
    return facts.german.units(card, facts)


# ---------------------------------------------------------------------- chits


@rule("12.4", "12.0")
def battle_chits(t: Tab, facts: Facts) -> str:
    """The Germans draw all they may; the Allies draw the least first."""
    p = t.p
    battle = the_battle(p)
    s = Situation(facts, p)
    p.positions &= ~_left_by_attackers(s, battle)
    most, parts = most_chits(s, battle)
    least = least_chits(s, battle)
    attack = attack_strength(s, members(battle.attackers), battle.target)
    defence = defence_strength(s, members(battle.defenders), battle.target)
    told = ", ".join(f"{number:+d} {words}" for number, words in parts)
    odds = f"{attack} to {defence}, {ratio_words(ratio(attack, defence))}"
    t.say("12.4", f"{odds}; chits {least} to {most} ({told}).", spaces=(battle.target,), depth=4)
    if battle.side == GERMAN or most <= least:
        p.battle = draw_chits(t, facts, replace(battle, due=most), most)
        return "battle_hits"
    p.battle = draw_chits(t, facts, replace(battle, due=least), least)
    return "battle_more_chits"


@rule("14.34")
def _left_by_attackers(s: Situation, battle: Battle) -> int:
    """A stack that attacks with all its units gives up its improved position."""
    places = {s.where[unit] for unit in members(battle.attackers)}
    return mask(hex_ for hex_ in places if hex_ >= 0 and all(battle.attackers >> u & 1 for u in s.stack(hex_)))


class ChitsQuestion(Question):
    """How many chits the Allied attacker draws in all."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        drawn = len(the_battle(t.p).chits)
        more = int(choice) - drawn
        words = f"{more} more, {choice} in all" if more else f"Stop at {drawn}"
        return Option(plain.id, words, role="strike", rolls=bool(more), has_preview=True)

    def preview(self, t: Tab, decision: Decision, choice: Choice) -> Preview:
        return preview(Situation(self.facts, t.p), the_battle(t.p), int(choice))


@rule("12.4")
def battle_more_chits(t: Tab, facts: Facts) -> Play:
    """The Allied attacker names the whole number before he draws on."""
    p = t.p
    battle = the_battle(p)
    most = most_chits(Situation(facts, p), battle)[0]
    drawn = len(battle.chits)
    prompt = f"{drawn} chits are drawn; how many in all?"
    question = ChitsQuestion(facts)
    total = yield Decision(
        ALLIED, prompt, list(range(drawn, most + 1)), "12.4", Kind.NUMBER, top=True, about=question
    )
    p.battle = draw_chits(t, facts, replace(battle, due=total), total - drawn)
    return "battle_hits"


@rule("12.5", "12.74")
def battle_hits(t: Tab, facts: Facts) -> str:
    """The hits are counted; then the defender's, then the attacker's are applied."""
    t.p.battle = count_hits(t, facts, the_battle(t.p))
    return "battle_defence"


def battle_defence(t: Tab, facts: Facts) -> Play | str:
    return allied_defence(t, facts) if the_battle(t.p).side == GERMAN else german_defence(t, facts)


def battle_attackers(t: Tab, facts: Facts) -> Play | str:
    return german_attackers(t, facts) if the_battle(t.p).side == GERMAN else allied_attackers(t, facts)


@rule("12.74")
def battle_advance(t: Tab, facts: Facts) -> Play | str:
    """Units that had fallen back into a hex that is lost now are lost with it; then the victors may go in."""
    p = t.p
    battle = the_battle(p)
    if battle.retreat or battle.eliminated:
        for unit in Situation(facts, p).stack(battle.target):
            if p.fell_back >> unit & 1 and not battle.attackers >> unit & 1:
                words = f"{facts.name_of(unit)} had fallen back into the lost hex and is eliminated."
                t.say("12.74", words, units=(unit,))
                remove(p, unit)
    return advance(t, facts)


@rule("12.0", "12.1")
def battle_end(t: Tab, facts: Facts) -> str:
    """Everybody who fought has fought."""
    p = t.p
    battle = the_battle(p)
    p.attacked |= battle.attackers
    p.defended |= battle.defenders
    p.battle = None
    return "german_attacks" if battle.side == GERMAN else "allied_attacks"

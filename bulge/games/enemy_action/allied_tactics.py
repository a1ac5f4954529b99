"""Cards that the Allied player puts into a combat (rules 12.3, 12.32 to 12.34)."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.allied_cards import play_card
from bulge.games.enemy_action.facts import ALLIED, FIRST_DAY, Facts, mask
from bulge.games.enemy_action.movement import moves_of
from bulge.games.enemy_action.odds import preview
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.tactics import coordinated, reinforcements, tactic_title, the_battle
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
WILD = "wild"
BONUS = "bonus"
WILD_CHOICES = (
    "artillery",
    "tank_battalion",
    "reinforce_battle",
    "assault_coordination",
    "screen",
    "engineers_tactic",
    "airpower_tactic",
)
"""Any tactic of the Allies but Corps Artillery (12.33)."""


class TacticQuestion(Question):
    """Which card supports the combat."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == DONE:
            words = "No more tactics: draw chits"
            return Option(plain.id, words, role="strike", rolls=True, has_preview=True)
        if choice == BONUS:
            return Option(plain.id, "Name the army card's bonus tactic")
        tactics = self.facts.allied.tactics(int(choice), day_of(t.p))
        names = " or ".join("any tactic" if name == WILD else tactic_title(self.facts, name) for name in tactics)
        return Option(plain.id, f"{plain.words}: {names}", cards=plain.cards)

    def preview(self, t: Tab, decision: Decision, choice: Choice) -> Preview | None:
        return preview(Situation(self.facts, t.p), the_battle(t.p)) if choice == DONE else None

    def subject(self, t: Tab, decision: Decision) -> Subject:
        battle, facts = the_battle(t.p), self.facts
        return Subject((facts.board.name(battle.target),), facts.ids(members(battle.attackers)))


@rule("12.3", "12.9", "13.21")
def may_be_supported(s: Situation, battle: Battle) -> bool:
    """At least one Allied unit of the combat is in supply and not dispersed."""
    units = battle.attackers if battle.side == ALLIED else battle.defenders
    return any(s.supplied(unit) and not s.p.dispersed >> unit & 1 for unit in members(units))


@rule("12.3", "4.12", "12.33")
def useful(s: Situation, battle: Battle, tactic: str) -> bool:
    """Any tactic helps an attacker, by a chit; in defence it must have an effect."""
    facts, p = s.facts, s.p
    if tactic == "artillery" and day_of(p) == FIRST_DAY:
        return False
    used = battle.attack_tactics if battle.side == ALLIED else battle.defence_tactics
    if battle.side == ALLIED:
        return tactic != "screen"
    if tactic in used:
        return False
    if tactic == "assault_coordination":
        return False
    if tactic == "screen":
        return any(facts.mechanized[unit] for unit in members(battle.defenders))
    if tactic == "engineers_tactic":
        return not (facts.towns | p.positions) >> battle.target & 1
    if tactic == "reinforce_battle":
        return bool(reinforcements(s, battle.target, ALLIED, into=True))
    return True


def choices_of(s: Situation, battle: Battle, card: int) -> list[str]:
    """What a card can be played for in this combat."""
    tactics = s.facts.allied.tactics(card, day_of(s.p))
    names = WILD_CHOICES if WILD in tactics else tactics
    return [name for name in names if useful(s, battle, name)]


@rule("12.3", "12.32", "12.33", "12.34")
def battle_tactics(t: Tab, facts: Facts) -> Play:
    """Card after card, until the player has enough; then the combat goes on."""
    p = t.p
    battle = the_battle(p)
    s = Situation(facts, p)
    then = "battle_draw" if battle.side == ALLIED else "battle_chits"
    if not may_be_supported(s, battle):
        return then
    cards = [card for card in members(p.hand) if choices_of(s, battle, card)]
    options: list[Choice] = [*cards]
    if battle.wild:
        options.append(BONUS)
    if not options:
        return then
    options.append(DONE)
    where = facts.at(battle.target)
    prompt = (
        f"Tactics for your attack on {where}?" if battle.side == ALLIED else f"Tactics for the defence of {where}?"
    )
    chosen = yield Decision(ALLIED, prompt, options, "12.3", Kind.CARD, top=True, about=TacticQuestion(facts))
    if chosen == DONE:
        return then
    names = [n for n in WILD_CHOICES if useful(s, battle, n)] if chosen == BONUS else choices_of(s, battle, chosen)
    tactic = names[0]
    if len(names) > 1:
        tactic = yield Decision(ALLIED, "Which tactic?", names, "12.33")
    if chosen == BONUS:
        p.battle = replace(battle, wild=0)
    else:
        play_card(p, chosen)
    yield from _apply(t, facts, tactic)
    return "battle_tactics"


@rule("12.3", "14.31", "14.34")
def _apply(t: Tab, facts: Facts, tactic: str) -> Play:
    p = t.p
    battle = the_battle(p)
    t.say("12.3", f"The Allies use {tactic_title(facts, tactic)}.", spaces=(battle.target,))
    attacking = battle.side == ALLIED
    if attacking:
        battle = replace(battle, attack_tactics=(*battle.attack_tactics, tactic))
    else:
        battle = replace(battle, defence_tactics=(*battle.defence_tactics, tactic))
    p.battle = battle
    if tactic == "engineers_tactic":
        here = 1 << battle.target
        p.positions = p.positions & ~here if attacking else p.positions | here
    elif tactic == "reinforce_battle":
        yield from _reinforce(t, facts)
    elif tactic == "assault_coordination":
        yield from _coordinate(t, facts)


@rule("12.1", "6.4")
def _reinforce(t: Tab, facts: Facts) -> Play:
    """One inactive unit moves up; it joins, and will not advance."""
    p = t.p
    battle, s = the_battle(p), Situation(facts, p)
    attacking = battle.side == ALLIED
    found = reinforcements(s, battle.target, ALLIED, into=not attacking)
    if not found:
        return
    unit = yield Decision(ALLIED, "Who reinforces the battle?", [*found], "12.3", Kind.UNIT)
    hexes = members(found[unit])
    hex_ = hexes[0]
    if len(hexes) > 1:
        hex_ = yield Decision(ALLIED, "From which hex?", hexes, "12.3", Kind.SPACE)
    way = moves_of(s, unit, short_step=False).way(hex_)
    walk(t, facts, unit, way, "12.3", "reinforces the battle")
    here = 1 << unit
    if attacking:
        p.battle = replace(battle, attackers=battle.attackers | here, joined=battle.joined | here)
    else:
        p.battle = replace(battle, defenders=battle.defenders | here)


@rule("12.1", "6.4")
def _coordinate(t: Tab, facts: Facts) -> Play:
    """Inactive units beside the target join, as the player chooses."""
    p = t.p
    able = [
        unit for unit in coordinated(Situation(facts, p), the_battle(p)) if not the_battle(p).attackers >> unit & 1
    ]
    while able:
        options: list[Choice] = [*able, DONE]
        unit = yield Decision(ALLIED, "Who joins the assault?", options, "12.1", Kind.UNIT)
        if unit == DONE:
            return
        able.remove(unit)
        battle = the_battle(p)
        here = mask([unit])
        p.battle = replace(battle, attackers=battle.attackers | here, joined=battle.joined | here)

"""The Allied hand, and what a card may be played for (rules 5.0 to 5.7, 6.1 to 6.4)."""

from __future__ import annotations

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.allied_events import possible_uses
from bulge.games.enemy_action.facts import ALLIED, BOX, Facts, mask
from bulge.games.enemy_action.german_activation import forget_activation
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.replacements import allied_choices
from bulge.games.enemy_action.reserves import deployable
from bulge.games.enemy_action.rows import CommandRow
from bulge.games.enemy_action.situation import Situation, now

Tab = Table[EnemyActionPosition]
PASS, BACK = "pass", "back"
ACTIVATIONS = {
    "activate_corps": "Activate the corps",
    "activate_division": "Activate one division",
    "activate_one_unit": "Activate any one unit",
    "activate_corps_of_army": "Activate one corps of the army",
    "activate_any_corps": "Activate any one corps",
}
DEPLOYMENTS = {
    "deploy_corps": "Deploy the corps' reserves",
    "deploy_divisions": "Deploy the divisions' reserves",
    "deploy_one_of_corps": "Deploy one reserve unit of the corps",
    "deploy_army": "Deploy the army's reserves",
    "deploy_all": "Deploy all reserves",
}


# ---------------------------------------------------------------------- the pile and the hand (5.0)


@rule("5.0")
def fill_pile(t: Tab, facts: Facts) -> None:
    """Today's number of supplementals, drawn from those that rested yesterday."""
    p = t.p
    for _ in range(min(facts.calendar[day_of(p)].supplemental, p.available.bit_count())):
        card = t.draw(members(p.available))
        p.available &= ~(1 << card)
        p.allied_pile |= 1 << card


@rule("5.0", "4.0")
def refill_hand(t: Tab, facts: Facts) -> None:
    """Up to the day's hand size, as long as the pile lasts."""
    p = t.p
    while p.allied_pile and p.hand.bit_count() < facts.calendar[day_of(p)].hand:
        card = t.draw(members(p.allied_pile))
        p.allied_pile &= ~(1 << card)
        p.hand |= 1 << card
        row = facts.allied[card]
        t.say("5.0", f"You draw card {row.number}, {row.title}.", side=ALLIED, cards=(card,))


@rule("5.7")
def play_card(p: EnemyActionPosition, card: int) -> None:
    """Out of the hand and onto the discards."""
    p.hand &= ~(1 << card)
    p.used |= 1 << card


# ---------------------------------------------------------------------- the impulse (5.1)


class HandQuestion(Question):
    """Which card is played for a command."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == PASS:
            return Option(plain.id, "Pass, without a command", role="end_turn")
        return plain

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return hand_bars(self.facts, t.p)


@rule("5.1")
def hand_bars(facts: Facts, p: EnemyActionPosition) -> list[Bar]:
    return [
        Bar(~p.hand, "5.1", "that card is not in your hand"),
        Bar(lambda card: not commands_of(facts, p, card), "5.1", "none of its commands can be carried out now"),
    ]


class CommandQuestion(Question):
    """What a card is played for."""

    def __init__(self, facts: Facts, card: int) -> None:
        self.facts, self.card = facts, card

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == BACK:
            return Option(plain.id, "Another card", role="back")
        return Option(plain.id, command_words(self.facts, str(choice)))

    def why_not_word(self, t: Tab, decision: Decision, word: str) -> Refusal | None:
        for command in self.facts.allied[self.card].commands:
            if command_word(command) == word:
                return Refusal("5.1", why_not(self.facts, t.p, self.card, command) or "it is not offered today")
        return None


class WhomQuestion(Question):
    """Whom a card activates."""

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return Option(plain.id, "Another command", role="back") if choice == BACK else plain


def command_word(command: CommandRow) -> str:
    return command.event or command.do


def command_words(facts: Facts, word: str) -> str:
    known = ACTIVATIONS | DEPLOYMENTS | {"replacements": "Assign replacements"}
    return known[word] if word in known else f"{facts.events[word].title}: {facts.events[word].words}"


@rule("4.0", "5.1")
def allied_impulse(t: Tab, facts: Facts) -> Play:
    """One card for one command, or a pass; without cards one must pass."""
    p = t.p
    cards = members(open_to(p.hand, hand_bars(facts, p)))
    options: list[Choice] = [*cards, PASS]
    prompt = "Your impulse: play a card, or pass"
    card = yield Decision(ALLIED, prompt, options, "5.1", Kind.CARD, top=True, about=HandQuestion(facts))
    if card == PASS:
        t.say("4.0", "The Allies pass.", kind="phase")
        p.activated = 0
        return "allied_end"
    words: list[Choice] = [*commands_of(facts, p, card), BACK]
    prompt = f"{facts.allied[card].title}: which command?"
    command = yield Decision(ALLIED, prompt, words, "5.1", Kind.NUMBER, about=CommandQuestion(facts, card))
    if command == BACK:
        return "allied_impulse"
    then = yield from _begin(t, facts, card, command)
    return then


def _begin(t: Tab, facts: Facts, card: int, command: str) -> Play:
    p = t.p
    row = facts.allied[card]
    words = command_words(facts, command)
    if command in ACTIVATIONS:
        units = yield from _whom(facts, p, card, command)
        if units is None:
            return "allied_impulse"
        _play(t, facts, card, words)
        activate(t, facts, units, attack=command != "activate_one_unit")
        p.army_card = row.level in ("army", "army_group")
        p.one_unit_used |= command == "activate_one_unit"
        return "allied_start"
    _play(t, facts, card, words)
    p.activated = 0
    if command in DEPLOYMENTS:
        p.entering = mask(reserve_units(facts, p, card, command))
        p.to_place = 1 if command == "deploy_one_of_corps" else p.entering.bit_count()
        p.placed = 0
        return "allied_deploy"
    if command == "replacements":
        p.to_place = next(one.points for one in row.commands if one.do == "replacements")
        p.moved = 0
        return "allied_replacements"
    return command


def _play(t: Tab, facts: Facts, card: int, words: str) -> None:
    row = facts.allied[card]
    play_card(t.p, card)
    t.p.card = card
    t.say(
        "5.1",
        f"The Allies play {row.number} {row.title}: {words.rstrip('.')}.",
        cards=(card,),
        kind="phase",
        depth=1,
    )


# ---------------------------------------------------------------------- which commands are open


def commands_of(facts: Facts, p: EnemyActionPosition, card: int) -> list[str]:
    """The commands of a card that can be carried out now."""
    today = facts.allied.commands(card, day_of(p))
    return [command_word(command) for command in today if not why_not(facts, p, card, command)]


@rule("5.2", "5.3", "5.4", "5.5", "5.6", "6.3", "6.4", "16.0")
def why_not(facts: Facts, p: EnemyActionPosition, card: int, command: CommandRow) -> str:
    """Why a command cannot be chosen; empty if it can."""
    if command not in facts.allied.commands(card, day_of(p)):
        return "it may not be used today"
    if command.do == "activate_one_unit":
        if p.one_unit_used:
            return "one unit has been activated singly today already"
        return "" if single_units(facts, p) else "no unit that can trace supply may be activated"
    if command.do in ACTIVATIONS:
        return (
            ""
            if formations_of(facts, p, card, command.do)
            else "its units were activated in your last impulse, or none is on the map"
        )
    if command.do in DEPLOYMENTS:
        units = reserve_units(facts, p, card, command.do)
        return "" if deployable(facts, p, mask(units)) else "no reserve unit of it can come on now"
    if command.do == "replacements":
        if not facts.scenarios[p.scenario].replacements:
            return "this scenario has no replacements"
        twin = p.copy()
        twin.card, twin.moved = card, 0
        return "" if allied_choices(facts, twin) else "no reduced unit of the corps is in supply"
    return "" if possible_uses(facts, p, command.event) else "it would have no effect now"


@rule("6.1", "6.2", "6.4", "12.9")
def formations_of(facts: Facts, p: EnemyActionPosition, card: int, command: str) -> dict[str, list[int]]:
    """The formations that a card may activate, with their units: none that was active in the impulse before."""
    row = facts.allied[card]
    if command == "activate_division":
        groups = dict(facts.allied.formations[card])
    elif command == "activate_corps":
        groups = {row.corps: facts.corps_units[row.corps]}
    else:
        corps = sorted({facts.corps_of[u] for u in facts.allied_units if row.army in ("", facts.army_of[u])})
        groups = {name: facts.corps_units[name] for name in corps}
    found = {}
    for name, units in groups.items():
        here = [unit for unit in units if p.where[unit] >= 0]
        if here and not mask(here) & p.before:
            found[name] = here
    return found


@rule("6.3", "6.4")
def single_units(facts: Facts, p: EnemyActionPosition) -> list[int]:
    """Units that can trace supply, of no formation that was active in the impulse before."""
    s = now(facts, p)
    lines = s.lines(ALLIED)
    recent = {facts.division_of[unit] for unit in members(p.before)}
    return [
        unit for unit in s.units_in(-1, ALLIED)
        if lines.among(1 << p.where[unit]) and not p.before >> unit & 1 and facts.division_of[unit] not in recent
    ]  # fmt: skip


@rule("5.2", "5.3", "5.4", "5.5", "7.1")
def reserve_units(facts: Facts, p: EnemyActionPosition, card: int, command: str) -> list[int]:
    """The units in the box that a card may bring on."""
    row = facts.allied[card]
    if command == "deploy_divisions":
        units = [unit for _, units in facts.allied.formations[card] for unit in units]
    elif command in ("deploy_corps", "deploy_one_of_corps"):
        units = facts.corps_units[row.corps]
    elif command == "deploy_army":
        units = facts.army_units[row.army]
    else:
        units = list(facts.allied_units)
    return [unit for unit in units if p.where[unit] == BOX]


def _whom(facts: Facts, p: EnemyActionPosition, card: int, command: str) -> Play:
    """Which formation, or which unit; None to go back."""
    if command == "activate_one_unit":
        options: list[Choice] = [*single_units(facts, p), BACK]
        unit = yield Decision(ALLIED, "Which unit is activated?", options, "6.3", Kind.UNIT, about=WhomQuestion())
        return None if unit == BACK else [unit]
    groups = formations_of(facts, p, card, command)
    name = next(iter(groups))
    if len(groups) > 1:
        names: list[Choice] = [*groups, BACK]
        name = yield Decision(ALLIED, "Which formation is activated?", names, "6.1", about=WhomQuestion())
        if name == BACK:
            return None
    units = list(groups[name])
    if command in ("activate_corps_of_army", "activate_any_corps"):
        s = Situation(facts, p)
        stacked = [mate for unit in units for mate in s.stack(p.where[unit])]
        units = sorted({*units, *stacked})
    return units


@rule("6.0", "6.4", "9.3")
def activate(t: Tab, facts: Facts, units: list[int], *, attack: bool) -> None:
    """These units are active; those of them that are dispersed will only rally."""
    p = t.p
    forget_activation(p)
    p.activated = mask(units)
    p.scattered = mask(units) & p.dispersed
    p.active = mask(units) & ~p.dispersed
    p.may_attack = attack
    p.army_card = False
    t.say("6.0", f"Active: {', '.join(map(facts.short, units))}.", units=tuple(units), depth=2)

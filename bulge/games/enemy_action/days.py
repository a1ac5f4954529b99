"""The phases of a day around its impulses (rules 4.0, 4.1, 4.2, 5.1, 9.8, 13.2)."""

from __future__ import annotations

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.allied_cards import fill_pile, play_card, refill_hand
from bulge.games.enemy_action.allied_events import clear_supply
from bulge.games.enemy_action.detachments import generate_detachments, prune_detachments
from bulge.games.enemy_action.facts import ALLIED, BOX, DUE, GERMAN, GONE, Facts
from bulge.games.enemy_action.german_cards import discard, draw_card
from bulge.games.enemy_action.losses import remove
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.victory import check_victory, note_westwall

Tab = Table[EnemyActionPosition]
GERMAN_SUPPLY_FROM = 19
HEYDTE_UNTIL = 20
NO_STRIKE = "none"
INTERDICTED = 2


# ---------------------------------------------------------------------- I and II: reserves and cards


@rule("4.0", "7.0")
def reserve_phase(t: Tab, facts: Facts) -> str:
    """Allied units of the day come into the box."""
    p, day = t.p, day_of(t.p)
    t.say("4.0", f"{day} December.", kind="turn")
    due = [unit for unit in facts.allied_units if p.where[unit] == DUE and 0 < p.entry[unit] <= day]
    for unit in due:
        p.where[unit] = BOX
    if due:
        t.say("7.0", f"To the Reserve Units box: {', '.join(map(facts.short, due))}.", units=tuple(due))
    return "delayed_reserves"


@rule("9.8", "9.81")
def okw_release(t: Tab, facts: Facts) -> str:
    """The OKW reserve comes once a German unit is beside or across the Meuse."""
    p = t.p
    near = Situation(facts, p).occupied[GERMAN] & (facts.meuse | facts.west_of_meuse)
    if near and not p.okw:
        p.okw = True
        for unit in facts.okw:
            p.where[unit] = BOX
        cards = sum(1 << card for card, row in enumerate(facts.german.rows) if not row.date)
        p.discards |= cards
        t.say("9.8", "The Germans are at the Meuse: the OKW reserve is released.", spaces=tuple(members(near)))
    return "card_phase"


@rule("4.0", "4.2", "5.0")
def card_phase(t: Tab, facts: Facts) -> str:
    """Both piles are made up; from 19 December the German initiative fades."""
    p, day = t.p, day_of(t.p)
    fresh = facts.allied.due(day) & ~p.late_cards | p.late_cards & facts.allied.due(day - 1)
    primary = facts.allied.primary
    p.available |= fresh & ~primary
    fill_pile(t, facts)
    p.allied_pile |= (fresh | p.used) & primary
    p.available |= p.used & ~primary
    p.used = 0
    refill_hand(t, facts)
    p.pile |= p.discards
    p.discards = 0
    for _ in range(min(facts.calendar[day].german_discards, p.pile.bit_count())):
        discard(p, draw_card(t, facts, "fading initiative"))
    return "supply_phase"


# ---------------------------------------------------------------------- III: supply


@rule("4.0", "13.0", "13.12", "13.2", "13.21", "13.22", "13.23")
def supply_phase(t: Tab, facts: Facts) -> str:
    """Detachments, then everybody's supply, one state worse for those who have none."""
    p, day = t.p, day_of(t.p)
    generate_detachments(t, facts)
    if p.where[facts.heydte] >= 0 and day >= HEYDTE_UNTIL:
        p.where[facts.heydte] = GONE
        t.say("12.37", "Von der Heydte's men give up.", units=(facts.heydte,))
    s = Situation(facts, p)
    cut = p.roadblocks & ~s.lines(ALLIED).among(p.roadblocks)
    if cut:
        p.roadblocks &= ~cut
        t.say("10.8", f"Roadblocks without supply are removed: {', '.join(map(facts.at, members(cut)))}.")
    sides = [ALLIED, GERMAN] if day >= GERMAN_SUPPLY_FROM else [ALLIED]
    for side in sides:
        lines = s.lines(side)
        for hex_, units in sorted(s.stacks[side].items()):
            supplied = bool(lines.among(1 << hex_))
            for unit in units:
                _adjust(t, facts, unit, supplied=supplied or unit == facts.heydte)
    note_westwall(t, facts)
    return "interdiction"


@rule("13.2", "13.24")
def _adjust(t: Tab, facts: Facts, unit: int, *, supplied: bool) -> None:
    p, here = t.p, 1 << unit
    if supplied:
        clear_supply(p, unit)
        return
    if p.isolated & here:
        _surrender(t, facts, unit)
        return
    if p.out & here:
        p.out &= ~here
        p.isolated |= here
        words, number = "is isolated", "13.23"
    elif p.low & here:
        p.low &= ~here
        p.out |= here
        words, number = "is out of supply", "13.22"
    else:
        p.low |= here
        words, number = "is in low supply", "13.21"
    t.say(number, f"{facts.name_of(unit)} {words}.", spaces=(p.where[unit],), units=(unit,))


@rule("13.24")
def _surrender(t: Tab, facts: Facts, unit: int) -> None:
    """An isolated unit may lose a step."""
    p = t.p
    quality = facts.qualities[unit][p.steps[unit]]
    most = facts.surrender[quality]
    die = t.roll("13.24", f"{facts.name_of(unit)} is isolated and surrenders on 1 to {most}", 10)
    if die <= most:
        p.steps[unit] -= 1
        hex_ = p.where[unit]
        t.say(
            "13.24", f"{facts.name_of(unit)} loses a step ({p.steps[unit]} left).", spaces=(hex_,), units=(unit,)
        )
        if not p.steps[unit]:
            remove(p, unit)
            if all(at != hex_ for at in p.where):
                p.positions &= ~(1 << hex_)


@rule("5.1")
def interdiction(t: Tab, facts: Facts) -> Play:
    """An Airpower card now costs the Germans two cards and their first impulse."""
    p, day = t.p, day_of(t.p)
    able = [
        card
        for card in members(p.hand)
        if any(command.event == "airpower" for command in facts.allied.commands(card, day))
    ]
    if able:
        options: list[Choice] = [*able, NO_STRIKE]
        prompt = "Interdict the Germans with an Airpower card?"
        card = yield Decision(ALLIED, prompt, options, "5.1", Kind.CARD, top=True)
        if isinstance(card, int):
            play_card(p, card)
            t.say("5.1", f"Interdiction by {facts.allied[card].title}: the first German impulse is lost.")
            for _ in range(min(INTERDICTED, p.pile.bit_count())):
                discard(p, draw_card(t, facts, "interdicted"))
            return "allied_impulse"
    return "german_impulse"


# ---------------------------------------------------------------------- IV: impulses take turns


@rule("4.0", "8.0")
def german_end(t: Tab, facts: Facts) -> str:
    """After a German impulse comes an Allied one, even if the German pile has run out."""
    p = t.p
    p.command = p.support = -1
    note_westwall(t, facts)
    t.say("4.0", "The German impulse is over.", kind="phase")
    return "allied_impulse"


@rule("4.0", "6.4")
def allied_end(t: Tab, facts: Facts) -> str:
    """Cards are drawn up to the limit; the day ends here once the German pile is empty."""
    p = t.p
    p.before, p.activated = p.activated, 0
    p.active = p.moved = p.attacked = p.placed = p.scattered = p.defended = p.fell_back = 0
    p.army_card, p.card, p.may_attack = False, -1, True
    note_westwall(t, facts)
    refill_hand(t, facts)
    return "day_end" if not p.pile else "german_impulse"


# ---------------------------------------------------------------------- V: the end of the day


@rule("4.0", "12.42", "12.9", "13.51", "15.3")
def day_end(t: Tab, facts: Facts) -> str:
    """Victory check; then the table is cleared for the next day."""
    p = t.p
    check_victory(t, facts)
    p.used |= p.hand | p.allied_pile
    p.hand = p.allied_pile = 0
    p.cup = (1 << len(facts.chits)) - 1
    p.dispersed = p.no_fuel = 0
    p.frozen = p.manteuffel = p.fury = p.fuel_checks_over = p.one_unit_used = p.pile_out = False
    p.before = p.activated = 0
    prune_detachments(t, facts)
    p.turn += 1
    return "reserve_phase"

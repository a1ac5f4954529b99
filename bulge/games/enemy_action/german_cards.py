"""The German draw pile and what its cards command (rules 4.2, 8.0 to 8.2, 13.5)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Condition, Table
from bulge.games.enemy_action.events import is_possible
from bulge.games.enemy_action.facts import ARMIES, BOX, DUE, GERMAN, Facts, mask
from bulge.games.enemy_action.objectives import distance_to_objective
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.replacements import can_assign, reduced_units
from bulge.games.enemy_action.rows import CardRow, CommandRow
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.walking import FUEL_FROM

Tab = Table[EnemyActionPosition]
PEIPER_CARD = "G38"
PEIPER_DAY, BRIGADE_DAY = 17, 18
ARMY_RANGE = 2
NO_CARD = -1
DEPTHS = {"impulse": 1, "tactic": 3}
"""What hangs on a card that is drawn: the whole impulse, or one attack."""


def title(facts: Facts, card: int) -> str:
    row = facts.german[card]
    return f"{row.number} {row.title}"


def shown(facts: Facts, *cards: int) -> tuple[int, ...]:
    """These cards as the game numbers them: the Allied deck comes first."""
    return tuple(len(facts.allied.rows) + card for card in cards if card >= 0)


@rule("8.0", "8.2")
def draw_card(t: Tab, facts: Facts, what_for: str) -> int:
    """The next German card; Army Group B releases reserves whatever it was drawn for."""
    p = t.p
    card = t.draw(members(p.pile))
    p.pile &= ~(1 << card)
    words = f"German card {title(facts, card)} ({what_for}); {p.pile.bit_count()} left."
    t.say("8.0", words, cards=shown(facts, card), kind="card", depth=DEPTHS.get(what_for, 0))
    if facts.german[card].level == "army_group":
        release_reserves(t, facts)
    p.pile_out = not p.pile
    return card


@rule("8.2")
def release_reserves(t: Tab, facts: Facts) -> None:
    """German units due by today go to the box, and today's cards into the pile."""
    p, day = t.p, day_of(t.p)
    due = [unit for unit in facts.german_units if p.where[unit] == DUE and 0 < p.entry[unit] <= day]
    for unit in due:
        p.where[unit] = BOX
    fresh = facts.german.due(day) & ~(p.pile | p.discards | held_cards(p))
    p.pile |= fresh
    names = ", ".join(facts.short(unit) for unit in due) or "nobody"
    t.say(
        "8.2", f"Army Group B: to the Reserve Units box {names}; {fresh.bit_count()} new cards.", units=tuple(due)
    )


def held_cards(p: EnemyActionPosition) -> int:
    return mask(card for card in (p.command, p.support) if card >= 0)


def discard(p: EnemyActionPosition, card: int) -> None:
    if card >= 0:
        p.discards |= 1 << card


# ---------------------------------------------------------------------- the impulse (8.1)


@rule("8.0", "8.1", "13.5")
def german_impulse(t: Tab, facts: Facts) -> str:
    """Two cards are drawn, one if no more is left; then the fuel check."""
    p = t.p
    if p.pile:
        t.say("8.0", "German impulse.", kind="phase")
    drawn: list[int] = []
    for _ in range(min(2, p.pile.bit_count())):
        drawn.append(draw_card(t, facts, "impulse"))
        p.command = drawn[0]  # in hand, so that Army Group B does not shuffle it in again (8.2)
    p.command = -1
    if not drawn:
        return "german_end"
    short = [card for card in drawn if out_of_fuel(facts, p, card)]
    if len(short) == len(drawn) > 1:
        t.say("13.5", "Both cards are short of fuel: the impulse is over.")
        for card in drawn:
            discard(p, card)
        return "german_end"
    for card in short:
        mark_out_of_fuel(t, facts, card)
        discard(p, card)
    left = [card for card in drawn if card not in short]
    if not left:
        return "german_end"
    p.command, p.support = choose_command(t, facts, left)
    return "german_support"


@rule("8.1", "8.14")
def choose_command(t: Tab, facts: Facts, cards: list[int]) -> tuple[int, int]:
    """Peiper's card on its two days, then the primary, the higher command value, the lower number."""
    deck, day = facts.german, day_of(t.p)
    special = deck.of[PEIPER_CARD] if day in (PEIPER_DAY, BRIGADE_DAY) else NO_CARD
    ranked = sorted(cards, key=lambda c: (c != special, not deck[c].primary, -deck[c].cv, deck[c].number))
    command, support = ranked[0], ranked[1] if len(ranked) > 1 else NO_CARD
    lie = shown(facts, command, support)
    if support >= 0:
        tests = _why_first(deck[command], deck[support], leads=command == special)
        why = next(test.effect for test in tests if test.holds)
        words = f"Command card: {title(facts, command)}, since {why}; support: {title(facts, support)}."
        t.say("8.1", words, cards=lie, kind="card", conditions=tests, depth=1)
    else:
        t.say("8.1", f"Command card: {title(facts, command)}; no support card.", cards=lie, kind="card", depth=1)
    return command, support


@rule("8.1", "8.14")
def _why_first(one: CardRow, two: CardRow, *, leads: bool) -> tuple[Condition, ...]:
    """What makes one of two cards the command card: the tests in their order, down to the one that decides."""
    both = "both are" if one.primary else "neither is"
    values = f"its command value is {one.cv} against {two.cv}" if one.cv != two.cv else f"both have {one.cv}"
    tests = (
        Condition("On 17 and 18 December Peiper's card leads", leads, "Peiper's card goes first" if leads else ""),
        Condition(
            "A primary leads",
            one.primary != two.primary,
            "it is the primary" if one.primary != two.primary else both,
        ),
        Condition("The higher command value leads", one.cv != two.cv, values),
        Condition("The lower number leads", holds=True, effect="its number is lower"),
    )
    decided = next(at for at, test in enumerate(tests) if test.holds)
    return tests[: decided + 1]


@rule("13.5", "13.52", "13.53")
def out_of_fuel(facts: Facts, p: EnemyActionPosition, card: int) -> bool:
    day = day_of(p)
    if day < FUEL_FROM or p.fuel_days >> day & 1 or p.fuel_checks_over:
        return False
    return any(day in formation.no_fuel for formation in facts.german[card].formations)


@rule("13.5", "13.51")
def mark_out_of_fuel(t: Tab, facts: Facts, card: int) -> None:
    """Markers on the formation's units on the map and in the box; isolated units get none."""
    p, day = t.p, day_of(t.p)
    for row, (name, units) in zip(facts.german[card].formations, facts.german.formations[card], strict=True):
        if day in row.no_fuel:
            found = [u for u in units if (p.where[u] >= 0 or p.where[u] == BOX) and not p.isolated >> u & 1]
            p.no_fuel |= mask(u for u in found if facts.mechanized[u])
            t.say("13.5", f"{name} is out of fuel; the card is discarded.", units=tuple(found))


# ---------------------------------------------------------------------- support and command


@rule("8.1")
def german_support(t: Tab, facts: Facts) -> str:
    """A command event on the support card comes first, if it can be carried out; special events do not count."""
    p = t.p
    if p.support >= 0:
        for command in facts.german.commands(p.support, day_of(p)):
            if command.do == "event" and is_possible(facts, p, command.event):
                words = f"The support card's event: {facts.events[command.event].title}."
                t.say("8.1", words, cards=shown(facts, p.support), depth=2)
                p.event = command.event
                discard(p, p.support)
                p.support = NO_CARD
                return "german_support_event"
    return "german_command"


@rule("8.1", "8.11", "8.12", "8.13")
def german_command(t: Tab, facts: Facts) -> str:
    """The first command on the card that can be carried out."""
    p = t.p
    for command in facts.german.commands(p.command, day_of(p)):
        why_not = _why_not(facts, p, command)
        if why_not:
            t.say("8.1", f"{_words(facts, command)}: not possible, {why_not}.", kind="passed", depth=2)
            continue
        t.say(
            "8.1", f"{title(facts, p.command)}: {_words(facts, command)}.", cards=shown(facts, p.command), depth=2
        )
        if command.do in ("event", "special_event"):
            p.event = command.event
            return "german_event"
        if command.do == "replacements":
            p.to_place = command.points
            return "german_replacements"
        return "german_activation"
    return "german_command_end"


def _words(facts: Facts, command: CommandRow) -> str:
    return facts.events[command.event].title if command.event else command.do.replace("_", " ")


def _why_not(facts: Facts, p: EnemyActionPosition, command: CommandRow) -> str:
    if command.do in ("event", "special_event"):
        return "" if is_possible(facts, p, command.event) else "it would have no effect"
    if command.do == "replacements":
        if not facts.scenarios[p.scenario].replacements:
            return "this scenario has no replacements"
        units = facts.german.units(p.command, facts)
        found = len(reduced_units(facts, p, units))
        if found < command.points:
            return f"{found} reduced units, {command.points} are needed"
        return "" if can_assign(facts, p, units) else "no reduced unit is in reserve supply"
    return ""


@rule("8.1")
def german_command_end(t: Tab, facts: Facts) -> str:
    """The card is done; a support card that is still there commands in its turn."""
    p = t.p
    discard(p, p.command)
    p.command, p.support = p.support, NO_CARD
    if p.command >= 0:
        words = f"The support card commands in its turn: {title(facts, p.command)}."
        t.say("8.1", words, cards=shown(facts, p.command), kind="card", depth=2)
        return "german_command"
    return "german_end"


# ---------------------------------------------------------------------- who is activated (8.13, 8.14)


@rule("8.13", "8.14", "9.41", "9.81", "9.82")
def formation(t: Tab, facts: Facts) -> list[int]:
    """Every unit that the command card calls, on the map or in the box."""
    p, row = t.p, facts.german[t.p.command]
    p.ignores_zones = False
    if row.level in ("army", "army_group"):
        return _around_centre(t, facts)
    units = facts.german.units(p.command, facts)
    day = day_of(p)
    if row.id == PEIPER_CARD and day in (PEIPER_DAY, BRIGADE_DAY):
        units = [facts.peiper if day == PEIPER_DAY else facts.brigade_150]
        p.ignores_zones = True
        words = f"Today {facts.name_of(units[0])} alone, free of Allied zones in its regular movement."
        t.say("8.14", words, units=tuple(units), depth=2)
    return [unit for unit in units if (p.where[unit] >= 0 or p.where[unit] == BOX) and unit != facts.heydte]


@rule("8.13")
def _around_centre(t: Tab, facts: Facts) -> list[int]:
    """The unit with the most units around it, all within two hexes of it, and the reserves of their corps."""
    p, row = t.p, facts.german[t.p.command]
    s = Situation(facts, p)
    whole = row.level == "army_group"
    armies = set(facts.army_units) if whole else {row.army, "OKW"}
    here = [u for u in s.units_in(-1, GERMAN) if facts.army_of[u] in armies and u != facts.heydte]
    strong = [u for u in here if not s.bracketed(u)]
    centres = [u for u in strong if whole or facts.army_of[u] == row.army]
    if not centres:
        return []
    count = {u: sum(facts.distance(p.where[u], p.where[v]) <= ARMY_RANGE for v in strong) - 1 for u in centres}

    def rank(unit: int) -> tuple[int, int]:
        away = -facts.east[p.where[unit]] if whole else -distance_to_objective(s, unit, p.where[unit])
        return -count[unit], away

    centre = min(s.ascending(centres), key=rank)
    near = [unit for unit in here if facts.distance(p.where[centre], p.where[unit]) <= ARMY_RANGE]
    corps = {facts.corps_of[unit] for unit in near}
    words = f"{facts.name_of(centre)} in {facts.at(p.where[centre])} has {count[centre]} units within two hexes."
    t.say("8.13", words, spaces=(p.where[centre],), units=tuple(near), depth=2)
    return near + [unit for unit in facts.german_units if p.where[unit] == BOX and facts.corps_of[unit] in corps]


def armies_of(facts: Facts, p: EnemyActionPosition) -> list[str]:
    """The armies whose objectives an activation looks at: all for Army Group B, none for the OKW (9.12, 9.83)."""
    row = facts.german[p.command]
    if row.level == "army_group":
        return list(ARMIES)
    return [row.army] if row.army in ARMIES else []

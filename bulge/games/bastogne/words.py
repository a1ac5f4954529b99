"""Bastogne in words: options, units, spaces, and what a choice would lead to."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from bulge.core.decision import Choice, Decision, Kind, Modifier, Option, Preview
from bulge.core.table import Table
from bulge.games.bastogne import barrage, deployment, events, movement, us_refit
from bulge.games.bastogne.assault import (
    KEEP,
    USE,
    Assault,
    assault_dice,
    begin,
    german_edge,
    total_of,
    us_edge,
)
from bulge.games.bastogne.facts import BOXES, GERMAN, GONE, US, WAITING, Facts
from bulge.games.bastogne.fire import ALL, ENHANCE, FIRE, HOLD, PLAIN, Volley, able_to_fire, column_of, us_dice
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import germans_in, guns_in, us_in

PLAIN_WORDS = {
    FIRE: "fire now",
    ALL: "everybody in range fires",
    HOLD: "hold it back; it is of no more use this turn",
    ENHANCE: "spend a supply point for +1 to each unit",
    PLAIN: "fight without spending supply",
    USE: "use the Intelligence marker: +1 to the tactical edge",
    KEEP: "keep the Intelligence marker",
    movement.INTELLIGENCE: "use the Intelligence marker: one space more for units that start in the Center",
    barrage.MORALE: "German morale",
    events.PATTON: "Third Army goes one box on",
    us_refit.REFIT: "restore a reduced unit",
    us_refit.DIG: "entrench a space",
    deployment.AS_PLANNED: "deploy all the others as in our plan of defence",
}


def unit_words(facts: Facts, p: BastognePosition, unit: int) -> str:
    """Name, strength and place of a counter."""
    name, at = facts.name_of(unit), p.where[unit]
    away = "in the pool" if unit in facts.airstrikes else "lost" if at == GONE else "waiting"
    where = f", in {facts.at(at)}" if at >= 0 else f", {away}"
    if unit in facts.impacts or unit in facts.airstrikes or unit in facts.leaders:
        return name + where
    factors = facts.german_factors[unit] if unit in facts.german_units else facts.us_factors[unit]
    if unit in facts.german_guns:
        state = "suppressed" if p.steps[unit] == 1 else f"strength {factors[-1]}"
    else:
        reduced = " (reduced)" if 0 < p.steps[unit] < facts.full(unit) else ""
        state = f"strength {factors[p.steps[unit]]}{reduced}"
    return f"{name}, {state}{where}" if at != GONE else name + where


def option(facts: Facts, t: Table[BastognePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
    if isinstance(choice, str):
        if decision.rule == "27.2":
            return Option(plain.id, barrage.target_words(choice))
        if choice == events.MORALE:
            return Option(plain.id, "German morale one down")
        return Option(plain.id, PLAIN_WORDS.get(choice, plain.words))
    if decision.kind is Kind.SPACE:
        cost = None
        if isinstance(decision.about, movement.Move):
            cost = decision.about.cost(facts, choice)
        elif decision.rule == "24.1":
            cost = f"{us_refit.digging_cost(facts, t.p, choice)} supply"
        return Option(plain.id, f"{plain.words}{_who_is_there(facts, t.p, choice)}", plain.spaces, cost=cost)
    if decision.kind is Kind.UNIT and t.p.where[choice] not in (GONE, WAITING):
        return Option(plain.id, plain.words, (facts.board.name(t.p.where[choice]),), plain.units)
    return plain


def _who_is_there(facts: Facts, p: BastognePosition, space: int) -> str:
    if facts.board.name(space) in BOXES:
        return ""
    counts = (
        (len(us_in(facts, p, space)), "US"),
        (len(germans_in(facts, p, space)), "German"),
        (len(guns_in(facts, p, space)), "artillery"),
    )
    found = [f"{count} {name}" for count, name in counts if count]
    return f" ({', '.join(found)})" if found else ""


# ---------------------------------------------------------------------- previews


def preview_of(facts: Facts, p: BastognePosition, decision: Decision, choice: Choice) -> Preview | None:
    """A volley or close assault as it would be with this choice."""
    about = decision.about
    if isinstance(about, Volley):
        return _volley_with(facts, p, about, choice)
    if isinstance(about, Assault):
        if about.side == US and isinstance(choice, int):
            p = p.copy()
            p.where[choice] = about.space
        seen = begin(facts, p, about.side, about.space, breakthrough=about.breakthrough)
        seen.enhanced = about.enhanced or choice == ENHANCE
        seen.intelligence = about.intelligence or choice == USE
        return preview_assault(facts, p, seen)
    return None


def _volley_with(facts: Facts, p: BastognePosition, volley: Volley, choice: Choice) -> Preview:
    units = [*volley.units]
    if isinstance(choice, int):
        units.append(choice)
    elif choice == ALL:
        units = able_to_fire(facts, p, volley.space)
    return preview_volley(facts, p, Volley(US, volley.space, units, choice == ENHANCE))


def preview_volley(facts: Facts, p: BastognePosition, volley: Volley) -> Preview:
    dice, column = us_dice(facts, p, volley), column_of(facts, p, volley.space, GERMAN)
    steps = sum(p.steps[unit] for unit in germans_in(facts, p, volley.space))
    chance = Fraction(facts.dice[f"fire_{column}"].faces.count("hit"), 6)
    words = f"{dice} dice at {facts.at(volley.space)}, {column} column, {steps} German steps there"
    return Preview(words, dice, steps, (), column, hit_chances(dice, chance))


def hit_chances(dice: int, chance: Fraction, most: int = 3) -> tuple[tuple[str, Fraction], ...]:
    """The chance of no hit, one, two, and so many or more."""
    few = range(min(dice + 1, most))
    exact = [comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in few]
    found = [(f"{hits} hit{'' if hits == 1 else 's'}", each) for hits, each in enumerate(exact)]
    if dice >= most:
        found.append((f"{most} or more hits", Fraction(1) - sum(exact)))
    return tuple(found)


def preview_assault(facts: Facts, p: BastognePosition, assault: Assault) -> Preview:
    """Dice of both sides, every modifier of the tactical edge, and who is likely to fire first."""
    mine, theirs = us_edge(facts, p, assault), german_edge(facts, p, assault)
    lead = total_of(mine) - total_of(theirs)
    first = sum(us + lead > german or (us + lead == german and assault.sheltered) for us, german in ROLLS)
    chance = Fraction(first, len(ROLLS))
    dice = {side: assault_dice(facts, p, assault, side) for side in (US, GERMAN)}
    words = f"US {dice[US]} dice, German {dice[GERMAN]} dice, in {facts.at(assault.space)}"
    attack, defence = (dice[US], dice[GERMAN]) if assault.side == US else (dice[GERMAN], dice[US])
    against = [Modifier(m.words, -m.amount, m.rule, m.to) for m in theirs]
    chances = (("US fires first", chance), ("Germans fire first", 1 - chance))
    return Preview(words, attack, defence, (*mine, *against), "open", chances)


ROLLS = [(us, german) for us in range(1, 7) for german in range(1, 7)]

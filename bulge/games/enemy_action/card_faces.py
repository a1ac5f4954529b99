"""The faces of all command cards, in our own words (rules 2.31, 2.32)."""

from __future__ import annotations

from bulge.core.look import CardLine, CardLook, CardUnit
from bulge.core.rulebook import rule
from bulge.games.enemy_action.calendar import FIRST_DAY, LAST_DAY
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts
from bulge.games.enemy_action.rows import CardRow, Span, holds

SYMBOLS = {
    "infantry": "infantry",
    "airborne": "airborne",
    "mech_infantry": "mechanized",
    "armor": "armor",
    "recon": "armored_cavalry",
    "combined_arms": "armor",
}
COMMANDS = {
    "activate_corps": "Activate the corps",
    "activate_division": "Activate the division",
    "activate_divisions": "Activate the divisions",
    "activate_one_unit": "Activate one unit",
    "activate_army": "Activate around one unit",
    "deploy_corps": "Deploy the corps",
    "deploy_one_of_corps": "Deploy one of the corps",
    "deploy_army": "Deploy the army",
    "deploy_divisions": "Deploy the divisions",
    "deploy_all": "Deploy everybody",
    "activate_army_group": "Activate around one unit of any army",
    "activate_corps_of_army": "Activate a corps of the army",
    "activate_any_corps": "Activate any corps",
    "replacements": "Replacements",
}


@rule("2.31", "2.32")
def card_looks(facts: Facts) -> tuple[CardLook, ...]:
    return tuple(
        _card(facts, row, side, style)
        for side, style, deck in ((ALLIED, "us", facts.allied), (GERMAN, "german_mechanized", facts.german))
        for row in deck.rows
    )


def _card(facts: Facts, row: CardRow, side: str, style: str) -> CardLook:
    lines = [CardLine("Primary: it leads", "mark")] if row.primary and side == GERMAN else []
    for command in row.commands:
        points = f" {command.points}" if command.points else ""
        words = facts.events[command.event].title if command.event else COMMANDS[command.do]
        kind = "event" if command.event else ""
        lines.append(CardLine(f"{words}{points}{_when(command.dates)}", kind, _turns(command.dates)))
    for formation in row.formations:
        if formation.no_fuel:
            dates = tuple((day, day) for day in formation.no_fuel)
            lines.append(CardLine(f"{formation.name}: no fuel{_when(dates)}", "mark", _turns(dates)))
    tactics = [facts.events[name].title if name in facts.events.rows else "Any tactic" for name in row.tactics]
    return CardLook(
        row.id,
        row.title.replace("; ", ", "),
        side,
        style,
        str(row.cv),
        tuple(lines),
        " + ".join(tactics) + (_when(row.tactic_dates) if tactics else ""),
        number=str(row.number),
        units=_units(facts, row),
    )


def _when(dates: tuple[Span, ...]) -> str:
    if dates == ((FIRST_DAY, LAST_DAY),):
        return ""
    return ", " + ", ".join(_span(*span) for span in dates)


def _span(first: int, last: int) -> str:
    if first == last:
        return str(first)
    if last == LAST_DAY:
        return f"from {first}"
    return f"until {last}" if first == FIRST_DAY else f"{first} to {last}"


def _turns(dates: tuple[Span, ...]) -> tuple[int, ...]:
    """Nothing where it holds every day."""
    turns = tuple(day - FIRST_DAY + 1 for day in range(FIRST_DAY, LAST_DAY + 1) if holds(dates, day))
    return () if len(turns) == LAST_DAY - FIRST_DAY + 1 else turns


def _units(facts: Facts, row: CardRow) -> tuple[CardUnit, ...]:
    """A symbol for each formation: that of the unit which leads it, or a bare headquarters for a corps or army."""
    if row.formations:
        return tuple(
            CardUnit(SYMBOLS[facts.rows[facts.unit_of[one.units[0]]].type], one.name) for one in row.formations
        )
    name = row.corps or row.army
    return (CardUnit("headquarters", name),) if name else ()

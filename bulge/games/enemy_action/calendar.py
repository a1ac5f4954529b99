"""The calendar as a player sees it: what each day brings, of cards, air, rules and lines of victory."""

from __future__ import annotations

from bulge.core.look import TurnLook, TurnNote
from bulge.core.rulebook import rule
from bulge.games.enemy_action.facts import Facts
from bulge.games.enemy_action.rows import holds

FIRST_DAY, LAST_DAY = 16, 29
BEGINS = {
    17: ("detachments", "German units leave detachments behind, and Allied bridges may be blown", "15.1"),
    18: ("Westwall", "Westwall hexes that the Germans lose count", "17.1"),
    19: ("supply", "German supply is checked too, and initiative fades by cards that are discarded", "13.1"),
    20: ("fuel", "German fuel is checked, Germans dig in, von der Heydte's men give up", "13.5"),
    23: ("infantry", "Mechanized infantry moves by the methods of infantry too", "9.2"),
    26: ("British", "The British may cross the Meuse", "10.7"),
}
"""Rules that begin on a day: in a word, in a sentence, with their number."""


def days(facts: Facts) -> tuple[TurnLook, ...]:
    found = []
    for day in range(FIRST_DAY, LAST_DAY + 1):
        notes = tuple(_notes(facts, day))
        words = "; ".join(note.words for note in notes)
        found.append(TurnLook(f"{day} Dec", words, notes))
    return tuple(found)


@rule("2.1", "4.0", "5.0", "4.2")
def _notes(facts: Facts, day: int) -> list[TurnNote]:
    row = facts.calendar[day]
    cards = f"you begin with {row.hand} cards; {row.supplemental} supplemental ones join the pile"
    notes = [TurnNote(f"hand {row.hand}", cards, "5.0")]
    if row.german_discards:
        many = row.german_discards > 1
        words = f"{row.german_discards} German {'cards fade' if many else 'card fades'}"
        notes.append(TurnNote(f"fade {row.german_discards}", words, "4.2"))
    if day in air_days(facts):
        notes.append(TurnNote("air", "Allied aircraft can fly", "13.4", "air"))
    if day in BEGINS:
        notes.append(TurnNote(*BEGINS[day], "begins"))
    notes.append(TurnNote("", f"German fixed artillery reaches {row.far} hexes beyond the Westwall", "12.3"))
    if row.defeat_vp:
        lost = f"{row.defeat_level} defeat from {row.defeat_vp} German points"
        won = f"{row.victory_level} victory up to {row.victory_vp}"
        notes.append(TurnNote(f"{row.defeat_vp}", f"{lost}, {won}", "17.1", "flag"))
    return notes


@rule("13.4")
def air_days(facts: Facts) -> set[int]:
    """The days on which a card in play lets aircraft fly."""
    spans = [
        (row.date, command.dates)
        for row in facts.allied.rows
        for command in row.commands
        if command.event == "airpower"
    ]
    spans += [(row.date, row.tactic_dates) for row in facts.allied.rows if "airpower_tactic" in row.tactics]
    return {
        day
        for day in range(FIRST_DAY, LAST_DAY + 1)
        if any(0 < from_ <= day and holds(dates, day) for from_, dates in spans)
    }

"""The command cards of one side, and whom each of them commands (rules 2.3, 2.31, 2.32)."""

from __future__ import annotations

from bulge.core.data import DataTable
from bulge.core.rulebook import rule
from bulge.games.enemy_action.counters import Counters
from bulge.games.enemy_action.rows import CardRow, CommandRow, holds


class Cards:
    """A deck: sets of cards are ints, by the cards' places in the file."""

    @rule("2.3", "2.31", "2.32")
    def __init__(self, table: DataTable[CardRow], counters: Counters) -> None:
        self.rows = list(table)
        self.of = {row.id: card for card, row in enumerate(self.rows)}
        self.all = (1 << len(self.rows)) - 1
        self.primary = sum(1 << card for card, row in enumerate(self.rows) if row.primary)
        unit_of = counters.unit_of
        self.formations = [
            [(formation.name, [unit_of[unit] for unit in formation.units]) for formation in row.formations]
            for row in self.rows
        ]

    def __getitem__(self, card: int) -> CardRow:
        return self.rows[card]

    def due(self, day: int) -> int:
        """The cards that come into play on a day."""
        return sum(1 << card for card, row in enumerate(self.rows) if row.date == day)

    def until(self, day: int) -> int:
        """The cards in play by a day; those of the OKW reserve have no day."""
        return sum(1 << card for card, row in enumerate(self.rows) if 0 < row.date <= day)

    def commands(self, card: int, day: int) -> list[CommandRow]:
        """What a card may be played for today."""
        return [command for command in self.rows[card].commands if holds(command.dates, day)]

    def tactics(self, card: int, day: int) -> tuple[str, ...]:
        """What a card gives in a combat today."""
        row = self.rows[card]
        return row.tactics if holds(row.tactic_dates, day) else ()

    def units(self, card: int, counters: Counters) -> list[int]:
        """Every unit of the formations on a division or corps card."""
        row = self.rows[card]
        if row.level == "corps":
            return counters.corps_units[row.corps]
        return [unit for _, units in self.formations[card] for unit in units]

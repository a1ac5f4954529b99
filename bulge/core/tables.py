"""Results tables from data files: columns by differential or by odds, a row a die, shifts, exact chances."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from bulge.core.errors import BadData


@dataclass(frozen=True)
class ResultsTable:
    """A combat results table. Columns run from worst to best for the attacker."""

    columns: tuple[str, ...]
    """The headings as printed."""
    rows: tuple[tuple[str, ...], ...]
    """Results by die (first row: the lowest) and column."""
    lows: tuple[int | Fraction, ...]
    """The least differential or odds that reaches each column."""

    def column(self, value: int | Fraction) -> int:
        """The column of a differential, or of attack/defence as a fraction; beyond the table, its last one."""
        return max(0, bisect_right(self.lows, value) - 1)

    def odds_column(self, attack: int, defence: int) -> int:
        """The column of a ratio, rounded in the defender's favour: 26 to 9 is 2-1."""
        return self.column(Fraction(attack, defence))

    def below(self, value: int | Fraction) -> bool:
        """Whether a value lies below the first column (some games have a result of its own for that)."""
        return value < self.lows[0]

    def shifted(self, column: int, by: int) -> int:
        """A column moved right (+) or left (-), held at the table's ends."""
        return max(0, min(len(self.columns) - 1, column + by))

    def result(self, column: int, die: int) -> str:
        """The result of a die; one modified beyond the table's rows is held at its ends."""
        return self.rows[max(1, min(len(self.rows), die)) - 1][column]

    def chances(self, column: int) -> tuple[tuple[str, Fraction], ...]:
        """Every result of a column with its exact chance, in the order of the dice."""
        counts = Counter(row[column] for row in self.rows)
        return tuple((result, Fraction(count, len(self.rows))) for result, count in counts.items())


def results_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> ResultsTable:
    """A table from its printed headings and rows, checked for shape and order."""
    lows = tuple(_low(heading) for heading in headings)
    if any(later <= earlier for earlier, later in pairwise(lows)):
        raise BadData(f"the columns of a results table must rise: {', '.join(headings)}")
    if not rows or any(len(row) != len(headings) for row in rows):
        raise BadData(f"every row of a results table needs {len(headings)} results")
    return ResultsTable(tuple(headings), tuple(tuple(row) for row in rows), lows)


_ODDS = re.compile(r"(\d+)-([1-9]\d*)")
_AT_MOST = re.compile(r"(?:<=|≤)\s*([+-]?\d+)")
_FROM = re.compile(r"(?:>=|≥)?\s*([+-]?\d+)(?:\s*(?:\.\.|to|or)\s*[+-]?\d+)?")


def _low(heading: str) -> int | Fraction:
    """`<=-3`, `-2..-1`, `0`, `+1 or +2`, `>=+12`, `1-2`, `9-1`: the least value of such a column."""
    text = heading.strip()
    if odds := _ODDS.fullmatch(text):
        return Fraction(int(odds[1]), int(odds[2]))
    if at_most := _AT_MOST.fullmatch(text):
        return int(at_most[1])
    if from_ := _FROM.fullmatch(text):
        return int(from_[1])
    raise BadData(f"{heading!r} is no heading of a results table")

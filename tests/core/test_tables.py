"""Results tables: columns by differential and by odds, shifts, and exact chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.errors import BadData
from bulge.core.tables import ResultsTable, results_table
from tests.helpers import complaint

DIFFERENTIALS = ("<=-3", "-2..-1", "0", "+1..+2", "+3", "+4", "+5..+6", "+7..+8", "+9..+11", ">=+12")
ODDS = ("1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1", "8-1", "9-1")


def table(headings: tuple[str, ...], rows: int = 6) -> ResultsTable:
    return results_table(headings, [[f"{die}/{heading}" for heading in headings] for die in range(1, rows + 1)])


def test_every_differential_has_its_column() -> None:
    columns = {
        "<=-3": (-100, -4, -3),
        "-2..-1": (-2, -1),
        "0": (0,),
        "+1..+2": (1, 2),
        "+3": (3,),
        "+4": (4,),
        "+5..+6": (5, 6),
        "+7..+8": (7, 8),
        "+9..+11": (9, 10, 11),
        ">=+12": (12, 13, 100),
    }
    crt = table(DIFFERENTIALS)
    for heading, values in columns.items():
        for value in values:
            assert crt.columns[crt.column(value)] == heading, value


@pytest.mark.parametrize(
    ("attack", "defence", "heading"),
    [
        (26, 9, "2-1"),
        (27, 9, "3-1"),
        (1, 2, "1-2"),
        (2, 3, "1-2"),
        (99, 100, "1-2"),
        (1, 1, "1-1"),
        (199, 100, "1-1"),
        (9, 1, "9-1"),
        (89, 10, "8-1"),
        (500, 1, "9-1"),
        (1, 5, "1-2"),
        (0, 3, "1-2"),
    ],
)
def test_odds_are_rounded_in_the_defenders_favour(attack: int, defence: int, heading: str) -> None:
    crt = table(ODDS)
    assert crt.columns[crt.odds_column(attack, defence)] == heading


@given(st.integers(1, 300), st.integers(1, 60))
def test_odds_column_is_the_last_one_that_the_attack_can_pay_for(attack: int, defence: int) -> None:
    paid = [heading for heading in ODDS if attack * int(heading[2]) >= defence * int(heading[0])]
    crt = table(ODDS)
    assert crt.columns[crt.odds_column(attack, defence)] == (paid[-1] if paid else "1-2")
    assert crt.below(Fraction(attack, defence)) is not bool(paid)


@pytest.mark.parametrize(
    ("column", "by", "to"),
    [(0, 0, 0), (0, -1, 0), (0, 3, 3), (5, -2, 3), (8, 1, 9), (8, 2, 9), (9, 50, 9), (4, -50, 0)],
)
def test_shifts_are_held_at_the_ends(column: int, by: int, to: int) -> None:
    assert table(ODDS).shifted(column, by) == to


@pytest.mark.parametrize(("die", "row"), [(-4, 1), (0, 1), (1, 1), (2, 2), (6, 6), (7, 6), (60, 6)])
def test_a_die_modified_beyond_the_rows_is_held_at_the_ends(die: int, row: int) -> None:
    assert table(ODDS).result(3, die) == f"{row}/3-1"


def test_a_table_may_have_ten_rows() -> None:
    assert table(ODDS, rows=10).result(0, 10) == "10/1-2"


def test_chances_are_exact_and_in_the_order_of_the_dice() -> None:
    crt = results_table(("0", "1"), [["A", "D"], ["B", "D"], ["A", "D"], ["A", "D"], ["C", "D"], ["B", "D"]])
    assert crt.chances(0) == (("A", Fraction(1, 2)), ("B", Fraction(1, 3)), ("C", Fraction(1, 6)))
    assert crt.chances(1) == (("D", Fraction(1)),)


@pytest.mark.parametrize(
    ("heading", "low"),
    [("≤-3", -3), ("≥+12", 12), ("+1 or +2", 1), ("3 to 5", 3), (" 0 ", 0), ("3-2", Fraction(3, 2)), (">=7", 7)],
)
def test_headings_as_people_print_them(heading: str, low: int | Fraction) -> None:
    assert results_table((heading,), [["x"]]).lows == (low,)


@pytest.mark.parametrize("heading", ["", "x", "1:2", "1-", "--1", "1..", "1-0", "..3"])
def test_what_is_no_heading_is_refused(heading: str) -> None:
    with pytest.raises(BadData) as raised:
        results_table((heading,), [["x"]])
    assert repr(heading) in complaint(raised)


@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        (("0", "0"), [["x", "y"]]),
        (("1", "0"), [["x", "y"]]),
        (("1-1", "2-2"), [["x", "y"]]),
        (("0", "1"), [["x"]]),
        (("0", "1"), [["x", "y"], ["x", "y", "z"]]),
        (("0", "1"), []),
    ],
)
def test_a_table_out_of_shape_or_order_is_refused(headings: tuple[str, ...], rows: list[list[str]]) -> None:
    with pytest.raises(BadData) as raised:
        results_table(headings, rows)
    complaint(raised)

"""Ranked preferences, against trying everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bulge.core.retreat import lowest_by, prefer
from bulge.core.spaces import members, union

SETS = st.integers(0, 2**12 - 1)


def test_a_priority_that_nobody_meets_is_passed_over() -> None:
    assert prefer(0b0111, 0b1000, 0b0011, 0b0100, 0b0010) == 0b0010
    assert prefer(0b0111) == 0b0111
    assert prefer(0, 0b1) == 0


@given(SETS, st.lists(SETS, max_size=5))
def test_priorities_rank_like_words_in_a_dictionary(candidates: int, priorities: list[int]) -> None:
    """To narrow step by step is to take those with the best list of marks, earlier marks first."""

    def marks(space: int) -> list[bool]:
        return [bool(priority >> space & 1) for priority in priorities]

    best = max((marks(space) for space in members(candidates)), default=[])
    assert set(members(prefer(candidates, *priorities))) == {s for s in members(candidates) if marks(s) == best}


@given(SETS, st.lists(st.integers(-3, 3), min_size=12, max_size=12))
def test_lowest_by_keeps_all_that_share_the_least_measure(candidates: int, values: list[int]) -> None:
    kept = lowest_by(values.__getitem__)(candidates)
    least = min((values[space] for space in members(candidates)), default=0)
    assert set(members(kept)) == {space for space in members(candidates) if values[space] == least}


def test_sets_and_measures_may_be_mixed() -> None:
    nearest_to_seven = lowest_by(lambda space: abs(space - 7))
    assert prefer(union([1, 5, 9, 11]), union([1, 5, 9]), nearest_to_seven, union([9])) == union([9])

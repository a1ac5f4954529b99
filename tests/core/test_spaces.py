"""Sets of spaces as ints, against Python's own sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.spaces import disjoint, lowest, members, picked, subsets_of_one, union, without

SPACES = st.sets(st.integers(0, 300), max_size=60)
FEW = st.sets(st.integers(0, 9))


@given(SPACES)
def test_members_are_the_spaces_lowest_first(spaces: set[int]) -> None:
    assert members(union(spaces)) == sorted(spaces)


@pytest.mark.parametrize("count", [0, 1, 11, 12, 13, 14, 200])
def test_members_of_few_and_of_many_spaces_agree(count: int) -> None:
    """The two ways of listing meet at a dozen."""
    spaces = [3 * number for number in range(count)]
    assert members(union(spaces)) == spaces


def test_members_far_up_and_all_in_a_row() -> None:
    assert members(1 << 5000) == [5000]
    assert members((1 << 40) - 1) == list(range(40))


@given(st.lists(st.integers(-3, 40)))
def test_union_leaves_out_units_that_are_nowhere(where: list[int]) -> None:
    assert set(members(union(where))) == {space for space in where if space >= 0}


@given(SPACES.filter(bool))
def test_lowest_is_the_least_member(spaces: set[int]) -> None:
    assert lowest(union(spaces)) == min(spaces)


@given(SPACES)
def test_subsets_of_one_take_a_set_apart(spaces: set[int]) -> None:
    assert list(subsets_of_one(union(spaces))) == [1 << space for space in sorted(spaces)]


@given(st.lists(st.tuples(FEW, st.integers(-2, 3)), max_size=5), FEW)
def test_disjoint_adds_up_what_overlaps(classes: list[tuple[set[int], int]], everything: set[int]) -> None:
    parts = disjoint([(union(spaces), amount) for spaces, amount in classes], union(everything))
    found = {space: total for part, total in parts for space in members(part)}
    assert found == {space: sum(amount for spaces, amount in classes if space in spaces) for space in everything}
    assert sum(part.bit_count() for part, _ in parts) == len(everything), "two parts overlap"
    assert len({total for _, total in parts}) == len(parts), "one total is split over two parts"


def test_disjoint_covers_everything_that_is_in_no_class() -> None:
    assert disjoint([(0b0110, 2), (0b0011, 1)], -1) == [(~0b0111, 0), (0b0001, 1), (0b0100, 2), (0b0010, 3)]


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_without_leaves_the_others_in_order(spaces: set[int], gone: set[int]) -> None:
    listed = sorted(spaces)
    assert without(listed, union(gone)) == sorted(spaces - gone)
    assert listed == sorted(spaces), "the list itself stays as it is"


@given(st.sets(st.integers(0, 9)))
def test_picked_are_the_items_of_these_numbers(numbers: set[int]) -> None:
    assert "".join(picked("abcdefghij", union(numbers))) == "".join("abcdefghij"[at] for at in sorted(numbers))

"""Retreats: ranked priorities, and whole paths, against trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from bulge.core.retreat import lowest_by, prefer, retreat_paths
from bulge.core.spaces import members, union
from tests.helpers import hex_board, hex_boards, hex_names, sets_of

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


@settings(max_examples=60)
@given(st.data())
def test_retreat_paths_are_all_walks_of_that_length_without_turning_back(data: st.DataObject) -> None:
    board = data.draw(hex_boards(4, 4))
    start, length = data.draw(st.sampled_from(members(board.all))), data.draw(st.integers(0, 3))
    closed, woods = data.draw(sets_of(board, 3)), data.draw(sets_of(board, 8))

    def onward(path: Sequence[int]) -> int:
        return board.around(1 << path[-1]) & ~closed & ~union(path)

    def rank(path: Sequence[int]) -> tuple[int, ...]:
        return sum(woods >> hex_ & 1 for hex_ in path[1:]), -board.distance(start, path[-1])

    every = [
        [start, *rest]
        for rest in product(members(board.within(1 << start, length) & ~closed), repeat=length)
        if len({start, *rest}) == length + 1
        and all(board.adjacent(a, b) for a, b in zip([start, *rest], rest, strict=False))
    ]
    assert sorted(retreat_paths(start, length, onward)) == sorted(every)
    best = min((rank(path) for path in every), default=None)
    assert sorted(retreat_paths(start, length, onward, rank)) == sorted(p for p in every if rank(p) == best)


def test_the_least_rank_wins_and_ties_stay() -> None:
    """Of the six neighbours of 0202, two lie in column 02."""
    board = hex_board(hex_names(1, 3, 1, 4))
    paths = retreat_paths(
        board.at("0202"),
        1,
        lambda path: board.around(1 << path[-1]),
        lambda path: (board.name(path[-1])[2:] != "02",),
    )
    assert [board.name(path[-1]) for path in paths] == ["0102", "0302"]


def test_a_path_that_cannot_go_its_full_length_is_no_retreat() -> None:
    board = hex_board(hex_names(1, 1, 1, 3))

    def onward(path: Sequence[int]) -> int:
        return board.around(1 << path[-1]) & ~union(path)

    start = board.at("0101")
    assert [[board.name(h) for h in p] for p in retreat_paths(start, 2, onward)] == [["0101", "0102", "0103"]]
    assert retreat_paths(start, 3, onward) == []
    assert retreat_paths(start, 3, onward, rank=lambda path: (0,)) == []

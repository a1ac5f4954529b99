"""Priority lists: what they leave, what they say of it, and that they go on from the middle."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.board import GraphBoard
from bulge.core.chance import Keyed
from bulge.core.decision import Kind
from bulge.core.priority import (
    Line,
    Measure,
    Narrowing,
    best_of,
    by_choice,
    by_lot,
    go_on,
    least,
    most,
    narrow,
    such,
)
from bulge.core.spaces import members
from bulge.core.table import Table
from tests.helpers import SEED, Toy, ToyPosition

SIZE = 12
SETS = st.integers(0, 2**SIZE - 1)
VALUES = st.lists(st.integers(-3, 3), min_size=SIZE, max_size=SIZE)


def table(*, keep_log: bool = True) -> Table[ToyPosition]:
    game = Toy()
    game.board = GraphBoard([f"s{number}" for number in range(SIZE)], [])
    return Table(game, ToyPosition(step="act"), Keyed(SEED), keep_log=keep_log)


def lines(prefer: Sequence[int]) -> list[Line]:
    return [Line(str(number), f"line {number}", spaces) for number, spaces in enumerate(prefer)]


def test_each_line_that_narrows_is_logged_with_its_rule_and_what_was_left() -> None:
    t = table()
    list_ = [
        Line("9.1", "far away", 1 << 11),
        Line("9.2", "on a road", 0b0111),
        Line("9.3", "on the map", 0b1111),
        Line("9.4", "nearest", least(lambda space: abs(space - 2))),
        Line("9.5", "not looked at any more", 0),
    ]
    assert narrow(t, 0b1111, list_) == 0b0100
    assert [(event.rule, event.words, event.spaces) for event in t.events or []] == [
        ("9.2", "Preferred: on a road. Left: s0, s1, s2.", (0, 1, 2)),
        ("9.4", "Preferred: nearest. Left: s2.", (2,)),
    ]


def test_measures_and_tests() -> None:
    t = table(keep_log=False)
    assert narrow(t, 0b111111, [Line("1", "", most(lambda number: number % 3))]) == 0b100100
    assert narrow(t, 0b111111, [Line("1", "", such(lambda number: number > 3))]) == 0b110000
    assert narrow(t, 0b111111, [Line("1", "", such(lambda number: number > 9))]) == 0b111111


@given(SETS, st.lists(SETS, max_size=6), st.integers(0, 7))
def test_a_list_goes_on_from_any_line_as_if_it_had_not_stopped(
    candidates: int, prefer: list[int], stop: int
) -> None:
    straight, halting = table(), table()
    whole = go_on(straight, Narrowing(candidates), lines(prefer))
    begun = go_on(halting, Narrowing(candidates), lines(prefer), most_lines=stop)
    assert begun.line <= stop
    rest = go_on(halting, begun, lines(prefer))
    assert rest == whole
    assert halting.events == straight.events
    assert whole.settled is (whole.left.bit_count() <= 1)


@given(SETS, VALUES, VALUES)
def test_measures_rank_like_words_in_a_dictionary(candidates: int, one: list[int], other: list[int]) -> None:
    t = table(keep_log=False)
    left = narrow(t, candidates, [Line("1", "", least(one.__getitem__)), Line("2", "", most(other.__getitem__))])
    best = min(((one[n], -other[n]) for n in members(candidates)), default=None)
    expected = {n for n in members(candidates) if (one[n], -other[n]) == best}
    assert set(members(left)) == expected


def test_things_that_are_no_numbers() -> None:
    t = table()
    paths = [(1, 2, 3), (1, 3), (2, 3), (4, 5)]
    list_ = [Measure("5.1", "shortest", len), Measure("5.2", "ends at 3", lambda path: path[-1] != 3)]
    assert best_of(t, paths, list_, lambda path: "-".join(map(str, path))) == [(1, 3), (2, 3)]
    assert [event.words for event in t.events or []] == [
        "Preferred: shortest. Left: 1-3, 2-3, 4-5.",
        "Preferred: ends at 3. Left: 1-3, 2-3.",
    ]
    assert best_of(t, [], list_, str) == []


def test_a_tie_by_lot_is_a_die_and_only_where_there_is_a_tie() -> None:
    t = table()
    assert by_lot(t, "9.9", 0b1000) == 3
    assert t.p.drawn == 0
    chosen = {by_lot(t, "9.9", 0b1011) for _ in range(60)}
    assert chosen == {0, 1, 3}
    assert t.p.drawn == 60


def test_a_tie_by_choice_asks_only_where_there_is_a_tie() -> None:
    asking = by_choice("Ann", "Which?", "9.9", 0b101, Kind.UNIT)
    decision = next(asking)
    assert (decision.side, decision.options, decision.kind) == ("Ann", [0, 2], Kind.UNIT)
    with pytest.raises(StopIteration) as stopped:
        asking.send(2)
    assert stopped.value.value == 2
    with pytest.raises(StopIteration) as stopped:
        next(by_choice("Ann", "Which?", "9.9", 0b100, Kind.UNIT))
    assert stopped.value.value == 2

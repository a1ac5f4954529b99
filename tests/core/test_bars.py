"""One list of bars says what is open and why the rest is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bulge.core.bars import Bar, open_to, refusal
from bulge.core.decision import Refusal

THINGS = (1 << 12) - 1


def odd(item: int) -> bool:
    return item % 2 == 1


def test_the_first_bar_that_shuts_a_thing_answers() -> None:
    bars = [Bar(0b0110, "1.1", "it is taken"), Bar(odd, "1.2", lambda item: f"{item} is odd")]
    assert refusal(bars, 1) == Refusal("1.1", "it is taken")
    assert refusal(bars, 3) == Refusal("1.2", "3 is odd")
    assert refusal(bars, 0) is None
    assert open_to(0b11111, bars) == 0b10001


def test_a_bar_may_shut_all_but_a_set() -> None:
    assert open_to(THINGS, [Bar(~0b101, "1.1", "only those")]) == 0b101
    assert refusal([Bar(~0b101, "1.1", "only those")], 1) == Refusal("1.1", "only those")


@given(st.lists(st.integers(0, THINGS) | st.just(odd), max_size=4), st.integers(0, THINGS))
def test_what_is_open_has_no_refusal_and_the_rest_has_one(shut: list[int], candidates: int) -> None:
    bars = [Bar(each, "1.1", "no") for each in shut]
    open_ = open_to(candidates, bars)
    assert not open_ & ~candidates
    for item in range(12):
        if candidates >> item & 1:
            assert (refusal(bars, item) is None) == bool(open_ >> item & 1)

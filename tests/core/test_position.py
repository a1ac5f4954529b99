"""Positions: plain data that copies, compares, and goes to JSON and back unchanged."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.position import Position
from bulge.games.ford.facts import FordPosition


class Card(msgspec.Struct, frozen=True):
    name: str
    values: tuple[int, ...] = ()


class Sample(Position, kw_only=True):
    where: list[int] = []
    owner: dict[int, str] = {}
    cards: list[Card] = []
    zone: int = 0
    last: tuple[int, str] | None = None


class Larger(Sample, kw_only=True):
    """A game whose position builds on another's."""

    more: list[int] = []


def full(**changes: Any) -> dict[str, Any]:
    """Something in every field, made anew each time."""
    return {
        "step": "move",
        "where": [1, -1],
        "owner": {7: "a"},
        "cards": [Card("x", (1,))],
        "zone": 1 << 3000,
        "last": (2, "b"),
        **changes,
    }


def test_a_copy_is_equal_and_changes_by_itself() -> None:
    one = Sample(**full())
    twin = one.copy()
    assert twin == one
    assert type(twin) is Sample
    twin.where.append(9)
    twin.owner[8] = "b"
    twin.cards.clear()
    twin.zone |= 1
    twin.step = "fight"
    assert one == Sample(**full())


def test_a_position_that_builds_on_another_copies_all_of_its_own() -> None:
    Sample(**full()).copy()
    one = Larger(**full(more=[1]))
    twin = one.copy()
    twin.more.append(2)
    twin.where.append(2)
    assert one == Larger(**full(more=[1]))
    Sample(**full()).copy()


def test_fresh_positions_share_nothing() -> None:
    one, other = Sample(step="a"), Sample(step="a")
    one.where.append(1)
    assert other.where == []


POSITIONS = st.builds(
    FordPosition,
    step=st.text(),
    turn=st.integers(),
    drawn=st.integers(0),
    where=st.lists(st.integers(-1, 500)),
    steps=st.lists(st.integers(0, 9)),
    cup=st.lists(st.integers()),
    held=st.lists(st.integers()),
    moved=st.integers(0, 1 << 4000),
    assaulted=st.integers(0, 1 << 200),
)


@given(POSITIONS)
def test_positions_go_to_json_and_back(one: FordPosition) -> None:
    back = msgspec.json.decode(one.to_json(), type=FordPosition)
    assert back == one
    assert back.to_json() == one.to_json()
    assert back.fingerprint() == one.fingerprint() == one.copy().fingerprint()


def test_big_sets_and_dicts_by_number_survive_json() -> None:
    one = Sample(**full())
    assert msgspec.json.decode(one.to_json(), type=Sample) == one


def test_fingerprints_of_equal_positions_are_equal_whatever_their_history() -> None:
    one, other = Sample(step="a", owner={1: "x", 2: "y"}), Sample(step="a", owner={2: "y", 1: "x"})
    assert one == other
    assert one.fingerprint() == other.fingerprint()


@pytest.mark.parametrize(
    "change", [{"step": "x"}, {"turn": 2}, {"drawn": 1}, {"where": [1]}, {"owner": {}}, {"zone": 1 << 2999}]
)
def test_fingerprints_of_different_positions_differ(change: dict[str, Any]) -> None:
    assert Sample(**full(**change)).fingerprint() != Sample(**full()).fingerprint()


class Open(msgspec.Struct):
    number: int


class FrozenAround(msgspec.Struct, frozen=True):
    """Frozen itself, but what it holds is not."""

    numbers: list[int]


@pytest.mark.parametrize(
    "hint",
    [
        list[list[int]],
        dict[str, list[int]],
        list[dict[str, int]],
        list[Open],
        Open,
        set[int],
        list,
        tuple[list[int], ...],
        list[int] | None,
        FrozenAround,
        list[FrozenAround],
    ],
)
def test_what_a_copy_would_share_is_refused_when_the_class_is_made(hint: Any) -> None:
    with pytest.raises(TypeError, match="a position"):
        msgspec.defstruct("Nested", [("field", hint)], bases=(Position,), kw_only=True)

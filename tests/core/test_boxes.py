"""Boxes beside the hexes of a board, and hexsides as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.errors import UnknownSpace
from bulge.core.hexes import Grid, HexBoard, LinkedHexBoard
from bulge.core.movement import Limits, StepCosts, reach
from bulge.core.spaces import members
from bulge.core.supply import supplied
from bulge.core.zones import zone
from tests.helpers import all_side_names, complaint, examples, hex_board, hex_boards, sets_of, sides_on

NAMES = ("Namur", "dead pile", "Luxembourg City")


@st.composite
def twins(draw: st.DrawFn) -> tuple[HexBoard, HexBoard, int]:
    """A board without boxes, the same with some of them, and a set of its boxes."""
    plain = draw(hex_boards())
    boxed = HexBoard(
        plain.grid, plain.names_of(plain.hexes), [f"box {number}" for number in range(draw(st.integers(1, 30)))]
    )
    return plain, boxed, boxed.set_of(draw(st.sets(st.sampled_from(boxed.names_of(boxed.boxes)))))


def test_boxes_are_spaces_with_names_beside_the_hexes() -> None:
    board = HexBoard(Grid(hex_board(["0101"]).grid.numbering), ["0101", "0102"], NAMES)
    assert board.names_of(board.hexes) == ["0101", "0102"]
    assert tuple(board.names_of(board.boxes)) == NAMES
    assert board.all == board.hexes | board.boxes
    assert not board.hexes & board.boxes
    for name in NAMES:
        box = board.at(name)
        assert board.has(name)
        assert board.name(box) == name
        assert board.set_of([name]) == 1 << box
        assert board.neighbours(box) == []
        assert [board.neighbour(box, direction) for direction in range(6)] == [-1] * 6
        assert board.distance(box, board.at("0101")) == -1
        assert board.within(1 << box, 5) == board.connected(1 << box, board.all) == 1 << box


@pytest.mark.parametrize("boxes", [["0101"], ["Namur", "Namur"]])
def test_no_two_spaces_have_one_name(boxes: list[str]) -> None:
    with pytest.raises(UnknownSpace) as raised:
        HexBoard(hex_board(["0101"]).grid, ["0101"], boxes)
    assert repr(boxes[0]) in complaint(raised)


@examples(60)
@given(twins())
def test_a_box_is_next_to_nothing_whatever_its_number(drawn: tuple[HexBoard, HexBoard, int]) -> None:
    _, board, _ = drawn
    for box in members(board.boxes):
        for other in members(board.all):
            assert not board.adjacent(box, other)
            with pytest.raises(UnknownSpace):
                board.direction(box, other)
            with pytest.raises(UnknownSpace):
                board.side_number(other, box)


@examples(60)
@given(st.data(), twins())
def test_boxes_in_a_set_change_nothing_among_the_hexes(
    data: st.DataObject, drawn: tuple[HexBoard, HexBoard, int]
) -> None:
    plain, boxed, boxes = drawn
    assert boxed.hexes == plain.all
    spaces = data.draw(sets_of(plain))
    assert boxed.around(spaces | boxes) == plain.around(spaces)
    for direction in range(6):
        assert boxed.step(spaces | boxes, direction) == plain.step(spaces, direction)
    closed = data.draw(sides_on(plain))
    names = closed.names()
    assert zone(boxed, spaces | boxes, not_across=boxed.sides(names)) == zone(plain, spaces, not_across=closed)
    for mine, others in (
        (boxed.border(spaces | boxes), plain.border(spaces)),
        (boxed.sides_of(spaces | boxes), plain.sides_of(spaces)),
        (boxed.sides(names).of(spaces | boxes), closed.of(spaces)),
    ):
        assert mine.masks == others.masks
    assert boxed.sides(names).across(spaces | boxes) == closed.across(spaces)


@examples(60)
@given(st.data(), twins())
def test_floods_and_supply_never_run_into_a_box(
    data: st.DataObject, drawn: tuple[HexBoard, HexBoard, int]
) -> None:
    plain, boxed, boxes = drawn
    woods, roads, rivers = data.draw(sets_of(plain)), data.draw(sides_on(plain)), data.draw(sides_on(plain))
    start, blocked = data.draw(sets_of(plain, 3)), data.draw(sets_of(plain))
    found = []
    for board, beside in ((plain, 0), (boxed, boxes)):
        ways = board.sides(roads.names())
        steps = StepCosts.by_terrain(board, {1: board.all & ~woods, 2: woods | beside})
        steps = steps.add(board.sides(rivers.names()), 1).along(ways, 1)
        limits = Limits(blocked=blocked | beside, stop=woods | beside)
        flood = reach(steps, {0: start | beside}, 6, limits)
        free = board.all & ~blocked
        lines = supplied(steps, ways, start | beside, 3, overland_through=free, road_through=free)
        found.append((flood.spaces & ~beside, flood.levels[1:], lines.spaces & board.hexes, lines.levels[1:]))
    assert found[0] == found[1]


def test_a_box_is_next_to_what_it_is_linked_with() -> None:
    board = LinkedHexBoard(
        hex_board(["0101"]).grid,
        ["0101", "0102", "0103"],
        ["Namur", "Liège", "dead pile"],
        [("0103", "Namur"), ("Liège", "Namur")],
    )
    assert set(board.names_of(board.next_to(board.at("Namur")))) == {"0103", "Liège"}
    assert set(board.names_of(board.around(board.set_of(["0103"])))) == {"0102", "Namur"}
    assert board.distance(board.at("0101"), board.at("Liège")) == 4
    assert board.distance(board.at("0101"), board.at("0103")) == 2
    assert board.connected(board.set_of(["0101"]), board.all) == board.all & ~board.set_of(["dead pile"])
    assert board.neighbour(board.at("0103"), 1) == board.at("0102")
    with pytest.raises(UnknownSpace):
        board.side("0103/Namur")


# ---------------------------------------------------------------------- hexsides as numbers


@examples(60)
@given(st.data(), twins())
def test_every_hexside_has_a_number_of_its_own(data: st.DataObject, drawn: tuple[HexBoard, HexBoard, int]) -> None:
    _, board, _ = drawn
    every = all_side_names(board)
    numbers = [board.side_at(name) for name in every]
    assert len(set(numbers)) == len(every)
    for name, number in zip(every, numbers, strict=True):
        one, other = board.side(name)
        assert board.side_number(one, other) == board.side_number(other, one) == number
        assert set(board.side_hexes(number)) == {one, other}
        assert board.side_name(number) == name
        assert board.side_named(name) == board.side_named("/".join(reversed(name.split("/")))) == number
    sides = data.draw(sides_on(board))
    assert set(members(sides.numbers)) == {board.side_at(name) for name in sides.names()}


@pytest.mark.parametrize("number", [-1, 0, 10**6])
def test_a_number_of_no_hexside_is_refused(number: int) -> None:
    with pytest.raises(UnknownSpace) as raised:
        hex_board(["0101", "0102"]).side_name(number)
    assert str(number) in complaint(raised)


@pytest.mark.parametrize("name", ["0101", "0101/0103", "0101/0909", "0101/0101"])
def test_what_names_no_hexside_has_no_number(name: str) -> None:
    assert hex_board(["0101", "0102", "0103"]).side_named(name) is None


def test_two_hexes_that_are_not_adjacent_have_no_hexside() -> None:
    board = hex_board(["0101", "0102", "0103"])
    with pytest.raises(UnknownSpace) as raised:
        board.side_number(board.at("0101"), board.at("0103"))
    assert "not adjacent" in complaint(raised)

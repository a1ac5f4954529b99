"""Hex boards in both numberings, against hexes worked out the plain way and against facts from rulebooks."""

from __future__ import annotations

from itertools import pairwise
from math import dist, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.errors import UnknownSpace
from bulge.core.hexes import (
    COLUMNS_FROM_EAST,
    NUMBERINGS,
    ROWS_FROM_EAST,
    Grid,
    HexBoard,
    Numbering,
    Sheet,
    Sides,
    rectangle,
)
from bulge.core.spaces import members
from tests.helpers import (
    BOTH_NUMBERINGS,
    all_side_names,
    complaint,
    examples,
    has_side,
    hex_board,
    hex_boards,
    hex_names,
    plain_distances,
    plain_neighbours,
    sets_of,
    sides_on,
)

TWO_SHEETS = Grid(COLUMNS_FROM_EAST, (Sheet("E", 0), Sheet("W", 32)))
numberings = pytest.mark.parametrize("numbering", BOTH_NUMBERINGS, ids=lambda numbering: numbering.name)


def adjacent(grid: Grid, one: str, other: str) -> bool:
    return grid.distance(one, other) == 1


# ---------------------------------------------------------------------- facts from rulebooks


@pytest.mark.parametrize("hex_", ["1315", "1712", "1214", "1113", "1111", "1112"])
def test_hexes_at_distance_three_in_rows_from_east(hex_: str) -> None:
    assert Grid(ROWS_FROM_EAST).distance("1412", hex_) == 3


@pytest.mark.parametrize(
    ("numbering", "one", "others"),
    [
        (ROWS_FROM_EAST, "1310", "1309 1409 1410"),
        (ROWS_FROM_EAST, "1511", "1411 1510 1512"),
        (ROWS_FROM_EAST, "1616", "1517"),
        (ROWS_FROM_EAST, "1325", "1424"),
        (COLUMNS_FROM_EAST, "2020", "2119"),
        (COLUMNS_FROM_EAST, "2016", "2115"),
        (COLUMNS_FROM_EAST, "1913", "2013"),
        (COLUMNS_FROM_EAST, "3029", "2928 2929"),
        (COLUMNS_FROM_EAST, "3718", "3618"),
    ],
)
def test_neighbours_that_rulebooks_name(numbering: Numbering, one: str, others: str) -> None:
    for other in others.split():
        assert adjacent(Grid(numbering), one, other), other
        board = hex_board([one, other], numbering)
        assert board.adjacent(board.at(one), board.at(other)), other


def test_hexes_that_a_rulebook_says_are_not_adjacent() -> None:
    assert not adjacent(Grid(COLUMNS_FROM_EAST), "3921", "3820")


# ---------------------------------------------------------------------- neighbours and distance


@numberings
def test_neighbours_over_a_whole_map(numbering: Numbering) -> None:
    names = set(hex_names(1, 12, 1, 13))
    board = hex_board(names, numbering)
    for name in names:
        found = {board.name(hex_) for hex_ in board.neighbours(board.at(name))}
        assert found == plain_neighbours(numbering, name) & names, name


@numberings
def test_distance_over_a_whole_map(numbering: Numbering) -> None:
    names = hex_names(10, 19, 10, 19)
    wide = hex_names(1, 30, 1, 30)
    board = hex_board(names, numbering)
    for one in names[::7]:
        plain = plain_distances(numbering, one, wide)
        for other in names:
            assert board.distance(board.at(one), board.at(other)) == plain[other], (one, other)


@given(hex_boards())
def test_neighbours_on_any_outline(board: HexBoard) -> None:
    names = set(board.names_of(board.all))
    for name in names:
        hex_ = board.at(name)
        near = plain_neighbours(board.grid.numbering, name) & names
        assert {board.name(other) for other in board.neighbours(hex_)} == near
        assert set(board.names_of(board.around(1 << hex_))) == near
        by_direction = [board.neighbour(hex_, direction) for direction in range(6)]
        assert {board.name(other) for other in by_direction if other >= 0} == near
        for direction, other in enumerate(by_direction):
            assert board.step(1 << hex_, direction) == (1 << other if other >= 0 else 0)
            if other >= 0:
                assert board.direction(hex_, other) == direction
                assert board.neighbour(other, (direction + 3) % 6) == hex_


@examples(50)
@given(st.data())
def test_sets_step_as_their_members_do(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    some = data.draw(sets_of(board))
    assert board.around(some) == sum({1 << near for hex_ in members(some) for near in board.neighbours(hex_)})
    for direction in range(6):
        moved = {board.neighbour(hex_, direction) for hex_ in members(some)} - {-1}
        assert set(members(board.step(some, direction))) == moved


@examples(50)
@given(st.data())
def test_rings_and_within_follow_the_board_not_the_crow(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    names = board.names_of(board.all)
    start, far = data.draw(st.sampled_from(names)), data.draw(st.integers(0, 5))
    plain = plain_distances(board.grid.numbering, start, names)
    at = board.set_of([start])
    assert set(board.names_of(board.ring(at, far))) == {name for name, steps in plain.items() if steps == far}
    assert set(board.names_of(board.within(at, far))) == {name for name, steps in plain.items() if steps <= far}


def test_distance_runs_across_a_hole_in_the_board() -> None:
    board = hex_board(["0101", "0103"])
    assert board.distance(board.at("0101"), board.at("0103")) == 2
    assert board.within(board.set_of(["0101"]), 9) == board.set_of(["0101"])


def test_direction_of_a_hex_that_is_no_neighbour_is_refused() -> None:
    board = hex_board(["0101", "0103"])
    with pytest.raises(UnknownSpace) as raised:
        board.direction(board.at("0101"), board.at("0103"))
    assert "0101 and 0103" in complaint(raised)


# ---------------------------------------------------------------------- how hexes lie on the ground


@numberings
def test_neighbours_touch_on_the_ground(numbering: Numbering) -> None:
    names = hex_names(1, 6, 1, 6)
    board = hex_board(names, numbering)
    centres = {name: board.plane(board.at(name)) for name in names}
    for one in names:
        near = {other for other in names if isclose(dist(centres[one], centres[other]), 1.0, abs_tol=1e-9)}
        assert near == plain_neighbours(numbering, one) & set(names)


@numberings
def test_directions_and_corners_say_where_a_neighbour_lies(numbering: Numbering) -> None:
    board = hex_board(hex_names(1, 4, 1, 4), numbering)
    corners = numbering.corners()
    for hex_ in members(board.all):
        x, y = board.plane(hex_)
        for direction, name in enumerate(board.directions):
            other = board.neighbour(hex_, direction)
            if other < 0:
                continue
            east, north = (b - a for a, b in zip((x, y), board.plane(other), strict=True))
            assert name == ("N" if north > 0.1 else "S" if north < -0.1 else "") + (
                "E" if east > 0.1 else "W" if east < -0.1 else ""
            )
            one, two = corners[direction], corners[(direction + 1) % 6]
            assert isclose(one[0] + two[0], east, abs_tol=1e-9)
            assert isclose(one[1] + two[1], north, abs_tol=1e-9)


@numberings
def test_corners_are_those_of_a_hex_one_wide(numbering: Numbering) -> None:
    corners = numbering.corners()
    for number, corner in enumerate(corners):
        assert isclose(dist(corner, corners[(number + 1) % 6]), dist(corner, (0, 0)))
        assert isclose(dist(corner, (0, 0)), 3**-0.5)


def test_numbers_grow_towards_the_west_and_south_or_north() -> None:
    rows, columns = Grid(ROWS_FROM_EAST).plane, Grid(COLUMNS_FROM_EAST).plane
    assert rows("0102")[0] < rows("0101")[0]
    assert rows("0301")[1] < rows("0101")[1]
    assert rows("0201")[0] < rows("0101")[0], "even rows lie half a hex west"
    assert columns("0301")[0] < columns("0101")[0]
    assert columns("0102")[1] > columns("0101")[1]
    assert columns("0101")[1] > columns("0201")[1], "odd columns lie half a hex north"


# ---------------------------------------------------------------------- sheets, names, outlines


@pytest.mark.parametrize(("west", "east"), [("W0110", "E3310"), ("W0210", "E3410"), ("W0717", "E3917")])
def test_two_sheets_name_one_place(west: str, east: str) -> None:
    assert TWO_SHEETS.slanted(west) == TWO_SHEETS.slanted(east)
    assert TWO_SHEETS.plane(west) == TWO_SHEETS.plane(east)
    with pytest.raises(UnknownSpace) as raised:
        HexBoard(TWO_SHEETS, [west, east])
    complaint(raised)


def test_sheets_join_without_a_seam() -> None:
    names = [f"E{name}" for name in hex_names(30, 32, 1, 6)] + [f"W{name}" for name in hex_names(1, 3, 1, 6)]
    board = HexBoard(TWO_SHEETS, names)

    def east(name: str) -> str:
        return name[1:] if name[0] == "E" else f"{int(name[1:3]) + 32}{name[3:]}"

    on_board = {east(name) for name in names}
    for name in names:
        near = {east(board.name(hex_)) for hex_ in board.neighbours(board.at(name))}
        assert near == plain_neighbours(COLUMNS_FROM_EAST, east(name)) & on_board, name
    assert board.side("E3203/W0103") == (board.at("E3203"), board.at("W0103"))
    assert board.distance(board.at("E3001"), board.at("W0301")) == 5


def test_a_name_without_a_letter_is_on_the_first_sheet() -> None:
    assert TWO_SHEETS.parse("1234") == TWO_SHEETS.parse("E1234") == (12, 34)


@pytest.mark.parametrize("name", ["", "12", "12345", "X1234", "12a4", "W", "-123", "1 23"])
def test_what_is_no_hex_number_is_refused(name: str) -> None:
    with pytest.raises(UnknownSpace) as raised:
        TWO_SHEETS.parse(name)
    assert repr(name) in complaint(raised)


def test_rectangle_lists_a_full_sheet() -> None:
    assert rectangle(2, 3, "E") == ["E0101", "E0102", "E0103", "E0201", "E0202", "E0203"]


def test_numberings_are_found_by_name() -> None:
    assert NUMBERINGS == {"rows_from_east": ROWS_FROM_EAST, "columns_from_east": COLUMNS_FROM_EAST}


@numberings
def test_a_map_edge_row_is_part_of_the_board_like_any_other(numbering: Numbering) -> None:
    """Rows 00 hold units about to enter; they join the first row and nothing else."""
    names = hex_names(0, 3, 0, 4)
    board = hex_board(names, numbering)
    for place in range(5):
        name = f"00{place:02}"
        near = {board.name(hex_) for hex_ in board.neighbours(board.at(name))}
        assert near == plain_neighbours(numbering, name) & set(names)


@pytest.mark.parametrize(
    ("on_board", "off_board", "steps"), [("0101", "0100", 1), ("0203", "0500", 5), ("0303", "4003", 37)]
)
def test_distance_to_a_place_off_the_board(on_board: str, off_board: str, steps: int) -> None:
    assert Grid(ROWS_FROM_EAST).distance(on_board, off_board) == steps
    assert plain_distances(ROWS_FROM_EAST, on_board, hex_names(0, 40, 0, 30))[off_board] == steps


# ---------------------------------------------------------------------- lines


@examples(80)
@given(st.data())
def test_a_line_takes_the_shortest_way_and_is_the_same_both_ways(data: st.DataObject) -> None:
    numbering = data.draw(st.sampled_from(BOTH_NUMBERINGS))
    board = hex_board(hex_names(1, 14, 1, 14), numbering)
    inner = st.sampled_from(hex_names(4, 11, 4, 11))
    one, other = board.at(data.draw(inner)), board.at(data.draw(inner))
    line = board.line(one, other)
    steps = board.distance(one, other)
    assert (line[0], line[-1], len(line)) == (one, other, steps + 1)
    assert all(board.adjacent(a, b) for a, b in pairwise(line))
    assert board.line(other, one) == line[::-1]
    # Each hex of it lies within half a hex's outer size of the straight line between the centres.
    (ax, ay), (bx, by) = board.plane(one), board.plane(other)
    for hex_ in line:
        x, y = board.plane(hex_)
        aside = abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / (dist((ax, ay), (bx, by)) or 1)
        assert aside <= 3**-0.5 + 1e-4


def test_a_line_along_a_row_and_one_along_hexsides() -> None:
    board = hex_board(hex_names(1, 5, 1, 5))

    def line(one: str, other: str) -> list[str]:
        return [board.name(hex_) for hex_ in board.line(board.at(one), board.at(other))]

    assert line("0301", "0304") == ["0301", "0302", "0303", "0304"]
    assert line("0303", "0303") == ["0303"]
    between = line("0103", "0303")
    assert between in (["0103", "0202", "0303"], ["0103", "0203", "0303"]), "the line runs along a hexside"


def test_a_line_leaves_out_hexes_that_are_not_on_the_board() -> None:
    board = hex_board(["0301", "0302", "0304"])
    assert board.line(board.at("0301"), board.at("0304")) == [board.at(n) for n in ("0301", "0302", "0304")]


# ---------------------------------------------------------------------- hexsides


def test_a_hexside_is_named_by_its_two_hexes_in_any_order() -> None:
    board = hex_board(["2020", "2119", "2120"], COLUMNS_FROM_EAST)
    assert board.side("2020/2119") == (board.at("2020"), board.at("2119"))
    assert board.side("2119/2020") == (board.at("2119"), board.at("2020"))
    assert board.sides(["2119/2020"]) == board.sides(["2020/2119"])
    assert board.sides(["2120/2119", "2020/2119"]).names() == ["2020/2119", "2119/2120"]
    assert board.sides_between([board.side("2119/2020")]) == board.sides(["2020/2119"])


@pytest.mark.parametrize("name", ["2020", "2020-2119", "2020/", "/2119", "2020/9999", "2020/2020", "2020/2122"])
def test_what_is_no_hexside_is_refused(name: str) -> None:
    board = hex_board(["2020", "2119", "2122"], COLUMNS_FROM_EAST)
    with pytest.raises(UnknownSpace) as raised:
        board.side(name)
    complaint(raised)


@examples(60)
@given(st.data())
def test_hexsides_as_masks_are_the_hexsides_by_name(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    every = all_side_names(board)
    some = data.draw(st.sets(st.sampled_from(every))) if every else set()
    sides = board.sides(some)
    assert sides.names() == sorted(some)
    assert len(sides) == len(list(sides)) == len(some)
    assert set(board.names_of(sides.hexes)) == {name for side in some for name in side.split("/")}
    for name in every:
        one, other = board.side(name)
        assert sides.between(one, other) is sides.between(other, one) is (name in some)
        direction = board.direction(one, other)
        assert bool(sides.entered[direction] >> other & 1) is (name in some)


@examples(60)
@given(st.data())
def test_sides_combine_as_sets_do(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    a, b = data.draw(sides_on(board)), data.draw(sides_on(board))
    assert set((a | b).names()) == set(a.names()) | set(b.names())
    assert set((a & b).names()) == set(a.names()) & set(b.names())
    assert set((a - b).names()) == set(a.names()) - set(b.names())
    assert (a == b) is (a.names() == b.names())
    assert a - b | a & b == a
    assert hash(a) == hash(board.sides(a.names()))
    assert a != "a"


@examples(60)
@given(st.data())
def test_across_and_connected_follow_the_sides_alone(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    roads, start, through = data.draw(sides_on(board)), data.draw(sets_of(board)), data.draw(sets_of(board))

    def across(hexes: set[int]) -> set[int]:
        pairs = list(roads) + [(b, a) for a, b in roads]
        return {b for a, b in pairs if a in hexes}

    assert set(members(roads.across(start))) == across(set(members(start)))
    joined = set(members(start & through))
    while more := across(joined) & set(members(through)) - joined:
        joined |= more
    assert set(members(roads.connected(start, through))) == joined
    assert roads.connected(start, -1) & ~board.all == 0


@examples(60)
@given(st.data())
def test_sides_of_and_border_of_a_set(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    some = data.draw(sets_of(board))
    inside = set(board.names_of(some))

    def touching(count: tuple[int, ...]) -> Sides:
        names = [name for name in all_side_names(board) if len(inside & set(name.split("/"))) in count]
        return board.sides(names)

    assert board.sides_of(some) == touching((1, 2))
    assert board.border(some) == touching((1,))
    assert board.sides_of(some).connected(some, -1) & ~board.all == 0
    for one, other in board.border(some):
        assert has_side(board.border(some), one, other)

"""Zones of control, against looking at each hex and its neighbours."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bulge.core.hexes import COLUMNS_FROM_EAST, HexBoard
from bulge.core.spaces import members
from bulge.core.zones import bent_between, between, shared_neighbours, zone
from tests.helpers import has_side, hex_board, hex_boards, hex_names, plain_distances, sets_of, sides_on


def common(board: HexBoard, one: int, other: int) -> set[int]:
    return set(board.neighbours(one)) & set(board.neighbours(other))


def two_apart(board: HexBoard, hexes: int) -> list[tuple[int, int]]:
    """Pairs of hexes two apart on open ground, whatever the board's outline."""
    numbering = board.grid.numbering
    pairs = []
    for one in members(hexes):
        line, place = int(board.name(one)[:2]), int(board.name(one)[2:])
        ground = hex_names(max(0, line - 3), line + 3, max(0, place - 3), place + 3)
        far = plain_distances(numbering, board.name(one), ground)
        pairs += [(one, other) for other in members(hexes) if one < other and far.get(board.name(other)) == 2]
    return pairs


@settings(max_examples=80)
@given(st.data())
def test_a_zone_is_every_neighbour_not_across_and_not_into(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    exerting, into, river = data.draw(sets_of(board)), data.draw(sets_of(board)), data.draw(sides_on(board))
    near = {(hex_, other) for hex_ in members(exerting) for other in board.neighbours(hex_)}
    dry = {(hex_, other) for hex_, other in near if not has_side(river, hex_, other)}
    assert set(members(zone(board, exerting))) == {other for _, other in near}
    assert set(members(zone(board, exerting, not_across=river))) == {other for _, other in dry}
    only = set(members(into))
    assert set(members(zone(board, exerting, into=into))) == {other for _, other in near} & only
    assert set(members(zone(board, exerting, not_across=river, into=into))) == {other for _, other in dry} & only


def test_an_exerter_next_to_another_stands_in_its_zone() -> None:
    board = hex_board(["0101", "0102"])
    assert zone(board, board.set_of(["0101"])) == board.set_of(["0102"])
    assert zone(board, board.all) == board.all


@settings(max_examples=60)
@given(st.data())
def test_between_and_bent_between_are_the_two_kinds_of_pair(data: st.DataObject) -> None:
    """A pair two apart has one common neighbour if it lies straight, two if it is bent."""
    board = data.draw(hex_boards(4, 5))
    exerting = data.draw(sets_of(board, 8))
    straight, bent = set(), set()
    for one, other in two_apart(board, exerting):
        (ax, ay), (bx, by) = board.plane(one), board.plane(other)
        middle = common(board, one, other)
        if abs(((bx - ax) ** 2 + (by - ay) ** 2) - 4) < 1e-6:
            straight |= middle
        elif len(middle) == 2:
            bent.add(board.side_name(board.side_number(*middle)))
    assert set(members(between(board, exerting))) == straight
    assert bent_between(board, exerting) == board.sides(bent)


def test_a_straight_pair_and_a_bent_pair_by_name() -> None:
    board = hex_board(hex_names(18, 22, 17, 22), COLUMNS_FROM_EAST)
    straight = board.set_of(["2018", "2020"])
    assert board.names_of(between(board, straight)) == ["2019"]
    assert bent_between(board, straight).names() == []
    bent = board.set_of(["2019", "2219"])
    assert board.names_of(between(board, bent)) == []
    assert bent_between(board, bent).names() == ["2118/2119"]


def test_neighbours_do_not_hold_anything_between_them() -> None:
    board = hex_board(hex_names(1, 4, 1, 4))
    pair = board.set_of(["0202", "0203"])
    assert between(board, pair) == 0
    assert len(bent_between(board, pair)) == 0


@given(st.data())
def test_shared_neighbours_are_next_to_both(data: st.DataObject) -> None:
    board = data.draw(hex_boards())
    hexes = st.sampled_from(members(board.all))
    one, other = data.draw(hexes), data.draw(hexes)
    assert set(members(shared_neighbours(board, one, other))) == common(board, one, other)

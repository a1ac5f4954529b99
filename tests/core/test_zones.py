"""Zones of control, against looking at each hex and its neighbours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bulge.core.spaces import members
from bulge.core.zones import zone
from tests.helpers import examples, has_side, hex_board, hex_boards, sets_of, sides_on


@examples(80)
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

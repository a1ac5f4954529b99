"""Boards of named spaces: a graph of areas answers the same questions as a hex board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.board import GraphBoard, NamedSpaces
from bulge.core.errors import UnknownSpace
from bulge.core.spaces import members
from tests.helpers import all_side_names, complaint, examples, hex_board, hex_boards, hex_names, sets_of

# A track of five boxes, a side box on the third, and an island.
TRACK = GraphBoard(
    ["1", "2", "3", "4", "5", "depot", "island"],
    [("1", "2"), ("2", "3"), ("3", "4"), ("4", "5"), ("depot", "3")],
)


def graph_of(hexes: NamedSpaces, names: list[str], links: list[str]) -> GraphBoard:
    """A graph board that looks just like a hex board."""
    return GraphBoard(names, [(one, other) for one, _, other in (link.partition("/") for link in links)])


def test_names_and_spaces_belong_together() -> None:
    assert [TRACK.name(TRACK.at(name)) for name in ("1", "depot", "island")] == ["1", "depot", "island"]
    assert TRACK.has("depot")
    assert not TRACK.has("Depot")
    assert TRACK.names_of(TRACK.set_of(["5", "2", "5"])) == ["2", "5"]
    assert TRACK.names_of(TRACK.all) == ["1", "2", "3", "4", "5", "depot", "island"]


@pytest.mark.parametrize("board", [TRACK, hex_board(hex_names(1, 2, 1, 2))])
def test_an_unknown_name_is_refused_in_one_line(board: NamedSpaces) -> None:
    with pytest.raises(UnknownSpace) as raised:
        board.at("9999")
    assert "9999" in complaint(raised)
    with pytest.raises(UnknownSpace):
        board.set_of(["9999"])


def test_two_spaces_of_one_name_are_refused() -> None:
    with pytest.raises(UnknownSpace):
        GraphBoard(["box", "box"], [])


def test_a_link_to_an_unknown_space_is_refused() -> None:
    with pytest.raises(UnknownSpace):
        GraphBoard(["box"], [("box", "bax")])


def test_links_run_both_ways() -> None:
    assert TRACK.names_of(TRACK.around(TRACK.set_of(["3"]))) == ["2", "4", "depot"]
    assert TRACK.adjacent(TRACK.at("depot"), TRACK.at("3"))
    assert TRACK.adjacent(TRACK.at("3"), TRACK.at("depot"))
    assert not TRACK.adjacent(TRACK.at("1"), TRACK.at("3"))


@pytest.mark.parametrize(
    ("one", "other", "steps"), [("1", "1", 0), ("1", "5", 4), ("depot", "5", 3), ("1", "island", -1)]
)
def test_distance_on_a_track(one: str, other: str, steps: int) -> None:
    assert TRACK.distance(TRACK.at(one), TRACK.at(other)) == steps


def test_within_ring_connected_and_nearest_on_a_track() -> None:
    def names(spaces: int) -> list[str]:
        return TRACK.names_of(spaces)

    start = TRACK.set_of(["1"])
    no_three = TRACK.all & ~TRACK.set_of(["3"])
    assert names(TRACK.within(start, 2)) == ["1", "2", "3"]
    assert names(TRACK.within(start, 9, no_three)) == ["1", "2"]
    assert names(TRACK.within(TRACK.set_of(["3"]), 1, no_three)) == ["2", "3", "4", "depot"]
    assert names(TRACK.ring(start, 0)) == ["1"]
    assert names(TRACK.ring(start, 3)) == ["4", "depot"]
    assert names(TRACK.ring(start, 9)) == []
    assert names(TRACK.connected(start, no_three)) == ["1", "2"]
    assert names(TRACK.connected(start, no_three & ~start)) == []
    assert names(TRACK.nearest(TRACK.set_of(["5", "depot", "island"]), start)) == ["depot"]
    assert names(TRACK.nearest(TRACK.set_of(["island"]), start)) == []


@examples(60)
@given(st.data())
def test_a_graph_with_the_same_links_answers_as_the_hex_board_does(data: st.DataObject) -> None:
    hexes = data.draw(hex_boards())
    names = hexes.names_of(hexes.all)
    graph = graph_of(hexes, names, all_side_names(hexes))
    some, among, through = (hexes.names_of(data.draw(sets_of(hexes))) for _ in range(3))
    far = data.draw(st.integers(0, 4))

    def answers(board: NamedSpaces) -> list[set[str]]:
        one, two, three = board.set_of(some), board.set_of(among), board.set_of(through)
        sets = [
            board.around(one),
            board.within(one, far),
            board.within(one, far, three),
            board.ring(one, far),
            board.connected(one, three),
            board.nearest(two, one),
        ]
        neighbours = [set(board.neighbours(space)) for space in members(one)]
        return [
            *(set(board.names_of(spaces)) for spaces in sets),
            *sorted(({board.name(space) for space in near} for near in neighbours), key=sorted),
        ]

    assert answers(graph) == answers(hexes)

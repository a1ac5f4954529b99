"""Map files: a board, sets by feature, named areas; and clear words for a file that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bulge.core.errors import BulgeError
from bulge.core.mapfile import HexMap, load_map
from tests.helpers import complaint

RAW: dict[str, Any] = {
    "format": 1,
    "game": "toy",
    "title": "Toy",
    "grid": {
        "numbering": "columns_from_east",
        "sheets": [{"prefix": "E", "shift": 0}, {"prefix": "W", "shift": 32}],
    },
    "hexes": {
        "E3201": {"terrain": "clear", "place": "Wiltz", "kind": "town"},
        "E3202": {"terrain": "woods", "west_wall": True},
        "W0101": {"terrain": "woods", "west_wall": False},
        "W0102": {"terrain": "rough"},
    },
    "sides": {
        "E3201/E3202": {"road": "primary"},
        "E3201/W0101": {"road": "track", "river": "Wiltz", "bridge": True},
        "W0101/W0102": {"river": "Clerve"},
    },
    "edges": {"W0102": {"road": "primary", "leads_to": "Namur"}},
    "areas": {"supply": ["W0102", "W0101"]},
}


def load(folder: Path, raw: object) -> HexMap:
    (folder / "map.json").write_text(json.dumps(raw), "utf-8")
    return load_map("toy", folder)


def test_hexes_by_feature_and_value(tmp_path: Path) -> None:
    map_ = load(tmp_path, RAW)
    found = {
        "woods": map_.hexes("terrain", "woods"),
        "open": map_.hexes("terrain", "clear", "rough"),
        "wall": map_.hexes("west_wall"),
        "none": map_.hexes("terrain", "swamp"),
    }
    assert {name: set(map_.board.names_of(hexes)) for name, hexes in found.items()} == {
        "woods": {"E3202", "W0101"},
        "open": {"E3201", "W0102"},
        "wall": {"E3202"},
        "none": set(),
    }


def test_sides_by_feature_and_value_run_across_the_joined_sheets(tmp_path: Path) -> None:
    map_ = load(tmp_path, RAW)
    assert map_.sides("road").names() == ["E3201/E3202", "E3201/W0101"]
    assert map_.sides("road", "primary").names() == ["E3201/E3202"]
    assert map_.sides("river").names() == ["E3201/W0101", "W0101/W0102"]
    assert (map_.sides("river") - map_.sides("bridge")).names() == ["W0101/W0102"]


def test_areas_edges_and_places(tmp_path: Path) -> None:
    map_ = load(tmp_path, RAW)
    board = map_.board
    assert set(board.names_of(map_.area("supply"))) == {"W0101", "W0102"}
    assert board.names_of(map_.edge_roads()) == ["W0102"]
    assert map_.places == {board.at("E3201"): "Wiltz"}
    assert [map_.words(board.at(name)) for name in ("E3201", "E3202")] == ["E3201 Wiltz", "E3202"]
    with pytest.raises(BulgeError) as raised:
        map_.area("suply")
    assert "no area 'suply'" in complaint(raised)


def test_boxes_are_spaces_of_the_board(tmp_path: Path) -> None:
    boxes = {"Namur": {"at": [-2, 1], "size": [2, 1], "links": ["W0102"]}, "lost": {"at": [5, 1], "size": [1, 1]}}
    board = load(tmp_path, RAW | {"boxes": boxes}).board
    assert board.names_of(board.boxes) == ["Namur", "lost"]
    assert board.names_of(board.next_to(board.at("Namur"))) == ["W0102"]
    assert load(tmp_path, RAW | {"boxes": {"lost": boxes["lost"]}}).board.next_to(board.at("lost")) == 0


def test_a_box_linked_with_nothing_on_the_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BulgeError) as raised:
        load(tmp_path, RAW | {"boxes": {"Namur": {"at": [0, 0], "size": [1, 1], "links": ["Dinant"]}}})
    assert "Dinant" in complaint(raised)


def test_the_board_is_made_once(tmp_path: Path) -> None:
    map_ = load(tmp_path, RAW)
    assert map_.board is map_.board


def changed(**parts: Any) -> dict[str, Any]:
    return RAW | parts


@pytest.mark.parametrize(
    "raw",
    [
        changed(format=2),
        changed(game="other"),
        changed(grid={"numbering": "spiral"}),
        changed(grid={"numbering": "rows_from_east", "sheets": [{"letter": "E"}]}),
        changed(hexes={"E3201": {}, "X1": {}}),
        changed(hexes={}),
        {"format": 1, "game": "toy"},
        [1, 2],
        "map",
    ],
)
def test_what_is_no_map_of_the_game_is_refused_in_one_line(tmp_path: Path, raw: object) -> None:
    with pytest.raises(BulgeError) as raised:
        load(tmp_path, raw)
    complaint(raised)


@pytest.mark.parametrize("content", [None, b"{", b"", b"\xff\xff"])
def test_a_map_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "map.json").write_bytes(content)
    with pytest.raises(BulgeError) as raised:
        load_map("toy", tmp_path)
    assert "toy" in complaint(raised)


@pytest.mark.parametrize("side", ["E3201/W0102", "E3201", "E3201/E9999"])
def test_a_side_that_is_none_is_refused(tmp_path: Path, side: str) -> None:
    map_ = load(tmp_path, changed(sides={side: {"road": "primary"}}))
    with pytest.raises(BulgeError) as raised:
        map_.sides("road")
    complaint(raised)

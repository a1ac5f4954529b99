"""Map files without hexes, and scenarios that other people play than the game's own players."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bulge.core.errors import BadData
from bulge.core.game import Scenario
from bulge.core.mapfile import load_space_map
from tests.helpers import Toy, complaint


def write(folder: Path, **content: object) -> Path:
    (folder / "map.json").write_text(json.dumps({"format": 1, "game": "toy", **content}))
    return folder


def test_a_space_map_becomes_a_board_with_boxes_beside_it(tmp_path: Path) -> None:
    links = {"a/b": {"kind": "track"}, "b/c": {"kind": "lateral"}}
    found = load_space_map("toy", write(tmp_path, spaces={"a": {}, "b": {}, "c": {}}, links=links))
    board = found.board(["a", "b", "c", "a box"])
    assert board.names_of(board.next_to(board.at("b"))) == ["a", "c"]
    assert board.next_to(board.at("a box")) == 0
    assert found.links("lateral") == [("b", "c")]


@pytest.mark.parametrize("content", [{}, {"spaces": {}}, {"hexes": {}}])
def test_a_map_without_spaces_and_links_is_refused(tmp_path: Path, content: dict[str, object]) -> None:
    with pytest.raises(BadData) as refused:
        load_space_map("toy", write(tmp_path, **content))
    assert "no spaces and links" in complaint(refused)


def test_a_map_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="not one of its own"):
        load_space_map("ford", write(tmp_path, spaces={}, links={}))


def test_a_scenario_may_have_players_of_its_own() -> None:
    toy = Toy()
    toy.scenarios = {**toy.scenarios, "shared": Scenario("shared", "Shared", "", ("Ann", "Ann's aide"))}
    assert toy.players_in("plain") == ("Ann", "Bob")
    assert toy.players_in("shared") == ("Ann", "Ann's aide")
    assert toy.everybody == ("Ann", "Bob", "Ann's aide")

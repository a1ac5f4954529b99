"""What The Ardennes Offensive shows of itself: counters, hexes in words, the track and the charts."""

from __future__ import annotations

from typing import Any

import pytest

from bulge.core.look import Chart, Look
from bulge.games.ardennes_offensive.game import ArdennesOffensive

GAME = "ardennes_offensive"


@pytest.fixture(scope="module")
def look() -> Look:
    game = ArdennesOffensive()
    names = game.board.names_of(game.facts.board.hexes)
    drawing: dict[str, Any] = {"width": 1, "height": 1, "hex": 100, "pointed": True}
    return game.look(drawing | {"hexes": {name: [0, 0] for name in names}})


def chart(look: Look, id_: str) -> Chart:
    return next(found for found in look.charts if found.id == id_)


@pytest.mark.rule(GAME, "3.3", "3.31", "3.32")
def test_counters_show_strength_movement_size_and_army(look: Look) -> None:
    faces = {face.id: face for face in look.faces}
    panzer = faces["1SSPz"]
    assert (panzer.values[1], panzer.symbol, panzer.size) == ("9-10", "armor", "III")
    assert (panzer.style, panzer.band) == ("german_mechanized", "Sixth Panzer Army")
    assert (faces["326VG"].style, faces["326VG"].size) == ("german_foot", "XX")
    assert [faces[id_].symbol for id_ in ("36AIR", "14Cav", "1107Eng", "504PIR")] == [
        "mechanized",
        "armored_cavalry",
        "engineers",
        "airborne",
    ]
    assert {face.style for face in look.faces} == {"german_mechanized", "german_foot", "us", "french", "british"}


def test_counters_say_when_and_where_they_come(look: Look) -> None:
    arrives = {face.id: face.arrives for face in look.faces}
    assert arrives["102Cav"] == "0209"
    assert arrives["Bde3"] == "turn 3, east"
    assert arrives["VDH"] == "turn 2, by air"
    assert arrives["56Gds"] == "turn 5, west, held beyond the Meuse (slowed: turn 9, west)"
    assert arrives["10SSPz"] == "not in history (accelerated: turn 3, east)"
    assert arrives["CCR5"] == "turn 6, northeast (slowed: never)"


@pytest.mark.rule(GAME, "3.1", "E3.1-1", "E3.1-2", "E3.1-3", "E3.1-4", "E3.1-7")
def test_hexes_in_words(look: Look) -> None:
    words = {space.id: space.words for space in look.spaces}
    assert words["0101"] == "rough, closed to everybody"
    assert "Allied map edge" in words["0112"]
    assert "road exit, 2 points" in words["0211"]
    assert "road exit, 1 point," in words["0209"]
    assert "cleared West Wall" in words["1507"]
    assert "West Wall" in words["1406"]
    assert "cleared" not in words["1406"]
    assert [words[hex_].split(",")[0] for hex_ in ("1107", "2819", "1016")] == ["clear"] * 3
    assert [words[hex_].split(",")[0] for hex_ in ("1516", "1506", "3505", "3612")] == ["impassable"] * 4
    assert words["3010"].endswith("river towards 3110, 3111 (bridge)")
    assert "2311" not in words["2211"].partition("river towards")[2]


@pytest.mark.rule(GAME, "2.1")
def test_the_turn_track_has_dates_and_what_begins(look: Look) -> None:
    labels = [turn.label for turn in look.turns]
    assert labels[0] == "16 Dec"
    assert labels[15:] == ["31 Dec", "1 Jan", "2 Jan"]
    assert {turn.label for turn in look.turns if turn.words} == {"16 Dec", "21 Dec"}


@pytest.mark.rule(GAME, "3.2", "10.0", "11.0", "12.6")
def test_the_charts(look: Look) -> None:
    terrain = {row[0]: row[1:] for row in chart(look, "terrain").rows}
    assert terrain["rough"] == ("4", "2", "–")
    assert terrain["river"] == ("+6", "+3", "–")
    assert terrain["west wall"][0] == "+2 for Allies"
    assert terrain["west wall"][2] == "Germans defend x3, attack x2, Ar and Dr may be ignored by Germans"
    assert terrain["town"] == ("–", "–", "Ar and Dr may be ignored")
    assert chart(look, "initial").rows[0][:5] == ("1", "Ar1", "Dr1", "Dr2", "Dr3")
    assert chart(look, "standard").rows[5][-1] == "Ex"
    assert sum(int(row[3]) for row in chart(look, "exits").rows) == 71
    assert chart(look, "supply").rows[1] == ("Defence", "full", "full", "half")

"""Games, looks and maps over HTTP; and the page."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import threading
import time
from dataclasses import replace
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from bulge.games import GAMES
from bulge.geo.drawing.sheet import Sheet
from bulge.geo.geography import geography
from bulge.server import drawings, ship
from bulge.server.draw import draw
from bulge.server.drawings import AT_ONCE, LAST_FILE, Drawings
from bulge.server.library import Library
from bulge.server.settings import Settings
from tests.server.guest import Client
from tests.server.serving import serving


def test_games_are_listed_with_all_that_a_lobby_needs(client: Client) -> None:
    games = client.get("/api/games").json()
    to_learn_on = "ford"
    assert [game["id"] for game in games] == [to_learn_on, *(id_ for id_ in GAMES if id_ != to_learn_on)]
    for game in games:
        assert set(game) == {
            "id",
            "title",
            "words",
            "sides",
            "players",
            "scenarios",
            "options",
            "levels",
            "usual_level",
            "strengths",
            "guided",
        }
        assert game["levels"][0] == "random"
        assert game["usual_level"] in game["levels"]
        assert game["scenarios"]
    levels = {game["id"]: game["levels"] for game in games}
    assert levels["the_bulge"] == ["random", "recruit", "regular", "veteran", "general"]
    assert {game["usual_level"] for game in games} == {"regular"}


@pytest.mark.parametrize("game", ["ford", "the_bulge"])
def test_spaces_lie_where_the_map_draws_them(client: Client, game: str) -> None:
    look: dict[str, Any] = client.get(f"/api/games/{game}/look").json()
    svg = client.get(f"/api/games/{game}/map.svg").text
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box
    assert [float(box[1]), float(box[2])] == pytest.approx([look["width"], look["height"]])
    spaces = {space["id"]: (space["x"], space["y"]) for space in look["spaces"]}
    # The map prints each hex's number near its upper side: a look that is off by a hex would not fit.
    printed = re.findall(r"<text[^>]*?\bx=\"([\d.]+)\"[^>]*?\by=\"([\d.]+)\"[^>]*>(\d{4})<", svg)
    near = [
        abs(float(x) - spaces[name][0]) + abs(float(y) - spaces[name][1])
        for x, y, name in printed
        if name in spaces
    ]
    assert all(distance < look["hex_width"] for distance in near)
    roads = client.get(f"/api/games/{game}/board").json()["roads"]
    for side, line in roads.items():
        one, other = (spaces[name] for name in side.split("/"))
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        points = list(zip(line[::2], line[1::2], strict=True))
        assert min(abs(x - middle[0]) + abs(y - middle[1]) for x, y in points) < look["hex_width"]


def test_the_map_comes_packed_and_without_fonts_on_demand(client: Client) -> None:
    packed = client.get("/api/games/ford/map.svg", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/api/games/ford/map.svg", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert "base64" not in client.get("/api/games/ford/map.svg", params={"fonts": "0"}).text
    assert client.get("/api/games/ford/map.webp").content[8:12] == b"WEBP"


def test_the_map_comes_in_tiles_that_cover_it(client: Client) -> None:
    look = client.get("/api/games/ford/look").json()
    tiles = client.get("/api/games/ford/board").json()["tiles"]
    for shrunk in tiles["shrunk"]:
        columns, rows = (ceil(round(look[side]) / shrunk / tiles["size"]) for side in ("width", "height"))
        last = client.get(f"/api/games/ford/tiles/{shrunk}/{columns - 1}/{rows - 1}")
        assert last.headers["content-type"] == "image/webp"
        assert last.content[8:12] == b"WEBP"
        assert client.get(f"/api/games/ford/tiles/{shrunk}/{columns}/0").status_code == 404
        assert client.get(f"/api/games/ford/tiles/{shrunk}/0/{rows}").status_code == 404


def test_rules_are_told_by_number(client: Client) -> None:
    rules = client.get("/api/games/ford/rules").json()
    by_number = {rule["number"]: rule for rule in rules}
    assert by_number["1.1"]["title"] == "The object"
    assert by_number["1.0"]["cases"] == ["1.1", "1.2"]


def test_the_page_is_served_and_so_are_its_files(client: Client) -> None:
    assert "the page" in client.get("/").text
    assert "the page" in client.get("/match/abc").text, "the client has pages of its own"
    script = client.get("/assets/app.js")
    assert "javascript" in script.headers["content-type"]
    assert "immutable" in script.headers["cache-control"]
    assert client.get("/assets/none.js").status_code == 404


def test_without_a_built_client_the_page_says_how_to_build_it(quick: Settings, tmp_path: Any) -> None:
    bare = replace(quick, static=tmp_path / "nothing")
    with serving(bare) as client:
        answer = client.get("/")
        assert "npm run build" in answer.text
        assert answer.headers["content-type"].startswith("text/html")


def test_while_maps_are_drawn_the_lobby_is_up_and_says_how_far_they_are(
    quick: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    async def slowly(drawings: Drawings, game: str, folder: Path) -> None:
        drawings._percents[game] = 45
        begun.set()
        await asyncio.to_thread(go_on.wait)
        folder.mkdir(parents=True)
        (folder / "map.webp").write_bytes(b"a picture of " + game.encode())
        (folder / "board.json").write_text("{}")

    monkeypatch.setattr(Drawings, "_draw", slowly)
    cold = replace(quick, cache=tmp_path / "cold", draw_ahead=True)
    with serving(cold) as client:
        begun.wait(10)
        assert client.get("/api/games").status_code == 200
        percents = [drawing["percent"] for drawing in client.get("/api/games/drawings").json()]
        assert 45 in percents
        assert max(percents) < 100
        blank = client.get("/api/games/ford/map.webp")
        assert blank.content[8:12] == b"WEBP"
        assert blank.headers["cache-control"] == "no-store"
        go_on.set()
        while any(drawing["percent"] < 100 for drawing in client.get("/api/games/drawings").json()):
            time.sleep(0.01)
        assert client.get("/api/games/ford/map.webp").content == b"a picture of ford"


def test_small_maps_are_drawn_first_and_nobody_who_asks_for_one_waits_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    async def unfinished(drawings: Drawings, game: str, folder: Path) -> None:
        begun.append(game)
        await asyncio.Event().wait()

    monkeypatch.setattr(Drawings, "_draw", unfinished)

    async def drawing() -> None:
        shown = Drawings(tmp_path, Library(""))
        everything = asyncio.create_task(shown.draw_all())
        while len(begun) < AT_ONCE:
            await asyncio.sleep(0.001)
        asked = asyncio.create_task(shown.board("ardennes_44"))
        while len(begun) <= AT_ONCE:
            await asyncio.sleep(0.001)
        everything.cancel()
        asked.cancel()
        await asyncio.gather(everything, asked, return_exceptions=True)

    asyncio.run(asyncio.wait_for(drawing(), 20))
    assert begun == ["ford", "bastogne", "ardennes_44"]


def test_a_map_says_how_far_it_is_and_holds_the_fonts_in_one_of_its_drawings(tmp_path: Path) -> None:
    told: list[int] = []
    draw("ford", tmp_path, told.append)
    assert told == sorted(told)
    assert len(set(told)) > 3
    whole, bare = (
        gzip.decompress((tmp_path / name).read_bytes()).decode()
        for name in ("map.svg.gz", "map-without-fonts.svg.gz")
    )
    sheet = Sheet(json.loads((files("bulge.games.ford") / "map.json").read_text("utf-8")), geography())
    assert whole == sheet.draw(hexes=True, facts=(), units=(), embed_fonts=True)
    assert bare == sheet.draw(hexes=True, facts=(), units=(), embed_fonts=False)
    assert (tmp_path / "map.webp").stat().st_size < 60_000


def test_maps_that_came_with_the_program_are_not_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def drawing(game: str, folder: Path) -> None:
        drawn.append(game)
        folder.mkdir(parents=True)
        (folder / LAST_FILE).write_text('{"width": 7}')

    monkeypatch.setattr(drawings, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(ship, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(ship, "draw", drawing)
    (tmp_path / "shipped" / "ford-of-older-data").mkdir(parents=True)
    ship.ship()
    ship.ship()
    assert drawn == list(GAMES)
    assert not (tmp_path / "shipped" / "ford-of-older-data").exists()
    shown = Drawings(tmp_path / "cache", Library(""))
    assert asyncio.run(shown.board("ford")) == {"width": 7}
    assert not (tmp_path / "cache").exists()

"""The small maps in lists of matches: the ground held, the front, the last move, and nothing that is hidden."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from typing import Any, cast

import msgspec
import pytest

from bulge.core.hexes import HexBoard
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.core.table import Event
from bulge.games import load_game
from bulge.server import library, small_maps
from bulge.server.drawings import Drawings
from bulge.server.outlines import outlined
from bulge.server.play import LogLine, Play
from bulge.server.small_maps import Sketch, SmallMaps, sketch_of
from bulge.server.stories import Stories
from tests.helpers import SEED
from tests.server.guest import Client, Guest, begun, play

Point = tuple[float, float]
Json = dict[str, Any]


def lines_of(path: str) -> list[list[Point]]:
    """The points of each part of a path of straight lines."""
    found = [re.findall(r"-?\d+", part) for part in path.split("M")[1:]]
    return [[(float(x), float(y)) for x, y in zip(part[::2], part[1::2], strict=True)] for part in found]


def covers(path: str, x: float, y: float) -> bool:
    """Whether a point lies on the ground within a path: a ray from it crosses the edge an odd number of times."""
    edges = [edge for ring in lines_of(path) for edge in pairwise([*ring, ring[0]])]
    crossed = [
        (one[1] > y) != (other[1] > y) and x < one[0] + (other[0] - one[0]) * (y - one[1]) / (other[1] - one[1])
        for one, other in edges
    ]
    return sum(crossed) % 2 == 1


def drawn(board: HexBoard) -> Json:
    """Where hexes lie on a drawing that shows nothing else."""
    planes = {board.name(hex_): board.plane(hex_) for hex_ in members(board.hexes)}
    return {"hex": 100.0, "hexes": {name: [3000 + 100 * x, 200 - 100 * y] for name, (x, y) in planes.items()}}


def small_map(guest: Guest, table: str) -> Json | None:
    found: Json | None = next(each for each in guest.done("GET", "/tables/mine") if each["id"] == table)["map"]
    return found


def sketched(play_: Play) -> Sketch:
    return msgspec.json.decode(sketch_of(play_), type=Sketch)


@pytest.mark.parametrize("game", ["the_bulge", "ardennes_offensive", "enemy_action"])
def test_the_ground_held_is_all_that_lies_behind_the_front(game: str) -> None:
    found: Match[Any] = Match(load_game(game), seed=SEED)
    board = found.game.board
    assert isinstance(board, HexBoard)
    drawing = drawn(board)
    held = int(sketched(Play(found)).held, 16)
    ground, front = outlined(board, held, drawing)
    assert board.hexes.bit_count() > held.bit_count() > 50
    for hex_ in members(board.hexes):
        assert covers(ground, *drawing["hexes"][board.name(hex_)]) == bool(held >> hex_ & 1), board.name(hex_)
    corners = {point for ring in lines_of(ground) for point in ring}
    line = {point for part in lines_of(front) for point in part}
    assert line < corners, "the rim of the map is no front"
    assert len(ground) < 1000, "a list of fifty must stay small"


def test_a_front_without_end_and_a_single_hex_are_drawn_whole() -> None:
    board = load_game("the_bulge").board
    assert isinstance(board, HexBoard)
    drawing = drawn(board)
    inner = next(hex_ for hex_ in members(board.hexes) if len(board.neighbours(hex_)) == 6)
    ground, front = outlined(board, 1 << inner, drawing)
    assert len(lines_of(ground)) == len(lines_of(front)) == 1
    assert lines_of(front)[0][0] == lines_of(front)[0][-1]
    ring, _ = outlined(board, board.around(1 << inner), drawing)
    assert not covers(ring, *drawing["hexes"][board.name(inner)]), "what is surrounded is not held"
    assert outlined(board, 0, drawing) == ("", "")


def test_where_there_are_no_hexes_the_spaces_that_are_held_are_marked() -> None:
    board = load_game("bastogne").board
    name = board.name(members(board.all)[0])
    drawing = {"spaces": {name: [500.0, 400.0]}, "sizes": {name: [100.0, 80.0]}}
    ground, front = outlined(board, board.all, drawing)
    assert ground == "M450 400a50 40 0 1 0 100 0a50 40 0 1 0 -100 0Z"
    assert not front


def test_a_list_shows_the_front_and_the_last_move_once_the_turn_has_passed(
    anne: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in ("ford", "the_bulge"):
        anne.done("GET", f"/games/{game}/look")  # the map is drawn
    fought, ford = begun(anne, bob, "the_bulge"), begun(anne, bob)
    assert small_map(anne, fought) is None, "nobody has moved"
    play(fought, anne, bob, choices=1)
    first = small_map(anne, fought)
    assert first is not None
    assert first["front"]
    begins: Match[Any] = Match(load_game("the_bulge"), seed=SEED)
    for space in anne.done("GET", "/games/the_bulge/look")["spaces"]:
        held = bool(begins.position.german >> begins.game.board.at(space["id"]) & 1)
        assert covers(first["held"], space["x"], space["y"]) == held, space["id"]
    assert first == small_map(bob, fought)
    moved = False
    while anne.state(ford)["decision"]["side"] == "Blue":
        seen = small_map(bob, ford)
        play(ford, anne, bob, choices=1)
        moved |= bool(last_way(bob.state(ford)))
        if anne.state(ford)["decision"]["side"] == "Blue" and seen:
            assert small_map(bob, ford) == seen, "it is drawn when a turn has passed, not before"
    assert moved
    monkeypatch.setattr(Stories, "play_of", None)  # a list replays nothing
    shown = small_map(bob, ford)
    monkeypatch.undo()
    assert shown is not None
    assert (shown["held"], shown["front"]) == ("", ""), "there are no Germans at the ford"
    places = {space["id"]: [space["x"], space["y"]] for space in anne.done("GET", "/games/ford/look")["spaces"]}
    way = last_way(bob.state(ford))
    assert shown["move"] == [*places[way[0]], *places[way[-1]]]


def test_where_nobody_may_look_on_lists_show_strangers_neither_map_nor_move_nor_offer(
    client: Client, anne: Guest, bob: Guest
) -> None:
    anne.done("GET", "/games/ford/look")  # the map is drawn
    made = anne.done("POST", "/tables", {"game": "ford", "terms": {"watch": False}})
    table, carl = made["id"], Guest(client, "Carl")
    for guest, side in ((anne, "Blue"), (bob, "Red")):
        guest.sit(table, side)
    for guest in (anne, bob):
        guest.reveal(table)
    play(table, anne, bob, choices=3)
    anne.done("POST", f"/tables/{table}/offer", {"kind": "draw"})
    lists = ("/tables", "/tables/of/Anne")
    for guest, sees in ((bob, True), (carl, False)):
        for row in (*(guest.done("GET", path)[0] for path in lists), guest.done("GET", f"/tables/{table}")):
            assert [bool(row[what]) for what in ("map", "last", "offer")] == [sees] * 3


def test_a_match_of_a_game_that_is_gone_takes_no_list_down(
    anne: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne.done("GET", "/games/ford/look")
    table = begun(anne, bob)
    play(table, anne, bob, choices=1)
    assert small_map(anne, table)
    monkeypatch.setattr(library, "GAMES", ("the_bulge",))
    assert small_map(anne, table) is None


class Paper:
    """A drawing that is done, and shows one space."""

    def __init__(self, space: str) -> None:
        self._board = {"width": 9.0, "height": 9.0, "spaces": {space: [4.0, 4.0]}, "sizes": {space: [2.0, 2.0]}}

    async def percent(self, _: str) -> int:
        return 100

    async def board(self, _: str) -> Json:
        return self._board


def test_ground_of_a_board_that_had_more_spaces_is_drawn_as_far_as_it_goes() -> None:
    board = load_game("bastogne").board
    maps = SmallMaps(cast("Drawings", Paper(board.name(members(board.all)[0]))), library.Library())
    kept = msgspec.json.encode(Sketch(f"{board.all | 1 << 5000:x}", None)).decode()
    shown = asyncio.run(maps.of("bastogne", kept))
    assert shown is not None
    assert shown.held == "M3 4a1 1 0 1 0 2 0a1 1 0 1 0 -2 0Z"


def test_many_maps_are_not_all_drawn_anew_for_one_that_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_maps, "KEPT", 2)
    drawn_for: list[int] = []

    def outline(_board: Any, held: int, _drawing: Json) -> tuple[str, str]:
        drawn_for.append(held)
        return "", ""

    monkeypatch.setattr(small_maps, "outlined", outline)
    maps = SmallMaps(cast("Drawings", Paper("Bastogne")), library.Library())

    async def look(*grounds: int) -> None:
        for ground in grounds:
            await maps.of("bastogne", msgspec.json.encode(Sketch(f"{ground:x}", None)).decode())

    asyncio.run(look(1, 2, 1, 3, 1, 2))
    assert drawn_for == [1, 2, 3, 2], "what was looked at longest ago goes first"


def last_way(state: Json) -> list[str]:
    """The way of the last move in a log."""
    return next((event["spaces"] for event in reversed(state["events"]) if event["kind"] == "move"), [])


def test_what_only_one_side_was_told_is_on_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Play(Match(load_game("ford"), seed=SEED))
    one, two, three = members(found.game.board.all)[:3]
    told = Event("4.1", "", spaces=(one, two), units=(0,), kind="move")
    hidden = Event("4.1", "", side="Blue", spaces=(two, three), units=(0,), kind="move")
    lines = [LogLine(event, 0, "Blue", "") for event in (told, hidden)]
    monkeypatch.setattr(found, "lines", lambda: lines)
    name = found.game.board.name
    assert sketched(found).move == (name(one), name(two))


@pytest.mark.parametrize("game", ["the_bulge", "ardennes_offensive", "ardennes_44", "bastogne", "enemy_action"])
def test_ground_is_held_by_units_that_everybody_sees(game: str) -> None:
    """What the map is drawn from is a matter of where units stand: in none of these games are they hidden."""
    found: Match[Any] = Match(load_game(game), seed=SEED)
    seen = found.game.scene(found.position, None).pieces
    assert seen
    assert all(found.game.scene(found.position, side).pieces == seen for side in found.game.sides)

"""How games look: every counter has a face, every rule cited exists, and scenes fit what was described."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from bulge.core.game import Game
from bulge.core.legend import load_legend
from bulge.core.look import Look, Scene
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games import GAMES, load_game
from bulge.players.random_player import RandomPlayer
from tests.helpers import SEED, large_ones_slow

SYMBOLS = {"armor", "mechanized", "infantry", "airborne", "engineers", "artillery", "air_defence"} | {
    "cavalry",
    "armored_cavalry",
    "headquarters",
    "none",
}
PLAYED_WITHIN = {"ford": {"advance", "breakthrough"}}
"""Steps of what is played inside a phase of either side: a scene names the phase."""
OFTEN = 40
"""So many looks at a random game come soon after one another; the rest are spread over the whole of it."""


def plain_drawing(game: Game[Any]) -> dict[str, Any]:
    """A drawing without the drawing: these tests ask for everything but where things lie."""
    boxes = getattr(game.board, "boxes", 0)
    hexes, beside = game.board.names_of(game.board.all & ~boxes), game.board.names_of(boxes)
    size = {"width": 1, "height": 1, "hex": 100, "pointed": False}
    return {**size, "hexes": dict.fromkeys(hexes, (0, 0)), "boxes": dict.fromkeys(beside, (0, 0, 1, 1))}


def look_of(game: Game[Any]) -> Look:
    return game.look(plain_drawing(game))


@pytest.mark.parametrize("id_", GAMES)
def test_every_step_belongs_to_one_phase(id_: str) -> None:
    game = load_game(id_)
    phases = load_legend(game.data.folder).phases
    named = [step for phase in phases for step in (phase.step, *phase.also)]
    assert sorted(named) == sorted(set(game.sequence) - PLAYED_WITHIN.get(id_, set()))
    assert {phase.side for phase in phases} <= {*game.sides, ""}


@pytest.mark.parametrize("id_", GAMES)
def test_a_look_describes_everything(id_: str) -> None:
    game = load_game(id_)
    look = look_of(game)
    assert [face.id for face in look.faces] == [unit.id for unit in game.units]
    assert {face.symbol for face in look.faces} <= SYMBOLS
    assert {side.id for side in look.sides} == set(game.sides)
    assert len({side.polarity for side in look.sides}) == 2
    assert [space.id for space in look.spaces] == game.board.names_of(game.board.all)
    assert all(space.words for space in look.spaces)
    assert all(overlay.rule in game.rulebook for overlay in look.overlays)
    for chart in look.charts:
        assert chart.rule in game.rulebook
        assert all(len(row) == len(chart.columns) for row in chart.rows)
    assert msgspec.json.decode(msgspec.json.encode(look), type=Look) == look


@pytest.mark.parametrize("id_", large_ones_slow(GAMES))
def test_scenes_of_a_random_game_fit_the_look(id_: str) -> None:
    game = load_game(id_)
    look = look_of(game)
    match: Match[Any] = Match(game, seed=SEED)
    player = RandomPlayer(random.Random(1))
    faces = {face.id: face for face in look.faces}
    spaces = {space.id for space in look.spaces}
    looks = 0
    while match.decision:
        for side in (*game.sides, None):
            scene = game.scene(match.position, side)
            _fits(scene, look, faces, spaces)
            _overlays_fit(game.overlays(match.position, side), look, spaces)
        _questions(game, match, spaces)
        looks += 1
        for _ in range(7 if looks < OFTEN else 61):  # neither falls into step with a turn
            if match.decision:
                match.choose(player.choose(match))


def _fits(scene: Scene, look: Look, faces: dict[str, Any], spaces: set[str]) -> None:
    assert 1 <= scene.turn <= len(look.turns)
    shown = [piece.unit for piece in scene.pieces] + [unit for box in scene.waiting for unit in box.units]
    assert len(shown) == len(set(shown)), "a counter in two places"
    for piece in scene.pieces:
        assert piece.space in spaces
        assert 1 <= piece.steps < len(faces[piece.unit].values)
        assert set(piece.flags) <= {flag.id for flag in look.flags}, "a flag that nobody would see"


def _overlays_fit(overlays: dict[str, tuple[str, ...]], look: Look, spaces: set[str]) -> None:
    assert set(overlays) == {overlay.id for overlay in look.overlays}
    for found in overlays.values():
        assert all(part in spaces for name in found for part in name.split("/"))


def _questions(game: Game[Any], match: Match[Any], spaces: set[str]) -> None:
    decision = match.asked()
    reach = game.reachable(match.table, decision)
    if reach is not None:
        assert set(reach.costs) == set(reach.paths) >= set(reach.modes)
        assert all(path[-1] == space for space, path in reach.paths.items())
    about = game.subject(match.table, decision)
    if about is not None:
        assert set(about.spaces) <= spaces
    for unit in range(len(game.units)):
        line = [game.board.at(name) for name in game.supply_line(match.position, unit)]
        assert all(game.board.adjacent(one, other) for one, other in pairwise(line))


def test_scenes_hide_the_chits_of_the_ford() -> None:
    game = load_game("ford")
    match: Match[Any] = Match(game, seed=SEED)
    blue, red, nobody = (msgspec.json.encode(game.scene(match.position, side)) for side in ("Blue", "Red", None))
    assert b"counts" in blue
    assert b"counts" not in red
    assert b"counts" not in nobody


def test_a_game_without_a_look_of_its_own_can_still_be_shown() -> None:
    game = load_game("ford")
    match: Match[Any] = Match(game, seed=SEED)
    look = Game.look(game)
    assert [space.id for space in look.spaces] == game.board.names_of(game.board.all)
    assert Game.scene(game, match.position, None).turn == 1
    table: Table[Any] = match.table
    assert Game.reachable(game, table, match.asked()) is None
    assert Game.subject(game, table, match.asked()) is None
    assert Game.supply_line(game, match.position, 0) == ()
    assert not Game.needs_no_line(game, match.position, 0)


def test_the_bulge_prints_dates_armies_and_factors() -> None:
    look = look_of(load_game("the_bulge"))
    assert [turn.label for turn in look.turns] == [f"{day} Dec" for day in range(16, 26)]
    assert look.turns[7].words == "Allied air from now on"
    peiper = next(face for face in look.faces if face.id == "SSP")
    assert (peiper.values, peiper.size, peiper.bracketed, peiper.band) == (
        ("0", "2", "3"), "XX", True, "Sixth Panzer Army",
    )  # fmt: skip
    assert all(face.band for face in look.faces)


@pytest.mark.parametrize("id_", GAMES)
def test_turn_words_name_no_arrivals(id_: str) -> None:
    """Scenarios and schedules differ in who comes when; the counters that wait tell it for each match."""
    look = look_of(load_game(id_))
    due = {face.short for face in look.faces if face.arrives and not face.short.isdigit()}
    said = {turn.label: set(re.findall(r"[\w/-]+", turn.words)) & due for turn in look.turns}
    assert not {label: units for label, units in said.items() if units}


def test_playing_never_imports_the_drawing() -> None:
    program = (
        "import sys; from bulge.games import load_game; from bulge.core.match import Match\n"
        "for id_ in ('the_bulge', 'ford'):\n"
        "    game = load_game(id_); match = Match(game); game.scene(match.position, None)\n"
        "assert not {'shapely', 'numpy', 'litestar'} & set(sys.modules), sorted(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

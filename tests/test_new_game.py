"""docs/new-game.md, followed to the letter: what is printed there is a game that plays."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import bulge.games
import bulge.players.knowledge
from bulge.core.data import GameData
from bulge.core.errors import BulgeError
from bulge.core.fuzz import plan_of, play_one
from bulge.core.hexes import HexBoard
from bulge.core.mapfile import HexMap
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games import load_game
from bulge.players.greedy import GreedyPlayer
from tests.cli import test_play
from tests.games import test_learning, test_looks
from tests.lab import test_measures
from tests.players import test_knowledge

PAGE = Path(__file__).parent.parent / "docs" / "new-game.md"
CALLED = {"map": HexMap, "board": HexBoard, "data": GameData, "t": Table}
"""What the page calls such things."""
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """The files on the page, by their names."""
    return dict(BLOCK.findall(PAGE.read_text("utf-8")))


@pytest.fixture
def written(printed: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Those files on the disk, where the program finds them."""
    for name, text in printed.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for package in (bulge.games, bulge.players.knowledge):
        folder = tmp_path / package.__name__.replace(".", "/")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    monkeypatch.setattr(bulge.games, "GAMES", (*bulge.games.GAMES, "hill"))
    yield tmp_path
    for name in [name for name in sys.modules if "hill" in name.split(".")]:
        del sys.modules[name]


def test_the_page_prints_every_file_that_it_lists(printed: dict[str, str]) -> None:
    folder = "bulge/games/hill/"
    listed = set(re.findall(rf"^    ({folder}\S+)", PAGE.read_text("utf-8"), re.MULTILINE))
    assert len(listed) == 9
    assert listed == {name for name in printed if name.startswith(folder)}


def test_what_a_larger_game_reaches_for_is_there() -> None:
    table = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = [found for line in table for found in re.findall(r"`(\w+)\.((?!py)\w+)(?:\.(\w+))?[`(]", line)]
    assert len(named) >= 15
    for of, name, method in named:
        found = getattr(CALLED.get(of) or import_module(f"bulge.core.{of}"), name)
        assert not method or hasattr(found, method)
    files = {file for line in table for file in re.findall(r"`(\w+\.py)` \|$", line)}
    assert files
    assert all((Path(bulge.games.__file__).parent / "ford" / file).is_file() for file in files)


@pytest.mark.parametrize(
    "asked",
    [
        test_learning.test_a_briefing_cites_rules_and_lights_spaces_that_exist,
        test_looks.test_a_look_describes_everything,
        test_knowledge.test_a_value_is_made_of_named_terms,
        test_learning.test_every_game_has_a_guided_first_turn_that_fits_it,
        test_measures.test_every_game_is_written_down,
        test_play.test_every_place_of_every_game_is_known_by_its_name,
    ],
)
def test_the_game_has_what_is_asked_of_every_game(written: Path, asked: Callable[[str], None]) -> None:
    asked("hill")


def test_a_game_without_its_door_is_told_so(written: Path) -> None:
    (written / "bulge/games/hill/__init__.py").write_text("", "utf-8")
    with pytest.raises(BulgeError) as raised:
        load_game("hill")
    assert str(raised.value) == "bulge/games/hill/__init__.py has no `make`, the function that makes the game"


def test_the_game_survives_the_fuzzer(written: Path) -> None:
    game = load_game("hill")
    plan = plan_of("new game")
    assert [played.failure for number in range(40) if (played := play_one(game, plan, number)).failure] == []


def test_the_tests_on_the_page_pass(written: Path, printed: dict[str, str]) -> None:
    source = printed["tests/games/test_hill.py"]
    names: dict[str, object] = {}
    exec(compile(re.sub(r"^@pytest.*\n", "", source, flags=re.MULTILINE), "test_hill.py", "exec"), names)
    tests = [found for name, found in names.items() if name.startswith("test_")]
    assert len(tests) == 4
    for test in tests:
        assert callable(test)
        test()


def test_the_game_is_drawn_and_described(written: Path) -> None:
    game = load_game("hill")
    look = game.look()
    assert {space.id for space in look.spaces} >= {"0101", "0202"}
    match = Match(game, seed="00" * 16)
    assert len(game.scene(match.position, None).pieces) == 5


def test_a_computer_player_beats_chance(written: Path) -> None:
    game, won = load_game("hill"), 0
    for number in range(12):
        match = Match(game, seed=f"{number:032x}", keep_log=False)
        computer, rng = GreedyPlayer.seeded(str(number)), random.Random(number)
        while match.decision is not None:
            mine = match.decision.side == "Blue"
            match.choose(computer.choose(match) if mine else rng.choice(list(match.decision.options)))
        won += match.result is not None and match.result.winner == "Blue"
    assert won >= 8

"""docs/new-game.md, followed to the letter: what is printed there is a game that plays."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bulge.games
import bulge.players.knowledge
from bulge.core.fuzz import plan_of, play_one
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.greedy import GreedyPlayer

PAGE = Path(__file__).parent.parent / "docs" / "new-game.md"
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
    assert len(listed) == 8
    assert listed == {name for name in printed if name.startswith(folder)}


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

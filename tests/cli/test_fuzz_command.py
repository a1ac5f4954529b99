"""`bulge fuzz`: what it prints, what it saves, and its exit code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bulge.cli import common
from bulge.cli import fuzz as fuzz_module
from bulge.core.data import Overrides
from bulge.core.journal import read
from bulge.games.ford.facts import FordPosition
from bulge.games.ford.game import Ford
from tests.cli.conftest import Bulge


class Breaks(Ford):
    """Fails in every game, on its second turn."""

    def check(self, p: FordPosition) -> None:
        assert p.turn < 2, "the second turn"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(id_: str, overrides: Overrides | None = None) -> Any:
        return Breaks(overrides)

    monkeypatch.setattr(common, "load_game", load)
    monkeypatch.setattr(fuzz_module, "load_game", load)


def test_a_sound_game_gives_one_line(bulge: Bulge, home: Path) -> None:
    outcome = bulge("fuzz", "ford", "--games", "3", "--seed", "7")
    assert outcome.code == 0
    (line,) = outcome.lines
    assert re.fullmatch(
        r"ford: 3 games, \d+ choices, [\d.]+ choices a game, branching [\d.]+; won by: .*; [\d.]+ seconds\.", line
    )
    assert list(home.iterdir()) == []
    assert [said.partition(",")[0] for said in outcome.err.splitlines()] == ["1 of 3 games", "2 of 3 games"]


@pytest.mark.slow
def test_several_processes_and_a_scenario(bulge: Bulge) -> None:
    outcome = bulge("fuzz", "ford", "--games", "3", "--jobs", "2", "--scenario", "bridge", "--thorough")
    assert outcome.code == 0
    assert outcome.out.startswith("ford: 3 games")


@pytest.mark.usefixtures("broken")
def test_a_failure_is_saved_and_says_how_to_see_it_again(bulge: Bulge, home: Path) -> None:
    outcome = bulge("fuzz", "ford", "--games", "1", "--seed", "7:3")
    assert outcome.code == 1
    failed, again, summary = outcome.lines
    journal = read(home / "ford-7-3.failed.json")
    assert failed.startswith(f"ford 7:3 failed after {len(journal.choices)} choices: invariant: ")
    assert "the second turn" in failed
    assert "at test_fuzz_command.py:" in failed
    assert "bulge play --load ford-7-3.failed.json" in again
    assert "bulge fuzz ford --games 1 --seed 7:3" in again
    assert summary.endswith("1 failed.")


@pytest.mark.usefixtures("broken")
def test_journals_go_where_they_are_wanted(bulge: Bulge, home: Path) -> None:
    assert bulge("fuzz", "ford", "--games", "1", "--out", "kept", "--scenario", "bridge").code == 1
    assert [path.name for path in home.iterdir()] == ["kept"]
    assert [path.name for path in (home / "kept").iterdir()] == ["ford-1-0.failed.json"]


@pytest.mark.usefixtures("broken")
def test_a_run_stops_after_enough_failures(bulge: Bulge, home: Path) -> None:
    outcome = bulge("fuzz", "ford", "--games", "50")
    assert outcome.code == 1
    assert "Stopped after 5 failures." in outcome.lines
    assert len(list(home.iterdir())) == 5


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fjord"], "fjord"),
        (["ford", "--scenario", "nowhere"], "no scenario 'nowhere'"),
        (["ford", "--seed", "7:"], "SEED:NUMBER"),
        (["ford", "--games", "0"], "games"),
        (["ford", "--out", "a-file"], "a-file is not a folder"),
    ],
)
def test_mistakes_are_refused_in_one_line(bulge: Bulge, home: Path, arguments: list[str], complaint: str) -> None:
    (home / "a-file").write_text("")
    outcome = bulge("fuzz", *arguments)
    assert outcome.code == 2
    assert complaint in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""

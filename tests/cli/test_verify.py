"""`bulge verify`: 0 for a game that is as it claims, 1 for one that is not, 2 for a file that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bulge.core import journal as journals
from bulge.games import GAMES
from tests.cli.conftest import Bulge, files_in, typed

FINISHED = ("play", "ford", "--blue", "random", "--red", "random", "--seed", "1", "--save", "game.json")


@pytest.fixture
def finished(bulge: Bulge, home: Path) -> Path:
    assert bulge(*FINISHED).code == 0
    return home / "game.json"


def falsify(path: Path, **changes: object) -> None:
    """Alter a journal as somebody would who knows how its check is made."""
    journal = journals.read(path)
    for name, value in changes.items():
        setattr(journal, name, value)
    journal.check = journals._check_of(journal)
    path.write_text(journals.encode(journal))


def test_a_finished_game_is_fine(bulge: Bulge, home: Path, finished: Path) -> None:
    before = files_in(home)
    outcome = bulge("verify", "game.json")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Game: The Ford, scenario The bridge" in outcome.lines
    assert f"Choices: {len(journals.read(finished).choices)}" in outcome.lines
    assert any(line.startswith("Result: Red wins.") and "rule 1.1" in line for line in outcome.lines)
    assert any(line.startswith("Verdict: fine.") for line in outcome.lines)
    assert files_in(home) == before


def test_a_game_that_is_not_over_is_fine_too(bulge: Bulge) -> None:
    bulge("play", "ford", "--save", "part.json", typed=typed("1", "1"))
    outcome = bulge("verify", "part.json")
    assert outcome.code == 0
    assert "Result: none yet; the game is not over" in outcome.lines


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dice": 99}, "claims 99 dice"),
        ({"winner": "Blue"}, "claims that Blue won; play says Red"),
        ({"fingerprint": "0" * 16}, "another position"),
        (
            {"parts": {"Anna": "b"}, "commitments": {"Anna": "c"}},
            "the part of Anna is none: a seed is 32 hexadecimal",
        ),
        ({"parts": {"Anna": "0" * 32}}, "the part of Anna is not the one committed to"),
        ({"commitments": {"Anna": "c"}}, "the part of Anna is not the one committed to"),
        ({"choices": ["R1"]}, "'R1', is no longer allowed: 1st Red belongs to Red (rule 2.1)"),
    ],
)
def test_a_false_claim_is_found(bulge: Bulge, finished: Path, change: dict[str, object], said: str) -> None:
    falsify(finished, **change)
    outcome = bulge("verify", "game.json")
    assert (outcome.code, outcome.err) == (1, "")
    assert any(line.startswith("Fault: ") and said in line for line in outcome.lines)
    assert outcome.lines[-1] == "Verdict: not as it claims."


def test_an_altered_file_is_refused(bulge: Bulge, finished: Path) -> None:
    altered = json.loads(finished.read_text())
    altered["winner"] = "Blue"
    finished.write_text(json.dumps(altered))
    outcome = bulge("verify", "game.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "bulge: game.json was altered: its check does not fit what it says\n"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\x00", b'{"format": "bulge journal", "version": 9}'])
def test_a_broken_file_is_one_line(bulge: Bulge, home: Path, content: bytes) -> None:
    (home / "broken.json").write_bytes(content)
    outcome = bulge("verify", "broken.json")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "broken.json" in outcome.err


@pytest.mark.parametrize("kept", range(0, 100, 7))
def test_a_truncated_file_is_one_line(bulge: Bulge, finished: Path, kept: int) -> None:
    content = finished.read_bytes()
    finished.write_bytes(content[: len(content) * kept // 100])
    outcome = bulge("verify", "game.json")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_a_game_we_do_not_have_cannot_be_read(bulge: Bulge, finished: Path) -> None:
    falsify(finished, game="chess")
    outcome = bulge("verify", "game.json")
    known = ", ".join(GAMES)
    assert (outcome.code, outcome.err) == (2, f"bulge: there is no game 'chess'; there are: {known}\n")


def test_a_game_is_verified_with_its_own_overrides(bulge: Bulge, home: Path) -> None:
    (home / "mine.toml").write_text("[ford.units.B1]\nstrength = 9\n")
    bulge("--overrides", "mine.toml", *FINISHED)
    (home / "mine.toml").write_text("[ford.units.B1]\nstrength = 8\n")
    outcome = bulge("verify", "game.json")
    assert outcome.code == 0
    assert "Data: changed by overrides that the file holds" in outcome.lines
    refused = bulge("--overrides", "mine.toml", "verify", "game.json")
    assert (refused.code, refused.out) == (2, "")
    assert "leave out --overrides" in refused.err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only some systems have a file without end")
@pytest.mark.parametrize("command", [("verify",), ("review",), ("play", "--load")])
def test_a_file_without_end_is_not_read_to_its_end(bulge: Bulge, command: tuple[str, ...]) -> None:
    outcome = bulge(*command, "/dev/zero")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "bulge: /dev/zero is no journal of this program: it is longer than 16000000 bytes\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only some systems have a file without end")
def test_overrides_without_end_are_not_read_to_their_end(bulge: Bulge) -> None:
    outcome = bulge("--overrides", "/dev/zero", "data", "ford")
    assert (outcome.code, outcome.out) == (2, "")
    assert "/dev/zero is too long" in outcome.err

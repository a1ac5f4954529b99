"""Saving a game in play, leaving it, and going on with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core import journal as journals
from tests.cli.conftest import Bulge, after, files_in, saved, typed

SEED = ("--seed", "4")


def test_save_and_load(bulge: Bulge, home: Path) -> None:
    first = bulge("play", "ford", *SEED, typed=typed("1", "0201", "save my.json", "quit"))
    assert "Saved: my.json" in first.lines
    assert "To go on with it another time: bulge play --load my.json" in first.lines
    assert list(files_in(home)) == ["my.json"]
    second = bulge("play", "--load", "my.json", typed=typed("done", "board"))
    assert "my.json: all 2 choices fit the rules." in second.lines
    assert "0201: B1 1st Blue, strength 3" in second.lines
    assert "1st Blue moves" not in second.out
    assert journals.read(home / "my.json").choices == ["B1", "0201", "done"]


def test_quit_asks_only_where_something_would_be_lost(bulge: Bulge, home: Path) -> None:
    assert "Save the game?" not in bulge("play", "ford", typed="quit\n").out
    assert "Save the game?" not in bulge("play", "ford", typed=typed("1", "save", "quit")).out
    assert len(saved(home)) == 1


def test_quit_and_its_answers(bulge: Bulge, home: Path) -> None:
    outcome = bulge("play", "ford", typed=typed("1", "quit", "perhaps", "cancel", "quit", "no"))
    assert outcome.lines[-1] == "Goodbye."
    assert outcome.out.count("Save the game?") == 2
    assert saved(home) == []
    bulge("play", "ford", typed=typed("1", "quit", "yes"))
    assert len(saved(home)) == 1


@pytest.mark.parametrize("lines", [("1",), ("1", "quit")])
def test_the_end_of_input_saves(bulge: Bulge, home: Path, lines: tuple[str, ...]) -> None:
    outcome = bulge("play", "ford", typed=typed(*lines))
    assert outcome.code == 0
    (path,) = saved(home)
    assert f"Saved: {path}" in outcome.lines
    assert journals.read(path).choices == ["B1"]


def test_the_end_of_input_without_a_choice_writes_nothing(bulge: Bulge, home: Path) -> None:
    assert bulge("play", "ford").lines[-1] == "Goodbye."
    assert files_in(home) == {}


def test_saving_writes_over_nothing_else(bulge: Bulge, home: Path) -> None:
    (home / "letter.txt").write_text("Dear")
    bulge("play", "ford", typed=typed("1", "save other.json"))
    before = files_in(home)
    words = (
        "save letter.txt",
        "save other.json",
        "save .",
        "save a\0b",
        "save ~nobody-here/x",
        "save letter.txt/x",
        "save " + "x" * 300,
    )
    outcome = bulge("play", "ford", typed=typed(*words))
    assert files_in(home) == before
    assert after(outcome, "Blue> save letter.txt") == [
        "Not done: letter.txt exists and is not a saved game; choose another name."
    ]
    assert "Not done: other.json holds another game; choose another name." in outcome.lines
    assert outcome.code == 0


def test_an_unwritable_file_does_not_lose_the_game(bulge: Bulge, home: Path) -> None:
    (home / "letter.txt").write_text("Dear")
    outcome = bulge("play", "ford", "--save", "letter.txt/game.json", typed="1\n")
    (path,) = saved(home)
    assert outcome.code == 0
    assert f"Saved: {path}" in outcome.lines


def test_a_loaded_game_must_be_of_the_game_named(bulge: Bulge) -> None:
    bulge("play", "ford", "--save", "my.json", typed="1\n")
    assert bulge("play", "ford", "--load", "my.json").code == 0
    outcome = bulge("play", "chess", "--load", "my.json")
    assert (outcome.code, outcome.out) == (2, "")


def test_a_choice_that_no_longer_fits_ends_the_loading_there(bulge: Bulge, home: Path) -> None:
    bulge("play", "ford", "--save", "my.json", typed=typed("1", "0201"))
    journal = journals.read(home / "my.json")
    journal.choices[1] = "0305"
    journal.check = journals._check_of(journal)
    (home / "my.json").write_text(journals.encode(journal))
    before = (home / "my.json").read_bytes()
    outcome = bulge("play", "--load", "my.json", typed=typed("0202"))
    assert outcome.code == 0
    assert any(line.startswith("my.json: loaded 1 of 2 choices; number 2, '0305'") for line in outcome.lines)
    assert "Where does 1st Blue go? (rule 4.1 Movement)" in outcome.lines
    assert (home / "my.json").read_bytes() == before
    assert len(saved(home)) == 1


def test_overrides_travel_with_the_game(bulge: Bulge, home: Path) -> None:
    (home / "mine.toml").write_text("[ford.units.B1]\nstrength = 5\n")
    bulge("--overrides", "mine.toml", "play", "ford", "--save", "my.json", typed="1\n")
    (home / "mine.toml").unlink()
    outcome = bulge("play", "--load", "my.json", typed=typed("where B1", "0201"))
    assert after(outcome, "Blue> where B1") == ["B1: 1st Blue, strength 5, in 0202"]
    assert journals.read(home / "my.json").overrides == "[ford.units.B1]\nstrength = 5\n"
    assert bulge("verify", "my.json").code == 0

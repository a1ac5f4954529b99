"""Levels, hints and reasons in a terminal."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Bulge, typed


@pytest.mark.parametrize("level", ["recruit", "regular", "veteran", "general", "greedy", "random"])
def test_a_side_may_be_played_by_any_level(bulge: Bulge, level: str) -> None:
    outcome = bulge("play", "ford", "--seed", "1", "--red", level, typed=typed("quit", "no"))
    assert outcome.code == 0
    assert f"Red: {level}" in outcome.lines


def test_an_unknown_level_is_refused_with_those_there_are(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", "--red", "marshal")
    assert outcome.code == 2
    assert "there are: human, recruit, regular, veteran, general, random, greedy, planner" in outcome.err


def test_two_levels_play_a_game_by_themselves(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", "--seed", "1", "--blue", "recruit", "--red", "regular")
    assert outcome.code == 0
    assert any(line.startswith("Result: ") for line in outcome.lines)


def test_a_hint_says_what_the_computer_would_do_and_why(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", "--seed", "1", typed=typed("hint", "quit", "no"))
    (hint,) = [line for line in outcome.lines if line.startswith("The computer would choose: ")]
    assert "Its reason: " in hint


def test_the_computer_gives_its_reasons_on_request(bulge: Bulge) -> None:
    words = typed("reasons", "done", "done", "reasons", "reasons 50", "quit", "no")
    outcome = bulge("play", "ford", "--seed", "1", "--red", "regular", typed=words)
    assert "The computer has decided nothing yet." in outcome.lines
    assert any(line.startswith("Red: ") and ": " in line[5:] for line in outcome.lines)

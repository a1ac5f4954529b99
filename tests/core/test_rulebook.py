"""Rules by number: sections and what stands under them."""

from __future__ import annotations

import pytest

from bulge.core.rulebook import Rule, Rulebook
from bulge.games import GAMES, load_game

NUMBERS = ("2.0", "2.1", "2.10", "9.0", "9.3", "9.3J", "9.3K", "9.4", "12.3", "12.3.1", "E9.3K", "E12.3-1")


@pytest.mark.parametrize(
    ("section", "cases"),
    [
        ("2.0", ["2.1", "2.10"]),
        ("2.1", []),
        ("9.0", ["9.3", "9.4"]),
        ("9.3", ["9.3J", "9.3K"]),
        ("9.3K", ["E9.3K"]),
        ("12.3", ["12.3.1", "E12.3-1"]),
    ],
)
def test_a_section_has_its_cases_and_its_errata(section: str, cases: list[str]) -> None:
    book = Rulebook("toy", [Rule(number, "title", "words") for number in NUMBERS])
    assert [rule.number for rule in book.cases(section)] == cases


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_stands_under_a_section_that_can_be_asked_for(game: str) -> None:
    book = load_game(game).rulebook
    under = {case.number for number in book.rules for case in book.cases(number)}
    assert [number for number in book.rules if number not in under and not number.endswith(".0")] == []

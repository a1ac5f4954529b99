"""`bulge map`: the counters on it are those of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.cli.map import _counter
from bulge.core.errors import BulgeError
from bulge.core.look import Face
from bulge.games import load_game
from tests.cli.conftest import Bulge


def test_counters_have_the_colours_of_their_game(bulge: Bulge, home: Path) -> None:
    assert bulge("map", "ford", "--units", "bridge", "--svg", "ford.svg").code == 0
    drawn = (home / "ford.svg").read_text("utf-8")
    styles = load_game("ford").look().styles
    assert len(styles) == 2
    assert all(style.ground in drawn for style in styles)


@pytest.mark.slow
def test_who_is_beside_the_map_is_left_out(bulge: Bulge) -> None:
    """Bastogne begins with everybody in boxes that are not on the drawing."""
    scenario = next(iter(load_game("bastogne").scenarios))
    assert bulge("map", "bastogne", "--units", scenario, "--svg", "bastogne.svg").code == 0


def test_an_invented_country_has_neither_evidence_nor_facts(bulge: Bulge) -> None:
    outcome = bulge("map", "ford", "--evidence")
    assert outcome.code != 0
    assert outcome.err.strip() == "bulge: the map of ford is invented: there is no evidence for it"
    assert bulge("map", "ford", "--facts", "--svg", "ford.svg").code == 0


def test_a_symbol_that_nobody_knows_is_named_with_those_that_are() -> None:
    look = load_game("ford").look()
    with pytest.raises(BulgeError) as raised:
        _counter(look, Face("B1", "1st Blue", "1", "Blue", "blue", "infanttry"), "0101", 1)
    assert str(raised.value).startswith("the counter B1 has the symbol 'infanttry'; there are: infantry, ")

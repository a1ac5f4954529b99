"""The game, and what players know of it, for every test of its players."""

from __future__ import annotations

import pytest

from bulge.games import load_game
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.players.knowledge.ardennes_offensive import ArdennesKnowledge, make


@pytest.fixture(scope="session")
def game() -> ArdennesOffensive:
    found = load_game("ardennes_offensive")
    assert isinstance(found, ArdennesOffensive)
    return found


@pytest.fixture(scope="session")
def knowledge(game: ArdennesOffensive) -> ArdennesKnowledge:
    return make(game)

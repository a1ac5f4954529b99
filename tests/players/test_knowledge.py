"""What players know of each game is of the kind that its game needs."""

from __future__ import annotations

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.players.knowledge import armies_of, knowledge_of

IN_HAND = {"ford": 1.2}
"""What Blue's hidden chit is worth in that opening."""
WITHOUT_ARMIES = ("bastogne", "enemy_action")


@pytest.mark.parametrize("id_", GAMES)
def test_armies_are_known_where_there_are_any(id_: str) -> None:
    """A method that is missing or misspelt would leave a whole army to be settled move by move."""
    game = load_game(id_)
    assert armies_of(game) is (None if id_ in WITHOUT_ARMIES else knowledge_of(game))


@pytest.mark.parametrize("id_", GAMES)
def test_a_value_is_made_of_named_terms(id_: str) -> None:
    """So that weights can be fitted to them; what is hidden in a hand is not among them."""
    game = load_game(id_)
    knowledge = knowledge_of(game)
    p = Match(game, seed=seed_of("terms")).position
    hidden = knowledge.value(p, game.players[0]) - sum(knowledge.features(p).values())
    assert hidden == pytest.approx(IN_HAND.get(id_, 0.0))

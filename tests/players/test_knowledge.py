"""What players know of each game is of the kind that its game needs."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import seed_of
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.players.knowledge import armies_of, knowledge_of
from bulge.players.knowledge.ford import FordKnowledge

IN_HAND = {"ford": 1.2}
"""What Blue's hidden chit is worth in that opening."""


def test_armies_that_are_known_by_half_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that is missing or misspelt would leave a whole army to be settled move by move."""
    monkeypatch.delattr(FordKnowledge, "worth")
    with pytest.raises(BulgeError) as raised:
        armies_of(load_game("ford"))
    assert str(raised.value) == "what players know of The Ford speaks of armies, but lacks: worth"


@pytest.mark.parametrize("id_", GAMES)
def test_a_value_is_made_of_named_terms(id_: str) -> None:
    """So that weights can be fitted to them; what is hidden in a hand is not among them."""
    game = load_game(id_)
    knowledge = knowledge_of(game)
    p = Match(game, seed=seed_of("terms")).position
    hidden = knowledge.value(p, game.players[0]) - sum(knowledge.features(p).values())
    assert hidden == pytest.approx(IN_HAND.get(id_, 0.0))


@pytest.mark.parametrize("id_", GAMES)
def test_terms_are_numbers_that_json_knows(id_: str) -> None:
    """A hint tells what plans are worth: a number of numpy's, a float though it is, cannot be sent."""
    game = load_game(id_)
    knowledge, rng = knowledge_of(game), random.Random(1)
    match = Match(game, seed=seed_of("terms"), keep_log=False)
    for _ in range(120):
        if match.decision is None:
            break
        terms = knowledge.features(match.position)
        assert {type(worth) for worth in terms.values()} <= {int, float, bool}, match.position.step
        assert type(knowledge.value(match.position, match.asked().side)) in (int, float)
        match.choose(rng.choice(match.asked().options))

"""The Ford with cards and breakthroughs, played by the computer."""

from __future__ import annotations

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.core.spaces import lowest
from bulge.games.ford.game import Ford
from bulge.players.chances import estimate
from bulge.players.greedy import GreedyPlayer


def test_the_computer_plays_cards_and_breaks_through() -> None:
    game, answered = Ford(), set()
    for number in range(4):
        match = Match(game, "cards", {"breakthrough": "yes"}, seed=f"{number:032x}", keep_log=False)
        players = {side: GreedyPlayer.seeded(f"{number} {side}") for side in game.sides}
        while match.decision is not None:
            choice = players[match.decision.side].choose(match)
            answered.add((match.decision.rule, isinstance(choice, int)))
            match.choose(choice)
        assert match.result is not None
    assert {("9.2", True), ("9.3", True), ("9.4", True), ("9.6", True), ("8.1", True)} <= answered


def test_once_blue_is_done_the_town_decides() -> None:
    """Blue does not come again: who keeps him out has won, and a unit in the town is worth more than any other."""
    game = Ford()
    p = Match(game, seed=seed_of("1")).position.copy()
    p.turn, p.step = 4, "red_move"
    out = estimate(game, "bridge", p, "Blue")
    town, elsewhere = lowest(game.facts.town), p.where[0]
    p.where = [elsewhere if hex_ == town else hex_ for hex_ in p.where]
    p.where[0] = town
    inside = estimate(game, "bridge", p, "Blue")
    assert out is not None
    assert inside is not None
    assert out.chance < 0.02
    assert inside.chance > 0.5

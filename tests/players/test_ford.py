"""The Ford with cards and breakthroughs, played by the computer."""

from __future__ import annotations

from bulge.core.match import Match
from bulge.games.ford.game import Ford
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

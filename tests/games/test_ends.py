"""Every game ends, however stubbornly it is played."""

from __future__ import annotations

import pytest

from bulge.core.match import Match
from bulge.games import GAMES, load_game

FREE_SET_UP = ("ardennes_offensive", "6")


@pytest.mark.parametrize(("game", "scenario"), [*((game, None) for game in GAMES), FREE_SET_UP])
@pytest.mark.parametrize("always", [0, -1], ids=["the first option", "the last option"])
def test_choosing_the_same_place_in_the_list_again_and_again_ends_the_game(
    game: str, scenario: str | None, always: int
) -> None:
    match = Match(load_game(game), scenario, seed="00000000000000000000000000000001", keep_log=False)
    for _ in range(match.game.most_choices):
        if match.decision is None:
            break
        match.choose(match.decision.options[always])
    assert match.result is not None

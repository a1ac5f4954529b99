"""Whoever is told that an option has no preview need not ask for one."""

from __future__ import annotations

import random

import pytest

from bulge.core.match import Match
from bulge.games import GAMES, load_game

CHOICES, ASKED = 400, 3


@pytest.mark.parametrize("game", GAMES)
def test_an_option_with_a_preview_says_so(game: str) -> None:
    match, rng = Match(load_game(game), seed="00000000000000000000000000000001", keep_log=False), random.Random(1)
    told = 0
    for _ in range(CHOICES):
        if (decision := match.decision) is None:
            break
        for choice in rng.sample(list(decision.options), min(ASKED, len(decision.options))):
            option = match.game.option(match.table, decision, choice)
            previewed = match.preview(choice) is not None
            assert option.has_preview or not previewed, f"{decision.prompt} {option.words}"
            told += previewed
        match.choose(rng.choice(decision.options))
    assert told

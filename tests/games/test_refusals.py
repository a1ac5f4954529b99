"""Whatever is asked about, in any position: the answer says why, and hardly ever only that it is not offered."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.game import not_among
from bulge.core.match import Match
from bulge.games import load_game
from tests.helpers import large_ones_slow

EXPLAINED = ("ardennes_44", "ardennes_offensive", "bastogne", "ford")
"""The games whose questions explain themselves."""
POSITIONS, GAMES_PLAYED = 40, 2
MOST_GENERIC = 0.02


@pytest.mark.parametrize("id_", large_ones_slow(EXPLAINED))
def test_hardly_any_answer_is_generic(id_: str) -> None:
    generic, asked = [], 0
    for number in range(GAMES_PLAYED):
        for match in _positions(id_, number):
            for name in _everything(match):
                refusal = match.why_not(name)
                asked += 1
                if refusal.words == not_among(match.asked()):
                    generic.append(f"{match.asked()} {name}")
    assert asked > 1000
    assert len(generic) <= MOST_GENERIC * asked, f"{len(generic)} of {asked}: {generic[:9]}"


def _positions(id_: str, number: int) -> list[Match[Any]]:
    """Positions from one random game, spread over it."""
    game, rng = load_game(id_), random.Random(f"refusals {number}")
    scenario = list(game.scenarios)[number % len(game.scenarios)]
    match: Match[Any] = Match(game, scenario, seed=seed_of(f"refusals {number}"), keep_log=False)
    found: list[Match[Any]] = []
    seen = 0
    while match.decision is not None:
        seen += 1
        # Reservoir sampling: every question of the game has the same chance to be among those kept.
        if len(found) < POSITIONS:
            found.append(match.copy())
        elif (place := rng.randrange(seen)) < POSITIONS:
            found[place] = match.copy()
        match.choose(rng.choice(list(match.decision.options)))
    return found


def _everything(match: Match[Any]) -> list[str]:
    """Every space and unit that is not an option."""
    game, decision = match.game, match.asked()
    offered = {game.id_of(decision, choice) for choice in decision.options}
    names = [*game.board.names_of(game.board.all), *(unit.id for unit in game.units)]
    return [name for name in names if name not in offered]

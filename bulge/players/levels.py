"""Who can be asked to play: the players by name, and four levels for people."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import knowledge_of
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.player import Player
from bulge.players.random_player import RandomPlayer
from bulge.players.side_by_side import Company

_RECRUIT = Effort(evaluations=120, plans=1, replies=0, breadth=4, seconds=1.0, glances=True)
_REGULAR = Effort(evaluations=200, plans=2, replies=0, breadth=8, seconds=1.0, glances=True)
_VETERAN = Effort(evaluations=1600, plans=6, replies=2, breadth=8, seconds=4.0)
_GENERAL = Effort(evaluations=5000, plans=8, replies=3, breadth=14, seconds=15.0)

_MAKERS: dict[str, Callable[[random.Random], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "planner": lambda rng: PlannerPlayer(rng, _VETERAN),
    "recruit": lambda rng: PlannerPlayer(rng, _RECRUIT, noise=3.0, name="recruit"),
    "regular": lambda rng: PlannerPlayer(rng, _REGULAR, name="regular"),
    "veteran": lambda rng: PlannerPlayer(rng, _VETERAN, name="veteran"),
    "general": lambda rng: PlannerPlayer(rng, _GENERAL, name="general"),
}

LEVELS = ("recruit", "regular", "veteran", "general")
"""For people, from the weakest to the strongest."""
PLAYERS = tuple(_MAKERS)
"""Everybody who can be asked for by name."""
USUAL = "regular"
"""Whom people meet who have not asked for anybody."""
HINTS_BY = "veteran"
"""Who gives hints to people: quick enough to wait for."""


def player_for(
    level: str,
    game: Game[Any],
    side: str,
    seed: str,
    *,
    by_the_clock: bool = True,
    company: Company | None = None,
) -> Player:
    """A player for one side of one match, to be kept for all of it; the same seed makes it play the same again.

    `by_the_clock` spares people a long wait on a slow machine; without it nothing depends on the machine. Whoever
    plays for people by the clock may have a company that helps it to think.
    """
    if level not in _MAKERS:
        raise BulgeError(f"there is no player {level!r}; there are: {', '.join(PLAYERS)}")
    if side not in game.everybody:
        raise BulgeError(f"{game.title} has no player {side!r}; there are: {', '.join(game.everybody)}")
    if level != "random":
        knowledge_of(game)  # refused here rather than in the middle of a match
    player = _MAKERS[level](random.Random(f"{level} {game.id} {side} {seed}"))
    if isinstance(player, PlannerPlayer) and not by_the_clock:
        player.take_all_the_time()
    elif isinstance(player, PlannerPlayer) and company is not None:
        player.think_with(company)
    return player

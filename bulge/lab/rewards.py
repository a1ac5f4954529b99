"""What a game is worth to those who played it."""

from __future__ import annotations

from typing import Any

from bulge.core.game import Game


def reward_of(game: Game[Any], winner: str | None, player: str) -> float:
    """1 for having won, -1 for having lost. One of several who share a side's command wins with it."""
    if winner is None:
        return 0.0
    side = player if player in game.sides else game.players[0]
    return 1.0 if winner == side else -1.0

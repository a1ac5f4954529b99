"""One folder a game: its rules as code, its facts as data."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.core.game import Game

GAMES = ("the_bulge", "ardennes_offensive", "bastogne", "ford")
"""The games that can be played, in the order in which we show them."""


def load_game(id_: str, overrides: Overrides | None = None) -> Game[Any]:
    """A game by its name, with a player's overrides laid over its data."""
    if id_ not in GAMES:
        raise BulgeError(f"there is no game {id_!r}; there are: {', '.join(GAMES)}")
    if overrides is not None:
        for named in overrides.games():
            if named not in GAMES:
                raise BulgeError(f"{overrides.name}: there is no game {named!r}; there are: {', '.join(GAMES)}")
    game: Game[Any] = import_module(f"bulge.games.{id_}").make(overrides)
    return game

"""One folder a game: its rules as code, its facts as data."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import Any

from bulge.core.data import Overrides
from bulge.core.errors import BadData, BulgeError
from bulge.core.game import Game
from bulge.core.match import Match

GAMES = ("the_bulge", "ardennes_offensive", "ardennes_44", "bastogne", "enemy_action", "ford")
"""The games that can be played, in the order in which we show them. This is the only list of them: what players
and the laboratory know of a game is a module of its name, and maps are found by their files."""
TRIAL = "00" * 16
"""The seed by which overrides are tried out: a game that cannot begin is refused when it is loaded."""


def games_with_maps() -> list[str]:
    """The games that have a map file, be they playable or not."""
    return sorted(folder.name for folder in files("bulge.games").iterdir() if (folder / "map.json").is_file())


def load_game(id_: str, overrides: Overrides | None = None) -> Game[Any]:
    """A game by its name, with a player's overrides laid over its data."""
    if id_ not in GAMES:
        raise BulgeError(f"there is no game {id_!r}; there are: {', '.join(GAMES)}")
    if overrides is not None:
        for named in overrides.games():
            if named not in GAMES:
                raise BulgeError(f"{overrides.name}: there is no game {named!r}; there are: {', '.join(GAMES)}")
    make: Callable[[Overrides | None], Game[Any]] | None = getattr(
        import_module(f"bulge.games.{id_}"), "make", None
    )
    if make is None:
        raise BulgeError(f"bulge/games/{id_}/__init__.py has no `make`, the function that makes the game")
    if overrides is None or not overrides.text:
        return make(overrides)
    try:
        game = make(overrides)
        for scenario in game.scenarios:
            game.check(Match(game, scenario, seed=TRIAL).position)
    except BulgeError:
        raise
    except AssertionError as error:  # what must hold of every position does not hold of the first
        raise BadData(f"{overrides.name} does not fit the game: {error}") from None
    except Exception as error:  # what a stranger writes may be wrong in ways that nobody thought of
        raise BadData(f"{overrides.name} does not fit the game: {type(error).__name__}: {error}") from None
    return game

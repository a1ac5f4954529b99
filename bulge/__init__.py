"""Board wargames on the Battle of the Bulge, every rule enforced."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bulge.core.match import Match

__version__ = "0.1.0"

# What follows is imported by name and only when called: every room imports this package, and must not reach the
# others by it.


def match(
    game: str,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    *,
    seed: int | str | None = None,
) -> Match[Any]:
    """A match from its beginning; the same seed gives the same dice. `bulge.games.GAMES` lists the games."""
    made = import_module("bulge.games").load_game(game)
    if isinstance(seed, int):
        if not 0 <= seed < 2**128:
            raise import_module("bulge.core.errors").BulgeError(
                f"a seed is a whole number from 0 up, below 2 to the power of 128, not {seed}"
            )
        seed = f"{seed:032x}"
    elif seed is not None:
        seed = import_module("bulge.core.chance").seed_meant(seed)
    begun: Match[Any] = import_module("bulge.core.match").Match(made, scenario, options, seed=seed)
    return begun


def env(game: str, scenario: str | None = None) -> Any:
    """A game as a PettingZoo environment (needs `pip install 'bulge[rl]'`); see docs/laboratory.md."""
    return import_module("bulge.lab.zoo").env(game, scenario)

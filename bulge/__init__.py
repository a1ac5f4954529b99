"""Board wargames on the Battle of the Bulge, every rule enforced."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def env(game: str, scenario: str | None = None) -> Any:
    """A game as a PettingZoo environment (needs `pip install 'bulge[rl]'`); see docs/laboratory.md."""
    # By name and only now: every room imports this package, and must not reach the laboratory by it.
    return import_module("bulge.lab.zoo").env(game, scenario)

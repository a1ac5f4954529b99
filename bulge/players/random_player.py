"""The player that every other one must beat: it takes any option, each as likely as the next."""

from __future__ import annotations

import random
from typing import Any

from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.player import offered


class RandomPlayer:
    """Chooses uniformly among the options. It looks at nothing else, so it has nothing to peek at."""

    name = "random"

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    @classmethod
    def seeded(cls, words: str) -> RandomPlayer:
        """A player that makes the same choices whenever it is given the same words and the same options."""
        return cls(random.Random(words))

    def choose(self, match: Match[Any]) -> Choice:
        return self._rng.choice(offered(match))

    def why(self) -> str:
        return "any option is as good as another"

"""Computer players at the table. They think in threads, on copies that hide what they may not know."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.random_player import RandomPlayer


class Player(Protocol):
    """What a level provides: somebody who looks at a match, whose decision is his own, and chooses."""

    def choose(self, match: Match[Any]) -> Choice: ...


@dataclass(frozen=True)
class Level:
    id: str
    make: Callable[[random.Random], Player]


LEVELS: dict[str, Level] = {level.id: level for level in (Level("random", RandomPlayer),)}
"""From the weakest to the strongest."""

HINTS_BY = next(reversed(LEVELS))


class Thinkers:
    """A few threads for all matches: thinking must never make a person wait for an answer."""

    def __init__(self, threads: int = 2) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinker")

    async def choose(self, match: Match[Any], level: str) -> str:
        """What a player of this level would choose for the side to play, as journals write it.

        The match must be a copy made for that side (`copy_for`), which nobody else uses.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, _choose, match, LEVELS[level])

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _choose(match: Match[Any], level: Level) -> str:
    decision = match.asked()
    choice = level.make(random.Random()).choose(match)
    return match.game.id_of(decision, choice)

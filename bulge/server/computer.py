"""Computer players at the table. They think in threads, on copies that hide what they may not know."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from bulge.core.match import Match
from bulge.players import levels
from bulge.players.player import Player

LEVELS = ("random", *levels.LEVELS)
"""From the weakest to the strongest."""
USUAL_LEVEL = "regular"
"""Whom somebody meets who has not asked for anybody."""
HINTS_BY = levels.HINTS_BY

MOST_PLAYERS = 200
"""So many are kept with what they had in mind; one that is forgotten makes up its mind anew."""


class Thought(NamedTuple):
    """What a player would choose, as journals write it, and why."""

    id: str
    why: str


class Thinkers:
    """A few threads for all matches: thinking must never make a person wait for an answer."""

    def __init__(self, threads: int = 2) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinker")
        self._players: OrderedDict[tuple[str, str, str], Player] = OrderedDict()

    async def choose(self, match: Match[Any], level: str, seat: str) -> Thought:
        """What a player of this level in this seat would choose for the side to play.

        The match must be a copy made for that side (`copy_for`), which nobody else uses. A seat is asked one
        question at a time; its player stays, since it plans a phase as a whole.
        """
        player = self._player(match, level, seat)
        return await asyncio.get_running_loop().run_in_executor(self._pool, _think, match, player)

    def _player(self, match: Match[Any], level: str, seat: str) -> Player:
        side = match.asked().side
        key = (seat, side, level)
        player = self._players.pop(key, None) or levels.player_for(level, match.game, side, secrets.token_hex(8))
        self._players[key] = player
        while len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)
        return player

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _think(match: Match[Any], player: Player) -> Thought:
    decision = match.asked()
    choice = player.choose(match)
    return Thought(match.game.id_of(decision, choice), player.why())

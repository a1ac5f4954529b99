"""Computer players at the table: they think in processes of their own, on copies that hide what is not theirs."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match, Packed
from bulge.players import levels
from bulge.players.knowledge import KNOWN
from bulge.players.player import Player
from bulge.players.random_player import RandomPlayer
from bulge.server.library import Library

RANDOM = "random"
"""Plays every game, and needs no time to think."""
LEVELS = (RANDOM, *levels.LEVELS)
"""From the weakest to the strongest."""

MOST_PLAYERS = 200
"""So many are kept with what they had in mind; one that is forgotten makes up its mind anew."""
ATTEMPTS = 2
"""A process that dies is replaced so often before its question is given up."""
POLITENESS = 10
"""Thinking gives way to answering."""


def levels_of(game: Game[Any]) -> tuple[str, ...]:
    """Who can play this game."""
    return LEVELS if game.id in KNOWN else (RANDOM,)


def usual_level(game: Game[Any]) -> str:
    """Whom somebody meets who has not asked for anybody."""
    return levels.HINTS_BY if gives_hints(game) else RANDOM


def gives_hints(game: Game[Any]) -> bool:
    """Whether there is somebody whose advice is worth having."""
    return levels.HINTS_BY in levels_of(game)


class Thought(NamedTuple):
    """What a player would choose, as journals write it, and why."""

    id: str
    why: str


class Question(NamedTuple):
    """All that a process needs to know to choose for somebody."""

    seat: str
    side: str
    level: str
    game: str
    overrides: str
    match: Packed


class Thinkers:
    """A few processes for all matches: thinking must never make a person wait for an answer."""

    def __init__(self, processes: int | None = None) -> None:
        count = processes or max(2, min(4, (os.cpu_count() or 2) - 1))
        self._thinkers = [_Thinker() for _ in range(count)]
        self._seated: OrderedDict[tuple[str, str, str], _Thinker] = OrderedDict()

    async def advise(self, match: Match[Any], seat: str, overrides: str) -> Thought:
        """A hint for somebody who must choose."""
        if not gives_hints(match.game):
            raise BulgeError(f"nobody here knows {match.game.title} well enough to give hints")
        return await self.choose(match, levels.HINTS_BY, f"{seat} hints", overrides)

    async def choose(self, match: Match[Any], level: str, seat: str, overrides: str) -> Thought:
        """What a player of this level in this seat would choose for the side to play.

        The match must be a copy made for that side (`copy_for`). A seat is asked one question at a time, always in
        the same process: its player stays there, since it plans a phase as a whole.
        """
        decision = match.asked()
        if level == RANDOM:
            player = RandomPlayer(random.Random(secrets.randbits(64)))
            return Thought(match.game.id_of(decision, player.choose(match)), player.why())
        question = Question(seat, decision.side, level, match.game.id, overrides, match.packed())
        return await self._thinker((seat, decision.side, level)).ask(question)

    def _thinker(self, seat: tuple[str, str, str]) -> _Thinker:
        found = self._seated.pop(seat, None) or min(self._thinkers, key=lambda thinker: thinker.asked)
        self._seated[seat] = found
        while len(self._seated) > MOST_PLAYERS:
            self._seated.popitem(last=False)
        return found

    def close(self) -> None:
        for thinker in self._thinkers:
            thinker.close()


class _Thinker:
    """One process, begun when it is first asked something, and the thread that waits for its answers."""

    def __init__(self) -> None:
        self.asked = 0
        """Questions that wait for an answer."""
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="thinker")
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False
        self._changing = threading.Lock()
        """Held while the process is begun or ended."""

    async def ask(self, question: Question) -> Thought:
        self.asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._waiting, self._ask, question)
        finally:
            self.asked -= 1

    def _ask(self, question: Question) -> Thought:
        for _ in range(ATTEMPTS):
            try:
                line = self._line or self._begin()
                line.send(question)
                answer: Thought | str = line.recv()
            except (EOFError, OSError):
                self._end()
                continue
            if isinstance(answer, str):
                raise BulgeError(answer)
            return answer
        raise BulgeError("the computer player stopped in the middle of its thoughts")

    def _begin(self) -> Connection:
        context = get_context("spawn")  # a copy of this process would hold its threads' locks
        ours, theirs = context.Pipe()
        process = context.Process(target=_think_for_others, args=(theirs,), daemon=True, name="thinker")
        with self._changing:
            if self._closed:
                raise EOFError
            process.start()
            self._process, self._line = process, ours
        theirs.close()  # so that the line ends when the process does, and the process when we do
        return ours

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

    def close(self) -> None:
        with self._changing:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._waiting.shutdown(cancel_futures=True)
        self._end()


# ---------------------------------------------------------------------- in the process that thinks


def _think_for_others(line: Connection) -> None:
    """Answer questions until whoever asks is gone."""
    with suppress(AttributeError, OSError):
        os.setsid()  # systems that share the machine out by sessions must not count our work as the server's
        os.nice(POLITENESS)
    library, players = Library(), _Players()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            question: Question = line.recv()
            try:
                line.send(_think(library, players, question))
            except BulgeError as error:
                line.send(str(error))
            except Exception as error:
                line.send(f"the computer player failed: {type(error).__name__}: {error}")


class _Players:
    """Whoever has been asked before, with what it had in mind."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], Player] = OrderedDict()

    def of(self, question: Question, game: Game[Any]) -> Player:
        key = (question.seat, question.side, question.level)
        player = self._kept.pop(key, None)
        if player is None:
            player = levels.player_for(question.level, game, question.side, secrets.token_hex(8))
        self._kept[key] = player
        while len(self._kept) > MOST_PLAYERS:
            self._kept.popitem(last=False)
        return player


def _think(library: Library, players: _Players, question: Question) -> Thought:
    game = library.game(question.game, question.overrides)
    match = Match.unpacked(game, question.match)
    decision = match.asked()
    player = players.of(question, game)
    choice = player.choose(match)
    return Thought(game.id_of(decision, choice), player.why())

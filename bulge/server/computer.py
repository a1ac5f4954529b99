"""Computer players at the table: they think in processes of their own, on copies that hide what is not theirs."""

from __future__ import annotations

import os
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match, Packed
from bulge.players import levels
from bulge.players.knowledge import known
from bulge.players.onward import onward
from bulge.players.player import Player
from bulge.players.proposals import Proposal, proposals
from bulge.players.random_player import RandomPlayer
from bulge.players.side_by_side import Company, cores_for_one
from bulge.server.library import Library
from bulge.server.worker import GivenUp, Worker, answer_all

RANDOM = "random"
"""Plays every game, and needs no time to think."""
LEVELS = (RANDOM, *levels.LEVELS)
"""From the weakest to the strongest."""

HINTS = " hints"
"""After the name of a match: the seat of whoever gives hints in it."""
MOST_PLAYERS = 200
"""So many are kept with what they had in mind; one that is forgotten makes up its mind anew."""
MOST_SECONDS = 180
"""The strongest takes fifteen on a quiet machine."""
MOST_MEMORY = 3 * 1024**3
PEOPLE_WAIT, NOBODY_WAITS = 0, 1
"""How urgent a thought is: somebody waits for it to go on, or it is the computer's among itself."""
Spent = Callable[[float], None]
"""Told how many seconds a thought took, also when nothing came of it or nobody waits for it any more."""


def levels_of(game: Game[Any]) -> tuple[str, ...]:
    """Who can play this game."""
    return LEVELS if known(game.id) else (RANDOM,)


def usual_level(game: Game[Any]) -> str:
    """Whom somebody meets who has not asked for anybody."""
    return levels.USUAL if levels.USUAL in levels_of(game) else RANDOM


def gives_hints(game: Game[Any]) -> bool:
    """Whether there is somebody whose advice is worth having."""
    return levels.HINTS_BY in levels_of(game)


class Thought(NamedTuple):
    """What a player would choose, as journals write it, and why."""

    id: str
    why: str
    seconds: float = 0.0
    """How long it took a processor, or several together."""
    plans: tuple[Proposal, ...] = ()
    """For a hint: what else could be done."""


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

    def __init__(self, processes: int | None = None, *, cores: int | None = None) -> None:
        """`cores` is for all who think at the same time: whoever thinks alone has all of them."""
        count = processes or max(2, min(4, (os.cpu_count() or 2) - 1))
        self._under_way = get_context("spawn").RawValue("i", 0)
        """How many think now; those who think read it too."""
        serve = partial(_think_for_others, cores or cores_for_one(), self._under_way)
        self._thinkers = [
            Worker(
                serve,
                name="thinker",
                gone="the computer player stopped in mid-thought",
                seconds=MOST_SECONDS,
            )
            for _ in range(count)
        ]
        self._seated: OrderedDict[tuple[str, str, str], Worker] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many questions wait for an answer."""
        return sum(thinker.asked for thinker in self._thinkers)

    async def advise(self, match: Match[Any], seat: str, overrides: str, spent: Spent) -> Thought:
        """A hint for somebody who must choose."""
        if not gives_hints(match.game):
            raise BulgeError(f"nobody here knows {match.game.title} well enough to give hints")
        return await self.choose(match, levels.HINTS_BY, f"{seat}{HINTS}", overrides, spent=spent)

    async def choose(
        self,
        match: Match[Any],
        level: str,
        seat: str,
        overrides: str,
        urgency: int = PEOPLE_WAIT,
        spent: Spent = lambda _: None,
    ) -> Thought:
        """What a player of this level in this seat would choose for the side to play.

        The match must be a copy made for that side (`copy_for`). A seat is asked one question at a time, always in
        the same process: its player stays there, since it plans a phase as a whole.
        """
        decision = match.asked()
        if level == RANDOM:
            player = RandomPlayer(random.Random(secrets.randbits(64)))
            return Thought(match.game.id_of(decision, player.choose(match)), player.why())
        question = Question(seat, decision.side, level, match.game.id, overrides, match.packed())
        thinker = self._thinker((seat, decision.side, level))
        self._count(thinker)
        try:
            thought: Thought = await thinker.ask(question, urgency=urgency, note=partial(_note, spent))
        finally:
            self._count()
        return thought

    def _count(self, asked_next: Worker | None = None) -> None:
        """Note how many think, or will in a moment."""
        self._under_way.value = sum(thinker.asked > 0 or thinker is asked_next for thinker in self._thinkers)

    def _thinker(self, seat: tuple[str, str, str]) -> Worker:
        found = self._seated.pop(seat, None) or min(self._thinkers, key=lambda thinker: thinker.asked)
        self._seated[seat] = found
        while len(self._seated) > MOST_PLAYERS:
            self._seated.popitem(last=False)
        return found

    def close(self) -> None:
        for thinker in self._thinkers:
            thinker.close()


def _note(spent: Spent, asked: Future[Thought]) -> None:
    """Count a thought, or the failure of one."""
    if asked.cancelled():
        return
    error = asked.exception()
    if error is None:
        spent(asked.result().seconds)
    elif isinstance(error, GivenUp):
        spent(error.seconds)


# ---------------------------------------------------------------------- in the process that thinks


def _think_for_others(cores: int, under_way: Any, line: Connection) -> None:
    """Answer questions until whoever asks is gone. Cores are shared with whoever else thinks at the moment."""
    library, players = Library(), _Players(Company(lambda: cores // max(1, under_way.value)))
    answer_all(line, partial(_think, library, players), "the computer player failed", memory=MOST_MEMORY)


class _Players:
    """Whoever has been asked before, with what it had in mind."""

    def __init__(self, company: Company) -> None:
        self.company = company
        """Helps whoever thinks."""
        self._kept: OrderedDict[tuple[str, str, str], Player] = OrderedDict()

    def of(self, question: Question, game: Game[Any]) -> Player:
        key = (question.seat, question.side, question.level)
        player = self._kept.pop(key, None)
        if player is None:
            player = levels.player_for(
                question.level, game, question.side, secrets.token_hex(8), company=self.company
            )
            if not question.seat.endswith(HINTS):  # whoever asks for hints may take back what came of them
                player = onward(player)
        self._kept[key] = player
        while len(self._kept) > MOST_PLAYERS:
            self._kept.popitem(last=False)
        return player


def _think(library: Library, players: _Players, question: Question) -> Thought:
    game = library.game(question.game, question.overrides)
    match = Match.unpacked(game, question.match)
    decision = match.asked()
    player, company = players.of(question, game), players.company
    begun = time.process_time() + company.helped
    choice = player.choose(match)
    plans = proposals(player, match) if question.seat.endswith(HINTS) else ()
    seconds = time.process_time() + company.helped - begun
    return Thought(game.id_of(decision, choice), player.why(), seconds, plans)

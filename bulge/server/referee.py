"""Plays a stranger's journal again, in a process that may take only so much time and memory."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Annotated, NamedTuple

import msgspec

from bulge.core import journal as journals
from bulge.core.errors import BulgeError
from bulge.core.journal import Journal
from bulge.server.errors import Busy
from bulge.server.library import Library
from bulge.server.play import Play, Standing
from bulge.server.worker import Worker, answer_all

MOST_SECONDS = 30
MOST_WAITING = 8
MOST_MEMORY = 2 * 1024**3
FAILING = "the file cannot be played again"


Word = Annotated[str, msgspec.Meta(max_length=200)]


class Claim(NamedTuple):
    """What says of itself that it is a journal that follows the rules: alone, or with who shall play its sides."""

    text: bytes


class _Seated(msgspec.Struct):
    journal: msgspec.Raw
    seats: Annotated[dict[Word, Word], msgspec.Meta(max_length=20)] = {}


class Judged(NamedTuple):
    """A journal of which all is as it claims."""

    journal: Journal
    seats: dict[str, str]
    standing: Standing
    """Where it leads."""


class Referee:
    """One journal at a time: a second hopeless one waits, and nobody else does."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._worker = Worker(
            _judge_for_others, name="referee", gone=f"{FAILING}: it brings the program down", seconds=seconds
        )

    async def check(self, text: bytes) -> Judged:
        """Read a file and play it again; one of which anything is not as it claims is refused."""
        if self._worker.asked >= MOST_WAITING:
            raise Busy("the server is busy with other files; try again in a minute")
        judged: Judged = await self._worker.ask(Claim(text))
        return judged

    def close(self) -> None:
        self._worker.close()


def _judge_for_others(line: Connection) -> None:
    library = Library()
    answer_all(line, lambda claim: _judge(library, claim), FAILING, memory=MOST_MEMORY)


def _judge(library: Library, claim: Claim) -> Judged:
    text, seats = _opened(claim.text)
    journal = journals.decode(text, "the file")
    game = library.game(journal.game, journal.overrides)
    if len(journal.choices) > game.most_choices:
        raise BulgeError("no match of this game is so long")
    verdict = journals.verify(game, journal)
    if verdict.faults:
        raise BulgeError(f"{FAILING}: {'; '.join(verdict.faults)}")
    return Judged(journal, seats, Play(verdict.match).standing)


def _opened(text: bytes) -> tuple[bytes, dict[str, str]]:
    """The journal as JSON, and what it was wrapped in."""
    try:
        seated = msgspec.json.decode(text, type=_Seated)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text, {}
    return bytes(seated.journal), seated.seats

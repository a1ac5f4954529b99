"""Matches with strangers' data: what their rules do is tried in a process with limits before the server does it.

The same match and the same choice take the same time and memory here and there: what ends well on the stage does
so in the server too, and what does not is refused in words, with nothing changed.
"""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from bulge.core.errors import BulgeError
from bulge.core.match import Match, Packed
from bulge.server.errors import Busy
from bulge.server.inquiries import found_out
from bulge.server.library import Library
from bulge.server.play import Deed, Play
from bulge.server.requests import Inquiry
from bulge.server.seats import Seat
from bulge.server.worker import Worker, answer_all

MOST_SECONDS = 5
MOST_MEMORY = 2 * 1024**3
MOST_WAITING = 20
FAILING = "the data that this match was imported with bring the program down"


class Trial(NamedTuple):
    """All that the process needs to know."""

    game: str
    overrides: str
    match: Packed
    asked: Deed | tuple[Seat, Inquiry]


class Stage:
    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._worker = Worker(_try_for_others, name="stage", gone=FAILING, seconds=seconds)

    async def rehearse(self, play: Play, overrides: str, deed: Deed) -> None:
        """Do it once, and look at what comes of it as everybody would; refused if that takes too much."""
        await self._ask(play, overrides, deed)

    async def find_out(self, play: Play, overrides: str, seat: Seat, inquiry: Inquiry) -> Any:
        return (await self._ask(play, overrides, (seat, inquiry)))[0]

    async def _ask(self, play: Play, overrides: str, asked: Deed | tuple[Seat, Inquiry]) -> Any:
        if self._worker.asked >= MOST_WAITING:
            raise Busy("the server is busy with other imported matches; try again in a minute")
        return await self._worker.ask(Trial(play.game.id, overrides, play.match.packed(), asked))

    def close(self) -> None:
        self._worker.close()


# ---------------------------------------------------------------------- in the process


def _try_for_others(line: Connection) -> None:
    library = Library()
    answer_all(line, lambda trial: _try(library, trial), FAILING, memory=MOST_MEMORY)


def _try(library: Library, trial: Trial) -> tuple[Any]:
    play = Play(Match.unpacked(library.game(trial.game, trial.overrides), trial.match))
    if isinstance(trial.asked, Deed):
        return (_rehearse(play, trial.asked),)
    return (found_out(play, *trial.asked),)


def _rehearse(play: Play, deed: Deed) -> bool:
    try:
        deed(play)
    except BulgeError:
        return False  # the server will refuse it likewise, with its rule
    for eyes in (None, *play.game.sides):
        play.game.scene(play.match.position, eyes)
    if play.match.decision is not None:
        play.match.options()
    return True

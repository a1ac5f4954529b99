"""Reviews of games that are over, kept on the disk: each is made once, by a process of its own, one at a time."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

import bulge
from bulge.core.game import Game, P
from bulge.core.journal import Journal
from bulge.lab.course import Course
from bulge.players.chances import Weights, weights_of
from bulge.players.review import not_learned
from bulge.players.reviewed import Ended, Review
from bulge.server.errors import Busy, TooOften
from bulge.server.library import Library
from bulge.server.programs import run
from bulge.server.uses import Guest, Uses

log = logging.getLogger("bulge.server")

MOST_WAITING = 12
MOST_FOR_ONE = 2
"""So many of those are for one account, or for one address."""
MOST_SECONDS = 3600
DONE = 100
MADE_FROM = ("players/**/*.py", "lab/**/*.py", "games/*.py")
"""A review is made anew when one of these, the weights, or the edition of the game has changed."""


class ToReview(msgspec.Struct, frozen=True):
    journal: Journal
    ended: Ended | None = None


class Reviewed(msgspec.Struct, frozen=True):
    """All that is said about a game that is over."""

    review: Review
    course: Course


class ReviewState(msgspec.Struct, frozen=True):
    """How far the review of a match has come."""

    state: Literal["none", "making", "failed", "made"]
    """`none`: of this game nothing was learned, so there are no chances to show."""
    percent: int = 0
    words: str = ""
    """Why there is none."""
    made_by: str = ""
    """What the chances were learned from."""
    reviewed: Reviewed | None = None


class _Making(NamedTuple):
    """A review that waits or is being made."""

    task: asyncio.Task[None]
    whose: list[tuple[str, str]]
    """As what whoever asked for it is counted."""


class Reviews:
    def __init__(self, folder: Path) -> None:
        self._folder = folder / "reviews"
        self._under_way: dict[str, _Making] = {}
        self._percents: dict[str, int] = {}
        self._failed: dict[str, str] = {}
        self._one = asyncio.Lock()

    async def of(
        self, game: Game[P], journal: Journal, ended: Ended | None, uses: Uses, guest: Guest
    ) -> ReviewState:
        """The review of a game that is over, or how far it is; the first who asks sets it going.

        It counts as thinking for whoever asks first: files of games can be made and brought without end.
        """
        weights = weights_of(game.id, journal.scenario)
        if weights is None:
            return ReviewState("none", words=f"{not_learned(game, journal.scenario)}, so it cannot be reviewed")
        asked = msgspec.json.encode(ToReview(journal, ended))
        name = await asyncio.to_thread(_name, asked, game.id, weights)
        file = self._folder / f"{name}.json"
        if await asyncio.to_thread(file.exists):
            found = msgspec.json.decode(await asyncio.to_thread(file.read_bytes), type=Reviewed)
            return ReviewState("made", DONE, made_by=weights.made_by, reviewed=found)
        if name in self._failed:
            return ReviewState("failed", words=self._failed[name])
        if name not in self._under_way:
            uses.check_thinking(guest)
            whose = uses.names(guest)
            self._check_room(whose)
            task = asyncio.create_task(self._make_in_turn(name, asked, file, uses, guest))
            self._under_way[name] = _Making(task, whose)
            task.add_done_callback(lambda _: self._under_way.pop(name, None))
        return ReviewState("making", self._percents.get(name, 0))

    def _check_room(self, whose: list[tuple[str, str]]) -> None:
        """Nobody keeps all others waiting."""
        if len(self._under_way) >= MOST_WAITING:
            raise Busy("the server is busy with other reviews; try again in a minute")
        made_for = Counter(one for making in self._under_way.values() for one in making.whose)
        for one in whose:
            if made_for[one] >= MOST_FOR_ONE:
                raise TooOften(
                    f"{MOST_FOR_ONE} reviews at a time are made for one {one[0]}; "
                    "ask again when one of them is there"
                )

    async def _make_in_turn(self, name: str, asked: bytes, file: Path, uses: Uses, guest: Guest) -> None:
        async with self._one:
            try:
                uses.check_thinking(guest)
            except TooOften:  # used up while this waited; whoever asks for it again is told so
                return
            await self._make(name, asked, file, partial(uses.thought, guest))

    async def _make(self, name: str, asked: bytes, file: Path, count: Callable[[float], None]) -> None:
        begun = time.monotonic()
        self._folder.mkdir(parents=True, exist_ok=True)

        def tell(percent: int) -> None:
            self._percents[name] = percent

        made = False
        try:
            async with asyncio.timeout(MOST_SECONDS):
                made = await run("a review", "bulge.server.look_back", str(file), asked=asked, tell=tell)
        except TimeoutError:
            log.error("a review took longer than %d seconds", MOST_SECONDS)
        finally:
            count(time.monotonic() - begun)
            self._percents.pop(name, None)
        if not made:
            self._failed[name] = "looking back on this game failed; the server's log says why"

    async def close(self) -> None:
        tasks = [making.task for making in self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _name(asked: bytes, game: str, weights: Weights) -> str:
    """A fingerprint of all that a review depends on."""
    hashed = hashlib.sha256(asked)
    hashed.update(msgspec.json.encode(weights))
    hashed.update(Library.edition(game).encode() + _code())
    return f"{game}-{hashed.hexdigest()[:24]}"


@cache
def _code() -> bytes:
    """A fingerprint of who judges and tells."""
    root = Path(bulge.__file__).parent
    hashed = hashlib.sha256()
    for path in sorted(path for files in MADE_FROM for path in root.glob(files)):
        hashed.update(path.read_bytes())
    return hashed.digest()

"""A match in memory, and who watches it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any, TypedDict, TypeVar

from bulge.core.errors import BulgeError
from bulge.server.errors import Stale
from bulge.server.play import Play
from bulge.server.seats import HUMAN, humans_of
from bulge.server.shown import Shown
from bulge.server.subscriber import Subscriber
from bulge.server.terms import TableState
from bulge.server.uses import Guest

T = TypeVar("T")


class Presence(TypedDict):
    here: Mapping[str, int]
    left: Mapping[str, datetime]


LOOKING = 20.0
"""Whoever asked for a match is taken to look at it for so many seconds; with an open page, for as long as that."""


class Live:
    """A match in memory: a cache of its stored story, which can be thrown away at any moment."""

    def __init__(
        self, id_: str, overrides: str, players: Mapping[str, str], tokens: list[tuple[str, str]]
    ) -> None:
        self.id = id_
        self.overrides = overrides
        self.players = players
        self.tokens = tokens
        self.strange = False
        """Whether its rules work on data that a stranger brought."""
        self.held: set[str] = set()
        """Sides at which somebody has sat down with a link of their own."""
        self.known_dice = False
        self.table: TableState | None = None
        """For a match among people with accounts."""
        self.lock = asyncio.Lock()
        """Held by whoever changes the match or looks at it, so that nothing is seen before it is stored."""
        self.play: Play | None = None
        self.rev = 0
        """How many actions its story has."""
        self.note: str | None = None
        """What its players should know of how it was loaded, until one of them goes on."""
        self.left_behind = False
        """Whether it was loaded only in part: who goes on leaves the rest behind."""
        self.subscribers: set[Subscriber] = set()
        self.looked = -LOOKING
        """When somebody last asked for it, by the loop's clock."""
        self.left: dict[str, datetime] = {}
        """When each side's last page was closed, as far as this server knows."""
        self.elsewhere: Counter[str] = Counter()
        """Open pages at other servers by their side."""
        self._noticed: Presence | None = None
        """Who was here when somebody last came or went, with those who hide it."""
        self.gone = False
        """Whether it was deleted: whoever still has it in hand finds nothing in the storage."""
        self.behind = False
        """Whether it is about to be read again, since another server has changed it."""
        self.shown = Shown()
        self.given_up: int | None = None
        """Where a computer player has given up: how many actions its story had."""
        self.thinking: str | None = None
        self.guest: Guest | None = None
        """For whom the computer thinks: whoever chose last, or came first; among computers, whoever came last."""
        self.computer: asyncio.Task[None] | None = None

    def come(self, guest: Guest) -> None:
        """Somebody looks at it."""
        if self.guest is None or self.among_computers:
            self.guest = guest

    def leave(self, subscriber: Subscriber) -> None:
        """A page is closed."""
        self.subscribers.discard(subscriber)
        role = subscriber.seat.role
        if self.table is not None and role and not self.pages[role] and role not in self.table.hidden:
            self.left[role] = datetime.now(UTC)

    async def work(self, what: Callable[..., T], *values: Any, **more: Any) -> T:
        """Let the rules work: with a stranger's data, that may take a while, in which others are served."""
        return await asyncio.to_thread(what, *values, **more) if self.strange else what(*values, **more)

    def tell_all(self) -> None:
        for subscriber in self.subscribers:
            subscriber.wake()

    @property
    def apart(self) -> bool:
        """Whether several people play it at different links: then nobody may know its dice before the end."""
        return self.table is not None or (bool(self.held) and len(humans_of(self.players)) > 1)

    @property
    def with_computers(self) -> bool:
        return any(player != HUMAN for player in self.players.values())

    @property
    def among_computers(self) -> bool:
        return HUMAN not in self.players.values()

    @property
    def watched(self) -> bool:
        return bool(self.subscribers) or asyncio.get_running_loop().time() - self.looked < LOOKING

    @property
    def pages(self) -> Counter[str]:
        """Open pages at this server by their side; an empty name for those who look on."""
        return Counter(subscriber.seat.role for subscriber in self.subscribers)

    @property
    def here(self) -> Mapping[str, int]:
        """Open pages at all servers."""
        return self.pages + self.elsewhere if self.elsewhere else self.pages

    @property
    def presence(self) -> Presence:
        """Who is at a table of people and who has left, but for those who do not want it seen."""
        if self.table is None:
            return {"here": {}, "left": {}}
        return _seen({"here": self.here, "left": self.left}, self.table.hidden)

    def notice(self) -> None:
        """Somebody has come or gone: people among themselves are told what they may see of it."""
        if self.table is None:
            return
        before, self._noticed = self._noticed, {"here": {**self.here}, "left": {**self.left}}
        # Who has hidden meanwhile was not seen before either: else a message would tell when they go.
        if before is None or _seen(before, self.table.hidden) != self.presence:
            self.tell_all()

    @property
    def idle(self) -> bool:
        return not self.subscribers and self.computer is None and not self.lock.locked()


def _seen(present: Presence, hidden: Collection[str]) -> Presence:
    return {
        "here": {side: pages for side, pages in present["here"].items() if side not in hidden},
        "left": {side: when for side, when in present["left"].items() if side not in hidden},
    }


def check_give_up(live: Live) -> None:
    """At a table of people, who ends it is rated, and the others are told."""
    if live.table is not None:
        raise BulgeError("among people one resigns (POST /api/tables/{id}/resign)")


def check_fresh(play: Play, live: Live, n: int, rev: int | None) -> None:
    """Refuse what was asked about a state that is no longer the present one."""
    if n != play.n or (rev is not None and rev != live.rev):
        raise Stale

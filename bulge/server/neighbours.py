"""Other servers on the same database: what changes on one is told to all by PostgreSQL's LISTEN and NOTIFY.

Nothing depends on it for being right: a match is its rows, and two servers cannot write the same one. Whoever
missed something reads it again when it is next asked, and after the line was cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from bulge.server.storage import NEWS, Storage

log = logging.getLogger("bulge.server")

BEAT = 5.0
"""Seconds between two signs of life."""
LOST_AFTER = 3 * BEAT
"""A server that has not been heard for so long is gone, and who was there with it."""
MOST_AT_ONCE = 50
"""So many matches go into one piece of news, which PostgreSQL limits to 8,000 bytes."""

Pages = Mapping[str, int]
"""Open pages by their side."""


class News(msgspec.Struct, omit_defaults=True):
    server: str
    changed: list[str] = []
    """Matches with which something happened."""
    here: dict[str, dict[str, int]] = {}
    """Who has these matches open there now."""
    newcomer: bool = False
    """It knows of nobody yet: tell it who is here."""
    leaving: bool = False


class Listener(Protocol):
    """Who wants to know."""

    def changed_elsewhere(self, matches: Collection[str]) -> None: ...
    def presence_elsewhere(self, matches: Collection[str]) -> None: ...
    def everything_may_have_changed(self) -> None: ...
    def pages(self) -> dict[str, dict[str, int]]: ...
    def beat(self) -> None: ...


class Neighbours:
    def __init__(self, storage: Storage, listener: Listener, beat: float = BEAT) -> None:
        self._storage, self._listener, self._beat = storage, listener, beat
        self._elsewhere: dict[str, dict[str, Pages]] = {}
        """Server to match to who has it open there."""
        self._heard: dict[str, float] = {}
        """When each server was last heard, by the loop's clock."""
        self._due = News(storage.name)
        self._wake = asyncio.Event()
        self._line: Any = None
        self._speaking = asyncio.Lock()
        """A line carries one statement at a time."""
        self._running: asyncio.Task[None] | None = None
        self.listening = asyncio.Event()
        self._cut = False
        """Whether it was said that the line is cut."""

    def open(self) -> None:
        if self._storage.shared:
            self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._running is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._say(News(self._storage.name, leaving=True)), 1)
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    # ------------------------------------------------------------------ telling

    def tell_change(self, match: str) -> None:
        if self._running is not None:
            self._due.changed.append(match)
            self._wake.set()

    def tell_pages(self, match: str, pages: Pages) -> None:
        if self._running is not None:
            self._due.here[match] = dict(pages)
            self._wake.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._storage.with_line(self._serve)
            except Exception as error:  # whatever the driver calls it
                if not self._cut:
                    log.warning("the line to the other servers is cut: %s", type(error).__name__)
                self._cut = True
            finally:
                self._line = None
                self.listening.clear()
            await asyncio.sleep(self._beat / 5)

    async def _serve(self, line: Any) -> None:
        await line.add_listener(NEWS, self._hear)
        line.add_termination_listener(lambda _: self._wake.set())
        self._line = line
        self._listener.everything_may_have_changed()
        await self._say(News(self._storage.name, here=self._listener.pages(), newcomer=True))
        self.listening.set()
        self._cut = False
        while not line.is_closed():
            self._wake.clear()
            await self._say_what_is_due()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._beat)
                continue
            await self._say(News(self._storage.name))
            self._forget_the_lost()
            self._listener.beat()

    async def _say_what_is_due(self) -> None:
        due, self._due = self._due, News(self._storage.name)
        changed, here = list(dict.fromkeys(due.changed)), list(due.here.items())
        for first in range(0, max(len(changed), len(here)), MOST_AT_ONCE):
            part = slice(first, first + MOST_AT_ONCE)
            await self._say(News(self._storage.name, changed=changed[part], here=dict(here[part])))

    async def _say(self, news: News) -> None:
        await self._ask("select pg_notify($1, $2)", NEWS, msgspec.json.encode(news).decode())

    async def _ask(self, query: str, *values: object) -> Any:
        async with self._speaking:
            if self._line is None:
                return None
            try:
                return await self._line.fetchval(query, *values)
            except Exception as error:  # whatever the driver calls it: the line is of no use any more
                self._line.terminate()
                raise OSError(str(error)) from None

    # ------------------------------------------------------------------ hearing

    def _hear(self, _line: Any, _process: int, _channel: str, payload: str) -> None:
        try:
            news = msgspec.json.decode(payload, type=News)
        except msgspec.DecodeError:
            return  # not of this program
        if news.server == self._storage.name:
            return
        self._heard[news.server] = asyncio.get_running_loop().time()
        if news.changed:
            self._listener.changed_elsewhere(news.changed)
        known = self._elsewhere.setdefault(news.server, {})
        known.update(news.here)
        if news.here:
            self._listener.presence_elsewhere(news.here)
        if news.newcomer:
            self._due.here.update(self._listener.pages())
            self._wake.set()
        if news.leaving:
            self._forget(news.server)

    def _forget_the_lost(self) -> None:
        now = asyncio.get_running_loop().time()
        for server, heard in list(self._heard.items()):
            if now - heard > LOST_AFTER / BEAT * self._beat:
                self._forget(server)

    def _forget(self, server: str) -> None:
        self._heard.pop(server, None)
        self._listener.presence_elsewhere(self._elsewhere.pop(server, {}))

    def here(self, match: str) -> Counter[str]:
        """Open pages of a match at other servers."""
        found: Counter[str] = Counter()
        for pages in self._elsewhere.values():
            found.update(pages.get(match, {}))
        return found

    # ------------------------------------------------------------------ one of us does it

    async def alone(self, match: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Do work that one server is enough for; False if another does it. It is free when that server ends."""
        if self._running is None:
            await work()
            return True
        key = "hashtextextended($1, 2)"
        try:
            mine = await self._ask(f"select pg_try_advisory_lock({key})", match)
        except OSError:
            mine = None
        if mine is False:
            return False
        try:
            await work()
        finally:
            if mine:
                with suppress(OSError):
                    await self._ask(f"select pg_advisory_unlock({key})", match)
        return True

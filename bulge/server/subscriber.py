"""One open page: what it waits for, and what it has been told."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from bulge.server.play import LogLine
from bulge.server.seats import Seat

Re = int | str | None
MOST_ANSWERS = 100
"""So many answers may wait for a page to read them."""
MOST_WAITING = 2_000_000
"""And so many bytes of them."""


class Subscriber:
    """Messages to one page. States are not queued: a page that reads slowly gets the newest when it is ready."""

    def __init__(self, seat: Seat, *, new_events_only: bool) -> None:
        self.seat = seat
        self.new_events_only = new_events_only
        self.seen: list[LogLine] = []
        """The log lines that the page has."""
        self._ready = asyncio.Event()
        self._answers: deque[bytes] = deque()
        self._state_for: deque[Re] = deque()
        self._stale = True

    def wake(self) -> None:
        """The match has changed."""
        self._stale = True
        self._ready.set()

    def answer(self, message: object) -> None:
        self._answers.append(msgspec.json.encode(message))
        self._ready.set()

    def answer_with_state(self, re: Re) -> None:
        """The next state is the answer to this request."""
        self._state_for.append(re)
        self.wake()

    @property
    def overrun(self) -> bool:
        """Whether it asks much and never reads the answers."""
        waiting = sum(map(len, self._answers))
        return len(self._answers) > MOST_ANSWERS or waiting > MOST_WAITING

    async def next(self) -> bytes | deque[Re]:
        """A message to be sent; or, if a state is due, the requests that it answers."""
        while not self._answers and not self._stale:
            self._ready.clear()
            await self._ready.wait()
        if self._answers:
            return self._answers.popleft()
        self._stale = False
        answered, self._state_for = self._state_for, deque()
        return answered

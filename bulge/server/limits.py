"""How often something may be done: guesses at passwords, new accounts, new tables."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

from bulge.server.errors import TooOften

MOST_KEPT = 10_000


class Limit:
    """So many times in so many seconds, for each who does it."""

    def __init__(
        self, words: str, times: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._words, self._times, self._seconds, self._clock = words, times, seconds, clock
        self._done: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, who: str) -> None:
        """Refuse whoever has done it too often."""
        done, now = self._done.get(who), self._clock()
        while done and now - done[0] > self._seconds:
            done.popleft()
        if done and len(done) >= self._times:
            minutes = max(1, round((self._seconds - (now - done[0])) / 60))
            raise TooOften(f"{self._words}; try again in {minutes} min")

    def count(self, who: str) -> None:
        self._done.setdefault(who, deque()).append(self._clock())
        self._done.move_to_end(who)
        while len(self._done) > MOST_KEPT:
            self._done.popitem(last=False)

    def forget(self, who: str) -> None:
        self._done.pop(who, None)

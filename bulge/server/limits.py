"""How often something may be done, or how much of it: guesses at passwords, new accounts, thinking."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil

from bulge.server.errors import TooOften

MOST_KEPT = 10_000
MOST_STEPS = 500
MINUTE = 60


def counted(number: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`, `1 match`, `2 matches`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def allowed(most: int, one: str, many: str = "", *, more: str = "") -> str:
    """`1 file an hour is allowed`, `2 files an hour are allowed`."""
    return f"{counted(most, one, many)}{more} {'is' if most == 1 else 'are'} allowed"


def lasting(seconds: int) -> str:
    """A time as it was set: in minutes if these are whole ones."""
    return f"{seconds} s" if seconds % MINUTE else f"{seconds // MINUTE} min"


def soon(seconds: int) -> str:
    """A time after which it is worth trying: never less than it takes."""
    return lasting(max(1, seconds) if seconds < MINUTE else ceil(seconds / MINUTE) * MINUTE)


class Limit:
    """So much in so many seconds, for each who does it; a limit of 0 is none."""

    def __init__(
        self, words: str, most: float, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._words, self._most, self._seconds, self._clock = words, most, seconds, clock
        self._done: OrderedDict[str, deque[tuple[float, float]]] = OrderedDict()

    def check(self, who: str) -> None:
        """Refuse whoever has done it too often, and say when it may be done again."""
        if self._most and self.used(who) >= self._most:
            left = ceil(self._free_at(self._done[who]) - self._clock())
            raise TooOften(f"{self._words}; try again in {soon(left)}", left)

    def take(self, who: str) -> None:
        """Count it, or refuse it. Before anything is waited for: else many sent at once would all be allowed."""
        self.check(who)
        self.count(who)

    def used(self, who: str) -> float:
        """How much of it somebody has done in these seconds."""
        done, now = self._done.get(who), self._clock()
        while done and now - done[0][0] > self._seconds:
            done.popleft()
        return sum(amount for _, amount in done or ())

    def _free_at(self, done: deque[tuple[float, float]]) -> float:
        """When enough of it is so long ago that there is room again."""
        left = sum(amount for _, amount in done)
        for at, amount in done:
            left -= amount
            if left < self._most:
                return at + self._seconds
        return done[-1][0] + self._seconds

    def count(self, who: str, amount: float = 1) -> None:
        done = self._done.setdefault(who, deque())
        if done and len(done) >= MOST_STEPS:  # much in small pieces: the last two become one
            amount += done.pop()[1]
        done.append((self._clock(), amount))
        self._done.move_to_end(who)
        while len(self._done) > MOST_KEPT:
            self._done.popitem(last=False)

    def forget(self, who: str) -> None:
        self._done.pop(who, None)

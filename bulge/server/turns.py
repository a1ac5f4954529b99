"""Who has to wait: what takes the processor for a while is done for one at a time, or for each one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Turns:
    """Whoever asks for much waits behind themselves, not others behind them."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def own(self, who: str) -> AsyncIterator[None]:
        """One thing after another for each; others have theirs meanwhile."""
        mine = self._lines.setdefault(who, asyncio.Lock())
        async with mine:
            yield

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        """One thing at a time for all together: wait for one's turn, and have it for as long as this lasts."""
        async with self.own(who), self._one:
            yield

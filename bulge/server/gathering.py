"""Many small writes as few large ones: whatever comes while one is under way goes into the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 200
"""So many entries go into one write."""


class Gathering(Generic[T]):
    """Writes entries by `write`, which does all of them or raises and has done none."""

    def __init__(
        self, write: Callable[[Sequence[T]], Awaitable[None]], *, spoilt_by: type[Exception], most: int = MOST
    ) -> None:
        self._write, self._spoilt_by, self._most = write, spoilt_by, most
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def add(self, entry: T) -> None:
        """When this returns, the entry is written; it is also if whoever asked goes away meanwhile."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        await done

    async def close(self) -> None:
        if self._writing is not None:
            await self._writing

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            await self._write_some(batch)
        self._writing = None

    async def _write_some(self, batch: list[tuple[T, asyncio.Future[None]]]) -> None:
        try:
            await self._write([entry for entry, _ in batch])
        except Exception as error:
            if isinstance(error, self._spoilt_by) and len(batch) > 1:
                for one in batch:  # one of them spoils it for all: each by itself
                    await self._write_some([one])
                return
            for _, done in batch:
                if not done.cancelled():
                    done.set_exception(error)
        else:
            for _, done in batch:
                if not done.cancelled():
                    done.set_result(None)

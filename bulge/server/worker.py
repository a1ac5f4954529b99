"""A process that answers questions, one at a time, within limits of time and memory; people go first."""

from __future__ import annotations

import asyncio
import heapq
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.processes import end_with_the_first

ATTEMPTS = 2
"""A process that dies is replaced so often before its question is given up."""
POLITENESS = 10
"""Such work gives way to answering."""
READY = True


class GivenUp(BulgeError):
    """Nothing came of a question but words."""

    def __init__(self, words: str, seconds: float) -> None:
        super().__init__(words)
        self.seconds = seconds
        """How long it was worked on."""


class Worker:
    """One process, begun when it is first asked something, and the thread that waits for its answers."""

    def __init__(
        self, serve: Callable[[Connection], None], *, name: str, gone: str, seconds: float | None = None
    ) -> None:
        self.asked = 0
        """Questions that wait for an answer."""
        self._serve, self._name, self._gone, self._seconds = serve, name, gone, seconds
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False
        self._changing = threading.Lock()
        """Held while the process is begun or ended."""
        self._busy = False
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def ask(
        self, question: object, *, urgency: int = 0, note: Callable[[Future[Any]], None] = lambda _: None
    ) -> Any:
        """What the process answers. Of those that wait, the lowest urgency goes first, then the oldest.

        What comes of a question that it has begun with is noted, also when nobody waits for it any more.
        """
        loop = asyncio.get_running_loop()
        self.asked += 1
        try:
            await self._turn(urgency)
            try:
                asked = self._waiting.submit(self._ask, question)
                asked.add_done_callback(lambda done: loop.call_soon_threadsafe(note, done))
                return await asyncio.wrap_future(asked)
            finally:
                self._pass_on()
        finally:
            self.asked -= 1

    async def _turn(self, urgency: int) -> None:
        if not self._busy:
            self._busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (urgency, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()  # it had just become ours
            raise

    def _pass_on(self) -> None:
        self._busy = False
        while self._queue:
            turn = heapq.heappop(self._queue)[2]
            if not turn.done():
                self._busy = True
                turn.set_result(None)
                return

    def _ask(self, question: object) -> Any:
        begun = time.monotonic()
        try:
            return self._answer_to(question)
        except BulgeError as error:
            raise GivenUp(str(error), time.monotonic() - begun) from None

    def _answer_to(self, question: object) -> Any:
        for _ in range(ATTEMPTS):
            try:
                line = self._line or self._begin()
                line.send(question)
                if self._seconds is not None and not line.poll(self._seconds):
                    self._end()
                    raise BulgeError(f"this takes longer than {self._seconds:g} seconds; it was given up")
                answer = line.recv()
            except (EOFError, OSError):
                self._end()
                continue
            if isinstance(answer, str):
                raise BulgeError(answer)
            return answer
        raise BulgeError(self._gone)

    def _begin(self) -> Connection:
        context = get_context("spawn")  # a copy of this process would hold its threads' locks
        ours, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs,), daemon=True, name=self._name)
        with self._changing:
            if self._closed:
                raise EOFError
            process.start()
            self._process, self._line = process, ours
        theirs.close()  # so that the line ends when the process does, and the process when we do
        ours.recv()  # it is ready: what it needs to begin is not counted as its answer's time
        return ours

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

    def close(self) -> None:
        with self._changing:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._waiting.shutdown(cancel_futures=True)
        self._end()


# ---------------------------------------------------------------------- in the process itself


def answer_all(line: Connection, answer: Callable[[Any], Any], failing: str, *, memory: int | None = None) -> None:
    """Answer questions until whoever asks is gone; what goes wrong is answered in words."""
    with suppress(AttributeError, OSError):
        os.setsid()  # systems that share the machine out by sessions must not count our work as the server's
        os.nice(POLITENESS)
    end_with_the_first()  # nobody is left who would give a question up when it takes too long
    if memory is not None:
        limit_memory(memory)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        line.send(READY)
        while True:
            question = line.recv()
            try:
                line.send(answer(question))
            except BulgeError as error:
                line.send(str(error))
            except MemoryError:
                line.send(f"{failing}: it takes more memory than it may")
            except Exception as error:
                line.send(f"{failing}: {type(error).__name__}: {error}")


def limit_memory(size: int) -> None:
    with suppress(ImportError, OSError, ValueError):  # systems without such limits do without
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))

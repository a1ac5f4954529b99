"""Thinking side by side: processes that take over a part of a player's work, where there are cores for them.

The work is cut into tasks that depend on nothing but what they hold, and whoever is free takes the next one. So it
does not matter who did what, and a process that dies loses nothing: its task is done by somebody else.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeAlias

MOST_CORES = 4
"""More would mostly wait: so many plans are improved at a time."""
PATIENCE = 0.2
"""Processes are begun once a single task has taken so many seconds; small games need none."""
LIVES = 3
"""A process that dies is begun anew so often."""
UNUSED = 600.0
"""After so many seconds in which nobody asked it anything, a process ends: it holds a whole game in memory."""
LONGEST = 60.0
"""Whoever needs more seconds for one task is waited for no longer."""

OutOfTime: TypeAlias = Callable[[], bool]
Task: TypeAlias = Callable[[Any, OutOfTime], Any]
"""What is to be done with what was made ready for it. It goes to other processes, so it must pickle."""


class Matter(NamedTuple):
    """What tasks are about, as it goes to another process, and how it is made ready there."""

    make_ready: Callable[[bytes], Any]
    letter: bytes


def usable_cores() -> int:
    """The cores that this process may run on: not always all that the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cores_for_one() -> int:
    """As many as one player who thinks alone on this machine has use for."""
    return min(MOST_CORES, usable_cores())


class Company:
    """A player's helpers: begun when there is enough to do, and kept with the games that they have loaded."""

    def __init__(self, cores: Callable[[], int] = cores_for_one, *, patience: float = PATIENCE) -> None:
        self._cores = cores
        """How many may be at work now, the player included; asked anew before every task."""
        self._patience = patience
        self.waited = 0.0
        """Seconds that were spent on waiting for helpers so far."""
        self.helped = 0.0
        """Processor time that helpers have taken so far."""
        self._changed = threading.Condition()
        self._agenda = _Agenda((), None, 0.0, 0)
        self._helpers: list[tuple[_Helper, threading.Thread]] = []
        """Processes, each with the thread that asks it and waits for its answers."""
        self._worth_it = self._closed = False

    def all_done(
        self,
        tasks: Sequence[Task],
        matter: Matter,
        ready: Any,
        out_of_time: OutOfTime,
        *,
        seconds: float = math.inf,
        at_least: int = 0,
    ) -> list[Any]:
        """What each task comes to, in their order; None for those that there was no time for.

        `ready` is the matter made ready here. The first `at_least` tasks are done however long they take.
        """
        agenda = _Agenda(tasks, matter, seconds, at_least)
        with self._changed:
            self._agenda = agenda
            self._invite()
        try:
            self._work(agenda, ready, out_of_time)
            while self._waited_for_helpers(agenda):
                self._work(agenda, ready, out_of_time)  # what somebody had begun who is gone now
        finally:
            agenda.left.clear()
        return agenda.answers

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for helper, thread in self._helpers:
            helper.end()
            thread.join()

    # ------------------------------------------------------------------ in the thread of whoever asks

    def _work(self, agenda: _Agenda, ready: Any, out_of_time: OutOfTime) -> None:
        while (number := self._take(agenda, in_time=not out_of_time())) is not None:
            began = time.thread_time()
            answer = agenda.tasks[number](ready, out_of_time)
            with self._changed:
                agenda.note(number, answer)
                if time.thread_time() - began > self._patience:
                    self._worth_it = True
                    self._invite()

    def _invite(self) -> None:
        """Whoever could help now is told."""
        if self._worth_it:
            for number in range(len(self._helpers), self._cores() - 1):
                helper = _Helper()
                thread = threading.Thread(target=self._help, args=(number, helper), daemon=True)
                thread.start()
                self._helpers.append((helper, thread))
        self._changed.notify_all()

    def _waited_for_helpers(self, agenda: _Agenda) -> bool:
        """Wait until nobody is at work; False if nobody was."""
        began = time.monotonic()
        with self._changed:
            if not agenda.under_way:
                return False
            in_time = self._changed.wait_for(lambda: not agenda.under_way, LONGEST)
        self.waited += time.monotonic() - began
        if not in_time:
            for helper, _ in self._helpers:
                helper.end()
        return True

    # ------------------------------------------------------------------ in the thread of a helper

    def _help(self, number: int, helper: _Helper) -> None:
        while helper.lives and (agenda := self._next_agenda(number)) is not None:
            try:
                if not helper.runs:
                    helper.begin(agenda.matter)
                self._help_with(agenda, number, helper)
            except Exception:
                helper.end()
                helper.lives -= 1
        helper.end()

    def _next_agenda(self, number: int) -> _Agenda | None:
        """What there is to do for a helper, once there is something; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._may_take(self._agenda, number))
            return None if self._closed else self._agenda

    def _may_take(self, agenda: _Agenda, number: int) -> bool:
        return number + 1 < self._cores() and agenda.has_more(in_time=agenda.seconds_left() > 0)

    def _help_with(self, agenda: _Agenda, number: int, helper: _Helper) -> None:
        while number + 1 < self._cores():
            seconds = agenda.seconds_left()
            if (taken := self._take(agenda, in_time=seconds > 0)) is None:
                return
            try:
                answer, took = helper.ask(agenda.matter, agenda.tasks[taken], seconds)
            except Exception:
                with self._changed:
                    agenda.give_back(taken)
                    self._changed.notify_all()
                raise
            with self._changed:
                agenda.note(taken, answer)
                self.helped += took
                self._changed.notify_all()

    # ------------------------------------------------------------------ in either

    def _take(self, agenda: _Agenda, *, in_time: bool) -> int | None:
        with self._changed:
            return agenda.take() if agenda.has_more(in_time=in_time) else None


class _Agenda:
    """Tasks that are done side by side, and what has come of them."""

    def __init__(self, tasks: Sequence[Task], matter: Matter | None, seconds: float, at_least: int) -> None:
        self.tasks, self.matter, self._at_least = tasks, matter, at_least
        self.answers: list[Any] = [None] * len(tasks)
        self.left = deque(range(len(tasks)))
        self.under_way = 0
        self._ends = time.monotonic() + seconds

    def seconds_left(self) -> float:
        return self._ends - time.monotonic()

    def has_more(self, *, in_time: bool) -> bool:
        return bool(self.left) and (in_time or self.left[0] < self._at_least)

    def take(self) -> int:
        self.under_way += 1
        return self.left.popleft()

    def give_back(self, number: int) -> None:
        self.left.appendleft(number)
        self.under_way -= 1

    def note(self, number: int, answer: Any) -> None:
        self.answers[number] = answer
        self.under_way -= 1


class _Helper:
    """One process, which ends when the one that began it does."""

    def __init__(self) -> None:
        self.lives = LIVES
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self, matter: Matter | None) -> None:
        """Begin the process, and let it load what it will need: nobody waits for that."""
        self.end()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.ask(matter, None, 0.0)

    def ask(self, matter: Matter | None, task: Task | None, seconds: float) -> Any:
        """What comes of a task there, and the processor time that it took."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise EOFError
        process.stdin.write(pickle.dumps((matter, task, seconds)))
        process.stdin.flush()
        return pickle.load(process.stdout)

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for line in (process.stdin, process.stdout):
                with suppress(OSError):
                    line and line.close()


# ---------------------------------------------------------------------- in the process itself


def main() -> None:
    """Do what is asked until whoever asks is gone, or has not asked for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts a program at the keyboard does not mean us
    questions: SimpleQueue[tuple[Matter, Task | None, float]] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    known, ready = None, None
    with suppress(Empty, OSError):
        while True:
            matter, task, seconds = questions.get(timeout=UNUSED)
            if matter != known:
                known, ready = matter, matter.make_ready(matter.letter)
            until = time.thread_time() + seconds
            began = time.process_time()
            answer = task(ready, lambda: time.thread_time() > until) if task else None  # noqa: B023
            answers.write(pickle.dumps((answer, time.process_time() - began)))
            answers.flush()


def _listen(questions: SimpleQueue[tuple[Matter, Task | None, float]]) -> None:
    """Also while something is being worked on: nobody wants to know it any more once the line is cut."""
    while True:
        try:
            questions.put(pickle.load(sys.stdin.buffer))
        except Exception:
            os._exit(0)


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(1)  # without waiting for the thread that listens

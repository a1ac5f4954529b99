"""Processes that work for a while beside this one, and end with it or before it, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread
from typing import Any

OUTSIDE = ("SIGINT", "SIGTERM", "SIGHUP")
"""What ends a program from outside."""


@contextmanager
def workers(jobs: int, equip: Callable[..., object], *equipment: Any) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each equipped by a call of its own. Whoever leaves before all is done stops their work.

    They are fresh ones: forking a process that draws a progress bar in a thread of its own may lock up.
    """
    fresh = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, fresh, initializer=_begin, initargs=(equip, *equipment)) as pool:
        try:
            yield pool
        except BaseException:
            for worker in set(multiprocessing.active_children()) - others:
                worker.kill()
            raise


def _begin(equip: Callable[..., object], *equipment: Any) -> None:
    """What ends a program from outside, such as Ctrl-C, often goes to all its processes: one that it finds between
    two games may lock up the others. The first ends them."""
    for name in OUTSIDE:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    end_with_the_first()
    equip(*equipment)


def end_with_the_first() -> None:
    """From now on this process ends at once when the one that began it does, also in the middle of its work.

    If that one was killed, nobody else would tell it, and it would go on or wait for its next task for ever.
    """
    Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os._exit(1)

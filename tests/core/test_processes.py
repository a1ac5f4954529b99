"""Processes that work beside this one: Ctrl-C does not reach them, and they work for nobody who has left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator

import pytest

from bulge.core.processes import workers


@pytest.fixture
def heard() -> Iterator[None]:
    """Where the tests themselves run in the background, a process begun here would be deaf to an interrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_an_interrupt_is_for_whoever_gives_out_the_work() -> None:
    with workers(1, os.getpid) as pool:
        worker = pool.submit(os.getpid).result()
        os.kill(worker, signal.SIGINT)
        assert pool.submit(os.getpid).result() == worker


def test_a_worker_is_equipped_before_its_first_task() -> None:
    with workers(1, os.putenv, "BULGE_EQUIPPED", "yes") as pool:
        assert pool.submit(os.system, 'test "$BULGE_EQUIPPED" = yes').result() == 0


def test_nobody_works_on_for_one_who_has_had_enough() -> None:
    def give_up_in_the_middle() -> None:
        with workers(2, os.getpid) as pool:
            pool.submit(os.getpid).result()
            for _ in range(8):
                pool.submit(time.sleep, 3600)
            raise KeyboardInterrupt

    others = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        give_up_in_the_middle()
    assert set(multiprocessing.active_children()) <= others

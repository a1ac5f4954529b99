"""Carrying a run out: in this process, in several, or on Ray. Where a game is played never changes how it goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

from bulge.core.errors import BulgeError
from bulge.core.processes import workers
from bulge.lab.plan import Laboratory, Plan, Played
from bulge.lab.store import Collector, Folder

Run = Generator[Played, None, None]
Executor = Callable[[Plan, Sequence[int]], Run]
"""Plays the games at these places of a run, and hands them over in whatever order they are done."""

QUEUE = 4
"""So many games a process are given out ahead: enough to keep it busy, few enough to forget."""
MOST_DEATHS = 3
"""A run gives up when so many processes in a row die without finishing a single game."""


def carry_out(folder: Folder, execute: Executor, each: Callable[[Played], None]) -> None:
    """Play what is missing of a run, and put it on the disk as it comes."""
    collector = Collector(folder)
    if missing := folder.missing():
        with closing(execute(folder.plan, missing)) as run:
            for played in run:
                collector.take(played)
                each(played)
    folder.finish()


def here(plan: Plan, games: Sequence[int]) -> Run:
    """One after the other, in this process."""
    laboratory = Laboratory(plan)
    yield from map(laboratory.play, games)


class Processes:
    """In so many processes of this machine. One that dies is replaced, and its games are played again."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def __call__(self, plan: Plan, games: Sequence[int]) -> Run:
        left = dict.fromkeys(games)
        deaths = 0
        while left:
            try:
                for played in self._until_one_dies(plan, list(left)):
                    del left[played.place]
                    deaths = 0
                    yield played
            except BrokenProcessPool:
                deaths += 1
                if deaths == MOST_DEATHS:
                    raise BulgeError(
                        "the processes that play die before they finish a game: is there enough memory? "
                        "What is finished is kept; the same command again goes on with it"
                    ) from None

    def _until_one_dies(self, plan: Plan, games: Sequence[int]) -> Run:
        with workers(self._jobs, _equip, plan) as pool:
            todo = deque(games)
            under_way: set[Future[Played]] = set()
            while todo or under_way:
                while todo and len(under_way) < QUEUE * self._jobs:
                    under_way.add(pool.submit(_play_here, todo.popleft()))
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()


_laboratory: Laboratory | None = None
"""In a process of its own: what it plays with."""


def _equip(plan: Plan) -> None:
    global _laboratory
    _laboratory = Laboratory(plan)


def _play_here(place: int) -> Played:
    assert _laboratory is not None
    return _laboratory.play(place)

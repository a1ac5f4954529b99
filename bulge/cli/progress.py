"""How far a run of many games has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

LINES = 10
"""Where nobody looks at a bar, so many lines say how far a run has come."""

T = TypeVar("T")


@contextmanager
def progress(title: str, total: int, done: int = 0) -> Iterator[Callable[[object], None]]:
    """A bar with the time left; where nobody looks at a terminal, a line from time to time."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total, done).each
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, speed_estimate_period=120, transient=True) as progress:
        task = progress.add_task(title, total=total, completed=done)
        yield lambda _: progress.advance(task)


def with_progress(games: Iterable[T], title: str, total: int) -> Iterator[T]:
    """Pass the games through as they are played."""
    with progress(title, total) as each:
        for game in games:
            yield game
            each(game)


class _Lines:
    """Progress for a log file."""

    def __init__(self, total: int, done: int) -> None:
        self._total, self._done, self._new = total, done, 0
        self._began = time.monotonic()

    def each(self, _: object) -> None:
        self._new += 1
        done, step = self._done + self._new, max(1, self._total // LINES)
        if done % step == 0 and done < self._total:
            left = (time.monotonic() - self._began) / self._new * (self._total - done)
            typer.echo(f"{done} of {self._total} games, about {_minutes(left)} left", err=True)


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"

"""Many small writes as few large ones."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bulge.server.gathering import Gathering


class Book:
    """Refuses a number that it has, and knows how often it was opened."""

    def __init__(self) -> None:
        self.writes: list[list[int]] = []

    async def write(self, numbers: Sequence[int]) -> None:
        await asyncio.sleep(0)
        if len(set(numbers)) < len(numbers) or any(
            number in written for written in self.writes for number in numbers
        ):
            raise KeyError(numbers)
        if -1 in numbers:
            raise OSError
        self.writes.append(list(numbers))


def written(*numbers: int, most: int = 200) -> tuple[list[list[int]], list[type[object]]]:
    book = Book()

    async def run() -> list[BaseException | None]:
        gathering = Gathering(book.write, spoilt_by=KeyError, most=most)
        first = asyncio.create_task(gathering.add(0))
        await asyncio.sleep(0)
        adding = [gathering.add(number) for number in numbers]
        return await asyncio.gather(first, *adding, return_exceptions=True)

    return book.writes, [type(each) for each in asyncio.run(run())[1:]]


def test_what_comes_during_a_write_goes_into_the_next() -> None:
    assert written(1, 2, 3)[0] == [[0], [1, 2, 3]]
    assert written(1, 2, 3, most=2)[0] == [[0], [1, 2], [3]]


def test_what_spoils_a_write_fails_alone() -> None:
    writes, outcomes = written(1, 0, 2)
    assert writes == [[0], [1], [2]]
    assert outcomes == [type(None), KeyError, type(None)]


def test_where_nothing_can_be_written_all_are_told() -> None:
    writes, outcomes = written(1, -1)
    assert writes == [[0]]
    assert outcomes == [OSError, OSError]


def test_whoever_goes_away_leaves_what_it_asked_for() -> None:
    book = Book()

    async def run() -> None:
        gathering = Gathering(book.write, spoilt_by=KeyError)
        asking = asyncio.create_task(gathering.add(1))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await gathering.close()

    asyncio.run(run())
    assert book.writes == [[1]]

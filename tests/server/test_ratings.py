"""How matches count for whoever played them, whatever else ends at the same moment."""

from __future__ import annotations

import asyncio
from typing import Any

from bulge.server.people import People, Record
from bulge.server.ratings import rate
from bulge.server.storage import Storage
from bulge.server.terms import Ending

LOST = Ending("resigned", "Red", "Blue resigned.")


def test_matches_that_end_at_once_count_all(database: str) -> None:
    """Whoever resigned five at once had lost one, and the others were refused after they had ended."""

    async def resign_everywhere() -> tuple[list[Any], list[Record]]:
        storage = Storage(database)
        await storage.open()
        people = People(storage)
        anne, *others = [(await people.sign_up(f"Guest {n}", None, "", "")).id for n in range(6)]
        ends = (rate(storage, "ford", {"Blue": anne, "Red": other}, LOST) for other in others)
        complaints = await asyncio.gather(*ends, return_exceptions=True)
        records = await people.records(anne)
        await storage.close()
        return complaints, records

    complaints, (record,) = asyncio.run(resign_everywhere())
    assert complaints == [None] * 5
    (as_blue,) = record.sides
    assert (record.won, record.lost, as_blue.side, as_blue.lost) == (0, 5, "Blue", 5)

"""Whoever lets a clock run is told in time: when a quarter of it is left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import or_, select, update

from bulge.server.hub import Hub
from bulge.server.kept_tables import read_table
from bulge.server.notices import CLOCK, TITLES, Notices
from bulge.server.people_rows import TableRow
from bulge.server.storage import Storage

log = logging.getLogger("bulge.server")

EVERY = 300.0
SHARE_LEFT = 0.25
SHORTEST = timedelta(days=1)
"""No clock has less for a move."""
AT_ONCE = 500
NO_CLOCK = '%"days":0,%'
"""In terms as they are kept."""


class Clocks:
    def __init__(
        self, hub: Hub, notices: Notices, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._hub, self._notices, self.clock = hub, notices, clock
        self._storage: Storage = hub.storage

    async def run(self) -> None:
        """For as long as the server runs."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except Exception:
                log.exception("the clocks were not looked at")

    async def look(self) -> None:
        """Tell those whose time runs short, once for each move."""
        untold = or_(TableRow.warned.is_(None), TableRow.warned < TableRow.touched)
        late = TableRow.touched < self.clock() - SHORTEST * (1 - SHARE_LEFT)
        running = (TableRow.begun, TableRow.ending == "", TableRow.terms.not_like(NO_CLOCK))
        query = select(TableRow.match).where(*running, untold, late).order_by(TableRow.touched).limit(AT_ONCE)
        for (match,) in await self._storage.rows(query):
            await self._look_at(match)

    async def _look_at(self, match: str) -> None:
        async with self._storage.alone(match):  # of several servers one tells it
            table, row = await read_table(self._storage, match), await self._storage.match(match)
            if table is None or row is None or table.deadline is None or table.told_of_clock:
                return
            side = row.to_play or ""
            left = table.deadline - self.clock()
            if left > timedelta(days=table.terms.days) * SHARE_LEFT or side in self._hub.here(match):
                return
            told = update(TableRow).where(TableRow.match == match).values(warned=table.touched)
            await self._storage.write(told)
        person = table.seats[side].person if side in table.seats else None
        if person is not None:
            title = f"{TITLES[CLOCK]} {self._hub.library.game(row.game).title}"
            words = f"Your move is due by {table.deadline:%d %B, %H:%M} UTC."
            self._notices.tell([person], CLOCK, match, title, words)

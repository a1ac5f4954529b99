"""Tables of people as the database keeps them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from bulge.server.people_rows import PersonRow, SeatRow, TableRow, TalkRow
from bulge.server.storage import Storage
from bulge.server.terms import SeatState, TableState


async def read_table(storage: Storage, match: str) -> TableState | None:
    """What is kept of a table; None for a match without one."""
    return (await read_tables(storage, [match])).get(match)


async def read_tables(storage: Storage, matches: Sequence[str]) -> dict[str, TableState]:
    """What is kept of many tables, asked for at once: a list of them must not cost a question for each."""
    rows = await storage.rows(select(TableRow).where(TableRow.match.in_(matches)))
    if not rows:
        return {}
    query = (
        select(SeatRow, PersonRow.name, PersonRow.away_from, PersonRow.away_until, PersonRow.hidden)
        .outerjoin(PersonRow, PersonRow.id == SeatRow.person)
        .where(SeatRow.match.in_(matches))
        .order_by(SeatRow.side)
    )
    seats: dict[str, dict[str, SeatState]] = {row.match: {} for (row,) in rows}
    for row, name, *wishes in await storage.rows(query):
        seats[row.match][row.side] = SeatState(row.person, name, row.commitment, row.secret, *wishes)
    said = (
        select(TalkRow.match, TalkRow.gallery, func.count())
        .where(TalkRow.match.in_(matches))
        .group_by(TalkRow.match, TalkRow.gallery)
    )
    talk: dict[str, dict[bool, int]] = {row.match: {} for (row,) in rows}
    for match, gallery, count in await storage.rows(said):
        talk[match][gallery] = count
    return {row.match: TableState(row, seats[row.match], talk[row.match]) for (row,) in rows}

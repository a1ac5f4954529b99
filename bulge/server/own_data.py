"""What is kept about somebody: all of it to take away, and all of it forgotten when they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Executable, delete, select, update

from bulge.server.people import GONE, PLAYER, People, Person
from bulge.server.people_rows import (
    ChannelRow,
    HeldRow,
    NoteRow,
    PasskeyRow,
    PersonRow,
    RatingRow,
    ReportRow,
    SeatRow,
    SessionRow,
    SideRow,
    TableRow,
    TalkRow,
)
from bulge.server.quiet import read_quiet
from bulge.server.storage import MatchRow, Storage
from bulge.server.tables import Tables
from bulge.server.uses import Guest

NAMELESS: dict[str, Any] = {
    "name": GONE, "password": "", "role": PLAYER, "email": "", "words": "", "quiet": "", "seen": None,
    "away_from": None, "away_until": None, "expires": None, "hidden": False,
}  # fmt: skip


class OwnData:
    def __init__(self, storage: Storage, people: People, tables: Tables) -> None:
        self._storage, self._people, self._tables = storage, people, tables

    async def export(self, person: Person) -> dict[str, Any]:
        """All that is kept about somebody."""
        id_ = person.id
        ((quiet, seen),) = await self._storage.rows(
            select(PersonRow.quiet, PersonRow.seen).where(PersonRow.id == id_)
        )
        channels = await self._all(
            select(ChannelRow.kind, ChannelRow.target, ChannelRow.events).where(ChannelRow.person == id_)
        )
        made = select(MatchRow.id, MatchRow.game, MatchRow.created).where(MatchRow.maker == Guest("", id_).maker)
        return {
            "person": msgspec.to_builtins(person),
            "seen": seen.isoformat() if seen else None,
            "quiet": msgspec.to_builtins(read_quiet(quiet)),
            "sessions": await self._all(
                select(SessionRow.created, SessionRow.agent).where(SessionRow.person == id_)
            ),
            "channels": [{**channel, "events": channel["events"].split()} for channel in channels],
            "passkeys": await self._all(
                select(PasskeyRow.name, PasskeyRow.created).where(PasskeyRow.person == id_)
            ),
            "reports": await self._all(select(ReportRow.at, ReportRow.words).where(ReportRow.by == id_)),
            "records": msgspec.to_builtins(await self._people.records(id_)),
            "made": await self._all(made),
            "seats": await self._all(select(SeatRow.match, SeatRow.side).where(SeatRow.person == id_)),
            "notes": await self._all(
                select(NoteRow.match, NoteRow.turn, NoteRow.words, NoteRow.shared).where(NoteRow.person == id_)
            ),
            "talk": await self._all(
                select(TalkRow.match, TalkRow.at, TalkRow.words, TalkRow.gallery).where(
                    TalkRow.name == person.name
                )
            ),
        }

    async def _all(self, query: Executable) -> list[dict[str, Any]]:
        found = await self._storage.rows(query)
        return [msgspec.to_builtins(dict(row._mapping)) for row in found]

    async def hide(self, person: Person, *, hidden: bool) -> None:
        """Let others see when somebody is here, or not; at open tables this holds at once."""
        await self._storage.write(update(PersonRow).where(PersonRow.id == person.id).values(hidden=hidden))
        for match, _ in await self._matches(person):
            await self._tables.look_again(match)

    async def _matches(self, person: Person) -> Sequence[tuple[str, str]]:
        """Where somebody sits, and how it ended."""
        ended = select(SeatRow.match, TableRow.ending).join(TableRow, TableRow.match == SeatRow.match)
        return await self._storage.rows(ended.where(SeatRow.person == person.id))

    async def forget(self, person: Person) -> None:
        """Delete an account. Ended matches stay, for the others' sake, with a seat that nobody can name."""
        matches = await self._matches(person)
        for match, ending in matches:
            if not ending:
                await self._tables.stand_up(match, person)
        for row in (SessionRow, RatingRow, SideRow, NoteRow, ChannelRow, PasskeyRow, HeldRow):
            await self._storage.write(delete(row).where(row.person == person.id))
        await self._storage.write(delete(ReportRow).where(ReportRow.by == person.id))
        await self._storage.write(update(TalkRow).where(TalkRow.name == person.name).values(name=GONE, words=""))
        nameless = {**NAMELESS, "key": f"gone {person.id}"}
        await self._storage.write(update(PersonRow).where(PersonRow.id == person.id).values(nameless))
        for match, _ in matches:
            await self._tables.look_again(match)

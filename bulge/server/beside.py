"""What is said and written beside the board: the players' talk, the gallery's, and everybody's own notes."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from bulge.core.errors import BulgeError
from bulge.server.errors import NotSignedIn, WrongToken
from bulge.server.hub import Hub
from bulge.server.limits import Limit, allowed
from bulge.server.live import Live
from bulge.server.people import Person
from bulge.server.people_rows import NoteRow, PersonRow, TalkRow
from bulge.server.seats import WATCHER
from bulge.server.terms import Message, Note, SharedNote, TableState
from bulge.server.uses import Guest, Uses

MOST_READ = 500
"""So many messages of each are read at a time: every page reads them anew whenever something is said."""
UNSEEN = ("Cc", "Cs", "Co")
"""Kinds of signs that steer a terminal or mean nothing to anybody else."""
TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn the direction of what follows, and so make it look like something else."""
Told = Callable[[Live, str, str], Awaitable[None]]
"""Tells those who are away what a side has said."""


class Beside:
    def __init__(self, hub: Hub, uses: Uses, told: Told) -> None:
        self._hub, self._storage, self._uses, self._told = hub, hub.storage, uses, told
        most = uses.quotas.messages
        self._talking = Limit(allowed(most, "message", more=" a minute"), most, 60)
        self._noting = Limit(allowed(most, "note", more=" a minute"), most, 60)

    # ------------------------------------------------------------------ talk

    async def say(self, id_: str, person: Person, invitation: str | None, words: str) -> None:
        """Who sits here says it to the players; who looks on, to the gallery."""
        _check_legible(words)
        if not any(map(_is_ink, words)):
            raise BulgeError("there is nothing to read in it; say something")
        live, table = await self._hub.table_at(id_)
        role = _role(table, person, invitation)
        if role == WATCHER and not table.begun:
            raise BulgeError("the match has not begun; whoever looks on may talk from then on")
        self._talking.take(person.id)
        await self._uses.room(Guest("", person.id))
        async with self._hub.alone(live):
            turn = (await self._hub.stories.play_of(live)).match.position.turn
            last = await self._storage.rows(select(func.max(TalkRow.number)).where(TalkRow.match == id_))
            row = {
                "match": id_, "number": (last[0][0] or 0) + 1, "name": person.name, "turn": turn, "words": words,
                "at": datetime.now(UTC), "gallery": role == WATCHER,
            }  # fmt: skip
            await self._storage.write(insert(TalkRow).values(row))
            await self._hub.table_again(live)
        self._hub.tell(live)
        if role != WATCHER:
            await self._told(live, role, f"{person.name} writes: {words}")

    async def talk(self, id_: str, person: Person | None, invitation: str | None) -> list[Message]:
        """Until the end players and gallery read their own talk alone; then whoever may look on reads both."""
        _, table = await self._hub.table_at(id_)
        role = _role(table, person, invitation)
        if role == WATCHER and table.ending is None and person is None:
            raise NotSignedIn  # a player who signs out must not read what the gallery says
        return await self.last_talk(id_, TalkRow.gallery.in_(table.hears(role)))

    async def last_talk(self, id_: str, which: ColumnElement[bool]) -> list[Message]:
        """What was said last by players and gallery: neither drowns the other, however much it says."""
        rows: list[TalkRow] = []
        for gallery in (False, True):
            said = select(TalkRow).where(TalkRow.match == id_, TalkRow.gallery == gallery, which)
            query = said.order_by(TalkRow.number.desc()).limit(MOST_READ)
            rows += [row for (row,) in await self._storage.rows(query)]
        return [
            Message(row.number, row.name, row.turn, row.words, row.at, row.gallery)
            for row in sorted(rows, key=lambda row: row.number)
        ]

    # ------------------------------------------------------------------ notes

    async def note(self, id_: str, person: Person, turn: int, words: str) -> None:
        """What is written anew is one's own again, even if the note was shared before."""
        _check_legible(words)
        live, table = await self._hub.table_at(id_)
        table.seat_of(person.id)
        self._noting.take(person.id)
        if words:
            await self._uses.room(Guest("", person.id))
        async with self._hub.alone(live):  # two pages may write the same one at once
            await self._storage.write(delete(NoteRow).where(_own(id_, person), NoteRow.turn == turn))
            if words:
                row = {"match": id_, "person": person.id, "turn": turn, "words": words, "shared": False}
                await self._storage.write(insert(NoteRow).values(row))

    async def notes(self, id_: str, person: Person) -> list[Note]:
        rows = await self._storage.rows(select(NoteRow).where(_own(id_, person)).order_by(NoteRow.turn))
        return [Note(row.turn, row.words, row.shared) for (row,) in rows]

    async def share(self, id_: str, person: Person, shared: bool) -> None:
        """After the end, let whoever may look on read one's notes, or no longer."""
        live, table = await self._hub.table_at(id_)
        table.seat_of(person.id)
        if table.ending is None:
            raise BulgeError("notes can be shared when the match is over, not before")
        self._noting.take(person.id)
        await self._storage.write(update(NoteRow).where(_own(id_, person)).values(shared=shared))
        self._hub.tell(live)

    async def shared_notes(self, id_: str, person: Person | None, invitation: str | None) -> list[SharedNote]:
        _, table = await self._hub.table_at(id_)
        _role(table, person, invitation)
        query = (
            select(PersonRow.name, NoteRow.turn, NoteRow.words)
            .join(PersonRow, PersonRow.id == NoteRow.person)
            .where(NoteRow.match == id_, NoteRow.shared)
            .order_by(NoteRow.turn, PersonRow.name)
        )
        return [SharedNote(name, turn, words) for name, turn, words in await self._storage.rows(query)]


def _role(table: TableState, person: Person | None, invitation: str | None) -> str:
    role = table.role_of(person.id if person else None, invitation)
    if role is None:
        raise WrongToken
    return role


def _check_legible(words: str) -> None:
    """Others read it, in letters and on terminals too."""
    if any(unicodedata.category(sign) in UNSEEN and sign not in "\t\n\r" for sign in words) or TURNS & set(words):
        raise BulgeError("words have letters and other signs that one can see, tabs and new lines, and no others")


def _is_ink(sign: str) -> bool:
    return sign.isprintable() and not sign.isspace()


def _own(id_: str, person: Person) -> ColumnElement[bool]:
    return (NoteRow.match == id_) & (NoteRow.person == person.id)

"""What whoever looks after a server can do: see who is there, shut accounts, take away words and tables."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import delete, select, update

from bulge.core.errors import BulgeError
from bulge.server.errors import NotAllowed, NotSignedIn, Unknown
from bulge.server.people import ADMINISTRATOR, GONE, PLAYER, ROLES, Person, key_of
from bulge.server.people_rows import PersonRow, SessionRow, TalkRow
from bulge.server.storage import Storage

MOST_LISTED = 200
REMOVED = "(taken away by a moderator)"


class Account(msgspec.Struct, frozen=True):
    name: str
    role: str
    since: datetime
    suspended: bool


def check_moderator(person: Person | None) -> Person:
    if person is None:
        raise NotSignedIn
    if person.role == PLAYER:
        raise NotAllowed
    return person


class Moderation:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def accounts(self, beginning: str = "") -> list[Account]:
        """Those whose names begin so, the newest first."""
        wanted = PersonRow.key.startswith(key_of(beginning), autoescape=True) & (PersonRow.name != GONE)
        query = select(PersonRow).where(wanted).order_by(PersonRow.created.desc()).limit(MOST_LISTED)
        return [_account(row) for (row,) in await self._storage.rows(query)]

    async def suspend(self, name: str, suspended: bool, by: Person | None = None) -> Account:
        """Shut an account and end its sessions, or open it again. Moderators have no power over each other."""
        row = await self._row(name)
        if by is not None and by.role != ADMINISTRATOR and row.role != PLAYER:
            raise NotAllowed
        await self._storage.write(update(PersonRow).where(PersonRow.id == row.id).values(suspended=suspended))
        if suspended:
            await self._storage.write(delete(SessionRow).where(SessionRow.person == row.id))
        return _account(await self._row(name))

    async def give_role(self, name: str, role: str) -> Account:
        """Only whoever can run commands on the server does this."""
        if role not in ROLES:
            raise BulgeError(f"there is no role {role!r}; there are: {', '.join(ROLES)}")
        row = await self._row(name)
        await self._storage.write(update(PersonRow).where(PersonRow.id == row.id).values(role=role))
        return _account(await self._row(name))

    async def silence(self, match: str, number: int) -> None:
        """Take away what was said; that something was said stays."""
        said = (TalkRow.match == match) & (TalkRow.number == number)
        if not await self._storage.rows(select(TalkRow.number).where(said)):
            raise Unknown("nothing of that number was said there")
        await self._storage.write(update(TalkRow).where(said).values(words=REMOVED))

    async def _row(self, name: str) -> PersonRow:
        rows = await self._storage.rows(select(PersonRow).where(PersonRow.key == key_of(name)))
        if not rows:
            raise Unknown("nobody here is called so")
        found: PersonRow = rows[0][0]
        return found


def _account(row: PersonRow) -> Account:
    return Account(row.name, row.role, row.created, row.suspended)

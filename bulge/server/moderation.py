"""What whoever looks after a server can do: hear reports, shut accounts, take words away; all is logged."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from bulge.core.errors import BulgeError
from bulge.server.errors import NotAllowed, Unknown
from bulge.server.limits import Limit
from bulge.server.people import ADMINISTRATOR, GONE, PLAYER, ROLES, Person, key_of, somebody
from bulge.server.people_rows import (
    DeedRow,
    PersonRow,
    ReportRow,
    SeatRow,
    SessionRow,
    TableRow,
    TalkRow,
)
from bulge.server.seats import digest
from bulge.server.storage import MatchRow, Storage

MOST_LISTED = 200
REMOVED = "(taken away by a moderator)"
CONSOLE = "whoever runs the server"


class Account(msgspec.Struct, frozen=True):
    name: str
    role: str
    since: datetime
    suspended: bool
    seen: datetime | None
    """When they last signed in."""


class Report(msgspec.Struct, frozen=True):
    number: int
    at: datetime
    by: str
    about: str | None
    match: str
    message: int
    """The number of the message that it is about; 0 for none."""
    said: str
    """What that message says now; empty for a moderator who may not read it yet."""
    words: str
    closed: bool


class Deed(msgspec.Struct, frozen=True):
    """What a moderator did."""

    number: int
    at: datetime
    by: str
    words: str


class Match(msgspec.Struct, frozen=True):
    """A table as moderators find it, private ones too."""

    id: str
    game: str
    people: dict[str, str | None]
    listed: bool
    over: bool
    touched: datetime
    talk: int


def check_moderator(person: Person | None) -> Person:
    found = somebody(person)
    if found.role == PLAYER:
        raise NotAllowed
    return found


def kept_from(person: Person) -> ColumnElement[bool]:
    """What the gallery says where they play themselves: until the end that is not for a moderator either."""
    plays = exists().where(SeatRow.match == TalkRow.match, SeatRow.person == person.id)
    goes_on = exists().where(TableRow.match == TalkRow.match, TableRow.ending == "")
    return and_(TalkRow.gallery, plays, goes_on)


class Moderation:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._reporting = Limit("10 reports an hour are allowed", 10, 3600)

    # ------------------------------------------------------------------ accounts

    async def accounts(self, beginning: str = "") -> list[Account]:
        """Those whose names begin so, the newest first."""
        wanted = PersonRow.key.startswith(key_of(beginning), autoescape=True) & (PersonRow.name != GONE)
        query = select(PersonRow).where(wanted).order_by(PersonRow.created.desc()).limit(MOST_LISTED)
        return [_account(row) for (row,) in await self._storage.rows(query)]

    async def suspend(self, name: str, suspended: bool, by: Person | None = None, why: str = "") -> Account:
        """Shut an account and end its sessions, or open it again. Moderators have no power over each other."""
        row = await self._row(name)
        if by is not None and by.role != ADMINISTRATOR and row.role != PLAYER:
            raise NotAllowed
        await self._storage.write(update(PersonRow).where(PersonRow.id == row.id).values(suspended=suspended))
        if suspended:
            await self._storage.write(delete(SessionRow).where(SessionRow.person == row.id))
        did = "shut" if suspended else "opened"
        await self.log(by, f"{did} the account {row.name}" + (f": {why}" if why else ""))
        return _account(await self._row(name))

    async def give_role(self, name: str, role: str) -> Account:
        """Only whoever can run commands on the server does this."""
        if role not in ROLES:
            raise BulgeError(f"there is no role {role!r}; there are: {', '.join(ROLES)}")
        row = await self._row(name)
        await self._storage.write(update(PersonRow).where(PersonRow.id == row.id).values(role=role))
        await self.log(None, f"made {row.name} {role}")
        return _account(await self._row(name))

    # ------------------------------------------------------------------ matches

    async def matches(self, name: str = "") -> list[Match]:
        """Tables, those of somebody if a name is given, the newest first."""
        query = select(MatchRow, TableRow).join(TableRow, TableRow.match == MatchRow.id)
        if name:
            sat = select(SeatRow.match).join(PersonRow, PersonRow.id == SeatRow.person)
            query = query.where(MatchRow.id.in_(sat.where(PersonRow.key == key_of(name))))
        rows = await self._storage.rows(query.order_by(TableRow.touched.desc()).limit(MOST_LISTED))
        ids = [row.id for row, _ in rows]
        seats = await self._storage.rows(
            select(SeatRow.match, SeatRow.side, PersonRow.name)
            .outerjoin(PersonRow, PersonRow.id == SeatRow.person)
            .where(SeatRow.match.in_(ids))
            .order_by(SeatRow.side)
        )
        talk = await self._storage.rows(
            select(TalkRow.match, func.count()).where(TalkRow.match.in_(ids)).group_by(TalkRow.match)
        )
        people: dict[str, dict[str, str | None]] = {id_: {} for id_ in ids}
        for match, side, who in seats:
            people[match][side] = who
        said = {row[0]: row[1] for row in talk}
        return [
            Match(row.id, row.game, people[row.id], table.listed, row.over, table.touched, said.get(row.id, 0))
            for row, table in rows
        ]

    async def silence(self, match: str, number: int, by: Person) -> None:
        """Take away what was said; that something was said stays."""
        said = (TalkRow.match == match) & (TalkRow.number == number)
        rows = await self._storage.rows(select(TalkRow.name).where(said))
        if not rows:
            raise Unknown("nothing of that number was said there")
        await self._storage.write(update(TalkRow).where(said).values(words=REMOVED))
        await self.log(by, f"took away message {number} of {rows[0][0]} at match {match}")

    # ------------------------------------------------------------------ reports

    async def report(
        self, by: Person, about: str, match: str, message: int, words: str, invitation: str | None = None
    ) -> None:
        """Ask the moderators to look at somebody, or at what was said at a match that one may see."""
        self._reporting.check(by.id)
        person = await self._row(about) if about else None
        if match and not await self._may_see(by, match, invitation):
            raise Unknown("there is no such match")
        if message and not await self._said(match, message, by):
            raise Unknown("nothing of that number was said there")
        self._reporting.take(by.id)
        row = {
            "at": datetime.now(UTC), "by": by.id, "about": person.id if person else None, "match": match,
            "message": message, "words": words, "closed": False,
        }  # fmt: skip
        await self._storage.write(insert(ReportRow).values(row))

    async def reports(self, reader: Person, *, closed: bool = False) -> list[Report]:
        """The newest first."""
        about = aliased(PersonRow)
        query = (
            select(ReportRow, PersonRow.name, about.name)
            .join(PersonRow, PersonRow.id == ReportRow.by)
            .outerjoin(about, about.id == ReportRow.about)
            .where(ReportRow.closed == closed)
            .order_by(ReportRow.number.desc())
            .limit(MOST_LISTED)
        )
        return [
            Report(
                row.number, row.at, by, whom, row.match, row.message,
                await self._said(row.match, row.message, reader), row.words, row.closed,
            )
            for row, by, whom in await self._storage.rows(query)
        ]  # fmt: skip

    async def close_report(self, number: int, closed: bool, by: Person) -> None:
        rows = await self._storage.rows(select(ReportRow.closed).where(ReportRow.number == number))
        if not rows:
            raise Unknown("there is no such report")
        await self._storage.write(update(ReportRow).where(ReportRow.number == number).values(closed=closed))
        await self.log(by, f"{'closed' if closed else 'opened'} report {number}")

    async def _said(self, match: str, number: int, reader: Person) -> str:
        said = (TalkRow.match == match, TalkRow.number == number, ~kept_from(reader))
        rows = await self._storage.rows(select(TalkRow.words).where(*said))
        return str(rows[0][0]) if rows else ""

    async def _may_see(self, by: Person, match: str, invitation: str | None) -> bool:
        sits = select(SeatRow.match).where(SeatRow.match == match, SeatRow.person == by.id)
        invited = TableRow.invitation == digest(invitation or "")
        listed = select(TableRow.match).where(TableRow.match == match, TableRow.listed | invited)
        return bool(await self._storage.rows(sits) or await self._storage.rows(listed))

    # ------------------------------------------------------------------ what was done

    async def log(self, by: Person | None, words: str) -> None:
        row = {"at": datetime.now(UTC), "by": by.name if by else CONSOLE, "words": words}
        await self._storage.write(insert(DeedRow).values(row))

    async def deeds(self) -> list[Deed]:
        query = select(DeedRow).order_by(DeedRow.number.desc()).limit(MOST_LISTED)
        return [Deed(row.number, row.at, row.by, row.words) for (row,) in await self._storage.rows(query)]

    async def _row(self, name: str) -> PersonRow:
        rows = await self._storage.rows(select(PersonRow).where(PersonRow.key == key_of(name)))
        if not rows:
            raise Unknown("nobody here is called so")
        found: PersonRow = rows[0][0]
        return found


def _account(row: PersonRow) -> Account:
    return Account(row.name, row.role, row.created, row.suspended, row.seen)

"""What nobody uses is deleted: matches, accounts, sessions. Whoever has an account is told beforehand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Executable, and_, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bulge.core.errors import BulgeError
from bulge.server.errors import Full, WrongToken
from bulge.server.hub import Hub
from bulge.server.limits import counted
from bulge.server.notices import EXPIRY, Notices
from bulge.server.own_data import OwnData
from bulge.server.people import GONE, PLAYER, SESSION_LASTS, People
from bulge.server.people_rows import (
    ChallengeRow,
    KeptRow,
    NoteRow,
    PersonRow,
    SeatRow,
    SessionRow,
    TableRow,
    TalkRow,
)
from bulge.server.quotas import Expiry
from bulge.server.seats import Seat
from bulge.server.storage import ActionRow, MatchRow, ReasonRow, Storage, TokenRow

log = logging.getLogger("bulge.server")

EVERY = 3600.0
"""Seconds between two looks around."""
FIRST = 60.0
"""Seconds until the first one."""
NEVER = Expiry(unplayed=0, matches=0, accounts=0, notice=1)
AT_ONCE = 200
"""So many matches are deleted in one go; the rest an hour later."""
SWEPT = "swept"
"""Under this name the servers of one database tell each other when one of them last looked around."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class Sweeper:
    def __init__(
        self,
        hub: Hub,
        people: People,
        own_data: OwnData,
        notices: Notices,
        expiry: Expiry,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._hub, self._people, self._own_data, self._notices = hub, people, own_data, notices
        self.expiry, self.clock = expiry, clock
        self._storage: Storage = hub.storage

    async def run(self) -> None:
        """For as long as the server runs."""
        await asyncio.sleep(FIRST)
        while True:
            try:
                if await self._is_my_turn():
                    await self.sweep()
            except Exception:
                log.exception("nothing was cleared away")
            await asyncio.sleep(EVERY)

    async def _is_my_turn(self) -> bool:
        """Several servers on one database look around in turn."""
        rows = await self._storage.rows(select(KeptRow.value).where(KeptRow.name == SWEPT))
        now = self.clock()
        if rows and now - datetime.fromisoformat(rows[0][0]) < timedelta(seconds=EVERY * 0.9):
            return False
        await self._storage.write(delete(KeptRow).where(KeptRow.name == SWEPT))
        await self._storage.write(insert(KeptRow).values(name=SWEPT, value=now.isoformat()))
        return True

    async def sweep(self) -> None:
        """Tell of what will go, and delete what was told of long enough ago, or belongs to nobody."""
        await self._storage.write(delete(SessionRow).where(SessionRow.created < self.clock() - SESSION_LASTS))
        await self._storage.write(
            delete(ChallengeRow).where(ChallengeRow.created < self.clock() - timedelta(hours=1))
        )
        await self._warn_of_matches()
        await self._delete_matches()
        await self._accounts()

    # ------------------------------------------------------------------ matches

    def _untouched(self, days: int, *, played: bool) -> ColumnElement[bool]:
        """Matches that nobody wants kept, and at which nothing has happened for so many days."""
        since = self.clock() - timedelta(days=days)
        any_choice = exists().where(ActionRow.match == MatchRow.id)
        late_choice = exists().where(ActionRow.match == MatchRow.id, ActionRow.at > since)
        late_table = exists().where(TableRow.match == MatchRow.id, TableRow.touched > since)
        chosen = and_(any_choice, ~late_choice) if played else ~any_choice
        return and_(~MatchRow.kept, MatchRow.created <= since, chosen, ~late_table)

    def _old(self, notice: int) -> ColumnElement[bool]:
        """Matches whose days are over, or will be in so many."""
        kinds = ((self.expiry.matches, True), (self.expiry.unplayed, False))
        return or_(*(self._untouched(max(0, days - notice), played=played) for days, played in kinds if days))

    async def _warn_of_matches(self) -> None:
        """Tell whoever sits at a match, or made it with an account."""
        if not (self.expiry.matches or self.expiry.unplayed):
            return
        old = self._old(self.expiry.notice)
        await self._storage.write(update(MatchRow).where(~old, MatchRow.expires.is_not(None)).values(expires=None))
        notice = counted(self.expiry.notice, "day")
        soon = select(MatchRow).where(old, MatchRow.expires.is_(None)).limit(AT_ONCE)
        for (row,) in await self._storage.rows(soon):
            people = await self._people_of(row)
            if people:
                library = self._hub.library
                name = library.game(row.game).title if row.game in library.ids() else row.game
                title = f"Soon deleted: {name}"
                words = f"Nobody has played this match for long. It is deleted in {notice}, unless"
                self._notices.tell(people, EXPIRY, row.id, title, f"{words} somebody plays on or keeps it.")
            await self._set(row.id, expires=self.clock() + timedelta(days=self.expiry.notice))

    async def _delete_matches(self) -> None:
        if not (self.expiry.matches or self.expiry.unplayed):
            return
        # Everybody has the whole time of notice, even if the server was off meanwhile.
        query = select(MatchRow.id).where(self._old(0), MatchRow.expires <= self.clock()).limit(AT_ONCE)
        for (id_,) in await self._storage.rows(query):
            await self.delete(id_)

    async def delete(self, id_: str) -> bool:
        """A match with all that belongs to it, unless somebody is at it."""
        if not self._hub.forget(id_):
            return False
        await self.erase(id_)
        return True

    async def erase(self, id_: str) -> None:
        """All rows of a match, or none of them."""

        async def rows(session: AsyncSession) -> None:
            # Another server that is about to add a choice waits until the match is gone, and then cannot.
            await session.execute(select(MatchRow.id).where(MatchRow.id == id_).with_for_update())
            for row in (ActionRow, ReasonRow, TokenRow, SeatRow, TalkRow, NoteRow, TableRow):
                await session.execute(delete(row).where(row.match == id_))
            await session.execute(delete(MatchRow).where(MatchRow.id == id_))

        await self._storage.together(rows)

    async def _people_of(self, row: MatchRow) -> list[str]:
        sat = await self._storage.rows(select(SeatRow.person).where(SeatRow.match == row.id))
        maker = [row.maker.removeprefix("account ")] if row.maker.startswith("account ") else []
        return sorted({person for (person,) in sat if person} | set(maker))

    async def keep(self, id_: str, seat: Seat, kept: bool, most: int) -> None:
        """Whoever plays a match may keep it from expiring."""
        if not seat.role and not seat.is_host:
            raise WrongToken
        row = await self._storage.match(id_)
        assert row is not None
        if kept and not row.kept and most:
            query = select(func.count()).select_from(MatchRow).where(MatchRow.maker == row.maker, MatchRow.kept)
            if row.maker and (await self._storage.rows(query))[0][0] >= most:
                matches = counted(most, "match", "matches")
                raise Full(f"{matches} may be kept for good by whoever made them; let another one go first")
        await self._set(id_, kept=kept, expires=None)

    async def _set(self, id_: str, **values: object) -> None:
        await self._storage.write(update(MatchRow).where(MatchRow.id == id_).values(values))

    # ------------------------------------------------------------------ accounts

    async def _accounts(self) -> None:
        """Accounts into which nobody signs any more; those who look after the server keep theirs."""
        if not self.expiry.accounts:
            return
        now, notice = self.clock(), timedelta(days=self.expiry.notice)
        since = now - timedelta(days=self.expiry.accounts)
        last = func.coalesce(PersonRow.seen, PersonRow.created)
        theirs = and_(PersonRow.role == PLAYER, PersonRow.name != GONE)
        for row in await self._persons(
            select(PersonRow).where(theirs, last > since + notice, PersonRow.expires.is_not(None))
        ):
            await self._person(row.id, expires=None)  # they came back
        for row in await self._persons(
            select(PersonRow).where(theirs, last <= since + notice, PersonRow.expires.is_(None)).limit(AT_ONCE)
        ):
            words = (
                f"Nobody has signed in for long. The account {row.name} is deleted in "
                f"{counted(notice.days, 'day')}, unless"
            )
            self._notices.tell([row.id], EXPIRY, "", "Soon deleted: your account", f"{words} you sign in.")
            await self._person(row.id, expires=now + notice)
        gone = and_(theirs, last <= since, PersonRow.expires <= now)
        for row in await self._persons(select(PersonRow).where(gone).limit(AT_ONCE)):
            person = await self._people.by_name(row.name)
            if person is not None:
                await self._own_data.forget(person)

    async def _persons(self, query: Executable) -> Iterable[PersonRow]:
        return [row for (row,) in await self._storage.rows(query)]

    async def _person(self, id_: str, **values: object) -> None:
        await self._storage.write(update(PersonRow).where(PersonRow.id == id_).values(values))


async def delete_own(sweeper: Sweeper, hub: Hub, id_: str, token: str | None) -> None:
    """Whoever made a match deletes it, as long as nobody else sits at it."""
    live, seat = await hub.enter(id_, token)
    if not seat.is_host:
        raise WrongToken
    if live.apart:
        raise BulgeError("others play this match too: it goes when nobody plays it any more")
    async with hub.last_look(live):
        await sweeper.erase(id_)

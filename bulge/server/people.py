"""Accounts: a name and a password, sessions in cookies, a profile."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bulge.core.errors import BulgeError
from bulge.players.arena import wilson
from bulge.server.errors import NotSignedIn, Unknown
from bulge.server.limits import Limit, allowed
from bulge.server.people_rows import PersonRow, RatingRow, SessionRow, SideRow
from bulge.server.seats import digest, new_token
from bulge.server.storage import Storage

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
SESSION_LASTS = timedelta(days=90)
BETWEEN_HOLIDAYS = timedelta(days=30)
PLAYER, MODERATOR, ADMINISTRATOR = ROLES = "player", "moderator", "administrator"
GONE = "somebody who left"
BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters to Unicode, and nothing to the eye."""
ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC"})


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    role: str
    email: str
    words: str
    created: datetime
    away_from: datetime | None = None
    away_until: datetime | None = None
    """The last holiday, which may be over."""
    has_password: bool = True
    """Otherwise passkeys are the only way in."""
    hidden: bool = False
    """Whether others are not to see when they are here."""

    @property
    def back(self) -> datetime | None:
        """Until when somebody is away; None for whoever is not."""
        return self.away_until if self.away_until is not None and self.away_until > datetime.now(UTC) else None


class SideRecord(msgspec.Struct, frozen=True):
    """How somebody does as one side of a game."""

    side: str
    won: int
    drawn: int
    lost: int
    low: float
    high: float
    """The true share of matches won lies between these, nineteen times of twenty."""


class Record(msgspec.Struct, frozen=True):
    """How somebody does at one game."""

    game: str
    rating: int
    range: int
    """The true strength lies within so much of the rating, nineteen times of twenty."""
    won: int
    drawn: int
    lost: int
    sides: list[SideRecord]


class Session(msgspec.Struct, frozen=True):
    """A browser in which somebody is signed in."""

    id: str
    agent: str
    """What the browser calls itself."""
    created: datetime
    here: bool
    """Whether it is the one that asks."""


class Passwords:
    """Argon2id. Loaded when the first password comes: whoever plays alone has none."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash("nobody's password")
        """Checked against where there is no such name: a wrong name takes as long as a wrong password."""

    def hash(self, password: str) -> str:
        return str(self._hasher.hash(password))

    def fits(self, hashed: str | None, password: str) -> bool:
        from argon2.exceptions import VerificationError

        try:
            return bool(self._hasher.verify(hashed or self._nobody, password)) and bool(hashed)
        except (VerificationError, ValueError):
            return False


class People:
    def __init__(self, storage: Storage, accounts: int = 10) -> None:
        self._storage = storage
        self._hashing = asyncio.Semaphore(2)
        """A hash takes much memory: not more than two at a time."""
        self._guesses = Limit("too many wrong passwords", 10, 600)
        words = f"{allowed(accounts, 'new account', more=' an hour')} to one address"
        self._arrivals = Limit(words, accounts, 3600)

    @cached_property
    def _passwords(self) -> Passwords:
        return Passwords()

    # ------------------------------------------------------------------ coming and going

    async def sign_up(self, name: str, password: str | None, email: str, address: str) -> Person:
        """A new account; without a password, for whoever has a passkey."""
        name, hashed = checked_name(name), ""
        if password is not None:
            _check_password(password)
        self._arrivals.take(address)
        if password is not None:
            async with self._hashing:
                hashed = await asyncio.to_thread(self._passwords.hash, password)
        row = {
            "id": secrets.token_hex(8), "name": name, "key": key_of(name), "password": hashed, "role": PLAYER,
            "email": email, "words": "", "created": datetime.now(UTC),
        }  # fmt: skip
        try:
            await self._storage.write(insert(PersonRow).values(row))
        except IntegrityError:
            raise BulgeError(f"somebody is called {name} already; choose another name") from None
        found = await self.by_name(name)
        assert found is not None
        return found

    async def check(self, name: str, password: str, address: str) -> Person:
        """Whoever has this name and password. Wrong ones take as long as right ones, and are counted."""
        who = f"{key_of(name)}@{address}"
        rows = await self._storage.rows(select(PersonRow).where(PersonRow.key == key_of(name)))
        row: PersonRow | None = rows[0][0] if rows else None
        async with self._hashing:  # and counted in here: else many sent at once would all be judged
            self._guesses.check(who)
            self._guesses.check(address)
            right = await asyncio.to_thread(self._passwords.fits, row.password if row else None, password)
            if row is None or not right:
                self._guesses.count(who)
                self._guesses.count(address)
                raise BulgeError("this name and this password do not belong together")
        self._guesses.forget(who)
        return _admitted(row)

    async def admitted(self, id_: str) -> Person:
        """Whoever has shown otherwise who they are."""
        rows = await self._storage.rows(select(PersonRow).where(PersonRow.id == id_))
        return _admitted(rows[0][0])

    async def begin_session(self, person: Person, agent: str) -> str:
        """A new token for a cookie; what is stored does not open anything."""
        token = new_token()
        values = {"digest": digest(token), "person": person.id, "created": datetime.now(UTC), "agent": agent[:200]}
        await self._storage.write(insert(SessionRow).values(values))
        await self._storage.write(
            update(PersonRow).where(PersonRow.id == person.id).values(seen=values["created"], expires=None)
        )
        return token

    async def end_session(self, token: str) -> None:
        await self._storage.write(delete(SessionRow).where(SessionRow.digest == digest(token)))

    async def of_session(self, token: str | None) -> Person | None:
        if not token:
            return None
        since = datetime.now(UTC) - SESSION_LASTS
        query = (
            select(PersonRow)
            .join(SessionRow, SessionRow.person == PersonRow.id)
            .where(SessionRow.digest == digest(token), SessionRow.created > since, ~PersonRow.suspended)
        )
        rows = await self._storage.rows(query)
        return _person(rows[0][0]) if rows else None

    async def sessions(self, person: Person, token: str | None) -> list[Session]:
        """Where somebody is signed in, the latest first."""
        since = datetime.now(UTC) - SESSION_LASTS
        query = select(SessionRow).where(SessionRow.person == person.id, SessionRow.created > since)
        here = digest(token or "")
        return [
            Session(_short(row.digest), row.agent, row.created, row.digest == here)
            for (row,) in await self._storage.rows(query.order_by(SessionRow.created.desc()))
        ]

    async def end_one(self, person: Person, id_: str) -> None:
        rows = await self._storage.rows(select(SessionRow.digest).where(SessionRow.person == person.id))
        found = [kept for (kept,) in rows if _short(kept) == id_]
        if not found:
            raise Unknown("you have no such session")
        await self._storage.write(delete(SessionRow).where(SessionRow.digest.in_(found)))

    async def end_others(self, person: Person, token: str | None) -> None:
        """Sign somebody out everywhere but here."""
        others = (SessionRow.person == person.id, SessionRow.digest != digest(token or ""))
        await self._storage.write(delete(SessionRow).where(*others))

    # ------------------------------------------------------------------ looking up

    async def by_name(self, name: str) -> Person | None:
        rows = await self._storage.rows(select(PersonRow).where(PersonRow.key == key_of(name)))
        return _person(rows[0][0]) if rows else None

    async def names(self, ids: list[str]) -> dict[str, str]:
        rows = await self._storage.rows(select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(ids)))
        return {row.id: row.name for row in rows}

    async def records(self, person: str) -> list[Record]:
        sides: dict[str, list[SideRecord]] = defaultdict(list)
        as_side = select(SideRow).where(SideRow.person == person).order_by(SideRow.side)
        for (row,) in await self._storage.rows(as_side):
            likely = wilson(row.won, row.won + row.drawn + row.lost)
            sides[row.game].append(SideRecord(row.side, row.won, row.drawn, row.lost, *likely))
        rows = await self._storage.rows(select(RatingRow).where(RatingRow.person == person))
        return [
            Record(row.game, round(row.mean), round(2 * row.spread), row.won, row.drawn, row.lost, sides[row.game])
            for (row,) in rows
        ]

    # ------------------------------------------------------------------ one's own data

    async def change(self, person: Person, *, words: str | None, email: str | None, password: str | None) -> None:
        values: dict[str, Any] = {}
        if words is not None:
            values["words"] = words
        if email is not None:
            values["email"] = email
        if password is not None:
            _check_password(password)
            async with self._hashing:
                values["password"] = await asyncio.to_thread(self._passwords.hash, password)
        if values:
            await self._storage.write(update(PersonRow).where(PersonRow.id == person.id).values(values))
        if password is not None:
            await self._storage.write(delete(SessionRow).where(SessionRow.person == person.id))

    async def go_away(self, person: Person, days: int) -> None:
        """A holiday from now on, during which one's clocks stand; with no days, back from it."""
        now = datetime.now(UTC)
        if days == 0:
            until = {"away_until": min(person.away_until or now, now)} if person.away_until else {}
        else:
            if person.away_until is not None and now < person.away_until + BETWEEN_HOLIDAYS:
                raise BulgeError(f"between two holidays lie {BETWEEN_HOLIDAYS.days} days")
            until = {"away_from": now, "away_until": now + timedelta(days=days)}
        if until:
            await self._storage.write(update(PersonRow).where(PersonRow.id == person.id).values(until))


def somebody(person: Person | None) -> Person:
    """Whoever is signed in; others are told to do so."""
    if person is None:
        raise NotSignedIn
    return person


def key_of(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()[:80]


def checked_name(name: str) -> str:
    name = " ".join(filter(None, unicodedata.normalize("NFC", name).strip().split(" ")))
    if not 2 <= len(name) <= 40 or not all(sign.isalnum() or sign in " ._-'" for sign in name):
        raise BulgeError("a name has 2 to 40 letters, digits, spaces or . _ - '")
    if BLANK_LETTERS & set(name) or not any(map(str.isalnum, name)):
        raise BulgeError("a name has letters or digits that one can see")
    if len(_alphabets(name)) > 1:
        raise BulgeError("a name keeps to one alphabet: letters of two can look like somebody else's name")
    if key_of(name) == GONE:
        raise BulgeError("nobody is called so")
    return name


def _alphabets(name: str) -> set[str]:
    """Which of the alphabets that share their looks a name is written in."""
    return {unicodedata.name(sign, "").partition(" ")[0] for sign in key_of(name)} & ALIKE


def _short(kept: str) -> str:
    """By what a session is named: neither its token nor what is stored of that."""
    return digest(kept)[:16]


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BulgeError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} signs")


def _admitted(row: PersonRow) -> Person:
    if row.suspended:
        raise BulgeError("a moderator has shut this account; ask whoever runs this server")
    return _person(row)


def _person(row: PersonRow) -> Person:
    return Person(
        row.id,
        row.name,
        row.role,
        row.email,
        row.words,
        row.created,
        row.away_from,
        row.away_until,
        bool(row.password),
        row.hidden,
    )

"""What each has used of a server: matches, imports, open pages, thinking, storage; beyond the quota, no more."""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import msgspec
from litestar.connection import ASGIConnection
from sqlalchemy import Executable, func, select

from bulge.server.errors import Full, TooOften
from bulge.server.limits import Limit, allowed, lasting
from bulge.server.people import Person
from bulge.server.people_rows import NoteRow, PersonRow, SeatRow, TableRow, TalkRow
from bulge.server.quotas import Quotas
from bulge.server.storage import ActionRow, MatchRow, Storage

HOUR = 3600.0
MEGABYTE = 1024 * 1024
ROW = 100
"""About so many bytes the database needs for a row, beyond the words in it."""


class Guest(NamedTuple):
    """Somebody who uses the server, as quotas know them."""

    address: str
    account: str = ""

    @property
    def maker(self) -> str:
        """Whose quota a new match counts against, as it is stored: no address stands in the database."""
        if self.account:
            return f"account {self.account}"
        return f"address {hashlib.sha256(self.address.encode()).hexdigest()[:32]}"


def guest_of(connection: ASGIConnection[Any, Any, Any, Any], who: Person | None) -> Guest:
    return Guest(address_of(connection), who.id if who else "")


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return network_of(connection.client.host if connection.client else "")


def network_of(address: str) -> str:
    """As limits count it: whoever has one address of version 6 has the 2^64 beside it too."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


class Use(msgspec.Struct, frozen=True):
    """How much of one quota somebody has used."""

    what: Literal["matches", "imports", "pages", "thinking", "storage", "tables", "kept"]
    used: float
    allowed: int
    """0: as much as one likes."""


class Uses:
    """What each has used. Whoever plays on the machine itself, where no others are served, has no limits."""

    def __init__(
        self,
        storage: Storage,
        quotas: Quotas,
        *,
        only_here: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.quotas, self._storage, self._only_here = quotas, storage, only_here
        self._limits = {
            (kind, what): Limit(f"{words} to one {kind}", getattr(quota, what), HOUR, clock)
            for kind, quota in (("account", quotas.account), ("address", quotas.address))
            for what, words in (
                ("matches", allowed(quota.matches, "new match", "new matches", more=" an hour")),
                ("imports", allowed(quota.imports, "file", more=" an hour")),
            )
        }
        self._thought = {
            kind: Limit(
                f"computer players think for {lasting(quota.thinking)} an hour for one {kind}",
                quota.thinking,
                HOUR,
                clock,
            )
            for kind, quota in (("account", quotas.account), ("address", quotas.address))
        }
        self._pages: Counter[tuple[str, str]] = Counter()

    # ------------------------------------------------------------------ new matches

    async def new_match(self, guest: Guest, *, imported: bool = False) -> None:
        """Refuse or count one more match."""
        kinds = ("matches", "imports") if imported else ("matches",)
        asked = [(self._limits[kind, what], who) for kind, who in self.names(guest) for what in kinds]
        for limit, who in asked:
            limit.check(who)
        for limit, who in asked:  # before anything is waited for: many may be asked for at once
            limit.count(who)
        await self.room(guest)

    async def room(self, guest: Guest) -> None:
        """Refuse to store more for whoever has filled their part."""
        kind = "account" if guest.account else "address"
        quota = self.quotas.account if guest.account else self.quotas.address
        if not quota.storage or self._is_home(guest):
            return
        used = await self.stored(guest)
        if used >= quota.storage * MEGABYTE:
            raise Full(
                f"{allowed(quota.storage, 'MB', 'MB')} to one {kind}, all of it full; "
                "delete a match that you made, or wait until old ones expire"
            )

    async def stored(self, guest: Guest) -> int:
        """About how many bytes are kept for somebody."""
        played = (
            select(func.sum(ROW + func.length(ActionRow.choice)))
            .join(MatchRow, MatchRow.id == ActionRow.match)
            .where(MatchRow.maker == guest.maker)
        )
        began = select(func.sum(ROW + func.length(MatchRow.overrides))).where(MatchRow.maker == guest.maker)
        queries: list[Executable] = [played, began]
        if guest.account:
            noted = select(func.sum(ROW + func.length(NoteRow.words))).where(NoteRow.person == guest.account)
            said = (
                select(func.sum(ROW + func.length(TalkRow.words)))
                .join(PersonRow, PersonRow.name == TalkRow.name)
                .where(PersonRow.id == guest.account)
            )
            queries += [noted, said]
        return sum([int((await self._storage.rows(query))[0][0] or 0) for query in queries])

    # ------------------------------------------------------------------ pages and thinking

    @contextmanager
    def page(self, guest: Guest) -> Iterator[None]:
        """One more open page, for as long as it is open."""
        names = self.names(guest)
        for kind, who in names:
            most = (self.quotas.account if kind == "account" else self.quotas.address).pages
            if most and self._pages[kind, who] >= most:
                raise TooOften(f"{allowed(most, 'open page')} to one {kind}; close one first")
        self._pages.update(names)
        try:
            yield
        finally:
            self._pages.subtract(names)
            for name in names:
                if not self._pages[name]:
                    del self._pages[name]

    @property
    def pages(self) -> int:
        """How many are counted now."""
        return len(self._pages)

    def check_thinking(self, guest: Guest) -> None:
        for kind, who in self.names(guest):
            self._thought[kind].check(who)

    def thought(self, guest: Guest, seconds: float) -> None:
        for kind, who in self.names(guest):
            self._thought[kind].count(who, seconds)

    async def used(self, guest: Guest) -> list[Use]:
        """What an account has used, in the units of its quotas."""
        quota, who = self.quotas.account, guest.account
        kept = select(func.count()).select_from(MatchRow).where(MatchRow.maker == guest.maker, MatchRow.kept)
        return [
            Use("matches", self._limits["account", "matches"].used(who), quota.matches),
            Use("imports", self._limits["account", "imports"].used(who), quota.imports),
            Use("pages", self._pages["account", who], quota.pages),
            Use("thinking", round(self._thought["account"].used(who), 1), quota.thinking),
            Use("storage", round(await self.stored(guest) / MEGABYTE, 2), quota.storage),
            Use("tables", (await self._storage.rows(_under_way(who)))[0][0], self.quotas.tables),
            Use("kept", (await self._storage.rows(kept))[0][0], self.quotas.kept),
        ]

    def names(self, guest: Guest) -> list[tuple[str, str]]:
        """As what somebody is counted: `address` or `account`, and which; as nothing where there are no limits."""
        if self._is_home(guest):
            return []
        return [("address", guest.address), *([("account", guest.account)] if guest.account else [])]

    def _is_home(self, guest: Guest) -> bool:
        return self._only_here and is_loopback(guest.address)


def _under_way(account: str) -> Executable:
    """How many matches among people an account sits at."""
    seats = select(func.count()).select_from(SeatRow).join(TableRow, TableRow.match == SeatRow.match)
    return seats.where(SeatRow.person == account, TableRow.ending == "")


def is_address(name: str) -> bool:
    """Whether it is a number instead of a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"

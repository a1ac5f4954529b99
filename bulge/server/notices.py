"""Telling people who are away: their turn, a clock that runs short, somebody who asks or writes, an end."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Literal

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bulge.core.errors import BulgeError
from bulge.server.delivery import (
    EMAIL,
    PUSH,
    Delivery,
    Gone,
    Notice,
    Undelivered,
    has_push,
    new_push_key,
    public_part,
)
from bulge.server.errors import Unknown
from bulge.server.limits import Limit
from bulge.server.people import Person
from bulge.server.people_rows import ChannelRow, HeldRow, KeptRow, PersonRow
from bulge.server.quiet import Quiet, read_quiet
from bulge.server.settings import Settings
from bulge.server.storage import Storage

log = logging.getLogger("bulge.server")

Event = Literal["clock", "turn", "asked", "ended", "talk"]
TITLES: dict[Event, str] = {
    "clock": "Your time runs short:",
    "turn": "Your turn:",
    "asked": "A question to you:",
    "ended": "Over:",
    "talk": "Written to you:",
}
EXPIRY = "expiry"
"""What will be deleted is told by every way there is."""
CLOCK: Event = "clock"
"""A clock that runs short is never held back."""
EVENTS: tuple[Event, ...] = tuple(TITLES)
"""The most urgent first."""
USUAL: tuple[Event, ...] = EVENTS[:4]
LOOK_EVERY = 60.0
MOST_LINES = 10
"""So many lines of what happened in quiet hours; whoever wants all opens the page."""
MOST_CHANNELS = 10
PAUSE = 600.0
"""So many seconds pass before the same is told of one match again."""
PUSH_KEY = "push key"


class Channel(msgspec.Struct, frozen=True):
    id: str
    kind: str
    target: str
    """Where it leads; of a browser only its push service."""
    events: list[Event]
    confirmed: bool
    failure: str


class Notices:
    def __init__(
        self, storage: Storage, settings: Settings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._storage, self._public, self.clock = storage, settings.public_url, clock
        self.delivery = Delivery(settings)
        self._under_way: set[asyncio.Task[None]] = set()
        self._told: OrderedDict[tuple[str, str, str], float] = OrderedDict()
        self._asking = Limit("too many tests and codes", 10, 3600)

    async def close(self) -> None:
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def push_key(self) -> str:
        """The public half of the key that the servers of one database share; empty where nothing can be pushed."""
        if not has_push():
            return ""
        if not self.delivery.push_key:
            try:
                row = {"name": PUSH_KEY, "value": await asyncio.to_thread(new_push_key)}
                await self._storage.write(insert(KeptRow).values(row))
            except IntegrityError:
                pass  # there is one already
            rows = await self._storage.rows(select(KeptRow.value).where(KeptRow.name == PUSH_KEY))
            self.delivery.push_key = rows[0][0]
        return public_part(self.delivery.push_key)

    # ------------------------------------------------------------------ channels

    async def channels(self, person: Person) -> list[Channel]:
        return [_channel(row) for row in await self._rows(person.id)]

    async def open(self, person: Person, kind: str, target: str) -> Channel:
        """A new way to tell somebody. An address must first say back the code that is sent to it."""
        target = self.delivery.check(kind, target or (person.email if kind == EMAIL else ""))
        if kind == EMAIL and not target:
            raise BulgeError("you have given no e-mail address")
        kept = await self._rows(person.id)
        same = next((row for row in kept if (row.kind, row.target) == (kind, target)), None)
        if same is not None:
            return _channel(same)
        if len(kept) >= MOST_CHANNELS:
            raise BulgeError(f"{MOST_CHANNELS} ways to be told are enough; close one first")
        code = f"{secrets.randbelow(10**6):06}" if kind == EMAIL else ""
        row = {
            "id": secrets.token_hex(8), "person": person.id, "kind": kind, "target": target,
            "events": " ".join(USUAL), "code": code, "failure": "",
        }  # fmt: skip
        if code:
            self._count(person)
            await self._deliver(
                kind, target, Notice("code", f"{code} is your code", f"Type {code} to be told here.", "")
            )
        await self._storage.write(insert(ChannelRow).values(row))
        return _channel(await self._one(person, str(row["id"])))

    async def confirm(self, person: Person, id_: str, code: str) -> Channel:
        row = await self._one(person, id_)
        self._count(person)
        if row.code and not secrets.compare_digest(row.code.encode(), code.encode()):
            raise BulgeError("that is not the code that was sent")
        await self._set(id_, code="")
        return _channel(await self._one(person, id_))

    async def choose(self, person: Person, id_: str, events: Iterable[Event]) -> Channel:
        await self._one(person, id_)
        await self._set(id_, events=" ".join(sorted(set(events))))
        return _channel(await self._one(person, id_))

    async def drop(self, person: Person, id_: str) -> None:
        await self._one(person, id_)
        await self._storage.write(delete(ChannelRow).where(ChannelRow.id == id_))

    async def test(self, person: Person, id_: str) -> None:
        row = await self._one(person, id_)
        if row.code:
            raise BulgeError("first say back the code that was sent there")
        self._count(person)
        await self._deliver(
            row.kind, row.target, Notice("test", "bulge", "So you will be told.", self._address("matches"))
        )
        await self._set(id_, failure="")

    # ------------------------------------------------------------------ telling

    async def quiet_of(self, person: str) -> Quiet | None:
        rows = await self._storage.rows(select(PersonRow.quiet).where(PersonRow.id == person))
        return read_quiet(rows[0][0]) if rows else None

    async def keep_quiet(self, person: Person, quiet: Quiet | None) -> None:
        """In these hours nothing is told; what happens then is told together when they are over."""
        if quiet is not None:
            quiet.check()
        text = msgspec.json.encode(quiet).decode() if quiet else ""
        await self._storage.write(update(PersonRow).where(PersonRow.id == person.id).values(quiet=text))
        if quiet is None:
            await self._storage.write(update(HeldRow).where(HeldRow.person == person.id).values(due=self.clock()))

    def tell(self, people: Iterable[str], event: str, match: str, title: str, words: str) -> None:
        """Send it on the way; nobody waits for it."""
        notice = Notice(event, title, words, self._address(f"match/{match}"))
        for person in people:
            if self._is_new(person, match, event):
                task = asyncio.create_task(self._tell(person, notice))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)

    async def _tell(self, person: str, notice: Notice) -> None:
        """At once, or when it is no longer quiet where they are."""
        try:
            quiet = await self.quiet_of(person)
            until = quiet.until(self.clock()) if quiet and notice.event != CLOCK else None
            if until is not None:
                held = {"id": secrets.token_hex(8), "person": person, "due": until}
                held["notice"] = msgspec.json.encode(notice).decode()
                await self._storage.write(insert(HeldRow).values(held))
                return
            await self._tell_now(person, notice)
        except Exception:
            log.exception("a notice was not sent")

    async def run(self) -> None:
        """For as long as the server runs: tell what has waited."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self.tell_held()
            except Exception:
                log.exception("held notices were not sent")

    async def tell_held(self) -> None:
        """What waited for the end of somebody's quiet hours, several in one."""
        rows = await self._storage.rows(select(HeldRow).where(HeldRow.due <= self.clock()).order_by(HeldRow.due))
        waiting: dict[str, list[Notice]] = {}
        for (row,) in rows:
            waiting.setdefault(row.person, []).append(msgspec.json.decode(row.notice, type=Notice))
            await self._storage.write(delete(HeldRow).where(HeldRow.id == row.id))
        for person, notices in waiting.items():
            await self._tell_now(person, self._gathered(notices))

    def _gathered(self, notices: list[Notice]) -> Notice:
        if len(notices) == 1:
            return notices[0]
        lines = list(dict.fromkeys(f"{notice.title} {notice.words}" for notice in notices))
        shown = lines[:MOST_LINES] + ([f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else [])
        first = min(notices, key=lambda notice: [*EVENTS, notice.event].index(notice.event))
        return Notice(first.event, f"{len(lines)} things happened", "\n".join(shown), self._address("matches"))

    async def _tell_now(self, person: str, notice: Notice) -> None:
        try:
            for row in await self._rows(person):
                if notice.event in (*row.events.split(), EXPIRY) and not row.code:
                    await self._try(row, notice)
        except Exception:
            log.exception("a notice was not sent")

    async def _try(self, row: ChannelRow, notice: Notice) -> None:
        failure = ""
        try:
            await self._send(row.kind, row.target, notice)
        except Gone:
            await self._storage.write(delete(ChannelRow).where(ChannelRow.id == row.id))
            return
        except (Undelivered, BulgeError) as error:
            failure = str(error)
        if failure != row.failure:
            await self._set(row.id, failure=failure)

    def _is_new(self, person: str, match: str, event: str) -> bool:
        now, key = time.monotonic(), (person, match, event)
        if now - self._told.get(key, now - PAUSE) < PAUSE:
            return False
        self._told[key] = now
        while len(self._told) > 10_000:
            self._told.popitem(last=False)
        return True

    # ------------------------------------------------------------------ inside

    async def _send(self, kind: str, target: str, notice: Notice) -> None:
        if kind == PUSH:
            await self.push_key()
        await self.delivery.send(kind, target, notice)

    async def _deliver(self, kind: str, target: str, notice: Notice) -> None:
        """As `_send`; what goes wrong is for whoever asked."""
        try:
            await self._send(kind, target, notice)
        except Undelivered as error:
            raise BulgeError(str(error)) from None

    def _address(self, place: str) -> str:
        return f"{self._public}/#/{place}" if self._public else f"#/{place}"

    def _count(self, person: Person) -> None:
        self._asking.take(person.id)

    async def _rows(self, person: str) -> list[ChannelRow]:
        found = await self._storage.rows(
            select(ChannelRow).where(ChannelRow.person == person).order_by(ChannelRow.id)
        )
        return [row for (row,) in found]

    async def _one(self, person: Person, id_: str) -> ChannelRow:
        found = next((row for row in await self._rows(person.id) if row.id == id_), None)
        if found is None:
            raise Unknown("you are not told by that way")
        return found

    async def _set(self, id_: str, **values: str) -> None:
        await self._storage.write(update(ChannelRow).where(ChannelRow.id == id_).values(values))


def _channel(row: ChannelRow) -> Channel:
    target = row.target
    if row.kind == PUSH:
        target = str(msgspec.json.decode(row.target)["endpoint"])
    events: list[Event] = msgspec.convert(row.events.split(), list[Event])
    return Channel(row.id, row.kind, target, events, not row.code, row.failure)

"""Where matches are kept: SQLite in the user's data folder, or PostgreSQL by a URL.

A match is a row that says how it began, and rows of what was done in it, which are only ever added to. What was
acknowledged is on the disk: SQLite commits with synchronous=FULL, PostgreSQL does so by itself.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import msgspec
from advanced_alchemy.base import DefaultBase
from advanced_alchemy.config import AsyncSessionConfig, EngineConfig, SQLAlchemyAsyncConfig
from advanced_alchemy.types import DateTimeUTC
from alembic.util import CommandError
from sqlalchemy import (
    Executable,
    ForeignKey,
    String,
    Table,
    Text,
    and_,
    bindparam,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Mapped, mapped_column

from bulge.core.errors import BulgeError
from bulge.server.errors import Unreachable
from bulge.server.gathering import Gathering
from bulge.server.people_rows import TableRow
from bulge.server.play import Action, ActionKind, Standing
from bulge.server.schema import bring_up_to_date
from bulge.server.scribe import Scribe

T = TypeVar("T")
log = logging.getLogger("bulge.server")

AWAY = ("08", "53", "57")
"""How the numbers of errors begin in SQL when there is no connection, no room for one, or no server yet."""
NEWS = "bulge"
"""The channel of PostgreSQL by which servers on one database tell each other of changes."""


class Overtaken(Exception):
    """Somebody else (another server on the same database) has gone on with the match."""


class MatchRow(DefaultBase):
    __tablename__ = "bulge_match"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    scenario: Mapped[str] = mapped_column(String(64))
    options: Mapped[str] = mapped_column(Text)
    """JSON."""
    overrides: Mapped[str] = mapped_column(Text)
    seed: Mapped[str] = mapped_column(String(64))
    seats: Mapped[str] = mapped_column(Text)
    """JSON: side to `human` or a level."""
    created: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    # What follows could be worked out from the actions; it is kept so that a list of matches need not replay them.
    turn: Mapped[int]
    to_play: Mapped[str | None] = mapped_column(String(64))
    over: Mapped[bool]
    known_dice: Mapped[bool] = mapped_column(default=False)
    """Whether somebody may know the dice to come: whoever chose the seed, or took the journal away."""
    edition: Mapped[str] = mapped_column(String(16), default="")
    """The data that it was last played with; empty for matches of before this was written down."""
    maker: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Whose quota it counts against: an account, or an address."""
    kept: Mapped[bool] = mapped_column(default=False)
    """Whether somebody wants it never to expire."""
    expires: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    """When it is deleted, once its players were told, if nobody plays on or keeps it."""


class ActionRow(DefaultBase):
    __tablename__ = "bulge_action"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1; that two rows cannot have one number is what keeps two servers from mixing up a match."""
    kind: Mapped[str] = mapped_column(String(8))
    choice: Mapped[str] = mapped_column(Text)
    side: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))


class ReasonRow(DefaultBase):
    """What a computer player had in mind. A match can do without: it is for those who ask."""

    __tablename__ = "bulge_reason"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    why: Mapped[str] = mapped_column(Text)


class TokenRow(DefaultBase):
    __tablename__ = "bulge_token"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True, index=True)
    held: Mapped[bool] = mapped_column(default=False)
    """Whether somebody has sat down with it."""


class Touch(NamedTuple):
    """What a choice changes at a table of people."""

    at: datetime
    last: str
    """What happened, as everybody may read it."""
    sketch: str
    """What its small map is drawn from."""


class Entry(NamedTuple):
    """What is added to the story of a match at a time."""

    match: str
    first: int
    """The number of the first action."""
    actions: Sequence[Action]
    standing: Standing
    edition: str
    touch: Touch | None


# Every choice goes through these. They are made once and name tables: an object for each row would cost the most.
_ADD_ACTIONS = insert(cast("Table", ActionRow.__table__))
_ADD_REASONS = insert(cast("Table", ReasonRow.__table__))
_GO_ON = (
    update(cast("Table", MatchRow.__table__))
    .where(MatchRow.id == bindparam("in_match"))
    .values({name: bindparam(f"new_{name}") for name in ("turn", "to_play", "over", "edition")})
)
_TOUCH = (
    update(cast("Table", TableRow.__table__))
    .where(TableRow.match == bindparam("in_match"))
    .values(offer="", **{name: bindparam(f"new_{name}") for name in ("touched", "last", "sketch")})
)


class Storage:
    def __init__(self, url: str) -> None:
        try:
            self._url = make_url(url)
            self._config = SQLAlchemyAsyncConfig(
                connection_string=url,
                session_config=AsyncSessionConfig(expire_on_commit=False),
                engine_config=EngineConfig(hide_parameters=True),  # seeds and tokens are no matter for a log
            )
            self._engine = self._config.get_engine()
        except (ArgumentError, ImportError, SQLAlchemyError) as error:
            raise BulgeError(f"the database {url.partition('://')[0]}://… cannot be used: {error}") from None
        self._sessions = self._config.create_session_maker()
        self.name = secrets.token_hex(4)
        """This server's, among those on the same database."""
        self.shared = self._engine.dialect.name == "postgresql"
        """Whether other servers may use the same database."""
        # Of its own: whoever holds a lock must not wait for a connection that those have who wait for the lock.
        self._locks = (
            create_async_engine(self._url, hide_parameters=True, pool_pre_ping=True) if self.shared else None
        )
        self._running: set[asyncio.Task[Any]] = set()
        self._away = False
        """Whether the database did not answer when it was last asked."""
        self._scribe: Scribe | None = None
        self._stories = Gathering(self._append_all, spoilt_by=IntegrityError)
        self._writing: AbstractAsyncContextManager[Any] = nullcontext()
        if self._engine.dialect.name == "sqlite":
            self._writing = asyncio.Lock()  # one writer at a time: SQLite would let the others sleep and try again
            event.listen(self._engine.sync_engine, "connect", _make_durable)
            # Stories are written by one thread from beginning to end: to change threads at each step costs more.
            self._scribe = Scribe(self._url.database or "", _make_durable)

    async def open(self) -> None:
        """Find the database as this version wants it, or say in one line why it cannot be used."""
        try:
            if self._engine.dialect.name == "sqlite" and self._url.database:
                _keep_private(Path(self._url.database))
                await asyncio.to_thread(_look_for_damage, Path(self._url.database))
            async with self._engine.begin() as connection:
                await connection.run_sync(bring_up_to_date)
        except (SQLAlchemyError, sqlite3.Error, OSError, BulgeError, CommandError) as error:
            reason = getattr(error, "orig", None) or error
            words = " ".join(str(reason).split()) or type(reason).__name__
            shown = self._url.render_as_string(hide_password=True)
            raise BulgeError(f"the database {shown} cannot be used: {words}") from None

    async def close(self) -> None:
        await asyncio.gather(*self._running, self._stories.close(), return_exceptions=True)
        await self._engine.dispose()
        if self._locks is not None:
            await self._locks.dispose()
        if self._scribe is not None:
            self._scribe.close()

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Let work end even if whoever asked for it goes away: a connection must not be left half used."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        with self._reaching():
            return await asyncio.shield(task)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """A database that is away is told in words to whoever asks, and once to whoever reads the log."""
        try:
            yield
        except (OSError, DBAPIError) as error:
            if not _is_away(error):
                raise
            if not self._away:
                log.error(
                    "the database does not answer: %s", " ".join(str(getattr(error, "orig", error)).split())[:300]
                )
            self._away = True
            raise Unreachable from None
        if self._away:
            log.warning("the database answers again")
        self._away = False

    # ------------------------------------------------------------------ writing

    async def add(self, match: MatchRow, actions: Sequence[Action], tokens: Iterable[tuple[str, str]]) -> None:
        """A new match, whole or not at all."""

        async def work() -> None:
            async with self._writing, self._sessions() as session, session.begin():
                session.add(match)
                await session.flush()
                session.add_all(TokenRow(match=match.id, role=role, digest=digest) for role, digest in tokens)
                await (await session.connection()).run_sync(_add_actions, _rows_of(match.id, 1, actions))

        await self._whole(work())

    async def append(self, entry: Entry) -> None:
        """Add to the story of a match. When this returns, it is on the disk."""
        try:
            with self._reaching():
                await self._stories.add(entry)
        except IntegrityError:
            raise Overtaken from None

    async def _append_all(self, entries: Sequence[Entry]) -> None:
        # In one order everywhere: two servers that wait for each other's matches must not do so for ever.
        entries = sorted(entries, key=lambda entry: entry.match)
        async with self._writing:
            if self._scribe is not None:
                await asyncio.to_thread(_append_by, self._scribe, entries)
                return
            async with self._engine.begin() as connection:
                await connection.run_sync(_append, entries)
                news = msgspec.json.encode({"server": self.name, "changed": [entry.match for entry in entries]})
                await connection.execute(select(func.pg_notify(NEWS, news.decode())))

    async def hold(self, match: str, role: str) -> None:
        """Somebody has sat down with the link of this role."""
        await self.write(update(TokenRow).where(TokenRow.match == match, TokenRow.role == role).values(held=True))

    async def tell_dice(self, match: str) -> None:
        """Somebody has taken the seed away."""
        await self.write(update(MatchRow).where(MatchRow.id == match).values(known_dice=True))

    async def write(self, statement: Executable) -> None:
        await self.together(lambda session: session.execute(statement))

    async def together(self, work: Callable[[AsyncSession], Awaitable[object]]) -> None:
        """Reads and writes that stand or fall together."""

        async def whole() -> None:
            async with self._writing, self._sessions() as session, session.begin():
                await work(session)

        await self._whole(whole())

    # ------------------------------------------------------------------ with other servers

    @asynccontextmanager
    async def alone(self, match: str) -> AsyncIterator[None]:
        """No other server changes the table of this match meanwhile."""
        if self._locks is None:
            yield
            return
        with self._reaching():
            async with self._locks.begin() as connection:
                await connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(match, 1))))
                yield

    async def with_line(self, use: Callable[[Any], Awaitable[None]]) -> None:
        """Use a connection of PostgreSQL's driver itself, which alone can listen."""
        assert self._locks is not None
        async with self._locks.connect() as connection:
            try:
                await use((await connection.get_raw_connection()).driver_connection)
            finally:
                await connection.invalidate()  # it listens, or is cut: nobody else can use it

    # ------------------------------------------------------------------ reading

    async def rows(self, query: Executable) -> Sequence[Any]:
        async def work() -> Sequence[Any]:
            async with self._sessions() as session:
                found: Sequence[Any] = (await session.execute(query)).all()
                return found

        return await self._whole(work())

    async def match(self, id_: str) -> MatchRow | None:
        rows = await self.rows(select(MatchRow).where(MatchRow.id == id_))
        return rows[0][0] if rows else None

    async def actions(self, match: str, after: int = 0) -> list[Action]:
        """Its story, or what came after so many actions."""
        query = select(ActionRow.kind, ActionRow.choice, ActionRow.side, ReasonRow.why).where(
            ActionRow.match == match, ActionRow.number > after
        )
        reasons = and_(ReasonRow.match == ActionRow.match, ReasonRow.number == ActionRow.number)
        rows = await self.rows(query.outerjoin(ReasonRow, reasons).order_by(ActionRow.number))
        return [Action(cast("ActionKind", kind), choice, side, why or "") for kind, choice, side, why in rows]

    async def tokens(self, match: str) -> list[tuple[str, str]]:
        rows = await self.rows(select(TokenRow.role, TokenRow.digest).where(TokenRow.match == match))
        return [(role, digest) for role, digest in rows]

    async def held(self, match: str) -> list[str]:
        """The roles with which somebody has sat down."""
        rows = await self.rows(select(TokenRow.role).where(TokenRow.match == match, TokenRow.held))
        return [role for (role,) in rows]

    async def with_tokens(self, digests: Sequence[str]) -> list[MatchRow]:
        """The matches that these tokens open, the newest first."""
        opened = select(TokenRow.match).where(TokenRow.digest.in_(digests))
        query = select(MatchRow).where(MatchRow.id.in_(opened)).order_by(MatchRow.created.desc())
        return [row[0] for row in await self.rows(query)]


def _is_away(error: OSError | DBAPIError) -> bool:
    if isinstance(error, OSError | OperationalError | InterfaceError):
        return True
    return error.connection_invalidated or str(getattr(error.orig, "sqlstate", ""))[:2] in AWAY


def _rows_of(match: str, first: int, actions: Sequence[Action]) -> list[dict[str, Any]]:
    now = datetime.now(UTC)
    return [
        {
            "match": match, "number": number, "kind": action.kind, "choice": action.choice, "side": action.side,
            "at": now, "why": action.why,
        }
        for number, action in enumerate(actions, start=first)
    ]  # fmt: skip


class _Executes(Protocol):
    def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]], /) -> object: ...


def _append_by(scribe: Scribe, entries: Sequence[Entry]) -> None:
    with scribe.begin():
        _append(scribe, entries)


def _append(connection: _Executes, entries: Sequence[Entry]) -> None:
    rows = [row for entry in entries for row in _rows_of(entry.match, entry.first, entry.actions)]
    _add_actions(connection, rows)
    connection.execute(_GO_ON, [_standing_row(entry) for entry in entries])
    touches = [_touch_row(entry.match, entry.touch) for entry in entries if entry.touch]
    if touches:
        connection.execute(_TOUCH, touches)


def _add_actions(connection: _Executes, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    names = ("match", "number", "kind", "choice", "side", "at")
    connection.execute(_ADD_ACTIONS, [{name: row[name] for name in names} for row in rows])
    reasons = [{name: row[name] for name in ("match", "number", "why")} for row in rows if row["why"]]
    if reasons:
        connection.execute(_ADD_REASONS, reasons)


def _standing_row(entry: Entry) -> dict[str, Any]:
    turn, to_play, over = entry.standing.turn, entry.standing.to_play, entry.standing.over
    new = {"new_turn": turn, "new_to_play": to_play, "new_over": over, "new_edition": entry.edition}
    return {"in_match": entry.match, **new}


def _touch_row(match: str, touch: Touch) -> dict[str, Any]:
    new = {"new_touched": touch.at, "new_last": touch.last, "new_sketch": touch.sketch}
    return {"in_match": match, **new}


def _keep_private(file: Path) -> None:
    """Seeds are in it: on a machine with several users, the others need not read the dice to come."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.chmod(0o600)  # what SQLite writes beside it gets the same


def _look_for_damage(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise BulgeError(f"it is damaged ({found}); put back a copy of it, or name another")


def _make_durable(connection: Any, _record: Any = None) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def prepare(url: str) -> None:
    """Bring a database up to date before anybody relies on it."""
    storage = Storage(url)
    try:
        await storage.open()
    finally:
        await storage.close()

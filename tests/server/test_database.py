"""A database that is damaged, older, newer or out of reach: one clear line; and files that nobody else reads."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from litestar.exceptions import WebSocketDisconnect
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from bulge.core.errors import BulgeError
from bulge.server.play import Action, Standing
from bulge.server.settings import Settings
from bulge.server.storage import ActionRow, Entry, Overtaken, Storage, prepare
from tests.cli.conftest import Bulge, bulge, home
from tests.server.databases import Databases
from tests.server.guest import Client, Guest, begun
from tests.server.serving import serving
from tests.server.table import Table

__all__ = ["bulge", "home"]  # fixtures of the command line

OLD = """
create table bulge_match (id varchar(32) primary key, game varchar(64) not null, scenario varchar(64) not null,
 options text not null, overrides text not null, seed varchar(64) not null, seats text not null,
 created timestamp not null, turn integer not null, to_play varchar(64), over boolean not null);
create table bulge_action (match varchar(32) references bulge_match (id), number integer not null,
 kind varchar(8) not null, choice text not null, side varchar(64) not null, at timestamp not null,
 primary key (match, number));
create table bulge_reason (match varchar(32) references bulge_match (id), number integer not null,
 why text not null, primary key (match, number));
create table bulge_token (match varchar(32) references bulge_match (id), role varchar(64) not null,
 digest varchar(64) not null, primary key (match, role));
create unique index ix_bulge_token_digest on bulge_token (digest);
insert into bulge_match values ('m', 'ford', 'bridge', '{}', '', '00', '{}', '2026-01-01 00:00:00', 1, 'Blue', 0);
"""
"""As the first version made it, before databases said their version."""

BEFORE_THE_GALLERY = """
drop table bulge_side;
alter table bulge_person drop column hidden;
alter table bulge_talk drop column gallery;
alter table bulge_note drop column shared;
alter table bulge_table drop column sketch;
drop index ix_bulge_talk_name;
drop index ix_bulge_note_person;
update alembic_version set version_num = '0010';
"""
"""Takes away what later versions added."""


def sqlite_url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def damage(file: Path) -> None:
    asyncio.run(prepare(sqlite_url(file)))
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript("create table t (x); create index i on t (x);")
        database.executemany("insert into t values (?)", ((str(n) * 50,) for n in range(2000)))
    data = bytearray(file.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 9000] = b"\xff" * 9000
    file.write_bytes(data)


def refused(bulge: Bulge, database: str) -> str:
    outcome = bulge("serve", "--no-open", "--database", database)
    assert outcome.code == 2
    assert len(outcome.err.strip().splitlines()) == 1
    assert "Traceback" not in outcome.err
    return outcome.err


def test_a_damaged_file_is_refused_in_one_line(bulge: Bulge, tmp_path: Path) -> None:
    damage(tmp_path / "damaged.sqlite")
    assert "damaged" in refused(bulge, str(tmp_path / "damaged.sqlite"))
    (tmp_path / "text.sqlite").write_text("this is no database at all, but a text of some length" * 50)
    assert "not a database" in refused(bulge, str(tmp_path / "text.sqlite"))
    (tmp_path / "folder").mkdir()
    assert "cannot be used" in refused(bulge, str(tmp_path / "folder"))


def test_a_server_out_of_reach_is_named_without_its_password(bulge: Bulge) -> None:
    words = refused(bulge, "postgresql://me:hush@127.0.0.1:1/db")
    assert "127.0.0.1:1/db cannot be used" in words
    assert "hush" not in words


def test_a_newer_database_is_refused(bulge: Bulge, tmp_path: Path) -> None:
    file = tmp_path / "newer.sqlite"
    asyncio.run(prepare(sqlite_url(file)))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("update alembic_version set version_num = '9999'")
    assert "newer version" in refused(bulge, str(file))


def test_an_older_database_is_brought_up_to_date_and_keeps_its_matches(tmp_path: Path) -> None:
    file = tmp_path / "older.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(OLD)

    async def find() -> tuple[str, bool]:
        storage = Storage(sqlite_url(file))
        await storage.open()
        await storage.open()
        row = await storage.match("m")
        await storage.close()
        assert row is not None
        return row.game, row.known_dice

    assert asyncio.run(find()) == ("ford", False)


def test_a_match_from_before_the_gallery_goes_on_with_what_came_since(quick: Settings) -> None:
    with serving(quick) as client:
        anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
        table = begun(anne, bob)
        anne.done("POST", f"/tables/{table}/talk", {"words": "hello"})
        anne.done("PUT", f"/tables/{table}/notes/1", {"words": "hold the bridge"})
    with closing(sqlite3.connect(quick.database.partition("///")[2])) as database, database:
        database.executescript(BEFORE_THE_GALLERY)
    with serving(quick) as client:
        anne.client = bob.client = client
        carl = Guest(client, "Carl")
        (row,) = carl.done("GET", "/tables")
        assert (row["map"], row["hidden"]) == (None, [])
        assert carl.done("GET", f"/tables/{table}/talk") == [], "what players said stays theirs"
        carl.done("POST", f"/tables/{table}/talk", {"words": "well"})
        anne.done("POST", f"/tables/{table}/resign")
        said = [(line["words"], line["gallery"]) for line in bob.done("GET", f"/tables/{table}/talk")]
        assert said == [("hello", False), ("well", True)]
        assert bob.done("GET", f"/tables/{table}/shared") == [], "a note of then is nobody else's"
        (record,) = bob.done("GET", "/people/Bob")["records"]
        assert (record["won"], [side["won"] for side in record["sides"]]) == (1, [1])


def test_what_somebody_said_is_found_without_reading_what_all_said(tmp_path: Path) -> None:
    """It is added up whenever they say more: with all that was ever said, that took longer for everybody."""
    file = tmp_path / "matches.sqlite"
    asyncio.run(prepare(sqlite_url(file)))
    with closing(sqlite3.connect(file)) as database:
        for table, column in (("bulge_talk", "name"), ("bulge_note", "person")):
            (*_, plan), *_ = database.execute(f"explain query plan select * from {table} where {column} = 'x'")
            assert "USING INDEX" in plan


def test_two_servers_may_start_at_once_on_postgresql(databases: Databases) -> None:
    url = databases.fresh_postgresql()

    async def both() -> None:
        await asyncio.gather(prepare(url), prepare(url))

    asyncio.run(both())


def test_its_files_are_private_to_their_owner(tmp_path: Path) -> None:
    file = tmp_path / "new" / "matches.sqlite"
    (tmp_path / "old.sqlite").touch(mode=0o644)

    async def use() -> list[Path]:
        storage, other = Storage(sqlite_url(file)), Storage(sqlite_url(tmp_path / "old.sqlite"))
        await storage.open()
        await other.open()
        found = [*file.parent.iterdir(), *tmp_path.glob("old.sqlite*")]
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in found}
        assert set(modes.values()) == {0o600}, modes
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        await storage.close()
        await other.close()
        return found

    assert len(asyncio.run(use())) >= 2


def test_a_statement_that_fails_does_not_tell_its_parameters(database: str) -> None:
    async def fail() -> str:
        storage = Storage(database)
        await storage.open()
        try:
            async with storage._engine.begin() as connection:
                await connection.execute(text("insert into nowhere values (:seed)"), {"seed": "c0ffee"})
        except SQLAlchemyError as error:
            return str(error)
        finally:
            await storage.close()
        return ""

    words = asyncio.run(fail())
    assert "nowhere" in words
    assert "c0ffee" not in words


def test_a_url_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(BulgeError, match="cannot be used"):
        Storage("nonsense")


def test_a_database_that_goes_away_is_told_in_words_and_logged_once(
    client: Client, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every request while it was away filled the log with six kilobytes, and was answered as a fault of ours."""
    storage = client.app.state.hub.storage

    def refused() -> None:
        raise ConnectionRefusedError(111, "Connect call failed")

    async def closed(_: object) -> None:
        raise OperationalError("insert", {}, Exception("connection was closed"))

    with table.page() as page:
        with monkeypatch.context() as away:
            away.setattr(storage, "_sessions", refused)
            away.setattr(storage._stories, "_write", closed)
            for _ in range(3):
                answer = client.get("/api/health")
                assert (answer.status_code, "does not answer" in answer.json()["words"]) == (503, True)
            told = page.ask("choose", id="B1")
            assert (told["type"], "does not answer" in told["words"]) == ("error", True)
            with pytest.raises(WebSocketDisconnect, match="does not answer"), table.page():
                pass
        page.ask("choose", id="B1")
        assert page.state["n"] == 1
    assert client.get("/api/health").status_code == 200
    said = [record.getMessage() for record in caplog.records if record.name == "bulge.server"]
    assert [words.partition(":")[0] for words in said] == [
        "the database does not answer",
        "the database answers again",
    ]
    assert not any(record.exc_info for record in caplog.records)


def test_what_the_driver_alone_writes_is_read_as_anything_else(client: Client, table: Table) -> None:
    before = datetime.now(UTC)
    with table.page() as page:
        page.ask("choose", id="B1")
    storage: Storage = client.app.state.hub.storage
    ((match, number, at),) = client.blocking_portal.call(
        storage.rows, select(ActionRow.match, ActionRow.number, ActionRow.at)
    )
    assert (match, number) == (table.id, 1)
    assert before <= at <= datetime.now(UTC)
    again = Entry(table.id, 1, [Action("choose", "B2", "Blue")], Standing(1, "Blue", False), "", None)
    with pytest.raises(Overtaken):
        client.blocking_portal.call(storage.append, again)
    assert [action.choice for action in client.blocking_portal.call(storage.actions, table.id)] == ["B1"]

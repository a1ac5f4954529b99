"""A server of its own for every test, on a fresh database."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from anyio import sleep
from argon2 import PasswordHasher

from bulge.server.settings import Settings
from tests.server.databases import Databases
from tests.server.guest import Client, Guest
from tests.server.serving import serving
from tests.server.table import Table


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    with Databases() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'matches.sqlite'}"
    return databases.fresh_postgresql()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'matches.sqlite'}"


@pytest.fixture
def settings(database: str, maps: Path, tmp_path: Path) -> Settings:
    return Settings(database=database, cache=maps, static=page_in(tmp_path))


@pytest.fixture
def quick(sqlite: str, maps: Path, tmp_path: Path) -> Settings:
    """For what has nothing to do with the kind of database."""
    return Settings(database=sqlite, cache=maps, static=page_in(tmp_path))


def page_in(tmp_path: Path) -> Path:
    """A page to be served, and beside it a file that is not."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True, exist_ok=True)
    (static / "index.html").write_text("<!doctype html><title>the page</title>")
    (static / "assets" / "app.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("do not tell")
    return static


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open page of a test client looks for messages again and again; without a pause, it takes a processor."""
    monkeypatch.setattr("litestar.testing.websocket_test_session.sleep", lambda _: sleep(0.001))


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash takes a fifth of a second, so that guessing takes long; the hundreds of guests here need not wait."""
    monkeypatch.setattr(
        "argon2.PasswordHasher", partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    )


@pytest.fixture
def client(quick: Settings) -> Iterator[Client]:
    with serving(quick) as found:
        yield found


@pytest.fixture
def any_client(settings: Settings) -> Iterator[Client]:
    with serving(settings) as found:
        yield found


@pytest.fixture
def table(client: Client) -> Table:
    """A match of The Ford, both sides people."""
    return Table.make(client, {"game": "ford", "seed": "a test"})


@pytest.fixture
def anne(client: Client) -> Guest:
    return Guest(client, "Anne")


@pytest.fixture
def bob(client: Client) -> Guest:
    return Guest(client, "Bob")

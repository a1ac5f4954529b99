"""`bulge backup` and `bulge restore`: all matches and people in one file, while the server runs."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from bulge.cli.serve import database_url
from bulge.cli.serve_settings import read_settings
from bulge.core.errors import BulgeError

Database = Annotated[
    str | None, typer.Option(metavar="URL", envvar="BULGE_DATABASE", help="The database, if not the usual one.")
]

SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", envvar="BULGE_SETTINGS", help="The settings of the server."),
]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the copy.", show_default=False)],
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Copy the database of the server to FILE; the server may go on meanwhile."""
    source = _file_of(chosen_database(database, settings))
    if file.exists():
        raise BulgeError(f"{file} is there already; name another file")
    _copy(source, file)
    typer.echo(f"Wrote {file}. bulge restore {file} brings it back.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by bulge backup.", show_default=False)],
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Put a copy back where the server looks for its database; what was there is kept beside it."""
    from bulge.server.storage import prepare

    if not file.exists():
        raise BulgeError(f"there is no file {file}")
    place = _file_of(chosen_database(database, settings, must_exist=False))
    part = place.with_name(f"{place.name}.restored")
    part.unlink(missing_ok=True)
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _copy(file, part)
    asyncio.run(prepare(f"sqlite+aiosqlite:///{part}"))
    if place.exists():
        before = place.with_name(f"{place.name}.before")
        before.unlink(missing_ok=True)
        _copy(place, before)
        typer.echo(f"What was there is now {before}.")
    for beside in ("-wal", "-shm"):
        for name in (place, part):
            name.with_name(name.name + beside).unlink(missing_ok=True)
    part.replace(place)
    typer.echo(f"Restored {place}.")


def chosen_database(database: str | None, settings: Path | None, *, must_exist: bool = True) -> str:
    """The URL of the database that a server started so would use; one in a file must be there already."""
    from sqlalchemy.engine import make_url

    from bulge.server.settings import default_database

    named = database or read_settings(settings).database
    url = database_url(named) if named else default_database()
    file = make_url(url).database
    if must_exist and url.startswith("sqlite") and not Path(file or "").exists():
        raise BulgeError(f"there is no database {file}")
    return url


def _file_of(database: str) -> Path:
    from sqlalchemy.engine import make_url

    url = make_url(database)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise BulgeError("this is for databases in a file; PostgreSQL has pg_dump and pg_restore for it")
    return Path(url.database)


def _copy(source: Path, target: Path) -> None:
    """As a whole, whatever is written to the source meanwhile; private to its owner."""
    try:
        target.touch(mode=0o600)
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            found = old.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(f"it is damaged ({found})")
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
    except (sqlite3.Error, OSError) as error:
        target.unlink(missing_ok=True)
        raise BulgeError(f"{source} cannot be copied: {error}") from None

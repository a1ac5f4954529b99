"""Statements written into a file of SQLite by the driver alone: with SQLAlchemy they cost three times as much."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError, OperationalError


class Scribe:
    """One connection, used by one thread at a time. It fails as SQLAlchemy would."""

    def __init__(self, file: str, prepare: Callable[[sqlite3.Connection], None]) -> None:
        self._file, self._prepare = file, prepare
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def begin(self) -> Iterator[None]:
        """All that is executed within is on the disk afterwards, or nothing of it."""
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._file, check_same_thread=False)
                self._prepare(self._connection)
            with self._connection:
                yield
        except sqlite3.IntegrityError as error:
            raise IntegrityError(None, None, error) from None
        except sqlite3.OperationalError as error:
            raise OperationalError(None, None, error) from None

    def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]], /) -> None:
        assert self._connection is not None
        sql, fixed = _compiled(statement)
        self._connection.executemany(sql, [{**fixed, **_plain(row)} for row in rows])

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@cache
def _compiled(statement: Any) -> tuple[str, dict[str, Any]]:
    """A statement in the words of SQLite, and the values that it brings itself."""
    compiled = statement.compile(dialect=sqlite.dialect(paramstyle="named"))
    return str(compiled), dict(compiled.params)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Times as SQLAlchemy writes them."""
    return {
        name: value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime) else value
        for name, value in row.items()
    }

"""Facts as data: tables of rows, each with its source, and a player's own overrides laid on top.

A game's tables are CSV or TOML files beside its code. Every row says where it comes from: `rulebook 13.9`,
`errata`, `history`, or `reconstructed: why`. An overrides file changes single fields of single rows:

    [the_bulge.units.SSP]
    factor = 4
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from bulge.core.errors import BadData
from bulge.core.ranges import Column, columns_of
from bulge.core.tables import ResultsTable, results_table

MOST_TEXT = 100_000
MOST_LINES = 5_000
MOST_DOTS = 16
"""An overrides file is no longer than this, and no line of it has more dots: deep keys take long to read."""

SOURCES = ("rulebook", "errata", "history", "geography", "reconstructed", "ours", "override")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of every row of data."""

    id: str
    source: str
    """Begins with one of SOURCES; the rest says which rule, or on what grounds."""

    @property
    def reconstructed(self) -> bool:
        return self.source.startswith("reconstructed")


R = TypeVar("R", bound=Row)
T = TypeVar("T")


class ResultRow(Row, frozen=True, kw_only=True):
    """A row of a results table: the die is its id, the results stand by their column's heading."""

    results: dict[str, str]


class DataTable(Generic[R]):
    """The rows of one file, by id, in the file's order."""

    def __init__(self, name: str, rows: list[R]) -> None:
        self.name = name
        self.rows = {row.id: row for row in rows}

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows.values())

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, id_: str) -> R:
        return self.rows[id_]


class Overrides:
    """A player's corrections, for owners of a printed copy."""

    def __init__(self, text: str = "", name: str = "the overrides") -> None:
        self.text, self.name = text, name
        self._keep_to_budget(text)
        try:
            self._tree: dict[str, Any] = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise BadData(f"{name} is not proper TOML: {error}") from None
        self._used: set[tuple[str, str]] = set()

    def _keep_to_budget(self, text: str) -> None:
        lines = text.splitlines()
        if len(text) > MOST_TEXT or len(lines) > MOST_LINES:
            raise BadData(f"{self.name} is too long: {MOST_LINES} lines, {MOST_TEXT} characters at most")
        for number, line in enumerate(lines, start=1):
            if line.count(".") > MOST_DOTS:
                raise BadData(f"{self.name} has more than {MOST_DOTS} dots in line {number}")

    @classmethod
    def read(cls, path: Path) -> Overrides:
        try:
            with path.open(encoding="utf-8") as file:
                return cls(file.read(MOST_TEXT + 1), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise BadData(f"{path} cannot be read: {error}") from None

    def games(self) -> list[str]:
        return list(self._tree)

    def table(self, game: str, table: str) -> Mapping[str, Mapping[str, Any]]:
        """The changes to one table, by row."""
        self._used.add((game, table))
        found = self._section(self._section(self._tree, game), table)
        if not all(isinstance(fields, dict) for fields in found.values()):
            raise BadData(f"{self.name}: [{game}.{table}] must hold rows, each with the fields to change")
        return found

    def _section(self, tree: Mapping[str, Any], key: str) -> dict[str, Any]:
        found = tree.get(key, {})
        if not isinstance(found, dict):
            raise BadData(f"{self.name}: {key!r} must be a section, not a value")
        return found

    def complain_of_unused(self, game: str) -> None:
        """Refuse a table that the game does not have: a misspelt override must not pass silently."""
        for table in self._section(self._tree, game):
            if (game, table) not in self._used:
                known = ", ".join(sorted(name for of, name in self._used if of == game))
                raise BadData(f"{self.name}: {game} has no table {table!r}; it has: {known}")


class GameData:
    """Loads the tables of one game, overrides applied, and remembers them for `bulge data`."""

    def __init__(self, game: str, folder: Traversable, overrides: Overrides | None = None) -> None:
        self.game, self.folder = game, folder
        self.overrides = overrides or Overrides()
        self.tables: dict[str, DataTable[Any]] = {}

    def rows(self, file: str, row: type[R]) -> DataTable[R]:
        """Read `file` (CSV, or TOML with one section a row) as rows of this type."""
        name = file.rpartition(".")[0]
        raw = self._read_csv(file) if file.endswith(".csv") else self._read_toml(file)
        printed = [self._row(file, row, fields) for fields in raw]
        changes = dict(self.overrides.table(self.game, name))
        columns = columns_of(row, printed) if changes else {}
        rows = [
            self._changed(file, fields, made, columns, changes.pop(made.id)) if made.id in changes else made
            for fields, made in zip(raw, printed, strict=True)
        ]
        self._complain_of_unknown(name, changes)
        table = self.tables[name] = self._table(file, rows)
        return table

    def results(self, file: str) -> ResultsTable:
        """Read a results table: a CSV file with a row a die, and the printed headings for its columns."""
        reader = csv.DictReader(io.StringIO(self._text(file)))
        headings = [key for key in reader.fieldnames or () if key not in ("id", "source")]
        name = file.rpartition(".")[0]
        raw = [
            {
                "id": fields.get("id"),
                "source": fields.get("source") or "",
                "results": {heading: fields[heading] or "" for heading in headings},
            }
            for fields in reader
        ]
        printed = [self._row(file, ResultRow, fields) for fields in raw]
        changes = dict(self.overrides.table(self.game, name))
        columns = columns_of(ResultRow, printed) if changes else {}
        rows = []
        for fields, made in zip(raw, printed, strict=True):
            change = changes.pop(made.id, None)
            for heading in change or ():
                if heading not in headings:
                    raise BadData(f"{self.overrides.name}: {self.game}.{name} has no column {heading!r}")
            results = {"results": made.results | dict(change or {})}
            rows.append(self._changed(file, fields, made, columns, results) if change else made)
        self._complain_of_unknown(name, changes)
        self.tables[name] = self._table(file, rows)
        return results_table(headings, [[row.results[heading] for heading in headings] for row in rows])

    def _complain_of_unknown(self, table: str, left: Mapping[str, Any]) -> None:
        for id_ in left:
            raise BadData(f"{self.overrides.name}: {self.game}.{table} has no row {id_!r}")

    def _table(self, file: str, rows: list[R]) -> DataTable[R]:
        table = DataTable(file.rpartition(".")[0], rows)
        if len(table) != len(rows):
            raise BadData(f"{file} of {self.game} gives one id to two rows")
        return table

    def _row(self, file: str, row: type[R], fields: dict[str, Any]) -> R:
        return self._converted(f"{file} of {self.game}, row {fields.get('id')!r}", row, fields, strict=False)

    def _changed(
        self, file: str, fields: dict[str, Any], row: R, columns: Mapping[str, Column], change: Mapping[str, Any]
    ) -> R:
        """A row with an override laid over it, which keeps to the kinds and ranges of its columns."""
        where = f"{self.overrides.name}, {self.game}.{file.rpartition('.')[0]}.{row.id}"
        if "id" in change:
            raise BadData(f"{where}: the id of a row cannot be changed")
        fields = fields | dict(change) | {"source": f"override: {self.overrides.name}"}
        made = self._converted(where, type(row), fields, strict=file.endswith(".toml"))
        for name in change.keys() - {"source"}:
            try:
                columns[name].check(getattr(made, name), getattr(row, name))
            except BadData as error:
                raise BadData(f"{where}: {error}") from None
        return made

    def _converted(self, where: str, row: type[R], fields: dict[str, Any], *, strict: bool) -> R:
        try:
            made = msgspec.convert(fields, row, strict=strict)
        except msgspec.ValidationError as error:
            known = ", ".join(row.__struct_encode_fields__)
            raise BadData(f"{where}: {error} (fields: {known})") from None
        if not made.source.startswith(SOURCES):
            raise BadData(f"{where}: the source must begin with one of {', '.join(SOURCES)}")
        return made

    def _read_csv(self, file: str) -> list[dict[str, Any]]:
        reader = csv.DictReader(io.StringIO(self._text(file)))
        return [{key: value for key, value in row.items() if value not in ("", None)} for row in reader]

    def _read_toml(self, file: str) -> list[dict[str, Any]]:
        try:
            tree = tomllib.loads(self._text(file))
        except tomllib.TOMLDecodeError as error:
            raise BadData(f"{file} of {self.game} is not proper TOML: {error}") from None
        for id_, fields in tree.items():
            if not isinstance(fields, dict):
                raise BadData(f"{file} of {self.game}: {id_!r} must be a section, not a value")
        return [{"id": id_, **fields} for id_, fields in tree.items()]

    def _text(self, file: str) -> str:
        try:
            return (self.folder / file).read_text("utf-8")
        except FileNotFoundError:
            raise BadData(f"{self.game} lacks its file {file}") from None


def read_toml(folder: Traversable, file: str, type_: type[T]) -> T:
    """A file of a game's folder that is all one thing of this type."""
    try:
        return msgspec.convert(tomllib.loads((folder / file).read_text("utf-8")), type_)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, FileNotFoundError) as error:
        raise BadData(f"{file} of {folder.name} cannot be read: {error}") from None

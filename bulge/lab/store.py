"""The folder of a run: its plan, its parts while it is under way, and at the end one Parquet file, a row a game.

A part is written beside its place and then renamed, so a part that is there is whole, whenever the run was killed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

import msgspec

from bulge.core.errors import BulgeError
from bulge.core.journal import save as save_journal
from bulge.lab.extras import needed
from bulge.lab.locking import LOCK
from bulge.lab.plan import FORMAT, VERSION, Plan, Played

PLAN, RESULTS, PARTS, JOURNALS = "run.json", "results.parquet", "parts", "journals"
UNFINISHED = ".tmp"


class Folder:
    """A run on the disk."""

    def __init__(self, path: Path, plan: Plan, sides: Sequence[str]) -> None:
        """Open the folder for this plan; one that holds another run is refused."""
        self.path = path
        self.plan = plan
        self._arrow = needed("pyarrow", "lab", "bulge sim")
        self._parquet = needed("pyarrow.parquet", "lab", "bulge sim")
        self._schema = schema_of(sides)
        if path.exists() and not path.is_dir():
            raise BulgeError(f"{path} is not a folder")
        if (path / PLAN).exists():
            _refuse_another(path, read_plan(path), plan)
        elif path.exists() and any(found.suffix != UNFINISHED and found.name != LOCK for found in path.iterdir()):
            raise BulgeError(
                f"{path} holds other things than a run; name an empty folder, or one that is not there"
            )
        else:
            path.mkdir(parents=True, exist_ok=True)
            with whole_or_not_at_all(path / PLAN) as file:
                file.write(msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")

    @property
    def complete(self) -> bool:
        return (self.path / RESULTS).exists()

    # ------------------------------------------------------------------ parts

    def games_of(self, part: int) -> range:
        size = self.plan.part_size
        return range(part * size, min((part + 1) * size, self.plan.total))

    @property
    def parts(self) -> range:
        return range(-(-self.plan.total // self.plan.part_size))

    def missing(self) -> list[int]:
        """The games that are still to be played, in order."""
        if self.complete:
            return []
        return [game for part in self.parts if not self._part(part).exists() for game in self.games_of(part)]

    def _part(self, part: int) -> Path:
        return self.path / PARTS / f"part-{part:05}.parquet"

    def keep(self, part: int, played: Sequence[Played]) -> None:
        """Put a whole part on the disk; its journals first, so that a part that is there has them."""
        for one in played:
            if one.journal is not None:
                save_journal(one.journal, self.journal(one.place))
        (self.path / PARTS).mkdir(exist_ok=True)
        rows = [
            msgspec.to_builtins(one.row, builtin_types=(bytes,)) for one in sorted(played, key=attrgetter("place"))
        ]
        self._write_table(self._part(part), [self._arrow.Table.from_pylist(rows, schema=self._schema)])

    def journal(self, place: int) -> Path:
        return journal_file(self.path, self.plan, place)

    def finish(self) -> None:
        """Join the parts in the order of the games; after that they are no longer needed."""
        if not self.complete:
            self._write_table(self.path / RESULTS, map(self._read_part, self.parts))
        for part in self.parts:
            self._part(part).unlink(missing_ok=True)
        for left_over in self.path.rglob(f"*{UNFINISHED}"):
            left_over.unlink()
        if (self.path / PARTS).exists():
            (self.path / PARTS).rmdir()

    def _read_part(self, part: int) -> Any:
        file = self._part(part)
        try:
            return self._parquet.read_table(file)
        except (self._arrow.ArrowException, OSError) as error:
            raise BulgeError(
                f"{file} cannot be read, it may be damaged: {error}; "
                "delete it, and the same command again plays its games anew"
            ) from None

    def _write_table(self, path: Path, tables: Iterable[Any]) -> None:
        with (
            whole_or_not_at_all(path) as file,
            self._parquet.ParquetWriter(file, self._schema, compression="zstd") as writer,
        ):
            for table in tables:
                writer.write_table(table)


class Collector:
    """Takes games in whatever order they come, and keeps each part as soon as it is whole."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._waiting: dict[int, list[Played]] = {}

    def take(self, played: Played) -> None:
        part = played.place // self._folder.plan.part_size
        waiting = self._waiting.setdefault(part, [])
        waiting.append(played)
        if len(waiting) == len(self._folder.games_of(part)):
            self._folder.keep(part, self._waiting.pop(part))


def schema_of(sides: Sequence[str]) -> Any:
    """The columns of the results; see Row for what they say."""
    pa = needed("pyarrow", "lab", "bulge sim")
    tally = [("side", pa.string()), ("result", pa.string()), ("expected", pa.float64()), ("actual", pa.int32())]
    return pa.schema(
        [
            ("scenario", pa.string()),
            ("number", pa.int32()),
            ("seed", pa.string()),
            ("winner", pa.string()),
            ("ending", pa.string()),
            ("rule", pa.string()),
            ("points", pa.int32()),
            ("turns", pa.list_(pa.int32())),
            ("days", pa.list_(pa.int32())),
            ("score", pa.list_(pa.int32())),
            ("deepest", pa.list_(pa.float64())),
            ("towns", pa.list_(pa.list_(pa.string()))),
            ("front", pa.list_(pa.binary())),
            ("losses", pa.struct([(side, pa.list_(pa.int32())) for side in sides])),
            ("counts", pa.list_(pa.struct([("what", pa.string()), ("by_turn", pa.list_(pa.int32()))]))),
            ("rolls", pa.list_(pa.struct(tally))),
            ("luck", pa.struct([(side, pa.float64()) for side in sides])),
            ("decisions", pa.int32()),
            ("dice", pa.int32()),
            ("seconds", pa.float64()),
        ]
    )


def journal_file(path: Path, plan: Plan, place: int) -> Path:
    """Where a run keeps the journal of the game at a place in it."""
    scenario, number = plan.game_at(place)
    return path / JOURNALS / f"{scenario}-{number:05}.json"


def read_plan(path: Path) -> Plan:
    """The plan of the run in a folder."""
    file = path / PLAN
    try:
        raw = msgspec.json.decode(file.read_bytes())
    except FileNotFoundError:
        raise BulgeError(f"{path} holds no run: there is no {PLAN} in it") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BulgeError(f"{file} is damaged: {error}") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise BulgeError(f"{file} is not the plan of a run")
    if raw.get("version") != VERSION:
        raise BulgeError(f"{file} has version {raw.get('version')!r}; this program reads version {VERSION}")
    try:
        return msgspec.convert(raw, Plan)
    except msgspec.ValidationError as error:
        raise BulgeError(f"{file} is damaged: {error}") from None


def check_complete(path: Path) -> None:
    """Refuse a run that is still under way, or was interrupted: some of its games are missing."""
    if not (path / RESULTS).exists():
        read_plan(path)
        raise BulgeError(f"the run in {path} is not complete: the same bulge sim command again goes on with it")


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The games of a complete run."""
    arrow = needed("pyarrow", "lab", "bulge report")
    parquet = needed("pyarrow.parquet", "lab", "bulge report")
    check_complete(path)
    try:
        with parquet.ParquetFile(path / RESULTS) as file:
            for batch in file.iter_batches(1000):
                yield from batch.to_pylist()
    except (arrow.ArrowException, OSError) as error:
        raise BulgeError(f"{path / RESULTS} cannot be read, it may be damaged: {error}") from None


def _refuse_another(path: Path, kept: Plan, asked: Plan) -> None:
    """Say what differs: a folder goes on with its own run only."""
    differing = [name for name in Plan.__struct_fields__ if getattr(kept, name) != getattr(asked, name)]
    if not differing:
        return
    if differing == ["made_by"]:
        raise BulgeError(
            f"the rules, the data or the players have changed since the run in {path} was begun, so its games "
            "would not fit together; begin anew in another folder"
        )
    words = ", ".join(
        f"{name} was {_short(getattr(kept, name))} and is {_short(getattr(asked, name))} now"
        for name in differing
        if name != "made_by"
    )
    raise BulgeError(f"{path} holds another run: {words}; use another folder, or the same command as before")


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {word}" for key, word in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(value)
    text = str(value)
    return text if len(text) < 40 else f"{text[:36]} ..."


@contextmanager
def whole_or_not_at_all(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name only once it is complete and on the disk."""
    unfinished = path.with_suffix(f".{os.getpid()}{UNFINISHED}")
    with unfinished.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)

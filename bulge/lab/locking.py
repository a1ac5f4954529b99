"""One run at a time in a folder: two would overwrite each other's parts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from bulge.core.errors import BulgeError

LOCK = "run.lock"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder, or say that another process does. The lock ends with its process, however that ends."""
    if folder.exists() and not folder.is_dir():
        raise BulgeError(f"{folder} is not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as file:
        try:
            _take(file)
            if not os.path.samestat(os.fstat(file.fileno()), (folder / LOCK).stat()):
                raise OSError  # whoever held it has just taken it away: somebody else may have made a new one
        except OSError:
            raise BulgeError(f"another process is at work in {folder}; let it end or name another") from None
        try:
            yield
        finally:
            with suppress(OSError):
                (folder / LOCK).unlink()


def _take(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # of this process alone: its children do not hold it

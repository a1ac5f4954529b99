"""Programs that the server begins beside itself for heavy work. They end when it does, whatever it dies of."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from runpy import run_module

log = logging.getLogger("bulge.server")

STDIN = 0
CHUNK = 1 << 16
PATIENCE = 5.0
"""Whoever ends a program may be ending the server too, which takes some seconds; only then is it worth telling."""


async def run(
    what: str, module: str, *arguments: str, asked: bytes = b"", tell: Callable[[int], None] = lambda _: None
) -> bool:
    """Let a module do its work as a program of its own; if it fails, that is logged, and the answer is False.

    On its standard input it finds what it is asked, one line; the numbers that it prints are told. Whoever is
    cancelled while waiting for it ends it.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, module, *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # who interrupts the server at the keyboard does not mean it
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    complaint = asyncio.create_task(process.stderr.read())
    try:
        with suppress(ConnectionError):  # it has ended already: its complaint says why
            process.stdin.write(asked + b"\n")
            await process.stdin.drain()
        async for line in process.stdout:
            tell(int(line))
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        words = (await complaint).decode(errors="replace")
    if process.returncode:
        if process.returncode < 0:
            await asyncio.sleep(PATIENCE)
        log.error("%s failed: %s", what, words or f"it ended with {process.returncode}")
    return not process.returncode


# ---------------------------------------------------------------------- in the program itself


def main() -> None:
    """Run the module that is named on the command line, for as long as whoever began this is there."""
    asked = _first_line()
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    sys.stdin = io.TextIOWrapper(io.BytesIO(asked))
    sys.argv = sys.argv[1:]
    run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _first_line() -> bytes:
    found = bytearray()
    while not found.endswith(b"\n"):
        found += _more()
    return bytes(found)


def _end_with_the_server() -> None:
    while True:
        _more()


def _more() -> bytes:
    """Read past Python's buffers, whose lock would be held when the program ends."""
    part = os.read(STDIN, CHUNK)
    if not part:
        os._exit(1)
    return part


if __name__ == "__main__":
    main()

"""Programs beside the server: an interrupt at the keyboard does not reach them, and they end when it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.test_computer import _alive

DRAWING = """
import asyncio, signal, sys
from pathlib import Path
from bulge.server import drawings
from bulge.server.library import Library

async def serve():
    there, interrupted = drawings.Drawings(Path(sys.argv[1]), Library()), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted.set)
    drawing = asyncio.create_task(there.file("the_bulge", "board.json"))
    while not await there.percent("the_bulge"):
        await asyncio.sleep(0.01)
    print("it is being drawn", flush=True)
    await interrupted.wait()
    await asyncio.wait([drawing], timeout=1)
    drawing.cancel()
    await asyncio.gather(drawing, return_exceptions=True)

drawings.SHIPPED = Path(sys.argv[1], "nothing")
asyncio.run(serve())
"""


def begun(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )


def children_of(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def wait_until_gone(processes: list[int]) -> None:
    for _ in range(1000):
        if not any(map(_alive, processes)):
            return
        time.sleep(0.02)
    raise AssertionError("it goes on without the server")


def test_an_interrupt_at_the_keyboard_ends_a_drawing_without_a_word(tmp_path: Path) -> None:
    """It goes to all that runs in the terminal: while the server ended, the drawing complained of it at length."""
    with begun(DRAWING, str(tmp_path)) as server:
        assert server.stdout is not None
        assert server.stdout.readline()
        left = children_of(server.pid)
        assert left
        os.killpg(server.pid, signal.SIGINT)
        _, said = server.communicate(timeout=60)
    assert said == ""
    wait_until_gone(left)


RESTING = """
import asyncio
from bulge.server.programs import run
asyncio.run(run("rest", "tests.server.resting", tell=lambda process: print(process, flush=True)))
"""


def test_nothing_goes_on_when_the_server_is_killed() -> None:
    with begun(RESTING) as server:
        assert server.stdout is not None
        resting = int(server.stdout.readline())
        server.kill()
    wait_until_gone([resting])


ENDED = """
import asyncio, os, signal, sys
from bulge.server import programs

async def serve():
    ended = asyncio.Event()

    def end(process):
        os.kill(process, signal.SIGTERM)
        ended.set()

    resting = asyncio.create_task(programs.run("rest", "tests.server.resting", tell=end))
    await ended.wait()
    await asyncio.wait([resting], timeout=float(sys.argv[2]))
    resting.cancel()
    await asyncio.gather(resting, return_exceptions=True)

programs.PATIENCE = float(sys.argv[1])
asyncio.run(serve())
"""


@pytest.mark.parametrize(
    ("patience", "server_ends_after", "said"),
    [("0", "60", "rest failed: it ended with -15\n"), ("600", "1", "")],
)
def test_what_somebody_ends_is_told_unless_the_server_ends_too(
    patience: str, server_ends_after: str, said: str
) -> None:
    with begun(ENDED, patience, server_ends_after) as server:
        assert server.communicate(timeout=120)[1] == said

"""Play by clicks in a real browser against a real server."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from bulge.games import GAMES

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BULGE = str(Path(sys.executable).with_name("bulge"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ROOMS = 2
"""The cases are divided between so many browsers, each with a server of its own: no case sees another's guests."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("node") or not (WEB / "node_modules").is_dir(), reason="needs npm ci in web/"
    ),
]
needs_browser = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Chromium")
needs_build = pytest.mark.skipif(
    not (ROOT / "bulge/server/static/index.html").exists(), reason="needs npm run build in web/"
)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


MANY_GUESTS = """
[quotas]
accounts = 200
[quotas.address]
matches = 2000
imports = 500
pages = 500
thinking = 36000
storage = 2000
"""
"""The guests of all cases come from one address within a few minutes."""


class Room(NamedTuple):
    server: str
    database: Path
    hook: str
    """Where its server's notices may come to an endpoint of the cases."""


@contextmanager
def _room(folder: Path, cache: Path) -> Iterator[Room]:
    """A server on a fresh database."""
    folder.mkdir()
    port, database, hook = _free_port(), folder / "matches.sqlite", f"127.0.0.1:{_free_port()}"
    settings = folder / "settings.toml"
    settings.write_text(f"database = '{database}'\ndeliver_to = ['{hook}']\n{MANY_GUESTS}")
    command = [BULGE, "serve", "--no-open", "--port", str(port), "--settings", str(settings)]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait_for(f"{address}api/games", process)
        for game in GAMES:
            _wait_for(f"{address}api/games/{game}/look", process)  # the first time, its map is drawn
        yield Room(address, database, hook)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(address: str, process: subprocess.Popen[bytes], patience: float = 120) -> None:
    end = time.monotonic() + patience
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=patience):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server does not answer at {address}")


@contextmanager
def _playing(room: Room, shared: Path) -> Iterator[subprocess.Popen[bytes]]:
    told = {"BULGE_SERVER": room.server, "BULGE_DATABASE": str(room.database), "BULGE_HOOK": room.hook}
    environment = os.environ | told | {"BULGE": BULGE, "CHROMIUM": CHROMIUM}
    process = subprocess.Popen(["node", "tests/browser.mjs", f"--shared={shared}"], cwd=WEB, env=environment)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(autouse=True)
def _left_tidy() -> Iterator[None]:
    """Whoever ends this process leaves neither servers nor browsers behind."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    yield
    signal.signal(signal.SIGTERM, before)


@needs_build
@needs_browser
@pytest.mark.timeout(2400)  # all cases are one test here; each of them has a patience of its own
def test_play_in_a_browser(tmp_path: Path, maps: Path) -> None:
    # What the cases print is shown as they go: a failing case is played once more, and both results stand there.
    with ExitStack() as open_:
        rooms = [open_.enter_context(_room(tmp_path / str(part), maps.parent)) for part in range(ROOMS)]
        shared = tmp_path / "taken"
        shared.mkdir()
        playing = [open_.enter_context(_playing(room, shared)) for room in rooms]
        ends = [each.wait() for each in playing]
    assert not any(ends), "a case failed twice: see above"

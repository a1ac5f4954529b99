"""Play by clicks in a real browser against a real server."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bulge.games import GAMES

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BULGE = str(Path(sys.executable).with_name("bulge"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("npm") or not (WEB / "node_modules").is_dir(), reason="needs npm ci in web/"
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


HOOK = f"127.0.0.1:{_free_port()}"
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


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server of its own, on a fresh database; its notices may come to an endpoint of the cases."""
    port = _free_port()
    settings = tmp_path / "settings.toml"
    settings.write_text(f"database = '{tmp_path / 'matches.sqlite'}'\ndeliver_to = ['{HOOK}']\n{MANY_GUESTS}")
    command = [BULGE, "serve", "--no-open", "--port", str(port), "--settings", str(settings)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait_for(f"{address}api/games", process)
        for game in GAMES:
            _wait_for(f"{address}api/games/{game}/look", process)  # the first time, its map is drawn
        yield address
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


@needs_build
@needs_browser
def test_play_in_a_browser(server: str, tmp_path: Path) -> None:
    # What the cases print is shown as they go: a failing case is played once more, and both results stand there.
    told = {"BULGE_SERVER": server, "BULGE": BULGE, "BULGE_HOOK": HOOK, "CHROMIUM": CHROMIUM}
    environment = os.environ | told | {"BULGE_DATABASE": str(tmp_path / "matches.sqlite")}
    done = subprocess.run(["npm", "run", "--silent", "browser"], cwd=WEB, env=environment, check=False)
    assert done.returncode == 0, "a case failed twice: see above"

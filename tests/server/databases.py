"""A PostgreSQL server for the tests: the one that BULGE_TEST_POSTGRES names, or one of our own, for a while."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest


class Databases:
    """Starts PostgreSQL when the first test asks for it, and stops it at the end."""

    def __init__(self) -> None:
        self._server: str | None = None
        self._folder: Path | None = None
        self._why_not: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._folder is not None:
            self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop", check=False)
            shutil.rmtree(self._folder, ignore_errors=True)

    def fresh_postgresql(self) -> str:
        """The URL of a new, empty database; the test is skipped, with the reason, where there is no server."""
        if importlib.util.find_spec("asyncpg") is None:
            pytest.skip("no PostgreSQL here: the package asyncpg is not installed (pip install 'bulge[postgres]')")
        if self._server is None and self._why_not is None:
            self._server = os.environ.get("BULGE_TEST_POSTGRES") or self._start()
        if self._server is None:
            pytest.skip(f"no PostgreSQL here: {self._why_not}")
        name = f"bulge_{uuid.uuid4().hex[:12]}"
        made = subprocess.run(
            ["psql", f"{self._server}/postgres", "-c", f"create database {name}"], capture_output=True, text=True
        )
        if made.returncode:
            pytest.skip(f"no PostgreSQL here: {made.stderr.strip()}")
        return f"{self._server}/{name}".replace("postgresql://", "postgresql+asyncpg://", 1)

    def _start(self) -> str | None:
        missing = [tool for tool in ("initdb", "pg_ctl", "psql") if not self._find(tool)]
        if missing:
            self._why_not = (
                f"{', '.join(missing)} not found; set BULGE_TEST_POSTGRES to postgresql://user@host:port"
            )
            return None
        self._folder = Path(tempfile.mkdtemp(prefix="bulge-pg-"))
        data, port = self._folder / "data", _free_port()
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self._folder, "postgres" if _has_user("postgres") else "nobody")
        made = self._run("initdb", "-D", str(data), "-U", "bulge", "-A", "trust")
        started = made and self._run(
            "pg_ctl", "-D", str(data), "-w", "-l", str(self._folder / "log"),
            "-o", f"-p {port} -k {self._folder} -h 127.0.0.1 -c fsync=off", "start",
        )  # fmt: skip
        return f"postgresql://bulge@127.0.0.1:{port}" if started else None

    def _run(self, tool: str, *arguments: str, check: bool = True) -> bool:
        command = [self._find(tool) or tool, *arguments]
        if os.geteuid() == 0:
            command = [
                "setpriv",
                "--reuid",
                "postgres" if _has_user("postgres") else "nobody",
                "--clear-groups",
                *command,
            ]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/", timeout=120)
        except (OSError, subprocess.TimeoutExpired) as error:
            self._why_not = f"{tool}: {error}"
            return False
        if done.returncode and check:
            self._why_not = f"{tool}: {done.stderr.decode(errors='replace').strip()}"
        return done.returncode == 0

    def _find(self, tool: str) -> str | None:
        found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{tool}"))
        return str(found[-1]) if found else shutil.which(tool)


def _has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

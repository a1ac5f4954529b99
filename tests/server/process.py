"""A real server in a process of its own, and players on real WebSockets: for tests and benchmarks."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]


def processor_of(process: int) -> float:
    """Seconds of processor that a process has taken, without those that it has started."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """`bulge serve` on a folder; started again, it finds what the one before left behind."""

    def __init__(
        self, folder: Path, cache: Path, database: str = "", port: int | None = None, errors: Path | None = None
    ) -> None:
        self._folder, self._cache, self._port, self.errors = folder, cache, port, errors
        self._database = database or str(folder / "matches.sqlite")
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.kill()

    def start(self) -> None:
        port = self._port or free_port()
        command = [sys.executable, "-m", "bulge.cli.main", "serve", "--no-open", "--port", str(port)]
        command += ["--database", self._database]
        environment = {**os.environ, "XDG_CACHE_HOME": str(self._cache), "XDG_DATA_HOME": str(self._folder)}
        with self.errors.open("w") if self.errors else nullcontext() as errors:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, start_new_session=True
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        self.address = found[0].rstrip("/")
        for _ in range(400):
            try:
                httpx.get(f"{self.address}/api/matches", timeout=5)
                return
            except httpx.TransportError:
                time.sleep(0.025)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Without a word of warning, and whatever it has started with it."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def make(self, wish: Json) -> Json:
        answer = httpx.post(f"{self.address}/api/matches", json=wish, timeout=30)
        assert answer.status_code == 201, answer.text
        found: Json = answer.json()
        return found

    def journal(self, match: Json) -> Json:
        answer = httpx.get(
            f"{self.address}/api/matches/{match['id']}/journal", headers={"X-Token": match["host"]}, timeout=30
        )
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def live(self, match: Json, **headers: str) -> connect:
        """The page of whoever made a match."""
        address = f"ws{self.address[4:]}/api/matches/{match['id']}/live?events=new"
        return connect(address, max_size=None, additional_headers={"X-Token": match["host"], **headers})

    def processor(self) -> float:
        assert self._process is not None
        return processor_of(self._process.pid)

    def memory(self) -> int:
        """Bytes that the server itself takes, without what it has started."""
        assert self._process is not None
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Player:
    """Somebody who chooses at random through a WebSocket, and remembers all that was acknowledged."""

    def __init__(self, socket: ClientConnection, rng: random.Random) -> None:
        self._socket, self._rng = socket, rng
        self._number = 0
        self.state: Json = {}
        self.acknowledged: list[str] = []
        """What stands, as far as the server has said so."""
        self.asked = 0
        self.waited: list[float] = []
        self.received = 0
        """Bytes of all answers to choices."""

    async def begin(self) -> None:
        self.state = json.loads(await self._socket.recv())

    async def choose(self) -> bool:
        """One choice, or an undo now and then; False when the game is over."""
        decision = self.state["decision"]
        if decision is None:
            return False
        undo = self.state["undo"] and self._rng.random() < 0.15
        id_ = "" if undo else self._rng.choice(decision["options"])["id"]
        self._number += 1
        message = {"type": "undo" if undo else "choose", "id": id_, "re": self._number}
        message |= {"n": self.state["n"], "rev": self.state["rev"]}
        self.asked += 1
        begun = time.perf_counter()
        await self._socket.send(json.dumps(message))
        while True:
            text = await self._socket.recv()
            answer: Json = json.loads(text)
            self.received += len(text)
            if answer.get("re") == self._number:
                break
        self.waited.append(time.perf_counter() - begun)
        assert answer["type"] == "state", answer
        self.state = answer
        if undo:
            self.acknowledged.pop()
        else:
            self.acknowledged.append(id_)
        return True


async def play_until(player: Player, stop: asyncio.Event) -> None:
    while not stop.is_set() and await player.choose():
        pass


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

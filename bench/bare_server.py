"""The least that a server could do for a choice: one row committed to SQLite, and an answer."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.process import processor_of

_RNG = random.Random(1)
FILLER = "".join(
    f'{{"unit":"{_RNG.choice("UGB")}{_RNG.randrange(300)}","space":"{_RNG.randrange(4000)}","note":"moved"}},'
    for _ in range(5000)
)
"""Text that can be made about as much smaller as a real answer."""


class BareServer:
    """It runs in a process of its own, on a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def __enter__(self) -> Self:
        command = [sys.executable, __file__, str(self._folder / "bare.sqlite")]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def processor(self) -> float:
        assert self._process is not None
        return processor_of(self._process.pid)


class _Bare:
    """An ASGI application without any framework."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._writer = ThreadPoolExecutor(1)
        self._database: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        loop = asyncio.get_running_loop()
        while (message := await receive())["type"] == "websocket.receive":
            request = json.loads(message["text"])
            await loop.run_in_executor(self._writer, self._store, request["id"])
            await send({"type": "websocket.send", "text": json.dumps(FILLER[: request["size"]])})

    def _store(self, choice: str) -> None:
        import sqlite3

        if self._database is None:
            self._database = sqlite3.connect(self._file)
            for pragma in ("journal_mode=WAL", "synchronous=FULL"):
                self._database.execute(f"PRAGMA {pragma}")
            self._database.execute("create table choice (number integer primary key, choice text)")
        with self._database:
            self._database.execute("insert into choice (choice) values (?)", (choice,))


def main() -> None:
    import uvicorn

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        print(f"ws://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
        config = uvicorn.Config(
            _Bare(sys.argv[1]), log_level="error", access_log=False, ws="websockets-sansio", lifespan="off"
        )
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()

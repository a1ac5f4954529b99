"""Two servers on one PostgreSQL behind nginx; one is killed under play, and its pages come back to the other."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.server.killing import compare
from tests.server.process import Json, Player, Server, free_port

NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
  upstream bulge {{ {servers} }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://bulge;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_read_timeout 1h;
    }}
  }}
}}
"""
GONE = (OSError, WebSocketException, httpx.TransportError)


class Balanced:
    """The way in, and the servers behind it."""

    def __init__(self, address: str, servers: list[Server]) -> None:
        self.address, self.servers = address, servers

    async def ask(self, method: str, path: str, **more: Any) -> Json:
        """Ask until somebody answers: while one server is down, nginx may still send us there."""
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as client:
            while True:
                try:
                    answer = await client.request(method, path, **more)
                except httpx.TransportError:
                    continue
                if answer.status_code < 500:
                    assert answer.status_code < 300, answer.text
                    found: Json = answer.json()
                    return found

    async def page(self, match: Json) -> ClientConnection:
        address = f"ws{self.address[4:]}/api/matches/{match['id']}/live?events=new"
        while True:
            try:
                return await connect(address, max_size=None, additional_headers={"X-Token": match["host"]})
            except (OSError, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.05)


@contextmanager
def balanced(folder: Path, cache: Path, database: str) -> Iterator[Balanced]:
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("no nginx here to share the work out")
    ports, way_in = [free_port(), free_port()], free_port()
    servers = [Server(folder, cache, database, port) for port in ports]
    lines = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, servers=lines, port=way_in))
    for server in servers:
        server.start()
    command = [nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)]
    before = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Balanced(f"http://127.0.0.1:{way_in}", servers)
    finally:
        before.terminate()
        before.wait()
        for server in servers:
            server.kill()


class Outcome:
    def __init__(self) -> None:
        self.choices = 0
        self.seen_after: list[float] = []
        """Seconds between an acknowledgement and the same state on the other's page."""
        self.kills = 0


async def play_and_kill(
    there: Balanced, matches: int, seconds: float, seed: int, say: Callable[[str], None] = lambda words: None
) -> Outcome:
    """Play for so long, each match with two pages, and kill a server every few seconds; nothing may be lost."""
    outcome, rng = Outcome(), random.Random(seed)
    end = time.monotonic() + seconds

    async def play(number: int) -> None:
        while time.monotonic() < end:
            match = await there.ask("POST", "/api/matches", json={"game": ["ford", "the_bulge"][number % 2]})
            await _play_match(there, match, end, random.Random(rng.random()), outcome)

    async def kill() -> None:
        while time.monotonic() < end:
            await asyncio.sleep(rng.uniform(1, 4))
            server = rng.choice(there.servers)
            await asyncio.to_thread(server.kill)
            outcome.kills += 1
            await asyncio.sleep(rng.uniform(0, 1))
            await asyncio.to_thread(server.start)
            say(f"{outcome.kills} kills, {outcome.choices} choices acknowledged, none lost")

    await asyncio.gather(*map(play, range(matches)), kill())
    return outcome


async def _until_seen(watcher: Player, rev: int) -> None:
    try:
        async with asyncio.timeout(30):
            while watcher.state["rev"] < rev:
                await watcher.begin()
    except TimeoutError:
        raise AssertionError("a choice was not told on the other page") from None


async def _play_match(there: Balanced, match: Json, end: float, rng: random.Random, outcome: Outcome) -> None:
    """Play one match to its end, coming back whenever the line is cut, and compare what stands each time."""
    while time.monotonic() < end:
        player: Player | None = None
        try:
            async with await there.page(match) as page, await there.page(match) as other:
                player = Player(page, rng)
                player.acknowledged = list(match.get("choices", []))
                await player.begin()
                watcher = Player(other, rng)
                await watcher.begin()
                while time.monotonic() < end and await player.choose():
                    outcome.choices += 1
                    begun = time.monotonic()
                    await _until_seen(watcher, player.state["rev"])
                    outcome.seen_after.append(time.monotonic() - begun)
        except GONE:
            pass
        token = {"X-Token": match["host"]}
        if player is not None and player.state:
            compare(await there.ask("GET", f"/api/matches/{match['id']}/journal", headers=token), match, player)
            if player.state["decision"] is None:
                return

"""What a server bears, over real WebSockets.

    python bench/load.py ratio  [PLAYERS] [SECONDS]     choices a second, beside a bare server that does the least
    python bench/load.py pauses [MATCHES] [SECONDS]     many matches whose players pause for ten seconds
    python bench/load.py open   [MATCHES]               many matches open at once; none may be refused

The bare server is an ASGI application under the same uvicorn: for each request it commits one row to SQLite as
durably as ours does, and answers with as many bytes. Both run at once and are asked by turns, so that they see the
same machine.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parent.parent))

from bare_server import BareServer

from tests.server.process import Json, Player, Server

GAME = "the_bulge"
PAUSE = 10.0
SLICE = 2.0
PAGES_OF_AN_ADDRESS = 90
"""The server lets an address have a hundred pages; so many players are taken to sit behind each."""
STEPS = 25
"""So many matches are made or opened at a time."""


def main() -> None:
    what, *numbers = [*sys.argv[1:], "ratio"][: len(sys.argv) - 1 or 1]
    wanted: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
        "ratio": _ratio,
        "pauses": _pauses,
        "open": _open,
    }
    if what not in wanted:
        raise SystemExit(f"{what!r} is not measured here; there are: {', '.join(wanted)}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with _server() as server:
        asyncio.run(wanted[what](server, *map(int, numbers)))


@contextmanager
def _server() -> Iterator[Server]:
    cache = Path(tempfile.gettempdir()) / "bulge-bench"
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), cache) as server:
        while any(map_["percent"] < 100 for map_ in httpx.get(f"{server.address}/api/games/drawings").json()):
            time.sleep(1)  # maps are drawn when a server first starts; that is not what is measured
        yield server


# ---------------------------------------------------------------------- choices a second


async def _ratio(server: Server, players: int = 20, seconds: int = 20) -> None:
    with tempfile.TemporaryDirectory() as folder, BareServer(Path(folder)) as bare:
        ours = [_Ours(server, number) for number in range(players)]
        theirs = [_Bare(bare, number) for number in range(players)]
        everybody: list[_Ours | _Bare] = [*ours, *theirs]
        for each in everybody:
            await each.begin()
        done = {"ours": 0, "bare": 0}
        size, slices, before = 0, max(1, round(seconds / SLICE / 2)), (server.processor(), bare.processor())
        for _ in range(slices):
            done["ours"] += await _slice(ours)
            size = round(statistics.mean(each.answered for each in ours))
            for other in theirs:
                other.size = size
            done["bare"] += await _slice(theirs)
        spent = server.processor() - before[0], bare.processor() - before[1]
        for each in everybody:
            await each.end()
    print(f"{players} players at once, answers of {size / 1000:.1f} kB")
    for (name, count), processor in zip(done.items(), spent, strict=True):
        each_costs = 1000 * processor / count
        print(f"{name}: {count / slices / SLICE:.0f} choices a second, {each_costs:.2f} ms of processor for each")
    ratio = done["ours"] / done["bare"]
    print(f"ratio {ratio:.2f}; by processor {ratio * spent[1] / spent[0]:.2f}")


async def _slice(players: list[_Ours] | list[_Bare]) -> int:
    end = time.perf_counter() + SLICE

    async def play(player: _Ours | _Bare) -> int:
        count = 0
        while time.perf_counter() < end:
            await player.choose()
            count += 1
        return count

    return sum(await asyncio.gather(*map(play, players)))


class _Ours:
    """Somebody who plays one match after the other without a pause."""

    def __init__(self, server: Server, number: int) -> None:
        self._server, self._number = server, number
        self._rng = random.Random(number)
        self._socket: ClientConnection
        self._player: Player

    async def begin(self) -> None:
        match = await asyncio.to_thread(self._server.make, {"game": GAME})
        self._socket = await _page(self._server, match, self._number)
        self._player = Player(self._socket, self._rng)
        await self._player.begin()

    async def choose(self) -> None:
        if not await self._player.choose():
            await self.end()
            await self.begin()

    @property
    def answered(self) -> float:
        return self._player.received / max(1, len(self._player.waited))

    async def end(self) -> None:
        await self._socket.close()


class _Bare:
    """Somebody who asks the bare server for as many bytes."""

    def __init__(self, server: BareServer, number: int) -> None:
        self._server, self._number = server, number
        self.size = 0
        self._socket: ClientConnection

    async def begin(self) -> None:
        self._socket = await connect(self._server.address, max_size=None)

    async def choose(self) -> None:
        await self._socket.send(json.dumps({"type": "choose", "id": str(self._number), "size": self.size}))
        json.loads(await self._socket.recv())

    async def end(self) -> None:
        await self._socket.close()


# ---------------------------------------------------------------------- many matches


async def _pauses(server: Server, matches: int = 500, seconds: int = 60) -> None:
    pages = await _open_all(server, matches)
    end = time.perf_counter() + seconds

    async def play(player: Player, rng: random.Random) -> None:
        await asyncio.sleep(rng.uniform(0, PAUSE))
        while time.perf_counter() < end and await player.choose():
            await asyncio.sleep(rng.uniform(0.5, 1.5) * PAUSE)

    await asyncio.gather(*(play(player, random.Random(number)) for number, player in enumerate(pages)))
    waits = sorted(1000 * wait for player in pages for wait in player.waited)
    quantiles = statistics.quantiles(waits, n=100)
    print(f"{matches} matches, {len(waits)} choices, one in some {PAUSE:g} seconds in each")
    print(
        f"milliseconds: median {quantiles[49]:.1f}, 99 in 100 within {quantiles[98]:.1f}, longest {waits[-1]:.1f}"
    )


async def _open(server: Server, matches: int = 1000) -> None:
    begun = time.perf_counter()
    pages = await _open_all(server, matches)
    print(f"{matches} matches open after {time.perf_counter() - begun:.0f} seconds, none refused")
    for player in pages:
        await player.choose()
    waits = sorted(1000 * wait for player in pages for wait in player.waited)
    print(f"one choice in each, none refused; milliseconds: median {statistics.median(waits):.1f}")
    print(f"the server takes {server.memory() / 1024**2:.0f} MB")


async def _open_all(server: Server, matches: int) -> list[Player]:
    async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:

        async def open_one(number: int) -> Player:
            answer = await client.post("/api/matches", json={"game": GAME}, headers=_from(number))
            assert answer.status_code == 201, answer.text
            player = Player(await _page(server, answer.json(), number), random.Random(number))
            await player.begin()
            return player

        found: list[Player] = []
        for first in range(0, matches, STEPS):
            found += await asyncio.gather(*map(open_one, range(first, min(first + STEPS, matches))))
        return found


async def _page(server: Server, match: Json, number: int) -> ClientConnection:
    return await server.live(match, **_from(number))


def _from(number: int) -> dict[str, str]:
    """Players sit at different addresses, as a proxy on this machine would say."""
    return {"X-Forwarded-For": f"192.0.2.{number // PAGES_OF_AN_ADDRESS + 1}"}


if __name__ == "__main__":
    main()

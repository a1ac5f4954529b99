"""How long a person waits for the computer's advice, alone and beside many matches among computer players.

    python bench/waiting.py [BESIDE] [HINTS]

The person asks for hints in a match of The Bulge; beside them are first no others, then BESIDE matches (40 unless
told) between veterans, first watched by nobody and then each by an open page.
Nothing is asserted: the numbers depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.process import Player, Server

AMONG_THEMSELVES = {"game": "the_bulge", "seats": {"German": "veteran", "Allied": "veteran"}}


async def _waits(server: Server, hints: int) -> list[float]:
    match = await asyncio.to_thread(server.make, {"game": "the_bulge"})
    found = []
    async with server.live(match) as socket:
        player = Player(socket, random.Random(1))
        await player.begin()
        for number in range(hints):
            ask = {"type": "hint", "n": player.state["n"], "rev": player.state["rev"], "re": f"hint {number}"}
            begun = time.perf_counter()
            await socket.send(json.dumps(ask))
            while json.loads(await socket.recv()).get("re") != ask["re"]:
                pass
            found.append(time.perf_counter() - begun)
            await player.choose()
    return found


async def _read(socket: object) -> None:
    async for _ in socket:  # type: ignore[attr-defined]
        pass


async def _measure(server: Server, beside: int, hints: int) -> None:
    _say("alone", await _waits(server, hints))
    matches = [await asyncio.to_thread(server.make, AMONG_THEMSELVES) for _ in range(beside)]
    _say(f"beside {beside} matches among computers that nobody watches", await _waits(server, hints))
    async with AsyncExitStack() as pages:
        sockets = [await pages.enter_async_context(server.live(match)) for match in matches]
        readers = [asyncio.create_task(_read(socket)) for socket in sockets]
        await asyncio.sleep(3)
        _say(f"beside {beside} that are watched", await _waits(server, hints))
        for reader in readers:
            reader.cancel()


def _say(words: str, waits: list[float]) -> None:
    print(f"{words}: median {statistics.median(waits):.2f} s, longest {max(waits):.2f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("beside", nargs="?", type=int, default=40)
    parser.add_argument("hints", nargs="?", type=int, default=10)
    wanted = parser.parse_args()
    cache = Path(tempfile.gettempdir()) / "bulge-bench"
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), cache) as server:
        asyncio.run(_measure(server, wanted.beside, wanted.hints))


if __name__ == "__main__":
    main()

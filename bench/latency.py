"""How long a choice takes to be answered, over a real WebSocket, with many matches open.

    python bench/latency.py [MATCHES] [SECONDS] [THINKING]

Every match has an open page whose player thinks for a second; the time runs from sending a choice to reading the
state that answers it. Beside them, in so many matches (4 unless told) two strong computer players think.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.process import Player, Server

THINKING = 1.0


async def _play(server: Server, number: int, seconds: float) -> list[float]:
    rng = random.Random(number)
    match = await asyncio.to_thread(server.make, {"game": "the_bulge"})
    async with server.live(match) as socket:
        player = Player(socket, rng)
        await player.begin()
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            await asyncio.sleep(rng.uniform(0, 2 * THINKING))
            if not await player.choose():
                break
    return player.waited


async def _think(server: Server, thought: list[int]) -> None:
    """A match between two computer players, watched by nobody who matters."""
    match = await asyncio.to_thread(
        server.make, {"game": "the_bulge", "seats": {"German": "veteran", "Allied": "veteran"}}
    )
    async with server.live(match) as socket:
        async for message in socket:
            thought[:] = [json.loads(message)["n"]]


async def _measure(server: Server, matches: int, seconds: float, thinking: int) -> tuple[list[float], int]:
    thought: list[list[int]] = [[] for _ in range(thinking)]
    thinkers = [asyncio.create_task(_think(server, each)) for each in thought]
    found = await asyncio.gather(*(_play(server, number, seconds) for number in range(matches)))
    for task in thinkers:
        task.cancel()
    await asyncio.gather(*thinkers, return_exceptions=True)
    waits = sorted(1000 * wait for waits in found for wait in waits)
    return waits, sum(sum(choices) for choices in thought)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matches", nargs="?", type=int, default=50)
    parser.add_argument("seconds", nargs="?", type=float, default=20.0)
    parser.add_argument("thinking", nargs="?", type=int, default=4)
    wanted = parser.parse_args()
    cache = Path(tempfile.gettempdir()) / "bulge-bench"
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), cache) as server:
        waits, choices = asyncio.run(_measure(server, wanted.matches, wanted.seconds, wanted.thinking))
    quantiles = statistics.quantiles(waits, n=100)
    print(f"{wanted.matches} matches of The Bulge open, {len(waits)} choices, one a second in each")
    print(f"{wanted.thinking} matches between computer players beside them, {choices} choices")
    print(
        f"milliseconds: median {quantiles[49]:.1f}, 95 in 100 within {quantiles[94]:.1f}, longest {waits[-1]:.1f}"
    )


if __name__ == "__main__":
    main()

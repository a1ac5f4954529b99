"""Two servers on one PostgreSQL behind nginx, killed by turns under play; nothing acknowledged may be lost.

    python bench/two_servers.py [SECONDS] [MATCHES]

Every match has two pages, and the time runs from the answer to a choice on one to the same state on the other.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.balanced import balanced, play_and_kill
from tests.server.databases import Databases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("matches", nargs="?", type=int, default=8)
    wanted = parser.parse_args()
    cache = Path(tempfile.gettempdir()) / "bulge-bench"
    with (
        tempfile.TemporaryDirectory() as folder,
        Databases() as databases,
        balanced(Path(folder), cache, databases.fresh_postgresql()) as there,
    ):
        outcome = asyncio.run(play_and_kill(there, wanted.matches, wanted.seconds, int(time.time()), print))
    seen = [1000 * each for each in statistics.quantiles(outcome.seen_after, n=100)]
    told = f"{outcome.kills} kills, {outcome.choices} choices acknowledged in {wanted.matches} matches at once"
    print(f"{told}: none lost")
    print(f"seen on the other page: median after {seen[49]:.0f} ms, 99 in 100 within {seen[98]:.0f} ms")


if __name__ == "__main__":
    main()

"""Kill the server again and again at random moments under play; nothing acknowledged may be lost.

    python bench/kill_server.py [TIMES] [MATCHES] [PAUSE]

Without more it is killed 200 times under two matches that pause for nothing; with twelve matches and a pause of
half a second, that is a load for more than half an hour.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.killing import kill_again_and_again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="?", type=int, default=200)
    parser.add_argument("matches", nargs="?", type=int, default=2)
    parser.add_argument("pause", nargs="?", type=float, default=0.0)
    wanted = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        waited = kill_again_and_again(
            Path(folder),
            Path(tempfile.gettempdir()) / "bulge-bench",
            wanted.times,
            seed=int(time.time()),
            say=lambda words: print(words, flush=True),
            matches=wanted.matches,
            pause=wanted.pause,
        )
    minutes = (time.monotonic() - begun) / 60
    parts = [1000 * part for part in statistics.quantiles(waited, n=100)]
    print(f"killed {wanted.times} times in {minutes:.0f} minutes under {wanted.matches} matches")
    print(f"{len(waited)} choices acknowledged: none lost, every match reads and verifies")
    print(f"milliseconds: median {parts[49]:.1f}, 99 in 100 within {parts[98]:.1f}")


if __name__ == "__main__":
    main()

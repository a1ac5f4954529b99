"""Kill the server 200 times at random moments under play; nothing acknowledged may be lost.

python bench/kill_server.py [TIMES]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.killing import kill_again_and_again


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        total = kill_again_and_again(
            Path(folder), Path(tempfile.gettempdir()) / "bulge-bench", times, seed=int(time.time()), say=print
        )
    print(f"killed {times} times, {total} choices acknowledged: none lost, every match reads and verifies")


if __name__ == "__main__":
    main()

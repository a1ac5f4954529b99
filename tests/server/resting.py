"""A program that says which process it is, and does nothing more: `python -m tests.server.resting`."""

from __future__ import annotations

import os
import time

if __name__ == "__main__":
    print(os.getpid(), flush=True)
    time.sleep(600)

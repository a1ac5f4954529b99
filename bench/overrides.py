"""Overrides by the thousand: each changes one field at random, and the game is refused in words or can be played.

    python bench/overrides.py [--each 700] [--choices 300] [--seed 1] [GAME ...]

Nothing else may happen: no exception of another kind, and no step that takes longer than its time.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections import Counter
from types import FrameType
from typing import Any

from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from tests.games.test_overrides import override

LONGEST = 30
"""Seconds of processor for one override: a hundred times the usual."""


class TooLong(Exception): ...


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"more than {LONGEST} seconds")


def _play(id_: str, text: str, rng: random.Random, choices: int) -> None:
    game = load_game(id_, Overrides(text))
    match: Match[Any] = Match(game, rng.choice(list(game.scenarios)), seed=f"{rng.getrandbits(128):032x}")
    for _ in range(choices):
        if match.decision is None:
            return
        match.choose(rng.choice(match.decision.options))


def _tried(id_: str, text: str, rng: random.Random, choices: int) -> str:
    """What became of one override: played, refused, or what went wrong."""
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        _play(id_, text, rng, choices)
    except BulgeError:
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error} in {error.__traceback__ and _place(error)}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "played"


def _place(error: Exception) -> str:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return f"{last.tb_frame.f_code.co_filename.rpartition('bulge/')[2]}:{last.tb_lineno}" if last else "?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--each", type=int, default=700)
    parser.add_argument("--choices", type=int, default=300)
    parser.add_argument("--seed", default="1")
    wanted = parser.parse_args()
    signal.signal(signal.SIGPROF, _ring)
    faults = 0
    for id_ in wanted.games:
        plain, began, seen = load_game(id_), time.process_time(), Counter[str]()
        for number in range(wanted.each):
            rng = random.Random(f"{wanted.seed} {id_} {number}")
            text = override(plain, rng)
            found = _tried(id_, text, rng, wanted.choices)
            seen[found if found in ("played", "refused") else "faults"] += 1
            if found not in ("played", "refused"):
                print(f"{id_} {number}: {found}\n{text[:300]}", flush=True)
        faults += seen["faults"]
        print(f"{id_}: {dict(seen)}, {time.process_time() - began:.0f} s of processor", flush=True)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

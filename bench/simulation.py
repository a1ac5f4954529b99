"""How much a second process speeds up a run, and whether memory stays flat.

    python bench/simulation.py [GAME] [GAMES]

The same games are played by one process and by two, in turns, so that both see the same machine. Nothing is
asserted: the numbers depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bulge.games import GAMES, load_game
from bulge.lab.plan import Plan, Played, plan_of
from bulge.lab.run import Executor, Processes, carry_out, here
from bulge.lab.store import Folder

ROUNDS = 2


def _seconds(plan: Plan, execute: Executor, each: Callable[[Played], None]) -> float:
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(Path(place) / "run", plan, load_game(plan.game).sides)
        began = time.perf_counter()
        carry_out(folder, execute, each)
        return time.perf_counter() - began


def measure(game: str, games: int) -> None:
    loaded = load_game(game)
    took = {1: 0.0, 2: 0.0}
    peaks: list[int] = []
    for number in range(ROUNDS):
        plan = plan_of(loaded, dict.fromkeys(loaded.players, "greedy"), games=games, seed=f"bench {number}")
        took[1] += _seconds(plan, here, lambda _: peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
        took[2] += _seconds(plan, Processes(2), lambda _: None)
    for jobs, seconds in took.items():
        print(f"{jobs} process{'es' if jobs > 1 else ''}: {ROUNDS * games / seconds:.2f} games a second")
    print(f"Two processes are {took[1] / took[2]:.2f} times as fast as one.")
    print(f"1,000 games on two: {1000 * took[2] / ROUNDS / games / 60:.1f} minutes.")
    tenth = max(1, len(peaks) // 10)
    early, late = (f"{peak // 1024} MB" for peak in (peaks[tenth - 1], peaks[-1]))
    print(f"Most memory of one process: {early} after {tenth} games, {late} after {len(peaks)}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="the_bulge", choices=GAMES, metavar="GAME", help="which game")
    parser.add_argument("games", nargs="?", default=60, type=int, metavar="GAMES", help="how many of it a round")
    chosen = parser.parse_args()
    measure(chosen.game, chosen.games)


if __name__ == "__main__":
    main()

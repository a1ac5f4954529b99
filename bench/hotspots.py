"""Where the time of random play goes: `python bench/hotspots.py GAME [--seconds 3] [--lines 25]`."""

from __future__ import annotations

import argparse
import cProfile
import pstats
from time import perf_counter

from bulge.cli.speed import BATCH, GamePlay
from bulge.games import GAMES, load_game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--lines", type=int, default=25)
    asked = parser.parse_args()
    player = GamePlay(load_game(asked.game))
    profile = cProfile.Profile()
    ends = perf_counter() + asked.seconds
    profile.enable()
    while perf_counter() < ends:
        player.play(BATCH)
    profile.disable()
    print(f"{player.decisions:,} decisions in {player.games:,.0f} games, slowed down by measuring")
    pstats.Stats(profile).sort_stats("tottime").print_stats(asked.lines)


if __name__ == "__main__":
    main()

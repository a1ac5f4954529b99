"""How often each side wins Bastogne, how, and what happens on the way: the distributions it was tuned to.

    python bench/bastogne_balance.py [--games 1000] [--seed 1] [--player greedy|naive|random|...] [--morale 12]

`--morale` is German morale at the start, to see what it is worth.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from bulge.core.chance import Keyed, seed_of
from bulge.core.decision import DONE, Choice, Kind
from bulge.core.match import Match
from bulge.games.bastogne import make
from bulge.games.bastogne.facts import US
from bulge.games.bastogne.game import Bastogne
from bulge.players.greedy import GreedyPlayer
from bulge.players.levels import player_for
from bulge.players.player import Player


class NaivePlayer(GreedyPlayer):
    """Deals its units over the towns and the Center, buys guns before anything else, and never moves by need."""

    def __init__(self, game: Bastogne, rng: random.Random) -> None:
        super().__init__(rng, name="naive")
        facts = game.facts
        self._posts = [space for space in facts.number_of if (facts.towns | 1 << facts.center) >> space & 1]
        self._dealt = 0

    def choose(self, match: Match[Any]) -> Choice:
        decision = match.asked()
        numbers = [choice for choice in decision.options if isinstance(choice, int)]
        if decision.rule == "28.1":
            return self._post(numbers) if decision.kind is Kind.SPACE else numbers[0]
        if decision.rule == "13.0":
            return numbers[0]
        if decision.rule == "15.2" and DONE in decision.options:
            return DONE
        return super().choose(match)

    def _post(self, offered: list[int]) -> int:
        """The next post in turn, or the next that has room."""
        self._dealt += 1
        turn = [*self._posts[self._dealt % len(self._posts) :], *self._posts, *offered]
        return next(post for post in turn if post in offered)


def maker(name: str, game: Bastogne) -> Callable[[str], Player]:
    if name == "naive":
        return lambda seed: NaivePlayer(game, random.Random(seed))
    return lambda seed: player_for(name, game, US, seed, by_the_clock=False)


class Found:
    """What a run of games came to."""

    def __init__(self, game: Bastogne) -> None:
        self.facts = game.facts
        self.games = 0
        self.ends, self.turns, self.morale, self.events = (
            Counter[str](),
            Counter[str](),
            Counter[int](),
            Counter[str](),
        )
        self.chits = self.entered = 0

    def add(self, match: Match[Any], entered: bool) -> None:
        p, result = match.position, match.result
        assert result is not None
        self.games += 1
        self.ends[f"{result.winner}: {result.words}"] += 1
        self.ends[f"{result.winner} wins"] += 1
        self.turns[f"{result.winner} on turn {p.turn}"] += 1
        self.morale[p.morale] += 1
        self.chits += len(p.drawn_events)
        self.entered += entered
        for event in set(p.drawn_events):
            self.events[self.facts.events[event].name] += 1

    def lines(self) -> list[str]:
        tables: list[tuple[str, Counter[Any]]] = [
            ("How it ended", self.ends),
            ("When", self.turns),
            ("German morale at the end", self.morale),
            ("Games in which an event occurs", self.events),
        ]
        found = [f"{self.games} games, {self.chits / self.games:.1f} chits a game, "
                 f"Germans ever in the Center {self._share(self.entered)}"]  # fmt: skip
        for title, counts in tables:
            found.append(f"{title}:")
            found += [f"  {what}: {self._share(count)}" for what, count in sorted(counts.items())]
        return found

    def _share(self, count: int) -> str:
        return f"{100 * count / self.games:.1f} %"


def run(name: str, games: int, seed: str, morale: int) -> Found:
    game = make()
    found, new_player = Found(game), maker(name, game)
    for number in range(games):
        label = f"{seed}:{number}"
        start = game.set_up("siege", {})
        start.morale = morale
        match: Match[Any] = Match.at(game, start, Keyed(seed_of(label)), keep_log=False)
        player, entered = new_player(label), False
        while match.decision is not None:
            match.choose(player.choose(match))
            entered = entered or bool(match.position.german >> game.facts.center & 1)
        found.add(match, entered)
        if sys.stderr.isatty() or number % 100 == 99:
            print(f"\r{number + 1} of {games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--player", default="greedy")
    parser.add_argument("--morale", type=int, choices=range(2, 13), default=12)
    asked = parser.parse_args()
    print("\n".join(run(asked.player, asked.games, asked.seed, asked.morale).lines()))


if __name__ == "__main__":
    main()

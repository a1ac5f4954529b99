"""A script, run with another checkout on Python's path: a player of that checkout follows a match and answers.

`bulge` is the other checkout's here, so only what checkouts of any age have is used. Every line is JSON. What
comes in names one of the methods of `Guest` and what it is told; what goes out is its answer, or what went wrong.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.levels import player_for


class Guest:
    """One player for one side of one match, of which it has a copy by this checkout's rules."""

    def sit(self, *, game: str, level: str, side: str, seed: str, by_the_clock: bool) -> dict[str, Any]:
        self.game = load_game(game)
        self.player = player_for(level, self.game, side, seed, by_the_clock=by_the_clock)
        self.match: Match[Any] | None = None
        return {}

    def choose(
        self, *, start: tuple[str, dict[str, str], str], choices: list[str], options: list[str]
    ) -> dict[str, Any]:
        """An answer to a question that has these options, once these choices have been made as well."""
        if self.match is None:
            scenario, agreed, seed = start
            self.match = Match(self.game, scenario, agreed, seed=seed, keep_log=False)
        match = self._following(self.match, choices, options)
        began = time.process_time()
        choice = self.player.choose(match)
        seconds = time.process_time() - began
        return {
            "choice": self.game.id_of(match.asked(), choice),
            "why": self.player.why(),
            "seconds": seconds,
        }

    def _following(self, match: Match[Any], choices: list[str], options: list[str]) -> Match[Any]:
        try:
            for choice in choices:
                match.answer(choice)
            decision = match.asked()
        except BulgeError as error:
            raise BulgeError(f"its rules disagree: {error}") from None
        if {self.game.id_of(decision, choice) for choice in decision.options} != set(options):
            raise BulgeError(f"its rules disagree: it offers other answers to {decision.prompt!r}")
        return match


def main() -> None:
    guest, answers = Guest(), sys.stdout
    sys.stdout = sys.stderr  # whatever a player prints is no answer
    for line in sys.stdin:
        asked, told = json.loads(line)
        try:
            answer = getattr(guest, asked)(**told)
        except BulgeError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

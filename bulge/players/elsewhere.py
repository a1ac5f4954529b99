"""Players of another checkout, so that versions of them can meet: `FOLDER:regular`.

Each runs in a process of its own with that checkout on Python's path (`guest.py`), and follows the match by the
choices that its journal would have. Both checkouts must agree on the rules: that is looked at with every question.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from bulge.core.decision import Choice
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.players.levels import player_for
from bulge.players.player import Player, checked

GUEST = Path(__file__).with_name("guest.py")
MADE_OF = Path("bulge") / "players" / "levels.py"
"""What every checkout has that has players."""


def contender_for(name: str, game: Game[Any], side: str, seed: str, *, by_the_clock: bool = True) -> Player:
    """A player by name for one side of one match, of this checkout or of another."""
    folder, _, level = name.rpartition(":")
    if not folder:
        return player_for(level, game, side, seed, by_the_clock=by_the_clock)
    return ElsewherePlayer(Path(folder), level, game, side, seed, by_the_clock=by_the_clock)


def lives_elsewhere(name: str) -> bool:
    return ":" in name


class ElsewherePlayer:
    """Asks a process that runs a player of another checkout."""

    def __init__(
        self, folder: Path, level: str, game: Game[Any], side: str, seed: str, *, by_the_clock: bool = True
    ) -> None:
        self.name = f"{folder}:{level}"
        self.seconds = 0.0
        """Processor time that it has taken so far, in its own process."""
        self._why = "nothing has been decided yet"
        self._told = 0
        """How many of the match's choices it knows of."""
        if not (folder / MADE_OF).is_file():
            raise BulgeError(f"{folder} is no checkout with players: it has no {MADE_OF}")
        self._errors = TemporaryFile("w+")  # noqa: SIM115 - open as long as the process may write to it
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(GUEST)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=os.environ | {"PYTHONPATH": str(folder.resolve())},
            text=True,
        )
        weakref.finalize(self, _dismiss, self._process, self._errors)
        self._ask("sit", game=game.id, level=level, side=side, seed=seed, by_the_clock=by_the_clock)

    def why(self) -> str:
        return self._why

    def choose(self, match: Match[Any]) -> Choice:
        decision, ids = match.asked(), match.ids
        if match.seed is None:
            raise BulgeError(f"{self.name} can follow only a match with a seed of its own")
        answer = self._ask(
            "choose",
            start=(match.start.scenario, match.start.options, match.seed),
            choices=ids[self._told :],
            options=[match.game.id_of(decision, choice) for choice in decision.options],
        )
        self._told = len(ids)
        self._why = answer["why"]
        self.seconds += answer["seconds"]
        return checked(match, match.find(answer["choice"]), self.name)

    def _ask(self, asked: str, **told: Any) -> dict[str, Any]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([asked, told]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise BulgeError(f"{self.name} has ended: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise BulgeError(f"{self.name}: {answer['error']}")
        return answer

    def _last_words(self) -> str:
        """What the process said last, which is where Python names an error."""
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().split("\n")
        return next((line for line in reversed(said) if line.strip()), f"its process left with {code}")


def _dismiss(process: subprocess.Popen[str], errors: IO[str]) -> None:
    process.kill()
    process.communicate()
    errors.close()

"""Past positions of a match, so that a slider can be dragged through it without playing it again each time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from bulge.core.match import Match
from bulge.core.position import Position
from bulge.server.turns import Turns

KEPT = 4


class _Past:
    """A match played again, with the position after each choice."""

    def __init__(self, match: Match[Any]) -> None:
        assert match.seed is not None
        self.again: Match[Any] = Match(
            match.game, match.start.scenario, match.start.options, seed=match.seed, keep_log=False
        )
        self.positions: list[bytes] = [self.again.position.to_json()]

    def fits(self, match: Match[Any]) -> bool:
        """False after an undo, or with dice that were agreed on since: then some of it never happened."""
        return match.seed == self.again.seed and match.ids[: len(self.again.ids)] == self.again.ids

    def play_to(self, match: Match[Any], n: int) -> None:
        for id_ in match.ids[len(self.again.ids) : n]:
            self.again.answer(id_)
            self.positions.append(self.again.position.to_json())


class Replays:
    """Keeps the last few matches that somebody looked back at."""

    def __init__(self) -> None:
        self._pasts: OrderedDict[str, _Past] = OrderedDict()
        self._lock = threading.Lock()
        self.turns = Turns()
        """One looks back at a time."""

    def position(self, id_: str, match: Match[Any], n: int) -> Position:
        """The position after n choices."""
        return self.positions(id_, match, n)(n)

    def positions(self, id_: str, match: Match[Any], last: int) -> Callable[[int], Position]:
        """The positions up to the one after so many choices, by their number."""
        with self._lock:
            past = self._pasts.get(id_)
            if past is None or not past.fits(match):
                past = self._pasts[id_] = _Past(match)
            self._pasts.move_to_end(id_)
            while len(self._pasts) > KEPT:
                self._pasts.popitem(last=False)
            past.play_to(match, last)

        def after(n: int) -> Position:
            position: Position = msgspec.json.decode(past.positions[n], type=match.game.position_type)
            return position

        return after

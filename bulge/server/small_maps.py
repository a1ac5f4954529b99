"""The small map of a match in lists: the ground that the Germans hold, the front, and an arrow for the last move.

What it is drawn from is kept with the match whenever the turn has passed, so that a list replays nothing; it holds
only what everybody may see.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Any

import msgspec

from bulge.core.game import Game
from bulge.lab.measures import Measures, measures_of
from bulge.server.drawings import DONE, Drawings
from bulge.server.library import Library
from bulge.server.outlines import outlined
from bulge.server.play import Play

GERMAN = "German"
KEPT = 5000
"""Small maps that are not drawn anew for each look at a list: each takes some milliseconds and a kilobyte."""


class SmallMap(msgspec.Struct, frozen=True):
    """In units of the drawn map; what is held and the front are paths."""

    width: float
    height: float
    held: str
    """Ground held by the Germans; empty where a game has none."""
    front: str
    move: tuple[float, float, float, float] | None
    """The last move: from where and to where."""


class Sketch(msgspec.Struct, frozen=True):
    """What is kept of it: a set of spaces in hexadecimal digits, and the names of two of them."""

    held: str
    move: tuple[str, str] | None


def sketch_of(play: Play) -> str:
    """The ground held, and the last move of which all were told."""
    game, position = play.game, play.match.position
    held = 0
    if GERMAN in game.sides:
        measures = _measures(game)
        held = measures.held(position, measures.start(position))
    return msgspec.json.encode(Sketch(f"{held:x}", _last_move(play))).decode()


@lru_cache(maxsize=16)
def _measures(game: Game[Any]) -> Measures[Any]:
    return measures_of(game)


def _last_move(play: Play) -> tuple[str, str] | None:
    for line in reversed(play.lines()):
        event = line.event
        goes = event.units and event.kind in ("", "move") and len(event.spaces) > 1
        if goes and event.side is None and event.spaces[0] != event.spaces[-1]:
            name = play.game.board.name
            return name(event.spaces[0]), name(event.spaces[-1])
    return None


class SmallMaps:
    def __init__(self, drawings: Drawings, library: Library) -> None:
        self._drawings, self._library = drawings, library
        self._kept: OrderedDict[tuple[str, str], SmallMap] = OrderedDict()

    async def of(self, game: str, sketch: str) -> SmallMap | None:
        """None before anybody has moved, while the map itself is still being drawn, and if the game is gone."""
        if not sketch or game not in self._library.ids():
            return None
        if (game, sketch) not in self._kept:
            if await self._drawings.percent(game) < DONE:
                return None
            self._kept[game, sketch] = await self._draw(game, msgspec.json.decode(sketch, type=Sketch))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end((game, sketch))
        return self._kept[game, sketch]

    async def _draw(self, game: str, sketch: Sketch) -> SmallMap:
        drawing = await self._drawings.board(game)
        board = self._library.game(game).board
        # Kept when the board may have had more spaces than it has now.
        held, front = outlined(board, int(sketch.held, 16) & board.all, drawing)
        places = drawing["hexes"] if "hexes" in drawing else drawing["spaces"]
        ends = [places[name] for name in sketch.move or () if name in places]
        move = (*ends[0], *ends[1]) if len(ends) == 2 else None
        return SmallMap(drawing["width"], drawing["height"], held, front, move)

"""Where a game's spaces lie on the real ground, so that maps of any scale measure in kilometres."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from math import dist
from typing import Any

from bulge.core.game import Game
from bulge.core.hexes import HexBoard
from bulge.core.spaces import members

Point = tuple[float, float]


class Ground:
    """The spaces of a game's board in the plane: kilometres where its map is of a real country, else hexes."""

    def __init__(self, game: Game[Any]) -> None:
        self.board = game.board
        self.map: Mapping[str, Any] = json.loads((files(f"bulge.games.{game.id}") / "map.json").read_text("utf-8"))

    @property
    def unit(self) -> str:
        return "km" if "projection" in self.map or "spaces" in self.map else "hexes"

    @cached_property
    def points(self) -> dict[int, Point]:
        """East and north. A box beside the map lies nowhere, and is left out."""
        if isinstance(self.board, HexBoard):
            across = float(self.map["projection"]["km_per_hex"]) if "projection" in self.map else 1.0
            planes = {space: self.board.plane(space) for space in members(self.board.hexes)}
            return {space: (x * across, y * across) for space, (x, y) in planes.items()}
        return {
            self.board.at(name): (float(space["km"][0]), float(space["km"][1]))
            for name, space in self.map.get("spaces", {}).items()
            if "km" in space and self.board.has(name)
        }

    def depths(self, start: int) -> dict[int, float]:
        """How far each space lies from the nearest one of `start`."""
        points = self.points
        begun = [points[space] for space in members(start) if space in points]
        return {
            space: round(min((dist(point, other) for other in begun), default=0.0), 1)
            for space, point in points.items()
        }

    def area(self, name: str) -> int:
        """A named set of the map's spaces."""
        return self.board.set_of(self.map["areas"][name])

    def places(self) -> dict[str, int]:
        """Every space that has a name of its own, by that name."""
        hexes, spaces = self.map.get("hexes", {}), self.map.get("spaces", {})
        named = {hex_["place"]: name for name, hex_ in hexes.items() if "place" in hex_}
        named |= {space["name"]: name for name, space in spaces.items()}
        return {place: self.board.at(name) for place, name in named.items() if self.board.has(name)}

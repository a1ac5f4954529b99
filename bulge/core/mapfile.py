"""A game's map file, as a board and sets of hexes and hexsides. The format is described in docs/map-files.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any

from bulge.core.board import GraphBoard
from bulge.core.errors import BadData
from bulge.core.hexes import NUMBERINGS, Grid, HexBoard, LinkedHexBoard, Sheet, Sides

FORMAT = 1


@dataclass(frozen=True)
class HexMap:
    """What a map file says, ready for rules: look up by feature, get sets."""

    raw: dict[str, Any]

    @cached_property
    def board(self) -> HexBoard:
        grid = self.raw["grid"]
        sheets = tuple(Sheet(**sheet) for sheet in grid.get("sheets", [{}]))
        numbered, hexes = Grid(NUMBERINGS[grid["numbering"]], sheets), self.raw["hexes"]
        links = [(name, other) for name, box in self.boxes.items() for other in box.get("links", ())]
        if links:
            return LinkedHexBoard(numbered, hexes, self.boxes, links)
        return HexBoard(numbered, hexes, self.boxes)

    @property
    def boxes(self) -> dict[str, Any]:
        """The boxes beside the hexes, in the file's order: where each is drawn, and what it is linked with."""
        found: dict[str, Any] = self.raw.get("boxes", {})
        return found

    def hexes(self, key: str, *values: object) -> int:
        """The hexes that have a feature, or one of these values of it."""
        found = (name for name, hex_ in self.raw["hexes"].items() if _matches(hex_.get(key), values))
        return self.board.set_of(found)

    def sides(self, key: str, *values: object) -> Sides:
        """The hexsides that have a feature, or one of these values of it."""
        return self.board.sides(
            name for name, side in self.raw["sides"].items() if _matches(side.get(key), values)
        )

    def area(self, name: str) -> int:
        """A named set of hexes."""
        try:
            return self.board.set_of(self.raw["areas"][name])
        except KeyError:
            raise BadData(f"the map of {self.raw['game']} has no area {name!r}") from None

    def edge_roads(self) -> int:
        """The hexes where a road leaves the map."""
        return self.board.set_of(self.raw.get("edges", {}))

    @cached_property
    def places(self) -> dict[int, str]:
        """The place that gives each hex its name."""
        return {self.board.at(name): hex_["place"] for name, hex_ in self.raw["hexes"].items() if "place" in hex_}

    def words(self, hex_: int) -> str:
        """A hex as a person calls it: its number, and its place if it has one."""
        name, place = self.board.name(hex_), self.places.get(hex_)
        return f"{name} {place}" if place else name


def _matches(found: object, wanted: tuple[object, ...]) -> bool:
    return found in wanted if wanted else bool(found)


@dataclass(frozen=True)
class SpaceMap:
    """What the map file of a game without hexes says: named spaces, and the links between them by kind."""

    raw: dict[str, Any]

    def links(self, *kinds: str) -> list[tuple[str, str]]:
        """The links of these kinds, each by its two ends."""
        found = [key.split("/") for key, link in self.raw["links"].items() if link["kind"] in kinds or not kinds]
        return [(one, other) for one, other in found]

    def board(self, names: Sequence[str]) -> GraphBoard:
        """The board with its spaces in this order; names that the map does not know are boxes beside it."""
        return GraphBoard(names, self.links())


def load_space_map(game: str, folder: Traversable) -> SpaceMap:
    """Read `map.json` of the folder of a game without hexes."""
    read = SpaceMap(_read(game, folder))
    if "spaces" not in read.raw or "links" not in read.raw:
        raise BadData(f"the map file of {game} has no spaces and links")
    return read


def load_map(game: str, folder: Traversable) -> HexMap:
    """Read `map.json` of a game's folder."""
    read = HexMap(_read(game, folder))
    try:
        _ = read.board
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"the map file of {game} has no proper grid of hexes: {error!r}") from None
    return read


def _read(game: str, folder: Traversable) -> dict[str, Any]:
    try:
        raw = json.loads((folder / "map.json").read_text("utf-8"))
    except (FileNotFoundError, ValueError) as error:
        raise BadData(f"the map file of {game} cannot be read: {error}") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or raw.get("game") != game:
        raise BadData(f"the map file of {game} is not one of its own, or of another format than {FORMAT}")
    return raw

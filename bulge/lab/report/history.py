"""Where the front really ran in December 1944, on the spaces of a game's map."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import shapely
from shapely.geometry import Polygon

from bulge.geo.geography import Line, geography
from bulge.geo.projection import Projection
from bulge.lab.ground import Ground

DAYS = (16, 18, 20, 22, 24, 26)
"""The days of December whose front we know; the 16th at dawn, the others in the evening."""
NORTH, SOUTH, EAST = 51.5, 49.0, 9.0
"""Beyond every map: the land behind the German front is closed out here."""

Shape = Any  # a shapely geometry; shapely has no types of its own


class History:
    """The historical fronts for one game."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._held: dict[int, set[int]] = {}

    @cached_property
    def real(self) -> bool:
        """Whether the game's map is of a real country."""
        return bool(self.where)

    @cached_property
    def where(self) -> dict[int, tuple[float, float]]:
        """Latitude and longitude of the middle of each space."""
        ground, board = self._ground, self._ground.board
        if data := ground.map.get("projection"):
            projection = Projection(data["matrix"], data["offset"])
            plane: Any = board
            return {space: projection.back(plane.plane(space)) for space in ground.points}
        spaces = ground.map.get("spaces", {})
        return {
            board.at(name): (float(space["at"][0]), float(space["at"][1]))
            for name, space in spaces.items()
            if "at" in space and board.has(name)
        }

    def held(self, day: int) -> set[int]:
        """The spaces whose middle lay behind the German front."""
        if day not in self._held:
            land = german_land(day)
            shapely.prepare(land)
            places = self.where.items()
            self._held[day] = {space for space, (lat, lon) in places if shapely.contains_xy(land, lon, lat)}
        return self._held[day]


def fronts(day: int) -> list[Line]:
    """The front of a day, and the pockets on either side of it."""
    return [line for line in geography().lines if line.kind == "front" and line.day == day]


def german_land(day: int) -> Shape:
    """All land behind the German front, pockets put in or taken out."""
    lines = fronts(day)
    main = max(lines, key=lambda line: abs(line.course[0][0] - line.course[-1][0]))
    course = [(lon, lat) for lat, lon in main.course]
    land = Polygon([(course[0][0], NORTH), *course, (course[-1][0], SOUTH), (EAST, SOUTH), (EAST, NORTH)]).buffer(
        0
    )
    for line in lines:
        if line is not main:
            pocket = Polygon([(lon, lat) for lat, lon in line.course]).buffer(0)
            land = land.difference(pocket) if land.contains(pocket.centroid) else land.union(pocket)
    return land

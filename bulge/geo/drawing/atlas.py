"""The real ground on one sheet: the geography's places, rivers, regions and lines as points of the drawing."""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from shapely.geometry import LineString, Polygon

from bulge.geo.drawing.svg import Geometry, Point
from bulge.geo.geography import Geography

Locate = Callable[[float, float], Point]
NO_GROUND = Geography({}, {}, (), (), ())
COUNTRIES = {"BE": "Belgium", "DE": "Germany", "FR": "France", "LU": "Luxembourg", "NL": "Netherlands"}


class Spot(NamedTuple):
    """A place of the gazetteer where it lies on the sheet."""

    name: str
    point: Point
    kind: str
    country: str


class Region(NamedTuple):
    """A named landscape and its outline on the sheet."""

    name: str
    outline: Geometry


class Atlas:
    """What the drawing takes from the geography; everything in it is in drawing units."""

    def __init__(self, geography: Geography, locate: Locate | None) -> None:
        """`locate` turns latitude and longitude into a point; without it the map shows no real ground."""
        if locate is None:
            geography, locate = NO_GROUND, lambda _lat, _lon: (0.0, 0.0)
        self.locate = locate
        self.spots: dict[str, Spot] = {}
        for place in geography.places.values():
            spot = Spot(place.name, locate(place.lat, place.lon), place.kind, place.country)
            for name in (place.name, *place.also):
                self.spots.setdefault(name, spot)
        self._rivers = geography.rivers
        self._courses = {name: self._line(river.course) for name, river in geography.rivers.items()}
        self.regions = [
            Region(region.name, Polygon([locate(*p) for p in region.outline]))
            for region in geography.regions
            if region.label
        ]
        self.walls = [self._line(line.course) for line in geography.lines if line.kind == "westwall"]
        self.borders = [self._line(line.course) for line in geography.lines if line.kind == "border"]
        self.fronts = [
            self._line(line.course) for line in geography.lines if line.kind == "front" and line.day == 16
        ]

    def _line(self, points: Iterable[tuple[float, float]]) -> Geometry:
        return LineString([self.locate(lat, lon) for lat, lon in points])

    def course(self, river: str) -> Geometry | None:
        return self._courses.get(river)

    def flows_into(self, river: str) -> str | None:
        """The river that this one joins; none if it leaves the theatre."""
        known = self._rivers.get(river)
        return known.flows_into if known is not None and known.flows_into in self._rivers else None

    def river_grade(self, river: str) -> str:
        known = self._rivers.get(river)
        return known.grade if known is not None else "river"

    def country_at(self, point: Point) -> str:
        """The country of most of the five places nearest to a point."""
        near = sorted(set(self.spots.values()), key=lambda s: (round(math.dist(s.point, point), 3), s.name))[:5]
        codes = [spot.country for spot in near]
        return COUNTRIES[max(sorted(set(codes)), key=codes.count)] if codes else ""

"""One ground for all models: their spaces as areas of the real country, in kilometres, and the country itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from shapely.geometry import LineString, Polygon, box
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import unary_union

from bulge.core.hexes import HexBoard
from bulge.geo.drawing.svg import num
from bulge.geo.geography import geography
from bulge.geo.projection import Projection, km
from bulge.lab.ground import Ground
from bulge.lab.report.history import fronts
from bulge.lab.report.maps import lines_of

Point = tuple[float, float]
Shape = Any  # a shapely geometry; shapely has no types of its own

SEAM_KM = 0.02
SPACE_KM = 0.55
"""The radius of a space on a map of spaces."""
BIG_RIVERS = ("Meuse", "Our", "Sauer", "Ourthe", "Salm", "Amblève", "Lesse", "Moselle")
TOWNS = ("Namur", "Dinant", "Liège", "Malmedy", "St. Vith", "Bastogne", "Marche", "Houffalize", "Monschau")
ACROSS = 1330.0
"""Units of every drawing from west to east, so that lines and type have one size on all of them."""


class Window(NamedTuple):
    """A rectangle of the country, in kilometres: west, south, east, north."""

    west: float
    south: float
    east: float
    north: float

    @property
    def shape(self) -> Shape:
        return box(*self)

    @property
    def width(self) -> float:
        return self.east - self.west

    @property
    def height(self) -> float:
        return self.north - self.south


WHOLE = Window(*km(49.62, 4.75), *km(50.72, 6.62))
"""From beyond the Meuse to behind the West Wall."""


def areas(ground: Ground) -> dict[int, Shape]:
    """Every space of a map as an area of the country."""
    if isinstance(ground.board, HexBoard):
        return _hexes(ground, ground.board)
    spaces: Mapping[str, Any] = ground.map["spaces"]
    return {
        ground.board.at(name): ShapelyPoint(km(*space["at"])).buffer(SPACE_KM, 6)
        for name, space in spaces.items()
        if "at" in space and ground.board.has(name)
    }


def _hexes(ground: Ground, board: HexBoard) -> dict[int, Shape]:
    projection = Projection(ground.map["projection"]["matrix"], ground.map["projection"]["offset"])
    corners = board.grid.numbering.corners()
    found = {}
    for space in ground.points:
        x, y = board.plane(space)
        found[space] = Polygon([km(*projection.back((x + dx, y + dy))) for dx, dy in corners])
    return found


def window_of(shapes: Mapping[int, Shape]) -> Window:
    """The whole battle, or the neighbourhood of a model that is about one place."""
    west, south, east, north = unary_union(list(shapes.values())).bounds
    if east - west > WHOLE.width / 3:
        return WHOLE
    return Window(west - 2, south - 2, east + 2, north + 2)


# ---------------------------------------------------------------------- drawing


def grown(areas: Mapping[int, Shape]) -> dict[int, Shape]:
    """Each area a little over its seam, so that those that touch can be joined."""
    return {space: area.buffer(SEAM_KM, join_style="mitre") for space, area in areas.items()}


def joined(grown: Iterable[Shape]) -> Shape:
    """Areas that touch, as one; small steps that their growing leaves are cut off."""
    return unary_union(list(grown)).simplify(2 * SEAM_KM)


def path_of(geometry: Shape, window: Window) -> str:
    """Lines or areas as the data of an SVG path, y down, cut to the window."""
    cut = geometry.intersection(window.shape)
    if cut.is_empty:
        return ""
    if cut.geom_type.endswith("LineString"):
        return "".join(_run(piece.coords, window) for piece in lines_of(cut))
    rings = []
    for piece in getattr(cut, "geoms", [cut]):
        if piece.geom_type == "Polygon":
            rings += [f"{_run(ring.coords, window)}Z" for ring in (piece.exterior, *piece.interiors)]
    return "".join(rings)


def _run(points: Iterable[Point], window: Window) -> str:
    return "M" + "L".join("{} {}".format(*map(num, place(point, window))) for point in points)


def place(point: Point, window: Window) -> Point:
    """Where a point of the country lies on the drawing."""
    x, y = point
    scale = ACROSS / window.width
    return scale * (x - window.west), scale * (window.north - y)


def country(window: Window) -> dict[str, str]:
    """Rivers and borders, as paths by kind."""
    land = geography()
    rivers = [LineString([km(*at) for at in land.rivers[name].course]) for name in BIG_RIVERS]
    borders = [LineString([km(*at) for at in line.course]) for line in land.lines if line.kind == "border"]
    return {
        "river": "".join(path_of(line, window) for line in rivers),
        "border": "".join(path_of(line, window) for line in borders),
    }


def towns(window: Window) -> list[tuple[str, float, float]]:
    """The towns that lie in the window, with their place in it."""
    found = []
    for name in TOWNS:
        x, y = km(*geography().place(name).point)
        if window.west < x < window.east and window.south < y < window.north:
            found.append((name, *place((x, y), window)))
    return found


def line_of_1944(day: int, window: Window) -> str:
    courses = [LineString([km(*at) for at in front.course]) for front in fronts(day)]
    return "".join(path_of(course, window) for course in courses)

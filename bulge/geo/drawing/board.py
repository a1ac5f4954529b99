"""A map file as places on the sheet: hex centres, corners, hexsides, and the real ground under them."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shapely.geometry import Polygon
from shapely.ops import unary_union

from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.svg import Geometry, Point

RADIUS = HEX / math.sqrt(3)  # centre to corner
MARGIN = 92.0  # from the hexes to the neat line
EDGE = 34.0  # from the neat line to the edge of the page
Vertex = tuple[int, int]


class Side(NamedTuple):
    """A hexside: its two ends as lattice vertices and as points, and its middle."""

    ends: tuple[Vertex, Vertex]
    points: tuple[Point, Point]
    middle: Point


class Box(NamedTuple):
    """A box beside the hexes: its middle on the sheet, and its size."""

    x: float
    y: float
    width: float
    height: float


class Projection:
    """From latitude and longitude to the plane of the hexes, in hex widths east and north."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.matrix, self.offset = data["matrix"], data["offset"]
        self.latitude, self.longitude = data["origin"]
        self.km_per_hex = float(data["km_per_hex"])

    def plane(self, latitude: float, longitude: float) -> Point:
        east = (longitude - self.longitude) * 111.32 * math.cos(math.radians(self.latitude))
        north = (latitude - self.latitude) * 111.2
        (a, b), (c, d) = self.matrix
        return a * east + b * north + self.offset[0], c * east + d * north + self.offset[1]


class Board:
    """The hexes of a map file laid out on a sheet, north up."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.hexes: Mapping[str, Mapping[str, Any]] = dict(sorted(data["hexes"].items()))
        self.sides: Mapping[str, Mapping[str, Any]] = dict(sorted(data.get("sides", {}).items()))
        self.by_rows = data["grid"]["numbering"] == "rows_from_east"
        self.shifts = {sheet["prefix"]: sheet["shift"] for sheet in data["grid"]["sheets"]}
        self.projection = Projection(data["projection"]) if "projection" in data else None
        self.cells = {name: self._cell(name) for name in self.hexes}
        self.known_cells = set(self.cells.values())
        planes = [self._plane(cell) for cell in self.cells.values()]
        self.west, self.north = min(u for u, _ in planes), max(v for _, v in planes)
        self.half_width, self.half_height = (HEX / 2, RADIUS) if self.by_rows else (RADIUS, HEX / 2)
        self.origin = self._origin()
        self.centres = {name: self.sheet_point(self._plane(cell)) for name, cell in self.cells.items()}
        self.boxes = {name: self._box(box) for name, box in data.get("boxes", {}).items()}
        rights = [x + self.half_width for x, _ in self.centres.values()]
        feet = [y + self.half_height for _, y in self.centres.values()]
        rights += [box.x + box.width / 2 for box in self.boxes.values()]
        feet += [box.y + box.height / 2 for box in self.boxes.values()]
        self.width, self.height = max(rights) + MARGIN + EDGE, max(feet) + MARGIN + EDGE
        self.shapes = {name: Polygon(self.corners(self.centres[name])) for name in self.hexes}
        self.field: Geometry = unary_union([s.buffer(0.5, join_style="mitre") for s in self.shapes.values()])

    def _origin(self) -> Point:
        """Where the westernmost and the northernmost hex centre come to lie: boxes beyond them need room."""
        boxes = self.data.get("boxes", {}).values()
        beyond = [[size / 2 - at for at, size in zip(box["at"], box["size"], strict=True)] for box in boxes]
        left, top = (max((room[axis] * HEX for room in beyond), default=0.0) for axis in (0, 1))
        return EDGE + MARGIN + max(self.half_width, left), EDGE + MARGIN + max(self.half_height, top)

    def _box(self, box: Mapping[str, Any]) -> Box:
        (right, down), (width, height) = box["at"], box["size"]
        return Box(self.origin[0] + right * HEX, self.origin[1] + down * HEX, width * HEX, height * HEX)

    def _cell(self, name: str) -> tuple[int, int]:
        """The (row, column) of a hex in the numbering common to all sheets."""
        digits = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        first, second = int(digits[:2]), int(digits[2:])
        shift = self.shifts[name[: len(name) - len(digits)]]
        return (first, second + shift) if self.by_rows else (second, first + shift)

    def _plane(self, cell: tuple[int, int]) -> Point:
        row, column = cell
        if self.by_rows:
            return -(column + (0.5 if row % 2 == 0 else 0)), -row * math.sqrt(3) / 2
        return -column * math.sqrt(3) / 2, row + (0.5 if column % 2 else 0)

    def sheet_point(self, plane: Point) -> Point:
        return self.origin[0] + (plane[0] - self.west) * HEX, self.origin[1] - (plane[1] - self.north) * HEX

    def ground_point(self, latitude: float, longitude: float) -> Point:
        if self.projection is None:
            raise ValueError(f"{self.data.get('title', 'the map')} has no projection")
        return self.sheet_point(self.projection.plane(latitude, longitude))

    def corners(self, centre: Point, scale: float = 1.0) -> list[Point]:
        start = 0 if self.by_rows else math.pi / 6
        angles = (start + i * math.pi / 3 for i in range(6))
        return [
            (centre[0] + RADIUS * scale * math.sin(a), centre[1] - RADIUS * scale * math.cos(a)) for a in angles
        ]

    def vertex(self, point: Point) -> Vertex:
        """A corner as a pair of whole numbers, the same whichever hex it was reached from."""
        dx, dy = point[0] - self.origin[0], point[1] - self.origin[1]
        step_x, step_y = (HEX / 2, RADIUS / 2) if self.by_rows else (RADIUS / 2, HEX / 2)
        return round(dx / step_x), round(dy / step_y)

    def between(self, a: Point, b: Point) -> Side:
        """The hexside between two hex centres."""
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        dx, dy = (b[0] - a[0]) / HEX * RADIUS / 2, (b[1] - a[1]) / HEX * RADIUS / 2
        points = ((middle[0] - dy, middle[1] + dx), (middle[0] + dy, middle[1] - dx))
        return Side((self.vertex(points[0]), self.vertex(points[1])), points, middle)

    def side(self, key: str) -> Side:
        a, b = key.split("/")
        return self.between(self.centres[a], self.centres[b])

    def sides_with(self, feature: str) -> Iterator[tuple[str, Side]]:
        """The hexsides that carry a feature, where both hexes are on the map."""
        for key, features in self.sides.items():
            if features.get(feature) and all(name in self.hexes for name in key.split("/")):
                yield key, self.side(key)

    def open_neighbours(self, name: str) -> list[Point]:
        """The centres of the neighbours of a hex that are not on the map."""
        x, y = self.centres[name]
        taken = {self.vertex(centre) for centre in self.centres.values() if math.dist(centre, (x, y)) < 1.2 * HEX}
        start = math.pi / 6 if self.by_rows else 0
        around = [
            (x + HEX * math.sin(start + i * math.pi / 3), y - HEX * math.cos(start + i * math.pi / 3))
            for i in range(6)
        ]
        return [point for point in around if self.vertex(point) not in taken]


def names_in(hex_data: Mapping[str, Any], key: str) -> list[str]:
    """A feature of a hex that may be one name or several."""
    value = hex_data.get(key) or []
    return [value] if isinstance(value, str) else list(value)

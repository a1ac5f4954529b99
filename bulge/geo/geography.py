"""The Ardennes of December 1944: places, rivers, roads, regions and lines, read from the files in `data`."""

import csv
import difflib
import math
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Literal, TypeVar

import msgspec

Point = tuple[float, float]
"""Latitude and longitude in degrees."""

Bank = Literal["left", "right"]

T = TypeVar("T")

KM_PER_DEGREE = 111.2
BANK_OFFSET_KM = 0.3
EDGES = frozenset({"north edge", "east edge", "south edge", "west edge"})


class GeographyError(ValueError):
    """The data name something that isn't there, or say something they can't mean."""


class Place(msgspec.Struct, frozen=True):
    name: str
    lat: float
    lon: float
    kind: Literal["city", "town", "village", "crossroads", "height", "fort"]
    size: Literal[1, 2, 3, 4]
    country: Literal["BE", "DE", "FR", "LU"]
    also: tuple[str, ...]
    source: Literal["GeoNames", "own"]

    @property
    def point(self) -> Point:
        return self.lat, self.lon


class River(msgspec.Struct, frozen=True):
    """A river from source to mouth; a tributary's last point lies on the course of the river it joins."""

    name: str
    grade: Literal["major", "river", "minor"]
    flows_into: str
    course: tuple[Point, ...]
    banks: dict[str, Bank]


class Road(msgspec.Struct, frozen=True):
    """A road between two places; `course` holds both of them and the points between."""

    start: str
    end: str
    grade: Literal["primary", "secondary", "track"]
    names: tuple[str, ...]
    course: tuple[Point, ...]


class Region(msgspec.Struct, frozen=True):
    """A stretch of like country. Where outlines overlap, the region listed later wins."""

    name: str
    cover: Literal["forest", "woods", "fen", "heath", "open"]
    relief: Literal["plateau", "hills", "gorge", "plain"]
    label: bool
    outline: tuple[Point, ...]


class Line(msgspec.Struct, frozen=True):
    """A line drawn on the map; `day` is a day of December 1944 for a front, else 0."""

    name: str
    kind: Literal["westwall", "front", "border", "river"]
    day: int
    sure: Literal["good", "fair", "poor"]
    source: str
    course: tuple[Point, ...]


class Geography(msgspec.Struct, frozen=True):
    places: dict[str, Place]
    rivers: dict[str, River]
    roads: tuple[Road, ...]
    regions: tuple[Region, ...]
    lines: tuple[Line, ...]

    def place(self, name: str) -> Place:
        """The place of that name or of that other spelling."""
        return find_place(self.places, name)

    def line(self, name: str) -> Line:
        for line in self.lines:
            if line.name == name:
                return line
        raise GeographyError(f"no line is named {name!r}")


@cache
def geography() -> Geography:
    """The whole geography, read once."""
    places = _read_places()
    rivers = _read_rivers(places)
    return Geography(places, rivers, _read_roads(places), _read_regions(), _read_lines(rivers, places))


def find_place(places: dict[str, Place], name: str) -> Place:
    if name in places:
        return places[name]
    for place in places.values():
        if name in place.also:
            return place
    near = difflib.get_close_matches(name, places, n=3)
    hint = f"; do you mean {' or '.join(near)}?" if near else ""
    raise GeographyError(f"no place is named {name!r}{hint}")


def distance_km(a: Point, b: Point) -> float:
    """How far apart two points are; flat-earth sums, right to some 0.1 % across the theatre."""
    return math.dist(_flat(a), _flat(b))


def distance_to_course_km(point: Point, course: Sequence[Point]) -> float:
    return distance_km(point, nearest_point(point, course))


def nearest_point(point: Point, course: Sequence[Point]) -> Point:
    """The point of a course that is nearest to a point."""
    position = _nearest(point, course)
    return _along(course, position)


def bank_of(point: Point, course: Sequence[Point]) -> Bank:
    """On which bank of a course a point stands, looking downstream."""
    segment = int(_nearest(point, course))
    (ax, ay), (bx, by) = _flat(course[segment]), _flat(course[segment + 1])
    px, py = _flat(point)
    turn = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    return "right" if turn < 0 else "left"


def contains(outline: Sequence[Point], point: Point) -> bool:
    """Whether a point lies inside a closed outline."""
    lat, lon = point
    inside = False
    for (lat1, lon1), (lat2, lon2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        crosses = (lat1 > lat) != (lat2 > lat)
        if crosses and lon < lon1 + (lat - lat1) / (lat2 - lat1) * (lon2 - lon1):
            inside = not inside
    return inside


def region_at(regions: Iterable[Region], point: Point) -> Region | None:
    """The region that a point lies in: of overlapping ones, the one listed last."""
    found = None
    for region in regions:
        if contains(region.outline, point):
            found = region
    return found


def _flat(point: Point) -> tuple[float, float]:
    """Kilometres east and north; one scale for the whole theatre keeps straight lines straight."""
    lat, lon = point
    return lon * KM_PER_DEGREE * math.cos(math.radians(50.1)), lat * KM_PER_DEGREE


def _unflat(flat: tuple[float, float]) -> Point:
    east, north = flat
    return north / KM_PER_DEGREE, east / (KM_PER_DEGREE * math.cos(math.radians(50.1)))


def _nearest(point: Point, course: Sequence[Point]) -> float:
    """Where along a course it comes nearest to a point: segment number plus the share of that segment."""
    best, best_distance = 0.0, math.inf
    px, py = _flat(point)
    for number, (a, b) in enumerate(pairwise(course)):
        if a == b:
            continue
        (ax, ay), (bx, by) = _flat(a), _flat(b)
        length_squared = (bx - ax) ** 2 + (by - ay) ** 2
        share = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length_squared
        share = min(max(share, 0.0), 1.0 - 1e-9)
        distance = math.hypot(ax + share * (bx - ax) - px, ay + share * (by - ay) - py)
        if distance < best_distance:
            best, best_distance = number + share, distance
    return best


def _along(course: Sequence[Point], position: float) -> Point:
    segment = min(int(position), len(course) - 2)
    share = position - segment
    (lat1, lon1), (lat2, lon2) = course[segment], course[segment + 1]
    return lat1 + share * (lat2 - lat1), lon1 + share * (lon2 - lon1)


def _stretch(course: Sequence[Point], start: Point, end: Point) -> list[Point]:
    """The part of a course between the points nearest to two others, in the order asked for."""
    first, last = _nearest(start, course), _nearest(end, course)
    low, high = min(first, last), max(first, last)
    between = [point for number, point in enumerate(course) if low < number < high]
    part = [_along(course, low), *between, _along(course, high)]
    return part if first <= last else part[::-1]


# --- Reading the files --------------------------------------------------------------------------------------


class _RiversidePlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: str
    bank: Bank
    off: float = BANK_OFFSET_KM


class _RiverStretch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    river: str
    start: str | Point
    end: str | Point


class _RiverRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    grade: Literal["major", "river", "minor"] = msgspec.field(name="class")
    flows_into: str
    course: list[Point | _RiversidePlace]


class _LineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: Literal["westwall", "front", "border", "river"]
    sure: Literal["good", "fair", "poor"]
    source: str
    course: list[Point | str | _RiverStretch]
    day: int = 0


class _RiverFile(msgspec.Struct, forbid_unknown_fields=True):
    river: list[_RiverRow]


class _RegionFile(msgspec.Struct, forbid_unknown_fields=True):
    region: list[Region]


class _LineFile(msgspec.Struct, forbid_unknown_fields=True):
    line: list[_LineRow]


def _text(name: str) -> str:
    return (resources.files("bulge.geo") / "data" / name).read_text(encoding="utf-8")


def _rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(row for row in _text(name).splitlines() if not row.startswith("#")))


def _parts(text: str, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(separator) if part.strip())


def _read_places() -> dict[str, Place]:
    places: dict[str, Place] = {}
    for row in _rows("places.csv"):
        if row["name"] in places:
            raise GeographyError(f"places.csv: {row['name']} stands twice")
        fields = {**row, "size": int(row["size"]), "also": _parts(row["also"], ";")}
        places[row["name"]] = _converted(fields, Place, f"places.csv: {row['name']}")
    return places


def _read_rivers(places: dict[str, Place]) -> dict[str, River]:
    rows = {row.name: row for row in _decoded("rivers.toml", _RiverFile).river}
    rivers: dict[str, River] = {}
    for name in rows:
        _add_river(name, rows, rivers, places)
    return {name: rivers[name] for name in rows}


def _add_river(name: str, rows: dict[str, _RiverRow], rivers: dict[str, River], places: dict[str, Place]) -> None:
    """Add a river, and before it the river it flows into, whose course says where its mouth is."""
    if name in rivers:
        return
    row = rows[name]
    course = _river_course(row, places)
    if row.flows_into not in EDGES:
        if row.flows_into not in rows:
            raise GeographyError(f"rivers.toml: {name} flows into {row.flows_into!r}, no river and no edge")
        _add_river(row.flows_into, rows, rivers, places)
        course.append(nearest_point(course[-1], rivers[row.flows_into].course))
    banks = {item.place: item.bank for item in row.course if isinstance(item, _RiversidePlace)}
    rivers[name] = River(name, row.grade, row.flows_into, tuple(course), banks)


def _river_course(row: _RiverRow, places: dict[str, Place]) -> list[Point]:
    points = [
        find_place(places, item.place).point if isinstance(item, _RiversidePlace) else item for item in row.course
    ]
    return [
        _beside(points, number, item) if isinstance(item, _RiversidePlace) else item
        for number, item in enumerate(row.course)
    ]


def _beside(points: Sequence[Point], number: int, item: _RiversidePlace) -> Point:
    """Where the river passes a place: off to the side that the place does not stand on."""
    ax, ay = _flat(points[max(number - 1, 0)])
    bx, by = _flat(points[min(number + 1, len(points) - 1)])
    length = math.hypot(bx - ax, by - ay)
    side = item.off if item.bank == "right" else -item.off
    x, y = _flat(points[number])
    return _unflat((x - (by - ay) / length * side, y + (bx - ax) / length * side))


def _read_roads(places: dict[str, Place]) -> tuple[Road, ...]:
    return tuple(_road(row, places) for row in _rows("roads.csv"))


def _road(row: dict[str, str], places: dict[str, Place]) -> Road:
    start, end = find_place(places, row["from"]), find_place(places, row["to"])
    between = [point.split() for point in _parts(row["via"], ";")]
    fields = {
        "start": start.name,
        "end": end.name,
        "grade": row["class"],
        "names": _parts(row["name"], " / "),
        "course": [start.point, *between, end.point],
    }
    return _converted(fields, Road, f"roads.csv: {start.name} to {end.name}")


def _read_regions() -> tuple[Region, ...]:
    return tuple(_decoded("regions.toml", _RegionFile).region)


def _read_lines(rivers: dict[str, River], places: dict[str, Place]) -> tuple[Line, ...]:
    return tuple(_line(row, rivers, places) for row in _decoded("lines.toml", _LineFile).line)


def _line(row: _LineRow, rivers: dict[str, River], places: dict[str, Place]) -> Line:
    def located(item: str | Point) -> Point:
        return find_place(places, item).point if isinstance(item, str) else item

    course: list[Point] = []
    for item in row.course:
        if isinstance(item, _RiverStretch):
            if item.river not in rivers:
                raise GeographyError(f"lines.toml: {row.name} follows {item.river!r}, which is no river")
            course += _stretch(rivers[item.river].course, located(item.start), located(item.end))
        else:
            course.append(located(item))
    return Line(row.name, row.kind, row.day, row.sure, row.source, tuple(course))


def _decoded(name: str, kind: type[T]) -> T:
    try:
        return msgspec.toml.decode(_text(name), type=kind)
    except msgspec.ValidationError as error:
        raise GeographyError(f"{name}: {error}") from error


def _converted(fields: object, kind: type[T], where: str) -> T:
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise GeographyError(f"{where}: {error}") from error

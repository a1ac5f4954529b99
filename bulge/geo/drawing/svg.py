"""Writing SVG: numbers, elements and path data, always the same bytes for the same drawing."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy.typing as npt
from shapely.geometry import LineString

Point = tuple[float, float]
LONGEST_SIDE = 60.0
Geometry = Any  # a shapely geometry; shapely has no types of its own


def num(value: float) -> str:
    """A coordinate with at most one decimal: enough for print, half the bytes."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def at(point: Sequence[float]) -> str:
    return f"{num(point[0])} {num(point[1])}"


def attributes(values: dict[str, Any]) -> str:
    """Attributes in the order given; underscores become hyphens and None is left out."""
    parts = []
    for key, value in values.items():
        if value is None:
            continue
        text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        parts.append(f" {key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    return "".join(parts)


def element(name: str, **values: Any) -> str:
    return f"<{name}{attributes(values)}/>"


def path(data: str, fill: str = "none", **values: Any) -> str:
    return element("path", d=data, fill=fill, **values) if data else ""


def group(body: str, **values: Any) -> str:
    return f"<g{attributes(values)}>{body}</g>"


def words(x: float, y: float, text: str, size: float, class_: str | None = None, **values: Any) -> str:
    place = attributes({"class": class_, "x": num(x), "y": num(y), "font_size": num(size), **values})
    return f"<text{place}>{escape(text)}</text>"


def rect(x: float, y: float, width: float, height: float, fill: str = "none", **values: Any) -> str:
    return element("rect", x=num(x), y=num(y), width=num(width), height=num(height), fill=fill, **values)


def circle(x: float, y: float, radius: float, fill: str = "none", **values: Any) -> str:
    return element("circle", cx=num(x), cy=num(y), r=num(radius), fill=fill, **values)


def parts(geometry: Geometry) -> list[Geometry]:
    """The single geometries of a collection, the empty ones left out."""
    return [g for g in getattr(geometry, "geoms", [geometry]) if not g.is_empty]


def rings(geometry: Geometry) -> Iterable[Geometry]:
    for polygon in parts(geometry):
        if polygon.geom_type == "Polygon":
            yield polygon.exterior
            yield from polygon.interiors


def _middles(points: Sequence[Point]) -> list[Point]:
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(points)]


def curve(points: npt.ArrayLike, tolerance: float = 0.5) -> str:
    """Path data of an open course: simplified, then rounded with quadratic arcs."""
    p = list(LineString(points).simplify(tolerance).coords)
    middles = _middles(p)
    arcs = "".join(f"Q{at(a)} {at(b)}" for a, b in zip(p[1:], middles[1:], strict=False))
    return f"M{at(p[0])}L{at(middles[0])}{arcs}L{at(p[-1])}"


def soft(geometry: Geometry, tolerance: float = 1.2) -> str:
    """Path data of polygons whose corners are rounded into quadratic arcs."""
    out = []
    for ring in rings(geometry):
        # a long straight side must not be rounded off from its middle: cut it up first
        p = list(ring.simplify(tolerance).segmentize(LONGEST_SIDE).coords)[:-1]
        if len(p) > 3:
            middles = _middles([*p, p[0]])
            arcs = "".join(f"Q{at(a)} {at(b)}" for a, b in zip(p, middles, strict=True))
            out.append(f"M{at(middles[-1])}{arcs}Z")
    return "".join(out)


def hard(geometry: Geometry, tolerance: float = 0.3) -> str:
    """Path data of polygons as they are."""
    return "".join(
        "M" + "L".join(map(at, list(ring.simplify(tolerance).coords)[:-1])) + "Z" for ring in rings(geometry)
    )


def polyline(points: Iterable[Sequence[float]], *, close: bool = False) -> str:
    return "M" + "L".join(map(at, points)) + ("Z" if close else "")


def dots(points: Iterable[Sequence[float]]) -> str:
    """Many dots as zero-length strokes, each written as a step from the one before: a few bytes a dot."""
    out, x, y = [], 0, 0
    for point in points:
        nx, ny = round(point[0]), round(point[1])
        dx, dy = nx - x, ny - y
        out.append(f"m{dx}{dy}h0" if dy < 0 else f"m{dx} {dy}h0")
        x, y = nx, ny
    return "".join(out)


def strokes(lines: Iterable[tuple[float, float, float, float]]) -> str:
    """Many short strokes (start, then the step to its end), each written from where the last one ended."""
    out, x, y = [], 0.0, 0.0
    for start_x, start_y, step_x, step_y in lines:
        move_x, move_y, go_x, go_y = (
            round(start_x - x, 1),
            round(start_y - y, 1),
            round(step_x, 1),
            round(step_y, 1),
        )
        out.append(f"m{_tight(move_x, move_y)}l{_tight(go_x, go_y)}")
        x, y = x + move_x + go_x, y + move_y + go_y
    return "".join(out)


def _tight(x: float, y: float) -> str:
    """A pair of numbers in as few letters as path data allow."""
    a, b = (num(v).replace("0.", ".", 1) if abs(v) < 1 else num(v) for v in (x, y))
    return f"{a}{b}" if b.startswith("-") else f"{a} {b}"


def turned(x: float, y: float, angle: float) -> Point:
    c, s = math.cos(angle), math.sin(angle)
    return x * c - y * s, x * s + y * c

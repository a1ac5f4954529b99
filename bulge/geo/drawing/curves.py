"""Shapes of lines: smoothing, splines, chains of hexsides, bands that swell."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

from bulge.geo.drawing.svg import Geometry, Point, turned

Array = npt.NDArray[np.float64]
Node = TypeVar("Node", bound=tuple[int, int])


def lengths_along(points: Array) -> Array:
    """How far along a course each of its points lies."""
    steps: Array = np.hypot(*np.diff(points, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])


def points_along(points: Array, distances: Array) -> Array:
    """The points at some distances along a course."""
    run = lengths_along(points)
    return np.stack([np.interp(distances, run, points[:, 0]), np.interp(distances, run, points[:, 1])], 1)


def resample(line: Geometry, step: float = 6.0) -> Array:
    points = shapely.get_coordinates(line)
    return points_along(points, np.linspace(0, line.length, max(2, int(line.length / step)) + 1))


def moving_average(points: Array, window: int) -> Array:
    half = window // 2
    padded = np.vstack([np.repeat(points[:1], half, 0), points, np.repeat(points[-1:], half, 0)])
    kernel = np.ones(window) / window
    return np.stack([np.convolve(padded[:, j], kernel, "valid") for j in (0, 1)], 1)


def relax(line: Geometry, window: int) -> Geometry:
    """Take the kinks out of a line with a light moving average."""
    return LineString(moving_average(resample(line), window))


def spline(points: npt.ArrayLike, step: float = 5.0) -> Array:
    """Centripetal Catmull-Rom through the points, sampled about every `step` units."""
    p = list(np.asarray(points, float))
    p = [2 * p[0] - p[1], *p, 2 * p[-1] - p[-2]]
    out = [p[1]]
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        gaps = [max(math.dist(x, y), 1e-3) ** 0.5 for x, y in ((a, b), (b, c), (c, d))]
        t1, t2, t3 = gaps[0], gaps[0] + gaps[1], sum(gaps)
        for t in np.linspace(t1, t2, max(2, int(math.dist(b, c) / step)) + 1)[1:]:
            ab = a + (b - a) * t / t1
            bc = b + (c - b) * (t - t1) / (t2 - t1)
            cd = c + (d - c) * (t - t2) / (t3 - t2)
            abc = ab + (bc - ab) * t / t2
            bcd = bc + (cd - bc) * (t - t1) / (t3 - t1)
            out.append(abc + (bcd - abc) * (t - t1) / (t2 - t1))
    return np.array(out)


def bspline(points: npt.ArrayLike, steps: int = 8) -> Array:
    """Quadratic B-spline: touches the middle of every side and rounds every corner."""
    p = np.asarray(points, float)
    if len(p) < 3:
        return p
    joints = [p[0], *((a + b) / 2 for a, b in itertools.pairwise(p[1:-1])), p[-1]]
    out = [
        a * (1 - t) ** 2 + 2 * corner * t * (1 - t) + b * t * t
        for a, corner, b in zip(joints, p[1:-1], joints[1:], strict=False)
        for t in np.linspace(0, 1, steps, endpoint=False)
    ]
    return np.array([*out, p[-1]])


def chains(edges: Iterable[tuple[Node, Node]]) -> Iterator[list[Node]]:
    """String edges together into runs of nodes, from a loose end where there is one."""
    beside: dict[Node, list[Node]] = {}
    left = set()
    for a, b in sorted(edges):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
        left.add(frozenset((a, b)))
    for start in sorted(beside, key=lambda node: (len(beside[node]) % 2 == 0, node)):
        run = [start]
        while ways := [n for n in beside[run[-1]] if frozenset((run[-1], n)) in left]:
            left.discard(frozenset((run[-1], ways[0])))
            run.append(ways[0])
        if len(run) > 1:
            yield run


def swelling(
    line: Geometry, widths: tuple[float, float], *, wobble: Sequence[float] = (), taper: bool = False
) -> Geometry:
    """A band along a line that widens on its way, optionally unsteady and pointed at its head."""
    pieces = max(2, int(line.length / 7))
    t = (np.arange(pieces) + 0.5) / pieces
    width = widths[0] + (widths[1] - widths[0]) * t
    if len(wobble):
        width *= 1 + np.resize(wobble, pieces)
    if taper:
        width *= np.minimum(1, 0.35 + line.length * t / 130)
    half = np.linspace(0, line.length, 2 * pieces + 1)  # each piece by its ends and its middle
    points = points_along(shapely.get_coordinates(line), half)
    lines = shapely.linestrings(np.stack([points[:-2:2], points[1:-1:2], points[2::2]], 1))
    return unary_union(shapely.buffer(lines, width / 2, quad_segs=5))


def heading(line: Geometry, distance: float, reach: float = 4.0) -> float:
    """The bearing of a line at a distance along it, as an angle of the drawing."""
    (ax, ay), (bx, by) = (line.interpolate(max(0.0, distance + d)).coords[0] for d in (-reach, reach))
    return math.atan2(by - ay, bx - ax)


def rectangle(
    centre: Point, half_width: float, half_height: float, angle: float = 0, about: Point = (0, 0)
) -> Geometry:
    """A rectangle round `centre`, all of it turned by an angle and moved to `about`."""
    cx, cy = centre
    corners = [
        turned(cx + i * half_width, cy + j * half_height, angle) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return Polygon([(about[0] + x, about[1] + y) for x, y in corners])

"""Seeded noise and rasters: everything that looks random on the map, and is not."""

import math

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon

from bulge.geo.drawing.curves import Array
from bulge.geo.drawing.svg import Geometry, parts

Whole = npt.NDArray[np.uint64]


def scramble(ix: npt.NDArray[np.int64], iy: npt.NDArray[np.int64], seed: int) -> Array:
    """A number in [0, 1) for every lattice point: whole-number mixing, so the same on every machine."""
    z: Whole = (ix.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ (
        iy.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    z = z + np.uint64(seed * 0x165667B19E3779F9 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 2**53


def chance(x: Array, y: Array, seed: int) -> Array:
    """White noise: one number in [0, 1) for every point, read off its rounded position."""
    return scramble(np.round(x * 8).astype(np.int64), np.round(y * 8).astype(np.int64), seed)


def noise(x: Array, y: Array, period: float, seed: int) -> Array:
    """Gradient noise with mean 0 and a spread of about 1, the same wherever it is asked for."""
    x, y = np.asarray(x, float) / period, np.asarray(y, float) / period
    if not x.size:
        return x
    x0, y0 = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    fx, fy = x - x0, y - y0
    u, v = (f * f * f * (f * (f * 6 - 15) + 10) for f in (fx, fy))
    # far fewer lattice points than points are asked for: the slopes of all are made first and then looked up
    left, top = x0.min(), y0.min()
    lattice = np.meshgrid(np.arange(left, x0.max() + 2), np.arange(top, y0.max() + 2))
    angles = scramble(*lattice, seed) * 2 * math.pi
    east, south = np.cos(angles), np.sin(angles)
    here = (y0 - top) * angles.shape[1] + (x0 - left)

    def slope(i: int, j: int) -> Array:
        there = here + (j * angles.shape[1] + i)
        rise: Array = east.take(there) * (fx - i) + south.take(there) * (fy - j)
        return rise

    top = slope(0, 0) * (1 - u) + slope(1, 0) * u
    foot = slope(0, 1) * (1 - u) + slope(1, 1) * u
    return (top * (1 - v) + foot * v) * 4


class Mesh:
    """A square mesh over the sheet; a field is an array of values at its points."""

    def __init__(self, width: float, height: float, step: float) -> None:
        self.step = step
        self.columns, self.rows = int(width / step) + 2, int(height / step) + 2
        self.xs, self.ys = np.arange(self.columns) * step, np.arange(self.rows) * step
        self.x, self.y = np.meshgrid(self.xs, self.ys)

    def blur(self, values: npt.ArrayLike, sigma: float) -> Array:
        """Gaussian blur, one axis after the other."""
        field = np.asarray(values, float)
        reach = max(1, math.ceil(3 * sigma / self.step))
        weights = [math.exp(-0.5 * (i * self.step / sigma) ** 2) for i in range(-reach, reach + 1)]
        for axis in (0, 1):
            pad = [(reach, reach) if a == axis else (0, 0) for a in (0, 1)]
            wide = np.pad(field, pad, mode="edge")
            size = field.shape[axis]
            layers = (w * wide.take(range(i, i + size), axis) for i, w in enumerate(weights))
            field = np.add.reduce(list(layers)) / sum(weights)
        return field

    def at(self, field: Array, x: Array, y: Array) -> Array:
        """The field between its points, by bilinear interpolation."""
        gx = np.clip(np.asarray(x) / self.step, 0, self.columns - 1.001)
        gy = np.clip(np.asarray(y) / self.step, 0, self.rows - 1.001)
        j, i = gx.astype(int), gy.astype(int)
        fx, fy = gx - j, gy - i
        top = field[i, j] * (1 - fx) + field[i, j + 1] * fx
        foot = field[i + 1, j] * (1 - fx) + field[i + 1, j + 1] * fx
        value: Array = top * (1 - fy) + foot * fy
        return value

    def contours(self, field: Array, level: float, least: int = 9) -> list[Array]:
        """Closed lines around everything above the level, the mesh being an island in nothing."""
        return [ring for ring in _march(field, level, self.step) if len(ring) > least]

    def areas(self, field: Array, level: float, least: float = 900) -> Geometry:
        """The areas where a field exceeds a level, without crumbs and pinholes."""
        found = [LineString(ring) for ring in self.contours(field, level)]
        area = shapely.build_area(shapely.geometrycollections(found)) if found else MultiPolygon()
        kept = []
        for polygon in parts(area):
            if polygon.area > least:
                holes = [ring for ring in polygon.interiors if Polygon(ring).area > least]
                kept.append(Polygon(polygon.exterior, holes))
        return MultiPolygon(kept)


# For each pattern of corners above the level (bits: top left, top right, foot right, foot left) the sides
# of the cell (0 top, 1 right, 2 foot, 3 left) where a contour comes in and goes out, the high ground on one hand.
_CASES: dict[int, list[tuple[int, int]]] = {
    1: [(3, 0)], 2: [(0, 1)], 3: [(3, 1)], 4: [(1, 2)], 5: [(3, 0), (1, 2)], 6: [(0, 2)], 7: [(3, 2)],
    8: [(2, 3)], 9: [(2, 0)], 10: [(0, 1), (2, 3)], 11: [(2, 1)], 12: [(1, 3)], 13: [(1, 0)], 14: [(0, 3)],
}  # fmt: skip


def _march(field: Array, level: float, step: float) -> list[Array]:
    """Marching squares: the closed contours of a field, as arrays of points."""
    f = np.pad(field - level, 1, constant_values=-1.0)
    f[f == 0] = 1e-9
    high = f > 0
    pattern = high[:-1, :-1] * 1 + high[:-1, 1:] * 2 + high[1:, 1:] * 4 + high[1:, :-1] * 8
    columns = f.shape[1]
    after: dict[int, int] = {}
    for case, turns in _CASES.items():
        i, j = np.nonzero(pattern == case)
        corner = i * columns + j
        # a mesh line between two points is named by its first point: twice its index, plus one if it runs down
        lines = (corner * 2, (corner + 1) * 2 + 1, (corner + columns) * 2, corner * 2 + 1)
        for enter, leave in turns:
            after.update(zip(lines[enter].tolist(), lines[leave].tolist(), strict=True))
    flat = f.ravel()
    out = []
    while after:
        start, line = after.popitem()
        ring = [start]
        while line != start:
            ring.append(line)
            line = after.pop(line)
        names = np.array([*ring, start])
        first, down = names // 2, names % 2
        share = flat[first] / (flat[first] - flat[first + np.where(down, columns, 1)])
        x = first % columns - 1 + np.where(down, 0, share)
        y = first // columns - 1 + np.where(down, share, 0)
        out.append(np.stack([x, y], 1) * step)
    return out

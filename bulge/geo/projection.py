"""From the globe to a map's plane: local kilometres, and the fit of a hex grid to places it is known to hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sqrt

import numpy as np
from numpy.typing import NDArray

from bulge.geo.lattice import Cell, Lattice, Point

ORIGIN = (50.1, 5.9)
"""Latitude and longitude of the middle of the theatre, where x = y = 0."""

_KM_NORTH = 111.2
_KM_EAST = 111.32 * cos(radians(ORIGIN[0]))

GRADES = {"stated": 1.0, "derived": 1.0, "soft": 0.35}
"""What an anchor weighs in the fit: a soft one rests on history rather than on the rulebook."""


def km(lat: float, lon: float) -> Point:
    """Kilometres east and north of the origin; within 0.3 km of the truth over the whole theatre."""
    return (lon - ORIGIN[1]) * _KM_EAST, (lat - ORIGIN[0]) * _KM_NORTH


def lat_lon(x: float, y: float) -> tuple[float, float]:
    return ORIGIN[0] + y / _KM_NORTH, ORIGIN[1] + x / _KM_EAST


@dataclass(frozen=True)
class Anchor:
    """A real place that the map must hold in a known hex (or on a hexside: two hexes, or somewhere in several)."""

    label: str
    lat: float
    lon: float
    cells: tuple[Cell, ...]
    grade: str = "stated"
    source: str = ""

    def target(self, lattice: Lattice) -> Point:
        centres = [lattice.centre(cell) for cell in self.cells]
        return sum(u for u, _ in centres) / len(centres), sum(v for _, v in centres) / len(centres)


@dataclass(frozen=True)
class Projection:
    """An affine map from local kilometres to the map plane (hex widths east and north)."""

    matrix: tuple[tuple[float, float], tuple[float, float]]
    offset: Point

    def __call__(self, lat: float, lon: float) -> Point:
        x, y = km(lat, lon)
        (a, b), (c, d) = self.matrix
        return a * x + b * y + self.offset[0], c * x + d * y + self.offset[1]

    def back(self, point: Point) -> tuple[float, float]:
        """Latitude and longitude of a point of the map plane."""
        (a, b), (c, d) = self.matrix
        u, v = point[0] - self.offset[0], point[1] - self.offset[1]
        det = a * d - b * c
        return lat_lon((d * u - b * v) / det, (a * v - c * u) / det)

    @property
    def km_per_hex(self) -> float:
        (a, b), (c, d) = self.matrix
        return 1 / sqrt(abs(a * d - b * c))

    @property
    def scales(self) -> tuple[float, float]:
        """Kilometres a hex, west to east and south to north."""
        (a, b), (c, d) = self.matrix
        return 1 / hypot(a, c), 1 / hypot(b, d)

    @property
    def turn(self) -> float:
        """Degrees by which the map is turned against north."""
        (a, b), (c, d) = self.matrix
        return degrees(atan2(c - b, a + d))


@dataclass(frozen=True)
class Fit:
    """A projection together with how well it meets its anchors."""

    projection: Projection
    anchors: tuple[Anchor, ...]
    residuals: tuple[float, ...]
    """How far each anchor falls from the centre of its hex, in hexes."""

    @property
    def rms(self) -> float:
        return sqrt(sum(r * r for r in self.residuals) / len(self.residuals))

    @property
    def worst(self) -> float:
        return max(self.residuals)


def fit(lattice: Lattice, anchors: Iterable[Anchor], model: str = "similarity") -> Fit:
    """Least squares: `similarity` (one scale, one turn) where anchors are few, `affine` where there are many."""
    known = tuple(anchors)
    ground = np.array([km(anchor.lat, anchor.lon) for anchor in known])
    plane = np.array([anchor.target(lattice) for anchor in known])
    weight = np.sqrt(np.array([GRADES[anchor.grade] for anchor in known]))
    solve = {"similarity": _similarity, "affine": _affine}[model]
    projection = solve(ground, plane, weight)
    missed = [
        hypot(u - at[0], v - at[1])
        for anchor, (u, v) in zip(known, plane, strict=True)
        for at in [projection(anchor.lat, anchor.lon)]
    ]
    return Fit(projection, known, tuple(missed))


def left_out(lattice: Lattice, anchors: Sequence[Anchor], model: str) -> list[float]:
    """Each anchor's miss when the grid is fitted to all the others."""
    missed = []
    for i, anchor in enumerate(anchors):
        projection = fit(lattice, [*anchors[:i], *anchors[i + 1 :]], model).projection
        u, v = anchor.target(lattice)
        at = projection(anchor.lat, anchor.lon)
        missed.append(hypot(u - at[0], v - at[1]))
    return missed


def _projection(a: float, b: float, c: float, d: float, u: float, v: float) -> Projection:
    a, b, c, d, u, v = (round(float(number), 7) for number in (a, b, c, d, u, v))
    return Projection(((a, b), (c, d)), (u, v))


def _affine(ground: NDArray[np.float64], plane: NDArray[np.float64], weight: NDArray[np.float64]) -> Projection:
    rows = np.column_stack([ground, np.ones(len(ground))])
    found, *_ = np.linalg.lstsq(rows * weight[:, None], plane * weight[:, None], rcond=None)
    return _projection(found[0][0], found[1][0], found[0][1], found[1][1], found[2][0], found[2][1])


def _similarity(
    ground: NDArray[np.float64], plane: NDArray[np.float64], weight: NDArray[np.float64]
) -> Projection:
    rows, wanted = [], []
    for (x, y), (u, v), w in zip(ground, plane, weight, strict=True):
        rows += [[x * w, -y * w, w, 0.0], [y * w, x * w, 0.0, w]]
        wanted += [u * w, v * w]
    found, *_ = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)
    a, b, u, v = found
    return _projection(a, -b, b, a, u, v)

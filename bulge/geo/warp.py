"""The rubber sheet: after the fit, known places are pulled just inside their hexes, and what lies near follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist, exp

import numpy as np

from bulge.geo.lattice import Cell, Lattice, Point
from bulge.geo.projection import Projection

REACH = 1.6
"""How far a pull is felt, in hexes (the standard deviation of its bell)."""

MARGIN = 0.14
"""How deep inside its hex a pulled place ends, in hexes."""


@dataclass(frozen=True)
class Pin:
    """A place that must lie in a cell."""

    lat: float
    lon: float
    cell: Cell


@dataclass(frozen=True)
class Warp:
    """A projection bent so that pinned places lie in their cells."""

    projection: Projection
    at: tuple[Point, ...] = ()
    pull: tuple[Point, ...] = ()

    def __call__(self, lat: float, lon: float) -> Point:
        u, v = self.projection(lat, lon)
        du = dv = 0.0
        for where, (x, y) in zip(self.at, self.pull, strict=True):
            felt = exp(-(dist((u, v), where) ** 2) / (2 * REACH**2))
            du += felt * x
            dv += felt * y
        return u + du, v + dv

    def shift(self, lat: float, lon: float) -> float:
        """How far the sheet moves a place, in hexes."""
        return dist(self.projection(lat, lon), self(lat, lon))


def pinned(lattice: Lattice, projection: Projection, pins: Iterable[Pin]) -> Warp:
    """The gentlest bell-shaped pulls that put every pin inside its cell."""
    at: list[Point] = []
    moves: list[Point] = []
    for pin in pins:
        here = projection(pin.lat, pin.lon)
        if any(dist(here, other) < 1e-6 for other in at):
            continue
        there = _inside(lattice, here, pin.cell)
        at.append(here)
        moves.append((there[0] - here[0], there[1] - here[1]))
    if not at:
        return Warp(projection)
    where = np.array(at)
    gaps = ((where[:, None, :] - where[None, :, :]) ** 2).sum(axis=-1)
    felt = np.exp(-gaps / (2 * REACH**2)) + 0.02 * np.eye(len(at))
    pulls = np.linalg.solve(felt, np.array(moves))
    return Warp(projection, tuple(at), tuple((round(float(x), 7), round(float(y), 7)) for x, y in pulls))


def _inside(lattice: Lattice, point: Point, cell: Cell) -> Point:
    """The point itself if it lies well inside the cell, or else moved towards the centre until it does."""
    u, v = lattice.centre(cell)
    for percent in range(100, -1, -2):
        share = percent / 100
        moved = (u + (point[0] - u) * share, v + (point[1] - v) * share)
        if lattice.depth(moved, cell) >= MARGIN:
            return moved
    return u, v

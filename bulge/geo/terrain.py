"""Terrain classes: how wooded and how broken each hex is, and which of a game's classes that makes it.

Woods and relief come from the named regions of the geography, sampled all over a hex and smoothed a little over
its neighbours; towns and roads stand in clearings. A game states what share of its map each class covers, and
the hexes that score highest get it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import shapely

from bulge.geo.geography import Region
from bulge.geo.lattice import Cell, Lattice
from bulge.geo.projection import Projection
from bulge.geo.recipe import Entry

WOODED = {"forest": 1.0, "woods": 0.6, "fen": 0.35, "heath": 0.25, "open": 0.05}
BROKEN = {"gorge": 1.0, "hills": 0.6, "plateau": 0.2, "plain": 0.0}
UNKNOWN = 0.2
"""What ground outside every region scores for both."""

_GRID = np.linspace(-0.45, 0.45, 7)
_OWN = 0.72
"""How much of a hex's score is its own; the rest is its neighbours' mean."""


@dataclass(frozen=True)
class Ground:
    """How a hex scores, 0 to 1."""

    wooded: float
    broken: float
    fen: float


def survey(
    lattice: Lattice, cells: frozenset[Cell], projection: Projection, regions: tuple[Region, ...]
) -> dict[Cell, Ground]:
    """Sample the regions under every hex."""
    outlines = [shapely.Polygon([(lon, lat) for lat, lon in region.outline]) for region in regions]
    raw: dict[Cell, Ground] = {}
    wide = cells | {other for cell in cells for other in lattice.neighbours(cell)}
    for cell in sorted(wide):
        u, v = lattice.centre(cell)
        points = [(u + x, v + y) for x in _GRID for y in _GRID]
        inside = [projection.back(point) for point in points if lattice.at(point) == cell]
        kinds = _kinds(inside, outlines, regions)
        raw[cell] = Ground(
            sum(WOODED[r.cover] if r else UNKNOWN for r in kinds) / len(kinds),
            sum(BROKEN[r.relief] if r else UNKNOWN for r in kinds) / len(kinds),
            sum(1.0 for r in kinds if r and r.cover == "fen") / len(kinds),
        )
    return {cell: _smoothed(cell, raw, lattice) for cell in cells}


def _kinds(
    points: list[tuple[float, float]], outlines: list[shapely.Polygon], regions: tuple[Region, ...]
) -> list[Region | None]:
    """The region of each point; where regions overlap the one listed last wins."""
    lats = np.array([lat for lat, _ in points])
    lons = np.array([lon for _, lon in points])
    found: list[Region | None] = [None] * len(points)
    for outline, region in zip(outlines, regions, strict=True):
        west, south, east, north = outline.bounds
        if lons.min() > east or lons.max() < west or lats.min() > north or lats.max() < south:
            continue
        for i in np.flatnonzero(shapely.contains_xy(outline, lons, lats)):
            found[int(i)] = region
    return found


def _smoothed(cell: Cell, raw: Mapping[Cell, Ground], lattice: Lattice) -> Ground:
    around = [raw[other] for other in lattice.neighbours(cell) if other in raw]
    own = raw[cell]
    share = (1 - _OWN) / len(around)
    return Ground(
        _OWN * own.wooded + share * sum(g.wooded for g in around),
        _OWN * own.broken + share * sum(g.broken for g in around),
        own.fen,
    )


def classify(
    ground: Mapping[Cell, Ground],
    classes: list[Entry],
    cleared: Mapping[Cell, float],
    rivers: Mapping[Cell, int],
) -> dict[Cell, str]:
    """Give each hex a class: those listed first take the highest scores, up to their share of the map."""
    out: dict[Cell, str] = {}
    for kind in classes:
        scores = {
            cell: round(
                kind.get("wooded", 0.0) * (here.wooded - cleared.get(cell, 0.0))
                + kind.get("broken", 0.0) * (here.broken + 0.06 * min(rivers.get(cell, 0), 3))
                + kind.get("fen", 0.0) * here.fen,
                4,
            )
            for cell, here in ground.items()
            if cell not in out and not (kind.get("off_road") and cleared.get(cell))
        }
        wanted = round(kind["share"] * len(ground))
        best = sorted(scores, key=lambda cell: (-scores[cell], cell))[:wanted]
        out |= {cell: str(kind["name"]) for cell in best if scores[cell] >= kind.get("least", 0.0)}
    return {cell: out.get(cell, "clear") for cell in ground}

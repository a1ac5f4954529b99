"""Ground held on a drawn map, and the front before it: few points, for maps as small as a thumb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist
from typing import Any, TypeAlias

from bulge.core.board import NamedSpaces
from bulge.core.hexes import HexBoard
from bulge.core.spaces import lowest, members

Point: TypeAlias = tuple[float, float]
Run: TypeAlias = tuple[bool, list[Point]]
"""A stretch of an edge, and whether the ground goes on behind it: then it is a front, otherwise the map's rim."""

SMOOTH = 0.35
"""Of a hex's width: what a line may stray from the hexsides. A straight front is a straight line then."""


def outlined(board: NamedSpaces, held: int, drawing: Mapping[str, Any]) -> tuple[str, str]:
    """Paths of the ground that is held and of the front; spaces that are no hexes have none."""
    if not isinstance(board, HexBoard):
        return _discs(board, held, drawing), ""
    rings = [[_simpler(run, drawing["hex"]) for run in ring] for ring in _rings(board, held, drawing)]
    ground = "".join(_path([point for _, points in ring for point in points]) + "Z" for ring in rings)
    return ground, "".join(_path(points) for ring in rings for is_front, points in ring if is_front)


def _discs(board: NamedSpaces, held: int, drawing: Mapping[str, Any]) -> str:
    out = ""
    for name in board.names_of(held):
        if name in drawing["spaces"]:
            (x, y), (width, height) = drawing["spaces"][name], drawing["sizes"][name]
            half = f"{width / 2:.0f} {height / 2:.0f} 0 1 0"
            out += f"M{x - width / 2:.0f} {y:.0f}a{half} {width:.0f} 0a{half} {-width:.0f} 0Z"
    return out


def _rings(board: HexBoard, held: int, drawing: Mapping[str, Any]) -> Iterator[list[Run]]:
    """The edge of what is held, ring by ring, the ground on its right.

    Three hexes meet in a corner: of all hexsides of an edge, one at most leads away from it.
    """
    ways: dict[Point, tuple[Point, bool]] = {}
    held &= board.hexes
    corners = board.grid.numbering.corners()
    for hex_ in members(held):
        x, y = board.plane(hex_)
        around = [(round(x + dx, 2), round(y + dy, 2)) for dx, dy in corners]
        for side, corner in enumerate(around):
            other = board.neighbour(hex_, side)
            if other < 0 or not held >> other & 1:
                ways[corner] = around[(side + 1) % 6], other >= 0
    if not ways:
        return
    one = lowest(held)
    (left, top), (x0, y0), wide = drawing["hexes"][board.name(one)], board.plane(one), drawing["hex"]
    while ways:
        yield [
            (is_front, [(left + (x - x0) * wide, top - (y - y0) * wide) for x, y in points])
            for is_front, points in _ring(ways)
        ]


def _ring(ways: dict[Point, tuple[Point, bool]]) -> list[Run]:
    """Takes one ring out of the ways from corner to corner, cut where front and rim meet."""
    at = next(iter(ways))
    steps = [(at, *ways.pop(at))]
    while steps[-1][1] in ways:
        at = steps[-1][1]
        steps.append((at, *ways.pop(at)))
    cut = next((place for place, step in enumerate(steps) if step[2] != steps[place - 1][2]), 0)
    runs: list[Run] = []
    for start, end, is_front in steps[cut:] + steps[:cut]:
        if not runs or runs[-1][0] != is_front:
            runs.append((is_front, [start]))
        runs[-1][1].append(end)
    return runs


def _simpler(run: Run, wide: float) -> Run:
    return run[0], _thinned(run[1], SMOOTH * wide)


def _thinned(points: list[Point], stray: float) -> list[Point]:
    """The ends, and between them whatever lies farther than that from the line through the others."""
    start, end = points[0], points[-1]
    far, place = max(((_away(point, start, end), at) for at, point in enumerate(points)), default=(0.0, 0))
    if far <= stray:
        return [start, end]
    return _thinned(points[: place + 1], stray)[:-1] + _thinned(points[place:], stray)


def _away(point: Point, start: Point, end: Point) -> float:
    """How far a point lies from a line between two others."""
    (x, y), (x0, y0), (x1, y1) = point, start, end
    long = dist(start, end)
    if not long:
        return dist(point, start)
    along = max(0.0, min(1.0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / long**2))
    return dist(point, (x0 + along * (x1 - x0), y0 + along * (y1 - y0)))


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)

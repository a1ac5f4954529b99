"""Lines that no road or river makes: borders, the front of 16 December, and the West Wall with its teeth."""

import math
from typing import NamedTuple

import numpy as np
from shapely.geometry import LineString
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import substring, unary_union

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.atlas import Atlas
from bulge.geo.drawing.board import Board, Vertex
from bulge.geo.drawing.curves import bspline, chains, heading, rectangle, relax, spline
from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.rivers import Rivers
from bulge.geo.drawing.svg import Geometry, Point, at, curve, hard, parts, path

FRONTIER_RIVERS = frozenset({"Our", "Sauer", "Moselle"})
INSIDE_HEX = 0.22 * HEX  # how far the wall may stray from the middle of a wall hex


class Border(NamedTuple):
    """A stretch of frontier and the countries on its left and right hand, walking along it."""

    line: Geometry
    left: str
    right: str


class Frontiers:
    def __init__(self, board: Board, atlas: Atlas, rivers: Rivers) -> None:
        self.board = board
        # where a map file names no sides the real line is drawn, on the drawn rivers where it follows them
        borders = self._side_lines("border") or self._real_lines(atlas.borders, rivers)
        fronts = self._side_lines("front") or self._real_lines(atlas.fronts, rivers)
        self.borders = [self._border(line, atlas) for line in borders]
        self.fronts = [self._on_allied_bank(line) for line in fronts]
        self.wall_hexes = [name for name, features in board.hexes.items() if features.get("west_wall")]
        self.walls = self._wall_lines(atlas) if self.wall_hexes else []

    def _side_lines(self, feature: str) -> list[Geometry]:
        """The hexsides with a feature, strung together and rounded."""
        points: dict[Vertex, Point] = {}
        edges = []
        for _, side in self.board.sides_with(feature):
            points.update(zip(side.ends, side.points, strict=True))
            edges.append(side.ends)
        runs = [[points[v] for v in chain] for chain in chains(edges)]
        return [relax(LineString(bspline(run)), 5) for run in runs if len(run) > 2]

    def _real_lines(self, lines: list[Geometry], rivers: Rivers) -> list[Geometry]:
        courses = [reach.course for reach in rivers.reaches if reach.name in FRONTIER_RIVERS]
        nearby = self.board.field.buffer(HEX / 2)
        found = [relax(hug(line, courses, 0.6 * HEX), 9) for line in lines if line.intersects(nearby)]
        return [piece for line in found for piece in parts(line.intersection(nearby)) if piece.length > HEX]

    def _on_allied_bank(self, line: Geometry) -> Geometry:
        """The front runs beside its hexsides, a little to the west, so that a river there can be seen."""
        sides = [relax(line, 11).offset_curve(d) for d in (9, -9)]
        return min((s for s in sides if s.geom_type == "LineString" and not s.is_empty),
                   key=lambda g: float(g.centroid.x), default=line)  # fmt: skip

    def _border(self, line: Geometry, atlas: Atlas) -> Border:
        middle = line.length / 2
        x, y = line.interpolate(middle).coords[0]
        angle = heading(line, middle, 60)
        away = 0.9 * HEX
        left = atlas.country_at((x + away * math.sin(angle), y - away * math.cos(angle)))
        right = atlas.country_at((x - away * math.sin(angle), y + away * math.cos(angle)))
        return Border(line, left, right)

    def _wall_lines(self, atlas: Atlas) -> list[Geometry]:
        """Taut lines through the wall hexes, north to south, the longest first."""
        self.order = {name: self._along_wall(name, atlas) for name in self.wall_hexes}
        left = sorted(self.wall_hexes, key=lambda name: (self.order[name], name))
        lines: list[Geometry] = []
        while left:
            run = self._longest_run(left)
            left = [name for name in left if name not in run]
            if len(run) > 1 or not lines:
                lines.append(self._taut(run))
        return lines

    def _along_wall(self, name: str, atlas: Atlas) -> float:
        x, y = self.board.centres[name]
        if not atlas.walls:
            return y
        longest = max(atlas.walls, key=lambda line: float(line.length))
        return round(float(longest.project(ShapelyPoint(x, y))), 3)

    def _longest_run(self, ordered: list[str]) -> list[str]:
        """The longest chain of hexes that never turns back."""
        best: dict[str, list[str]] = {}
        for i, name in enumerate(ordered):
            before = [best[o] for o in ordered[:i] if self._follows(o, name)]
            best[name] = [*max(before, key=len, default=[]), name]
        return max(best.values(), key=len)

    def _follows(self, a: str, b: str) -> bool:
        """Whether the wall may run on from one hex to another: forward, and over a gap of one hex at most."""
        gap = math.dist(self.board.centres[a], self.board.centres[b])
        return gap < 2.1 * HEX and self.order[b] - self.order[a] > 0.35 * HEX

    def _taut(self, run: list[str]) -> Geometry:
        # the wall stands a little east in its hexes: their western sides are often a river
        east = np.array((0.15 * HEX, 0.0))
        home = [east + self.board.centres[name] for name in run]
        if len(run) == 1:
            return LineString([home[0] - (4, 34), home[0], home[0] - (-4, -34)])
        line = [home[0] - (home[1] - home[0]) * 0.45, *home, home[-1] + (home[-1] - home[-2]) * 0.45]
        home = [line[0], *home, line[-1]]
        for _ in range(40):
            for i in range(1, len(line) - 1):
                pulled = (line[i - 1] + line[i + 1]) / 2
                stray = pulled - home[i]
                line[i] = home[i] + stray * min(1.0, INSIDE_HEX / max(float(np.hypot(*stray)), 1e-9))
        return relax(LineString(spline(line, 6)), 15)

    def draw(self, sheet: Geometry) -> str:
        nearby = self.board.field.buffer(24)
        out = ""
        for kind, lines in (("border", [b.line for b in self.borders]), ("front", self.fronts)):
            for line in lines:
                for piece in parts(line.intersection(nearby)):
                    out += political(kind, curve(piece.coords)) if piece.length > 20 else ""
        for line in self.walls:
            out += teeth(line, unary_union([self.board.shapes[name] for name in self.wall_hexes]))
        return out + pillboxes([self._pillbox(name) for name in self.wall_hexes])

    def _pillbox(self, name: str) -> tuple[Point, float]:
        """One bunker a wall hex: on the wall where it runs through the hex, else in the middle."""
        shape = self.board.shapes[name].buffer(-8)
        for line in self.walls:
            run = line.intersection(shape)
            if run.length > 15:
                longest = max(parts(run), key=lambda g: float(g.length))
                distance = line.project(longest.interpolate(0.5, normalized=True))
                x, y = line.interpolate(distance).coords[0]
                return (x, y), heading(line, distance)
        return self.board.centres[name], math.pi / 2


def hug(line: Geometry, courses: list[Geometry], reach: float) -> Geometry:
    """Where a line runs close to a drawn river it is that river: put the drawn course in its place."""
    points: list[Point] = []
    on: int | None = None
    start = end = 0.0

    def follow() -> None:
        if on is not None and abs(end - start) > 4:
            points.extend(substring(courses[on], start, end).coords)

    for distance in np.arange(0, line.length, 6):
        here = line.interpolate(distance)
        gaps = [float(course.distance(here)) for course in courses]
        nearest = int(np.argmin(gaps)) if gaps else None
        if nearest is None or gaps[nearest] > reach:
            follow()
            on = None
            points.append(here.coords[0])
            continue
        along = float(courses[nearest].project(here))
        if nearest != on:
            follow()
            on, start = nearest, along
        end = along
    follow()
    return LineString(points) if len(points) > 1 else line


def political(kind: str, data: str) -> str:
    look = ink.POLITICAL[kind]
    band = path(data, stroke=look.casing, stroke_width=look.casing_width, stroke_opacity=look.casing_opacity,
                stroke_linejoin="round")  # fmt: skip
    return band + path(data, stroke=look.colour, stroke_width=look.width, stroke_dasharray=look.dash,
                       stroke_linejoin="round")  # fmt: skip


def teeth(line: Geometry, within: Geometry | None = None) -> str:
    """A wall's line with dragon's teeth on its western side."""
    coords = list(line.coords)
    west = 1 if coords[-1][1] >= coords[0][1] else -1
    out = ""
    for distance in np.arange(0, line.length - 7, 9):
        (x, y), (u, v) = (line.interpolate(distance + d).coords[0] for d in (0, 3))
        if within is not None and not within.contains(ShapelyPoint(u, v)):
            continue
        dx, dy = (u - x) / 3, (v - y) / 3
        tip = (x + dx * 3 - west * dy * 7, y + dy * 3 + west * dx * 7)
        out += f"M{at((x, y))}L{at(tip)}L{at((x + dx * 6, y + dy * 6))}Z"
    return path(curve(coords), stroke=ink.WALL, stroke_width=1.6) + path(out, ink.WALL)


def pillboxes(places: list[tuple[Point, float]]) -> str:
    walls, rooms = "", ""
    for point, angle in places:
        walls += hard(rectangle((0, 0), 6.5, 6.5, angle, point), 0)
        rooms += hard(rectangle((0, 0), 2.3, 2.3, angle, point), 0)
    return path(walls, ink.WALL) + path(rooms, ink.PAGE)

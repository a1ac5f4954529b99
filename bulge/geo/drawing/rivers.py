"""Rivers: chains of hexsides turned into oriented, smooth courses that widen towards the sea."""

import math
import random
from typing import NamedTuple

import numpy as np
from shapely.geometry import LineString
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import unary_union

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.atlas import Atlas
from bulge.geo.drawing.board import MARGIN, RADIUS, Board, Vertex
from bulge.geo.drawing.curves import Array, bspline, chains, swelling
from bulge.geo.drawing.svg import Geometry, Point, curve, path, soft

# width where the river rises or enters the theatre, and at its mouth or where it leaves
GREAT = {"Meuse": (15.0, 20.0), "Moselle": (14.0, 16.0), "Sambre": (8.5, 9.5), "Ourthe": (6.5, 9.5),
         "Sauer": (4.0, 9.5), "Semois": (4.0, 7.5)}  # fmt: skip
BY_GRADE = {"major": (8.5, 10.0), "river": (3.2, 6.0), "minor": (2.8, 4.2)}
NAVIGABLE = 12.0  # from this width on a river is drawn with a lighter midstream


class Reach(NamedTuple):
    """One unbroken stretch of a river, head to mouth, as drawn."""

    name: str
    course: Geometry
    widths: tuple[float, float]


class Rivers:
    def __init__(self, board: Board, atlas: Atlas) -> None:
        self.board, self.atlas = board, atlas
        edges: dict[str, list[tuple[Vertex, Vertex]]] = {}
        self.points: dict[Vertex, Point] = {}
        self.wet_sides = set()
        for key, side in board.sides_with("river"):
            self.wet_sides.add(key)
            edges.setdefault(str(board.sides[key]["river"]), []).append(side.ends)
            self.points.update(zip(side.ends, side.points, strict=True))
        self.vertices = {name: {v for edge in run for v in edge} for name, run in edges.items()}
        self.reaches: list[Reach] = []
        bands = []
        for name in sorted(edges, key=lambda n: (self._depth(n), n)):  # a river before its tributaries
            for chain in chains(edges[name]):
                reach, rises_here = self._reach(name, chain)
                self.reaches.append(reach)
                bands.append(self._band(reach, rises_here))
        self.water: Geometry = unary_union(bands).simplify(0.2)

    def _depth(self, name: str) -> int:
        """How many rivers lie between this one and the sea."""
        seen = [name]
        while (parent := self.atlas.flows_into(seen[-1])) and parent not in seen:
            seen.append(parent)
        return len(seen)

    def _reach(self, name: str, chain: list[Vertex]) -> tuple[Reach, bool]:
        places = [self.points[v] for v in chain]
        true_course = self.atlas.course(name)
        if true_course is None:
            flows_on, share = self._joins_parent(name, chain), (0.0, 1.0)
        else:
            head, mouth = (true_course.project(ShapelyPoint(p), normalized=True) for p in (places[0], places[-1]))
            flows_on, share = head <= mouth, (min(head, mouth), max(head, mouth))
        if not flows_on:
            chain = chain[::-1]
        source, sea = GREAT.get(name) or BY_GRADE[self.atlas.river_grade(name)]
        widths = (source + (sea - source) * share[0], source + (sea - source) * share[1])
        course, rises_here = self._smooth(name, chain)
        return Reach(name, LineString(course), widths), rises_here

    def _joins_parent(self, name: str, chain: list[Vertex]) -> bool:
        parent = self.vertices.get(self.atlas.flows_into(name) or "", set())
        return chain[-1] in parent or chain[0] not in parent

    def _smooth(self, name: str, chain: list[Vertex]) -> tuple[Array, bool]:
        """The course of a chain given head to mouth, and whether the river rises on the map."""
        luck, rises_here = random.Random(name), False
        points: list[Array] = []
        for vertex in chain:
            x, y = self.points[vertex]
            points.append(np.array((x + luck.uniform(-3, 3), y + luck.uniform(-3, 3))))
        for end, vertex in ((0, chain[0]), (-1, chain[-1])):
            joined = any(vertex in others for other, others in self.vertices.items() if other != name)
            outward = self._way_out(vertex)
            if joined:
                points[end] = self._confluence(name, vertex, points[end], downstream=end == -1)
            elif outward is not None:  # it leaves the map: run on towards the neat line
                beyond = [points[end] + outward * 45, points[end] + outward * (MARGIN + 25)]
                points = [*beyond[::-1], *points] if end == 0 else [*points, *beyond]
            elif end == 0:
                rises_here = True
        return bspline(points), rises_here

    def _way_out(self, vertex: Vertex) -> Array | None:
        """The direction off the map from a corner at its edge."""
        x, y = self.points[vertex]
        around = [c for c in self.board.centres.values() if math.dist(c, (x, y)) < RADIUS * 1.1]
        if len(around) >= 3:
            return None
        out = np.array((x, y)) - np.mean(around, axis=0)
        return np.asarray(out / np.hypot(*out))

    def _confluence(self, name: str, vertex: Vertex, point: Array, *, downstream: bool) -> Array:
        """Where a river meets one that is drawn already, it ends on the drawn line."""
        drawn = [r.course for r in self.reaches if r.name != name and vertex in self.vertices[r.name]]
        if not drawn:
            return point
        here = ShapelyPoint(self.points[vertex])
        line = min(drawn, key=lambda course: float(course.distance(here)))
        distance = line.project(here)
        if downstream and distance > 20:
            distance += 12
        return np.array(line.interpolate(distance).coords[0])

    def _band(self, reach: Reach, rises_here: bool) -> Geometry:
        luck = random.Random(reach.name + "banks")
        steps = [luck.uniform(-1.7, 1.7) for _ in range(72)]
        wobble = [0.18 * sum(steps[i : i + 9]) / 9 for i in range(64)]
        return swelling(reach.course, reach.widths, wobble=wobble, taper=rises_here)

    def draw(self, sheet: Geometry) -> str:
        out = path(soft(self.water.intersection(sheet), 0.35), ink.WATER, stroke=ink.BANK, stroke_width=1.1,
                   stroke_linejoin="round")  # fmt: skip
        for reach in self.reaches:
            if reach.widths[1] > NAVIGABLE:
                line = reach.course.intersection(sheet)
                if line.geom_type == "LineString" and not line.is_empty:
                    out += path(curve(line.coords), stroke=ink.MIDSTREAM, stroke_opacity=0.8,
                                stroke_width=reach.widths[0] * 0.42)  # fmt: skip
        return out

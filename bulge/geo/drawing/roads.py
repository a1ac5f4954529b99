"""Roads: hexsides strung into long splines that flow through junctions and cross water square."""

import math
import random
from collections.abc import Mapping

import numpy as np
from shapely.geometry import LineString
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import substring, unary_union

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.board import Board
from bulge.geo.drawing.curves import Array, heading, moving_average, spline
from bulge.geo.drawing.rivers import Rivers
from bulge.geo.drawing.svg import Geometry, Point, at, curve, group, path, polyline, turned

KINDS = ("track", "secondary", "primary")  # lesser roads lie under greater ones
BEYOND = "beyond the map"


class Roads:
    """The drawn course of every road, and where it meets hexsides, junctions and the map's edge."""

    def __init__(
        self, board: Board, rivers: Rivers, homes: Mapping[str, Point], goals: Mapping[str, Point]
    ) -> None:
        self.board, self.rivers, self.homes = board, rivers, homes
        self.kind: dict[str, str] = {key: board.sides[key]["road"] for key, _ in board.sides_with("road")}
        self.cross: dict[str, Point] = {key: self._crossing(key) for key in self.kind}
        self.exits: dict[str, str] = {}  # road beyond the map -> the hex it leaves from
        for name, edge in sorted(board.data.get("edges", {}).items()):
            if edge.get("road") and name in board.hexes:
                self._open_exit(name, edge["road"], goals.get(name))
        self.at_hex: dict[str, list[str]] = {}
        for key in sorted(self.kind):
            for name in self._ends(key):
                self.at_hex.setdefault(name, []).append(key)
        self.runs_on: dict[tuple[str, str], str] = {}
        self.node: dict[str, Point] = {}
        for name in sorted(self.at_hex):
            if name in board.hexes:
                self._junction(name)
        fixed = (n for n in self.node if len(self.at_hex[n]) > 2 or n in homes)
        self.fixed = np.array([self.node[n] for n in fixed]).reshape(-1, 2)
        self.paths: list[tuple[str, Array]] = []
        self.tips: dict[str, tuple[Point, float]] = {}
        self.curves: dict[str, Geometry] = {}
        self._string_together()
        self.lines = {kind: unary_union([LineString(p) for k, p in self.paths if k == kind]) for kind in KINDS}
        self.net: Geometry = unary_union(list(self.lines.values()))

    def _ends(self, key: str) -> tuple[str, str]:
        if key in self.exits:
            return self.exits[key], BEYOND + key
        a, b = key.split("/")
        return a, b

    def _other(self, key: str, name: str) -> str:
        a, b = self._ends(key)
        return b if name == a else a

    def _crossing(self, key: str) -> Point:
        """Where a road crosses a hexside: near the middle, and exactly there if it crosses water."""
        side = self.board.side(key)
        share = 0 if key in self.rivers.wet_sides else random.Random(key).uniform(-0.13, 0.13)
        (ax, ay), (bx, by) = side.points
        return side.middle[0] + (bx - ax) * share, side.middle[1] + (by - ay) * share

    def _open_exit(self, name: str, kind: str, goal: Point | None) -> None:
        """A road off the map leaves by the open side that looks most towards its destination."""
        centre = self.board.centres[name]
        ways = self.board.open_neighbours(name)
        if not ways:
            return
        if goal is None:  # no known destination: straight on from where the road comes from
            inner = [self.cross[k] for k in self.kind if name in k.split("/")]
            back = np.mean(inner, axis=0) if inner else np.array((self.board.width / 2, self.board.height / 2))
            goal = (2 * centre[0] - back[0], 2 * centre[1] - back[1])
        bearing = math.atan2(goal[1] - centre[1], goal[0] - centre[0])

        def astray(way: Point) -> float:
            turn = math.atan2(way[1] - centre[1], way[0] - centre[0]) - bearing
            return abs((turn + math.pi) % (2 * math.pi) - math.pi)

        way = min(ways, key=lambda w: (round(astray(w), 6), w))
        key = f"{name}/{BEYOND}"
        self.exits[key] = name
        self.kind[key] = kind
        self.cross[key] = self.board.between(centre, way).middle

    def _junction(self, name: str) -> None:
        """Choose the point where the roads of a hex meet, and which of them run on into each other."""
        keys, centre = self.at_hex[name], np.array(self.board.centres[name])
        bearing = {k: math.atan2(self.cross[k][1] - centre[1], self.cross[k][0] - centre[0]) for k in keys}
        pairs = []
        for i, k in enumerate(keys):
            for j in keys[i + 1 :]:
                turn = math.pi - abs((bearing[k] - bearing[j] + math.pi) % (2 * math.pi) - math.pi)
                if self.kind[k] == self.kind[j]:
                    pairs.append((round(turn, 6), k, j))
        rank = {"primary": 0, "secondary": 1, "track": 2}
        main: tuple[str, str] | None = None
        for turn, k, j in sorted(pairs, key=lambda p: (rank[self.kind[p[1]]], p)):
            taken = (name, k) in self.runs_on or (name, j) in self.runs_on
            if taken or (main and turn > 1.2):
                continue
            self.runs_on[name, k], self.runs_on[name, j] = j, k
            main = main or (k, j)
        if not main and len(keys) == 2:  # a road that changes its class on the way
            main = (keys[0], keys[1])
        if name in self.homes:
            self.node[name] = self.homes[name]
        elif main:
            mean = (np.array(self.cross[main[0]]) + self.cross[main[1]]) / 4 + centre / 2
            self.node[name] = (float(mean[0]), float(mean[1]))
        else:
            self.node[name] = (float(centre[0]), float(centre[1]))

    def _string_together(self) -> None:
        """Walk both ways from every road side not yet drawn, as far as the road runs on."""
        seen: set[str] = set()
        for first in sorted(self.kind):
            if first in seen:
                continue
            seen.add(first)
            run = [first]
            for end in (0, 1):
                key, name = first, self._ends(first)[end]
                while (onward := self.runs_on.get((name, key), first)) not in seen:
                    seen.add(onward)
                    run = [*run, onward] if end else [onward, *run]
                    key, name = onward, self._other(onward, name)
            self._draw_run(run)

    def _draw_run(self, run: list[str]) -> None:
        points = self._course(run)
        self.paths.append((self.kind[run[0]], points))
        line = LineString(points)
        for key in run:  # the drawn piece of every hexside, so that a client can lay routes on it
            if key not in self.exits:
                ends = [line.project(ShapelyPoint(self.node[name])) for name in self._ends(key)]
                self.curves[key] = substring(line, *ends).simplify(0.8)
        for key, tip, behind in ((run[0], points[0], points[4]), (run[-1], points[-1], points[-5])):
            if key in self.exits and not self.board.field.contains(ShapelyPoint(tip)):
                bearing = math.atan2(tip[1] - behind[1], tip[0] - behind[0])
                self.tips[key] = ((float(tip[0]), float(tip[1])), bearing)

    def _course(self, run: list[str]) -> Array:
        """One road from end to end: through its crossings and junctions, softened between them."""
        name = self._ends(run[0])[0]
        if len(run) > 1 and name in self._ends(run[1]):
            name = self._other(run[0], name)
        points: list[Point] = [self._stop(name, run[0])]
        pins: list[tuple[Point, float]] = []
        for key in run:
            name = self._other(key, name)
            cross = self.cross[key]
            if key in self.rivers.wet_sides:
                ahead = np.array(self.board.centres[name]) - cross
                ahead *= 13 / np.hypot(*ahead)
                points += [
                    (cross[0] - ahead[0], cross[1] - ahead[1]),
                    cross,
                    (cross[0] + ahead[0], cross[1] + ahead[1]),
                ]
                pins.append((cross, 40))
            else:
                points.append(cross)
            points.append(self._stop(name, key))
        exact = spline(points)
        softened = moving_average(exact, 9)
        softened[0], softened[-1] = exact[0], exact[-1]
        hold = np.zeros(len(exact))
        for point, reach in [*pins, *((p, 22.0) for p in self._fixed_near(exact))]:
            hold = np.maximum(hold, 1 - np.hypot(*(exact - point).T) / reach)
        return exact * hold[:, None] + softened * (1 - hold[:, None])

    def _fixed_near(self, course: Array) -> list[Point]:
        low, high = course.min(axis=0) - 25, course.max(axis=0) + 25
        near = ((self.fixed > low) & (self.fixed < high)).all(axis=1)
        return [(float(x), float(y)) for x, y in self.fixed[near]]

    def _stop(self, name: str, key: str) -> Point:
        """A junction on the way, or a stub beyond the map's edge."""
        if name in self.node:
            return self.node[name]
        centre, cross = np.array(self.board.centres[self.exits[key]]), np.array(self.cross[key])
        out = cross + (cross - centre) / np.hypot(*(cross - centre)) * 34
        return float(out[0]), float(out[1])

    def draw(self) -> str:
        out = ""
        for kind in KINDS:
            strokes = [stroke(curve(points), kind) for k, points in self.paths if k == kind]
            out += "".join(casing for casing, _ in strokes) + "".join(line for _, line in strokes)
        return group(out, stroke_linejoin="round", stroke_linecap="round")

    def draw_crossings(self) -> str:
        """Bridges as two flared abutments, fords as a row of stepping stones."""
        spans = "".join(self._bridge(key) for key, _ in self.board.sides_with("bridge"))
        stones = "".join(self._ford(key) for key, _ in self.board.sides_with("ford"))
        return path(
            spans, stroke=ink.INK, stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round"
        ) + path(stones, stroke=ink.INK, stroke_width=2.8, stroke_linecap="round")

    def _over_water(self, key: str) -> tuple[Point, float, float]:
        """Where a crossing is, its bearing over the water, and half the width of the water there."""
        side = self.board.side(key)
        if key in self.curves:
            line = self.curves[key]
            cross = ShapelyPoint(self.cross[key])
            bearing = heading(line, line.project(cross))
            point: Point = self.cross[key]
        else:
            (ax, ay), (bx, by) = side.points
            point, bearing = side.middle, math.atan2(bx - ax, ay - by)
            dx, dy = turned(30, 0, bearing)
            line = LineString([(point[0] - dx, point[1] - dy), (point[0] + dx, point[1] + dy)])
        span = line.intersection(ShapelyPoint(point).buffer(22)).intersection(self.rivers.water).length
        return point, bearing, span / 2

    def _bridge(self, key: str) -> str:
        (x, y), bearing, half = self._over_water(key)
        half = min(14.0, max(5.0, half + 2.2))
        out = ""
        for side in (1, -1):
            ends = ((-half - 2.6, side * 6.6), (-half, side * 4), (half, side * 4), (half + 2.6, side * 6.6))
            turns = (turned(u, v, bearing) for u, v in ends)
            out += polyline((x + u, y + v) for u, v in turns)
        return out

    def _ford(self, key: str) -> str:
        (x, y), bearing, half = self._over_water(key)
        half = max(7.0, half + 3)
        steps = (turned(half * i / 3, 0, bearing) for i in (-3, -1, 1, 3))
        return "".join(f"M{at((x + dx, y + dy))}h0" for dx, dy in steps)

    def draw_exits(self) -> str:
        return "".join(
            arrow(point, bearing, self.kind[key]) for key, (point, bearing) in sorted(self.tips.items())
        )


def stroke(data: str, kind: str) -> tuple[str, str]:
    """Casing and surface of a road, apart, so that all casings can lie under all surfaces."""
    look = ink.ROADS[kind]
    casing = path(data, stroke=look.casing, stroke_width=look.casing_width,
                  stroke_opacity=look.casing_opacity if look.casing_opacity < 1 else None)  # fmt: skip
    return casing, path(data, stroke=look.colour, stroke_width=look.width, stroke_dasharray=look.dash)


def arrow(point: Point, bearing: float, kind: str = "primary") -> str:
    corners = (turned(u, v, bearing) for u, v in ((14, 0), (-3, -7.5), (0, 0), (-3, 7.5)))
    colour = ink.ROAD_CASING if kind == "primary" else ink.MINOR_ROAD
    return path(polyline(((point[0] + u, point[1] + v) for u, v in corners), close=True), colour)

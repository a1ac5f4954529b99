"""Rivers as connected chains of hexsides.

A river's true course is laid on the plane, and the cheapest walk along hexsides from its head to its mouth is
sought: near the course, with every hex on its true bank, through the stated hexsides in order and in the stated
sense. A walk is connected by nature. A tributary ends on a corner of the river it flows into, so rivers are traced
before their tributaries.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import dist

import numpy as np
import shapely

from bulge.geo.lattice import Cell, Point, Side, Vertex, Window

LEFT, RIGHT = 1, -1

_SHORTEST = 0.6
"""Courses with less than this inside the window, in hexes, are left out."""

_STRAY = 3.0
"""How far a chain may stray from its true course, in hexes."""

_LENGTH, _OFF_COURSE, _WRONG_BANK, _WRONG_TOWN, _ENDS, _TOUCH = 0.035, 0.93, 0.5, 2.2, 1.2, 0.9


@dataclass(frozen=True)
class Course:
    """A river as it really runs, on the map plane, and what is stated of it."""

    name: str
    points: tuple[Point, ...]
    into: str = ""
    through: tuple[frozenset[tuple[Cell, Cell]], ...] = ()
    """Stated hexsides in downstream order: for each, the (left, right) cells that will do."""
    never: frozenset[Side] = frozenset()
    """Hexsides stated to be dry."""
    towns: Mapping[Cell, int] = field(default_factory=dict)
    """Cells whose town stands on a known bank."""


Chains = dict[str, list[Vertex]]
"""Each river's corners, from its head to its mouth."""


def trace(window: Window, courses: Iterable[Course]) -> Chains:
    """Lay every river on the hexsides, parents before their tributaries."""
    waiting = {course.name: course for course in courses}
    chains: Chains = {}
    while waiting:
        ready = [course for course in waiting.values() if course.into not in waiting]
        if not ready:
            raise ValueError(f"rivers flow into each other: {sorted(waiting)}")
        for course in ready:
            del waiting[course.name]
            if chain := _Tracer(window, course, chains).walk():
                chains[course.name] = chain
    return chains


def river_sides(window: Window, chains: Chains) -> dict[Side, str]:
    """Which river runs on which hexside."""
    out: dict[Side, str] = {}
    for name, chain in chains.items():
        for start, end in itertools.pairwise(chain):
            out.setdefault(frozenset(window.sides[frozenset((start, end))]), name)
    return out


class _Tracer:
    """The search for one river's chain."""

    def __init__(self, window: Window, course: Course, chains: Chains) -> None:
        self.window = window
        self.course = course
        self.chains = chains
        inside = _clip(window, course.points)
        self.line = shapely.LineString(inside) if len(inside) > 1 else shapely.LineString()
        self.reaches_mouth = len(inside) > 1 and inside[-1] == course.points[-1]
        self.taken = {frozenset((a, b)) for chain in chains.values() for a, b in itertools.pairwise(chain)}
        self.touched = {vertex for chain in chains.values() for vertex in chain}
        self._costs: dict[tuple[Vertex, Vertex], float] = {}
        self._banks: dict[Cell, float] = {}

    def walk(self) -> list[Vertex]:
        if self.line.length < _SHORTEST:
            return []
        through = self.course.through
        sole = {frozenset(side) for stated in through if len(stated) == 1 for side in stated}
        starts, goals = self._starts(), self._goals()
        best: tuple[float, tuple[Vertex, int]] | None = None
        came: dict[tuple[Vertex, int], tuple[Vertex, int] | None] = {}
        heap: list[tuple[float, int, tuple[Vertex, int], tuple[Vertex, int] | None]] = []
        count = 0
        for vertex, cost in starts.items():
            heappush(heap, (cost, count, (vertex, 0), None))
            count += 1
        while heap:
            cost, _, state, before = heappop(heap)
            if best and cost > best[0]:
                break
            if state in came:
                continue
            came[state] = before
            vertex, passed = state
            if vertex in goals and passed == len(through):
                total = cost + goals[vertex]
                if best is None or total < best[0]:
                    best = total, state
            if vertex in goals and vertex in self.touched and before is not None:
                continue
            for other in self.window.ways.get(vertex, []):
                if before is not None and other == before[0]:
                    continue
                ends = frozenset((vertex, other))
                side = frozenset(self.window.sides[ends])
                if ends in self.taken or side in self.course.never:
                    continue
                on_the_way = passed < len(through) and self.window.banks(vertex, other) in through[passed]
                if not on_the_way and side in sole:
                    continue
                step = 0.02 if on_the_way else self._cost(vertex, other)
                if other in self.touched and other not in goals:
                    step += _TOUCH
                reached = (other, passed + on_the_way)
                if reached not in came and step < 50:
                    heappush(heap, (cost + step, count, reached, state))
                    count += 1
        if best is None:
            raise ValueError(f"no way for the {self.course.name} through its stated hexsides")
        chain = [best[1]]
        while (previous := came[chain[-1]]) is not None:
            chain.append(previous)
        return [vertex for vertex, _ in reversed(chain)]

    def _starts(self) -> dict[Vertex, float]:
        head = self.line.coords[0]
        free = [vertex for vertex in self.window.ways if vertex not in self.touched]
        return self._nearest(free, head, 4)

    def _goals(self) -> dict[Vertex, float]:
        mouth = self.line.coords[-1]
        parent = self.chains.get(self.course.into)
        if parent is not None and self.reaches_mouth:
            # Stated hexsides may move a confluence along the parent river.
            weight = 0.2 if self.course.through else 1.0
            near = {v: weight * dist(self.window.vertices[v], mouth) ** 2 for v in parent}
            return {v: cost for v, cost in near.items() if cost < weight * 9}
        return self._nearest(list(self.window.ways), mouth, 4)

    def _nearest(self, vertices: list[Vertex], to: Point, how_many: int) -> dict[Vertex, float]:
        far = {vertex: dist(self.window.vertices[vertex], to) for vertex in vertices}
        chosen = sorted(far, key=lambda vertex: (far[vertex], vertex))[:how_many]
        return {vertex: _ENDS * far[vertex] ** 2 for vertex in chosen}

    def _cost(self, start: Vertex, end: Vertex) -> float:
        if (start, end) not in self._costs:
            self._costs[start, end] = self._weigh(start, end)
        return self._costs[start, end]

    def _weigh(self, start: Vertex, end: Vertex) -> float:
        (x1, y1), (x2, y2) = self.window.vertices[start], self.window.vertices[end]
        shares = np.array([0.17, 0.5, 0.83])
        off = shapely.distance(self.line, shapely.points(x1 + (x2 - x1) * shares, y1 + (y2 - y1) * shares))
        if off.min() > _STRAY:
            return 99.0
        cost = _LENGTH + _OFF_COURSE * float((off**2).mean())
        left, right = self.window.banks(start, end)
        return cost + self._wrong(left, LEFT) + self._wrong(right, RIGHT)

    def _wrong(self, cell: Cell, bank: int) -> float:
        """What it costs to leave a cell on this bank."""
        if cell in self.course.towns:
            return 0.0 if self.course.towns[cell] == bank else _WRONG_TOWN
        if cell not in self._banks:
            self._banks[cell] = signed_distance(self.line, self.window.lattice.centre(cell))
        away = self._banks[cell]
        return _WRONG_BANK * abs(away) if abs(away) < 0.9 and (away > 0) != (bank > 0) else 0.0


def signed_distance(line: shapely.LineString, point: Point) -> float:
    """Distance from a line; positive to its left, negative to its right."""
    here = shapely.Point(point)
    along = line.project(here)
    before = line.interpolate(max(0.0, along - 0.05))
    after = line.interpolate(min(line.length, along + 0.05))
    turn = (after.x - before.x) * (point[1] - before.y) - (after.y - before.y) * (point[0] - before.x)
    return float(line.distance(here)) if turn > 0 else -float(line.distance(here))


def _clip(window: Window, points: tuple[Point, ...]) -> list[Point]:
    """The course from where it first enters the window to where it last leaves it."""
    dense: list[Point] = []
    for (x1, y1), (x2, y2) in itertools.pairwise(points):
        steps = max(1, int(dist((x1, y1), (x2, y2)) / 0.25))
        dense += [(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps) for i in range(steps)]
    dense.append(points[-1])
    inside = [i for i, point in enumerate(dense) if window.holds(point)]
    return dense[inside[0] : inside[-1] + 1] if inside else []

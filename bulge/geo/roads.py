"""Roads as paths from hex to hex, and bridges where they cross rivers.

Each road between two places is the cheapest walk of hexes near its true course that crosses only the rivers which
the true road crosses. Main roads come first; later roads gladly run along sides that already carry a road, which
merges parallels. Afterwards little triangles and stubs are cut away.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import dist

import shapely

from bulge.geo.lattice import Cell, Point, Side, Window

RANK = {"primary": 0, "secondary": 1, "track": 2}

_STEP, _OFF_COURSE, _FALSE_CROSSING, _BARRED = 0.35, 1.6, 2.5, 50.0
_STRAY = 3.0
_NEAR_CROSSING = 1.15
"""A chain of hexsides may lie this far, in hexes, from where the true road crosses the true river."""


@dataclass(frozen=True)
class Road:
    """One stretch of road between two places, as it really runs, on the map plane."""

    ends: tuple[str, str]
    rank: str
    points: tuple[Point, ...]
    cells: tuple[Cell, Cell]
    """The hexes of its two ends (which the rubber sheet or a stated fact may have moved)."""


@dataclass(frozen=True)
class Waters:
    """What roads must know of rivers."""

    sides: Mapping[Side, str]
    lines: Mapping[str, shapely.LineString]
    bridges: frozenset[Side] = frozenset()
    """Hexsides that are stated to be bridged: crossings near one are led over it."""
    barred: frozenset[Side] = frozenset()
    """Hexsides that no road may cross."""


@dataclass
class Net:
    """Roads laid on the hexes."""

    sides: dict[Side, str] = field(default_factory=dict)
    paths: list[tuple[Road, list[Cell]]] = field(default_factory=list)
    uses: dict[Side, int] = field(default_factory=dict)

    def add(self, road: Road, path: list[Cell]) -> None:
        self.paths.append((road, path))
        for one, other in itertools.pairwise(path):
            side = frozenset((one, other))
            self.uses[side] = self.uses.get(side, 0) + 1
            if side not in self.sides or RANK[road.rank] < RANK[self.sides[side]]:
                self.sides[side] = road.rank

    def at(self, cell: Cell) -> list[Side]:
        return [side for side in self.sides if cell in side]

    def bridges(self, waters: Mapping[Side, str]) -> dict[Side, str]:
        return {side: waters[side] for side in self.sides if side in waters}


def lay(window: Window, roads: Iterable[Road], waters: Waters, reuse: float = 0.5) -> Net:
    """Lay every road, the main ones first and short ones before long ones."""
    net = Net()
    ordered = sorted(roads, key=lambda r: (RANK[r.rank], round(shapely.LineString(r.points).length, 6), r.ends))
    for road in ordered:
        path = _Path(window, road, waters, net, reuse).walk()
        if len(path) > 1:
            net.add(road, path)
    return net


class _Path:
    """The search for one road's hexes."""

    def __init__(self, window: Window, road: Road, waters: Waters, net: Net, reuse: float) -> None:
        self.window = window
        self.road = road
        self.waters = waters
        self.net = net
        self.reuse = reuse
        self.line = shapely.LineString(road.points)
        self.crossings: dict[str, list[Point]] = {}
        for name, river in waters.lines.items():
            met = self.line.intersection(river)
            points = [geom.coords[0] for geom in getattr(met, "geoms", [met]) if not geom.is_empty]
            if points:
                self.crossings[name] = points
        self._off: dict[Cell, float] = {}

    def walk(self) -> list[Cell]:
        start, end = self._ends()
        if start is None or end is None or start == end:
            return []
        came: dict[Cell, Cell | None] = {}
        heap: list[tuple[float, Cell, Cell | None]] = [(0.0, start, None)]
        while heap:
            cost, cell, before = heappop(heap)
            if cell in came:
                continue
            came[cell] = before
            if cell == end:
                break
            for other in self.window.lattice.neighbours(cell):
                if other in self.window.cells and other not in came:
                    step = self._step(cell, other)
                    if step < _BARRED:
                        heappush(heap, (cost + step, other, cell))
        if end not in came:
            return []
        path = [end]
        while (previous := came[path[-1]]) is not None:
            path.append(previous)
        return path[::-1]

    def _ends(self) -> tuple[Cell | None, Cell | None]:
        """The hexes between which the road runs; a road that leaves the window ends where it leaves."""
        start, end = self.road.cells
        if start in self.window.cells and end in self.window.cells:
            return start, end
        if start not in self.window.cells and end not in self.window.cells:
            return None, None
        dense = [self.line.interpolate(i / 80, normalized=True).coords[0] for i in range(81)]
        if start not in self.window.cells:
            dense.reverse()
        inside = start if start in self.window.cells else end
        last = inside
        for point in dense:
            cell = self.window.lattice.at(point)
            if cell not in self.window.cells:
                break
            last = cell
        return (inside, last) if start in self.window.cells else (last, inside)

    def _step(self, cell: Cell, other: Cell) -> float:
        if other not in self._off:
            self._off[other] = float(self.line.distance(shapely.Point(self.window.lattice.centre(other))))
        off = self._off[other]
        side = frozenset((cell, other))
        if off > _STRAY or side in self.waters.barred:
            return _BARRED
        cost = _STEP + _OFF_COURSE * off * off
        river = self.waters.sides.get(side)
        if river is not None:
            middle = self.window.lattice.middle(cell, other)
            cost += 0.05 if self._crosses(river, middle, side) else _FALSE_CROSSING
        if side in self.net.sides:
            as_good = RANK[self.net.sides[side]] <= RANK[self.road.rank]
            cost *= self.reuse if as_good else 0.8
        return cost

    def _crosses(self, river: str, middle: Point, side: Side) -> bool:
        """Whether the true road crosses this river hereabouts, or ends in a town on its bank."""
        for crossing in self.crossings.get(river, []):
            stated = [
                bridge
                for bridge in self.waters.bridges
                if self.waters.sides.get(bridge) == river and self._gap(bridge, crossing) < 1.5
            ]
            if stated and side not in stated:
                return False
            if stated or dist(middle, crossing) < _NEAR_CROSSING:
                return True
        line = self.waters.lines.get(river)
        ends = (self.road.points[0], self.road.points[-1])
        return line is not None and any(
            line.distance(shapely.Point(end)) < 0.12 and dist(middle, end) < 1.1 for end in ends
        )

    def _gap(self, side: Side, point: Point) -> float:
        one, other = sorted(side)
        return dist(self.window.lattice.middle(one, other), point)


def cut_triangles(window: Window, net: Net, keep: frozenset[Side], waters: Mapping[Side, str]) -> None:
    """Where three hexes that touch are all joined by road, take out the side that matters least."""
    for cell in sorted(window.board):
        around = window.lattice.neighbours(cell)
        for one, other in zip(around, around[1:] + around[:1], strict=True):
            if one not in window.board or other not in window.board:
                continue
            trio = [frozenset((cell, one)), frozenset((one, other)), frozenset((other, cell))]
            if all(side in net.sides for side in trio):
                loose = [side for side in trio if side not in keep]
                if loose:
                    weakest = max(
                        loose,
                        key=lambda side: (
                            RANK[net.sides[side]],
                            side in waters,
                            -net.uses.get(side, 0),
                            sorted(side),
                        ),
                    )
                    del net.sides[weakest]


def cut_stubs(window: Window, net: Net, ends: frozenset[Cell], keep: frozenset[Side]) -> None:
    """Take out roads that lead nowhere: to no place of `ends` and off no edge of the map."""
    while True:
        joined: dict[Cell, list[Side]] = {}
        for side in net.sides:
            for cell in side:
                joined.setdefault(cell, []).append(side)
        loose = [
            sides[0]
            for cell, sides in sorted(joined.items())
            if len(sides) == 1 and cell in window.board and cell not in ends and sides[0] not in keep
        ]
        if not loose:
            return
        for side in loose:
            net.sides.pop(side, None)


def cut_islands(window: Window, net: Net, ends: frozenset[Cell]) -> None:
    """Take out bits of road on the board that reach no place of `ends`."""
    seen: set[Cell] = set()
    joined: dict[Cell, list[Cell]] = {}
    for side in net.sides:
        one, other = sorted(side)
        if side <= window.board:
            joined.setdefault(one, []).append(other)
            joined.setdefault(other, []).append(one)
    for start in sorted(joined):
        if start in seen:
            continue
        island = {start}
        front = [start]
        while front:
            fresh = [cell for cell in joined[front.pop()] if cell not in island]
            island.update(fresh)
            front += fresh
        seen |= island
        if not island & ends:
            for side in [side for side in net.sides if side & island]:
                del net.sides[side]


@dataclass(frozen=True)
class Stretch:
    """A road between two named places, still in latitude and longitude."""

    ends: tuple[str, str]
    rank: str
    course: tuple[Point, ...]


def join_stretches(stretches: Iterable[Stretch], keep: frozenset[str]) -> list[Stretch]:
    """Run stretches together through places neither kept nor crossroads, so that they bend freely there."""
    at: dict[str, list[Stretch]] = {}
    for stretch in stretches:
        for end in stretch.ends:
            at.setdefault(end, []).append(stretch)
    for place in sorted(at):
        here = at[place]
        if place in keep or len(here) != 2 or here[0] is here[1] or here[0].rank != here[1].rank:
            continue
        before, after = (_from(place, stretch) for stretch in here)
        far, near = before.ends[1], after.ends[1]
        if far == near:
            continue
        joined = Stretch((far, near), before.rank, (*reversed(before.course), *after.course[1:]))
        for end, old in ((far, here[0]), (near, here[1])):
            at[end] = [joined if stretch is old else stretch for stretch in at[end]]
        at[place] = []
    unique = {id(stretch): stretch for here in at.values() for stretch in here}
    return sorted(unique.values(), key=lambda stretch: (stretch.ends, stretch.course))


def _from(place: str, stretch: Stretch) -> Stretch:
    """The same stretch, beginning at a place."""
    if stretch.ends[0] == place:
        return stretch
    return Stretch((stretch.ends[1], stretch.ends[0]), stretch.rank, tuple(reversed(stretch.course)))

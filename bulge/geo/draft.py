"""A hex map in the making: the steps from the geography to towns, rivers and roads on one game's grid."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from math import dist

import shapely
import shapely.ops

from bulge.geo.geography import Geography, Place, distance_km
from bulge.geo.lattice import Cell, Point, Side, Window
from bulge.geo.outline import rim
from bulge.geo.projection import Anchor, Fit, fit
from bulge.geo.recipe import Entry, Recipe
from bulge.geo.rivers import LEFT, RIGHT, Chains, Course, river_sides, signed_distance, trace
from bulge.geo.roads import Net, Road, Stretch, Waters, cut_islands, cut_stubs, cut_triangles, join_stretches, lay
from bulge.geo.warp import Pin, Warp, pinned

_MARGIN = 3


@dataclass
class Town:
    """A place that the map shows with effect on play."""

    place: Place
    cell: Cell
    kind: str
    why: str = ""


@dataclass
class Draft:
    recipe: Recipe
    land: Geography
    towns: list[Town] = field(default_factory=list)
    chains: Chains = field(default_factory=dict)
    water: dict[Side, str] = field(default_factory=dict)
    inside: dict[Cell, str] = field(default_factory=dict)
    """Rivers that run through a hex, not along its sides."""
    net: Net = field(default_factory=Net)
    exits: dict[Cell, tuple[str, str]] = field(default_factory=dict)

    # --- the grid

    @cached_property
    def window(self) -> Window:
        return Window.about(self.recipe.lattice, self.recipe.names, _MARGIN)

    @cached_property
    def fit(self) -> Fit:
        return fit(self.recipe.lattice, self.anchors, self.recipe.table("fit").get("model", "similarity"))

    @cached_property
    def anchors(self) -> list[Anchor]:
        out = []
        for row in self.recipe.tables("anchor"):
            lat, lon = row["at"] if "at" in row else self.land.place(row["place"]).point
            label = row.get("label") or row["place"]
            out.append(Anchor(label, lat, lon, self.recipe.cells(row["hex"]), row["grade"], row["source"]))
        return out

    @cached_property
    def warp(self) -> Warp:
        """Pinned: every anchor that is sure of its one hex, and every place whose hex the recipe gives."""
        pins = [Pin(a.lat, a.lon, a.cells[0]) for a in self.anchors if a.grade != "soft" and len(a.cells) == 1]
        pins += [Pin(*self.land.place(name).point, cell) for name, cell in self.fixed.items()]
        return pinned(self.recipe.lattice, self.fit.projection, pins)

    @cached_property
    def fixed(self) -> dict[str, Cell]:
        """Places whose hex is given rather than derived."""
        rows = [*self.recipe.tables("town"), *self.recipe.tables("pin")]
        return {self.land.place(row["place"]).name: self.recipe.cell(row["hex"]) for row in rows if "hex" in row}

    def point(self, place: str) -> Point:
        return self.warp(*self.land.place(place).point)

    def cell(self, place: str) -> Cell:
        name = self.land.place(place).name
        return self.fixed.get(name) or self.recipe.lattice.at(self.point(name))

    # --- towns

    def place_towns(self) -> None:
        for row in self.recipe.tables("town"):
            place = self.land.place(row["place"])
            cells = [self.recipe.cell(name) for name in row.get("hexes", [])] or [self.cell(place.name)]
            self.towns += [Town(place, cell, row.get("kind", "town"), row.get("why", "")) for cell in cells]
        for row in self.recipe.tables("show"):
            self._show(row["kinds"], row["size"], row["as"], row.get("hide", []))

    def _show(self, kinds: list[str], size: int, kind: str, hide: list[str]) -> None:
        """Show every place of these kinds and at least this size; where hexes are shared the first stays alone."""
        shown = {town.place.name for town in self.towns}
        taken = {town.cell for town in self.towns}
        for place in sorted(self.land.places.values(), key=lambda p: (-p.size, p.name)):
            if place.kind in kinds and place.size >= size and place.name not in {*shown, *hide}:
                cell = self.cell(place.name)
                if cell in self.recipe.names and cell not in taken:
                    self.towns.append(Town(place, cell, kind))
                    taken.add(cell)

    @cached_property
    def town_cells(self) -> dict[Cell, list[Town]]:
        out: dict[Cell, list[Town]] = {}
        for town in self.towns:
            out.setdefault(town.cell, []).append(town)
        return out

    # --- rivers

    def line(self, river: str) -> tuple[Point, ...]:
        course = self.land.rivers[river].course
        return tuple(self.warp(lat, lon) for lat, lon in _dense(course))

    def trace_rivers(self) -> None:
        shown = self.recipe.table("rivers")
        said = {row["name"]: row for row in self.recipe.tables("river")}
        dry = frozenset(self.recipe.side(name) for name in shown.get("dry", []))
        brook: float = shown.get("head", 0.0)
        courses = []
        for name in shown["show"]:
            row: Entry = said.get(name, {})
            points = self._without_head(name, row.get("head", brook))
            into = row.get("into", self._shown_parent(name, shown["show"]))
            courses.append(
                Course(
                    name,
                    points,
                    into,
                    tuple(self.oriented(stated) for stated in row.get("through", [])),
                    dry | frozenset(self.recipe.side(side) for side in row.get("not", [])),
                    self._banks(name, points),
                )
            )
        self.chains = trace(self.window, courses)
        self.water = river_sides(self.window, self.chains)
        for name in shown.get("inside", []):
            self._run_inside(self.cell(name))

    def _run_inside(self, cell: Cell) -> None:
        """Let a river run through a hex instead of round it."""
        beside = [side for side in self.water if cell in side]
        if beside:
            self.inside[cell] = self.water[beside[0]]
        for side in beside:
            if self.water[side] == self.inside[cell]:
                del self.water[side]

    def _without_head(self, name: str, length: float) -> tuple[Point, ...]:
        """A river's course from where it is more than a brook; whole, if others meet to make its head."""
        points = self.line(name)
        row = next((row for row in self.recipe.tables("river") if row["name"] == name), {})
        if "from" in row:
            line = shapely.LineString(points)
            rest = _cut_head(points, line.project(shapely.Point(self.point(row["from"]))))
            return (self.warp(*row["enters"]), *rest) if "enters" in row else rest
        for other in self.recipe.table("rivers")["show"]:
            if self.land.rivers[other].flows_into == name and dist(self.line(other)[-1], points[0]) < 1.0:
                return points
        return _cut_head(points, length)

    def _shown_parent(self, name: str, shown: list[str]) -> str:
        parent = self.land.rivers[name].flows_into
        return parent if parent in shown else ""

    def oriented(self, stated: str | list[str]) -> frozenset[tuple[Cell, Cell]]:
        """A stated hexside, left bank first, or several of which one will do."""
        pairs = [self.recipe.cells(side) for side in ([stated] if isinstance(stated, str) else stated)]
        return frozenset((left, right) for left, right in pairs)

    def _banks(self, river: str, points: tuple[Point, ...]) -> Mapping[Cell, int]:
        """On which bank of a river the towns near it stand; hexes with towns on both banks are left free."""
        line = shapely.LineString(points)
        known = self.land.rivers[river].banks
        found: dict[Cell, set[int]] = {}
        for town in self.towns:
            name = town.place.name
            if name in known and town.cell == self.cell(name):
                found.setdefault(town.cell, set()).add(LEFT if known[name] == "left" else RIGHT)
                continue
            away = signed_distance(line, self.warp(*town.place.point))
            if 0.03 < abs(away) < 1.0:
                found.setdefault(town.cell, set()).add(LEFT if away > 0 else RIGHT)
        return {cell: next(iter(banks)) for cell, banks in found.items() if len(banks) == 1}

    # --- roads

    def lay_roads(self) -> None:
        rules = self.recipe.table("roads")
        stretches = self._stretches()
        keep = frozenset(town.place.name for town in self.towns) | frozenset(rules.get("through", []))
        keep |= {
            p.name for p in self.land.places.values() if p.size > 1 and self.cell(p.name) not in self.window.board
        }
        roads = []
        for stretch in join_stretches(stretches, keep):
            points = tuple(self.warp(lat, lon) for lat, lon in _dense(stretch.course))
            one, other = stretch.ends
            roads.append(Road(stretch.ends, stretch.rank, points, (self.cell(one), self.cell(other))))
        lines = {name: shapely.LineString(self.line(name)) for name in self.chains}
        waters = Waters(
            self.water,
            lines,
            frozenset(self.recipe.side(side) for side in rules.get("bridges", [])),
            frozenset(self.recipe.side(side) for side in rules.get("barred", [])) | self._along_edge(rules),
        )
        self.net = lay(self.window, roads, waters, rules.get("reuse", 0.5))
        keep_sides = self._by_hand()
        cut_triangles(self.window, self.net, keep_sides, self.water)
        self._find_exits(rules)
        ends = frozenset(town.cell for town in self.towns) | frozenset(
            self.cell(name) for name in rules.get("ends", [])
        )
        cut_stubs(self.window, self.net, ends, keep_sides)
        cut_islands(self.window, self.net, frozenset(town.cell for town in self.towns))
        self.exits = {cell: exit_ for cell, exit_ in self.exits.items() if self._joined(cell)}

    def _along_edge(self, rules: Mapping[str, bool]) -> frozenset[Side]:
        """Where the edge is a rim of hexes of its own, roads cross it and do not run along it."""
        if not rules.get("rim"):
            return frozenset()
        edge = set(rim(self.recipe.lattice, self.window.board))
        return frozenset(
            frozenset((cell, other))
            for cell in edge
            for other in self.recipe.lattice.neighbours(cell)
            if other in edge
        )

    def _stretches(self) -> list[Stretch]:
        """The roads of the geography that this map shows, each with the rank it has here."""
        rules = self.recipe.table("roads")
        ranks: dict[str, str] = rules["ranks"]
        raised: dict[frozenset[str], str] = {}
        for row in rules.get("routes", []):
            for pair in shortest_route(self.land, row["by"]):
                raised.setdefault(pair, row["rank"])
        dropped = {frozenset(pair) for pair in rules.get("without", [])}
        out = []
        for road in self.land.roads:
            pair = frozenset((road.start, road.end))
            rank = raised.get(pair) or ranks.get(road.grade, "")
            if rank and pair not in dropped:
                out.append(Stretch((road.start, road.end), rank, road.course))
        return out

    def _by_hand(self) -> frozenset[Side]:
        """Roads laid, or taken up, by hand; what is laid is kept whatever comes after."""
        laid = set()
        for correction in self.recipe.corrections:
            what = correction.what
            if "road" in what and "path" in what:
                cells = [self.recipe.cell(name) for name in what["path"]]
                for one, other in itertools.pairwise(cells):
                    side = frozenset((one, other))
                    if what["road"] == "none":
                        self.net.sides.pop(side, None)
                    else:
                        self.net.sides[side] = what["road"]
                        laid.add(side)
        return frozenset(laid)

    def _find_exits(self, rules: Mapping[str, list[str]]) -> None:
        """Where roads leave the board; exits the recipe closes lose their road beyond the edge."""
        board = self.window.board
        closed = {self.recipe.cell(name) for name in rules.get("closed", [])}
        for road, path in self.net.paths:
            for i, (here, there) in enumerate(itertools.pairwise(path)):
                side = frozenset((here, there))
                if (here in board) == (there in board) or side not in self.net.sides:
                    continue
                inside, towards = (here, road.ends[1]) if here in board else (there, road.ends[0])
                if inside in closed:
                    del self.net.sides[side]
                elif self._leads_off(path, i, here in board):
                    rank = self.net.sides[side]
                    if inside not in self.exits or rank < self.exits[inside][0]:
                        self.exits[inside] = (rank, towards)
                # A road that only cuts a corner beyond the edge leaves by one hex and comes back by another.
                else:
                    self.exits.setdefault(inside, (self.net.sides[side], towards))

    def _joined(self, cell: Cell) -> bool:
        """Whether roads still meet in a hex."""
        return any(side <= self.window.board for side in self.net.at(cell)) or cell in self.town_cells

    def _leads_off(self, path: list[Cell], at: int, outward: bool) -> bool:
        rest = path[at + 1 :] if outward else path[: at + 1]
        return not any(cell in self.window.board for cell in rest)


def shortest_route(land: Geography, by: list[str]) -> list[frozenset[str]]:
    """The roads of the shortest way through these places, as pairs of places."""
    ways: dict[str, list[tuple[float, str]]] = {}
    for road in land.roads:
        length = sum(distance_km(a, b) for a, b in zip(road.course, road.course[1:], strict=False))
        ways.setdefault(road.start, []).append((length, road.end))
        ways.setdefault(road.end, []).append((length, road.start))
    out = []
    for start, end in itertools.pairwise(by):
        start, end = land.place(start).name, land.place(end).name
        came: dict[str, str] = {}
        heap = [(0.0, start, "")]
        while heap and end not in came:
            far, here, before = heappop(heap)
            if here not in came:
                came[here] = before
                for length, other in ways.get(here, []):
                    heappush(heap, (far + length, other, here))
        if end not in came:
            raise ValueError(f"no road leads from {start} to {end}")
        while came[end]:
            out.append(frozenset((end, came[end])))
            end = came[end]
    return out


def _dense(course: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """Points close enough together for the rubber sheet to bend the line between them."""
    out = [course[0]]
    for (a, b), (c, d) in itertools.pairwise(course):
        steps = max(1, round(max(abs(c - a) / 0.02, abs(d - b) / 0.03)))
        out += [(a + (c - a) * i / steps, b + (d - b) * i / steps) for i in range(1, steps + 1)]
    return out


def _cut_head(points: tuple[Point, ...], length: float) -> tuple[Point, ...]:
    """The course without its first `length` hexes, where it is a brook."""
    line = shapely.LineString(points)
    if not length or line.length < length + 0.8:
        return points
    return tuple(shapely.ops.substring(line, length, line.length).coords)

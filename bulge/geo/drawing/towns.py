"""Built-up places: where they lie, and their little plans of blocks and streets."""

import math
import random
from typing import NamedTuple

from shapely.geometry import Point as ShapelyPoint
from shapely.ops import unary_union

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.atlas import Atlas
from bulge.geo.drawing.board import Board, names_in
from bulge.geo.drawing.curves import rectangle
from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.svg import Geometry, Point, circle, group, hard, parts, path, polyline, soft

BLOCK = 5.4  # one block of houses with its street


class Town(NamedTuple):
    name: str
    hex: str
    point: Point
    kind: str


class Hamlet(NamedTuple):
    """A place shown for orientation only: a village without effect, or a height."""

    name: str
    point: Point
    kind: str


def find_towns(board: Board, atlas: Atlas) -> list[Town]:
    """Every place that matters in play, near its true site but well inside its hex."""
    found = []
    for name, features in board.hexes.items():
        here = [(place, features.get("kind", "town")) for place in names_in(features, "place")]
        for place in names_in(features, "also"):
            spot = atlas.spots.get(place)
            here.append((place, spot.kind if spot and spot.kind in ink.TOWN_RADIUS else "village"))
        reach = (0.18 if len(here) == 1 else 0.25) * HEX
        sites = [_site(board, atlas, name, place, reach) for place, _ in here]
        if len(sites) == 2:
            sites = _part(sites[0], sites[1], 0.34 * HEX)
        found += [Town(p, name, site, kind) for (p, kind), site in zip(here, sites, strict=True)]
    return found


def _site(board: Board, atlas: Atlas, name: str, place: str, reach: float) -> Point:
    centre = board.centres[name]
    spot = atlas.spots.get(place)
    if spot is None:
        return centre
    dx, dy = spot.point[0] - centre[0], spot.point[1] - centre[1]
    pull = min(1.0, reach / max(math.hypot(dx, dy), 1e-6))
    return centre[0] + dx * pull, centre[1] + dy * pull


def _part(a: Point, b: Point, least: float) -> list[Point]:
    """Two places in one hex stand at least so far apart."""
    gap = math.dist(a, b)
    if gap >= least:
        return [a, b]
    ux, uy = ((b[0] - a[0]) / gap, (b[1] - a[1]) / gap) if gap > 1 else (0.8, 0.6)
    push = (least - gap) / 2
    return [(a[0] - ux * push, a[1] - uy * push), (b[0] + ux * push, b[1] + uy * push)]


def find_hamlets(board: Board, atlas: Atlas) -> list[Hamlet]:
    """The villages that a map file shows without effect, and the heights that lie on the map."""
    found = {}
    for features in board.hexes.values():
        for place in names_in(features, "minor"):
            if spot := atlas.spots.get(place):
                found[place] = Hamlet(place, spot.point, spot.kind)
    inner = board.field.buffer(-20)
    for spot in atlas.spots.values():
        if spot.kind == "height" and inner.contains(ShapelyPoint(spot.point)):
            found[spot.name] = Hamlet(spot.name, spot.point, "height")
    return [found[name] for name in sorted(found)]


def plan(site: Point, radius: float, roads: Geometry) -> list[Geometry]:
    """A town plan: rotated blocks that thin out to the edge and leave the streets open."""
    luck = random.Random(f"{site[0]:.0f} {site[1]:.0f}")
    near = roads.intersection(ShapelyPoint(site).buffer(radius))
    angle = luck.uniform(-0.3, 0.3)
    if not near.is_empty:  # the streets follow the longest road
        longest = max(parts(near), key=lambda g: float(g.length))
        (x1, y1), *_, (x2, y2) = [*longest.coords] * 2 if longest.geom_type == "Point" else longest.coords
        angle = math.atan2(y2 - y1, x2 - x1)
    street = near.buffer(3.1)
    reach = int(radius / BLOCK) + 1
    blocks: list[Geometry] = []
    for row in range(-reach, reach + 1):
        column = -reach
        while column <= reach:
            wide = 2 if luck.random() < 0.3 else 1
            x, y = (column + (wide - 1) / 2) * BLOCK, row * BLOCK
            column += wide
            if math.hypot(x, y * 1.1) / radius + luck.uniform(0, 0.4) >= 1:
                continue
            half_height = (BLOCK - 1.2) / 2 * luck.uniform(0.8, 1)
            block = rectangle((x, y), (BLOCK * wide - 1.2) / 2, half_height, angle, site)
            blocks += [g for g in parts(block.difference(street)) if g.area > 3.5]
    return blocks


class Towns:
    def __init__(self, towns: list[Town], hamlets: list[Hamlet], roads: Geometry) -> None:
        self.towns, self.hamlets = towns, hamlets
        self.shown: list[Hamlet] = []  # those for whose names there was room: a dot without a name says nothing
        self.plans = [plan(t.point, ink.TOWN_RADIUS[t.kind], roads) for t in towns]
        sprawl = [unary_union(blocks).buffer(4).buffer(-1.5) for blocks in self.plans if blocks]
        self.built_up: Geometry = unary_union(sprawl)

    def draw_sprawl(self) -> str:
        return path(soft(self.built_up, 0.6), ink.SPRAWL, fill_opacity=0.9)

    def draw(self) -> str:
        out = path("".join(hard(block, 0) for blocks in self.plans for block in blocks), ink.TOWN)
        dots = ""
        for hamlet in self.shown:
            x, y = hamlet.point
            if hamlet.kind == "height":
                dots += path(polyline(((x, y - 4.5), (x + 4.5, y + 3), (x - 4.5, y + 3)), close=True), ink.REGION)
            else:
                dots += circle(x, y, 2.6, ink.PAGE, stroke=ink.TOWN, stroke_width=1.3)
        return out + group(dots, class_="hamlet")  # named, so that a client can hide them from afar


def homes(towns: list[Town]) -> dict[str, Point]:
    """Where the roads of a hex meet: in its first town."""
    found: dict[str, Point] = {}
    for town in towns:
        found.setdefault(town.hex, town.point)
    return found

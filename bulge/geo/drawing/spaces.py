"""The spaces of a track map: where they lie, and how a space, a staging area, a track and a lateral road look."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shapely.geometry import LineString, box
from shapely.geometry import Point as ShapelyPoint

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.curves import Array
from bulge.geo.drawing.svg import Geometry, Point, circle, curve, hard, path, rect, words
from bulge.geo.drawing.towns import plan

RADIUS, CENTRE_RADIUS = 56.0, 84.0
NEAREST = 172.0  # spaces are pushed apart to at least this distance, to take counters
BEYOND = 76.0  # from the last space of a track to its staging area
LONG, SHORT = 230.0, 135.0  # half sides of a staging area


@dataclass(frozen=True)
class Space:
    name: str
    terrain: str
    track: str
    number: int
    point: Point
    half: Point  # half its width and half its height

    def moved(self, dx: float, dy: float) -> "Space":
        return replace(self, point=(self.point[0] + dx, self.point[1] + dy))

    def corners(self) -> list[Point]:
        x, y = self.point
        return [(x - self.half[0], y - self.half[1]), (x + self.half[0], y + self.half[1])]

    def area(self) -> Geometry:
        x, y = self.point
        if self.terrain == "staging":
            return box(x - self.half[0], y - self.half[1], x + self.half[0], y + self.half[1])
        return ShapelyPoint(x, y).buffer(self.half[0])


def layout(data: Mapping[str, Mapping[str, Any]], locate: Callable[[float, float], Point],
           links: Sequence[str]) -> dict[str, Space]:  # fmt: skip
    """Spaces at their true places, pushed apart where they crowd; staging areas beyond the ends of the tracks."""
    places = {name: locate(*space["at"]) for name, space in sorted(data.items()) if space.get("at")}
    centre = next(name for name, space in data.items() if space.get("terrain") == "center")
    places = _pushed_apart(places, centre)
    halves = {name: (CENTRE_RADIUS, CENTRE_RADIUS) if name == centre else (RADIUS, RADIUS) for name in places}
    for name in sorted(set(data) - set(places)):
        last = next(end for key in links for end in key.split("/") if name in key.split("/") and end != name)
        places[name], halves[name] = _beyond(places[centre], places[last])
    return {
        name: Space(str(space.get("name", name)), str(space.get("terrain", "open")), str(space.get("track", "")),
                    int(space.get("number") or 0), places[name], halves[name])
        for name, space in sorted(data.items())
    }  # fmt: skip


def _pushed_apart(places: dict[str, Point], fixed: str) -> dict[str, Point]:
    home, names = dict(places), list(places)
    for _ in range(400):
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                (ax, ay), (bx, by) = places[a], places[b]
                least = NEAREST + (CENTRE_RADIUS - RADIUS) * (fixed in (a, b))
                gap = math.hypot(bx - ax, by - ay) or 1.0
                if gap < least:
                    push = (least - gap) / 2 / gap
                    places[a] = (ax - (bx - ax) * push, ay - (by - ay) * push)
                    places[b] = (bx + (bx - ax) * push, by + (by - ay) * push)
        for name in names:  # a little pull back home, so that the map stays a map
            (x, y), (hx, hy) = places[name], home[name]
            places[name] = (x + (hx - x) * 0.02, y + (hy - y) * 0.02)
        places[fixed] = home[fixed]
    return places


def _beyond(centre: Point, last: Point) -> tuple[Point, Point]:
    """A staging area further out than the last space, its long side square to the track: middle and half sides."""
    dx, dy = last[0] - centre[0], last[1] - centre[1]
    away = RADIUS + BEYOND + SHORT
    if abs(dx) > abs(dy):
        return (last[0] + math.copysign(away, dx), last[1]), (SHORT, LONG)
    return (last[0], last[1] + math.copysign(away, dy)), (LONG, SHORT)


def draw_space(name: str, space: Space) -> str:
    """A disc for the counters: a town has its plan and a double ring, open ground a single one."""
    x, y = space.point
    if space.terrain == "center":
        title = space.name.partition(" ")[0].upper()
        blocks = plan(space.point, CENTRE_RADIUS * 0.62, LineString([(x - 90, y + 20), (x + 90, y - 20)]))
        return (
            circle(x, y, CENTRE_RADIUS, ink.SPRAWL, stroke=ink.INK, stroke_width=3)
            + circle(x, y, CENTRE_RADIUS - 7, stroke=ink.INK, stroke_width=1.2)
            + path("".join(hard(block, 0) for block in blocks), ink.TOWN, fill_opacity=0.45)
            + words(x, y + 9, title, 27, "halo", font_weight=700, text_anchor="middle", stroke_width=6)
        )
    out = circle(x, y, RADIUS, ink.PAGE, stroke=ink.INK, stroke_width=2.2)
    if space.terrain == "town":
        blocks = plan((x, y + 8), 34, LineString([(x - 45, y + 12), (x + 45, y + 4)]))
        out = circle(x, y, RADIUS, ink.SPRAWL, stroke=ink.INK, stroke_width=2.2)
        out += circle(x, y, RADIUS - 6, stroke=ink.INK, stroke_width=1.1)
        out += path("".join(hard(block, 0) for block in blocks), ink.TOWN, fill_opacity=0.8)
    return out + words(x, y - 30, name, 18, "halo", font_weight=700, text_anchor="middle", stroke_width=3)


def draw_staging(space: Space) -> str:
    x, y = space.point
    width, height = 2 * space.half[0], 2 * space.half[1]
    left, top = x - space.half[0], y - space.half[1]
    first, _, rest = space.name.partition(" ")
    lines = [space.name] if width > height else [first, rest]
    out = rect(left, top, width, height, ink.PAGE, stroke=ink.WALL, stroke_width=3, rx=10)
    out += rect(left + 7, top + 7, width - 14, height - 14, stroke=ink.WALL, stroke_width=0.9, rx=6)
    for i, line in enumerate(lines):
        out += words(x, top + 42 + 30 * i, line, 28, "s", text_anchor="middle", fill=ink.WALL)
    rule = top + 26 + 30 * len(lines)
    return out + path(f"M{left + 40:.1f} {rule:.1f}h{width - 80:.0f}", stroke=ink.WALL, stroke_width=0.9)


def track_road(points: Array) -> str:
    """The broad road that both sides fight along."""
    data = curve(points, 0.3)
    return path(data, stroke=ink.ROAD_CASING, stroke_width=15) + path(data, stroke=ink.ROAD, stroke_width=11)


def lateral_road(points: Array) -> str:
    """A road between tracks, dashed: not everybody may use it."""
    data = curve(points, 0.3)
    return path(data, stroke=ink.PAGE, stroke_width=12, stroke_opacity=0.9) + path(
        data, stroke=ink.MINOR_ROAD, stroke_width=6, stroke_dasharray="18 12", stroke_linecap="butt"
    )

"""Maps of spaces and tracks (Bastogne): the spaces on the real ground, joined by tracks and lateral roads.

A space has `name`, `terrain` (center, town, open, staging), `track`, `number` and `at` [latitude, longitude];
staging areas need no place, they lie beyond the end of their track.  A link has a `kind` (track, lateral or
staging) and perhaps a `name`.  Areas whose names end in `_track`, `_box` or `_boxes` are displays beside the map.
"""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon, box
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import unary_union

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.counters import Counter, draw_counters
from bulge.geo.drawing.crowding import ClearGround, Crowding
from bulge.geo.drawing.curves import Array, spline
from bulge.geo.drawing.furniture import Caption, Cartouche, Display, flow
from bulge.geo.drawing.graph_legend import graph_entries
from bulge.geo.drawing.lettering import Lettering, Style
from bulge.geo.drawing.noise import Mesh
from bulge.geo.drawing.roads import stroke
from bulge.geo.drawing.spaces import RADIUS, draw_space, draw_staging, lateral_road, layout, track_road
from bulge.geo.drawing.svg import Geometry, Point, circle, curve, group, hard, num, parts, path
from bulge.geo.drawing.terrain import Ground, wander
from bulge.geo.drawing.typeface import style_sheet
from bulge.geo.geography import Geography

UNITS_A_KM = 92.0
MARGIN, EDGE = 56.0, 34.0
DISPLAY_SCALE = 1.35
CORNER = 660.0  # width of a cartouche in a corner of the map
SUBTITLE = "The siege, 19–26 December 1944"
COVER = {"forest": 2, "woods": 1}


def draw_graph_map(map_data: Mapping[str, Any], geography: Geography, *, facts: Sequence[str] | None = None,
                   units: Sequence[Counter] | None = None, embed_fonts: bool = True) -> str:  # fmt: skip
    """A map of spaces and tracks as SVG text; `facts` rings spaces, `units` lays counters on them."""
    return GraphSheet(map_data, geography).draw(facts or (), units or (), embed_fonts=embed_fonts)


def graph_board(map_data: Mapping[str, Any], geography: Geography) -> dict[str, Any]:
    """What a client needs to lay things on the drawing: its size, where each space is and how large."""
    return GraphSheet(map_data, geography).board_data()


class Village(NamedTuple):
    name: str
    point: Point
    kind: str


class GraphSheet:
    def __init__(self, data: Mapping[str, Any], geography: Geography) -> None:
        self.data, self.geography = data, geography
        self.links: dict[str, str] = {key: link["kind"] for key, link in sorted(data["links"].items())}
        places = [space["at"] for space in data["spaces"].values() if space.get("at")]
        self.middle = (sum(p[0] for p in places) / len(places), sum(p[1] for p in places) / len(places))
        self.origin: Point = (0.0, 0.0)
        self.spaces = layout(data["spaces"], self.locate, list(self.links))
        corners = [corner for space in self.spaces.values() for corner in space.corners()]
        west, north = min(x for x, _ in corners), min(y for _, y in corners)
        self.origin = (EDGE + MARGIN - west, EDGE + MARGIN - north)
        self.spaces = {name: space.moved(*self.origin) for name, space in self.spaces.items()}
        self.width = max(x for x, _ in corners) - west + 2 * (EDGE + MARGIN)
        self.height = max(y for _, y in corners) - north + 2 * (EDGE + MARGIN)
        self.neat: Geometry = box(EDGE, EDGE, self.width - EDGE, self.height - EDGE)
        self.roads = self._real_roads()
        self.tracks = self._tracks()
        self.laterals = self._laterals()
        self.taken: Geometry = unary_union([space.area() for space in self.spaces.values()])
        self.villages = self._villages()
        self.lettering = self._letter()

    def locate(self, latitude: float, longitude: float) -> Point:
        east = (longitude - self.middle[1]) * 111.32 * math.cos(math.radians(self.middle[0]))
        north = (latitude - self.middle[0]) * 111.2
        return self.origin[0] + east * UNITS_A_KM, self.origin[1] - north * UNITS_A_KM

    def _real_roads(self) -> list[tuple[str, Geometry]]:
        """The roads of the country, drawn faintly under the tracks."""
        found = []
        for road in self.geography.roads:
            line = LineString(_winding([self.locate(*point) for point in road.course], road.start + road.end))
            if line.intersects(self.neat):
                found.append((str(road.grade), line))
        return found

    def _tracks(self) -> list[Array]:
        """Each track as one road, from the centre through its spaces out to its staging area."""
        following: dict[str, list[str]] = {}
        for key, kind in self.links.items():
            if kind != "lateral":
                a, b = key.split("/")
                following.setdefault(a, []).append(b)
                following.setdefault(b, []).append(a)
        centre = next(name for name, space in self.spaces.items() if space.terrain == "center")
        roads = []
        for first in sorted(following[centre]):
            run = [centre, first]
            while onward := [name for name in following[run[-1]] if name not in run]:
                run.append(onward[0])
            roads.append(spline([self.spaces[name].point for name in run], 8))
        return roads

    def _lateral_keys(self) -> list[str]:
        return [key for key, kind in self.links.items() if kind == "lateral"]

    def _laterals(self) -> list[Array]:
        centre = next(space.point for space in self.spaces.values() if space.terrain == "center")
        pairs = [key.split("/") for key in self._lateral_keys()]
        return [_bowed(self.spaces[a].point, self.spaces[b].point, centre) for a, b in pairs]

    def _villages(self) -> list[Village]:
        """The places of the country that are no spaces, where they are not under one."""
        shown, clear = [], self.taken.buffer(12)
        used = {space.name for space in self.spaces.values()}
        for place in self.geography.places.values():
            point = self.locate(place.lat, place.lon)
            inside = self.neat.buffer(-30).contains(ShapelyPoint(point))
            if inside and place.name not in used and not clear.contains(ShapelyPoint(point)):
                shown.append(Village(place.name, point, place.kind))
        return shown

    def _letter(self) -> Lettering:
        costs, nowhere = Crowding(self.width, self.height), Crowding(self.width, self.height)
        for grade, line in self.roads:
            costs.add_line(line, 3, 2.0 if grade == "track" else 3.0)
        for points in self.laterals:
            costs.add_line(LineString(points), 6, 6)
        for points in self.tracks:
            costs.add_line(LineString(points), 9, 9)
        for village in self.villages:
            costs.add_area(ShapelyPoint(village.point).buffer(9), 12)
        sheet = box(0, 0, self.width, self.height)
        panel, (x, y) = self._cartouche()
        corner = box(x, y, x + panel.width, y + panel.height)
        spaces = (space.area() for space in self.spaces.values())
        keep_out = [sheet.difference(self.neat.buffer(-6)), corner, *spaces]
        lettering = Lettering(costs, nowhere, keep_out)
        for _, space in sorted(self.spaces.items()):
            if space.terrain not in ("staging", "center"):
                lettering.point("space", space.name, space.point, RADIUS + 5, Style(24, weight=600))
        for key, points in zip(self._lateral_keys(), self.laterals, strict=True):
            if name := self.data["links"][key].get("name"):
                style = Style(17, "serif-italic", colour=ink.MINOR_ROAD, track=0.03, halo=0.2)
                lettering.along("lateral", name, LineString(points), 6, style)
        for village in self.villages:
            lettering.point("hamlet", village.name, village.point, 8, Style(17.5, colour=ink.SOFT), dearest=1200)
        return lettering

    def board_data(self) -> dict[str, Any]:
        _, height = self.furniture()
        places = {name: [round(x, 1) for x in space.point] for name, space in self.spaces.items()}
        sizes = {name: [2 * half for half in space.half] for name, space in self.spaces.items()}
        return {"width": round(self.width, 1), "height": round(height, 1), "spaces": places, "sizes": sizes}

    def draw(self, facts: Sequence[str], units: Sequence[Counter], *, embed_fonts: bool) -> str:
        furniture, height = self.furniture()
        layers = {
            "ground": self._ground(),
            "lines": "",
            "traffic": self._traffic(),
            "spaces": self._spaces(),
            "names": "".join(self.lettering.out),
            "facts": self._facts(facts),
            "units": draw_counters(units, {name: space.point for name, space in self.spaces.items()}),
            "frame": self._frame(),
            "cartouche": furniture,
        }
        body = "\n".join(group(drawing, id=name) for name, drawing in layers.items())
        title = str(self.data.get("title", "Map"))
        wide, high = num(self.width), num(height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
            f'role="img" aria-label={quoteattr(title)}><title>{escape(title)}</title>'
            f"<style>{style_sheet(embed=embed_fonts, counters=bool(units))}</style>"
            f'<rect width="100%" height="100%" fill="{ink.PAGE}"/>\n{body}</svg>\n'
        )

    def _ground(self) -> str:
        """The country's woods and open land; where outlines overlap, the region listed later wins."""
        mesh = Mesh(self.width, self.height, 6.0)
        x, y = mesh.x + 1.4 * wander(mesh.x, mesh.y, 1), mesh.y + 1.4 * wander(mesh.x, mesh.y, 5)
        wood = np.zeros(x.shape, int)
        for region in self.geography.regions:
            outline = Polygon([self.locate(*point) for point in region.outline]).buffer(0)
            if outline.intersects(self.neat):
                shapely.prepare(outline)
                wood[shapely.contains_xy(outline, x, y)] = COVER.get(region.cover, 0)
        ground = Ground(mesh, wood, np.zeros(x.shape, int), 1.25)
        return ground.draw(self.neat, ClearGround(self._busy_ground()))

    def _busy_ground(self) -> Crowding:
        busy = Crowding(self.width, self.height)
        for _, line in self.roads:
            busy.add_line(line.intersection(self.neat), 5)
        for points in [*self.tracks, *self.laterals]:
            busy.add_line(LineString(points), 11)
        rim = box(0, 0, self.width, self.height).difference(self.neat.buffer(-2))
        names = (label.area.buffer(2) for label in self.lettering.labels)
        for area in (rim.buffer(6), self.taken.buffer(6), *names):
            busy.add_area(area)
        return busy

    def _traffic(self) -> str:
        out = ""
        for grade in ("track", "secondary", "primary"):
            kind = (
                "track" if grade == "track" else "secondary"
            )  # the real roads stay modest: play is on the tracks
            clipped = (line.intersection(self.neat) for g, line in self.roads if g == grade)
            strokes = [stroke(curve(piece.coords), kind) for line in clipped for piece in lines_of(line)]
            out += "".join(casing for casing, _ in strokes) + "".join(line for _, line in strokes)
        out += "".join(lateral_road(points) for points in self.laterals)
        out += "".join(track_road(points) for points in self.tracks)
        lettered = {label.text for label in self.lettering.labels if label.kind == "hamlet"}
        for village in self.villages:
            if village.name in lettered:
                out += circle(*village.point, 4, ink.PAGE, stroke=ink.TOWN, stroke_width=1.8)
        return group(out, stroke_linejoin="round", stroke_linecap="round")

    def _spaces(self) -> str:
        out = []
        for name, space in sorted(self.spaces.items()):
            drawing = draw_staging(space) if space.terrain == "staging" else draw_space(name, space)
            out.append(group(drawing, data_space=name))
        return "".join(out)

    def _facts(self, facts: Sequence[str]) -> str:
        rings = "".join(hard(self.spaces[name].area().buffer(7), 0.2) for name in sorted(set(facts)))
        return path(rings, stroke=ink.FACT, stroke_width=2.6, stroke_dasharray="9 4")

    def _frame(self) -> str:
        lines = ((0, 2), (6, 0.7))
        return "".join(
            path(hard(self.neat.buffer(gap, join_style="mitre")), stroke=ink.INK, stroke_width=width)
            for gap, width in lines
        )

    def _cartouche(self) -> tuple[Cartouche, Point]:
        """The cartouche and its place: the south-western corner, or below the map if a track runs there."""
        caption = Caption(
            str(self.data.get("title", "")), str(self.data.get("subtitle", SUBTITLE)), 1 / UNITS_A_KM
        )
        kinds = {space.terrain for space in self.spaces.values()}
        legend = graph_entries(kinds, set(self.links.values()))
        panel = Cartouche(caption, legend, CORNER)
        x, y = EDGE + 36, self.height - EDGE - 36 - panel.height
        if box(x, y, x + panel.width, y + panel.height).buffer(50).intersects(self.taken):
            return Cartouche(caption, legend, self.width - 2 * EDGE), (EDGE, self.height - EDGE + 22)
        return panel, (x, y)

    def furniture(self) -> tuple[str, float]:
        """Cartouche on the map, turn track and displays below it, and the height of it all."""
        panel, (x, y) = self._cartouche()
        out = group(panel.draw(), transform=f"translate({num(x)} {num(y)})")
        y = max(self.height - EDGE, y + panel.height if y > self.height - EDGE else 0) + 30
        drawing, tall = flow(self._displays(), (self.width - 2 * EDGE) / DISPLAY_SCALE)
        move = f"translate({num(EDGE)} {num(y)}) scale({DISPLAY_SCALE})"
        return out + group(drawing, transform=move), y + tall * DISPLAY_SCALE + EDGE

    def _displays(self) -> list[Display]:
        """The tracks and boxes beside the map, the turn track first."""
        widest = (self.width - 2 * EDGE) / DISPLAY_SCALE
        areas = {
            name: boxes
            for name, boxes in sorted(self.data.get("areas", {}).items())
            if name.endswith(("_track", "_box", "_boxes"))
        }
        turns = areas.pop("turn_track", None)
        shown = {"Turns": self.data.get("turns") or turns, **{_heading(name): b for name, b in areas.items()}}
        return [Display(boxes, widest, title) for title, boxes in shown.items() if boxes]


def _heading(name: str) -> str:
    text = name.replace("_", " ").removesuffix(" box").removesuffix(" boxes")
    return "US" + text[2:] if text.startswith("us ") else text[:1].upper() + text[1:]


def lines_of(geometry: Geometry) -> list[Geometry]:
    return [piece for piece in parts(geometry) if piece.geom_type == "LineString" and piece.length > 2]


def _winding(points: list[Point], seed: str) -> Array:
    """A road that is known by a few points only does not run straight between them."""
    luck, out = random.Random(seed), [points[0]]
    for a, b in itertools.pairwise(points):
        if math.dist(a, b) > 60:
            sway, share = luck.uniform(-0.07, 0.07), luck.uniform(0.35, 0.65)
            out.append((a[0] + (b[0] - a[0]) * share - (b[1] - a[1]) * sway,
                        a[1] + (b[1] - a[1]) * share + (b[0] - a[0]) * sway))  # fmt: skip
        out.append(b)
    return spline(out, 8)


def _bowed(a: Point, b: Point, centre: Point) -> Array:
    """A road from one space to another that bends a little away from the centre."""
    mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    away = math.hypot(mx - centre[0], my - centre[1]) or 1.0
    bow = 0.16 * math.dist(a, b)
    via = (mx + (mx - centre[0]) / away * bow, my + (my - centre[1]) / away * bow)
    return spline([a, via, b], 8)

"""The front on the game's own map: in how many games a space lay behind it, and where it ran in 1944."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapely.geometry import LineString, box
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import linemerge, unary_union

from bulge.geo.drawing import draw_graph_map, draw_map
from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.crowding import Crowding
from bulge.geo.drawing.graph import GraphSheet
from bulge.geo.drawing.lettering import Lettering, Style
from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.png import to_png
from bulge.geo.drawing.sheet import Sheet
from bulge.geo.drawing.svg import Geometry, Point, circle, curve, group, hard, parts, path
from bulge.geo.geography import geography
from bulge.lab.report.history import fronts
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

CLASSES = ((0.05, "#F0D5BA"), (0.25, "#E2AC86"), (0.5, "#CC7C5C"), (0.75, "#A94A3B"), (0.95, "#742320"))
"""From this share of games on, this colour: darker is more often, also in grey."""
REAR, HATCH, PAPER = "#D3CAB6", "#B3A88F", "#FBF7EC"
MEDIAN, LINE = "#4A0F10", "#14110F"
PANEL = 2900.0
"""The width of a sheet for which line widths and type are given."""


def colour_of(share: float) -> str | None:
    return next((colour for least, colour in reversed(CLASSES) if share >= least), None)


class Ground:
    """A game's map, plain enough to show the front on at the size of a postcard."""

    def __init__(self, sample: Sample, id_: str) -> None:
        data = sample.measures.ground.map
        self.id = id_
        self._board = sample.game.board
        self._towns = {name: self._board.name(space) for name, space in sample.measures.towns.items()}
        self._data = data
        self.rear = sample.start
        if "hexes" in data:
            self._lay_hexes(Sheet(data, geography()))
        else:
            self._lay_spaces(GraphSheet(data, geography()))
        self.field: Geometry = unary_union([shape.buffer(1) for shape in self.shapes.values()])
        x0, y0, x1, y1 = self.field.buffer(0.25 * HEX).bounds
        self.origin, self.width, self.height = (x0, y0), x1 - x0, y1 - y0
        self.scale = self.width / PANEL
        self._names = self._letter()

    def _lay_hexes(self, sheet: Sheet) -> None:
        board = sheet.board
        self.shapes: dict[int, Geometry] = {self._board.at(name): shape for name, shape in board.shapes.items()}
        self.centres: dict[str, Point] = board.centres
        self._locate = board.ground_point
        self._water = [(reach.course, sum(reach.widths)) for reach in sheet.rivers.reaches]
        self._borders = [border.line for border in sheet.frontiers.borders]
        self._roads: list[Geometry] = []

    def _lay_spaces(self, sheet: GraphSheet) -> None:
        self.shapes = {self._board.at(n): s.area() for n, s in sheet.spaces.items() if self._board.has(n)}
        self.centres = {name: space.point for name, space in sheet.spaces.items()}
        self._locate = sheet.locate
        self._water, self._borders = [], []
        self._roads = [LineString(points) for points in (*sheet.tracks, *sheet.laterals)]

    def _letter(self) -> str:
        """The key towns, as many as there is room for."""
        x0, y0, x1, y1 = (*self.origin, self.origin[0] + self.width, self.origin[1] + self.height)
        nowhere = Crowding(x1 + HEX, y1 + HEX)
        frame = box(x0 - 5000, y0 - 5000, x1 + 5000, y1 + 5000).difference(box(x0, y0, x1, y1))
        dots = [ShapelyPoint(self.centres[name]).buffer(20) for name in self._towns.values()]
        lettering = Lettering(nowhere, nowhere.copy(), [frame, *dots])
        out = ""
        for town, name in self._towns.items():
            point = self.centres[name]
            if self._roads:  # on a map of spaces each town is one: its disc is drawn already
                lettering.point(
                    "town", town, point, 44 * self.scale, Style(50 * self.scale, weight=600, halo=0.24)
                )
                continue
            lettering.point("town", town, point, 24 * self.scale, Style(66 * self.scale, weight=600, halo=0.24))
            out += circle(*point, 15 * self.scale, ink.TOWN, stroke=PAPER, stroke_width=6 * self.scale)
        return out + "".join(lettering.out)

    # ------------------------------------------------------------------ what all panels share

    def symbols(self) -> str:
        """The ground and the names, once for all panels of a page."""
        under = path(hard(self.field), PAPER)
        over = "".join(path(curve(line.coords, 3), stroke=ink.MINOR_ROAD, stroke_width=6 * self.scale)
                       for line in self._roads)  # fmt: skip
        for course, width in self._water:
            line = course.intersection(self.field)
            data = "".join(curve(piece.coords, 4) for piece in parts(line) if piece.geom_type == "LineString")
            over += path(data, stroke=ink.BANK, stroke_width=max(3.5, width * 0.55) * self.scale ** 0.5,
                         stroke_opacity=0.75, stroke_linejoin="round")  # fmt: skip
        for border in self._borders:
            line = border.intersection(self.field)
            data = "".join(curve(piece.coords, 6) for piece in parts(line) if piece.geom_type == "LineString")
            over += path(data, stroke=ink.BORDER, stroke_width=5 * self.scale, stroke_dasharray="26 12 5 12",
                         stroke_opacity=0.8)  # fmt: skip
        over += path(hard(self.field), stroke=ink.SOFT, stroke_width=4 * self.scale)
        hatch = (
            f'<pattern id="{self.id}-rear" width="26" height="26" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(45) scale({self.scale:.3f})"><rect width="26" height="26" fill="{REAR}"/>'
            f'<path d="M0 0V26" stroke="{HATCH}" stroke-width="7"/></pattern>'
        )
        return (
            f"<defs>{hatch}{group(under, id=f'{self.id}-under')}{group(over, id=f'{self.id}-over')}"
            f"{group(self._names, id=f'{self.id}-names')}</defs>"
        )

    # ------------------------------------------------------------------ one panel

    def heat(self, shares: Mapping[int, float], opacity: float = 1.0) -> str:
        """The spaces by the share of games; those held from the start are hatched as long as most hold them."""
        by_colour: dict[str, list[Geometry]] = {}
        for space, share in shares.items():
            if space in self.shapes and (colour := self._fill(space, share)):
                by_colour.setdefault(colour, []).append(self.shapes[space].buffer(0.6))
        return "".join(
            path(hard(unary_union(shapes)), colour, fill_opacity=opacity) for colour, shapes in by_colour.items()
        )

    def _fill(self, space: int, share: float) -> str | None:
        if self.rear >> space & 1 and share >= 0.5:
            return f"url(#{self.id}-rear)"
        return colour_of(share)

    def median(self, shares: Mapping[int, float], width: float) -> str:
        """The line that half of the games had reached."""
        inside = [self.shapes[space].buffer(0.6) for space, share in shares.items()
                  if share >= 0.5 and space in self.shapes]  # fmt: skip
        edge = unary_union(inside).boundary.intersection(self.field.buffer(-3)) if inside else LineString()
        data = "".join(curve(piece.coords, 1) for piece in lines_of(edge))
        return path(data, stroke=MEDIAN, stroke_width=width, stroke_linejoin="round", stroke_linecap="round")

    def history(self, day: int, width: float) -> str:
        """Where the front ran in 1944: black dashes on a light band, however dark the ground."""
        nearby = (self.field.convex_hull if self._roads else self.field).buffer(2)
        data = ""
        for front in fronts(day):
            course = LineString([self._locate(lat, lon) for lat, lon in front.course])
            data += "".join(curve(piece.coords, 2) for piece in lines_of(course.intersection(nearby)))
        dash = f"{width * 2.6:.0f} {width * 1.5:.0f}"
        under = path(data, stroke=PAPER, stroke_width=width * 2.1, stroke_opacity=0.9, stroke_linejoin="round")
        return under + path(data, stroke=LINE, stroke_width=width, stroke_dasharray=dash, stroke_linejoin="round")

    def panel(self, sample: Sample, place: int, day: int | None, name: str) -> Figure:
        shares = sample.front_shares(place)
        use = '<use href="#{}"/>'.format
        body = use(f"{self.id}-under") + self.heat(shares) + use(f"{self.id}-over")
        body += self.median(shares, 11 * self.scale)
        if day is not None:
            body += self.history(day, 13 * self.scale)
        body += use(f"{self.id}-names")
        words = (
            f"{sample.title}, {sample.turn_names[place]}: the {sample.attacker} front in {len(sample.rows)} games"
        )
        if day is not None:
            words += f", beside the historical line of {day} December"
        return Figure(name, words, body, self.width, self.height, origin=self.origin, kind="map")

    def full(self, sample: Sample, place: int, day: int | None) -> str:
        """The same on the map as it is played on, with all its detail: an SVG file of its own."""
        whole = draw_map if "hexes" in self._data else draw_graph_map
        drawing = whole(self._data, geography())
        shares = sample.front_shares(place)
        new = {space: share for space, share in shares.items() if not self.rear >> space & 1}
        overlay = self.heat(new, 0.6) + self.median(shares, 7)
        if day is not None:
            overlay += self.history(day, 8)
        return drawing.replace('<g id="names">', f'<g id="front">{overlay}</g><g id="names">', 1)

    def png(self, drawing: str, width: int) -> bytes:
        return to_png(drawing, width)


def lines_of(geometry: Any) -> list[Geometry]:
    """The lines of whatever an intersection gave."""
    if geometry.geom_type == "MultiLineString":
        geometry = linemerge(geometry)
    return [
        piece for piece in parts(geometry) if piece.geom_type in ("LineString", "LinearRing") and piece.length > 2
    ]

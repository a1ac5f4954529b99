"""A whole map sheet: the layers of a hex map, bottom up, as one SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from shapely.geometry import box

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.atlas import Atlas
from bulge.geo.drawing.board import EDGE, RADIUS, Board, Vertex
from bulge.geo.drawing.counters import Counter, draw_counters
from bulge.geo.drawing.frontiers import Frontiers
from bulge.geo.drawing.furniture import Caption, Cartouche, Display, flow
from bulge.geo.drawing.legend import entries
from bulge.geo.drawing.names import Names
from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.rivers import Rivers
from bulge.geo.drawing.roads import Roads
from bulge.geo.drawing.svg import Geometry, Point, group, hard, num, path, polyline, rect, words
from bulge.geo.drawing.terrain import Ground, ground_of_hexes
from bulge.geo.drawing.towns import Towns, find_hamlets, find_towns, homes
from bulge.geo.drawing.typeface import style_sheet, text_width
from bulge.geo.geography import Geography

SUBTITLE = "The Ardennes, December 1944"
NORMAL_WIDTH = 2900.0  # on wider sheets the cartouche grows with the sheet, to be read from as far away


def draw_map(map_data: Mapping[str, Any], geography: Geography, *, hexes: bool = True,
             facts: Sequence[str] | None = None, units: Sequence[Counter] | None = None,
             embed_fonts: bool = True) -> str:  # fmt: skip
    """A hex map as SVG text.

    `hexes` shows the grid and its numbers, `facts` rings hexes, `units` lays counters on them.  A page that has
    the fonts already can do without the embedded ones.
    """
    return Sheet(map_data, geography).draw(
        hexes=hexes, facts=facts or (), units=units or (), embed_fonts=embed_fonts
    )


def draw_board(map_data: Mapping[str, Any], geography: Geography) -> dict[str, Any]:
    """What a client needs to lay things on the drawing: its size, hex centres and corners, and roads as drawn."""
    return Sheet(map_data, geography).board_data()


@dataclass(frozen=True)
class Panel:
    """A piece of furniture and where it goes, at its own scale."""

    body: str
    place: Point
    scale: float

    def draw(self) -> str:
        move = f"translate({num(self.place[0])} {num(self.place[1])})"
        return group(self.body, transform=move + (f" scale({self.scale:.3g})" if self.scale != 1 else ""))


class Sheet:
    def __init__(self, map_data: Mapping[str, Any], geography: Geography) -> None:
        self.data = map_data
        self.board = board = Board(map_data)
        self.atlas = atlas = Atlas(geography, board.ground_point if board.projection else None)
        self.rivers = Rivers(board, atlas)
        sites = find_towns(board, atlas)
        goals = {
            name: atlas.spots[edge["leads_to"]].point
            for name, edge in map_data.get("edges", {}).items()
            if edge.get("leads_to") in atlas.spots
        }
        self.roads = Roads(board, self.rivers, homes(sites), goals)
        self.towns = Towns(sites, find_hamlets(board, atlas), self.roads.net)
        self.frontiers = Frontiers(board, atlas, self.rivers)
        self.neat: Geometry = box(EDGE, EDGE, board.width - EDGE, board.height - EDGE)
        rim = box(0, 0, board.width, board.height).difference(self.neat.buffer(-6))
        boxes = [box(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in board.boxes.values()]
        self.names = Names(
            board, atlas, self.rivers, self.roads, self.towns, self.frontiers, keep_out=[rim, *boxes]
        )

    @cached_property
    def ground(self) -> Ground:
        """Made when it is drawn: names and what a client needs of the board do without."""
        return ground_of_hexes(self.board)

    @cached_property
    def _scale(self) -> float:
        return min(1.7, max(1.0, self.board.width / NORMAL_WIDTH))

    def _furniture(self) -> tuple[list[Panel], float]:
        """The panels round the map, and the height of the sheet with them."""
        caption = self._caption()
        legend = entries(self.board, self.rivers, self.roads, self.towns, self.frontiers)
        height = self.board.height
        panels = []
        corner = self._empty_corner()
        fitting = Cartouche(caption, legend, corner[2] / self._scale) if corner else None
        squeeze = min(1.0, corner[3] / fitting.height / self._scale) if corner and fitting else 0.0
        if corner and fitting and squeeze > 0.85:
            panels.append(Panel(fitting.draw(), (corner[0], corner[1]), squeeze * self._scale))
        else:
            strip = Cartouche(caption, legend, (self.board.width - 2 * EDGE - 16) / self._scale)
            panels.append(Panel(strip.draw(), (EDGE + 8, height - EDGE + 22), self._scale))
            height += strip.height * self._scale + 22
        if turns := self.data.get("turns"):
            width = (self.board.width - 2 * EDGE) / self._scale
            track, tall = flow([Display(turns, width)], width)
            panels.append(Panel(track, (EDGE, height - EDGE + 22), self._scale))
            height += tall * self._scale + 22
        return panels, height

    def _caption(self) -> Caption:
        title, projection = str(self.data.get("title", "")), self.board.projection
        if projection is None:  # an invented country: no scale, no north, no sources
            return Caption(title, str(self.data.get("subtitle", "")), None)
        return Caption(title, str(self.data.get("subtitle", SUBTITLE)), projection.km_per_hex / HEX)

    def _empty_corner(self) -> tuple[float, float, float, float] | None:
        """The south-west corner of the sheet, if the map is stepped there: x, y, width, height."""
        board = self.board
        foot = max(y for _, y in board.centres.values())
        left = min(x for x, y in board.centres.values() if y > foot - 0.6 * HEX) - board.half_width
        above = [y for x, y in board.centres.values() if x < left - 20]
        if left - EDGE < 700 or not above:
            return None
        top = max(above) + board.half_height
        return EDGE + 40, top + 70, left - EDGE - 136, board.height - EDGE - top - 110

    def draw(self, *, hexes: bool, facts: Sequence[str], units: Sequence[Counter], embed_fonts: bool) -> str:
        panels, height = self._furniture()
        layers = {
            "ground": self.ground.draw(self.neat, self.names.is_clear()),
            "grid": self._grid() if hexes else "",
            "water": self.rivers.draw(self.neat),
            "fade": self._fade(),
            "lines": self.frontiers.draw(self.neat),
            "traffic": self._traffic(),
            "numbers": self.names.draw_numbers() if hexes else "",
            "names": "".join(self.names.lettering.out),
            "boxes": self._boxes(),
            "facts": self._facts(facts),
            "units": draw_counters(units, self.board.centres),
            "frame": self._frame(),
            "cartouche": "".join(panel.draw() for panel in panels),
        }
        body = "\n".join(group(drawing, id=name) for name, drawing in layers.items())
        title = str(self.data.get("title", "Map"))
        wide, high = num(self.board.width), num(height)
        size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
        style = style_sheet(embed=embed_fonts, counters=bool(units))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>'
            f"<title>{escape(title)}</title><style>{style}</style>"
            f'<rect width="100%" height="100%" fill="{ink.PAGE}"/>\n{body}</svg>\n'
        )

    def _grid(self) -> str:
        """Every hexside once."""
        sides: dict[tuple[Vertex, ...], tuple[Point, Point]] = {}
        for centre in self.board.centres.values():
            corners = self.board.corners(centre)
            for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
                sides.setdefault(tuple(sorted((self.board.vertex(a), self.board.vertex(b)))), (a, b))
        data = "".join(polyline(sides[key]) for key in sorted(sides))
        return path(data, stroke=ink.GRID, stroke_width=0.9, stroke_opacity=0.5, stroke_linecap="round")

    def _fade(self) -> str:
        """Beyond the hexes the country fades into paper; then the edge of play."""
        sheet, field = self.neat.buffer(-1), self.board.field
        rings = ((0, 0.5), (12, 0.36), (24, 0.4), (36, 0.45), (48, 0.5), (60, 0.6), (72, 1))
        haze = "".join(
            path(
                hard(sheet.difference(field.buffer(reach))),
                ink.PAGE,
                fill_opacity=opacity,
                fill_rule="evenodd",
            )
            for reach, opacity in rings
        )
        return haze + path(hard(field, 0.6), stroke=ink.GRID, stroke_width=1.6, stroke_opacity=0.8)

    def _boxes(self) -> str:
        """The boxes beside the map, each with its name along the top."""
        out = ""
        for name, (x, y, width, height) in self.board.boxes.items():
            left, top = x - width / 2, y - height / 2
            size = min(20.0, 20.0 * (width - 12) / text_width(name, 20, "sans"))
            out += rect(left, top, width, height, ink.PAGE, stroke=ink.INK, stroke_width=1.6, rx=6)
            out += words(x, top + size + 4, name, size, text_anchor="middle", fill=ink.INK)
        return out

    def _traffic(self) -> str:
        return (
            self.towns.draw_sprawl()
            + self.roads.draw()
            + self.roads.draw_crossings()
            + self.roads.draw_exits()
            + self.towns.draw()
        )

    def _facts(self, facts: Sequence[str]) -> str:
        rings = "".join(
            polyline(self.board.corners(self.board.centres[name], 0.9), close=True) for name in sorted(set(facts))
        )
        return path(rings, stroke=ink.FACT, stroke_width=2.6, stroke_dasharray="9 4", stroke_linejoin="round")

    def _frame(self) -> str:
        return "".join(
            path(hard(self.neat.buffer(gap, join_style="mitre")), stroke=ink.INK, stroke_width=width)
            for gap, width in ((0, 2), (6, 0.7))
        )

    def board_data(self) -> dict[str, Any]:
        _, height = self._furniture()
        centres = {name: [round(x, 1), round(y, 1)] for name, (x, y) in self.board.centres.items()}
        roads = {
            key: [round(value) for point in line.coords for value in point]
            for key, line in sorted(self.roads.curves.items())
        }
        boxes = {name: [round(number, 1) for number in box] for name, box in self.board.boxes.items()}
        return {
            "width": round(self.board.width, 1),
            "height": round(height, 1),
            "hex": HEX,
            "radius": round(RADIUS, 3),
            "pointed": self.board.by_rows,
            "hexes": centres,
            "boxes": boxes,
            "roads": roads,
        }

"""Which names stand on the map, in what order they choose their spots, and what they may not cover."""

import math

import numpy as np
import shapely
from shapely.geometry import Point as ShapelyPoint

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.atlas import Atlas, Region
from bulge.geo.drawing.board import EDGE, Board
from bulge.geo.drawing.crowding import CELL, ClearGround, Crowding
from bulge.geo.drawing.frontiers import Frontiers
from bulge.geo.drawing.lettering import Lettering, Style
from bulge.geo.drawing.palette import HEX
from bulge.geo.drawing.rivers import NAVIGABLE, Rivers
from bulge.geo.drawing.roads import Roads
from bulge.geo.drawing.svg import Geometry, Point, group, words
from bulge.geo.drawing.towns import Towns

NUMBER_BOX = (13.0, 5.0)  # half width and half height of a hex number
RIM = math.ceil(EDGE / CELL) + 5  # cells between the edge of the page and the neat line, and some to spare
HEXES_A_REGION = 36  # so many hexes for every landscape that is named: more names would only be clutter


class Names:
    def __init__(self, board: Board, atlas: Atlas, rivers: Rivers, roads: Roads, towns: Towns,
                 frontiers: Frontiers, keep_out: list[Geometry]) -> None:  # fmt: skip
        self.board, self.atlas, self.rivers = board, atlas, rivers
        self.roads, self.towns, self.frontiers = roads, towns, frontiers
        longest = max(len(name) for name in board.hexes)
        self.number_box = (NUMBER_BOX[0] * longest / 4, NUMBER_BOX[1])
        self.busy = self._busy_ground()
        self.numbers = {name: self._seat(name, self.busy) for name in board.hexes}
        self.lettering = Lettering(self._costs(), self._off_map(), keep_out)
        self._letter()
        for label in self.lettering.labels:
            self.busy.add_area(label.area.buffer(2))
        self.numbers = {name: self._seat(name, self.busy) for name in board.hexes}

    def _busy_ground(self) -> Crowding:
        """Where something is drawn that neither trees nor numbers should touch."""
        busy = Crowding(self.board.width, self.board.height)
        for kind, line in self.roads.lines.items():
            busy.add_line(line, 4.5 if kind == "primary" else 3.5)
        for reach in self.rivers.reaches:
            busy.add_line(reach.course, reach.widths[1] / 2 + 2)
        for line in self.frontiers.walls:
            busy.add_line(line, 6)
        busy.add_area(self.towns.built_up.buffer(3))
        rows, columns = busy.cost.shape
        for rim in (np.s_[:RIM], np.s_[rows - RIM :], np.s_[:, :RIM], np.s_[:, columns - RIM :]):
            busy.cost[rim] = 1
        for hamlet in self.towns.hamlets:
            busy.add_area(ShapelyPoint(hamlet.point).buffer(4.5))
        return busy

    def _costs(self) -> Crowding:
        """What a name pays for each unit of area it covers."""
        costs = Crowding(self.board.width, self.board.height)
        half_width, half_height = self.number_box
        for x, y in self.numbers.values():
            costs.add_box(x - half_width, y - half_height, x + half_width, y + half_height, 2.2)
        for border in self.frontiers.borders:
            costs.add_line(border.line, 4, 2.5)
        for line in self.frontiers.fronts:
            costs.add_line(line, 4, 3)
        for kind, cost in (("track", 2.5), ("secondary", 3.5), ("primary", 6)):
            costs.add_line(self.roads.lines[kind], 3, cost)
        for reach in self.rivers.reaches:
            costs.add_line(reach.course, reach.widths[1] / 2, 5)
        for line in self.frontiers.walls:
            costs.add_line(line, 7, 5)
        for _, side in self.board.sides_with("bridge"):
            costs.add_area(ShapelyPoint(side.middle).buffer(9), 6)
        costs.add_area(self.towns.built_up, 20)
        for hamlet in self.towns.hamlets:
            costs.add_area(ShapelyPoint(hamlet.point).buffer(4), 12)
        for point, bearing in self.roads.tips.values():
            tip = ShapelyPoint(point[0] + 6 * math.cos(bearing), point[1] + 6 * math.sin(bearing))
            costs.add_area(tip.buffer(11), 12)
        return costs

    def _off_map(self) -> Crowding:
        """One outside the hexes."""
        off = Crowding(self.board.width, self.board.height)
        off.cost[:] = 1
        rows, columns = off.cost.shape
        x, y = np.meshgrid((np.arange(columns) + 0.5) * CELL, (np.arange(rows) + 0.5) * CELL)
        field = self.board.field
        shapely.prepare(field)
        off.cost[shapely.contains_xy(field, x, y)] = 0
        return off

    def _seat(self, name: str, busy: Crowding) -> Point:
        """A hex number sits under the top of its hex; lower or aside where something is in the way."""
        x, y = self.board.centres[name]
        top = self.board.half_height
        seats = [(0.0, -0.66), (0.0, -0.52), (-17.0, -0.5), (17.0, -0.5)]
        if not self.board.by_rows:
            seats = [(0.0, -0.8), (-15.0, -0.8), (15.0, -0.8), (0.0, -0.62), (-20.0, -0.58), (20.0, -0.58)]
        points = [(x + dx, y + share * top) for dx, share in seats]
        width, height = self.number_box
        boxes = np.array([(px - width, py - height, px + width, py + height) for px, py in points])
        return points[int(np.argmin(np.round(busy.in_boxes(boxes) / 30)))]

    def _letter(self) -> None:
        self._name_towns()
        self._name_exits()
        self._name_rivers()
        self._name_lines()
        self._name_hamlets()
        named = 0
        for region in sorted(self.atlas.regions, key=lambda r: (-round(r.outline.area), r.name)):
            if named < len(self.board.hexes) / HEXES_A_REGION:
                named += self._name_region(region)

    def _name_towns(self) -> None:
        rank = {"city": 0, "town": 1, "village": 2}
        for town in sorted(self.towns.towns, key=lambda t: (rank[t.kind], t.name)):
            size, weight = ink.TOWN_TYPE[town.kind]
            text = town.name.upper() if town.kind == "city" else town.name
            gap = ink.TOWN_RADIUS[town.kind] * 0.86
            self.lettering.point(
                "town", text, town.point, gap, Style(size, weight=weight), home=self.board.shapes[town.hex]
            )

    def _name_exits(self) -> None:
        edges = self.board.data.get("edges", {})
        for key, (point, bearing) in sorted(self.roads.tips.items()):
            goal = edges[self.roads.exits[key]].get("leads_to")
            if goal:
                tip = (point[0] + 6 * math.cos(bearing), point[1] + 6 * math.sin(bearing))
                self.lettering.point("exit", goal, tip, 13, Style(13.5, colour=ink.SOFT), outdoors=True)

    def _name_rivers(self) -> None:
        for reach in sorted(self.rivers.reaches, key=lambda r: (-round(r.course.length), r.name)):
            width, length = reach.widths[1], reach.course.length
            great = width > NAVIGABLE
            size = 26 if great else 19 if width > 6 else 16.5
            style = Style(size, "serif-italic", colour=ink.WATER_TYPE, track=0.08 if great else 0.04, halo=0.2)
            times = 1 + int(length / 1300)
            self.lettering.along("river", reach.name, reach.course, width / 2 + 2.5, style, times=times)

    def _name_lines(self) -> None:
        for line in self.frontiers.fronts[:1]:
            style = Style(16, "serif-italic", colour=ink.FRONT, track=0.03, halo=0.2)
            self.lettering.along("front", "Front line, 16 December 1944", line, 5, style)
        for line in self.frontiers.walls[:1]:
            style = Style(15.5, "serif-italic", colour=ink.WALL, track=0.12, halo=0.2)
            self.lettering.along("wall", "West Wall", line, 8, style, times=2)
        style = Style(15, "serif", colour=ink.BORDER, track=0.3, halo=0.2)
        for line, left, right in self.frontiers.borders:
            if line.length < 420 or left == right:
                continue
            wet = line.intersection(self.rivers.water.buffer(4)).length > line.length * 0.5
            eastward = line.coords[-1][0] > line.coords[0][0]
            for country, side in ((left, -1), (right, 1)):
                text, offset = country.upper(), 20 if wet else 7
                self.lettering.along("country", text, line, offset, style, sides=(side if eastward else -side,))

    def _name_hamlets(self) -> None:
        for hamlet in sorted(self.towns.hamlets, key=lambda h: (h.kind == "height", h.name)):
            height = hamlet.kind == "height"
            style = Style(ink.HAMLET_TYPE, colour=ink.REGION if height else ink.SOFT)
            if self.lettering.point("hamlet", hamlet.name, hamlet.point, 5, style, dearest=900, farthest=9):
                self.towns.shown.append(hamlet)

    def _name_region(self, region: Region) -> bool:
        """A landscape's name lies along its longest reach, as large as it has room for."""
        visible = region.outline.buffer(0).intersection(self.board.field)
        if visible.is_empty or visible.area < 3 * HEX**2:
            return False
        centre = visible.representative_point()
        frame = visible.minimum_rotated_rectangle
        (ax, ay), (bx, by), (cx, cy) = list(frame.exterior.coords)[:3]
        long, short = ((bx - ax, by - ay), (cx - bx, cy - by))
        if math.hypot(*long) < math.hypot(*short):
            long = short
        angle = (math.degrees(math.atan2(long[1], long[0])) + 90) % 180 - 90
        angle = max(-65.0, min(65.0, angle))
        room = math.hypot(*long) / max(4, len(region.name))
        size = min(36.0, max(19.0, room * 0.7))
        style = Style(size, "serif-italic", colour=ink.REGION, track=0.22 if size < 26 else 0.5, halo=0.16)
        return self.lettering.area(region.name, (centre.x, centre.y), round(angle), style)

    def draw_numbers(self) -> str:
        body = "".join(words(x, y + 3.6, name, ink.NUMBER_TYPE) for name, (x, y) in self.numbers.items())
        return group(body, text_anchor="middle", fill=ink.SOFT)

    def is_clear(self) -> ClearGround:
        """Where trees may stand: clear of everything drawn, the numbers included."""
        ground = self.busy.copy()
        dx, dy = self.number_box[0] + 1, self.number_box[1] + 1.5
        for x, y in self.numbers.values():
            ground.add_box(x - dx, y - dy, x + dx, y + dy)
        return ClearGround(ground)

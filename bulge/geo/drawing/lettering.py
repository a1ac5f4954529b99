"""Placing type: every name is written where it covers least, and never over another name."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
import shapely
from shapely.geometry import LineString, box

from bulge.geo.drawing.crowding import CELL, Crowding
from bulge.geo.drawing.curves import Array, lengths_along, moving_average, rectangle, resample
from bulge.geo.drawing.svg import Geometry, Point, attributes, curve, element, num
from bulge.geo.drawing.typeface import text_width

CLASSES = {"sans": "halo", "serif": "halo s", "serif-italic": "halo s i"}
BEARINGS = (90, -90, 0, 180, 45, 135, -45, -135, 20, 160, -20, -160, 70, 110, -70, -110)
OFF_MAP = 4.0


@dataclass(frozen=True)
class Style:
    """How a name is set."""

    size: float
    face: str = "sans"
    weight: int = 500
    colour: str | None = None
    track: float = 0.0
    halo: float = 0.22

    def width(self, text: str) -> float:
        return text_width(text, self.size, self.face, self.weight, self.track)

    def smaller(self, scale: float) -> "Style":
        return Style(self.size * scale, self.face, self.weight, self.colour, self.track, self.halo)


@dataclass(frozen=True)
class Label:
    """A name on the sheet: what it says, what it is the name of, and the area it takes up."""

    text: str
    kind: str
    area: Geometry


class Stretch(NamedTuple):
    """Where a name may follow a course: its cost, how far along, the line through its letters, their base line."""

    cost: float
    middle: float
    spine: Array
    base: Array


@dataclass
class Lettering:
    """The names placed so far, and what the next one pays for covering."""

    features: Crowding
    off_map: Crowding
    keep_out: list[Geometry] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    out: list[str] = field(default_factory=list)

    def is_free(self, area: Geometry) -> bool:
        taken = (label.area for label in self.labels)
        return not any(area.intersects(other) for other in (*taken, *self.keep_out))

    def _write(self, label: Label, style: Style, body: str | None = None, **place: str) -> None:
        self.labels.append(label)
        look = attributes({"class": f"{CLASSES[style.face]} {label.kind}", "font_size": num(style.size),
                           "font_weight": style.weight, **place,
                           "letter_spacing": f"{style.track:g}em" if style.track else None,
                           "stroke_width": num(style.size * style.halo), "fill": style.colour})  # fmt: skip
        self.out.append(f"<text{look}>{body or escape(label.text)}</text>")

    def point(self, kind: str, text: str, place: Point, gap: float, style: Style, *, home: Geometry | None = None,
              outdoors: bool = False, dearest: float = math.inf, farthest: float = 36) -> bool:  # fmt: skip
        """A name beside a place; smaller if need be, left out if even the best spot is dearer than allowed."""
        for scale in (1.0, 0.9, 0.8):
            set_in = style.smaller(scale)
            boxes, anchors, detours = _around(text, place, gap, set_in, farthest)
            off_map = self.off_map.in_boxes(boxes)
            areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
            cost = self.features.in_boxes(boxes) + detours + OFF_MAP * (areas - off_map if outdoors else off_map)
            if home is not None:
                cost += 0.28 * (areas - _shared(boxes, home))
            for i in np.argsort(cost, kind="stable"):
                if cost[i] > dearest:
                    break
                area = box(*boxes[i])
                if self.is_free(area):
                    x, y = anchors[i]
                    self._write(Label(text, kind, area), set_in, x=num(x), y=num(y), text_anchor="middle")
                    return True
        return False

    def area(self, text: str, centre: Point, angle: float, style: Style, roam: int = 110) -> bool:
        """A region's name, turned to the grain of the land, moved and turned a little to find open ground."""
        width = style.width(text)
        along = np.linspace(-width / 2, width / 2, max(8, int(width / 5)))
        across = np.linspace(-0.4, 0.4, 6) * style.size
        spread = np.stack(np.meshgrid(along, across), -1).reshape(-1, 2)
        steps = np.arange(-roam, roam + 1, 11)
        moves = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
        patch = width * style.size * 0.8 / len(spread)
        found = []
        for turn in (0, -12, 12, -24, 24):
            a = math.radians(angle + turn)
            turned = spread @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
            x = centre[0] + moves[:, :1] + turned[None, :, 0]
            y = centre[1] + moves[:, 1:] + turned[None, :, 1]
            covered = (self.features.at(x, y) + OFF_MAP * self.off_map.at(x, y)).sum(1) * patch
            cost = covered + np.hypot(*moves.T) * 2 + abs(turn) * 4
            found += [(round(float(c), 3), turn, int(i)) for i, c in enumerate(cost)]
        for cost, turn, i in sorted(found):
            if cost > width * style.size * 0.45:
                return False  # no open ground: better no name than a muddle
            x, y = centre[0] + moves[i, 0], centre[1] + moves[i, 1]
            area = rectangle((0, 0), width / 2, style.size * 0.4, math.radians(angle + turn), (x, y))
            if self.is_free(area):
                move = f"translate({num(x)} {num(y)}) rotate({angle + turn:.0f})"
                self._write(
                    Label(text, "region", area),
                    style,
                    transform=move,
                    y=num(style.size * 0.3),
                    text_anchor="middle",
                )
                return True
        return False

    def along(self, kind: str, text: str, line: Geometry, offset: float, style: Style, *, times: int = 1,
              sides: Sequence[int] = (1, -1), dearest: float = 2600) -> int:  # fmt: skip
        """Letters that follow a course: the straightest, emptiest stretches win, above the line or below it."""
        width = style.width(text) + style.size * 0.3
        if line.length < width * 1.2:
            return 0
        placed: list[float] = []
        stretches = self._stretches(line, width, offset, style, sides)
        for stretch in sorted(stretches, key=lambda s: (s.cost, s.middle)):
            if len(placed) >= times or stretch.cost > (900 if placed else dearest):
                break
            if any(abs(stretch.middle - other) < line.length / (times + 0.4) for other in placed):
                continue
            area = LineString(stretch.spine).buffer(style.size * 0.42, cap_style="flat")
            if not self.is_free(area):
                continue
            placed.append(stretch.middle)
            ident = f"course{len(self.out)}"
            body = f'<textPath href="#{ident}" startOffset="50%" text-anchor="middle">{escape(text)}</textPath>'
            self.out.append(
                element("path", id=ident, fill="none", d=curve(_longer(stretch.base, style.size), 0.3))
            )
            self._write(Label(text, kind, area), style, body)
        return len(placed)

    def _stretches(self, line: Geometry, width: float, offset: float, style: Style,
                   sides: Sequence[int]) -> Iterable[Stretch]:  # fmt: skip
        """Every stretch of a course that a name could follow, above it or below it."""
        points = moving_average(resample(line), 21)
        run = lengths_along(points)
        size = style.size
        for i in range(2, len(points) - 5, 3):
            j = int(np.searchsorted(run, run[i] + width))
            if j > len(points) - 3:
                break
            stretch = points[i : j + 1]
            if stretch[-1][0] < stretch[0][0]:
                stretch = stretch[::-1]
            steps = np.diff(stretch, axis=0)
            angles = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
            bend = np.abs(np.diff(angles)).sum() * 150 + max(0.0, abs(angles.mean()) - 0.9) * 160
            angles = np.r_[angles, angles[-1]]
            normal = np.stack([-np.sin(angles), np.cos(angles)], 1)
            for side in sides:  # -1 above the line, +1 below it
                for more in (0, 5):
                    middle = stretch + normal * (offset + more + size * 0.34) * side
                    cost = bend + more * 12 + (25 if side > 0 else 0) + self._band_cost(middle, normal, size)
                    base = middle + normal * size * 0.3
                    yield Stretch(round(float(cost), 3), float(run[i] + run[j]) / 2, middle, base)

    def _band_cost(self, middle: Array, normal: Array, size: float) -> float:
        offsets = np.arange(-0.42 * size, 0.43 * size, CELL)
        x = middle[:, :1] + normal[:, :1] * offsets
        y = middle[:, 1:] + normal[:, 1:] * offsets
        length = np.hypot(*np.diff(middle, axis=0).T).sum()
        patch = length * size * 0.84 / x.size
        return float((self.features.at(x, y) + OFF_MAP * self.off_map.at(x, y)).sum() * patch)


def _around(text: str, place: Point, gap: float, style: Style, farthest: float) -> tuple[Array, Array, Array]:
    """Candidate boxes for a name round a point, where to write it for each, and what the detour costs."""
    width, height = style.width(text), style.size * 0.72
    below = style.size * (0.2 if any(c in "gjpqyç(),Q" for c in text) else 0.06)
    boxes, anchors, detours = [], [], []
    for extra in (e for e in (0, 4, 9, 15, 24, 36) if e <= farthest):
        for rank, degrees in enumerate(BEARINGS):
            ax, ay = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            x = place[0] + ax * (gap + extra) + (math.copysign(width / 2, ax) if abs(ax) > 0.3 else 0)
            y = place[1] + ay * (gap + extra) + (math.copysign(height / 2, ay) if abs(ay) > 0.3 else 0)
            for slide in (0.0,) if abs(ax) > 0.4 else (0.0, -0.2, 0.2, -0.38, 0.38):
                cx = x + slide * width
                boxes.append(
                    (cx - width / 2 - 2, y - height / 2 - 1.5, cx + width / 2 + 2, y + height / 2 + below)
                )
                anchors.append((cx, y + height / 2))
                detours.append(extra * 5 + rank * 1.5 + abs(slide * width) * 0.3)
    return np.array(boxes), np.array(anchors), np.array(detours)


def _shared(boxes: Array, home: Geometry, slices: int = 24) -> Array:
    """How much of each box lies in a hex, box and hex being cut into upright slices."""
    corners = shapely.get_coordinates(home)[:-1]
    corners = corners[np.argsort(corners[:, 0], kind="stable")]
    middle = corners[:, 1].mean()
    upper, lower = corners[corners[:, 1] < middle + 0.1], corners[corners[:, 1] > middle - 0.1]
    left, top, right, foot = (side[:, None] for side in boxes.T)
    x = left + (right - left) * (np.arange(slices) + 0.5) / slices
    high = np.interp(x, upper[:, 0], upper[:, 1], left=math.inf, right=math.inf)
    low = np.interp(x, lower[:, 0], lower[:, 1])
    tall = np.maximum(0, np.minimum(foot, low) - np.maximum(top, high))
    return np.asarray(tall.mean(1) * (right - left)[:, 0])


def _longer(base: Array, by: float) -> Array:
    """Lengthen a base line at both ends so that no letter falls off it."""
    first, last = base[0] - base[1], base[-1] - base[-2]
    return np.vstack([base[0] + first / np.hypot(*first) * by, base, base[-1] + last / np.hypot(*last) * by])

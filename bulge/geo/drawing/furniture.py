"""What surrounds a map: title, scale, compass, legend in a cartouche, and the turn track."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.legend import Entry, in_columns
from bulge.geo.drawing.svg import Point, circle, group, num, path, polyline, rect, words
from bulge.geo.drawing.typeface import text_width

COLUMN, ROW = 232.0, 47.0  # one legend entry
TURN_BOX, SMALL_BOX = (112.0, 86.0), (58.0, 50.0)  # a box with its gap to the right; its height
GAP, APART, HEADING = 8.0, 56.0, 28.0  # between boxes, between displays, for a display's title
CREDIT = "Place names: GeoNames, CC BY 4.0"


@dataclass(frozen=True)
class Caption:
    """The words of a cartouche."""

    title: str
    subtitle: str
    km_per_unit: float | None  # none for an invented country

    @property
    def size(self) -> float:
        return 58 if len(self.title) < 14 else 44

    @property
    def width(self) -> float:
        title = text_width(self.title.upper(), self.size, "serif", 500, 0.12)
        return max(title, text_width(self.subtitle, 24, "serif-italic"), 380)


@dataclass(frozen=True)
class Cartouche:
    """A panel of a given width; its height follows from what has to go in."""

    caption: Caption
    legend: list[Entry]
    width: float

    @property
    def _beside(self) -> bool:
        """Whether the legend stands beside the title, or below it."""
        return self.width - self._title_width >= 3 * COLUMN

    @property
    def _title_width(self) -> float:
        return self.caption.width + 210

    @property
    def _columns(self) -> list[list[Entry]]:
        room = self.width - 60 - (self._title_width if self._beside else 0)
        return in_columns(self.legend, max(1, int(room // COLUMN)))

    @property
    def height(self) -> float:
        rows = max(len(column) for column in self._columns)
        return max(212.0, rows * ROW + 56) if self._beside else 150 + rows * ROW + 88

    def draw(self) -> str:
        width, height, caption = self.width, self.height, self.caption
        out = [
            rect(0, 0, width, height, ink.PAGE, stroke=ink.SOFT),
            rect(6, 6, width - 12, height - 12, stroke=ink.SOFT, stroke_width=0.6),
            words(40, 82, caption.title.upper(), caption.size, "s", letter_spacing=".12em"),
            words(42, 116, caption.subtitle, 24, "s i", fill=ink.SOFT),
            scale_bar(caption.km_per_unit, (44, height - 56), min(460, caption.width))
            if caption.km_per_unit
            else "",
            words(width - 22, height - 17, CREDIT, 11, text_anchor="end", fill=ink.SOFT)
            if caption.km_per_unit
            else "",
        ]
        if self._beside:
            out.append(compass((caption.width + 118, 92), 44) if caption.km_per_unit else "")
            left, top, pitch = (
                self._title_width + 30,
                48.0,
                (width - self._title_width - 60) / len(self._columns),
            )
        else:
            out.append(compass((width - 78, 86), 40) if caption.km_per_unit else "")
            out.append(path(f"M40 136H{width - 40:g}", stroke=ink.SOFT, stroke_width=0.6))
            left, top, pitch = 36.0, 180.0, (width - 60) / len(self._columns)
        for i, column in enumerate(self._columns):
            for j, entry in enumerate(column):
                out.append(_entry(entry, (round(left + i * pitch), round(top + j * ROW))))
        return "".join(out)


def _entry(entry: Entry, place: Point) -> str:
    x, y = place
    lift = 7 if entry.note else 0
    out = entry.draw(place) + words(x + 80, y + 5 - lift, entry.words, 16)
    return out + (words(x + 80, y + 15, entry.note, 12.5, fill=ink.SOFT) if entry.note else "")


def compass(centre: Point, radius: float) -> str:
    """A plain eight-ray star, half of every ray inked."""
    x, y = centre
    rays = ["", ""]
    for i in range(8):
        angle = math.radians(45 * i)
        length = radius if i % 2 == 0 else radius * 0.52
        for side, fill in ((1, ink.INK), (-1, ink.PAGE)):
            turn = angle + side * math.pi / 4
            base = (x + radius * 0.15 * math.sin(turn), y - radius * 0.15 * math.cos(turn))
            tip = (x + length * math.sin(angle), y - length * math.cos(angle))
            rays[i % 2] += path(polyline((centre, base, tip), close=True), fill, stroke=ink.INK, stroke_width=0.7)
    ring = circle(x, y, radius * 0.62, stroke=ink.SOFT, stroke_width=0.8)
    return ring + rays[1] + rays[0] + words(x, y - radius - 6, "N", 18, "s", text_anchor="middle")


def scale_bar(km_per_unit: float, place: Point, width: float) -> str:
    """Kilometres above, miles below, in steps that suit the scale."""
    x, y = place
    out = ""
    for unit, per_unit, dy, text_y in (("km", km_per_unit, 0, -5), ("miles", km_per_unit / 1.609344, 9, 27)):
        step = next(s for s in (1, 2, 5, 10, 20, 50) if width / (s / per_unit) < 6.5)
        pitch = step / per_unit
        count = int(width // pitch)
        for i in range(count + 1):
            if i < count:
                fill = ink.PAGE if i % 2 else ink.INK
                out += rect(x + i * pitch, y + dy, pitch, 5, fill, stroke=ink.INK, stroke_width=0.8)
            label = f"{i * step}{' ' + unit if i == count else ''}"
            out += words(x + i * pitch, y + text_y, label, 12, text_anchor="middle")
    return out


@dataclass(frozen=True)
class Display:
    """A row of boxes, or as many rows as it takes: a turn track, a morale track, boxes for units."""

    labels: Sequence[str]
    widest: float
    title: str = ""

    @property
    def box(self) -> tuple[float, float]:
        """Counting tracks have small boxes, boxes with names large ones."""
        return SMALL_BOX if all(len(str(label)) <= 3 for label in self.labels) else TURN_BOX

    @property
    def columns(self) -> int:
        rows = math.ceil(len(self.labels) * self.box[0] / self.widest)
        return math.ceil(len(self.labels) / rows)

    @property
    def width(self) -> float:
        return self.columns * self.box[0] - GAP

    @property
    def height(self) -> float:
        rows = math.ceil(len(self.labels) / self.columns)
        return rows * (self.box[1] + GAP) - GAP + (HEADING if self.title else 0)

    def draw(self) -> str:
        out = [words(0, 18, self.title, 22, "s i", fill=ink.SOFT)] if self.title else []
        top = HEADING if self.title else 0
        width, height = self.box
        for i, label in enumerate(map(str, self.labels)):
            x, y = i % self.columns * width, top + i // self.columns * (height + GAP)
            out.append(rect(x, y, width - GAP, height, ink.CLEAR, stroke=ink.SOFT, stroke_width=1.2, rx=4))
            if self.box == SMALL_BOX:
                out.append(words(x + (width - GAP) / 2, y + height / 2 + 7, label, 20, "s", text_anchor="middle"))
                continue
            if not self.title:
                out.append(words(x + 8, y + 17, str(i + 1), 13, fill=ink.SOFT))
            for j, line in enumerate(_two_lines(label, width - 20)):
                normal = 22 if j == 0 else 16
                size = min(normal, normal * (width - 20) / text_width(line, normal, "serif"))
                out.append(words(x + (width - GAP) / 2, y + 47 + j * 23, line, size, "s", text_anchor="middle"))
        return "".join(out)


def flow(displays: Sequence[Display], width: float) -> tuple[str, float]:
    """Displays side by side, row by row, each row in the middle; the drawing and its height."""
    rows: list[list[Display]] = []
    for display in displays:
        used = sum(d.width + APART for d in rows[-1]) if rows else math.inf
        if used + display.width > width:
            rows.append([])
        rows[-1].append(display)
    out, y = "", 0.0
    for row in rows:
        x = (width - sum(d.width for d in row) - APART * (len(row) - 1)) / 2
        for display in row:
            out += group(display.draw(), transform=f"translate({num(x)} {num(y)})")
            x += display.width + APART
        y += max(d.height for d in row) + 24
    return out, y - 24 if rows else 0.0


def _two_lines(label: str, room: float) -> list[str]:
    if text_width(label, 22, "serif") <= room or " " not in label:
        return [label]
    words_of = label.split()
    cut = min(range(1, len(words_of)), key=lambda i: abs(len(" ".join(words_of[:i])) - len(label) / 2))
    return [" ".join(words_of[:cut]), " ".join(words_of[cut:])]

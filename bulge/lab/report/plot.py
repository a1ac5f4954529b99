"""Drawing charts: axes, curves with bands, shares with intervals, as SVG in the report's style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from bulge.geo.drawing.svg import at, attributes, num

WIDTH = 470.0
NAME_WIDTH = 44.0
"""What the name of a place along the bottom takes up."""


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start", **values: Any) -> str:
    place = attributes({"class": class_ or None, "x": num(x), "y": num(y), "text_anchor": anchor, **values})
    return f"<text{place}>{escape(words)}</text>"


def line(points: Sequence[tuple[float, float]], class_: str) -> str:
    return f'<path class="{class_}" d="M{"L".join(map(at, points))}"/>'


def disc(x: float, y: float, class_: str, radius: float = 4.2) -> str:
    return f'<circle class="{class_}" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'


def box(x: float, y: float, width: float, height: float, class_: str, **values: Any) -> str:
    size = attributes({"class": class_, "x": num(x), "y": num(y), "width": num(width), "height": num(height)})
    return f"<rect{size}{attributes(values)}/>"


def nice_step(top: float, most: int = 6) -> float:
    """A round distance between grid lines."""
    size = 0.01
    while True:
        for factor in (1, 2, 5):
            if top / (size * factor) <= most:
                return size * factor
        size *= 10


class Axes:
    """A frame with places along the bottom and a scale up the side."""

    def __init__(self, names: Sequence[str], top: float, *, height: float = 250.0, left: float = 46.0,
                 right: float = 70.0, width: float = WIDTH) -> None:  # fmt: skip
        self.names, self.width, self.height = names, width, height
        self._left, self._right, self._floor, self._ceiling = left, width - right, height - 30.0, 26.0
        self.top = top or 1.0

    def x(self, place: float) -> float:
        steps = max(1, len(self.names) - 1)
        inset = 12.0 if len(self.names) > 1 else (self._right - self._left) / 2
        return self._left + inset + (self._right - self._left - 2 * inset) * place / steps

    def y(self, value: float) -> float:
        return self._floor - (self._floor - self._ceiling) * value / self.top

    def frame(self, unit: str, percent: bool = False) -> str:
        """Grid lines with their numbers, and the places' names as far as they fit."""
        step = nice_step(self.top, 5)
        out = [text(2, 14, unit, "soft")]
        value = 0.0
        while value <= self.top + 1e-9:
            y = self.y(value)
            out.append(line([(self._left, y), (self._right, y)], "grid" if value else "axis"))
            label = f"{value * 100:.0f} %" if percent else f"{value:g}"
            out.append(text(self._left - 6, y + 4, label, "soft", "end"))
            value += step
        free = 0.0
        for place, name in enumerate(self.names):
            if name and self.x(place) >= free:
                out.append(text(self.x(place), self._floor + 19, name, "soft", "middle"))
                free = self.x(place) + NAME_WIDTH
        return "".join(out)

    def curve(self, values: Sequence[float], class_: str) -> str:
        return line([(self.x(place), self.y(value)) for place, value in enumerate(values)], class_)

    def band(self, low: Sequence[float], high: Sequence[float], class_: str, opacity: float) -> str:
        points = [(self.x(place), self.y(value)) for place, value in enumerate(high)]
        points += [(self.x(place), self.y(value)) for place, value in reversed(list(enumerate(low)))]
        return f'<path class="{class_}" fill-opacity="{opacity:g}" d="M{"L".join(map(at, points))}Z"/>'

    def end_label(self, place: float, value: float, words: str, class_: str, shift: float = 0.0) -> str:
        return text(self.x(place) + 8, self.y(value) + 4 + shift, words, class_)


class Rows:
    """Shares from 0 to 100 %, one below the other, each with its interval and its name above it."""

    def __init__(self, labels: Sequence[tuple[str, str]], *, width: float = WIDTH) -> None:
        self._labels, self.width, self._left, self._right = labels, width, 14.0, width - 118.0
        self.height = 30.0 + 62.0 * len(labels)

    def x(self, share: float) -> float:
        return self._left + (self._right - self._left) * share

    def y(self, row: int) -> float:
        return 72.0 + 62.0 * row

    def frame(self) -> str:
        out = []
        for fifth in range(6):
            x = self.x(fifth / 5)
            out.append(text(x, 13, f"{fifth * 20} %", "soft", "middle"))
            ticks = (self.y(row) for row in range(len(self._labels)))
            out += [line([(x, y - 9), (x, y + 9)], "grid") for y in ticks]
        for row, (name, under) in enumerate(self._labels):
            y = self.y(row)
            out.append(line([(self.x(0), y), (self.x(1), y)], "grid"))
            out.append(text(0, y - 30, name, "strong") + text(0, y - 15, under, "soft"))
        return "".join(out)

    def share(self, row: int, share: float, interval: tuple[float, float], words: str, class_: str) -> str:
        low, high = interval
        y = self.y(row)
        whisker = line([(self.x(low), y), (self.x(high), y)], f"{class_}-line")
        return whisker + disc(self.x(share), y, class_, 5.5) + text(self._right + 18, y + 4, words, "strong")

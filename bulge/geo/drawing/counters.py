"""Counters: 68 units square, light type on dark for the Germans, dark on light for the Allies.

Polarity carries the side, so a map with counters still reads in grey and to the colour-blind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bulge.geo.drawing.svg import Point, circle, group, path, rect, words
from bulge.geo.drawing.typeface import text_width


class Colours(NamedTuple):
    face: str
    ink: str
    rim: str


SIDES = {
    "german": Colours("#2C2E31", "#F2ECDF", "#15161A"),
    "german_foot": Colours("#6B7470", "#FFFFFF", "#434A47"),
    "american": Colours("#C9CD93", "#23261A", "#7B8049"),
    "british": Colours("#D8A98A", "#2E1A10", "#94684C"),
}

_CROSS = "M-17 -11L17 11M-17 11L17 -11"
_SLASH = "M-17 11L17 -11"
_TRACKS = "M-5.5 -6H5.5A6 6 0 0 1 5.5 6H-5.5A6 6 0 0 1 -5.5 -6Z"
_WINGS = "M-6 8A3 3 0 0 1 0 8A3 3 0 0 1 6 8"
SYMBOLS = {
    "infantry": _CROSS,
    "armour": _TRACKS,
    "mechanized_infantry": _CROSS + _TRACKS,
    "airborne": _CROSS + _WINGS,
    "glider": _CROSS + "M-17 0H-8M8 0H17",
    "cavalry": _SLASH,
    "armoured_cavalry": _SLASH + _TRACKS,
    "artillery": "",
    "self_propelled_artillery": _TRACKS,
    "engineer": "M-8 6V-5H8V6M0 -5V6",
    "antitank": "M-17 11L0 -9L17 11",
    "tank_destroyer": "M-17 11L0 -9L17 11" + _TRACKS,
    "antiaircraft": "M-17 11A17 15 0 0 1 17 11",
    "headquarters": "M-17 -3H17",
    "rocket": "M0 8V-7M-5 -2L0 -7L5 -2",
}
_WITH_SHELL = {"artillery", "self_propelled_artillery"}


@dataclass(frozen=True)
class Counter:
    """A unit to be drawn in a hex: `size` is its echelon mark (XX, III), `factor` the large figure."""

    hex: str
    side: str | Colours
    label: str
    symbol: str = "infantry"
    size: str = ""
    factor: str = ""
    band: str | None = None

    @property
    def colours(self) -> Colours:
        return SIDES[self.side] if isinstance(self.side, str) else self.side


def draw_counters(counters: Sequence[Counter], centres: Mapping[str, Point]) -> str:
    """All counters, those in one hex stacked up and to the right; without those that are beside the map."""
    height: dict[str, int] = {}
    out = []
    for counter in counters:
        if counter.hex not in centres:
            continue
        level = height.get(counter.hex, 0)
        height[counter.hex] = level + 1
        x, y = centres[counter.hex]
        out.append((round(y, 1), round(x, 1), level, draw_counter(counter, (x + 8 * level, y - 7 * level))))
    return "".join(drawing for *_, drawing in sorted(out, key=lambda item: item[:3]))


def draw_counter(counter: Counter, place: Point) -> str:
    face, ink, rim = counter.colours
    x, y = place
    id_size = min(17.0, 17 * 38 / max(text_width(counter.label, 17, "condensed", 600), 1))
    box = rect(-17, -11, 34, 22, ink, fill_opacity=0.1) + path(SYMBOLS[counter.symbol])
    if counter.symbol in _WITH_SHELL:
        box += circle(0, 0, 4.6 if counter.symbol == "artillery" else 2.6, ink)
    out = rect(-34, -34, 68, 68, face, rx=7, stroke=rim, stroke_width=1.6)
    if counter.band:
        out += path("M-34 -27A7 7 0 0 1 -27 -34V34A7 7 0 0 1 -34 27Z", counter.band)
    out += words(-24, -17.5, counter.label, id_size, "c", fill=ink)
    out += words(29.5, -19, counter.size, 12, "c", fill=ink, text_anchor="end") if counter.size else ""
    out += group(
        box, transform="translate(3 -1)", fill="none", stroke=ink, stroke_width=1.9, stroke_linejoin="round"
    )
    out += words(-24, 29.5, counter.factor, 25, "c", fill=ink) if counter.factor else ""
    return group(out, transform=f"translate({x:.1f} {y:.1f})", data_hex=counter.hex)

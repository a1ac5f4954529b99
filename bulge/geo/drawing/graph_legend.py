"""The legend of a track map."""

from collections.abc import Collection

import numpy as np

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.curves import Array
from bulge.geo.drawing.legend import Entry
from bulge.geo.drawing.spaces import Space, draw_space, lateral_road, track_road
from bulge.geo.drawing.svg import Point, group, rect


def graph_entries(terrains: Collection[str], links: Collection[str]) -> list[Entry]:
    """An entry for every kind of space and of way that occurs."""
    entries = [
        Entry("Center", "", lambda place: _small(place, "center"), terrain=True),
        Entry("Town space", "", lambda place: _small(place, "town"), terrain=True),
        Entry("Open space", "", lambda place: _small(place, "open"), terrain=True),
        Entry("Staging area", "", _staging),
        Entry("Track", "", lambda place: track_road(_straight(place))),
        Entry("Lateral road", "", lambda place: lateral_road(_straight(place))),
    ]
    occurs = ("center" in terrains, "town" in terrains, "open" in terrains, "staging" in terrains,
              "track" in links, "lateral" in links)  # fmt: skip
    return [entry for entry, wanted in zip(entries, occurs, strict=True) if wanted]


def _small(place: Point, terrain: str) -> str:
    scale = 0.24 if terrain == "center" else 0.34
    drawing = draw_space("", Space("", terrain, "", 0, (0.0, 0.0), (0.0, 0.0)))
    return group(drawing, transform=f"translate({place[0] + 33:.0f} {place[1]:.0f}) scale({scale})")


def _straight(place: Point) -> Array:
    x, y = place
    return np.array([(x, y), (x + 33, y), (x + 66, y)])


def _staging(place: Point) -> str:
    return rect(place[0] + 8, place[1] - 15, 50, 30, ink.PAGE, stroke=ink.WALL, stroke_width=2, rx=3)

"""The look of a map in tables: colours, terrain, line weights and type sizes.

One drawing unit is a hundredth of a hex width.  Hue never means anything alone: terrain has texture, lines
have dashes, and the tones are far enough apart to print in grey.
"""

from typing import NamedTuple

HEX = 100.0  # one hex, flat to flat

PAGE = "#F5F0E3"
HALO = "#F5EFDF"
INK = "#2E2A25"
SOFT = "#655C4B"
GRID = "#6F6650"

CLEAR = "#F2ECDA"
MOTTLE = "#EAE2CB"
ROUGH = "#E6D8B8"
HACHURE = "#957649"
LIGHT_WOODS = "#DCE0C2"
LIGHT_WOODS_EDGE = "#C4CBA5"
HEAVY_WOODS = "#AAB892"
HEAVY_WOODS_EDGE = "#8E9E78"
STEEP_WOODS = "#C6CBA0"
STEEP_WOODS_EDGE = "#A9AF7F"
STEEP_HACHURE = "#6A6234"
ROCK = "#C8BFAF"
ROCK_EDGE = "#8A7F6E"

WATER = "#8FB3C4"
BANK = "#4F7D94"
MIDSTREAM = "#B9D0DA"
WATER_TYPE = "#2C5D76"

ROAD = "#B4553E"
ROAD_CASING = "#56291E"
MINOR_ROAD = "#8B6544"
MINOR_ROAD_HALO = "#F4EDDB"
TOWN = "#453B37"
SPRAWL = "#DDCBB3"

BORDER = "#77597F"
FRONT = "#8E2F2B"
WALL = "#38373A"
REGION = "#5F4F2C"
FACT = "#1F5F7A"


class Crowns(NamedTuple):
    """Trees of one kind of wood: their sizes, how close they stand, and their three tones."""

    diameters: tuple[float, ...]
    spacing: float
    jitter: float
    shade: str
    body: str
    light: str | None


class Terrain(NamedTuple):
    """How one terrain class is drawn: how wooded it is and how broken (0 none, 1 some, 2 much)."""

    name: str
    wood: int = 0
    relief: int = 0
    barred: bool = False


GROVE = Crowns((4.4, 5.4, 3.6, 4.8), 10.5, 3.6, "#98A47C", "#BAC49A", None)
FOREST = Crowns((5.0, 6.6, 5.8, 4.4, 6.2), 7.4, 2.5, "#6C7E57", "#93A479", "#B4C09A")
STEEP_GROVE = Crowns((4.6, 5.6, 4.0), 11.0, 3.2, "#757F4F", "#A0A970", None)

TERRAIN = {
    "clear": Terrain("Clear"),
    "rough": Terrain("Rough", relief=1),
    "broken": Terrain("Broken", relief=1),
    "light_woods": Terrain("Light woods", wood=1),
    "woods": Terrain("Woods", wood=1),
    "heavy_woods": Terrain("Heavy woods", wood=2),
    "forest": Terrain("Forest", wood=2),
    "wooded_rough": Terrain("Wooded rough", wood=1, relief=1),
    "impassable": Terrain("Impassable", relief=2, barred=True),
}

TOWN_RADIUS = {"village": 11.0, "town": 19.0, "city": 31.0}
TOWN_TYPE = {"village": (14.0, 500), "town": (17.5, 600), "city": (23.0, 700)}  # size, weight
HAMLET_TYPE = 12.5
NUMBER_TYPE = 10.5


class Stroke(NamedTuple):
    """A line drawn twice: a broad casing, then the line itself."""

    colour: str
    width: float
    casing: str
    casing_width: float
    casing_opacity: float = 1
    dash: str | None = None


ROADS = {
    "primary": Stroke(ROAD, 2.9, ROAD_CASING, 5),
    "secondary": Stroke(MINOR_ROAD, 2, MINOR_ROAD_HALO, 4.6, 0.75),
    "track": Stroke(MINOR_ROAD, 1.5, MINOR_ROAD_HALO, 4, 0.7, "6 3.5"),
}
POLITICAL = {
    "border": Stroke(BORDER, 1.7, BORDER, 9, 0.13, "12 4 2 4"),
    "front": Stroke(FRONT, 2.4, FRONT, 8, 0.13, "10 6"),
}

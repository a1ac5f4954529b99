"""The legend: one sample and its words for every thing that occurs on the map, and for nothing else."""

import itertools
from collections.abc import Callable
from typing import NamedTuple

from shapely.geometry import LineString

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.board import Board
from bulge.geo.drawing.curves import Array, spline, swelling
from bulge.geo.drawing.frontiers import Frontiers, pillboxes, political, teeth
from bulge.geo.drawing.rivers import NAVIGABLE, Rivers
from bulge.geo.drawing.roads import Roads, arrow, stroke
from bulge.geo.drawing.svg import Point, circle, curve, group, hard, path, polyline, soft
from bulge.geo.drawing.terrain import swatch
from bulge.geo.drawing.towns import Towns, plan

SAMPLE_WIDTH = 66.0


class Entry(NamedTuple):
    """A legend entry: its words, and how to draw its sample with its left end at a point."""

    words: str
    note: str
    draw: Callable[[Point], str]
    terrain: bool = False


def entries(board: Board, rivers: Rivers, roads: Roads, towns: Towns, frontiers: Frontiers) -> list[Entry]:
    effects = board.data.get("effects", {})
    present = {features["terrain"] for features in board.hexes.values()}
    found = [
        Entry(terrain.name, effects.get(kind, ""), _terrain_sample(kind), terrain=True)
        for kind, terrain in ink.TERRAIN.items()
        if kind in present
    ]
    features: set[str] = set().union(*(side.keys() for side in board.sides.values()))
    kinds = set(roads.kind.values())
    town_kinds = {town.kind for town in towns.towns}
    great = any(reach.widths[1] > NAVIGABLE for reach in rivers.reaches)
    hamlets = {hamlet.kind == "height" for hamlet in towns.shown}
    found += [
        Entry(name, "", sample)
        for name, sample, occurs in (
            ("Main road", _road_sample("primary"), "primary" in kinds),
            ("Minor road", _road_sample("secondary"), "secondary" in kinds),
            ("Track", _road_sample("track"), "track" in kinds),
            ("River · Meuse" if great else "River", _river_sample(15 if great else 7), bool(rivers.reaches)),
            ("Bridge", _bridge_sample, "bridge" in features),
            ("Ford", _ford_sample, "ford" in features),
            ("City", _town_sample("city", 0.62), "city" in town_kinds),
            ("Town", _town_sample("town", 0.8), "town" in town_kinds),
            ("Village", _town_sample("village", 1), "village" in town_kinds),
            ("Hamlet, no effect", _hamlet_sample, False in hamlets),
            ("Height", _height_sample, True in hamlets),
            ("West Wall", _wall_sample, bool(frontiers.walls)),
            ("National border", _political_sample("border"), bool(frontiers.borders)),
            ("Front, 16 December", _political_sample("front"), bool(frontiers.fronts)),
            ("Road leaves the map", _exit_sample, bool(roads.tips)),
        )
        if occurs
    ]
    return found


def _wave(place: Point) -> Array:
    x, y = place
    return spline([(x, y + 4), (x + 22, y - 4), (x + 44, y + 4), (x + SAMPLE_WIDTH, y - 3)], 4)


def _terrain_sample(kind: str) -> Callable[[Point], str]:
    return lambda place: swatch(kind, (place[0] + 33, place[1]), 21, f"key-{kind}-")


def _road_sample(kind: str) -> Callable[[Point], str]:
    return lambda place: group("".join(stroke(curve(_wave(place)), kind)), stroke_linecap="round")


def _straight(place: Point, length: float = 62) -> str:
    return "".join(stroke(f"M{place[0] + 4:g} {place[1]:g}H{place[0] + length:g}", "primary"))


def _river_sample(mouth: float) -> Callable[[Point], str]:
    def draw(place: Point) -> str:
        band = swelling(LineString(_wave(place)), (3, mouth))
        return path(soft(band, 0.2), ink.WATER, stroke=ink.BANK, stroke_width=1)

    return draw


def _bridge_sample(place: Point) -> str:
    x, y = place
    water = path(f"M{x + 33:g} {y - 15:g}V{y + 15:g}", stroke=ink.WATER, stroke_width=6)
    span = f"M{x + 22:g} {y - 7:g}l3 2.6h16l3 -2.6M{x + 22:g} {y + 7:g}l3 -2.6h16l3 2.6"
    return water + _straight(place) + path(span, stroke=ink.INK, stroke_width=1.7)


def _ford_sample(place: Point) -> str:
    x, y = place
    water = path(f"M{x + 33:g} {y - 15:g}V{y + 15:g}", stroke=ink.WATER, stroke_width=6)
    stones = "".join(f"M{x + 33 + dx:g} {y:g}h0" for dx in (-7, -2.3, 2.3, 7))
    return water + path(stones, stroke=ink.INK, stroke_width=2.8, stroke_linecap="round")


def _town_sample(kind: str, scale: float) -> Callable[[Point], str]:
    def draw(place: Point) -> str:
        x, y = place
        blocks = plan((x + 33, y), ink.TOWN_RADIUS[kind] * scale, LineString([(x + 5, y), (x + 61, y)]))
        return _straight(place) + path("".join(hard(block, 0) for block in blocks), ink.TOWN)

    return draw


def _hamlet_sample(place: Point) -> str:
    return circle(place[0] + 33, place[1], 2.6, ink.PAGE, stroke=ink.TOWN, stroke_width=1.3)


def _height_sample(place: Point) -> str:
    x, y = place[0] + 33, place[1]
    return path(polyline(((x, y - 4.5), (x + 4.5, y + 3), (x - 4.5, y + 3)), close=True), ink.REGION)


def _wall_sample(place: Point) -> str:
    wave = _wave(place)
    middle = wave[len(wave) // 2]
    return teeth(LineString(wave)) + pillboxes([((float(middle[0]), float(middle[1])), 0.3)])


def _political_sample(kind: str) -> Callable[[Point], str]:
    return lambda place: political(kind, curve(_wave(place)))


def _exit_sample(place: Point) -> str:
    return _straight(place, 52) + arrow((place[0] + 52, place[1]), 0)


def in_columns(found: list[Entry], columns: int) -> list[list[Entry]]:
    """Deal entries into columns of equal length; the terrain has columns of its own if there is room."""
    for rows in itertools.count(1):
        dealt: list[list[Entry]] = []
        for is_terrain in (True, False):
            same = [entry for entry in found if entry.terrain == is_terrain]
            dealt += [same[start : start + rows] for start in range(0, len(same), rows)]
        if len(dealt) <= columns or (columns == 1 and rows >= len(found)):
            return dealt if len(dealt) <= columns else [found]
    raise AssertionError("some number of rows is always enough")

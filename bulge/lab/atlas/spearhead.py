"""The spearhead: the deepest ground that a game had held, how far it is from Celles, and who came to the Meuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import dist

import msgspec
from shapely.geometry import LineString, Point

from bulge.geo.geography import geography
from bulge.geo.projection import km
from bulge.lab.atlas.shares import Middle, Share, middle_of, share_of
from bulge.lab.record import mask_of
from bulge.lab.report.sample import Sample

RIVER, TIP = "Meuse", "Celles"
"""The aim, and how far the spearhead of 1944 came: it stood there on 24 December."""
NEAR_KM = 6.0
"""Ground whose middle is so near is at the river: a little more than the widest hex of any model, so that on every
map the hexes of the bank are, and little else."""
SECTORS = ("above Givet", "Givet–Dinant", "Namur", "Huy–Liège")
"""The river as it flows."""
BOUNDS = ("Vireux", "Yvoir", "Andenne")
"""The towns between its sectors."""

LatLon = tuple[float, float]


class Reach(msgspec.Struct, frozen=True):
    """How far west the games of a model had come by the evening of a day; what was lost again counts as well."""

    tips: tuple[tuple[float, float, int], ...]
    """Where the deepest ground lay: latitude, longitude, in how many games."""
    from_celles: Middle
    """Kilometres from there to Celles."""
    meuse: Share
    """Of games that had come to the river."""
    sectors: dict[str, Share]
    """The same by sector, as far as the map has them; a game may have come to several."""
    tip_of_1944: LatLon | None = None
    """Where the line of 1944 was deepest on this model's spaces; of days whose line is known."""


class West:
    """A map, as whoever drives west sees it."""

    def __init__(self, where: Mapping[int, LatLon], depths: Mapping[int, float]) -> None:
        self.where = where
        order = sorted((space for space in where if depths.get(space, 0.0) > 0), key=lambda at: where[at][1])
        self._deepest_first = [
            (1 << space, space) for space in sorted(order, key=lambda at: depths[at], reverse=True)
        ]
        self._depths = depths
        self.banks = banks(where)

    def tip(self, held: int) -> int | None:
        """The deepest of the ground that is held; of several, the westernmost. None before anything is taken."""
        return next((space for bit, space in self._deepest_first if held & bit), None)

    def deeper(self, one: int | None, other: int | None) -> int | None:
        return max(one, other, key=lambda at: -1.0 if at is None else self._depths[at])

    def came_to(self, held: int) -> set[str]:
        """The sectors of the river at which ground is held."""
        return {sector for sector, bank in self.banks.items() if held & bank}

    def from_celles(self, space: int) -> float:
        return dist(km(*self.where[space]), km(*geography().place(TIP).point))


def banks(where: Mapping[int, LatLon]) -> dict[str, int]:
    """For each sector of the river that a map has, the spaces near it."""
    course = LineString([km(*at) for at in geography().rivers[RIVER].course])
    ends = [0.0, *(course.project(Point(km(*geography().place(town).point))) for town in BOUNDS), course.length]
    found: dict[str, int] = {}
    for space, at in where.items():
        point = Point(km(*at))
        if course.distance(point) > NEAR_KM:
            continue
        along = course.project(point)
        for sector, (begin, end) in zip(SECTORS, pairwise(ends), strict=True):
            if begin <= along <= end:
                found[sector] = found.get(sector, 0) | 1 << space
                break
    return {sector: found[sector] for sector in SECTORS if sector in found}


class Drive(msgspec.Struct, frozen=True):
    """What one game had come to by each of its evenings."""

    tips: tuple[int | None, ...]
    came_to: tuple[frozenset[str], ...]


def drive(fronts: Iterable[int], west: West) -> Drive:
    """The ground that a game held, evening by evening, as what it had come to by then."""
    tips: list[int | None] = []
    came_to: list[frozenset[str]] = []
    for held in fronts:
        tips.append(west.deeper(tips[-1] if tips else None, west.tip(held)))
        came_to.append((came_to[-1] if came_to else frozenset()) | west.came_to(held))
    return Drive(tuple(tips), tuple(came_to))


def reaches(sample: Sample, places: Mapping[int, int], known: Sequence[int]) -> dict[int, Reach]:
    """By day, whose evening is the turn at a place; `known` are the days whose line of 1944 is."""
    west = West(sample.history.where, sample.depths)
    last = max(places.values(), default=-1)
    drives = [
        drive((mask_of(sample.at(row, "front", place)) for place in range(last + 1)), west) for row in sample.rows
    ]
    then: dict[int, int | None] = {
        day: west.tip(sum(1 << space for space in sample.history.held(day)) & ~sample.start) for day in known
    }
    return {day: _reach(drives, place, west, then.get(day)) for day, place in places.items()}


def _reach(drives: Sequence[Drive], place: int, west: West, then: int | None) -> Reach:
    games = len(drives)
    tips = Counter(tip for each in drives if (tip := each.tips[place]) is not None)
    stood = [west.from_celles(tip) for tip in tips.elements()]
    came = [each.came_to[place] for each in drives]
    return Reach(
        tips=tuple((*_rounded(west.where[tip]), many) for tip, many in sorted(tips.items())),
        from_celles=middle_of(stood) if stood else (0.0, 0.0, 0.0),
        meuse=share_of(sum(map(bool, came)), games),
        sectors={sector: share_of(sum(sector in each for each in came), games) for sector in west.banks},
        tip_of_1944=None if then is None else _rounded(west.where[then]),
    )


def _rounded(at: LatLon) -> LatLon:
    return round(at[0], 3), round(at[1], 3)

"""Bastogne by evening: free, besieged or taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import cos, dist, sin, tau
from typing import Literal

import msgspec

from bulge.geo.projection import km
from bulge.lab.atlas.shares import Share, share_of
from bulge.lab.record import mask_of
from bulge.lab.report.sample import Sample

TOWN = "Bastogne"
SIEGE_OF_1944 = range(21, 27)
"""The days of the historical siege; on the evening of the last one the first tanks came through."""
WAYS = 24
"""In so many directions somebody in the town looks out."""
SIGHT_KM = 12.0
"""Twice as far as the ring of 1944 was wide: a ring may be narrower or wider, and its hexes small or large."""
CLOSED = 21
"""When the enemy stands in so many directions, near or far, the town is besieged: what is still open is an eighth
of the ring at most. On the maps of all models the line of 1944 gives 15 or 16 of 24 on the 20th, all on the 22nd
and 24th, and 21 or 22 on the 26th."""
STEP_KM = 0.5
"""Ground is looked at so closely along the way."""

LatLon = tuple[float, float]
State = Literal["free", "besieged", "taken"]
STATES: tuple[State, ...] = ("free", "besieged", "taken")


class Siege(msgspec.Struct, frozen=True):
    """How the town stood on the evening of a day, in shares of games."""

    free: Share
    besieged: Share
    taken: Share
    ever: Share
    """Of games in which it had been besieged on some evening by then."""

    def share(self, state: State) -> Share:
        return {"free": self.free, "besieged": self.besieged, "taken": self.taken}[state]


def ways_out(where: Mapping[int, LatLon], town: int) -> list[int]:
    """In every direction from the town, the spaces that lie there."""
    places = {space: km(*at) for space, at in where.items()}
    x, y = places[town]
    near = [space for space, place in places.items() if dist(place, (x, y)) < 2 * SIGHT_KM]
    found = []
    for way in range(WAYS):
        east, north = sin(tau * way / WAYS), cos(tau * way / WAYS)
        seen = 0
        for step in range(1, int(SIGHT_KM / STEP_KM) + 1):
            point = x + east * step * STEP_KM, y + north * step * STEP_KM
            seen |= 1 << min(near, key=lambda space: dist(places[space], point))
        found.append(seen)
    return found


def state_of(held: int, town: int, ways: Sequence[int]) -> State:
    """The town, given the ground that its enemies hold."""
    if held >> town & 1:
        return "taken"
    closed = sum(bool(held & way) for way in ways)
    return "besieged" if closed >= CLOSED else "free"


def sieges(sample: Sample, places: Mapping[int, int]) -> dict[int, Siege]:
    """By day, whose evening is the turn at a place."""
    town = sample.measures.towns[TOWN]
    ways = ways_out(sample.history.where, town)
    by_game = [
        {day: state_of(mask_of(sample.at(row, "front", place)), town, ways) for day, place in places.items()}
        for row in sample.rows
    ]
    found, games = {}, len(by_game)
    for day in places:
        counts = Counter(states[day] for states in by_game)
        ever = sum(any(states[by] == "besieged" for by in states if by <= day) for states in by_game)
        found[day] = Siege(
            free=share_of(counts["free"], games),
            besieged=share_of(counts["besieged"], games),
            taken=share_of(counts["taken"], games),
            ever=share_of(ever, games),
        )
    return found

"""Ratings from games: Bradley and Terry's model on the scale that chess players know (400 points: ten to one)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

SCALE = 400 / log(10)
PRIOR_GAMES = 1.0
"""So many drawn games are imagined between any two who met: without a loss there would be no rating at all."""
Z = 1.96


class Meeting(NamedTuple):
    """How two met: what the first scored (a draw is half a game), and in how many games."""

    first: str
    second: str
    scored: float
    games: int


class Rating(NamedTuple):
    name: str
    points: float
    low: float
    high: float
    """A 95 % interval of the difference from whoever is the anchor."""
    games: int


def rate(meetings: Sequence[Meeting], anchor: str) -> list[Rating]:
    """The most likely ratings, best first; the anchor has none but 0."""
    names = list(dict.fromkeys(name for meeting in meetings for name in (meeting.first, meeting.second)))
    free = [name for name in names if name != anchor]
    strengths = np.zeros(len(free))
    for _ in range(100):
        slope, curve = _slope_and_curve(meetings, free, strengths)
        change = np.linalg.solve(curve, slope)
        strengths += np.clip(change, -2, 2)
        if np.abs(change).max() < 1e-9:
            break
    _, curve = _slope_and_curve(meetings, free, strengths)
    errors = np.sqrt(np.diag(np.linalg.inv(curve)))
    played = {name: sum(each.games for each in meetings if name in each[:2]) for name in names}
    ratings = [Rating(anchor, 0.0, 0.0, 0.0, played.get(anchor, 0))]
    for name, strength, error in zip(free, strengths, errors, strict=True):
        middle, spread = SCALE * float(strength), SCALE * Z * float(error)
        ratings.append(Rating(name, middle, middle - spread, middle + spread, played[name]))
    return sorted(ratings, key=lambda rating: -rating.points)


def _slope_and_curve(meetings: Sequence[Meeting], free: Sequence[str], strengths: Vector) -> tuple[Vector, Vector]:
    """Of the log-likelihood, at these strengths."""
    places = {name: place for place, name in enumerate(free)}
    slope, curve = np.zeros(len(free)), np.zeros((len(free), len(free)))
    for meeting in meetings:
        one, other = places.get(meeting.first), places.get(meeting.second)
        ahead = (strengths[one] if one is not None else 0.0) - (strengths[other] if other is not None else 0.0)
        chance = 1 / (1 + np.exp(-ahead))
        games = meeting.games + PRIOR_GAMES
        surplus = meeting.scored + PRIOR_GAMES / 2 - games * chance
        weight = games * chance * (1 - chance)
        for place, sign in ((one, 1), (other, -1)):
            if place is not None:
                slope[place] += sign * surplus
                curve[place, place] += weight
        if one is not None and other is not None:
            curve[one, other] -= weight
            curve[other, one] -= weight
    return slope, curve


def share_of(points: float) -> float:
    """The share of the points that whoever is so many points ahead should score."""
    return 1 / (1 + 10 ** (-points / 400))

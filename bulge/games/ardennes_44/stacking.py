"""Stacking: three points a hex, with a gun and two steps of silhouettes besides (rule 8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bulge.core.rulebook import rule
from bulge.games.ardennes_44.counters import Counters

POINTS, SILHOUETTE_STEPS, GUNS = 3, 2, 1


class Load(NamedTuple):
    """What units count for stacking."""

    points: int
    steps: int
    guns: int

    @rule("8.1")
    def fits(self, other: tuple[int, int, int], hexes: int = 1) -> bool:
        """Whether these and others may stand together in one hex, or in what is worth several (13.8.1)."""
        points, steps, guns = self
        more_points, more_steps, more_guns = other
        return (
            points + more_points <= POINTS * hexes
            and steps + more_steps <= SILHOUETTE_STEPS * hexes
            and guns + more_guns <= GUNS * hexes
        )


NOTHING = Load(0, 0, 0)


def load_of(counters: Counters, reduced: int, units: Iterable[int]) -> Load:
    loads, points, steps, guns = counters.loads, 0, 0, 0
    for unit in units:
        more_points, more_steps, gun = loads[reduced >> unit & 1][unit]
        points, steps, guns = points + more_points, steps + more_steps, guns + gun
    return Load(points, steps, guns)


@rule("8.1", "8.2", "8.4")
def may_join(counters: Counters, reduced: int, unit: int, stack: Iterable[int]) -> bool:
    """Whether a unit may stand with a stack, or stay in it."""
    loads = counters.loads
    points, steps, guns = loads[reduced >> unit & 1][unit]
    for mate in stack:
        if mate != unit:
            more_points, more_steps, gun = loads[reduced >> mate & 1][mate]
            points, steps, guns = points + more_points, steps + more_steps, guns + gun
    return points <= POINTS and steps <= SILHOUETTE_STEPS and guns <= GUNS


@rule("8.1", "8.2", "8.4")
def fits(counters: Counters, reduced: int, units: Iterable[int], hexes: int = 1) -> bool:
    """Whether these units may stand together in one hex, or in what is worth several hexes (13.8.1)."""
    return load_of(counters, reduced, units).fits(NOTHING, hexes)


def excess(counters: Counters, reduced: int, units: Iterable[int]) -> str:
    """Of what there would be too much in a hex with these units."""
    points, steps, guns = load_of(counters, reduced, units)
    if points > POINTS:
        return f"{points} Stacking Points, and {POINTS} are allowed"
    if steps > SILHOUETTE_STEPS:
        return f"{steps} steps of armor that stacks free, and {SILHOUETTE_STEPS} are allowed"
    return f"{guns} artillery units, and {GUNS} is allowed"

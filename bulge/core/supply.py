"""Tracing supply for every unit of a side at once.

A line of supply runs overland from the unit for a limited distance, then along a road of any length to a source.
We work backwards: from the sources along the roads, then from those roads outward. What is reached is every
space from which a line can be traced; which units stand there is then one AND.
"""

from __future__ import annotations

from bulge.core.compiling import compiled
from bulge.core.hexes import Sides
from bulge.core.kept import Keeps, kept
from bulge.core.movement import NoWay, Steps
from bulge.core.spaces import lowest, members


@compiled(allow_interpreted_subclasses=True)
class Lines(Keeps):
    """The supplied spaces, and how a line runs from each.

    They are found nearest to the road first, and only as far as somebody asks: most units stand near a road.
    """

    def __init__(self, steps: Steps, road_head: int, limit: int, through: int) -> None:
        self.steps = steps
        self.road_head = road_head
        """Spaces joined to a source by road (sources included): where the overland part may end."""
        self.through = through
        self._levels = [0] * (limit + 1)
        self._levels[0] = road_head
        self._found = road_head
        self._cost = 0
        """All lines have been found whose overland part costs no more than this."""

    def among(self, spaces: int) -> int:
        """Those of these spaces from which a line can be traced."""
        if spaces & ~self._found:
            self._find(spaces)
        return spaces & self._found

    @kept
    def spaces(self) -> int:
        """Every space from which a line can be traced."""
        return self.among(self.steps.all)

    @kept
    def levels(self) -> list[int]:
        """`levels[cost]`: spaces whose cheapest overland part costs exactly that."""
        self._find(-1)
        return self._levels

    def _find(self, wanted: int) -> None:
        """Go on until all that is wanted has been found, or no line can be longer."""
        levels, found, cost = self._levels, self._found, self._cost
        limit, missing = len(levels) - 1, wanted & ~found
        while missing and cost < limit:
            if front := levels[cost] & self.through:
                for price, origins in self.steps.back(front, limit - cost):
                    levels[cost + price] |= origins
            cost += 1
            if levels[cost]:
                levels[cost] &= ~found
                found |= levels[cost]
                missing &= ~found
        self._found, self._cost = found, cost

    def overland(self, space: int) -> list[int]:
        """The overland part of a cheapest line from this space, ending where the road part begins."""
        levels = self.levels
        cost = next((cost for cost, level in enumerate(levels) if level >> space & 1), None)
        if cost is None:
            raise NoWay("no line of supply", space, space)
        way = [space]
        while not self.road_head >> space & 1 or cost:
            space, cost = self._nearer(space, cost)
            way.append(space)
        return way

    def _nearer(self, space: int, cost: int) -> tuple[int, int]:
        for price, nexts in self.steps.onward(1 << space):
            if price <= cost and (better := nexts & self._levels[cost - price] & self.through):
                return lowest(better), cost - price
        raise AssertionError("a supplied space leads nowhere")


def trace(steps: Steps, goals: int, limit: int, *, through: int) -> Lines:
    """Every space from which `goals` can be reached overland for at most `limit`.

    A line runs through `through` only, but the space where it begins may lie outside it (a unit that stands in
    an enemy zone may still trace out of it); take the intersection with your own units. So a goal outside
    `through` serves only who stands on it.
    """
    return Lines(steps, goals, limit, through)


def supplied(
    steps: Steps, roads: Sides, sources: int, limit: int, *, overland_through: int, road_through: int
) -> Lines:
    """Lines of supply in two parts: overland up to `limit`, then along `roads` to one of `sources`.

    A source may also be reached overland alone. Each part has its own spaces that it may run through; a source
    that is not in `road_through` gives nothing.
    """
    live = sources & road_through
    return trace(steps, roads.connected(live, road_through) | live, limit, through=overland_through)


def road_line(roads: Sides, from_: int, sources: int, *, through: int) -> list[int]:
    """A shortest way along the roads from a space to one of the sources; empty if there is none."""
    rings = [1 << from_]
    reached = rings[0]
    while not rings[-1] & sources & through:
        front = roads.across(rings[-1]) & through & ~reached
        if not front:
            return []
        rings.append(front)
        reached |= front
    space = lowest(rings[-1] & sources & through)
    way = [space]
    for ring in reversed(rings[:-1]):
        space = next(near for near in members(ring) if roads.across(1 << near) >> space & 1)
        way.append(space)
    way.reverse()
    return way


def whole_line(lines: Lines, roads: Sides, sources: int, from_: int) -> list[int]:
    """A line of supply from a space: overland to a road, then along it to a source; empty if there is none."""
    if not lines.among(1 << from_):
        return []
    way = lines.overland(from_)
    return [*way, *road_line(roads, way[-1], sources, through=lines.through)[1:]]

"""Where the units of one kind may step, as long as no enemy moves (rules 9.2, 10.2, 11, 12 and 24).

A side's units move one after the other, and hundreds of steps are looked at before anything changes that these
answers depend on. So they are found once for each hex, and kept with the enemy's army.
"""

from __future__ import annotations

from typing import TypeAlias

from bulge.core.hexes import Sides
from bulge.core.rulebook import rule
from bulge.games.ardennes_44.ground import POINT, TOO_DEAR, Ground, Step
from bulge.games.ardennes_44.standing import Army

Surcharge: TypeAlias = list[tuple[int, int]]
"""Hexes that cost more to enter, with how much."""

Passages: TypeAlias = dict[tuple[object, ...], "Passage"]


class Passage:
    """What an army leaves open to enemy units of one kind."""

    def __init__(
        self,
        ground: Ground,
        army: Army,
        way: tuple[str, bool, int],
        closed: int,
        surcharge: Surcharge,
        edge: Sides,
    ) -> None:
        self._ground, self._way = ground, way
        self._zone, self._closed, self._surcharge, self._edge = army.zone, closed, surcharge, edge.masks
        self._bonds = army.closing
        self._dear = 0
        for hexes, _ in surcharge:
            self._dear |= hexes
        odd = closed | self._dear
        for hexes in self._bonds:
            odd |= hexes
        self._odd = ground.board.around(odd) | army.zone | edge.hexes | ground.bridge_ends(way[2])
        """Hexes out of which steps depend on more than the ground as it is printed."""
        self._plain = ground.plain_steps(way[0], way[1])
        self._found: dict[int, list[Step]] = {}

    def out_of(self, here: int) -> list[Step]:
        """Every step that may be taken out of a hex by somebody who can afford it."""
        found = self._found.get(here)
        if found is None:
            odd = self._odd >> here & 1
            found = None if odd else self._plain.get(here)
            if found is None:
                found = self._ground.ways_out(*self._way, here)
            if odd:
                found = self._look_closely(here, found)
            self._found[here] = found
        return found

    @rule("9.2.2", "10.2", "24.2", "24.7")
    def _look_closely(self, here: int, steps: list[Step]) -> list[Step]:
        leaving = POINT if self._zone >> here & 1 else 0
        found = []
        for (to, cost, passes, _), (_, direction) in zip(steps, self._ground.around(here), strict=True):
            if self._closed >> to & 1 or self._edge[direction] >> here & 1:
                continue
            if cost != TOO_DEAR:
                cost += leaving
                if self._dear >> to & 1:
                    cost += sum([extra for hexes, extra in self._surcharge if hexes >> to & 1])
            found.append((to, cost, passes, bool(self._bonds[direction] >> to & 1)))
        return found

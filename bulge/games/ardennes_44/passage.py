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
        ignored: int,
    ) -> None:
        self._ground, self._way = ground, way
        self._zone, self._closed = army.zone & ~ignored, closed & ground.board.hexes
        self._surcharge = surcharge
        self._edge, self._edge_hexes = edge.masks, edge.hexes
        self._dear = 0
        for hexes, _ in surcharge:
            self._dear |= hexes
        self._bonds, self._bond_hexes = army.closing, 0
        for hexes in self._bonds:
            self._bond_hexes |= hexes
        odd = ground.board.around(closed | self._dear | self._bond_hexes)
        self._odd = odd | army.zone | self._edge_hexes | ground.bridge_ends(way[2])
        """Hexes out of which steps depend on more than the ground as it is printed."""
        self._plain = ground.plain_steps(way[0], way[1])
        self.known: dict[int, list[Step]] = {}
        """The steps out of hexes of which that was asked."""

    def out_of(self, here: int) -> list[Step]:
        """Every step that may be taken out of a hex by somebody who can afford it."""
        if self._odd & 1 << here:
            found = self._look_closely(here, self._ground.ways_out(*self._way, here))
        else:
            found = self._plain[here]
        self.known[here] = found
        return found

    @rule("9.2.2", "10.2", "24.2", "24.7")
    def _look_closely(self, here: int, steps: list[Step]) -> list[Step]:
        near, at = self._ground.board.next_to(here), 1 << here
        closed, dear, bonds, edge = (
            self._closed & near,
            self._dear & near,
            self._bond_hexes & near,
            self._edge_hexes & at,
        )
        leaving = POINT if self._zone & at else 0
        found = []
        for (to, cost, passes, _), (_, direction) in zip(steps, self._ground.around(here), strict=True):
            there = 1 << to
            if closed & there or (edge and self._edge[direction] & at):
                continue
            if cost != TOO_DEAR:
                cost += leaving
                if dear & there:
                    cost += sum([extra for hexes, extra in self._surcharge if hexes & there])
            found.append((to, cost, passes, bool(bonds and self._bonds[direction] & there)))
        return found

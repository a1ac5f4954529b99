"""The first German combat phase: everybody next to an American attacks, and every such American is attacked (4.2).

Who could attack whom is a graph of units and hexes. As long as nobody in it is left without a partner, all of
them can still be served (each by himself with all who have nobody else), so an attack is allowed if it leaves
nobody outside it alone.
"""

from __future__ import annotations

from itertools import combinations

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_offensive.battle import ready, targets
from bulge.games.ardennes_offensive.facts import GERMAN, Facts
from bulge.games.ardennes_offensive.situation import Situation


class Duties:
    """Who must still attack whom."""

    @rule("E4.2")
    def __init__(self, facts: Facts, s: Situation) -> None:
        units = ready(facts, s, GERMAN)
        open_ = targets(facts, s, GERMAN)
        reach = {unit: facts.board.next_to(s.p.where[unit]) & open_ for unit in units}
        self.reach = {unit: hexes for unit, hexes in reach.items() if hexes}
        """For each unit that must attack, the hexes that it could."""

    def __str__(self) -> str:
        """Who is left, for people."""
        units, hexes = len(self.reach), self._all().bit_count()
        of_units, of_hexes = "unit" if units == 1 else "units", "hex" if hexes == 1 else "hexes"
        return f"{units} German {of_units} and {hexes} American {of_hexes}"

    def fulfilled_by(self, hexes: int, units: set[int]) -> bool:
        """Whether an attack on these hexes by these units leaves nobody out."""
        left = 0
        for unit, near in self.reach.items():
            if unit not in units:
                if not near & ~hexes:
                    return False
                left |= near
        return not self._all() & ~hexes & ~left

    def completable(self, hexes: int, units: set[int]) -> bool:
        """Whether units can be added to an attack on just these hexes so that it leaves nobody out."""
        pool = {unit for unit, near in self.reach.items() if not hexes & ~near}
        if not units <= pool:
            return False
        only_here = {unit for unit, near in self.reach.items() if not near & ~hexes}
        needed = units | only_here
        if needed:
            return needed <= pool and self.fulfilled_by(hexes, needed)
        return any(self.fulfilled_by(hexes, {unit}) for unit in pool)

    def extendable(self, hexes: int) -> bool:
        """Whether an attack on these hexes, and perhaps on more, can leave nobody out."""
        for near in set(self.reach.values()):
            if hexes & ~near:
                continue
            more = members(near & ~hexes)
            for count in range(len(more) + 1):
                for added in combinations(more, count):
                    if self.completable(hexes | union(added), set()):
                        return True
        return False

    def _all(self) -> int:
        found = 0
        for near in self.reach.values():
            found |= near
        return found

"""How far a unit may move now, and why some may not (rules 11, 16.5, 18.3, 22, 23.4, 25, 27.6 and 29.1)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bulge.core.rulebook import rule
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.position import Ardennes44

TACTICAL = 2
"""The hexes of Tactical Movement (11.3)."""
EXTENDED = 2 * POINT
TRUCKS = 12 * POINT
PRIME_MOVER = 5


class Allowance(NamedTuple):
    """What a unit may spend: half points, half points more if it ends away from enemies, hexes at no cost."""

    points: int = 0
    extended: int = 0
    tactical: int = 0

    def __bool__(self) -> bool:
        return self.points > 0 or self.tactical > 0


NONE = Allowance()


@rule("18.1", "18.3", "18.5")
def in_good_order(p: Ardennes44) -> int:
    """Units that are neither Disrupted nor Broken."""
    return ~(p.disrupted | p.broken)


@rule("27.6", "29.1.1")
def held_back(facts: Facts, p: Ardennes44) -> int:
    """Units that may not move on the first turn: red codes, the two regiments at the Roer dams among them."""
    return facts.red_coded if p.turn == 1 and not p.night else 0


def at_dams(facts: Facts, p: Ardennes44) -> int:
    """The two regiments that may only use Tactical Movement on the second turn (27.6)."""
    return facts.at_dams if p.turn == 2 and not p.night else 0


def allowance(facts: Facts, p: Ardennes44, unit: int) -> Allowance:
    """What a unit may move now, strategic movement aside."""
    marked = p.engaged | p.disrupted | p.broken | p.unsupplied | p.replaced | p.night_marked
    if (marked | facts.not_as_usual) >> unit & 1:
        return _under_markers(facts, p, unit)
    return _usual(facts, unit, p.reduced >> unit & 1)


@lru_cache(maxsize=1024)
@rule("11.1", "11.2", "11.3")
def _usual(facts: Facts, unit: int, reduced: int) -> Allowance:
    """What a unit may move that nothing holds back."""
    return _with_points(facts, unit, facts.movement(unit, -reduced) * POINT)


def _with_points(facts: Facts, unit: int, points: int) -> Allowance:
    return Allowance(points, EXTENDED if facts.foot >> unit & 1 else 0, TACTICAL if points >= 2 * POINT else 0)


@rule("13.2.2", "16.5", "22.1", "22.2", "22.3", "23.4", "25.2.4", "25.3.1", "25.3.5")
def _under_markers(facts: Facts, p: Ardennes44, unit: int) -> Allowance:
    """What a unit may move that bears a marker, or is of a kind that does not always move as others do."""
    bit = 1 << unit
    if (p.engaged | held_back(facts, p)) & bit:
        return NONE
    points = facts.movement(unit, p.reduced) * POINT
    if facts.guns & facts.of_side[GERMAN] & bit:
        points = PRIME_MOVER * POINT if p.movers & bit else points
        if points <= POINT:
            return Allowance(tactical=points // POINT)
    if p.replaced & bit:
        return Allowance(tactical=1)
    only_tactical = p.disrupted | p.broken | p.unsupplied | facts.engineers & p.arrived | at_dams(facts, p)
    if p.night_marked & bit and not p.night:
        return NONE if only_tactical & bit else Allowance(points=POINT)
    if only_tactical & bit:
        return Allowance(tactical=TACTICAL)
    return _with_points(facts, unit, points)

"""Everywhere that a unit on its way can go, for showing it (rules 11 and 12)."""

from __future__ import annotations

from bulge.core.decision import Choice
from bulge.core.look import Reachable
from bulge.core.movement import points_in_words
from bulge.core.spaces import union
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk


def ways(walk: Walk) -> dict[int, Walk]:
    """For each hex where the move could end, the cheapest walk there."""
    found: dict[int, Walk] = {}
    for ahead in walk.onward():
        known = found.get(ahead.here)
        if ahead.may_stop() and (known is None or known.worth > ahead.worth):
            found[ahead.here] = ahead
    return found


class Routes:
    """Where a unit can end its move, staying included, and the choices that lead there."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.ways = walk, ways(walk)
        self.spaces = union([*self.ways, walk.here])

    def manner(self, hex_: int) -> str:
        return ""

    def path(self, hex_: int) -> list[Choice]:
        """Where the unit is, and then each hex that it enters."""
        start = len(self.walk.path) - 1
        return [*self.ways[hex_].path[start:]] if hex_ in self.ways else [self.walk.here]


def reachable(walk: Walk) -> Reachable:
    """Where the unit can end its move, what that costs, by which way and in which mode."""
    name = walk.mover.facts.board.name
    costs, paths, modes = {}, {}, {}
    for hex_, way in ways(walk).items():
        costs[name(hex_)] = points_in_words(way.spent, POINT) if way.spent >= 0 else "tactical"
        paths[name(hex_)] = tuple(name(each) for each in way.path[len(walk.path) - 1 :])
        modes[name(hex_)] = mode_of(way)
    left = max(0, walk.mover.allowed.points - max(walk.spent, 0))
    return Reachable(costs, paths, modes, {}, f"{points_in_words(left, POINT)} points left")


def mode_of(walk: Walk) -> str:
    """How the unit moves by this way."""
    if walk.mover.strategic:
        return "strategic"
    if 0 <= walk.spent <= walk.mover.allowed.points:
        return "normal"
    return "tactical" if walk.tactical else "extended"

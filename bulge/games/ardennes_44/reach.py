"""Everywhere that a unit can go, for showing it and for players that plan (rules 11 to 13)."""

from __future__ import annotations

from collections.abc import Mapping

from bulge.core.decision import Choice
from bulge.core.look import Reachable
from bulge.core.movement import points_in_words
from bulge.core.spaces import union
from bulge.games.ardennes_44.columns import may_use_mover, strategic_points
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.situation import Situation

STRATEGIC, MOVER, LEAVE_MAP, PRIME_MOVER = "strategic", "prime_mover", "leave_the_map", "by Prime Mover"


def ways(walk: Walk) -> dict[int, Walk]:
    """For each hex where the move could end, the cheapest walk there."""
    found: dict[int, Walk] = {}
    for ahead in walk.onward():
        known = found.get(ahead.here)
        if ahead.may_stop() and (known is None or known.worth > ahead.worth):
            found[ahead.here] = ahead
    return found


class Routes:
    """Where a unit can end its move and the choices that lead there, with what is said on the way.

    A German who gets to a hex by which he wins by leaving the map leaves it.
    """

    def __init__(self, here: int) -> None:
        self.here = here
        self.found: dict[int, tuple[tuple[Choice, ...], Walk, int]] = {}
        """For each hex what is said first, the walk, and how much of that walk lies behind the unit already."""

    @property
    def spaces(self) -> int:
        return union([*self.found, self.here]) if self.here >= 0 else union(self.found)

    def add(self, walks: Mapping[int, Walk], behind: int, *said: Choice) -> None:
        """More ways; what could be reached before is still reached as before. Who marches out and back had better
        stay."""
        for hex_, walk in walks.items():
            if hex_ != self.here:
                self.found.setdefault(hex_, (said, walk, behind))

    def manner(self, hex_: int) -> str:
        """The word for how it goes there, where one has to be said: for a German, that he drives off the map."""
        if hex_ not in self.found:
            return ""
        said, walk, _ = self.found[hex_]
        return LEAVE_MAP if wins_by_leaving(walk) else next((word for word in said if isinstance(word, str)), "")

    def path(self, hex_: int) -> list[Choice]:
        """Where the unit is, and then each choice."""
        if hex_ not in self.found:
            return [self.here]
        said, walk, behind = self.found[hex_]
        return [self.here, *said, *walk.path[behind:], *([LEAVE_MAP] if wins_by_leaving(walk) else [])]


def wins_by_leaving(walk: Walk) -> bool:
    """Whether a German has got to where it helps him to leave the map."""
    return walk.side == GERMAN and bool(walk.mover.s.field.exits >> walk.here & 1) and walk.may_leave_map()


def routes(walk: Walk) -> Routes:
    """Where a unit on its way can end its move; if it has not set out yet, in column and by Prime Mover too."""
    s, unit, here = walk.mover.s, walk.unit, walk.here
    found = Routes(here)
    found.add(ways(walk), len(walk.path))
    if walk.path != (s.p.where[unit],) or walk.mover.strategic:
        return found
    if points := strategic_points(s, unit):
        found.add(ways(Walk(s, unit, here, strategic=points)), 1, STRATEGIC)
    if may_use_mover(s.facts, s.p, unit):
        drawn = s.p.copy()
        drawn.movers |= 1 << unit
        found.add(ways(Walk(Situation(s.facts, drawn), unit, here)), 1, MOVER)
    return found


def reachable(walk: Walk) -> Reachable:
    """Where the unit can end its move in whatever mode, what that costs and by which way."""
    name, found = walk.mover.facts.board.name, routes(walk)
    costs, paths, modes = {}, {}, {}
    for hex_, (said, way, behind) in found.found.items():
        costs[name(hex_)] = points_in_words(way.spent, POINT) if way.spent >= 0 else "tactical"
        paths[name(hex_)] = tuple(name(each) for each in (walk.here, *way.path[behind:]))
        if mode := PRIME_MOVER if MOVER in said else mode_of(way):
            modes[name(hex_)] = mode
    left = max(0, walk.mover.allowed.points - max(walk.spent, 0))
    return Reachable(costs, paths, modes, {}, f"{points_in_words(left, POINT)} points left")


def mode_of(walk: Walk) -> str:
    """How the unit moves by this way, where it is not the usual one."""
    if walk.mover.strategic:
        return STRATEGIC
    if 0 <= walk.spent <= walk.mover.allowed.points:
        return ""
    return "tactical" if walk.tactical else "extended"

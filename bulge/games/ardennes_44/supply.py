"""Supply paths, lines of communication and isolated groups (rule 23)."""

from __future__ import annotations

from bulge.core.hexes import HexBoard, Sides
from bulge.core.rulebook import rule
from bulge.core.spaces import subsets_of_one
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.situation import Situation, enemy_blocks

OVERLAND = 4
"""The most hexes of a path's overland part (23.3)."""


def towards(board: HexBoard, spaces: int, sides: Sides) -> int:
    """The hexes from which one can step into these without crossing one of the sides."""
    out = 0
    for direction, closed in enumerate(sides.masks):
        out |= board.step(spaces & ~closed, direction)
    return out


class Supply:
    """The supply of one side as things stand."""

    def __init__(self, s: Situation, side: str) -> None:
        self.s, self.side = s, side
        facts, enemy = s.facts, other(side)
        self.board, self.bonds = facts.board, s.bonds(enemy)
        self.entered = s.field.hexes & ~s.occupied[enemy] & ~self.bonds.hexes & ~enemy_blocks(s.p, side)
        """Where a path may lead at all."""
        self.free = self.entered & ~s.unnegated(side)
        """Where it may lead after its first hex."""

    @rule("23.2", "23.3", "7.8", "24.2")
    def road_net(self) -> int:
        """Every hex that roads join to a source: the road part of paths, and all of a road-bound one."""
        s, facts, p = self.s, self.s.facts, self.s.p
        held = p.german_held if other(self.side) == GERMAN else s.field.hexes & ~p.german_held
        towns = facts.ground.settled & held & ~s.occupied[self.side]
        sources = s.field.sources[self.side] & ~s.occupied[other(self.side)] & ~enemy_blocks(p, self.side)
        roads = facts.ground.open_roads(p.blown) - self.bonds.sides
        return roads.connected(sources, self.free & ~towns | sources) | sources

    @rule("10.2", "23.3")
    def leading_to(self, goals: int) -> int:
        """The hexes from which one of these is within four, only the first hex of the way in an enemy zone."""
        reached = goals
        for _ in range(OVERLAND - 1):
            reached |= towards(self.board, reached & self.free, self.bonds.sides)
        return goals | towards(self.board, reached & self.entered, self.bonds.sides)

    def supplied(self) -> int:
        """Every hex whose unit can trace a Supply Path; units beside the map always can (23.2)."""
        return self.leading_to(road_bound(self.s, self.side)) | ~self.s.field.hexes

    @rule("23.6")
    def in_touch(self, supplied: int) -> int:
        """The hexes of own units that can trace a Line of Communication: from unit to unit to a supplied one."""
        own = self.s.occupied[self.side]
        linked = own & supplied
        while more := own & self.leading_to(linked) & ~linked:
            linked |= more
        return linked

    @rule("23.6")
    def groups(self, isolated: int) -> list[int]:
        """Isolated hexes by group: each within four hexes overland of another of its group."""
        near = {hex_: self.leading_to(hex_) for hex_ in subsets_of_one(isolated)}
        found: list[int] = []
        left = isolated
        while left:
            group = left & -left
            while more := self._joined(near, group) & left & ~group:
                group |= more
            found.append(group)
            left &= ~group
        return found

    def _joined(self, near: dict[int, int], group: int) -> int:
        """Hexes from which the group can be reached, and those that it can reach."""
        out = 0
        for hex_, around in near.items():
            if hex_ & group:
                out |= around
            elif around & group:
                out |= hex_
        return out


def road_bound(s: Situation, side: str) -> int:
    """The hexes with a Supply Path by roads only (7.8, 13.2, 25.2.2, 30.1.2)."""
    p = s.p
    key = "road bound", side, p.blown, p.german_held, enemy_blocks(p, side)
    found = s.worked_out.get(key)
    if found is None:
        found = s.worked_out[key] = Supply(s, side).road_net()
    return found

"""Zones of control and ZOC Bonds (rules 9 and 10), as functions of sets of hexes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bulge.core.hexes import HexBoard, Sides
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.ground import Ground


class Bonds(NamedTuple):
    """What the bonds of a side close to its enemy."""

    hexes: int
    sides: Sides


class Links(NamedTuple):
    """What a side's units would close if no enemy stood in the way.

    A hexside bond may be pushed to either side of its hexside: for each direction, `pushed` has the hexes into
    which the bond over their side in that direction may be pushed (10.5.2).
    """

    hexes: int
    pushed: tuple[int, ...]

    @property
    @rule("10.2", "10.3")
    def closing(self) -> list[int]:
        """For each direction, the hexes that an enemy unit may not step into that way, unless a friend is there.

        The unit itself keeps the bond from being pushed into the hex that it leaves, so that only what can be
        pushed into the hex ahead bars it.
        """
        return [self.hexes | self.pushed[(d + 3) % 6] for d in range(6)]

    def shut(self, enemies: int) -> list[int]:
        """The same with enemies in these hexes."""
        return [closing & ~enemies for closing in self.closing]


class EdgeSide(NamedTuple):
    """Hexsides along the map's edge: a unit in an anchor closes them, as if another stood off the map (10.6)."""

    towards: int
    """The direction from the anchor to the hex of the edge into which the bond is pushed."""
    direction: int
    """Which side of that hex is closed."""
    anchors: int
    silhouettes: int
    """The anchors from which silhouettes alone can do it (10.5.3)."""


@rule("9.1", "9.3")
def zone(ground: Ground, full: int, silhouettes: int) -> int:
    """The zone of these hexes; where only silhouettes stand, not into or out of thick woods but along roads."""
    board = ground.board
    out = board.around(full)
    if silhouettes:
        roads, thick = ground.roads.masks, ground.thick_sides.masks
        for direction in range(6):
            out |= board.step(silhouettes & (roads[direction] | ~thick[direction]), direction)
    return out


@lru_cache(maxsize=256)
@rule("10.1", "10.4", "10.5", "10.5.1", "10.5.2", "10.5.3", "10.6")
def links(ground: Ground, hexes: int, side: str, full: int, silhouettes: int) -> Links:
    """What units in these hexes can close; `hexes` is the map in play.

    A bond runs from a unit into the hex between and on to the other unit. It breaks if both steps cross a barrier.
    """
    step, barrier, road = ground.board.step, ground.barriers.masks, ground.roads.masks
    rough = ground.wooded_rough
    out = [full | silhouettes & (road[d] | ~rough) for d in range(6)]
    """From where a bond may leave in each direction (10.5.3)."""
    into = [step(out[d], d) for d in range(6)]
    between = 0
    for d in range(3):
        between |= into[d] & into[d + 3] & ~(barrier[d] & barrier[d + 3])
    pushed = []
    for d in range(6):
        left, right = (d - 1) % 6, (d + 1) % 6
        # The units stand left and right of the side in direction d, so they step into this hex the opposite way.
        held = into[(left + 3) % 6] & into[(right + 3) % 6]
        pushed.append(held & ~(barrier[left] & barrier[right]) & hexes & step(hexes, (d + 3) % 6))
    for edge in edge_sides(ground, hexes, side):
        anchors = full & edge.anchors | silhouettes & edge.silhouettes
        if anchors:
            pushed[edge.direction] |= step(anchors, edge.towards)
    return Links(between, tuple(pushed))


@rule("10.2", "10.3", "10.4")
def bonds(board: HexBoard, linked: Links, enemies: int) -> Bonds:
    """What is closed with enemies standing in these hexes: a bond breaks if they stand where it runs."""
    vacant = board.hexes & ~enemies
    pushed = [into & vacant for into in linked.pushed]
    masks = [pushed[d] | board.step(pushed[(d + 3) % 6], (d + 3) % 6) for d in range(6)]
    return Bonds(linked.hexes & vacant, Sides(board, masks))


@lru_cache(maxsize=16)
@rule("10.6")
def edge_sides(ground: Ground, hexes: int, side: str) -> tuple[EdgeSide, ...]:
    """The hexsides along a side's friendly edges: south, west and north for the Allies, east for the Germans."""
    board, rough = ground.board, ground.wooded_rough
    found: dict[tuple[int, int], list[int]] = {}
    inside = hexes
    for direction in range(6):
        inside &= board.step(hexes, direction)
    for one, two in board.sides_of(hexes & ~inside):
        if not (hexes & 1 << one and hexes & 1 << two):
            continue
        anchors = board.next_to(one) & board.next_to(two) & hexes
        if anchors.bit_count() != 1:
            continue
        anchor = anchors.bit_length() - 1
        if not _faces(board, hexes, one, two, anchor, side):
            continue
        for hex_, beyond in ((one, two), (two, one)):
            if ground.barriers.between(anchor, hex_) and rough >> hex_ & 1:
                continue
            masks = found.setdefault((board.direction(anchor, hex_), board.direction(hex_, beyond)), [0, 0])
            masks[0] |= 1 << anchor
            if not rough >> anchor & 1 or ground.roads.between(anchor, hex_):
                masks[1] |= 1 << anchor
    return tuple(EdgeSide(*key, *masks) for key, masks in found.items())


def _faces(board: HexBoard, hexes: int, one: int, two: int, anchor: int, side: str) -> bool:
    """Whether the edge beyond two hexes is friendly: only the eastern column's is the Germans'."""
    direction = board.direction(anchor, one)
    east = max(board.plane(hex_)[0] for hex_ in (one, two)) == _easternmost(board, hexes)
    same_column = board.directions[board.direction(one, two)] in ("N", "S")
    at_east = east and same_column and board.directions[direction] in ("NE", "SE")
    return at_east != (side == ALLIED)


@lru_cache(maxsize=16)
def _easternmost(board: HexBoard, hexes: int) -> float:
    return max(board.plane(hex_)[0] for hex_ in members(hexes))

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

    def bar(self, from_: int, to: int) -> bool:
        """Whether a step enters a hex bond or crosses a hexside bond."""
        return bool(self.hexes >> to & 1) or self.sides.between(from_, to)


class EdgeSide(NamedTuple):
    """A hexside at the map's edge: a unit in `anchor` closes it, as if another stood off the map (10.6)."""

    anchor: int
    one: int
    direction: int
    two: int


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


@rule("10.1", "10.2", "10.3", "10.4", "10.5", "10.5.1", "10.5.2", "10.5.3")
def bonds(ground: Ground, full: int, silhouettes: int, enemies: int, edge: tuple[EdgeSide, ...] = ()) -> Bonds:
    """The bonds between these hexes, with enemies standing where they stand.

    A bond runs from a unit into the hex between and on to the other unit. It breaks if both steps cross a barrier,
    and if an enemy is in that hex. A hexside bond may be pushed to either side of the hexside.
    """
    board, step = ground.board, ground.board.step
    barrier, road = ground.barriers.masks, ground.roads.masks
    rough = ground.wooded_rough
    out = [full | silhouettes & (road[d] | ~rough) for d in range(6)]
    """From where a bond may leave in each direction (10.5.3)."""
    into = [step(out[d], d) for d in range(6)]
    vacant = board.all & ~enemies
    hexes = 0
    for d in range(3):
        hexes |= into[d] & into[d + 3] & ~(barrier[d] & barrier[d + 3])
    pushed = []
    for d in range(6):
        left, right = (d - 1) % 6, (d + 1) % 6
        # The units stand left and right of the side in direction d, so they step into this hex the opposite way.
        held = into[(left + 3) % 6] & into[(right + 3) % 6]
        pushed.append(held & ~(barrier[left] & barrier[right]) & vacant)
    masks = [(pushed[d] | step(pushed[(d + 3) % 6], (d + 3) % 6)) & step(board.all, (d + 3) % 6) for d in range(6)]
    for side in edge:
        if (full | silhouettes) >> side.anchor & 1 and any(
            _pushed_to_edge(ground, full, silhouettes, enemies, side.anchor, hex_) for hex_ in (side.one, side.two)
        ):
            masks[side.direction] |= 1 << side.one
            masks[(side.direction + 3) % 6] |= 1 << side.two
    return Bonds(hexes & vacant, Sides(board, masks))


def _pushed_to_edge(ground: Ground, full: int, silhouettes: int, enemies: int, anchor: int, hex_: int) -> bool:
    """Whether a bond from the anchor may be pushed into this hex of the edge, and so off the map."""
    if enemies >> hex_ & 1:
        return False
    rough = ground.wooded_rough
    if not full >> anchor & 1 and rough >> anchor & 1 and not ground.roads.between(anchor, hex_):
        return False
    return not (ground.barriers.between(anchor, hex_) and rough >> hex_ & 1)


@lru_cache(maxsize=16)
@rule("10.6")
def edge_sides(ground: Ground, hexes: int, side: str) -> tuple[EdgeSide, ...]:
    """The hexsides along a side's friendly edges: south, west and north for the Allies, east for the Germans."""
    board = ground.board
    found = []
    for one, two in board.sides_of(hexes):
        if not (hexes >> one & 1 and hexes >> two & 1):
            continue
        anchors = board.next_to(one) & board.next_to(two) & hexes
        if anchors.bit_count() == 1:
            anchor = anchors.bit_length() - 1
            if _faces(board, hexes, one, two, anchor, side):
                found.append(EdgeSide(anchor, one, board.direction(one, two), two))
    return tuple(found)


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

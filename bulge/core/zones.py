"""Zones of control, as sets. Who exerts them, where, and who negates them is for each game to say."""

from __future__ import annotations

from bulge.core.hexes import HexBoard, Sides


def zone(board: HexBoard, exerting: int, *, not_across: Sides | None = None, into: int = -1) -> int:
    """The zone of these hexes: all around them, but not across some hexsides and not into some terrain."""
    if not_across is None:
        return board.around(exerting) & into
    out = 0
    for direction, closed in enumerate(not_across.masks):
        out |= board.step(exerting & ~closed, direction)
    return out & into


def shared_neighbours(board: HexBoard, one: int, other: int) -> int:
    """The hexes next to both: where one exerter's zone would bind a step between two hexes."""
    return board.next_to(one) & board.next_to(other)


def between(board: HexBoard, exerting: int) -> int:
    """The hexes that lie in a straight line between two exerters two hexes apart."""
    out = 0
    for direction in range(3):
        out |= board.step(exerting, direction) & board.step(exerting, direction + 3)
    return out


def bent_between(board: HexBoard, exerting: int) -> Sides:
    """The hexsides that lie between two exerters two hexes apart on a bent line.

    Two such hexes have two common neighbours; the hexside between those two is the one they hold between them.
    """
    masks = [0] * 6
    for direction in range(6):
        left, right = (direction - 1) % 6, (direction + 1) % 6
        # A hex whose side in `direction` is held has one exerter to the left and one to the right of that side.
        near = board.step(exerting, (left + 3) % 6) & board.step(exerting, (right + 3) % 6)
        masks[direction] |= near & board.step(board.hexes, (direction + 3) % 6)
    return Sides(board, masks)

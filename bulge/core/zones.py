"""Zones of control, as sets. Who exerts them, where, and who negates them is for each game to say."""

from __future__ import annotations

from bulge.core.hexes import HexBoard, Sides


def zone(board: HexBoard, exerting: int, *, not_across: Sides | None = None, into: int = -1) -> int:
    """The zone of these hexes: all around them, but not across some hexsides and not into some terrain."""
    if not_across is None:
        return board.around(exerting) & into
    return not_across.past(exerting) & into

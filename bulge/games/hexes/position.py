"""The base of a position on hexes."""

from __future__ import annotations

from bulge.core.position import Position


class HexPosition(Position, kw_only=True):
    """Sets of units and of hexes are ints; lists go by unit."""

    where: list[int]
    """The space of each unit, or GONE, or DUE; a game may have more such words."""

    # What units have done, for as long as it counts
    moved: int = 0
    """Units whose movement is over."""
    attacked: int = 0
    """Units that have attacked."""
    defended: int = 0
    """Units that have been attacked."""
    retreated: int = 0
    """Units that have been retreated."""

    def deeds(self) -> dict[str, int]:
        """These sets by name, as counters are marked with them."""
        return {name: getattr(self, name) for name in ("moved", "attacked", "defended", "retreated")}

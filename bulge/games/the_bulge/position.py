"""A position of The Bulge."""

from __future__ import annotations

from bulge.core.position import Position


class BulgePosition(Position, kw_only=True):
    """Sets of units and of hexes are ints; lists go by unit."""

    where: list[int]
    """The hex of each unit, or GONE, or DUE."""
    steps: list[int]
    german: int
    """Hexes that the Germans control; the Allies control the rest (3.3)."""

    # This phase
    moved: int = 0
    """Units whose movement is over."""
    attacked: int = 0
    """Units that have attacked, or fired in support."""
    defended: int = 0
    """Units that have been attacked."""
    retreated: int = 0
    """Units that were retreated and so add nothing to a new defence (13.17)."""

    # This turn
    shortages: int = 0
    """Out of supply markers that the Allied player still has to place (7.11)."""
    short: int = 0
    """German units with such a marker."""
    air_hexes: list[int] = []
    """Where each aerial supply marker used this turn lies (7.5)."""
    air_room: list[int] = []
    """How many thirds of a division each of those could still supply."""
    airlifted: int = 0
    """Allied units in aerial supply."""
    air_strikes: int = 0
    """Air support markers used (15.1)."""
    disrupted: int = -1
    """The US unit beneath the commandos, or -1 (14.4)."""

    # The game
    paratroops_relieved: bool = False
    """A German unit has reached von der Heydte's men: one point (14.5)."""

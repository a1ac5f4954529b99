"""A position of The Bulge."""

from __future__ import annotations

from bulge.games.hexes.position import HexPosition


class BulgePosition(HexPosition, kw_only=True):
    """Who has fired in support has attacked, too; who was retreated adds nothing to a new defence (13.17)."""

    steps: list[int]
    german: int
    """Hexes that the Germans control; the Allies control the rest (3.3)."""

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

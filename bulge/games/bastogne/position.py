"""A position of Bastogne."""

from __future__ import annotations

from bulge.core.position import Position
from bulge.core.table import Table


class BastognePosition(Position, kw_only=True):
    """Sets of units, spaces and tracks are ints; lists go by unit, or by German unit, or by track."""

    where: list[int]
    """The space or box of each counter, or GONE, or WAITING."""
    steps: list[int]
    """Two at full strength. German guns: two ready, one suppressed (12.1). Leaders and markers have one."""
    track: list[int]
    """The track to which each German unit belongs for good, or NO_TRACK (8.5, 10.3)."""
    division: list[int] = []
    """The division of each staging area, once drawn (28.21)."""
    german: int = 0
    """Spaces that the Germans control; the US controls the rest (5.2)."""
    entrenched: int = 0
    morale: int = 12
    supply: int = 0
    patton: int = 1
    cup: list[int]
    """Fortunes of War chits in the cup, by number of their event."""
    drawn_events: list[int] = []
    """Every event drawn so far."""
    intelligence: int = 0
    """Intelligence chits held for later (29.0)."""
    shared: bool = False
    """Several people share the US command (1.0)."""
    german_losses_asked: bool = False
    """The player names every German unit that is hit or driven out; otherwise the strongest are (16.7)."""

    # This turn
    weather: str = ""
    assault: int = 0
    """Tracks whose division is in assault mode (9.4)."""
    morale_struck: bool = False
    """Interdiction has lowered German morale this turn (27.2.1)."""
    malmedy: bool = False
    ardor: bool = False

    # This phase
    order_given: bool = False
    """The standing order has been changed: once a phase will do, or a phase need never end."""
    counterbattery: bool = False
    """The mission for which impact markers are bought now; otherwise it is close support (13.1)."""
    cursor: int = 0
    """The track, command or formation whose part of a step it is."""
    done: int = 0
    """Units that have moved, fired, assaulted or redeployed in this segment."""
    from_: list[int] = []
    """Where each US unit stood before it closed in (17.2)."""
    quick: bool = False
    """An Intelligence chit speeds up whoever starts in the Center (29.0)."""


SiegeTable = Table[BastognePosition]
"""The table at which Bastogne is played."""

"""A position of The Ardennes Offensive."""

from __future__ import annotations

from bulge.games.hexes.position import HexPosition


class ArdennesPosition(HexPosition, kw_only=True):
    """A unit in play is in a hex, one that waits or sleeps in a map edge hex or a box; others may be ABSENT, too.

    Who has moved may also be a reinforcement that was put off; who has attacked is known for the player-turn.
    """

    scenario: str
    """Which of the ten: it says who sets up freely, and which schedules hold (18.0)."""
    road: int = 0
    """Units in Road Mode."""
    dormant: int = 0
    """Allied units that retreated off the map; others beside the map are reinforcements on their way (5.3M)."""
    lost: int = 0
    """Units eliminated: a point each (16.0A)."""
    fought_on_road: int = 0
    """Units that fought in Road Mode, and must leave it when they next could move (6.7L)."""
    late: dict[int, int] = {}
    """For how many turns a reinforcement has been kept out (14.1A)."""
    standard: bool = False
    """The Germans have gone over to the Standard table (10.3)."""
    british_free: bool = False
    """The Germans have had 25 points: the British may cross the Meuse (14.3C)."""

    placed: int = 0
    """How often units have been put elsewhere in the free set-up that is under way (17.0)."""

    # This player-turn
    unsupplied: int = 0
    """Units of the side on turn that were found without supply, the isolated among them (12.4K)."""
    isolated: int = 0
    interdicting: int = 0
    """Hexes within three of an enemy of the side on turn, when that was judged: bridges there are cut (13.1A)."""

    # This phase
    awake: int = 0
    """Dormant units that may come back (5.3M)."""
    converted: int = 0
    """Units that were made to leave Road Mode, and have paid for it (6.7L)."""
    staged: dict[int, int] = {}
    """For each hex beside which reinforcements wait, how many have come on from it (14.2B)."""
    joined: int = 0
    """Units that were retreated into a stack, and so add nothing to its defence (errata 9.0)."""

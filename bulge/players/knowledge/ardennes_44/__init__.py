"""What players know of Ardennes '44."""

from bulge.players.knowledge.ardennes_44.worth import Ardennes44Knowledge, make

__all__ = ["Ardennes44Knowledge", "make"]

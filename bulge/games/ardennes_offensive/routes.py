"""Everywhere that a unit on its way can still go, deployed where it can be, and the choices that lead there."""

from __future__ import annotations

from dataclasses import replace

from bulge.core.decision import Choice
from bulge.core.movement import Reach

MARCHING = "road_mode"
"""The manner of a unit that ends its move in Road Mode; one that is deployed has none."""


class Routes:
    """Two floods, one before and one after a change of mode, as one answer."""

    def __init__(self, here: int, floods: tuple[Reach, Reach], change: str, by_road: bool) -> None:
        self.here, self.change = here, change
        self.first, self.second = floods
        self.by_road = by_road
        """Whether the unit marches now, that is before any change."""
        self.spaces = self.first.spaces | self.second.spaces
        deployed = self.second if by_road else self.first
        self.marching = self.spaces & ~deployed.spaces
        """Where it can only end in Road Mode."""

    def manner(self, hex_: int) -> str:
        return MARCHING if self.marching >> hex_ & 1 else ""

    def path(self, hex_: int) -> list[Choice]:
        """The hex it is in now, then the choices that lead to another, deployed at the end where it can be."""
        return self.way(hex_, changes=self.by_road != bool(self.marching >> hex_ & 1))

    def way(self, hex_: int, *, changes: bool) -> list[Choice]:
        """As `path`, with a change of mode on the way or without one."""
        if not changes:
            return [*self.first.path(hex_)]
        after = replace(self.second, before=None).path(hex_)
        return [*self.first.path(after[0]), self.change, *after[1:]]

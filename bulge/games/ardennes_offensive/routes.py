"""Everywhere that a unit on its way can still go, deployed where it can be, and the choices that lead there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bulge.core.decision import Choice
from bulge.core.movement import Reach

MARCHING = "road_mode"
"""The manner of a unit that ends its move in Road Mode; one that is deployed has none."""


class Routes:
    """Floods, with a change of mode between each and the next, as one answer."""

    def __init__(self, here: int, floods: Sequence[Reach], by_road: bool, change: Mapping[bool, str]) -> None:
        self.here, self.floods, self.change = here, floods, change
        """`change` is the word for leaving Road Mode, and that for entering it."""
        self.by_road = by_road
        """Whether the unit marches now, that is before any change."""
        by_mode = {True: 0, False: 0}
        for number, flood in enumerate(floods):
            by_mode[self.marches_in(number)] |= flood.spaces
        self.spaces = by_mode[True] | by_mode[False]
        self.marching = self.spaces & ~by_mode[False]
        """Where it can only end in Road Mode."""

    def marches_in(self, number: int) -> bool:
        """Whether the unit is in Road Mode after so many changes."""
        return self.by_road != bool(number % 2)

    def cost(self, hex_: int) -> int:
        """Of the cheapest way, in whatever mode it ends."""
        return min(flood.cost(hex_) for flood in self.floods if flood.spaces >> hex_ & 1)

    def manner(self, hex_: int) -> str:
        return MARCHING if self.marching >> hex_ & 1 else ""

    def path(self, hex_: int) -> list[Choice]:
        """The hex it is in now, then the choices that lead to another, deployed at the end where it can be."""
        marching = bool(self.marching >> hex_ & 1)
        numbers = [number for number in range(len(self.floods)) if self.marches_in(number) == marching]
        return self.way(hex_, next(number for number in numbers if self.floods[number].spaces >> hex_ & 1))

    def way(self, hex_: int, changes: int) -> list[Choice]:
        """As `path`, with so many changes of mode on the way."""
        if not changes:
            return [*self.floods[0].path(hex_)]
        after = replace(self.floods[changes], before=None).path(hex_)
        return [*self.way(after[0], changes - 1), self.change[self.marches_in(changes - 1)], *after[1:]]

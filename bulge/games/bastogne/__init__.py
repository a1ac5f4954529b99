"""Bastogne (World at War 56): the siege, played alone on the American side."""

from bulge.core.data import Overrides
from bulge.games.bastogne.game import Bastogne


def make(overrides: Overrides | None = None) -> Bastogne:
    return Bastogne(overrides)

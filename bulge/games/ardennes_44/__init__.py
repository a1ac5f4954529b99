"""Ardennes '44: regiments and battalions, locking zones and bonds, breakthrough without limit."""

from bulge.core.data import Overrides
from bulge.games.ardennes_44.game import Ardennes44Game


def make(overrides: Overrides | None = None) -> Ardennes44Game:
    return Ardennes44Game(overrides)

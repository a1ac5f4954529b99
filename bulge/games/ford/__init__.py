"""The Ford: a small game of our own, to learn the program on and to test the engine with."""

from bulge.core.data import Overrides
from bulge.games.ford.game import Ford


def make(overrides: Overrides | None = None) -> Ford:
    return Ford(overrides)

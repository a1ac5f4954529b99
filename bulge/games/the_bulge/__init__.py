"""The Bulge (Decision Games): ten days, divisions, two combat phases a turn."""

from bulge.core.data import Overrides
from bulge.games.the_bulge.game import TheBulge


def make(overrides: Overrides | None = None) -> TheBulge:
    return TheBulge(overrides)

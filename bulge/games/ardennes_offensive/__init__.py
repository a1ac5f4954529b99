"""The Ardennes Offensive (SPI, 1973): eighteen days, regiments, road mode, ten scenarios."""

from bulge.core.data import Overrides
from bulge.games.ardennes_offensive.game import ArdennesOffensive


def make(overrides: Overrides | None = None) -> ArdennesOffensive:
    return ArdennesOffensive(overrides)

"""Shares of games with their intervals, and the middle of what games came to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bulge.lab.report.sample import quantiles
from bulge.players.arena import wilson

QUARTER, HALF, THREE_QUARTERS = 1, 2, 3
"""Places of these levels among the quantiles of a sample."""

Middle = tuple[float, float, float]
"""A quarter, half, three quarters of the games."""


class Share(msgspec.Struct, frozen=True):
    """With Wilson's interval of 95 %."""

    share: float
    low: float
    high: float


def share_of(some: int, of: int) -> Share:
    low, high = wilson(some, of) if of else (0.0, 1.0)
    return Share(round(some / of, 4) if of else 0.0, round(low, 4), round(high, 4))


def middle(levels: Sequence[float]) -> Middle:
    """Of a sample's quantiles."""
    return round(levels[QUARTER], 1), round(levels[HALF], 1), round(levels[THREE_QUARTERS], 1)


def middle_of(values: Sequence[float]) -> Middle:
    return middle(quantiles(values))

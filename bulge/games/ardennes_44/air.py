"""Weather and the Allied air forces (rules 15.6 and 28)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.games.ardennes_44.position import Ardennes44

CLEAR_FROM, CLEAR_TO = 15, 22
"""The turns of clear weather (28.2, S5.3)."""


@rule("15.6.1", "28.2", "S5.3")
def clear_weather(p: Ardennes44) -> bool:
    """Whether the sky is clear: by day, from 23 to 26 December."""
    return CLEAR_FROM <= p.turn <= CLEAR_TO

"""The two sides of most games about the Ardennes."""

from __future__ import annotations

GERMAN, ALLIED = "German", "Allied"
SIDES = (GERMAN, ALLIED)


def other(side: str) -> str:
    return ALLIED if side == GERMAN else GERMAN

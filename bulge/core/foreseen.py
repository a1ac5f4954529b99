"""What a unit could do, were it its side's turn now: where it could go, and whom it could attack at what odds."""

from __future__ import annotations

import msgspec

from bulge.core.decision import Preview


class Blow(msgspec.Struct, frozen=True):
    """An attack that could be made."""

    target: str
    from_: str
    """Where the unit would stand."""
    units: tuple[str, ...]
    """Who would attack: the unit, and those of its side that stand beside the target already."""
    odds: Preview


class Threat(msgspec.Struct, frozen=True):
    """What a unit could do, were it its side's turn now."""

    unit: str
    costs: dict[str, str]
    """Where it could go, and for how much."""
    blows: tuple[Blow, ...]
    """The best attack on each enemy hex, the strongest first."""
    words: str = ""
    """Why it could go nowhere."""

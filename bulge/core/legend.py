"""What a page says of a game before any data: the file `look.toml` in its folder."""

from __future__ import annotations

from importlib.resources.abc import Traversable

import msgspec

from bulge.core.data import read_toml
from bulge.core.look import Overlay, PhaseLook, ResultLook, SideLook


class Legend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sides, the phases of a turn, the layers over the map, and what the codes of results mean."""

    sides: tuple[SideLook, ...]
    phases: tuple[PhaseLook, ...]
    overlays: tuple[Overlay, ...] = ()
    results: tuple[ResultLook, ...] = ()
    at_night: tuple[str, ...] = ()
    """Steps in which it is night."""


def load_legend(folder: Traversable) -> Legend:
    """Read `look.toml` of a game's folder."""
    return read_toml(folder, "look.toml", Legend)

"""How counters on hexes look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bulge.core.look import Face
from bulge.games.drawn import style_of

SYMBOLS = {
    "panzer": "armor",
    "armored_infantry": "mechanized",
    "paratroops": "airborne",
    "parachute": "airborne",
    "glider": "airborne",
    "flak": "air_defence",
    "commando": "infantry",
}
"""The branch symbol of a type of unit; a type that is not here has the symbol of its own name."""


class Printed(Protocol):
    """What the face of a counter needs of a row of units.csv."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def nation(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def size(self) -> str: ...
    @property
    def mechanized(self) -> bool: ...


def face(
    row: Printed,
    side: str,
    *,
    values: Sequence[str],
    arrives: str,
    band: str = "",
    short: str = "",
    symbol: str = "",
    said: Sequence[str] = (),
) -> Face:
    """A counter as printed; a size in brackets is a battlegroup's."""
    return Face(
        id=row.id,
        name=row.name,
        short=short or row.id,
        side=side,
        style=style_of(row.nation, mechanized=row.mechanized),
        symbol=symbol or SYMBOLS.get(row.type, row.type),
        size=row.size.strip("[]"),
        bracketed=row.size.startswith("["),
        band=band,
        values=tuple(values),
        arrives=arrives,
        said=tuple(said),
    )

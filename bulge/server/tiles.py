"""How a drawn map is cut into pieces: known to those who draw and to those who hand them out."""

from __future__ import annotations

TILE = 512
"""Pixels along the side of a tile."""
SHRUNK = (4, 2, 1)
"""Tiles are made at a quarter, half and the whole of a pixel for each unit of the drawing."""


def tile_name(shrunk: int, column: int, row: int) -> str:
    return f"tile-{shrunk}-{column}-{row}.webp"

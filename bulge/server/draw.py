"""Draws the map of a game, as a program of its own: `python -m bulge.server.draw GAME FOLDER`.

Drawing takes seconds and heavy libraries; in a process of its own it holds up nobody who plays.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURE_WIDTH = 640
TILE = 512
"""Pixels along the side of a tile."""
SHRUNK = (4, 2, 1)
"""Tiles are made at a quarter, half and the whole of a pixel for each unit of the drawing."""
TILE_QUALITY = 82


def draw(game: str, folder: Path) -> None:
    """Write what a client needs of a map: twice the drawing, where its spaces are, tiles, and a small picture."""
    map_data = json.loads((files(f"bulge.games.{game}") / "map.json").read_text("utf-8"))
    whole, without_fonts, board = (_hexes if "hexes" in map_data else _spaces)(map_data)
    folder.mkdir(parents=True, exist_ok=True)
    picture = _picture(whole, round(board["width"]))
    for name, tile in _tiles(picture):
        _write(folder / name, tile)
    small = picture.resize((PICTURE_WIDTH, round(PICTURE_WIDTH * picture.height / picture.width)))
    _write(folder / "map.png", _encoded(small, "PNG", optimize=True))
    _write(folder / "map.svg.gz", gzip.compress(whole.encode(), 9))
    _write(folder / "map-without-fonts.svg.gz", gzip.compress(without_fonts.encode(), 9))
    _write(folder / "board.json", json.dumps(board).encode())  # the last: when it is there, all is


def _hexes(map_data: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    from bulge.geo.drawing.sheet import Sheet
    from bulge.geo.geography import geography

    sheet = Sheet(map_data, geography())  # laying it out is the slow part: once for all three
    whole, without_fonts = (
        sheet.draw(hexes=True, facts=(), units=(), embed_fonts=embed_fonts) for embed_fonts in (True, False)
    )
    return whole, without_fonts, sheet.board_data()


def _spaces(map_data: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    from bulge.geo.drawing import draw_graph_map, graph_board
    from bulge.geo.geography import geography

    whole, without_fonts = (
        draw_graph_map(map_data, geography(), embed_fonts=embed_fonts) for embed_fonts in (True, False)
    )
    return whole, without_fonts, graph_board(map_data, geography())


def _picture(svg: str, width: int) -> Image:
    """The drawing as pixels, one for each of its units."""
    from PIL.Image import open as read

    from bulge.geo.drawing import to_png

    return read(io.BytesIO(to_png(svg, width=width))).convert("RGB")


def tile_name(shrunk: int, column: int, row: int) -> str:
    return f"tile-{shrunk}-{column}-{row}.webp"


def _tiles(picture: Image) -> Iterator[tuple[str, bytes]]:
    """The picture in pieces, so that moving over the map draws nothing: browsers only shift pixels."""
    for shrunk in SHRUNK:
        level = picture.reduce(shrunk) if shrunk > 1 else picture
        for top in range(0, level.height, TILE):
            for left in range(0, level.width, TILE):
                piece = level.crop((left, top, min(left + TILE, level.width), min(top + TILE, level.height)))
                name = tile_name(shrunk, left // TILE, top // TILE)
                yield name, _encoded(piece, "WEBP", quality=TILE_QUALITY)


def _encoded(picture: Image, kind: str, **how: int) -> bytes:
    into = io.BytesIO()
    picture.save(into, kind, **how)
    return into.getvalue()


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: another server may be reading."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]))

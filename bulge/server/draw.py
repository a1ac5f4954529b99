"""Draws the map of a game, as a program of its own: `python -m bulge.server.draw GAME FOLDER`.

Drawing takes seconds and heavy libraries; in a process of its own it holds up nobody who plays.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from PIL.Image import Image
from PIL.Image import open as read

from bulge.geo.drawing import to_png
from bulge.geo.drawing.graph import GraphSheet
from bulge.geo.drawing.sheet import Sheet
from bulge.geo.drawing.typeface import with_fonts
from bulge.geo.geography import geography
from bulge.server.tiles import SHRUNK, TILE, tile_name

PICTURE_WIDTH = 640
PICTURE_QUALITY = 58
TILE_QUALITY = 82
TILE_EFFORT = 2
"""Of six: a third of the usual time, for files a few hundredths larger."""


def draw(game: str, folder: Path, tell: Callable[[int], None] = lambda _: None) -> None:
    """Write what a client needs of a map: twice the drawing, where its spaces are, tiles, and a small picture."""
    map_data = json.loads((files(f"bulge.games.{game}") / "map.json").read_text("utf-8"))
    tell(5)
    sheet = _sheet(map_data)  # laying it out is the slow part: once for all
    tell(45)
    without_fonts = _drawn(sheet)
    board = sheet.board_data()
    whole = with_fonts(without_fonts)
    tell(60)
    folder.mkdir(parents=True, exist_ok=True)
    picture = _picture(whole, round(board["width"]))
    tell(80)
    for name, tile in _tiles(picture):
        _write(folder / name, tile)
    small = picture.resize((PICTURE_WIDTH, round(PICTURE_WIDTH * picture.height / picture.width)))
    _write(folder / "map.webp", _encoded(small, "WEBP", quality=PICTURE_QUALITY))
    tell(95)
    _write(folder / "map.svg.gz", gzip.compress(whole.encode(), 6))
    _write(folder / "map-without-fonts.svg.gz", gzip.compress(without_fonts.encode(), 6))
    _write(folder / "board.json", json.dumps(board).encode())  # the last: when it is there, all is


def _sheet(map_data: dict[str, Any]) -> Sheet | GraphSheet:
    place = geography()
    return Sheet(map_data, place) if "hexes" in map_data else GraphSheet(map_data, place)


def _drawn(sheet: Sheet | GraphSheet) -> str:
    if isinstance(sheet, Sheet):
        return sheet.draw(hexes=True, facts=(), units=(), embed_fonts=False)
    return sheet.draw((), (), embed_fonts=False)


def _picture(svg: str, width: int) -> Image:
    """The drawing as pixels, one for each of its units."""
    return read(io.BytesIO(to_png(svg, width=width))).convert("RGB")


def _tiles(picture: Image) -> Iterator[tuple[str, bytes]]:
    """The picture in pieces, so that moving over the map draws nothing: browsers only shift pixels."""
    for shrunk in SHRUNK:
        level = picture.reduce(shrunk) if shrunk > 1 else picture
        for top in range(0, level.height, TILE):
            for left in range(0, level.width, TILE):
                piece = level.crop((left, top, min(left + TILE, level.width), min(top + TILE, level.height)))
                name = tile_name(shrunk, left // TILE, top // TILE)
                yield name, _encoded(piece, "WEBP", quality=TILE_QUALITY, method=TILE_EFFORT)


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
    draw(sys.argv[1], Path(sys.argv[2]), lambda percent: print(percent, flush=True))

"""Draws the map of a game, as a program of its own: `python -m bulge.server.draw GAME FOLDER`.

Drawing takes seconds and heavy libraries; in a process of its own it holds up nobody who plays.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

from bulge.games import load_game

PICTURE_WIDTH = 640


def draw(game_id: str, folder: Path) -> None:
    """Write what a client needs of a map: twice the drawing, where its spaces are, and a small picture."""
    from bulge.geo.drawing import to_png
    from bulge.geo.drawing.sheet import Sheet
    from bulge.geo.geography import geography

    game: Any = load_game(game_id)
    sheet = Sheet(game.facts.map.raw, geography())
    whole = sheet.draw(hexes=True, facts=(), units=(), embed_fonts=True)
    without_fonts = sheet.draw(hexes=True, facts=(), units=(), embed_fonts=False)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "map.png", to_png(whole, width=PICTURE_WIDTH))
    _write(folder / "map.svg.gz", gzip.compress(whole.encode(), 9))
    _write(folder / "map-without-fonts.svg.gz", gzip.compress(without_fonts.encode(), 9))
    _write(folder / "board.json", json.dumps(sheet.board_data()).encode())  # the last: when it is there, all is


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: another server may be reading."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]))

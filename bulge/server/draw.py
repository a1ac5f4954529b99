"""Draws the map of a game, as a program of its own: `python -m bulge.server.draw GAME FOLDER`.

Drawing takes seconds and heavy libraries; in a process of its own it holds up nobody who plays.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

PICTURE_WIDTH = 640


def draw(game: str, folder: Path) -> None:
    """Write what a client needs of a map: twice the drawing, where its spaces are, and a small picture."""
    from bulge.geo.drawing import to_png

    map_data = json.loads((files(f"bulge.games.{game}") / "map.json").read_text("utf-8"))
    whole, without_fonts, board = (_hexes if "hexes" in map_data else _spaces)(map_data)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "map.png", to_png(whole, width=PICTURE_WIDTH))
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


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: another server may be reading."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]))

"""What a game's drawn map says of itself: its size, and where each space lies on it.

The drawing needs heavy libraries, so they are imported only here and only when asked: simulation never does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def drawing_of(map_data: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a map out as its drawing does. This takes seconds for a large map: keep the answer."""
    from bulge.geo.drawing import draw_board, graph_board
    from bulge.geo.geography import geography

    return (draw_board if "hexes" in map_data else graph_board)(map_data, geography())


def centres(drawing: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """The middle of each space on the drawing."""
    return {name: (float(x), float(y)) for name, (x, y) in (drawing.get("hexes") or drawing["spaces"]).items()}

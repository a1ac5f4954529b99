"""How games are drawn: what a drawn map says of itself (its size, where each space lies), and counters' colours.

The drawing needs heavy libraries, so they are imported only here and only when asked: simulation never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bulge.core.game import Game
from bulge.core.legend import load_legend
from bulge.core.look import CardLook, Chart, Face, Look, SpaceLook, TurnLook
from bulge.games.signs import FLAGS, styles_of


def drawing_of(map_data: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a map out as its drawing does. This takes seconds for a large map: keep the answer."""
    from bulge.geo.drawing import draw_board, graph_board
    from bulge.geo.geography import geography

    return (draw_board if "hexes" in map_data else graph_board)(map_data, geography())


def centres(drawing: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """The middle of each space on the drawing."""
    return {name: (float(x), float(y)) for name, (x, y) in (drawing.get("hexes") or drawing["spaces"]).items()}


def hex_look(
    game: Game[Any],
    drawing: Mapping[str, Any] | None,
    *,
    words: Callable[[str], str],
    faces: Iterable[Face],
    charts: tuple[Chart, ...],
    turns: Iterable[TurnLook],
    cards: tuple[CardLook, ...] = (),
) -> Look:
    """The look of a game on hexes; `words` says what is in a hex. The rest stands in two files of its folder."""
    assert game.map is not None
    legend, learning, places, boxes = load_legend(game.data.folder), game.learning, game.map.places, game.map.boxes
    drawn, printed = drawing or drawing_of(game.map.raw), tuple(faces)
    return Look(
        game=game.id,
        title=game.title,
        sides=legend.sides,
        spaces=tuple(
            SpaceLook(name, x, y, places.get(game.board.at(name), ""), words(name))
            for name, (x, y) in centres(drawn).items()
        )
        + tuple(
            SpaceLook(name, x, y, name, boxes[name].get("words", ""), "box", width, height)
            for name, (x, y, width, height) in drawn.get("boxes", {}).items()
        ),
        hex_width=float(drawn["hex"]),
        pointy=bool(drawn["pointed"]),
        width=float(drawn["width"]),
        height=float(drawn["height"]),
        faces=printed,
        charts=charts,
        turns=tuple(turns),
        phases=legend.phases,
        overlays=legend.overlays,
        styles=styles_of(printed),
        flags=FLAGS,
        results=legend.results,
        cards=cards,
        lessons=learning.lessons,
        briefing=learning.briefing,
        at_night=legend.at_night,
    )


def style_of(nation: str, *, mechanized: bool) -> str:
    """The colours of a counter: Germans by how they move, the others by their nation."""
    if nation != "german":
        return nation
    return "german_mechanized" if mechanized else "german_foot"

"""`bulge map`: a game's map as a drawing, and the evidence for it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bulge.cli.common import game_named
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.look import Face, Look, Scene
from bulge.games import games_with_maps

if TYPE_CHECKING:
    from bulge.geo.drawing.counters import Colours, Counter

_SYMBOLS = {
    "armor": "armour",
    "mechanized": "mechanized_infantry",
    "armored_cavalry": "armoured_cavalry",
    "engineers": "engineer",
    "air_defence": "antiaircraft",
    "none": "infantry",
}


def draw(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which map: " + ", ".join(games_with_maps()) + ".")],
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the drawing as SVG.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the drawing as PNG.")] = None,
    width: Annotated[int, typer.Option(help="Pixels across, for PNG.", min=200, max=12000)] = 2400,
    hexes: Annotated[bool, typer.Option(help="Show the grid and its numbers.")] = True,
    facts: Annotated[bool, typer.Option("--facts", help="Ring the hexes that the rulebook speaks of.")] = False,
    units: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Lay out the counters of this scenario's set-up.")
    ] = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Print the page of evidence instead.")] = False,
) -> None:
    """Draw a game's map, or show the evidence for it."""
    name = game.strip().lower().replace("-", "_")
    if name not in games_with_maps():
        raise BulgeError(f"there is no map of {game!r}; there are maps of: {', '.join(games_with_maps())}")
    if evidence:
        typer.echo(_evidence(name))
        return
    if svg is None and png is None:
        svg = Path(f"{name}.svg")
    counters = _counters(game_named(ctx, name), units) if units else []
    drawing = _drawing(name, hexes, _stated(name) if facts else [], counters)
    for path in (svg, png):
        if path is not None:
            _write(path, drawing, width if path is png else None)


def _evidence(name: str) -> str:
    from bulge.geo.evidence import evidence

    if _invented(name):
        raise BulgeError(f"the map of {name} is invented: there is no evidence for it")
    return evidence(name)


def _invented(name: str) -> bool:
    return not (files("bulge.games") / name / "map_recipe.toml").is_file()


def _drawing(name: str, hexes: bool, facts: list[str], counters: list[Counter]) -> str:
    from bulge.geo.derive import read
    from bulge.geo.drawing import draw_graph_map, draw_map
    from bulge.geo.geography import geography

    document = read(name)
    if document["grid"]["numbering"] == "graph":
        return draw_graph_map(document, geography(), facts=facts, units=counters)
    return draw_map(document, geography(), hexes=hexes, facts=facts, units=counters)


def _stated(name: str) -> list[str]:
    """Every hex that a stated fact of the rulebook names."""
    from bulge.geo.derive import read
    from bulge.geo.facts import load_facts

    if _invented(name):
        return []
    document = read(name)
    known = set(document.get("hexes") or document.get("spaces", {}))
    named: set[str] = set()
    for fact in load_facts(name):
        if fact.get("sure") == "stated" and fact["kind"] != "area":
            named.update([fact.get("hex", ""), *fact.get("hexes", ()), *str(fact.get("side", "")).split("/")])
    return sorted(named & known)


def _counters(game: Game[Any], scenario: str) -> list[Counter]:
    """The counters of a set-up, as the drawing wants them."""
    scene: Scene = game.scene(game.begin(scenario), None)
    look = game.look()
    faces = {face.id: face for face in look.faces}
    return [_counter(look, faces[piece.unit], piece.space, piece.steps) for piece in scene.pieces]


def _counter(look: Look, face: Face, space: str, steps: int) -> Counter:
    from bulge.geo.drawing.counters import SYMBOLS, Counter

    symbol = _SYMBOLS.get(face.symbol, face.symbol)
    if symbol not in SYMBOLS:
        raise BulgeError(f"the counter {face.id} has the symbol {symbol!r}; there are: {', '.join(SYMBOLS)}")
    value = face.values[steps] if steps < len(face.values) else ""
    return Counter(space, _colours(look, face), face.short, symbol, face.size, value)


def _colours(look: Look, face: Face) -> Colours:
    """Those of the counter's style; of a style without colours, light on dark or dark on light as its side is."""
    from bulge.geo.drawing.counters import SIDES, Colours

    for style in look.styles:
        if style.id == face.style:
            return Colours(style.ground, style.ink, style.rim)
    dark = any(side.id == face.side and side.polarity == "dark" for side in look.sides)
    return SIDES["german" if dark else "american"]


def _write(path: Path, drawing: str, width: int | None) -> None:
    from bulge.geo.drawing.png import to_png

    data = drawing.encode() if width is None else to_png(drawing, width)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BulgeError(f"{path} cannot be written: {error.strerror}") from None
    typer.echo(f"Wrote {path} ({len(data) // 1024} kB).")

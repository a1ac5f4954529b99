"""Deriving a game's map: fit, towns, rivers, roads, terrain, stated facts, corrections by hand, areas.

derive(game)   the map file's content
write(game)    put it beside the game
check(game)    every stated fact, held or broken, on the map as it is committed
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bulge.geo import tracks
from bulge.geo.areas import draw_front, find_areas
from bulge.geo.draft import Draft
from bulge.geo.facts import Finding, check_map, load_facts
from bulge.geo.finish import finish
from bulge.geo.geography import geography
from bulge.geo.mapfile import to_text
from bulge.geo.recipe import GAMES, Recipe, load

_RECIPES = {path.parent.name: load(path.parent.name) for path in sorted(GAMES.glob("*/map_recipe.toml"))}
GRAPH_GAMES = tuple(name for name, recipe in _RECIPES.items() if recipe.data["grid"]["numbering"] == "graph")
HEX_GAMES = tuple(name for name in _RECIPES if name not in GRAPH_GAMES)


def derive(game: str) -> dict[str, Any]:
    """A game's map, derived from the geography, its recipe and its stated facts."""
    recipe = load(game)
    if recipe.data["grid"]["numbering"] == "graph":
        return tracks.derive(recipe)
    return _document(drafted(game))


def drafted(game: str) -> Draft:
    """A hex map with its towns, rivers and roads in place."""
    draft = Draft(load(game), geography())
    draft.place_towns()
    draft.trace_rivers()
    draft.lay_roads()
    return draft


def _document(draft: Draft) -> dict[str, Any]:
    recipe = draft.recipe
    facts = load_facts(recipe.game)
    projection = draft.fit.projection
    hexes, sides, edges = finish(draft, facts)
    document: dict[str, Any] = {
        "format": 1,
        "game": recipe.game,
        "title": recipe.title,
        "grid": _grid(recipe),
        "projection": {
            "matrix": [list(row) for row in projection.matrix],
            "offset": list(projection.offset),
            "origin": [50.1, 5.9],
            "km_per_hex": round(projection.km_per_hex, 2),
        },
        "hexes": hexes,
        "sides": sides,
        "edges": edges,
    }
    if "turns" in recipe.data:
        document["turns"] = recipe.data["turns"]
    if boxes := recipe.tables("box"):
        document["boxes"] = {box["name"]: {key: box[key] for key in box if key != "name"} for box in boxes}
    document["areas"] = find_areas(draft, facts, document)
    draw_front(draft, document)
    return document


def _grid(recipe: Recipe) -> dict[str, Any]:
    return {
        "numbering": recipe.grid.numbering.name,
        "sheets": [{"prefix": sheet.prefix, "shift": sheet.shift} for sheet in recipe.grid.sheets],
    }


def path_of(game: str) -> Path:
    return GAMES / game / "map.json"


def read(game: str) -> dict[str, Any]:
    """The map as it is committed."""
    found: dict[str, Any] = json.loads(path_of(game).read_text(encoding="utf-8"))
    return found


def write(game: str) -> Path:
    path = path_of(game)
    path.write_text(to_text(derive(game)), encoding="utf-8")
    return path


def check(game: str) -> list[Finding]:
    """Every fact of the rulebook, held or broken, on the committed map."""
    return check_map(read(game), load_facts(game))

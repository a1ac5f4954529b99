"""Named sets of hexes: stretches of the edge, land beyond a river or behind a line, and sets given by name."""

from __future__ import annotations

from typing import Any

from bulge.geo.draft import Draft
from bulge.geo.facts import Fact
from bulge.geo.lattice import Cell, Side
from bulge.geo.outline import flood, rim, stretch
from bulge.geo.recipe import Entry


def find_areas(draft: Draft, facts: list[Fact], document: dict[str, Any]) -> dict[str, list[str]]:
    """The areas that the rulebook states and those that the recipe describes."""
    areas: dict[str, set[str]] = {}
    for fact in facts:
        if fact["kind"] == "area" and "hexes" in fact and fact["sure"] != "inferred":
            areas.setdefault(fact["name"], set()).update(fact["hexes"])
    for row in draft.recipe.tables("area"):
        found = {draft.recipe.name(cell) for cell in _cells(draft, row, document)}
        if "west_wall" in row:
            held = areas[row["west_wall"].removeprefix("outside ")]
            found |= {name for name, data in document["hexes"].items() if "west_wall" in data} - held
        found |= set(row.get("hexes", []))
        found -= set(row.get("without", []))
        areas.setdefault(row["name"], set()).update(found)
    return {name: sorted(found) for name, found in areas.items()}


def draw_front(draft: Draft, document: dict[str, Any]) -> None:
    """Where the front is the limit of what one side controls, mark its hexsides."""
    name = draft.recipe.table("front").get("control")
    if not name:
        return
    held = {draft.recipe.cell(hex_) for hex_ in document["areas"][name]}
    for cell in held:
        for other in draft.recipe.lattice.neighbours(cell):
            if other in draft.window.board and other not in held:
                side = draft.recipe.side_name(frozenset((cell, other)))
                document["sides"].setdefault(side, {})["front"] = True


def _cells(draft: Draft, row: Entry, document: dict[str, Any]) -> set[Cell]:
    recipe, board = draft.recipe, draft.window.board
    out: set[Cell] = set()
    if "edge" in row:
        edge = rim(recipe.lattice, board)
        for start, end in row["edge"]:
            out |= set(stretch(edge, recipe.cell(start), recipe.cell(end)))
    for name in row.get("up_to", []):
        line, last = recipe.cell(name)
        out |= {cell for cell in board if cell[0] == line and cell[1] <= last}
    if "lines" in row:
        first, last = row["lines"]
        out |= {cell for cell in board if first <= cell[0] <= last}
    if "from" in row:
        start = [recipe.cell(name) for name in row["from"]]
        out |= flood(recipe.lattice, start, board - _stop(draft, row, document), _walls(draft, row, document))
        if row.get("with_west_wall"):
            wall = {recipe.cell(name) for name, data in document["hexes"].items() if "west_wall" in data}
            out |= wall
    return out


def _stop(draft: Draft, row: Entry, document: dict[str, Any]) -> set[Cell]:
    """Hexes that end the land looked for: the West Wall's own, where it is the limit."""
    if not row.get("within_west_wall"):
        return set()
    return {draft.recipe.cell(name) for name, data in document["hexes"].items() if "west_wall" in data}


def _walls(draft: Draft, row: Entry, document: dict[str, Any]) -> set[Side]:
    out: set[Side] = set()
    for name, data in document["sides"].items():
        river = data.get("river")
        if (river is not None and river in row.get("rivers", [])) or (row.get("front") and "front" in data):
            out.add(draft.recipe.side(name))
    return out

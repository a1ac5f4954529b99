"""From a draft to the rows of a map file: terrain, places, stated facts and corrections by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from math import dist
from typing import Any

import shapely

from bulge.geo.draft import Draft
from bulge.geo.facts import Fact
from bulge.geo.lattice import Cell, Point, Side
from bulge.geo.recipe import Entry
from bulge.geo.rivers import LEFT, RIGHT, Course, trace
from bulge.geo.terrain import classify, survey

Rows = dict[str, dict[str, Any]]


def finish(draft: Draft, facts: list[Fact]) -> tuple[Rows, Rows, Rows]:
    hexes = _hexes(draft)
    _terrain(draft, facts, hexes)
    for cell, river in draft.inside.items():
        hexes[draft.recipe.name(cell)]["river"] = river
    _west_wall(draft, facts, hexes)
    _forest_roads(draft, hexes)
    sides = _sides(draft)
    _fords(draft, sides)
    _front(draft, sides)
    _correct(draft, sides)
    edges: Rows = {
        draft.recipe.name(cell): {"road": rank, "leads_to": towards}
        for cell, (rank, towards) in draft.exits.items()
    }
    for row in draft.recipe.tables("exit"):
        edges[row["hex"]] |= {key: row[key] for key in ("leads_to", "vp", "from") if key in row}
    return hexes, sides, edges


def _hexes(draft: Draft) -> Rows:
    hexes: Rows = {name: {} for name in draft.recipe.names.values()}
    shown = {town.place.name for town in draft.towns}
    for cell, towns in draft.town_cells.items():
        if cell not in draft.recipe.names:
            raise ValueError(f"{towns[0].place.name} lies off the map of {draft.recipe.game}")
        row = hexes[draft.recipe.name(cell)]
        row["place"], row["kind"] = towns[0].place.name, towns[0].kind
        if len(towns) > 1:
            row["also"] = [town.place.name for town in towns[1:]]
    least = draft.recipe.table("minor").get("size", 1)
    limit = draft.recipe.table("minor").get("most", 1)
    small = [p for p in draft.land.places.values() if p.name not in shown and p.size >= least]
    kinds = {"city": 0, "town": 1, "village": 2, "crossroads": 3}
    for place in sorted(small, key=lambda p: (-p.size, kinds.get(p.kind, 4), p.name)):
        cell = draft.cell(place.name)
        if cell not in draft.recipe.names:
            continue
        row = hexes[draft.recipe.name(cell)]
        if "place" not in row and len(row.get("minor", [])) < limit:
            row.setdefault("minor", []).append(place.name)
    return hexes


def _terrain(draft: Draft, facts: list[Fact], hexes: Rows) -> None:
    recipe = draft.recipe
    ground = survey(recipe.lattice, draft.window.board, draft.fit.projection, draft.land.regions)
    cleared = _cleared(draft)
    rivers: dict[Cell, int] = {}
    for side in draft.water:
        for cell in side:
            rivers[cell] = rivers.get(cell, 0) + 1
    kinds = classify(ground, recipe.table("terrain")["classes"], cleared, rivers)
    for cell, kind in kinds.items():
        hexes[recipe.name(cell)]["terrain"] = kind
    for fact in facts:
        _stated_terrain(fact, hexes)
    for correction in recipe.corrections:
        if "terrain" in correction.what:
            for name in correction.what["hexes"]:
                hexes[name]["terrain"] = correction.what["terrain"]


def _cleared(draft: Draft) -> dict[Cell, float]:
    """How much less wooded a hex is for its town and roads, and, on maps of fine grain, for villages near by."""
    remote = float(draft.recipe.table("terrain").get("remote", 0.0))
    places = [draft.warp(*place.point) for place in draft.land.places.values() if place.kind != "height"]
    out: dict[Cell, float] = {}
    for cell in draft.window.board:
        out[cell] = 0.03 * min(len(draft.net.at(cell)), 4) + (0.15 if cell in draft.town_cells else 0.0)
        if remote:
            centre = draft.recipe.lattice.centre(cell)
            nearest = min(dist(centre, place) for place in places)
            out[cell] += remote * (0.5 - min(1.0, nearest / 2))
    return out


def _stated_terrain(fact: Fact, hexes: Rows) -> None:
    names = fact.get("hexes") or [fact.get("hex", "")]
    for name in names:
        if name not in hexes:
            continue
        row = hexes[name]
        if fact["kind"] in ("impassable", "clear"):
            row["terrain"] = fact["kind"]
        elif fact["kind"] == "terrain" and row["terrain"] not in fact["any_of"]:
            row["terrain"] = fact["any_of"][-1]
        elif fact["kind"] == "not_terrain" and row["terrain"] in fact["any_of"]:
            row["terrain"] = "clear" if row["terrain"] == "impassable" else "woods"


def _west_wall(draft: Draft, facts: list[Fact], hexes: Rows) -> None:
    rule = draft.recipe.table("west_wall")
    names: set[str] = set(rule.get("hexes", []))
    if "line" in rule:
        names |= {draft.recipe.name(cell) for cell in _under(draft, rule["line"], rule.get("least", 0.35))}
    for fact in facts:
        stated = fact.get("hexes") or [fact.get("hex", "")]
        if fact["kind"] == "west_wall":
            names |= set(stated)
        elif fact["kind"] == "no_west_wall":
            names -= set(stated)
    names -= set(rule.get("not", []))
    for name in names:
        hexes[name]["west_wall"] = True


def _under(draft: Draft, line: str, least: float) -> Iterable[Cell]:
    """The hexes through which a line of the geography runs for at least so many hex widths."""
    course = shapely.LineString([draft.warp(lat, lon) for lat, lon in draft.land.line(line).course])
    for cell in sorted(draft.window.board):
        if course.intersection(shapely.Polygon(draft.recipe.lattice.corners(cell))).length >= least:
            yield cell


def _forest_roads(draft: Draft, hexes: Rows) -> None:
    """Where the recipe says so, lesser roads in thick woods are tracks unless a main road shares the hex."""
    thick = draft.recipe.table("roads").get("track_in", [])
    main = {cell for side, rank in draft.net.sides.items() if rank == "primary" for cell in side}
    for side, rank in draft.net.sides.items():
        if rank == "secondary" and any(
            cell in draft.recipe.names and hexes[draft.recipe.name(cell)]["terrain"] in thick and cell not in main
            for cell in side
        ):
            draft.net.sides[side] = "track"


def _sides(draft: Draft) -> Rows:
    sides: Rows = {}
    board = draft.window.board

    def row(side: Side) -> dict[str, Any]:
        return sides.setdefault(draft.recipe.side_name(side), {})

    for side, river in draft.water.items():
        if side <= board:
            row(side)["river"] = river
    for side, rank in draft.net.sides.items():
        if side <= board:
            row(side)["road"] = rank
            if side in draft.water:
                row(side)["bridge"] = True
    return sides


def _fords(draft: Draft, sides: Rows) -> None:
    """Fords lie where roads that this map leaves out cross its small rivers, away from bridges and other fords."""
    rule = draft.recipe.table("fords")
    if not rule:
        return
    lattice, board = draft.recipe.lattice, draft.window.board

    def middle(side: Side) -> Point:
        one, other = sorted(side)
        return lattice.middle(one, other)

    taken = [middle(side) for side in draft.net.sides if side in draft.water]
    for name in rule["rivers"]:
        river = shapely.LineString(draft.line(name))
        own = sorted((side for side, r in draft.water.items() if r == name and side <= board), key=sorted)
        for road in draft.land.roads:
            line = shapely.LineString([draft.warp(lat, lon) for lat, lon in road.course])
            met = river.intersection(line)
            if met.is_empty or not own:
                continue
            at = met.representative_point().coords[0]
            nearest = min(own, key=lambda side: dist(middle(side), at))
            here = middle(nearest)
            if dist(here, at) < 0.8 and all(dist(here, other) >= rule["apart"] for other in taken):
                taken.append(here)
                sides.setdefault(draft.recipe.side_name(nearest), {})["ford"] = True


def _front(draft: Draft, sides: Rows) -> None:
    """The line of 16 December: traced like a river, with every known hex on its side; or given by rows."""
    rule = draft.recipe.table("front")
    if "line" in rule:
        for side in front_sides(draft, rule):
            if side <= draft.window.board:
                sides.setdefault(draft.recipe.side_name(side), {})["front"] = True


def front_sides(draft: Draft, rule: Entry) -> set[Side]:
    course = [draft.warp(lat, lon) for lat, lon in draft.land.line(rule["line"]).course]
    german = LEFT if rule.get("german", "left") == "left" else RIGHT
    known = {draft.recipe.cell(name): german for name in rule.get("german_hexes", [])}
    known |= {draft.recipe.cell(name): -german for name in rule.get("allied_hexes", [])}
    through = tuple(draft.oriented(side) for side in rule.get("through", []))
    chains = trace(draft.window, [Course("front", tuple(course), "", through, frozenset(), known)])
    chain = chains["front"]
    return {frozenset(draft.window.sides[frozenset(pair)]) for pair in itertools.pairwise(chain)}


def _correct(draft: Draft, sides: Rows) -> None:
    """Corrections of fords and exits. Those of rivers, roads and terrain are made where these are."""
    for correction in draft.recipe.corrections:
        what = correction.what
        for name in what.get("sides", []):
            row = sides.setdefault("/".join(sorted(name.split("/"))), {})
            if "ford" in what:
                row["ford"] = what["ford"]
        if "exit" in what:
            draft.exits[draft.recipe.cell(what["exit"])] = (what["rank"], what["leads_to"])

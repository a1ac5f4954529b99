"""Maps without hexes: spaces on tracks about a centre, laid out on the real ground, and boxes beside them."""

from __future__ import annotations

import itertools
from math import dist
from typing import Any

from bulge.geo.projection import km
from bulge.geo.recipe import Recipe


def derive(recipe: Recipe) -> dict[str, Any]:
    spaces: dict[str, dict[str, Any]] = {}
    centre = km(*next(row for row in recipe.tables("space") if row["number"] == 0)["at"])
    for row in recipe.tables("space"):
        x, y = km(*row["at"])
        spaces[row["id"]] = {
            **{key: row[key] for key in ("name", "terrain", "track", "number", "at", "source") if key in row},
            "km": [round(x - centre[0], 2), round(y - centre[1], 2)],
        }
    links = _tracks(spaces)
    for row in recipe.tables("staging"):
        last = _along(spaces, row["track"])[-1]
        spaces[row["id"]] = {
            "name": row["name"],
            "terrain": "staging",
            "track": row["track"],
            "km": _beyond(spaces[last]["km"], row["beyond_km"]),
            "source": "rulebook 8.2",
        }
        links[link_name(last, row["id"])] = {"kind": "staging"}
    for row in recipe.tables("lateral"):
        one, other = row["from"], row["to"]
        far = dist(spaces[one]["km"], spaces[other]["km"])
        links[link_name(one, other)] = {"kind": "lateral", "name": row["name"], "km": round(far, 1)}
    return {
        "format": 1,
        "game": recipe.game,
        "title": recipe.title,
        "grid": {"numbering": "graph"},
        "spaces": spaces,
        "links": links,
        "areas": _areas(recipe, spaces),
    }


def _along(spaces: dict[str, dict[str, Any]], track: str) -> list[str]:
    """The spaces of a track, from the Center outward."""
    own = [name for name, data in spaces.items() if data.get("track") == track and "number" in data]
    return sorted(own, key=lambda name: int(spaces[name]["number"]))


def link_name(one: str, other: str) -> str:
    return "/".join(sorted((one, other)))


def _tracks(spaces: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    centre = next(name for name, data in spaces.items() if data["terrain"] == "center")
    links: dict[str, dict[str, Any]] = {}
    for track in dict.fromkeys(data["track"] for data in spaces.values() if "track" in data):
        way = [centre, *_along(spaces, track)]
        for one, other in itertools.pairwise(way):
            far = dist(spaces[one]["km"], spaces[other]["km"])
            links[link_name(one, other)] = {"kind": "track", "km": round(far, 1)}
    return links


def _beyond(place: list[float], km_out: float) -> list[float]:
    """A point further out than a place, as seen from the Center."""
    far = dist((0, 0), place)
    return [round(part * (far + km_out) / far, 2) for part in place]


def _areas(recipe: Recipe, spaces: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    areas: dict[str, list[str]] = {name: list(boxes) for name, boxes in recipe.table("boxes").items()}
    for name, (first, last) in recipe.table("counters").items():
        areas[name] = [str(number) for number in range(first, last + 1)]
    areas["staging_areas"] = [name for name, data in spaces.items() if data["terrain"] == "staging"]
    areas["us_control_at_start"] = [name for name, data in spaces.items() if data["terrain"] != "staging"]
    return areas

"""What a rulebook states of its map, checked fact by fact on a derived map.

Facts stand in `bulge/games/<game>/map_facts.toml`, each with its rule. A fact that speaks of a game's own
features (hold values, arrows, scores, entry letters) is left for the game and counted as `later`. A likely
identity that a map sets aside is `read`: its recipe says so and why.
"""

from __future__ import annotations

import itertools
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bulge.core.hexes import NUMBERINGS, Grid, HexBoard, Sheet
from bulge.geo.recipe import GAMES, load

Fact = dict[str, Any]

SAME_RIVER = {
    "Our": {"Our", "Sauer"},
    "Sûre": {"Sauer"},
    "Ourthe": {"Ourthe", "Ourthe Occidentale", "Ourthe Orientale"},
}
"""Rivers that a rulebook calls by another name than we do, or names for a stretch of another."""

SAME_PLACE = {"sthubert": "sainthubert", "marche": "marcheenfamenne", "laroche": "larocheenardenne"}

LATER = {"arrow", "hold_value", "not_vp", "path_cost", "vp"}


@dataclass(frozen=True)
class Finding:
    """How one fact fares on a map: held, broken, later or read."""

    rule: str
    what: str
    sure: str
    status: str
    why: str = ""


def load_facts(game: str) -> list[Fact]:
    path = GAMES / game / "map_facts.toml"
    found: list[Fact] = tomllib.loads(path.read_text(encoding="utf-8"))["fact"]
    return found


def check_map(document: dict[str, Any], facts: list[Fact]) -> list[Finding]:
    checker: Callable[[Fact], bool | None]
    checker = _Graph(document).holds if document["grid"]["numbering"] == "graph" else _Hexes(document).holds
    aside = load(document["game"]).tables("reading")
    out = []
    for fact in facts:
        held = checker(fact)
        reading = next((row for row in aside if _meant(row, fact)), None)
        if held is None:
            status = "later"
        elif held:
            status = "held"
        else:
            status = "read" if reading and fact["sure"] != "stated" else "broken"
        why = reading["why"] if reading and status == "read" else str(fact.get("note", ""))
        out.append(Finding(str(fact["rule"]), in_words(fact), fact["sure"], status, why))
    return out


def _meant(reading: Fact, fact: Fact) -> bool:
    return all(fact.get(key) == value for key, value in reading.items() if key != "why")


def in_words(fact: Fact) -> str:
    """A fact in a few words, for lists."""
    kind = str(fact["kind"]).replace("_", " ")
    if fact["kind"] == "one_of":
        return f"{fact.get('at_least', 1)} of: " + "; ".join(in_words(one) for one in fact["alternatives"])
    parts = [kind]
    single = ("name", "place_kind", "hex", "side", "space", "track", "link")
    parts += [str(fact[key]) for key in single if key in fact]
    for key in ("hexes", "sides", "spaces", "members", "any_of", "rows"):
        if key in fact:
            values = [str(value) for value in fact[key]]
            parts.append(" ".join(values) if len(values) < 9 else f"{values[0]} … {values[-1]} ({len(values)})")
    numbers = ("is", "count", "at_least", "at_most")
    parts += [f"{key.replace('_', ' ')} {fact[key]}" for key in numbers if key in fact]
    return " ".join(parts)


def plain(name: str) -> str:
    """A place's name without accents, hyphens and dots, so that spellings meet."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    letters = "".join(c for c in bare if c.isalpha())
    letters = SAME_PLACE.get(letters, letters)
    return "saint" + letters[2:] if letters.startswith("st") and ("." in name or "St-" in name) else letters


class _Hexes:
    """Questions put to a hex map."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.map = document
        grid = document["grid"]
        sheets = tuple(Sheet(sheet["prefix"], sheet["shift"]) for sheet in grid["sheets"])
        self.grid = Grid(NUMBERINGS[grid["numbering"]], sheets)
        self.hexes: dict[str, dict[str, Any]] = document["hexes"]
        self.sides: dict[str, dict[str, Any]] = document["sides"]
        self.areas: dict[str, list[str]] = document["areas"]
        self.board = HexBoard(self.grid, self.hexes)

    def holds(self, fact: Fact) -> bool | None:
        """Whether a fact holds; None if it speaks of something that is not on this map."""
        kind = fact["kind"]
        if kind in LATER:
            return None
        if kind == "one_of":
            found = [self.holds(one) for one in fact["alternatives"]]
            if all(one is None for one in found):
                return None
            return sum(1 for one in found if one) >= int(fact.get("at_least", 1))
        check: Callable[[Fact], bool | None] = getattr(self, f"_{kind}")
        return check(fact)

    @staticmethod
    def _of(fact: Fact) -> list[str]:
        return list(fact.get("hexes") or ([fact["hex"]] if "hex" in fact else []))

    def _side_data(self, fact: Fact) -> list[dict[str, Any]]:
        names = fact.get("sides") or ([fact["side"]] if "side" in fact else [])
        return [self.sides.get("/".join(sorted(name.split("/"))), {}) for name in names]

    def _on_map(self, fact: Fact) -> bool:
        return all(name in self.hexes for name in self._of(fact))

    def _off_map(self, fact: Fact) -> bool:
        return not any(name in self.hexes for name in self._of(fact))

    def _area(self, fact: Fact) -> bool | None:
        if "members" in fact:
            known = [member in self.areas for member in fact["members"]]
            return all(known) if any(known) else None
        area = self.areas.get(fact["name"])
        if area is None:
            return None if "hexes" not in fact and "rows" not in fact else False
        wanted = set(fact.get("hexes", []))
        if "rows" in fact:
            first, last = fact["rows"]
            closed = self.areas.get("closed", [])
            wanted |= {h for h in self.hexes if first <= int(h[-4:-2]) <= last and h not in closed}
        return wanted <= set(area) and len(area) == fact.get("count", len(area))

    def _adjacent(self, fact: Fact) -> bool:
        one, other = fact["hexes"]
        return self.grid.distance(one, other) == 1

    def _not_adjacent(self, fact: Fact) -> bool:
        return not self._adjacent(fact)

    def _distance(self, fact: Fact) -> bool:
        one, other = fact["hexes"]
        return self.grid.distance(one, other) == int(fact["is"])

    def _places(self, name: str) -> dict[str, dict[str, Any]]:
        """The hexes that show a place: as a town with effect, beside another, or as a mere name."""
        wanted = plain(name)
        return {
            hex_: data
            for hex_, data in self.hexes.items()
            if wanted
            in {plain(n) for n in [data.get("place", ""), *data.get("also", []), *data.get("minor", [])] if n}
        }

    def _place(self, fact: Fact) -> bool:
        named = self._places(fact["name"]) if "name" in fact else self.hexes
        hexes = self._of(fact)
        kind = fact.get("place_kind")
        shown = {h: d for h, d in named.items() if ("place" in d if "name" not in fact else True)}
        if kind:
            shown = {h: d for h, d in shown.items() if d.get("kind") == kind}
        if "count" in fact:
            return len(shown) == int(fact["count"])
        return all(name in shown for name in hexes) if hexes else bool(shown)

    def _not_place(self, fact: Fact) -> bool:
        return not any("place" in self.hexes.get(name, {}) for name in self._of(fact))

    def _terrain(self, fact: Fact) -> bool:
        return all(self.hexes[name]["terrain"] in fact["any_of"] for name in self._of(fact))

    def _not_terrain(self, fact: Fact) -> bool:
        return all(self.hexes[name]["terrain"] not in fact["any_of"] for name in self._of(fact))

    def _impassable(self, fact: Fact) -> bool:
        return all(self.hexes[name]["terrain"] == "impassable" for name in self._of(fact))

    def _clear(self, fact: Fact) -> bool:
        return all(self.hexes[name]["terrain"] == "clear" for name in self._of(fact))

    def _west_wall(self, fact: Fact) -> bool:
        return all("west_wall" in self.hexes[name] for name in self._of(fact))

    def _no_west_wall(self, fact: Fact) -> bool:
        return not any("west_wall" in self.hexes[name] for name in self._of(fact))

    def _german_control(self, fact: Fact) -> bool:
        return set(self._of(fact)) <= set(self.areas.get("german_control", []))

    def _allied_control(self, fact: Fact) -> bool:
        return not set(self._of(fact)) & set(self.areas.get("german_control", []))

    def _front_end(self, fact: Fact) -> bool:
        return all(
            any("front" in data and name in side for side, data in self.sides.items()) for name in fact["hexes"]
        )

    def _edge_road(self, fact: Fact) -> bool:
        return all(name in self.map["edges"] for name in self._of(fact))

    def _named(self, data: dict[str, Any], fact: Fact) -> bool:
        if "river" not in data:
            return False
        wanted = fact.get("name")
        if wanted is None or wanted not in self._rivers | set(SAME_RIVER):
            return True  # a bridge is named for its place, not for its river
        return data["river"] in SAME_RIVER.get(wanted, {wanted})

    @property
    def _rivers(self) -> set[str]:
        return {data["river"] for data in self.sides.values() if "river" in data}

    def _river(self, fact: Fact) -> bool:
        found = self._side_data(fact)
        if not found:
            return fact["name"] in self._rivers
        return all(self._named(data, fact) for data in found)

    def _no_river(self, fact: Fact) -> bool:
        name = fact.get("name")
        return all("river" not in d or (name and d["river"] != name) for d in self._side_data(fact))

    def _unbridged_river(self, fact: Fact) -> bool:
        return all("river" in d and "bridge" not in d for d in self._side_data(fact))

    def _bridge(self, fact: Fact) -> bool:
        return all("bridge" in d and "road" in d and self._named(d, fact) for d in self._side_data(fact))

    def _no_bridge(self, fact: Fact) -> bool:
        return all("bridge" not in d for d in self._side_data(fact))

    def _road(self, fact: Fact) -> bool:
        return all("road" in d for d in self._side_data(fact))

    def _no_road(self, fact: Fact) -> bool:
        return all("road" not in d for d in self._side_data(fact))

    def _dead_end(self, fact: Fact) -> bool:
        return all(
            sum(1 for side, data in self.sides.items() if "road" in data and name in side.split("/")) == 1
            for name in self._of(fact)
        )


class _Graph:
    """Questions put to a map of spaces and links."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.spaces: dict[str, dict[str, Any]] = document["spaces"]
        self.links: dict[str, dict[str, Any]] = document["links"]
        self.areas: dict[str, list[str]] = document["areas"]

    def holds(self, fact: Fact) -> bool | None:
        check: Callable[[Fact], bool | None] = getattr(self, f"_{fact['kind']}")
        return check(fact)

    def _space(self, fact: Fact) -> bool:
        data = self.spaces.get(fact["space"])
        wanted = {key: fact[key] for key in ("name", "track", "number", "terrain") if key in fact}
        return data is not None and all(data.get(key) == value for key, value in wanted.items())

    def _track(self, fact: Fact) -> bool:
        """The spaces of a track, numbered outward from the Center to the staging area."""
        track = sorted(
            (data["number"], name)
            for name, data in self.spaces.items()
            if data.get("track") == fact["track"] and "number" in data
        )
        names = [name for _, name in track]
        if "spaces" in fact and names != fact["spaces"]:
            return False
        way = ["C", *names, fact["staging"]]
        return all(self._linked(one, other) for one, other in itertools.pairwise(way))

    def _linked(self, one: str, other: str, kind: str = "") -> bool:
        link = self.links.get("/".join(sorted((one, other))))
        return link is not None and kind in ("", link["kind"])

    def _link(self, fact: Fact) -> bool:
        one, other = fact["spaces"]
        return self._linked(one, other, fact["link"])

    def _area(self, fact: Fact) -> bool | None:
        area = self.areas.get(fact["name"])
        if area is None:
            return None
        members = set(fact.get("members", [])) - {"every space"}
        return members <= set(area) and len(area) == fact.get("count", len(area))

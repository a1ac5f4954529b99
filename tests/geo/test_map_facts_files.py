"""Each game's map facts: the files parse, have the keys they need, and agree with the grid and each other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bulge.core.hexes import COLUMNS_FROM_EAST, ROWS_FROM_EAST, Grid, Sheet

Fact = dict[str, Any]

GAMES_FOLDER = Path(__file__).parents[2] / "bulge" / "games"
GRIDS = {
    "the_bulge": Grid(ROWS_FROM_EAST),
    "ardennes_offensive": Grid(ROWS_FROM_EAST),
    "ardennes_44": Grid(COLUMNS_FROM_EAST, (Sheet("E", 0), Sheet("W", 32))),
    "enemy_action": Grid(ROWS_FROM_EAST),
}
GAMES = (*GRIDS, "bastogne")
TERRAIN = {
    "the_bulge": {"clear", "rough", "light_woods", "heavy_woods"},
    "ardennes_offensive": {"clear", "rough", "impassable"},
    "ardennes_44": {"clear", "light_woods", "forest", "wooded_rough"},
    "enemy_action": {"clear", "broken", "woods", "forest"},
}
HEX = {game: re.compile(r"[EW]\d{4}" if game == "ardennes_44" else r"\d{4}") for game in GRIDS}

HEXES = ("hex", "hexes")
SIDES = ("side", "sides")
NEEDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "place": ((*HEXES, "name"),),
    "not_place": (HEXES,),
    "terrain": (HEXES, ("any_of",)),
    "not_terrain": (HEXES, ("any_of",)),
    "clear": (HEXES,),
    "impassable": (HEXES,),
    "river": ((*SIDES, "name"),),
    "no_river": (SIDES,),
    "unbridged_river": (SIDES,),
    "bridge": (SIDES,),
    "no_bridge": (SIDES,),
    "road": (SIDES,),
    "no_road": (SIDES,),
    "dead_end": (HEXES,),
    "edge_road": (HEXES,),
    "path_cost": (("hexes",), ("is", "at_least"), ("mover",)),
    "adjacent": (("hexes",),),
    "not_adjacent": (("hexes",),),
    "distance": (("hexes",), ("is",)),
    "on_map": (HEXES,),
    "off_map": (HEXES,),
    "west_wall": (HEXES,),
    "no_west_wall": (HEXES,),
    "german_control": (HEXES,),
    "allied_control": (HEXES,),
    "front_end": (HEXES,),
    "area": (("name",), ("hexes", "rows", "members", "count")),
    "one_of": (("alternatives",),),
    "hold_value": (HEXES, ("is", "at_least")),
    "arrow": (("hex",), ("to",), ("arrow",)),
    "vp": (HEXES,),
    "not_vp": (HEXES,),
    "space": (("space",), ("name",), ("terrain",)),
    "track": (("track",), ("staging",)),
    "link": (("spaces",), ("link",)),
}
"""For each kind, the keys it needs: one of each group."""

EXTRA = {"rule", "kind", "sure", "note", "name", "place_kind", "count", "number", "track", "spaces"}
EXTRA |= {"at_least", "at_most", "mover", "when"}

OPPOSITES = (
    ("place", "not_place"),
    ("west_wall", "no_west_wall"),
    ("german_control", "allied_control"),
    ("on_map", "off_map"),
    ("vp", "not_vp"),
)
"""Kinds that cannot both hold of one hex."""


def read(game: str) -> dict[str, Any]:
    with (GAMES_FOLDER / game / "map_facts.toml").open("rb") as file:
        return tomllib.load(file)


def facts(game: str) -> list[Fact]:
    found: list[Fact] = read(game)["fact"]
    return found


def with_alternatives(game: str) -> Iterator[Fact]:
    for fact in facts(game):
        yield fact
        yield from fact.get("alternatives", ())


def hexes_of(fact: Fact) -> list[str]:
    return [*([fact["hex"]] if "hex" in fact else []), *fact.get("hexes", [])]


def sides_of(fact: Fact) -> list[str]:
    return [*([fact["side"]] if "side" in fact else []), *fact.get("sides", [])]


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_has_a_rule_a_kind_and_how_sure_it_is(game: str) -> None:
    for fact in facts(game):
        assert fact["rule"], fact
        assert fact["kind"] in NEEDS, fact
        assert fact["sure"] in {"stated", "implied", "inferred"}, fact


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_says_what_was_chosen_and_why(game: str) -> None:
    for reading in read(game)["reading"]:
        assert set(reading) == {"rule", "says", "chosen", "why"}
        assert all(reading.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_has_the_keys_that_its_kind_needs_and_no_unknown_ones(game: str) -> None:
    for fact in with_alternatives(game):
        needs = NEEDS[fact["kind"]]
        for group in needs:
            assert any(key in fact for key in group), (group, fact)
        assert set(fact) <= EXTRA | {key for group in needs for key in group}, fact


@pytest.mark.parametrize("game", GAMES)
def test_alternatives_are_facts_themselves(game: str) -> None:
    for fact in facts(game):
        if fact["kind"] == "one_of":
            assert len(fact["alternatives"]) > fact.get("at_least", 1) - 1
            assert len(fact["alternatives"]) > 1
            assert all(each["kind"] in NEEDS and each["kind"] != "one_of" for each in fact["alternatives"])


@pytest.mark.parametrize("game", GRIDS)
def test_hex_numbers_are_well_formed(game: str) -> None:
    for fact in with_alternatives(game):
        for name in [*hexes_of(fact), *([fact["to"]] if "to" in fact else [])]:
            assert HEX[game].fullmatch(name), fact
        assert len(set(hexes_of(fact))) == len(hexes_of(fact)), fact
        for first, last in [fact["rows"]] if "rows" in fact else []:
            assert 1 <= first <= last, fact


@pytest.mark.parametrize("game", GRIDS)
def test_hexsides_join_two_hexes_that_touch_lower_name_first(game: str) -> None:
    for fact in with_alternatives(game):
        for side in sides_of(fact):
            one, other = side.split("/")
            assert HEX[game].fullmatch(one), fact
            assert HEX[game].fullmatch(other), fact
            assert one < other, fact
            assert GRIDS[game].distance(one, other) == 1, fact


@pytest.mark.parametrize("game", GRIDS)
def test_adjacency_and_distance_hold_on_the_grid(game: str) -> None:
    for fact in with_alternatives(game):
        if fact["kind"] in {"adjacent", "not_adjacent", "distance"}:
            one, other = fact["hexes"]
            apart = GRIDS[game].distance(one, other)
            if fact["kind"] == "distance":
                assert apart == fact["is"], fact
            else:
                assert (apart == 1) == (fact["kind"] == "adjacent"), fact


@pytest.mark.parametrize("game", GRIDS)
def test_paths_and_arrows_go_from_hex_to_neighbour(game: str) -> None:
    for fact in with_alternatives(game):
        if fact["kind"] == "path_cost":
            for one, other in zip(fact["hexes"], fact["hexes"][1:], strict=False):
                assert GRIDS[game].distance(one, other) == 1, fact
        if fact["kind"] == "arrow":
            assert GRIDS[game].distance(fact["hex"], fact["to"]) == 1, fact
            assert fact["arrow"] in {"primary", "secondary", "any"}, fact


@pytest.mark.parametrize("game", GRIDS)
def test_terrain_and_places_are_of_kinds_the_game_has(game: str) -> None:
    for fact in with_alternatives(game):
        assert set(fact.get("any_of", ())) <= TERRAIN[game], fact
        assert fact.get("place_kind", "town") in {"village", "town", "city"}, fact


@pytest.mark.parametrize("game", GRIDS)
def test_no_two_facts_contradict_each_other(game: str) -> None:
    by_kind: dict[str, set[str]] = {}
    by_side: dict[str, set[tuple[str, str | None]]] = {}
    for fact in facts(game):
        by_kind.setdefault(fact["kind"], set()).update(hexes_of(fact))
        by_side.setdefault(fact["kind"], set()).update((side, fact.get("name")) for side in sides_of(fact))
    for one, other in OPPOSITES:
        assert not by_kind.get(one, set()) & by_kind.get(other, set())
    sides = {kind: {side for side, _ in named} for kind, named in by_side.items()}
    bridged = sides.get("bridge", set())
    unbridged = sides.get("no_bridge", set()) | sides.get("unbridged_river", set())
    water = sides.get("river", set()) | bridged | sides.get("unbridged_river", set())
    dry = {side for side, name in by_side.get("no_river", set()) if name is None}
    assert not water & dry
    assert not (sides.get("road", set()) | bridged) & sides.get("no_road", set())
    assert not bridged & unbridged


@pytest.mark.parametrize("game", GRIDS)
def test_a_hex_has_one_terrain_one_hold_value_and_one_name_when_its_facts_are_put_together(game: str) -> None:
    terrain: dict[str, set[str]] = {}
    values: dict[str, set[int]] = {}
    names: dict[str, set[str]] = {}
    for fact in facts(game):
        for name in hexes_of(fact):
            if fact["kind"] == "terrain":
                terrain[name] = terrain.get(name, set(TERRAIN[game])) & set(fact["any_of"])
            elif fact["kind"] == "not_terrain":
                terrain[name] = terrain.get(name, set(TERRAIN[game])) - set(fact["any_of"])
            elif fact["kind"] in {"clear", "impassable"}:
                terrain[name] = terrain.get(name, set(TERRAIN[game])) & {fact["kind"]}
            elif fact["kind"] == "hold_value":
                allowed = {fact["is"]} if "is" in fact else set(range(fact["at_least"], 8))
                values[name] = values.get(name, set(range(8))) & allowed
            elif fact["kind"] == "place" and "name" in fact:
                names.setdefault(name, set()).add(fact["name"])
    assert all(terrain.values())
    assert all(values.values())
    assert all(len(each) == 1 for each in names.values())


def test_the_west_wall_of_the_bulge_is_one_unbroken_line_from_edge_to_edge() -> None:
    grid = GRIDS["the_bulge"]
    wall = {name for fact in facts("the_bulge") if fact["kind"] == "west_wall" for name in hexes_of(fact)}
    reached = front = {"0104"}
    while front:
        front = {name for name in wall - reached if any(grid.distance(name, other) == 1 for other in front)}
        reached = reached | front
    assert reached == wall
    assert "1901" in wall


def test_houffalize_is_the_only_hex_two_from_the_three_hexes_of_the_example() -> None:
    grid = GRIDS["enemy_action"]
    everywhere = [f"{row:02}{column:02}" for row in range(1, 27) for column in range(1, 30)]
    stated = ("1410", "1311", "1611")
    assert [name for name in everywhere if all(grid.distance(name, at) == 2 for at in stated)] == ["1412"]


def test_the_tracks_of_bastogne_are_linked_from_the_centre_to_their_staging_areas() -> None:
    found = facts("bastogne")
    spaces = {fact["space"]: fact for fact in found if fact["kind"] == "space"}
    links = {frozenset(fact["spaces"]): fact["link"] for fact in found if fact["kind"] == "link"}
    assert all(end in spaces for pair in links for end in pair)
    assert set(links.values()) == {"track", "lateral", "staging"}
    tracks = [fact for fact in found if fact["kind"] == "track" and "spaces" in fact]
    assert [fact["track"] for fact in tracks] == ["North", "East", "South", "West"]
    for track in tracks:
        ours = track["spaces"]
        assert [spaces[name]["number"] for name in ours] == list(range(1, len(ours) + 1))
        assert all(spaces[name]["track"] == track["track"] for name in ours)
        for one, other in zip(["C", *ours], ours, strict=False):
            assert links[frozenset((one, other))] == "track"
        assert links[frozenset((ours[-1], track["staging"]))] == "staging"
    for pair, kind in links.items():
        if kind == "lateral":
            assert len({spaces[end]["track"] for end in pair}) == 2

"""The committed maps: derived from the geography to the byte, true to their rulebooks, and sound as maps."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import shapely

from bulge.core.board import GraphBoard
from bulge.core.hexes import NUMBERINGS, Grid, HexBoard, Sheet, Sides
from bulge.geo.derive import GRAPH_GAMES, HEX_GAMES, check, derive, drafted, path_of, read
from bulge.geo.draft import Draft
from bulge.geo.evidence import evidence
from bulge.geo.geography import geography
from bulge.geo.lattice import Cell, Lattice, Vertex, Window
from bulge.geo.mapfile import to_text
from bulge.geo.outline import rim
from bulge.geo.recipe import GAMES, load

ALL = pytest.mark.parametrize("game", [*HEX_GAMES, *GRAPH_GAMES])
HEXES = pytest.mark.parametrize("game", HEX_GAMES)
SLOW = {"ardennes_44", "ardennes_offensive"}
DRAFTED = pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.slow if game in SLOW else ()) for game in HEX_GAMES]
)

SHARES = {
    "the_bulge": {"heavy_woods": (0.12, 0.18), "light_woods": (0.28, 0.40), "rough": (0.10, 0.20),
                  "road": (0.45, 0.56)},
    "enemy_action": {"forest": (0.12, 0.22), "woods": (0.20, 0.32), "broken": (0.12, 0.22), "road": (0.40, 0.55)},
    "ardennes_offensive": {"rough": (0.35, 0.50), "impassable": (0.002, 0.012), "road": (0.30, 0.45)},
    "ardennes_44": {"forest": (0.15, 0.25), "light_woods": (0.12, 0.25), "wooded_rough": (0.04, 0.10),
                    "road": (0.40, 0.55)},
}  # fmt: skip
"""What share of a map each terrain, and hexes with a road, may cover."""

MOST_WOODED = 0.55


@cache
def the_map(game: str) -> dict[str, Any]:
    return read(game)


@cache
def the_draft(game: str) -> Draft:
    return drafted(game)


def the_board(game: str) -> HexBoard:
    found = the_map(game)
    sheets = tuple(Sheet(**sheet) for sheet in found["grid"]["sheets"])
    return HexBoard(Grid(NUMBERINGS[found["grid"]["numbering"]], sheets), found["hexes"])


def sides_with(game: str, key: str) -> Sides:
    return the_board(game).sides(name for name, data in the_map(game)["sides"].items() if key in data)


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.slow if g in SLOW else ()) for g in (*HEX_GAMES, *GRAPH_GAMES)]
)
def test_the_map_file_is_what_the_geography_gives(game: str) -> None:
    assert to_text(derive(game)) == path_of(game).read_text(encoding="utf-8"), (
        f"run bulge.geo.derive.write({game!r})"
    )


@ALL
def test_every_fact_of_the_rulebook_holds(game: str) -> None:
    broken = [finding for finding in check(game) if finding.status == "broken"]
    assert not broken


@ALL
def test_a_stated_fact_is_never_set_aside(game: str) -> None:
    assert all(finding.sure != "stated" for finding in check(game) if finding.status == "read")


@ALL
def test_features_left_for_later_are_few(game: str) -> None:
    findings = check(game)
    assert sum(1 for finding in findings if finding.status == "held") >= 0.75 * len(findings)


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.slow if g in SLOW else ()) for g in (*HEX_GAMES, *GRAPH_GAMES)]
)
def test_the_page_of_evidence_is_up_to_date(game: str) -> None:
    page = GAMES.parent.parent / "docs" / "maps" / f"{game}.md"
    assert evidence(game) == page.read_text(encoding="utf-8")


@HEXES
def test_hexes_and_sides_are_well_formed(game: str) -> None:
    found, board = the_map(game), the_board(game)
    for name, data in found["hexes"].items():
        assert data["terrain"], name
        assert ("kind" in data) == ("place" in data), name
    for name in found["sides"]:
        one, other = name.split("/")
        assert one < other, name
        board.side(name)
    for area, hexes in found["areas"].items():
        assert hexes == sorted(hexes), area
        board.set_of(hexes)


@HEXES
def test_every_bridge_lies_on_a_road_and_a_river(game: str) -> None:
    for name, data in the_map(game)["sides"].items():
        assert ("bridge" in data) == ("road" in data and "river" in data), name
        if "ford" in data:
            assert "river" in data, name
            assert "bridge" not in data, name


@HEXES
def test_the_road_net_is_connected(game: str) -> None:
    roads = sides_with(game, "road")
    start = roads.hexes & -roads.hexes
    assert roads.connected(start, the_board(game).all) == roads.hexes


@HEXES
def test_every_town_on_a_main_road_of_1944_has_a_road(game: str) -> None:
    land = geography()
    main = {end for road in land.roads if road.grade == "primary" for end in (road.start, road.end)}
    roads, board = sides_with(game, "road"), the_board(game)
    for name, data in the_map(game)["hexes"].items():
        if data.get("place") in main:
            assert roads.hexes >> board.at(name) & 1, data["place"]


@HEXES
def test_roads_leave_the_map_at_its_edge_and_on_every_side(game: str) -> None:
    recipe = load(game)
    edge = {recipe.name(cell) for cell in rim(recipe.lattice, recipe.names)}
    exits = set(the_map(game)["edges"])
    assert exits <= edge
    roads, board = sides_with(game, "road"), the_board(game)
    for name in exits:
        assert roads.hexes >> board.at(name) & 1 or "place" in the_map(game)["hexes"][name], name
    points = [recipe.lattice.centre(recipe.cell(name)) for name in exits]
    middle = [recipe.lattice.centre(cell) for cell in recipe.names]
    u, v = (sum(p[i] for p in middle) / len(middle) for i in (0, 1))
    for way in (1, -1):
        assert any((p[0] - u) * way > 0 for p in points)
        assert any((p[1] - v) * way > 0 for p in points)


@HEXES
def test_rivers_on_the_map_are_connected_chains(game: str) -> None:
    """A river's hexsides hang together; a part apart from the rest must come in over the map's edge."""
    recipe = load(game)
    window = Window.about(recipe.lattice, recipe.names, margin=1)
    inside = {recipe.cell(name): data["river"] for name, data in the_map(game)["hexes"].items() if "river" in data}
    rim_ends = {end for side, ends in window.ends.items() if not side <= window.board for end in ends}
    by_river: dict[str, list[tuple[Vertex, Vertex]]] = {}
    for name, data in the_map(game)["sides"].items():
        if "river" in data:
            by_river.setdefault(data["river"], []).append(window.ends[recipe.side(name)])
    for river, sides in by_river.items():
        parts = _parts(sides, [_corners(recipe.lattice, window, c) for c, name in inside.items() if name == river])
        loose = [part for part in parts if not part & rim_ends]
        assert len(loose) <= (1 if len(parts) == 1 else 0), river


def _corners(lattice: Lattice, window: Window, cell: Cell) -> set[Vertex]:
    return {end for other in lattice.neighbours(cell) for end in window.ends[frozenset((cell, other))]}


def _parts(sides: list[tuple[Vertex, Vertex]], joints: list[set[Vertex]]) -> list[set[Vertex]]:
    parts: list[set[Vertex]] = []
    for piece in [*joints, *({*ends} for ends in sides)]:
        touching = [part for part in parts if part & piece]
        parts = [part for part in parts if part not in touching] + [piece.union(*touching)]
    return parts


@DRAFTED
def test_tributaries_join_their_rivers(game: str) -> None:
    draft = the_draft(game)
    parted = {row["name"] for row in draft.recipe.tables("river") if row.get("into") == ""}
    for name, chain in draft.chains.items():
        assert len(set(chain)) == len(chain), f"the {name} touches itself"
        parent = draft.land.rivers[name].flows_into
        if parent in draft.chains and name not in parted:
            assert chain[-1] in draft.chains[parent], f"the {name} misses the {parent}"


@DRAFTED
def test_no_town_stands_on_the_wrong_bank(game: str) -> None:
    """A town of several hexes may straddle its river."""
    draft = the_draft(game)
    for name, chain in draft.chains.items():
        known = draft.land.rivers[name].banks
        for start, end in pairwise(chain):
            for cell, bank in zip(draft.window.banks(start, end), ("left", "right"), strict=True):
                for town in draft.town_cells.get(cell, []):
                    own = cell == draft.cell(town.place.name) and cell not in draft.inside
                    assert not own or known.get(town.place.name, bank) == bank, (name, town.place.name)


@DRAFTED
def test_bridges_stand_where_real_roads_cross_real_rivers(game: str) -> None:
    """All but a few within about a hex of a true crossing."""
    draft = the_draft(game)
    rivers = {name: shapely.LineString(draft.line(name)) for name in draft.chains}
    roads = shapely.union_all([shapely.LineString([draft.warp(*p) for p in r.course]) for r in draft.land.roads])
    bridges = {side: name for side, name in draft.net.bridges(draft.water).items() if side <= draft.window.board}
    far = []
    for side, name in bridges.items():
        middle = shapely.Point(draft.recipe.lattice.middle(*sorted(side)))
        if roads.intersection(rivers[name]).distance(middle) > 1.2:
            far.append(draft.recipe.side_name(side))
    assert len(far) <= 0.03 * len(bridges), far


@HEXES
def test_woods_and_roads_cover_plausible_shares(game: str) -> None:
    hexes = the_map(game)["hexes"]
    for kind, (least, most) in SHARES[game].items():
        if kind == "road":
            share = sides_with(game, "road").hexes.bit_count() / len(hexes)
        else:
            share = sum(1 for data in hexes.values() if data["terrain"] == kind) / len(hexes)
        assert least <= share <= most, (kind, share)
    wooded = sum(1 for data in hexes.values() if "woods" in data["terrain"] or data["terrain"] == "forest")
    assert wooded / len(hexes) <= MOST_WOODED


@HEXES
def test_every_hand_correction_has_a_reason(game: str) -> None:
    assert all(len(correction.why) > 3 for correction in load(game).corrections)


def test_the_bulge_supply_nets_reach_the_front() -> None:
    """Each side's roads join its supply edge to the hexes next to the front, over its own ground alone."""
    board, found = the_board("the_bulge"), the_map("the_bulge")
    roads = sides_with("the_bulge", "road")
    german = board.set_of(found["areas"]["german_control"])
    front = sides_with("the_bulge", "front").hexes
    edges = board.set_of(found["edges"])
    for own, name in ((german, "german_supply"), (board.all & ~german, "allied_supply")):
        sources = board.set_of(found["areas"][name]) & edges & own
        assert roads.connected(sources, own) & front


def test_the_bulge_set_up_is_sound() -> None:
    found = the_map("the_bulge")
    german = set(found["areas"]["german_control"])
    assert not any("place" in found["hexes"][name] for name in german)
    towns = [name for name, data in found["hexes"].items() if "place" in data]
    assert 20 <= len(towns) <= 27
    assert found["hexes"]["1307"]["terrain"] == "light_woods"
    assert all("river" in found["sides"][side] for side in ("1306/1307", "1307/1406"))
    meuse = {name for side, data in found["sides"].items() if data.get("river") == "Meuse" and "bridge" in data
             for name in side.split("/")}  # fmt: skip
    assert {"0324", "0823", "1124", "0218"} <= meuse


def test_the_offensive_scores_its_exits() -> None:
    found = the_map("ardennes_offensive")
    exits = {name: data for name, data in found["edges"].items() if "vp" in data}
    assert sum(data["vp"] for data in exits.values()) == 71
    for name, data in exits.items():
        assert "road" in found["sides"]["/".join(sorted((name, data["from"])))], name
        assert sum(name in found["areas"][section] for section in ("NE", "NW", "W", "SW", "SE")) == 1, name
    scored = {data["from"] for data in exits.values()}
    assert not scored & set(found["areas"]["allied_map_edge"])


def test_the_offensive_keeps_roads_off_impassable_ground() -> None:
    found = the_map("ardennes_offensive")
    barred = {name for name, data in found["hexes"].items() if data["terrain"] == "impassable"}
    assert not any(set(side.split("/")) & barred for side, data in found["sides"].items() if "road" in data)


def test_enemy_action_has_seven_german_bridges() -> None:
    found = the_map("enemy_action")
    german = set(found["areas"]["german_control"])
    bridges = [side for side, data in found["sides"].items() if "bridge" in data and set(side.split("/")) & german]
    assert len(bridges) == 7


def test_bastogne_is_one_connected_graph() -> None:
    found = the_map("bastogne")
    board = GraphBoard(list(found["spaces"]), [tuple(name.split("/", 1)) for name in found["links"]])
    assert board.connected(1 << board.at("C"), board.all) == board.all
    for name, link in found["links"].items():
        if link["kind"] == "track":
            assert 0.8 <= link["km"] <= 3.3, name

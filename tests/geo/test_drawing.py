"""Maps as drawings: the same bytes every time, well-formed, every town lettered, no two names over each other."""

import gzip
import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bulge
from bulge.geo.drawing import Counter, draw_board, draw_graph_map, draw_map, to_png
from bulge.geo.drawing.board import Board
from bulge.geo.drawing.graph import GraphSheet
from bulge.geo.drawing.nearest import Nearest
from bulge.geo.drawing.png import NoRendererError
from bulge.geo.drawing.sheet import Sheet
from bulge.geo.geography import geography

MAP_FILES = sorted((Path(bulge.__file__).parent / "games").glob("*/map.json"))
SVG = "{http://www.w3.org/2000/svg}"
LAYERS = [
    "ground",
    "grid",
    "water",
    "fade",
    "lines",
    "traffic",
    "numbers",
    "names",
    "boxes",
    "facts",
    "units",
    "frame",
    "cartouche",
]
TERRAINS = [
    "clear",
    "rough",
    "light_woods",
    "heavy_woods",
    "wooded_rough",
    "impassable",
    "broken",
    "woods",
    "forest",
]
PROJECTION = {
    "matrix": [[0.19, 0.0], [0.0, 0.19]],
    "offset": [-5.0, -5.0],
    "origin": [50.1, 5.9],
    "km_per_hex": 5.3,
}
TOWNS = {(2, 2): ("Houffalize", "town"), (4, 4): ("Bastogne", "city"), (6, 3): ("Noville", "village"),
         (3, 6): ("La Roche", "town"), (7, 7): ("Sibret", "village")}  # fmt: skip


def _is_hex_map(path: Path) -> bool:
    return '"numbering": "graph"' not in path.read_text(encoding="utf-8")[:2000]


def _rows(size: int = 9) -> dict[str, Any]:
    """A made-up map of rows with one of everything."""

    def name(row: int, column: int) -> str:
        return f"{row:02}{column:02}"

    return _map({"numbering": "rows_from_east", "sheets": [{"prefix": "", "shift": 0}]}, size, name)


def _columns(size: int = 9) -> dict[str, Any]:
    """The same as columns, on two sheets of which the western one counts from its own edge."""

    def name(row: int, column: int) -> str:
        return f"E{column:02}{row:02}" if column < 5 else f"W{column - 4:02}{row:02}"

    sheets = [{"prefix": "E", "shift": 0}, {"prefix": "W", "shift": 4}]
    return _map({"numbering": "columns_from_east", "sheets": sheets}, size, name)


def _map(grid: dict[str, Any], size: int, name: Callable[[int, int], str]) -> dict[str, Any]:
    cells = list(itertools.product(range(1, size), repeat=2))
    hexes: dict[str, dict[str, Any]] = {}
    for row, column in cells:
        terrain = TERRAINS[(row * 3 + column // 2) % len(TERRAINS)]
        hexes[name(row, column)] = {"terrain": terrain}
        if (row, column) in TOWNS:
            place, kind = TOWNS[row, column]
            hexes[name(row, column)] |= {"place": place, "kind": kind}
    hexes[name(4, 4)]["also"] = ["Marvie"]
    hexes[name(5, 5)]["minor"] = ["Foy", "Longvilly"]
    for row in range(1, size):
        hexes[name(row, 1)]["west_wall"] = True

    def side(a: tuple[int, int], b: tuple[int, int]) -> str:
        return "/".join(sorted((name(*a), name(*b))))

    sides: dict[str, dict[str, Any]] = {}
    for column in range(1, size - 1):
        sides.setdefault(side((4, column), (4, column + 1)), {})["road"] = "primary"
        sides.setdefault(side((6, column), (6, column + 1)), {})["road"] = "secondary"
    for row in range(1, size - 1):
        sides.setdefault(side((row, 3), (row + 1, 3)), {})["road"] = "track"
    # the two hexsides that a straight line of hexes shares with the next make a river
    for column in range(1, size - 1):
        for other in _touching((2, column), (3, column), grid["numbering"]):
            if 1 <= other[1] < size:
                sides.setdefault(side((2, column), other), {})["river"] = "Ourthe"
    for row in range(1, size - 1):
        sides.setdefault(side((row, 2), (row + 1, 2)), {})["front"] = True
    crossing = next(key for key, features in sides.items() if "river" in features and "road" in features)
    sides[crossing]["bridge"] = True
    sides[next(key for key, features in sides.items() if features == {"river": "Ourthe"})]["ford"] = True
    return {
        "format": 1,
        "game": "test",
        "title": "A test",
        "grid": grid,
        "projection": PROJECTION,
        "hexes": hexes,
        "sides": sides,
        "edges": {name(4, size - 1): {"road": "primary", "leads_to": "Namur"}},
        "turns": ["16 December", "17 December"],
    }


def _touching(cell: tuple[int, int], below: tuple[int, int], numbering: str) -> list[tuple[int, int]]:
    """The neighbours of a hex on the next row or, on flat-top hexes, just the one below or above it."""
    row, column = cell
    if numbering == "columns_from_east":
        return [below]
    return [below, (below[0], column + 1 if row % 2 == 0 else column - 1)]


def _tracks() -> dict[str, Any]:
    spaces = {
        "C": {"name": "Bastogne Center", "terrain": "center", "number": 0, "at": [50.0035, 5.7184]},
        "N1": {"name": "Luzery", "terrain": "open", "track": "North", "number": 1, "at": [50.018, 5.727]},
        "N2": {"name": "Foy", "terrain": "town", "track": "North", "number": 2, "at": [50.040, 5.7455]},
        "E1": {"name": "Neffe", "terrain": "town", "track": "East", "number": 1, "at": [50.0058, 5.753]},
        "N-STAGING": {"name": "North Staging Area", "terrain": "staging", "track": "North"},
        "E-STAGING": {"name": "East Staging Area", "terrain": "staging", "track": "East"},
    }
    links = {
        "C/N1": {"kind": "track"},
        "N1/N2": {"kind": "track"},
        "C/E1": {"kind": "track"},
        "E1/N2": {"kind": "lateral", "name": "Bizory road"},
        "N-STAGING/N2": {"kind": "staging"},
        "E-STAGING/E1": {"kind": "staging"},
    }
    return {"format": 1, "game": "bastogne", "title": "Bastogne", "grid": {"numbering": "graph"}, "spaces": spaces,
            "links": links, "turns": ["19 December"], "areas": {"patton_track": ["1", "Relief"]}}  # fmt: skip


MAPS = {"rows": _rows, "columns": _columns}


@cache
def _drawn(kind: str) -> str:
    return draw_map(MAPS[kind](), geography())


@cache
def _sheet(kind: str) -> Sheet:
    return Sheet(MAPS[kind](), geography())


@pytest.mark.parametrize("kind", MAPS)
def test_a_map_is_well_formed_and_has_its_layers_in_order(kind: str) -> None:
    root = ET.fromstring(_drawn(kind))
    groups = [child.get("id") for child in root if child.tag == SVG + "g"]
    assert groups == LAYERS


@pytest.mark.parametrize("kind", MAPS)
def test_every_reference_leads_somewhere_and_no_id_stands_twice(kind: str) -> None:
    root = ET.fromstring(_drawn(kind))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    links = {element.get("href", "#").removeprefix("#") for element in root.iter() if element.get("href")}
    assert links <= set(ids)


@pytest.mark.parametrize("kind", MAPS)
def test_the_same_map_gives_the_same_bytes(kind: str) -> None:
    assert draw_map(MAPS[kind](), geography()) == _drawn(kind)


@pytest.mark.slow
def test_another_run_of_python_gives_the_same_bytes() -> None:
    """Sets and hashes differ from run to run; the drawing must not."""
    code = (
        "import hashlib, json, sys\n"
        "from bulge.geo.drawing import draw_graph_map, draw_map\n"
        "from bulge.geo.geography import geography\n"
        "hexes, tracks = json.load(sys.stdin)\n"
        "text = draw_map(hexes, geography()) + draw_graph_map(tracks, geography())\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    maps = json.dumps([_columns(), _tracks()])
    prints = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, input=maps, check=True,
                             capture_output=True, text=True)  # fmt: skip
        prints.add(run.stdout)
    assert len(prints) == 1


@pytest.mark.parametrize("kind", MAPS)
def test_every_town_is_lettered(kind: str) -> None:
    lettered = {label.text.lower() for label in _sheet(kind).names.lettering.labels if label.kind == "town"}
    towns = {name.lower() for name, _ in TOWNS.values()} | {"marvie"}
    assert lettered == towns


@pytest.mark.parametrize("kind", MAPS)
def test_no_two_names_overlap(kind: str) -> None:
    labels = _sheet(kind).names.lettering.labels
    assert len(labels) > 8
    for a, b in itertools.combinations(labels, 2):
        assert not a.area.intersects(b.area), f"{a.text} lies over {b.text}"


@pytest.mark.parametrize("kind", MAPS)
def test_every_hex_has_its_number_inside_it(kind: str) -> None:
    sheet = _sheet(kind)
    texts = {element.text for element in ET.fromstring(_drawn(kind)).iter(SVG + "text")}
    assert set(sheet.board.hexes) <= texts
    for name, point in sheet.names.numbers.items():
        x, y = sheet.board.centres[name]
        assert abs(point[0] - x) < 40
        assert abs(point[1] - y) < 50


@pytest.mark.parametrize("kind", MAPS)
def test_the_legend_lists_what_occurs_and_nothing_else(kind: str) -> None:
    root = ET.fromstring(_drawn(kind))
    cartouche = next(group for group in root if group.get("id") == "cartouche")
    words = {element.text for element in cartouche.iter(SVG + "text")}
    assert {"Clear", "Wooded rough", "Impassable", "Track", "Ford", "Bridge", "West Wall", "City"} <= words
    plain = _rows()
    plain["hexes"] = {name: {"terrain": "clear"} for name in plain["hexes"]}
    plain["sides"], plain["edges"] = {}, {}
    words = {element.text for element in ET.fromstring(draw_map(plain, geography())).iter(SVG + "text")}
    assert "Clear" in words
    assert not {"Forest", "Bridge", "Main road", "West Wall", "Town"} & words


@pytest.mark.parametrize("kind", MAPS)
def test_terrain_at_a_hex_centre_is_the_terrain_of_the_hex(kind: str) -> None:
    sheet = _sheet(kind)
    ground = sheet.ground
    for name, (x, y) in sheet.board.centres.items():
        wooded = ground.mesh.at(ground.light, np.array([x]), np.array([y]))[0] > 0.5
        terrain = sheet.board.hexes[name]["terrain"]
        assert wooded == (terrain in {"light_woods", "woods", "heavy_woods", "forest", "wooded_rough"}), name


def test_neighbouring_sheets_join_without_a_gap() -> None:
    """Sheet W's first column follows sheet E's last: the field is one piece, without holes."""
    field = _sheet("columns").board.field
    assert field.geom_type == "Polygon"
    assert len(field.interiors) == 0


def test_a_map_without_hexes_shows_no_grid_and_no_numbers() -> None:
    root = ET.fromstring(draw_map(_rows(), geography(), hexes=False))
    layers = {group.get("id"): group for group in root if group.tag == SVG + "g"}
    assert len(layers["grid"]) == 0
    assert len(layers["numbers"]) == 0


def test_facts_are_ringed_and_units_drawn() -> None:
    units = [Counter("0404", "american", "101", "airborne", "XX", "4"), Counter("0404", "german", "2", "armour")]
    root = ET.fromstring(draw_map(_rows(), geography(), facts=["0404", "0505"], units=units))
    layers = {group.get("id"): group for group in root if group.tag == SVG + "g"}
    assert layers["facts"][0].get("d", "").count("M") == 2
    assert [counter.get("data-hex") for counter in layers["units"]] == ["0404", "0404"]


def test_text_is_escaped() -> None:
    data = _rows()
    data["title"] = "Rock & <Roll>"
    assert ET.fromstring(draw_map(data, geography())).find(SVG + "title").text == "Rock & <Roll>"  # type: ignore[union-attr]


def test_an_invented_country_needs_no_projection() -> None:
    data = _rows()
    del data["projection"]
    words = {element.text for element in ET.fromstring(draw_map(data, geography())).iter(SVG + "text")}
    assert "N" not in words
    assert not any("GeoNames" in text for text in words if text)
    assert "Houffalize" in words


def test_the_board_data_follow_the_drawing() -> None:
    board = draw_board(_rows(), geography())
    sheet = _sheet("rows")
    assert set(board["hexes"]) == set(sheet.board.hexes)
    for key, points in board["roads"].items():
        assert len(points) >= 4, key
        assert len(points) % 2 == 0


@pytest.mark.parametrize("kind", MAPS)
def test_boxes_beside_the_map_are_drawn_on_the_sheet_and_named(kind: str) -> None:
    boxes = {"Dead pile": {"at": [-3, 1], "size": [2, 1.5]}, "Verviers": {"at": [4, 12], "size": [1, 1]}}
    data = MAPS[kind]() | {"boxes": boxes}
    board = draw_board(data, geography())
    assert set(board["boxes"]) == set(boxes)
    for x, y, width, height in board["boxes"].values():
        assert 34 < x - width / 2 < x + width / 2 < board["width"] - 34
        assert 34 < y - height / 2 < y + height / 2 < board["height"] - 34
        assert not any(
            abs(x - at) < width / 2 and abs(y - down) < height / 2 for at, down in board["hexes"].values()
        )
    drawn = draw_map(data, geography())
    assert boxes.keys() <= {element.text for element in ET.fromstring(drawn).iter(SVG + "text")}
    plain = _sheet(kind).board
    moved = Sheet(data, geography()).board
    assert {plain.side(key).ends for key in plain.sides} == {moved.side(key).ends for key in moved.sides}


@pytest.mark.parametrize("kind", MAPS)
def test_a_map_is_small_enough_for_a_phone(kind: str) -> None:
    """64 hexes; at this rate a map of 750 hexes stays under the budget of 0.6 MB gzipped."""
    text = draw_map(MAPS[kind](), geography(), embed_fonts=False)
    assert len(gzip.compress(text.encode(), 6)) < 90_000
    assert text.count("<") - text.count("</") < 900


def test_a_track_map_shows_every_space_and_no_names_overlap() -> None:
    data = _tracks()
    text = draw_graph_map(data, geography(), facts=["N2"], units=[Counter("N2", "american", "506")])
    root = ET.fromstring(text)
    spaces = {group.get("data-space") for group in root.iter(SVG + "g") if group.get("data-space")}
    assert spaces == set(data["spaces"])
    sheet = GraphSheet(data, geography())
    labels = sheet.lettering.labels
    assert {"Foy", "Luzery", "Neffe"} <= {label.text for label in labels}
    for a, b in itertools.combinations(labels, 2):
        assert not a.area.intersects(b.area), f"{a.text} lies over {b.text}"
    for one, other in itertools.combinations(sheet.spaces.values(), 2):
        assert not one.area().intersects(other.area()), f"{one.name} lies over {other.name}"


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in MAP_FILES if _is_hex_map(p)], ids=lambda p: p.parent.name)
def test_the_names_on_the_real_maps(path: Path) -> None:
    """Every town is lettered, no two names overlap, and next to no name lies on a road."""
    sheet = Sheet(json.loads(path.read_text(encoding="utf-8")), geography())
    labels = sheet.names.lettering.labels
    towns, on_roads = [label for label in labels if label.kind == "town"], []
    assert sorted(t.name.lower() for t in sheet.towns.towns) == sorted(label.text.lower() for label in towns)
    for a, b in itertools.combinations(labels, 2):
        assert not a.area.intersects(b.area), f"{a.text} lies over {b.text}"
    for label in towns:  # only the roads nearby: the whole net takes seconds to lay under hundreds of names
        nearby = sheet.roads.net.intersection(label.area.buffer(2)).buffer(1.5)
        if label.area.intersection(nearby).area > 12:
            on_roads.append(label.text)
    assert len(on_roads) <= len(towns) * 0.03, on_roads


def test_png() -> None:
    if importlib.util.find_spec("resvg_py") is None:
        with pytest.raises(NoRendererError, match="resvg-py"):
            to_png(_drawn("rows"))
    else:
        assert to_png(_drawn("rows"), 600).startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", MAPS)
def test_the_nearest_hex_is_the_nearest_wherever_one_asks(kind: str) -> None:
    board = Board(MAPS[kind]())
    nearest = Nearest(board)
    x, y = np.meshgrid(np.linspace(-60, board.width + 60, 97), np.linspace(-60, board.height + 60, 89))
    found = nearest.centres[nearest(x, y)]
    centres = np.array(list(board.centres.values()))
    least = np.hypot(x[..., None] - centres[:, 0], y[..., None] - centres[:, 1]).min(-1)
    assert np.allclose(np.hypot(x - found[..., 0], y - found[..., 1]), least)


def test_no_group_is_blended_as_a_whole() -> None:
    """Such a group takes a picture as large as the sheet, and a third of the time."""
    assert not re.search(r"<g[^>]*\sopacity=", _drawn("rows"))

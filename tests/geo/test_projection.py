"""The fit of a grid, the rubber sheet, the lattice under them and the edge of a board."""

from __future__ import annotations

from math import dist

import pytest

from bulge.core.hexes import COLUMNS_FROM_EAST, ROWS_FROM_EAST, Grid, Numbering
from bulge.geo.derive import HEX_GAMES
from bulge.geo.draft import Draft
from bulge.geo.geography import geography
from bulge.geo.lattice import Lattice, Window
from bulge.geo.outline import flood, rim, stretch
from bulge.geo.projection import Anchor, Projection, fit, km, lat_lon, left_out
from bulge.geo.recipe import load
from bulge.geo.warp import REACH, Pin, pinned

BOTH = pytest.mark.parametrize("numbering", [ROWS_FROM_EAST, COLUMNS_FROM_EAST], ids=lambda n: n.name)

PLACES = [(50.0, 5.7), (50.4, 6.1), (50.5, 5.2), (49.8, 6.3), (50.2, 5.9), (50.3, 5.4)]


def test_kilometres_go_there_and_back() -> None:
    for place in PLACES:
        assert lat_lon(*km(*place)) == pytest.approx(place)


def test_a_degree_of_latitude_is_111_km() -> None:
    assert dist(km(50.0, 6.0), km(51.0, 6.0)) == pytest.approx(111.2)


@BOTH
def test_six_neighbours_lie_one_hex_away(numbering: Numbering) -> None:
    lattice = Lattice(numbering)
    for cell in [(1, 1), (2, 1), (7, 12), (-3, 4)]:
        around = lattice.neighbours(cell)
        assert len(set(around)) == 6
        for other in around:
            assert dist(lattice.centre(cell), lattice.centre(other)) == pytest.approx(1.0)
            assert cell in lattice.neighbours(other)


@BOTH
def test_the_lattice_agrees_with_the_board(numbering: Numbering) -> None:
    grid = Grid(numbering)
    for cell in Lattice(numbering).neighbours((6, 9)):
        assert grid.distance("0609", f"{cell[0]:02}{cell[1]:02}") == 1


@BOTH
def test_a_point_lies_in_the_cell_whose_centre_is_nearest(numbering: Numbering) -> None:
    lattice = Lattice(numbering)
    for cell in [(3, 3), (4, 8), (0, -2)]:
        u, v = lattice.centre(cell)
        assert lattice.at((u + 0.2, v - 0.3)) == cell
        assert lattice.depth((u, v), cell) == pytest.approx(0.5)


@BOTH
def test_left_and_right_of_a_hexside(numbering: Numbering) -> None:
    window = Window.about(Lattice(numbering), [(5, 5), (5, 6), (6, 5)], margin=1)
    for ends, cells in window.sides.items():
        start, end = sorted(ends)
        left, right = window.banks(start, end)
        assert {left, right} == set(cells)
        assert window.banks(end, start) == (right, left)


@pytest.mark.parametrize("model", ["similarity", "affine"])
def test_a_fit_finds_the_projection_that_made_its_anchors(model: str) -> None:
    true = Projection(((0.2, -0.01), (0.01, 0.2)), (-10.0, -9.0))
    lattice = Lattice(ROWS_FROM_EAST)
    anchors = []
    for lat, lon in PLACES:
        cell = lattice.at(true(lat, lon))
        anchors.append(Anchor(f"{lat}", *true.back(lattice.centre(cell)), (cell,)))
    found = fit(lattice, anchors, model)
    assert found.worst < 1e-4
    assert found.projection.km_per_hex == pytest.approx(true.km_per_hex, rel=1e-4)
    assert found.projection.turn == pytest.approx(true.turn, abs=1e-2)
    assert max(left_out(lattice, anchors, model)) < 1e-3


def test_a_projection_goes_there_and_back() -> None:
    projection = Projection(((0.19, 0.01), (-0.02, 0.21)), (3.0, -4.0))
    for place in PLACES:
        assert projection.back(projection(*place)) == pytest.approx(place)


def test_the_rubber_sheet_pulls_a_place_into_its_hex_and_leaves_far_ones_alone() -> None:
    lattice = Lattice(ROWS_FROM_EAST)
    projection = Projection(((0.2, 0.0), (0.0, 0.2)), (-10.0, -9.0))
    lat, lon = 50.0, 5.7
    cell = lattice.neighbours(lattice.at(projection(lat, lon)))[0]
    warp = pinned(lattice, projection, [Pin(lat, lon, cell)])
    assert lattice.at(warp(lat, lon)) == cell
    far = projection.back((projection(lat, lon)[0] + 5 * REACH, projection(lat, lon)[1]))
    assert warp.shift(*far) < 0.01


def test_the_rim_runs_clockwise_round_a_stepped_board() -> None:
    lattice = Lattice(ROWS_FROM_EAST)
    board = {(a, b) for a in range(1, 8) for b in range(1, 6) if a <= 4 or b <= 3}
    edge = rim(lattice, board)
    assert set(edge) == {cell for cell in board if any(n not in board for n in lattice.neighbours(cell))}
    assert len(edge) == len(set(edge))
    assert stretch(edge, (1, 1), (7, 1)) == [(line, 1) for line in range(1, 8)]
    assert stretch(edge, (7, 1), (7, 3)) == [(7, 1), (7, 2), (7, 3)]


def test_a_flood_stops_at_a_wall() -> None:
    lattice = Lattice(ROWS_FROM_EAST)
    board = {(1, place) for place in range(1, 6)}
    assert flood(lattice, [(1, 1)], board, {frozenset({(1, 2), (1, 3)})}) == {(1, 1), (1, 2)}


@pytest.mark.parametrize(("game", "worst"), [("the_bulge", 0.4), ("enemy_action", 0.55), ("ardennes_44", 0.6),
                                             ("ardennes_offensive", 0.3)])  # fmt: skip
def test_every_grid_fits_its_anchors(game: str, worst: float) -> None:
    """Near what one must expect of places that lie anywhere in their hexes (0.37)."""
    draft = Draft(load(game), geography())
    assert draft.fit.rms < worst
    east, north = draft.fit.projection.scales
    assert east == pytest.approx(north, rel=0.03)
    assert abs(draft.fit.projection.turn) < 3.0


def test_games_are_told_apart() -> None:
    assert set(HEX_GAMES) == {"the_bulge", "ardennes_offensive", "ardennes_44", "enemy_action"}
    assert load("the_bulge").title == "The Bulge"


@pytest.mark.parametrize("game", HEX_GAMES)
def test_the_rubber_sheet_folds_nowhere(game: str) -> None:
    draft = Draft(load(game), geography())
    back = draft.fit.projection.back
    step = 0.05
    for cell in draft.recipe.names:
        u, v = draft.recipe.lattice.centre(cell)
        here, east, north = (draft.warp(*back(point)) for point in ((u, v), (u + step, v), (u, v + step)))
        area = (east[0] - here[0]) * (north[1] - here[1]) - (east[1] - here[1]) * (north[0] - here[0])
        assert area > 0.3 * step**2, draft.recipe.name(cell)
        assert dist(here, (u, v)) < 1.2


@pytest.mark.parametrize("game", HEX_GAMES)
def test_every_known_place_lies_in_its_hex(game: str) -> None:
    draft = Draft(load(game), geography())
    for name, cell in draft.fixed.items():
        assert draft.recipe.lattice.at(draft.point(name)) == cell, name

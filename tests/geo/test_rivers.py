"""Rivers laid on hexsides: connected, on the right side of things, through what is stated."""

from __future__ import annotations

from itertools import pairwise

import pytest
import shapely

from bulge.core.hexes import ROWS_FROM_EAST
from bulge.geo.lattice import Cell, Lattice, Point, Window
from bulge.geo.rivers import LEFT, RIGHT, Chains, Course, river_sides, signed_distance, trace

LATTICE = Lattice(ROWS_FROM_EAST)
WINDOW = Window.about(LATTICE, [(line, place) for line in range(1, 11) for place in range(1, 11)])


def along(*cells: Cell) -> tuple[Point, ...]:
    return tuple(LATTICE.centre(cell) for cell in cells)


SOUTHWARD = along((1, 5), (10, 5))


def banks_of(chains: Chains, name: str) -> tuple[set[Cell], set[Cell]]:
    pairs = [WINDOW.banks(a, b) for a, b in pairwise(chains[name])]
    return {left for left, _ in pairs}, {right for _, right in pairs}


def test_a_river_is_a_connected_chain_of_hexsides() -> None:
    chain = trace(WINDOW, [Course("Test", SOUTHWARD)])["Test"]
    assert len(chain) > 10
    assert len(set(chain)) == len(chain)
    assert all(frozenset(pair) in WINDOW.sides for pair in pairwise(chain))


def test_a_town_stays_on_its_bank() -> None:
    for bank in (LEFT, RIGHT):
        chains = trace(WINDOW, [Course("Test", SOUTHWARD, towns={(5, 5): bank})])
        left, right = banks_of(chains, "Test")
        assert (5, 5) in (left if bank == LEFT else right)
        assert (5, 5) not in (right if bank == LEFT else left)


def test_a_river_runs_through_a_stated_hexside_in_the_stated_sense() -> None:
    stated = ((5, 5), (5, 6))
    chains = trace(WINDOW, [Course("Test", SOUTHWARD, through=(frozenset({stated}),))])
    assert stated in [WINDOW.banks(a, b) for a, b in pairwise(chains["Test"])]


def test_a_dry_hexside_stays_dry() -> None:
    plain = river_sides(WINDOW, trace(WINDOW, [Course("Test", SOUTHWARD)]))
    side = next(side for side in plain if (5, 5) in side)
    dry = river_sides(WINDOW, trace(WINDOW, [Course("Test", SOUTHWARD, never=frozenset({side}))]))
    assert side in plain
    assert side not in dry


def test_a_tributary_ends_on_its_parent_and_shares_no_hexside_with_it() -> None:
    courses = [Course("Brook", along((5, 10), (5, 5)), into="Stream"), Course("Stream", SOUTHWARD)]
    chains = trace(WINDOW, courses)
    assert chains["Brook"][-1] in chains["Stream"]
    shared = {frozenset(p) for p in pairwise(chains["Brook"])} & {frozenset(p) for p in pairwise(chains["Stream"])}
    assert not shared


def test_a_course_beyond_the_window_is_left_out() -> None:
    assert trace(WINDOW, [Course("Far", ((100.0, 100.0), (110.0, 100.0)))]) == {}


def test_rivers_that_flow_in_a_ring_are_refused() -> None:
    with pytest.raises(ValueError, match="into each other"):
        trace(WINDOW, [Course("A", SOUTHWARD, into="B"), Course("B", SOUTHWARD, into="A")])


def test_left_is_positive() -> None:
    north = shapely.LineString([(0, 0), (0, 5)])
    assert signed_distance(north, (-1.0, 2.0)) == pytest.approx(1.0)
    assert signed_distance(north, (2.0, 2.0)) == pytest.approx(-2.0)

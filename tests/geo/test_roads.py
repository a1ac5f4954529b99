"""Roads laid from hex to hex: near their course, over the right rivers, without loops and stubs."""

from __future__ import annotations

from itertools import pairwise

import shapely

from bulge.core.hexes import ROWS_FROM_EAST
from bulge.geo.draft import shortest_route
from bulge.geo.geography import geography
from bulge.geo.lattice import Cell, Lattice, Side, Window
from bulge.geo.rivers import Course, river_sides, trace
from bulge.geo.roads import Net, Road, Stretch, Waters, cut_islands, cut_stubs, cut_triangles, join_stretches, lay

LATTICE = Lattice(ROWS_FROM_EAST)
WINDOW = Window.about(LATTICE, [(line, place) for line in range(1, 11) for place in range(1, 11)])
DRY = Waters({}, {})


def road(start: Cell, end: Cell, rank: str = "primary") -> Road:
    return Road((str(start), str(end)), rank, (LATTICE.centre(start), LATTICE.centre(end)), (start, end))


def side(one: Cell, other: Cell) -> Side:
    return frozenset((one, other))


def test_a_road_is_a_path_of_hexes_between_its_ends() -> None:
    net = lay(WINDOW, [road((5, 2), (5, 8))], DRY)
    ((_, path),) = net.paths
    assert path == [(5, place) for place in range(2, 9)]
    assert all(side(*pair) in net.sides for pair in pairwise(path))


def test_a_road_that_leaves_the_window_ends_at_its_edge_and_keeps_its_order() -> None:
    net = lay(WINDOW, [road((5, 40), (5, 8))], DRY)
    ((_, path),) = net.paths
    assert path[-1] == (5, 8)
    assert path[0] in WINDOW.cells
    assert path[0] not in WINDOW.board


def test_a_parallel_road_runs_along_the_main_road() -> None:
    both = [road((5, 2), (5, 8)), road((4, 2), (6, 8), "secondary")]
    net = lay(WINDOW, both, DRY)
    apart = lay(WINDOW, both[1:], DRY)
    assert len(net.sides) < len(apart.sides) + 6


def test_a_road_does_not_cross_a_river_that_the_true_road_does_not_cross() -> None:
    course = (LATTICE.centre((1, 5)), LATTICE.centre((10, 5)))
    chains = trace(WINDOW, [Course("Test", course)])
    waters = Waters(river_sides(WINDOW, chains), {"Test": shapely.LineString(course)})
    beside = lay(WINDOW, [road((2, 6), (9, 6))], waters)
    assert not beside.bridges(waters.sides)
    across = lay(WINDOW, [road((5, 2), (5, 8))], waters)
    assert len(across.bridges(waters.sides)) == 1


def test_no_road_crosses_a_barred_hexside() -> None:
    barred = frozenset({side((5, 4), (5, 5))})
    net = lay(WINDOW, [road((5, 2), (5, 8))], Waters({}, {}, barred=barred))
    assert not barred & set(net.sides)


def test_triangles_lose_their_weakest_side() -> None:
    net = Net(
        {side((5, 5), (5, 6)): "primary", side((5, 6), (6, 5)): "primary", side((5, 5), (6, 5)): "secondary"}
    )
    cut_triangles(WINDOW, net, frozenset(), {})
    assert set(net.sides.values()) == {"primary"}
    assert len(net.sides) == 2


def test_stubs_and_islands_go() -> None:
    net = lay(WINDOW, [road((5, 2), (5, 8))], DRY)
    net.sides[side((5, 5), (6, 5))] = "secondary"
    net.sides[side((9, 9), (9, 10))] = "secondary"
    ends = frozenset({(5, 2), (5, 8)})
    cut_islands(WINDOW, net, ends)
    cut_stubs(WINDOW, net, ends, frozenset())
    assert set(net.sides) == {side(*pair) for pair in pairwise([(5, place) for place in range(2, 9)])}


def test_stretches_join_where_nothing_holds_them() -> None:
    parts = [Stretch(("A", "B"), "primary", ((0, 0), (0, 1))), Stretch(("B", "C"), "primary", ((0, 1), (0, 2)))]
    (joined,) = join_stretches(parts, frozenset({"A", "C"}))
    assert set(joined.ends) == {"A", "C"}
    assert len(joined.course) == 3
    assert len(join_stretches(parts, frozenset({"A", "B", "C"}))) == 2


def test_the_shortest_way_follows_roads_of_the_geography() -> None:
    land = geography()
    pairs = {frozenset((road.start, road.end)) for road in land.roads}
    way = shortest_route(land, ["Bastogne", "Houffalize", "St. Vith"])
    assert way
    assert set(way) <= pairs

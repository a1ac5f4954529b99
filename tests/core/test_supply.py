"""Lines of supply for all spaces at once, against a search from each single space."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.board import GraphBoard
from bulge.core.hexes import HexBoard, Sides
from bulge.core.movement import LinkCosts, NoWay, StepCosts
from bulge.core.spaces import members
from bulge.core.supply import Lines, road_line, supplied, trace, whole_line
from tests.helpers import examples, has_side, hex_board, hex_boards, hex_names, sets_of, sides_on


def has(spaces: int, space: int) -> bool:
    return bool(spaces >> space & 1)


def cheapest_overland(
    board: HexBoard, cost: Callable[[int, int], int | None], origin: int, through: int
) -> dict[int, int]:
    """What it costs to get from one space to each other one, entering only `through` (by relaxing, slowly)."""
    found = {origin: 0}
    changed = True
    while changed:
        changed = False
        for from_ in list(found):
            for to in board.neighbours(from_):
                price = cost(from_, to)
                if price is None or not has(through, to):
                    continue
                if found[from_] + price < found.get(to, 10**9):
                    found[to] = found[from_] + price
                    changed = True
    return found


def joined_by_road(roads: Sides, start: int, through: int) -> set[int]:
    found = {start} if has(through, start) else set()
    pending = list(found)
    while pending:
        here = pending.pop()
        for near in roads.board.neighbours(here):
            if near not in found and has(through, near) and has_side(roads, here, near):
                found.add(near)
                pending.append(near)
    return found


@examples(80)
@given(st.data())
def test_supply_of_all_is_the_supply_of_each(data: st.DataObject) -> None:
    board = data.draw(hex_boards(4, 4))
    roads = data.draw(sides_on(board))
    sources, over, along, rough = (data.draw(sets_of(board)) for _ in range(4))
    limit = data.draw(st.integers(0, 5))
    steps = StepCosts.by_terrain(board, {1: board.all & ~rough, 2: rough})
    lines = supplied(steps, roads, sources, limit, overland_through=over, road_through=along)
    heads = {hex_ for source in members(sources) for hex_ in joined_by_road(roads, source, along)}
    expected = {}
    for origin in members(board.all):
        overland = cheapest_overland(board, steps.cost, origin, over)
        reached = [cost for hex_, cost in overland.items() if hex_ in heads and cost <= limit]
        if reached:
            expected[origin] = min(reached)
    assert {hex_: cost for cost, level in enumerate(lines.levels) for hex_ in members(level)} == expected
    assert set(members(lines.spaces)) == set(expected)
    for origin, cost in expected.items():
        check_line(lines, steps, origin, cost, over)
        head = lines.overland(origin)[-1]
        assert head in heads
        check_road(roads, head, sources, along)


def check_line(lines: Lines, steps: StepCosts, origin: int, cost: int, through: int) -> None:
    way = lines.overland(origin)
    prices = [steps.cost(from_, to) for from_, to in pairwise(way)]
    assert way[0] == origin
    assert sum(price or 99 for price in prices) == cost
    assert all(has(through, hex_) for hex_ in way[1:])


def check_road(roads: Sides, from_: int, sources: int, through: int) -> None:
    way = road_line(roads, from_, sources, through=through)
    assert way[0] == from_
    assert has(sources & through, way[-1])
    assert all(has_side(roads, one, other) for one, other in pairwise(way))
    assert all(has(through, hex_) for hex_ in way[1:])


@examples(60)
@given(st.data())
def test_a_road_line_is_a_shortest_one_or_none(data: st.DataObject) -> None:
    board = data.draw(hex_boards(4, 4))
    roads, sources, through = data.draw(sides_on(board)), data.draw(sets_of(board)), data.draw(sets_of(board))
    from_ = data.draw(st.sampled_from(members(board.all)))
    steps = {from_: 0}
    queue = [from_]
    for here in queue:
        for near in board.neighbours(here):
            if near not in steps and has(through, near) and has_side(roads, here, near):
                steps[near] = steps[here] + 1
                queue.append(near)
    far = [count for hex_, count in steps.items() if has(sources & through, hex_)]
    way = road_line(roads, from_, sources, through=through)
    assert len(way) == (min(far) + 1 if far else 0)
    if far:
        check_road(roads, from_, sources, through)


# ---------------------------------------------------------------------- small cases that say what is meant

# Row 1 is a road from the source in 0101; row 2 lies beside it, row 3 beyond.
BOARD = hex_board(hex_names(1, 3, 1, 6))
ROAD = BOARD.sides(f"010{place}/010{place + 1}" for place in range(1, 6))
PACE = StepCosts.by_terrain(BOARD, {1: BOARD.all})
SOURCE = BOARD.set_of(["0101"])


def supplied_names(limit: int, *, not_over: str = "", not_along: str = "", sources: int = SOURCE) -> set[str]:
    lines = supplied(
        PACE,
        ROAD,
        sources,
        limit,
        overland_through=BOARD.all & ~BOARD.set_of(not_over.split()),
        road_through=BOARD.all & ~BOARD.set_of(not_along.split()),
    )
    return set(BOARD.names_of(lines.spaces))


def rows(*numbers: int) -> set[str]:
    return {f"{row:02}{place:02}" for row in numbers for place in range(1, 7)}


def test_without_any_overland_part_units_must_stand_on_the_road() -> None:
    assert supplied_names(0) == rows(1)


def test_the_overland_part_is_limited_the_road_part_is_not() -> None:
    assert supplied_names(1) == rows(1, 2)
    assert supplied_names(2) == rows(1, 2, 3)


def test_a_cut_road_leaves_what_lies_beyond_without_supply() -> None:
    assert supplied_names(0, not_along="0103") == {"0101", "0102"}


def test_what_blocks_the_road_does_not_block_the_overland_part() -> None:
    assert "0103" in supplied_names(1, not_along="0103")
    assert "0104" in supplied_names(2, not_along="0103")


def test_what_blocks_the_overland_part_does_not_block_the_road() -> None:
    assert supplied_names(1, not_over="0103") >= rows(1)
    assert "0303" not in supplied_names(2, not_over=" ".join(sorted(rows(2))))


def test_a_line_may_begin_where_it_may_not_run() -> None:
    """A unit in an enemy zone traces out of it, but no line runs through it."""
    found = supplied_names(2, not_over=" ".join(sorted(rows(2))))
    assert found == rows(1, 2)


def test_a_unit_on_the_road_needs_no_overland_part_at_all() -> None:
    every = " ".join(sorted(rows(1, 2, 3)))
    assert supplied_names(3, not_over=every) == rows(1)


def test_a_source_that_the_road_may_not_run_through_is_dead() -> None:
    assert supplied_names(3, not_along="0101") == set()
    both = SOURCE | BOARD.set_of(["0106"])
    assert supplied_names(0, not_along="0101", sources=both) == rows(1) - {"0101"}


def test_a_source_off_the_road_supplies_overland_alone() -> None:
    found = supplied_names(1, sources=BOARD.set_of(["0306"]))
    assert found == {"0306", "0305", "0205", "0206"}


def test_there_is_no_line_from_a_space_without_supply() -> None:
    lines = trace(PACE, SOURCE, 1, through=BOARD.all)
    with pytest.raises(NoWay, match="supply"):
        lines.overland(BOARD.at("0306"))
    assert road_line(ROAD, BOARD.at("0306"), SOURCE, through=BOARD.all) == []


def test_a_whole_line_runs_overland_and_then_by_road() -> None:
    lines = supplied(PACE, ROAD, SOURCE, 2, overland_through=BOARD.all, road_through=BOARD.all)
    way = whole_line(lines, ROAD, SOURCE, BOARD.at("0304"))
    assert (way[0], way[-1]) == (BOARD.at("0304"), BOARD.at("0101"))
    assert [BOARD.name(hex_)[:2] for hex_ in way[:3]] == ["03", "02", "01"], "then along the road in row 01"
    assert all(BOARD.adjacent(one, other) for one, other in pairwise(way))
    assert whole_line(trace(PACE, SOURCE, 1, through=BOARD.all), ROAD, SOURCE, BOARD.at("0306")) == []


def test_a_line_through_steps_that_cost_more_one_way() -> None:
    """Lines are counted from the unit to the source, not the other way round."""
    board = GraphBoard(["depot", "hill", "unit"], [("depot", "hill"), ("hill", "unit")])
    down = LinkCosts(board, 1, {(board.at("unit"), board.at("hill")): 5})
    up = LinkCosts(board, 1, {(board.at("hill"), board.at("unit")): 5})
    depot = board.set_of(["depot"])
    assert board.names_of(trace(down, depot, 2, through=board.all).spaces) == ["depot", "hill"]
    lines = trace(up, depot, 2, through=board.all)
    assert board.names_of(lines.spaces) == ["depot", "hill", "unit"]
    assert [board.name(space) for space in lines.overland(board.at("unit"))] == ["unit", "hill", "depot"]

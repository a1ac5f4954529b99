"""Reach, paths and costs, against a plain Dijkstra over single steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.board import GraphBoard
from bulge.core.hexes import HexBoard, Sides
from bulge.core.movement import (
    FREE,
    Limits,
    LinkCosts,
    NoWay,
    Reach,
    StepCosts,
    Steps,
    either,
    points_in_words,
    reach,
)
from bulge.core.spaces import members
from tests.helpers import examples, has_side, hex_board, hex_boards, hex_names, sets_of, sides_on

StepCost = Callable[[int, int], int | None]
"""What one step costs by itself, or None where there is none."""


def has(spaces: int, space: int) -> bool:
    return bool(spaces >> space & 1)


# ---------------------------------------------------------------------- the plain way


def whole_cost(step: StepCost, limits: Limits, from_: int, to: int) -> int | None:
    """A step's cost with extras, or None where it is not allowed."""
    cost = step(from_, to)
    if cost is None or has(limits.blocked, to):
        return None
    if any(has(source, from_) and has(into, to) for source, into in limits.bars):
        return None
    extras = [extra for spaces, extra in limits.enter if has(spaces, to)]
    extras += [extra for spaces, extra in limits.leave if has(spaces, from_)]
    return cost + sum(extras)


def dijkstra(
    spaces: list[int], step: StepCost, starts: Mapping[int, int], budget: int, limits: Limits
) -> dict[int, int]:
    """The cheapest cost of every space in reach. A walk may leave the space it starts in, even one that stops."""
    best: dict[tuple[int, bool], int] = {}
    queue = [(cost, space, True) for cost, held in starts.items() for space in members(held) if cost <= budget]
    queue.sort()
    while queue:
        cost, space, free = heappop(queue)
        may_go_on = free or not has(limits.stop, space)
        if (space, may_go_on) in best:
            continue
        best[space, may_go_on] = cost
        for to in spaces if may_go_on else ():
            price = whole_cost(step, limits, space, to)
            if price is not None and cost + price <= budget:
                heappush(queue, (cost + price, to, False))
    found: dict[int, int] = {}
    for (space, _), cost in best.items():
        found[space] = min(cost, found.get(space, cost))
    return found


# ---------------------------------------------------------------------- maps to move on


@dataclass
class Country:
    """Terrain, rivers and roads, and what a step costs by reading them one by one."""

    board: HexBoard
    terrain: dict[int, int]
    """The cost to enter each hex; a hex that is missing is closed."""
    river: Sides
    river_cost: int
    cliff: Sides
    road: Sides
    road_cost: int

    def step(self, from_: int, to: int) -> int | None:
        if not self.board.adjacent(from_, to) or has_side(self.cliff, from_, to):
            return None
        if to not in self.terrain:
            return None
        if has_side(self.road, from_, to):
            return self.road_cost
        return self.terrain[to] + (self.river_cost if has_side(self.river, from_, to) else 0)

    @property
    def steps(self) -> StepCosts:
        by_cost: dict[int, int] = {}
        for hex_, cost in self.terrain.items():
            by_cost[cost] = by_cost.get(cost, 0) | 1 << hex_
        costs = StepCosts.by_terrain(self.board, by_cost).add(self.river, self.river_cost)
        return costs.along(self.road, self.road_cost).forbid(self.cliff)


@st.composite
def countries(draw: st.DrawFn) -> Country:
    board = draw(hex_boards(4, 4))
    hexes = members(board.all)
    kinds = draw(st.lists(st.sampled_from([0, 2, 4, 5]), min_size=len(hexes), max_size=len(hexes)))
    return Country(
        board,
        {hex_: kind for hex_, kind in zip(hexes, kinds, strict=True) if kind},
        draw(sides_on(board)),
        draw(st.integers(1, 4)),
        draw(sides_on(board)) if draw(st.booleans()) else board.sides(),
        draw(sides_on(board)),
        draw(st.integers(1, 2)),
    )


@st.composite
def limits_on(draw: st.DrawFn, board: HexBoard | GraphBoard) -> Limits:
    some = sets_of(board, 6)
    extras = st.lists(st.tuples(some, st.integers(0, 3)), max_size=3).map(tuple)
    return Limits(
        blocked=draw(some),
        stop=draw(some),
        enter=draw(extras),
        leave=draw(extras),
        bars=draw(st.lists(st.tuples(some, some), max_size=2).map(tuple)),
    )


@st.composite
def starts_on(draw: st.DrawFn, board: HexBoard | GraphBoard) -> dict[int, int]:
    """One space at no cost, or several sets at several costs."""
    one = st.sampled_from(members(board.all)).map(lambda space: {0: 1 << space})
    many = st.dictionaries(st.integers(0, 6), sets_of(board, 3), min_size=1, max_size=3)
    return draw(st.one_of(one, many))


def costs_of(found: Reach) -> dict[int, int]:
    return {space: cost for cost, level in enumerate(found.levels) for space in members(level)}


def check_paths(found: Reach, step: StepCost, limits: Limits) -> None:
    """Every path starts at a start, obeys every rule on the way, and costs what its end says."""
    for space, cost in costs_of(found).items():
        way = found.path(space)
        assert way[-1] == space
        assert not any(has(limits.stop, middle) for middle in way[1:-1]), "a path runs on where it must stop"
        prices = [whole_cost(step, limits, from_, to) for from_, to in pairwise(way)]
        spent = cost - sum(price for price in prices if price is not None)
        assert None not in prices, "a path takes a step that is not allowed"
        assert has(found.start.get(spent, 0), way[0]), "a path does not cost what it should"
        assert found.cost(space) == cost
        if spent == min(start for start, held in found.start.items() if has(held, way[0])):
            assert found.walk(way) == cost


@examples(100)
@given(st.data())
def test_reach_is_what_dijkstra_finds(data: st.DataObject) -> None:
    country = data.draw(countries())
    limits = data.draw(limits_on(country.board))
    starts, budget = data.draw(starts_on(country.board)), data.draw(st.integers(0, 16))
    found = reach(country.steps, starts, budget, limits)
    hexes = members(country.board.all)
    assert costs_of(found) == dijkstra(hexes, country.step, starts, budget, limits)
    assert set(members(found.spaces)) == set(costs_of(found))
    check_paths(found, country.step, limits)


@examples(100)
@given(st.data())
def test_looking_for_the_nearest_finds_all_that_is_no_dearer(data: st.DataObject) -> None:
    country = data.draw(countries())
    limits, starts = data.draw(limits_on(country.board)), data.draw(starts_on(country.board))
    goals = data.draw(sets_of(country.board, 6))
    whole = reach(country.steps, starts, 12, limits)
    dearest = min((cost for space, cost in costs_of(whole).items() if has(goals, space)), default=12)
    nearest = reach(country.steps, starts, 12, limits, until=goals)
    assert costs_of(nearest) == {space: cost for space, cost in costs_of(whole).items() if cost <= dearest}


@examples(60)
@given(st.data())
def test_single_steps_cost_the_same_however_they_are_asked(data: st.DataObject) -> None:
    country = data.draw(countries())
    steps, hexes = country.steps, members(country.board.all)
    front = data.draw(sets_of(country.board))
    for from_ in hexes:
        for to in hexes:
            assert steps.cost(from_, to) == country.step(from_, to)
    onward = {(price, to) for price, into in steps.onward(front) for to in members(into)}
    back = {(price, from_) for price, origins in steps.back(front) for from_ in members(origins)}
    some = members(front)
    assert onward == {(c, to) for f in some for to in hexes if (c := country.step(f, to)) is not None}
    assert back == {(c, f) for to in some for f in hexes if (c := country.step(f, to)) is not None}
    for hex_ in some:
        assert set(steps.from_hex(hex_)) == {(to, c) for to in hexes if (c := country.step(hex_, to)) is not None}
        for to, cost in steps.from_hex(hex_):
            entered = steps.entered(country.board.direction(hex_, to))
            assert [c for c, into in entered if into >> to & 1] == [cost]


@examples(60)
@given(st.data())
def test_tables_of_costs_are_derived_without_changing_the_old_one(data: st.DataObject) -> None:
    country = data.draw(countries())
    board, base, step = country.board, country.steps, country.step
    sides, hexes = data.draw(sides_on(board)), data.draw(sets_of(board))
    other = StepCosts.by_terrain(board, {7: data.draw(sets_of(board))})
    before = {pair: base.cost(*pair) for pair in _pairs(board)}
    derived: dict[str, tuple[StepCosts, StepCost]] = {
        "only": (base.only(sides), lambda f, t: step(f, t) if has_side(sides, f, t) else None),
        "forbid": (base.forbid(sides), lambda f, t: None if has_side(sides, f, t) else step(f, t)),
        "times": (base.times(hexes, 3), lambda f, t: (step(f, t) or 0) * (3 if has(hexes, t) else 1) or None),
        "into": (base.into(hexes, other), lambda f, t: other.cost(f, t) if has(hexes, t) else step(f, t)),
    }
    for name, (table, expected) in derived.items():
        assert {pair: table.cost(*pair) for pair in _pairs(board)} == {
            pair: expected(*pair) for pair in _pairs(board)
        }, name
    assert {pair: base.cost(*pair) for pair in _pairs(board)} == before


def _pairs(board: HexBoard) -> list[tuple[int, int]]:
    return [(hex_, near) for hex_ in members(board.all) for near in board.neighbours(hex_)]


def test_terrain_given_by_exclusion_does_not_run_off_the_board() -> None:
    board = hex_board(hex_names(1, 3, 1, 3))
    woods = board.set_of(["0202"])
    steps = StepCosts.by_terrain(board, {1: ~woods, 2: woods})
    assert reach(steps, board.at("0101"), 9).spaces == board.all


def test_fifths_and_halves_of_a_point_add_up_exactly() -> None:
    """A road at a fifth of a point: fifteen steps cost three points, the sixteenth is too much."""
    board = hex_board(hex_names(1, 1, 1, 20))
    road = board.sides(f"01{place:02}/01{place + 1:02}" for place in range(1, 20))
    steps = StepCosts.by_terrain(board, {5: board.all}).along(road, 1)
    found = reach(steps, board.at("0101"), 15)
    assert found.cost(board.at("0116")) == 15
    assert not has(found.spaces, board.at("0117"))


@pytest.mark.parametrize("cost", [0, -1])
def test_a_step_must_cost_something(cost: int) -> None:
    """A step for nothing would be lost in the flood, and paths could run in circles."""
    board = hex_board(hex_names(1, 2, 1, 2))
    with pytest.raises(ValueError, match="cost"):
        StepCosts.by_terrain(board, {cost: board.all})
    with pytest.raises(ValueError, match="cost"):
        LinkCosts(GraphBoard(["a", "b"], [("a", "b")]), cost)


# ---------------------------------------------------------------------- moves in two modes


@examples(80)
@given(st.data())
def test_a_move_in_two_modes_is_driving_first_and_walking_after(data: st.DataObject) -> None:
    country = data.draw(countries())
    board = country.board
    limits = Limits(blocked=data.draw(sets_of(board, 4)))
    start, budget = data.draw(st.sampled_from(members(board.all))), data.draw(st.integers(0, 12))
    toll = data.draw(st.integers(0, 3))
    driving = reach(country.steps.only(country.road), start, budget, limits)
    starts = {cost + toll: level for cost, level in enumerate(driving.levels) if level}
    walking = reach(country.steps, starts, budget, limits, before=driving)

    # The plain way: one graph whose nodes are a hex in a mode; a hex that walks is numbered above all that drive.
    high = board.all.bit_length()
    nodes = [*members(board.all), *(hex_ + high for hex_ in members(board.all))]

    def step(from_: int, to: int) -> int | None:
        here, there = from_ % high, to % high
        if from_ < high <= to:
            return toll if here == there else None
        if to < high <= from_ or has(limits.blocked, there):
            return None
        drives = from_ < high
        return country.step(here, there) if not drives or has_side_or_not(country.road, here, there) else None

    both = dijkstra(nodes, step, {0: 1 << start}, budget, FREE)
    assert costs_of(driving) == {node: cost for node, cost in both.items() if node < high}
    passed = data.draw(st.sampled_from(members(driving.spaces)))
    from_there = dijkstra(nodes, step, {driving.cost(passed): 1 << passed}, budget, FREE)
    by_way = walking.via(passed) if walking.start else walking
    assert costs_of(by_way) == {node - high: cost for node, cost in from_there.items() if node >= high}
    assert all(passed in by_way.path(hex_) for hex_ in members(by_way.spaces))
    if by_way.earlier is not None:
        then = data.draw(st.sampled_from(members(by_way.earlier.spaces)))
        onward = dijkstra(nodes, step, {by_way.earlier.cost(then): 1 << then}, budget, FREE)
        by_both = by_way.via(then) if by_way.start else by_way
        assert costs_of(by_both) == {node - high: cost for node, cost in onward.items() if node >= high}
        assert all({passed, then} <= set(by_both.path(hex_)) for hex_ in members(by_both.spaces))
    assert costs_of(walking) == {node - high: cost for node, cost in both.items() if node >= high}
    for hex_ in members(walking.spaces):
        way = walking.path(hex_)
        assert (way[0], way[-1]) == (start, hex_)
        assert all(country.step(from_, to) is not None for from_, to in pairwise(way))


def has_side_or_not(sides: Sides, one: int, other: int) -> bool:
    return sides.board.adjacent(one, other) and has_side(sides, one, other)


# ---------------------------------------------------------------------- this very way, and by way of


@pytest.fixture
def meadow() -> HexBoard:
    return hex_board(hex_names(1, 1, 1, 6))


def along_row(board: HexBoard, places: str) -> list[int]:
    return [board.at(f"010{place}") for place in places]


@pytest.mark.parametrize(
    ("way", "why", "fails_at"),
    [
        ("1235", "no way", "35"),
        ("1234", "blocked", "34"),
        ("1212121", "not enough points", "21"),
        ("321", "barred", "32"),
        ("2345", "no start", "23"),
    ],
)
def test_a_walk_is_refused_where_and_why(meadow: HexBoard, way: str, why: str, fails_at: str) -> None:
    limits = Limits(blocked=meadow.set_of(["0104"]), bars=((meadow.set_of(["0103"]), meadow.set_of(["0102"])),))
    starts = {0: meadow.set_of(["0101", "0103"])}
    found = reach(StepCosts.by_terrain(meadow, {1: meadow.all}), starts, 5, limits)
    with pytest.raises(NoWay) as raised:
        found.walk(along_row(meadow, way))
    assert raised.value.why == why
    assert [raised.value.from_, raised.value.to] == along_row(meadow, fails_at)


def test_a_walk_ends_where_it_must_stop_but_may_leave_a_start(meadow: HexBoard) -> None:
    limits = Limits(stop=meadow.set_of(["0101", "0103"]))
    found = reach(StepCosts.by_terrain(meadow, {1: meadow.all}), meadow.at("0101"), 9, limits)
    assert found.walk(along_row(meadow, "123")) == 2
    assert meadow.names_of(found.spaces) == ["0101", "0102", "0103"]
    with pytest.raises(NoWay, match="must stop"):
        found.walk(along_row(meadow, "1234"))


def test_a_start_that_was_come_to_for_less_may_still_be_left(meadow: HexBoard) -> None:
    """The way from 0101 must stop in 0102; a move that starts there, after paying 2, goes on."""
    limits = Limits(stop=meadow.set_of(["0102"]))
    starts = {0: meadow.set_of(["0101"]), 2: meadow.set_of(["0102"])}
    found = reach(StepCosts.by_terrain(meadow, {1: meadow.all}), starts, 3, limits)
    assert [cost for _, cost in sorted(costs_of(found).items())] == [0, 1, 3]
    assert found.path(meadow.at("0103")) == along_row(meadow, "23")


def test_a_start_that_nobody_drove_to_has_no_earlier_part(meadow: HexBoard) -> None:
    """One drives from 0101 and walks on from 0102; another walks from 0105."""
    steps = StepCosts.by_terrain(meadow, {1: meadow.all})
    driving = reach(steps, meadow.at("0101"), 1)
    walking = reach(steps, {1: meadow.set_of(["0102"]), 0: meadow.set_of(["0105"])}, 2, before=driving)
    ways = [walking.path(meadow.at(hex_)) for hex_ in ("0103", "0106")]
    assert ways == [along_row(meadow, "123"), along_row(meadow, "56")]


@pytest.mark.parametrize(("barred", "middle"), [("0201", "0202"), ("0202", "0201")])
def test_a_path_takes_the_one_way_that_is_not_barred(barred: str, middle: str) -> None:
    """Two ways from 0102 to 0302 cost the same, by 0201 and by 0202."""
    board = hex_board(hex_names(1, 3, 1, 2))
    limits = Limits(bars=((board.set_of([barred]), board.set_of(["0302"])),))
    found = reach(StepCosts.by_terrain(board, {1: board.all}), board.at("0102"), 3, limits)
    assert [board.name(hex_) for hex_ in found.path(board.at("0302"))] == ["0102", middle, "0302"]


def test_a_path_passes_by_a_neighbour_from_which_it_is_barred() -> None:
    board = hex_board(hex_names(1, 2, 1, 2))
    limits = Limits(bars=((board.set_of(["0101"]), board.set_of(["0102"])),))
    found = reach(StepCosts.by_terrain(board, {1: board.all}), board.at("0101"), 3, limits)
    assert [board.name(hex_) for hex_ in found.path(board.at("0102"))] == ["0101", "0201", "0102"]


def test_a_walk_may_cost_more_than_the_best_way(meadow: HexBoard) -> None:
    limits = Limits(enter=((meadow.set_of(["0102"]), 2),), leave=((meadow.set_of(["0101"]), 1),))
    found = reach(StepCosts.by_terrain(meadow, {1: meadow.all}), meadow.at("0101"), 20, limits)
    assert found.walk(along_row(meadow, "1")) == 0
    assert found.walk(along_row(meadow, "12")) == found.cost(meadow.at("0102")) == 1 + 2 + 1
    assert found.walk(along_row(meadow, "1212")) == 4 + 1 + 4


def test_what_is_out_of_reach_has_no_cost_and_no_path(meadow: HexBoard) -> None:
    found = reach(StepCosts.by_terrain(meadow, {1: meadow.all}), meadow.at("0101"), 2)
    for ask in (found.cost, found.path, found.via):
        with pytest.raises(NoWay, match="out of reach"):
            ask(meadow.at("0104"))


@examples(60)
@given(st.data())
def test_by_way_of_a_hex_is_the_way_there_and_then_the_way_on(data: st.DataObject) -> None:
    country = data.draw(countries())
    board, limits = country.board, data.draw(limits_on(country.board))
    start, budget = data.draw(st.sampled_from(members(board.all))), data.draw(st.integers(0, 12))
    found = reach(country.steps, start, budget, limits)
    middle = data.draw(st.sampled_from(members(found.spaces)))
    by_way = found.via(middle)
    stops = has(limits.stop, middle) and middle != start
    plain = dijkstra(members(board.all), country.step, {found.cost(middle): 1 << middle}, budget, limits)
    assert costs_of(by_way) == ({middle: found.cost(middle)} if stops else plain)
    for hex_ in members(by_way.spaces):
        way = by_way.path(hex_)
        assert (way[0], way[-1]) == (start, hex_)
        assert middle in way
        assert found.walk(way) == by_way.cost(hex_)


# ---------------------------------------------------------------------- graphs


@examples(80)
@given(st.data())
def test_reach_on_a_graph_with_links_that_differ_by_direction(data: st.DataObject) -> None:
    names = [f"area {number}" for number in range(7)]
    pairs = [(one, other) for one in names for other in names if one < other]
    board = GraphBoard(names, data.draw(st.sets(st.sampled_from(pairs))))
    linked = {(a, b) for a, near in board.links.items() for b in members(near)}
    special = {
        pair: data.draw(st.integers(1, 5))
        for pair in (data.draw(st.sets(st.sampled_from(sorted(linked)))) if linked else ())
    }
    default = data.draw(st.integers(1, 3))
    steps: Steps = LinkCosts(board, default, special)

    def step(from_: int, to: int) -> int | None:
        return special.get((from_, to), default) if (from_, to) in linked else None

    limits, starts = data.draw(limits_on(board)), data.draw(starts_on(board))
    found = reach(steps, starts, 10, limits)
    assert costs_of(found) == dijkstra(members(board.all), step, starts, 10, limits)
    check_paths(found, step, limits)
    for from_ in range(7):
        for to in range(7):
            assert steps.cost(from_, to) == step(from_, to)


@pytest.mark.parametrize(
    ("amount", "point", "words"), [(10, 5, "2"), (1, 5, "1/5"), (17, 5, "3 2/5"), (5, 10, "1/2"), (0, 10, "0")]
)
def test_points_as_a_person_writes_them(amount: int, point: int, words: str) -> None:
    assert points_in_words(amount, point) == words


def test_of_two_moves_the_cheaper_one_is_taken_to_each_space() -> None:
    """A unit may go round woods, or through a gate beyond which everything costs less."""
    board = hex_board(hex_names(1, 1, 1, 12))
    dear = StepCosts.by_terrain(board, {2: board.all})
    cheap = StepCosts.by_terrain(board, {1: board.all})
    gate, home = board.at("0104"), board.at("0105")
    round_it = reach(dear, home, 8)
    over_it = reach(cheap, {2: 1 << gate}, 8, before=round_it)
    found = either(round_it, over_it)
    assert found.spaces == round_it.spaces | over_it.spaces
    assert found.cost(board.at("0106")) == 2, "straight on"
    assert found.cost(board.at("0109")) == 7, "back through the gate and on"
    assert board.names_of(found.spaces)[-1] == "0110"
    assert found.path(board.at("0109"))[:2] == [home, gate]
    assert found.path(board.at("0106")) == [home, board.at("0106")]
    assert found.via(gate).cost(board.at("0109")) == 7

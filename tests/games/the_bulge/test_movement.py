"""Movement: terrain, rivers, roads, mechanized movement, and what may not be entered (rules 9 and 10)."""

from __future__ import annotations

import heapq
import random
from fractions import Fraction
from itertools import pairwise

import pytest

from bulge.games.the_bulge.facts import GERMAN, POINT, SIDES
from bulge.games.the_bulge.movement import Walk, may_drive
from bulge.games.the_bulge.position import BulgePosition
from tests.games.the_bulge.helpers import (
    POINTS_TO_ENTER,
    Plain,
    around,
    at,
    facts,
    first_step,
    hex_off,
    names,
    place,
    play,
    points_left,
    position,
    positions_from_play,
    roads,
    side_is,
    situation,
    terrain,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by

FIELD = ("0419", "0420", "0421", "0422")


def test_the_field_of_these_tests_is_open_ground() -> None:
    for one, other in [*pairwise(FIELD), ("0420", "0520"), ("0421", "0521"), ("0421", "0322")]:
        assert terrain(one) == terrain(other) == "clear"
        assert not any(side_is(one, other, feature) for feature in ("road", "river"))


# ---------------------------------------------------------------------- how units move (9.1 to 9.4)


@pytest.mark.rule("the_bulge", "9.2")
def test_a_player_moves_all_some_or_none_of_his_units() -> None:
    p = position({"12VG": "0420", "18VG": "0422", "4ID": "1412"})
    match = play(p)
    assert offered(match) == {"12VG", "18VG", "done"}
    assert refused_by(match, "4ID") == "5.1"
    match.answer("done")
    assert match.asked().rule == "13.1"


@pytest.mark.rule("the_bulge", "9.2")
def test_units_go_from_hex_to_adjacent_hex_and_may_stop_anywhere() -> None:
    match = answer(play(position({"12VG": "0420"})), "12VG")
    assert offered_names(match) == around("0420")
    assert "stop" in offered(match)
    assert refused_by(match, "0422") == "9.2"


@pytest.mark.rule("the_bulge", "9.2")
def test_a_way_to_a_hex_farther_off_is_made_of_single_steps() -> None:
    match = answer(play(position({"12VG": "0420"})), "12VG")
    match.go("0422")
    assert match.ids == ["12VG", "0421", "0422"]
    assert points_left(match) == 4


@pytest.mark.rule("the_bulge", "9.2")
def test_points_are_not_kept_for_the_next_turn() -> None:
    p = position({"12VG": "0420"})
    answer(play(p), "12VG", "stop", "done")
    p.step, p.turn = "german_movement", 5
    assert points_left(answer(play(p), "12VG")) == 6


@pytest.mark.rule("the_bulge", "9.3")
@pytest.mark.parametrize(("die", "enters"), [(3, False), (4, True)])
def test_a_hex_that_cannot_be_paid_for_cannot_be_entered(die: int, enters: bool) -> None:
    here, there = first_step(lambda one, other: terrain(other) == "heavy_woods" and _trackless(one, other))
    p = position({"12VG": here}, turn=6)
    p.short = units("12VG")
    match = answer(play(p, [die]), "12VG")
    if enters:
        assert costs(match)[there] == "4"
    else:
        assert refused_by(match, there) == "9.3"


@pytest.mark.rule("the_bulge", "9.2", "9.4")
def test_ending_movement_passes_over_whoever_has_not_moved_and_is_not_hemmed_in() -> None:
    ring = zip(["2ID", "99ID", "4ID", "14Cav", "422", "423"], sorted(around("0420")), strict=True)
    p = position({"12VG": "0420", "18VG": "1412", **dict(ring)})
    roles = {option.id: option.role for option in play(p).options()}
    assert roles == {"12VG": "idle", "18VG": "", "done": "end_phase"}
    p.where[unit("423")] = at("1401")
    assert {option.id: option.role for option in play(p).options()}["12VG"] == ""


@pytest.mark.rule("the_bulge", "9.3")
def test_a_unit_that_can_go_nowhere_stays() -> None:
    hex_ = min(
        name
        for name in names(facts().board.all)
        if not roads(name) and all(POINTS_TO_ENTER[terrain(near)] > 1 for near in around(name))
    )
    p = position({"12VG": hex_}, turn=6)
    p.short = units("12VG")
    match = answer(play(p, [1]), "12VG")
    assert match.asked().options == ["done"]
    assert where(p, "12VG") == hex_


@pytest.mark.rule("the_bulge", "9.4", "9.2", "14.4", "14.5")
@pytest.mark.parametrize(
    ("asked", "number"), [("VDH", "14.5"), ("SSES", "2.11"), ("2SS", "12.4"), ("388VAK", "14.7"), ("4ID", "5.1")]
)
def test_who_cannot_move_is_told_why(asked: str, number: str) -> None:
    p = position({"12VG": "0420", "VDH": "1412", "388VAK": "0426", "4ID": "1112"})
    p.where[unit("2SS")] = -2
    p.turn, p.short = 3, units("388VAK")
    assert refused_by(play(p), asked) == number


@pytest.mark.rule("the_bulge", "7.1", "7.6")
def test_supply_to_move_is_judged_anew_for_each_unit() -> None:
    p = position({"4ID": "0904", "423": "0804"}, step="allied_movement")
    match = play(p, [3])
    assert situation(p).supplied_to_move(unit("4ID"))
    answer(match, "423", "0705", "stop", "4ID")
    assert points_left(match) == 3


# ---------------------------------------------------------------------- terrain and rivers (9.5, 9.6)


def _trackless(one: str, other: str) -> bool:
    return not side_is(one, other, "road") and not side_is(one, other, "river")


def _unbridged(one: str, other: str) -> bool:
    return side_is(one, other, "river") and not side_is(one, other, "bridge")


@pytest.mark.rule("the_bulge", "9.5", "9.6")
@pytest.mark.parametrize(
    ("kind", "river", "cost"),
    [
        ("clear", False, "1"),
        ("rough", False, "2"),
        ("light_woods", False, "3"),
        ("heavy_woods", False, "4"),
        ("clear", True, "2"),
        ("heavy_woods", True, "5"),
    ],
)
def test_terrain_costs_one_to_four_points_and_a_river_without_a_bridge_one_more(
    kind: str, river: bool, cost: str
) -> None:
    ground = _unbridged if river else _trackless
    here, there = first_step(lambda one, other: terrain(other) == kind and ground(one, other))
    assert costs(answer(play(position({"12VG": here})), "12VG"))[there] == cost


@pytest.mark.rule("the_bulge", "9.5", "17.0")
@pytest.mark.parametrize(("hex_", "kind"), [("1307", "light_woods"), ("1124", "heavy_woods")])
def test_a_mixed_hex_counts_as_its_dearest_terrain(hex_: str, kind: str) -> None:
    assert terrain(hex_) == kind


def bridge() -> tuple[str, str]:
    """A bridge into a hex whose terrain is dearer than a road, far from the map's corners."""
    return first_step(
        lambda one, other: side_is(one, other, "bridge") and terrain(other) == "heavy_woods" and one > "0500"
    )


@pytest.mark.rule("the_bulge", "9.6", "10.1", "10.2", "10.3", "11.1")
@pytest.mark.parametrize(
    ("id_", "away", "cost"),
    [("12VG", 4, "1"), ("12VG", 3, "2"), ("2Pz", 4, "1/5"), ("2Pz", 3, "2")],
)
def test_an_interdicted_bridge_costs_a_point_on_top_of_the_road_and_is_closed_to_mechanized_movement(
    id_: str, away: int, cost: str
) -> None:
    here, there = bridge()
    match = answer(play(position({id_: here, "4ID": hex_off([here, there], away)}, turn=3)), id_)
    assert costs(match)[there] == cost


@pytest.mark.rule("the_bulge", "9.6", "10.2")
def test_road_movement_goes_on_behind_an_interdicted_bridge() -> None:
    here, there = bridge()
    beyond = min(near for near in roads(there) - {here} if not side_is(there, near, "bridge"))
    p = position({"2Pz": here, "4ID": hex_off([here, there, beyond], 3)}, turn=3)
    match = answer(play(p), "2Pz", there)
    assert costs(match)[beyond] == "1", "by road, but no longer by mechanized movement"


# ---------------------------------------------------------------------- the British (9.8)


@pytest.mark.rule("the_bulge", "9.8")
def test_british_units_stay_west_and_north_of_the_meuse() -> None:
    match = answer(play(position({"29Br": "0324"}, turn=5, step="allied_movement")), "29Br")
    beyond = around("0324") - names(facts().west_of_meuse)
    assert beyond
    assert {refused_by(match, hex_) for hex_ in beyond} == {"9.8"}
    way = match.asked().about
    assert isinstance(way, Walk)
    assert not way.reach().spaces & ~facts().west_of_meuse


@pytest.mark.rule("the_bulge", "9.8")
def test_the_meuse_parts_the_map_and_is_crossed_by_bridges_and_rivers_only() -> None:
    west = facts().west_of_meuse
    border = facts().board.border(west)
    assert (border - facts().rivers).names() == []
    assert west >> at("0324") & 1, "Namur"
    assert not west >> at("1412") & 1, "Bastogne"


@pytest.mark.rule("the_bulge", "9.8", "11.1")
def test_the_british_interdict_bridges_on_both_sides_of_the_meuse() -> None:
    west = names(facts().west_of_meuse)
    broken = {name for hex_ in west for name in situation({"29Br": hex_}).interdicted(GERMAN).names()}
    assert {name for name in broken if not set(name.split("/")) & west}


# ---------------------------------------------------------------------- roads (10.1, 10.2)


def road_into_woods() -> tuple[str, str]:
    """West of the West Wall, where a road leads either side to its supply."""
    german = names(facts().german_at_start)
    return first_step(
        lambda one, other: (
            side_is(one, other, "road")
            and terrain(other) == "heavy_woods"
            and not side_is(one, other, "river")
            and not {one, other} & german
        )
    )


@pytest.mark.rule("the_bulge", "10.1")
@pytest.mark.parametrize(
    ("id_", "step", "cost"),
    [
        ("12VG", "german_movement", "1"),
        ("388VAK", "german_movement", "1"),
        ("2FLAK", "german_movement", "1"),
        ("2Pz", "german_movement", "1/5"),
        ("SSP", "german_movement", "1/5"),
        ("110", "allied_movement", "1/5"),
        ("101AB", "allied_movement", "1/5"),
        ("CCB9", "allied_movement", "1/5"),
    ],
)
def test_a_road_costs_one_point_a_hex_and_a_fifth_for_supplied_mechanized_units(
    id_: str, step: str, cost: str
) -> None:
    here, there = road_into_woods()
    assert costs(answer(play(position({id_: here}, step=step)), id_))[there] == cost


@pytest.mark.rule("the_bulge", "10.1")
def test_a_road_helps_only_over_the_hexside_it_crosses() -> None:
    here, there = first_step(
        lambda one, other: (
            bool(roads(one)) and bool(roads(other)) and terrain(other) == "heavy_woods" and _trackless(one, other)
        )
    )
    assert costs(answer(play(position({"2Pz": here})), "2Pz"))[there] == "4"


@pytest.mark.rule("the_bulge", "10.2")
def test_road_and_other_movement_mix_freely() -> None:
    match = answer(play(position({"12VG": "0420"})), "12VG", "0419", "0418", "0417", "0416", "0316")
    assert points_left(match) == 1
    assert costs(match)["0317"] == "1"


@pytest.mark.rule("the_bulge", "10.1", "9.8")
def test_british_units_drive_too() -> None:
    assert costs(answer(play(position({"29Br": "0223"}, turn=5, step="allied_movement")), "29Br"))["0123"] == "1/5"


# ---------------------------------------------------------------------- mechanized movement (10.3)


@pytest.mark.rule("the_bulge", "10.3", "10.1")
def test_five_road_hexes_cost_one_point() -> None:
    way = ["0418", "0417", "0416", "0415", "0414", "0413"]
    assert all(side_is(one, other, "road") for one, other in pairwise(way))
    match = answer(play(position({"2Pz": way[0]})), "2Pz", *way[1:])
    assert points_left(match) == 5


@pytest.mark.rule("the_bulge", "10.3")
@pytest.mark.parametrize(
    ("hex_", "enemy", "drives"), [("0417", None, True), ("0420", None, False), ("0417", "0416", False)]
)
def test_it_begins_on_a_road_outside_enemy_zones(hex_: str, enemy: str | None, drives: bool) -> None:
    p = position({"2Pz": hex_}, turn=3)
    if enemy:
        place(p, "4ID", enemy)
    assert may_drive(situation(p), unit("2Pz")) == drives


@pytest.mark.rule("the_bulge", "10.3")
def test_after_any_other_movement_there_is_no_mechanized_movement() -> None:
    match = answer(play(position({"2Pz": "0417"})), "2Pz", "0418")
    assert costs(match)["0519"] == "1/5"
    answer(match, "0419")
    assert points_left(match) == 6 - Fraction(6, 5)
    assert costs(match)["0418"] == "1"


@pytest.mark.rule("the_bulge", "10.3", "8.5")
def test_it_ends_before_an_enemy_zone_which_is_then_entered_by_road() -> None:
    match = answer(play(position({"2Pz": "0519", "4ID": "0416"}, turn=3)), "2Pz")
    assert costs(match)["0418"] == "1/5"
    assert costs(answer(match, "0418"))["0417"] == "2"


@pytest.mark.rule("the_bulge", "10.1", "10.3")
def test_units_that_are_not_mechanized_never_drive() -> None:
    s = situation({"12VG": "0417", "2FLAK": "0417"})
    assert not any(may_drive(s, unit(id_)) for id_ in ("12VG", "2FLAK"))


# ---------------------------------------------------------------------- a slow second opinion


def plain_reach(p: BulgePosition, mover: int, points: int, drives: bool) -> dict[str, Fraction]:
    """Every hex in reach with its cheapest cost, by plain search, von der Heydte aside."""
    side = facts().side_of(mover)
    plain, thirds = Plain(p, side), facts().sizes
    friends = {hex_ for number, hex_ in plain.stood.items() if number != mover} & plain.own
    stacking = 0 if mover == facts().ssp else 1
    wall, west = names(facts().wall), names(facts().west_of_meuse)
    us, vak = mover in facts().us_units, mover in facts().vaks

    def load(hex_: str) -> int:
        return sum(thirds[number] for number, there in plain.stood.items() if there == hex_ and number != mover)

    def ways(here: str, there: str, driving: bool) -> list[tuple[Fraction, bool]]:
        if there in plain.enemy or load(there) + thirds[mover] > 6:
            return []
        if facts().british(mover) and there not in west:
            return []
        stack = stacking * ((here in friends) + (there in friends))
        zones = (here in plain.zone) + (there in plain.zone)
        found = []
        if driving and not zones and plain.road(here, there, unbroken=True):
            found.append((Fraction(1, 5) + stack, True))
        if zones < 2 or not (vak or (us and there in wall)):
            by_road = plain.road(here, there, unbroken=False) and (side != GERMAN or p.turn > 1)
            ground = 1 if by_road else POINTS_TO_ENTER[terrain(there)]
            found.append((Fraction(ground + plain.river(here, there) + zones + stack), False))
        return found

    start = (plain.stood[mover], drives)
    best, queue = {start: Fraction(0)}, [(Fraction(0), *start)]
    while queue:
        cost, here, driving = heapq.heappop(queue)
        for there in around(here):
            for more, still in ways(here, there, driving):
                if cost + more <= points and cost + more < best.get((there, still), points + 1):
                    best[there, still] = cost + more
                    heapq.heappush(queue, (cost + more, there, still))
    return {hex_: min(best.get((hex_, mode), Fraction(99)) for mode in (True, False)) for hex_, _ in best}


def stepped_reach(way: Walk) -> dict[str, Fraction]:
    """The same, by taking every step that is offered."""
    start, budget = (way.here, way.by_mech), way.left
    best, queue = {start: 0}, [(0, *start)]
    while queue:
        cost, here, driving = heapq.heappop(queue)
        way.here, way.left, way.by_mech, way._next_at = here, budget - cost, driving, -1
        for there, (more, still) in way.next_steps().items():
            if cost + more < best.get((there, still), budget + 1):
                best[there, still] = cost + more
                heapq.heappush(queue, (cost + more, there, still))
    costs_: dict[str, Fraction] = {}
    for (hex_, _), cost in best.items():
        name = facts().board.name(hex_)
        costs_[name] = min(Fraction(cost, POINT), costs_.get(name, Fraction(99)))
    return costs_


@pytest.mark.rule(
    "the_bulge", "6.4", "6.5", "8.3", "8.5", "9.3", "9.5", "9.6", "9.8", "10.1", "10.2", "10.3", "11.3"
)
@pytest.mark.slow
def test_steps_and_reach_agree_with_a_plain_search_in_positions_from_play() -> None:
    rng = random.Random(0)
    for p in positions_from_play(games=3, every=120):
        p.where[facts().vdh] = -1
        s = situation(p)
        for side in SIDES:
            moving = [
                number for number in facts().units_of[side] if p.where[number] >= 0 and facts().fighting[number]
            ]
            for mover in rng.sample(moving, min(4, len(moving))):
                points, drives = rng.choice([1, 3, 6]), may_drive(s, mover)
                way = Walk(s, mover, p.where[mover], points * POINT, drives)
                found = way.reach()
                by_name = {
                    hex_: Fraction(found.cost(at(hex_)), POINT) for hex_ in facts().board.names_of(found.spaces)
                }
                expected = plain_reach(p, mover, points, drives)
                assert by_name == expected, (p.turn, facts().rows[mover].id)
                assert stepped_reach(way) == expected, (p.turn, facts().rows[mover].id)

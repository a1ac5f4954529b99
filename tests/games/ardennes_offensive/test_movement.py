"""Moving off Road Mode: costs, what stops a unit, who moves when (rules 4.1, 5 and 11)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_offensive.facts import POINT
from tests.games.ardennes_offensive.helpers import (
    ardennes,
    around,
    at,
    beside,
    clockwise,
    dry,
    facts,
    first_step,
    hexes,
    is_in,
    meadow,
    names,
    play,
    points_left,
    position,
    ring,
    side_is,
    situation,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by

GAME = "ardennes_offensive"


def cost_of(one: str, other: str, id_: str) -> str:
    step = "german_movement" if id_ in ("1SSPz", "5FJ") else "allied_movement"
    match = answer(play(position({id_: one}, step=step)), id_)
    return costs(match)[other]


def plain(one: str, other: str) -> bool:
    return dry(one, other) and not is_in(other, facts().wall | facts().cleared_wall)


# ---------------------------------------------------------------------- what steps cost


@pytest.mark.rule(GAME, "5.1B", "11.0")
@pytest.mark.parametrize(("id_", "clear", "rough"), [("1SSPz", "1", "4"), ("5FJ", "1", "2"), ("CCB9", "1", "4")])
def test_clear_and_rough_hexes(id_: str, clear: str, rough: str) -> None:
    to_clear = first_step(lambda one, other: plain(one, other) and is_in(other, facts().clear))
    to_rough = first_step(lambda one, other: plain(one, other) and is_in(other, facts().rough))
    assert cost_of(*to_clear, id_) == clear
    assert cost_of(*to_rough, id_) == rough


@pytest.mark.rule(GAME, "11.0")
@pytest.mark.parametrize(("id_", "ford", "river"), [("1SSPz", "4", "7"), ("5FJ", "2", "4"), ("395Inf", "2", "4")])
def test_fords_and_rivers_cost_more_than_the_hex_behind_them(id_: str, ford: str, river: str) -> None:
    def to_clear(feature: str) -> tuple[str, str]:
        return first_step(
            lambda one, other: (
                side_is(one, other, feature)
                and is_in(other, facts().clear & ~facts().wall & ~facts().cleared_wall)
            )
        )

    assert cost_of(*to_clear("ford"), id_) == ford
    assert cost_of(*to_clear("river"), id_) == river


@pytest.mark.rule(GAME, "11.0", "13.0", "6.0")
@pytest.mark.parametrize("id_", ["1SSPz", "5FJ", "CCB9", "395Inf"])
def test_a_road_costs_one_point_whatever_it_crosses(id_: str) -> None:
    into_rough = first_step(lambda one, other: side_is(one, other, "road") and is_in(other, facts().rough))
    over_bridge = first_step(lambda one, other: side_is(one, other, "bridge"))
    assert cost_of(*into_rough, id_) == "1"
    assert cost_of(*over_bridge, id_) == "1"


@pytest.mark.rule(GAME, "5.1D", "11.0")
def test_rough_under_the_west_wall_costs_an_american_armoured_unit_six_points() -> None:
    """The rulebook's example: four for the rough hex, two for the West Wall."""
    step = first_step(lambda one, other: dry(one, other) and is_in(other, facts().rough & facts().wall))
    assert cost_of(*step, "CCB9") == "6"
    assert cost_of(*step, "395Inf") == "4"
    assert cost_of(*step, "1SSPz") == "4"


@pytest.mark.rule(GAME, "11.0")
def test_a_cleared_hex_of_the_wall_costs_the_allies_nothing_more() -> None:
    step = first_step(lambda one, other: dry(one, other) and is_in(other, facts().cleared_wall))
    assert cost_of(*step, "395Inf") == ("2" if is_in(step[1], facts().rough) else "1")


@pytest.mark.rule(GAME, "11.0", "E3.1-7")
@pytest.mark.parametrize("hex_", ["1516", "1506", "3505", "3612"])
def test_nobody_enters_an_impassable_hex(hex_: str) -> None:
    near = next(name for name in sorted(around(hex_)) if is_in(name, facts().passable))
    match = answer(play(position({"1SSPz": near})), "1SSPz")
    assert refused_by(match, hex_) == "11.0"


@pytest.mark.rule(GAME, "E3.1-4")
@pytest.mark.parametrize("hex_", ["1107", "2819", "1016"])
def test_three_hexes_are_clear_by_the_errata(hex_: str) -> None:
    assert is_in(hex_, facts().clear)


@pytest.mark.rule(GAME, "E3.1-2", "E3.1-3")
def test_a_river_less_and_a_bridge_more_by_the_errata() -> None:
    assert not any(side_is("2211", "2311", feature) for feature in ("river", "ford", "bridge"))
    assert side_is("3010", "3111", "bridge")


@pytest.mark.rule(GAME, "E3.1-1", "5.3L")
def test_nobody_walks_onto_the_edges() -> None:
    match = answer(play(position({"326VG": "0208"})), "326VG")
    assert refused_by(match, "0108") == "E3.1-1"
    assert refused_by(match, "0109") == "5.3L"
    match = answer(play(position({"102Cav": "0209"}, step="allied_movement")), "102Cav")
    assert refused_by(match, "0109") == "5.3L"


@pytest.mark.rule(GAME, "E3.1-5")
def test_the_start_line_runs_from_0108_to_3702() -> None:
    line = names(facts().start_line.hexes)
    assert {"0108", "0109", "3702", "3703"} <= line
    assert facts().board.connected(hexes("0108"), facts().start_line.hexes) == facts().start_line.hexes


# ---------------------------------------------------------------------- one unit's move


@pytest.mark.rule(GAME, "5.0", "5.1C", "5.2J")
def test_a_unit_goes_hex_by_hex_until_its_points_are_spent() -> None:
    here = meadow()
    first, *_ = ring(here)
    match = answer(play(position({"5FJ": here, "14FJ": "2610"})), "5FJ", first, here, first)
    assert points_left(match) == 1
    match.answer(here)
    assert offered(match) == {"14FJ", "done"}
    assert where(match.position, "5FJ") == here


@pytest.mark.rule(GAME, "5.0", "8.2C")
def test_a_division_may_come_back_to_where_it_began() -> None:
    here = meadow()
    match = answer(play(position({"12VG": here})), "12VG", ring(here)[0])
    assert here in offered(match)


@pytest.mark.rule(GAME, "5.2J")
def test_what_cannot_be_paid_for_cannot_be_entered() -> None:
    one, other = first_step(lambda one, other: side_is(one, other, "river") and is_in(other, facts().rough))
    p = position({"5FJ": one})
    p.unsupplied = units("5FJ")
    match = answer(play(p), "5FJ")
    assert points_left(match) == 2
    assert refused_by(match, other) == "5.2J"


@pytest.mark.rule(GAME, "5.1A", "5.0")
def test_movement_is_by_choice_and_only_once() -> None:
    here = meadow()
    match = play(position({"5FJ": here, "14FJ": "2610"}))
    assert {"5FJ", "14FJ", "done"} == offered(match)
    answer(match, "5FJ", "stop")
    assert offered(match) == {"14FJ", "done"}
    assert refused_by(match, "5FJ") == "5.0"


@pytest.mark.rule(GAME, "5.1E", "8.1B")
def test_units_move_one_at_a_time() -> None:
    here = meadow()
    match = answer(play(position({"5FJ": here, "8FJ": here})), "5FJ")
    assert refused_by(match, "8FJ") == "5.1E"
    answer(match, ring(here)[0])
    assert where(match.position, "8FJ") == here


@pytest.mark.rule(GAME, "5.2F")
def test_no_unit_enters_an_enemy_hex() -> None:
    here = meadow()
    target = ring(here)[0]
    match = answer(play(position({"5FJ": here, "8FJ": here, "395Inf": target})), "5FJ")
    assert refused_by(match, target) == "5.2F"


@pytest.mark.rule(GAME, "4.1", "5.1A")
def test_only_the_phasing_player_moves() -> None:
    here = meadow()
    match = play(position({"5FJ": here, "395Inf": "0710"}))
    assert refused_by(match, "395Inf") == "4.1"


@pytest.mark.rule(GAME, "5.2K", "4.1")
def test_mechanized_movement_is_for_mechanized_units_that_did_not_fight() -> None:
    here = meadow()
    p = position({"1SSPz": here, "12SSPz": ring(here)[0], "5FJ": ring(here)[3]}, step="german_mechanized")
    p.attacked = units("12SSPz")
    match = play(p)
    assert offered(match) == {"1SSPz", "done"}
    assert refused_by(match, "5FJ") == "5.2K"
    assert refused_by(match, "12SSPz") == "5.2K"


@pytest.mark.rule(GAME, "4.1", "5.1C")
def test_mechanized_units_have_their_whole_allowance_in_both_phases() -> None:
    here, there = meadow(), ring(meadow())[0]
    match = answer(play(position({"1SSPz": here, "395Inf": "0710"})), "1SSPz", there, "stop")
    assert match.position.step == "german_mechanized"
    match.answer("1SSPz")
    assert points_left(match) == 10


@pytest.mark.rule(GAME, "12.6")
@pytest.mark.parametrize(("id_", "points"), [("1SSPz", 5), ("CCB9", 6), ("5FJ", 2), ("395Inf", 2)])
def test_a_unit_without_supply_has_half_its_points(id_: str, points: int) -> None:
    step = "german_movement" if id_ in ("1SSPz", "5FJ") else "allied_movement"
    p = position({id_: meadow()}, step=step)
    p.unsupplied = units(id_)
    assert points_left(answer(play(p), id_)) == points


# ---------------------------------------------------------------------- stacking costs


@pytest.mark.rule(GAME, "8.1A", "5.2H")
@pytest.mark.parametrize(("id_", "friend", "toll"), [("1SSPz", "5FJ", 6), ("8FJ", "5FJ", 2)])
def test_joining_and_leaving_a_stack_costs_the_same(id_: str, friend: str, toll: int) -> None:
    here = meadow()
    there = ring(here)[0]
    joining = answer(play(position({id_: here, friend: there})), id_)
    assert costs(joining)[there] == str(1 + toll)
    leaving = answer(play(position({id_: here, friend: here})), id_)
    assert costs(leaving)[there] == str(1 + toll)


@pytest.mark.rule(GAME, "5.2H")
@pytest.mark.parametrize("id_", ["1SSPz", "5FJ", "CCB9", "395Inf"])
def test_nobody_can_afford_to_pass_through_a_friend(id_: str) -> None:
    here = meadow()
    german = id_ in ("1SSPz", "5FJ")
    there = clockwise(here)[0]
    friend = "8FJ" if german else "9Inf"
    step = "german_movement" if german else "allied_movement"
    match = answer(play(position({id_: here, friend: there}, step=step)), id_, there)
    assert offered(match) == {friend, "done"}, "the move is over: nothing more can be paid for"


@pytest.mark.rule(GAME, "8.3E")
def test_any_unit_of_a_stack_may_leave_it() -> None:
    here = meadow()
    match = play(position({"5FJ": here, "8FJ": here, "9FJ": here}))
    assert offered_names(match) == {"5FJ", "8FJ", "9FJ"}
    for id_ in ("5FJ", "8FJ", "9FJ"):
        assert ring(here)[0] in offered(answer(play(position({"5FJ": here, "8FJ": here, "9FJ": here})), id_))


# ---------------------------------------------------------------------- dormant units


@pytest.mark.rule(GAME, "5.3M", "9.7P")
def test_a_dormant_unit_wakes_when_a_friend_stands_next_to_it() -> None:
    p = position({"38Inf": "0211"}, step="allied_conversions")
    for id_ in ("395Inf", "9Inf"):
        beside(p, id_, "0112", dormant=True)
    beside(p, "23Inf", "0118", dormant=True)
    match = play(p)
    assert offered(match) == {"38Inf", "395Inf", "9Inf", "done"}
    assert refused_by(match, "23Inf") == "5.3M"
    match.answer("395Inf")
    assert "0212" in offered(match)
    assert refused_by(match, "0113") == "5.3L"
    answer(match, "0212", "stop")
    assert where(match.position, "395Inf") == "0212"
    assert not match.position.dormant & units("395Inf")
    assert match.position.dormant == units("9Inf", "23Inf")


@pytest.mark.rule(GAME, "5.3M")
def test_a_dormant_unit_that_does_not_come_back_goes_on_sleeping() -> None:
    p = position({"38Inf": "0211"}, step="allied_conversions")
    beside(p, "395Inf", "0112", dormant=True)
    match = answer(play(p), "395Inf", "stop")
    assert where(match.position, "395Inf") == "beside 0112"
    assert match.position.dormant == units("395Inf")


@pytest.mark.rule(GAME, "5.3M", "5.3N")
def test_a_german_zone_does_not_hold_a_woken_unit() -> None:
    p = position({"38Inf": "0211", "1SSPz": "0213"}, step="allied_conversions")
    beside(p, "395Inf", "0113", dormant=True)
    p.where[unit("38Inf")] = at("0212")
    match = play(p)
    assert is_in("0113", situation(p).zones["German"])
    match.answer("395Inf")
    assert "0212" in offered(match)
    assert "stop" in offered(match)


@pytest.mark.rule(GAME, "5.3M", "7.5E")
def test_a_dormant_unit_has_no_zone_and_cannot_be_attacked() -> None:
    p = position({"1SSPz": "0211"}, step="german_combat")
    beside(p, "395Inf", "0112", dormant=True)
    match = play(p)
    assert match.position.step != "german_combat"
    walk = answer(play(beside(position({"1SSPz": "0311"}), "395Inf", "0112", dormant=True)), "1SSPz", "0211")
    assert "0311" in offered(walk), "no zone has stopped it"


@pytest.mark.rule(GAME, "8.3F")
def test_map_edge_hexes_hold_any_number() -> None:
    p = position(step="allied_movement")
    for id_ in ("395Inf", "9Inf", "38Inf", "393Inf", "394Inf"):
        beside(p, id_, "0112", dormant=True)
    ardennes().check(p)
    assert not situation(p).loads


# ---------------------------------------------------------------------- everywhere at once


@pytest.mark.rule(GAME, "5.0")
def test_a_hex_farther_off_is_reached_by_single_steps() -> None:
    here = meadow()
    far = ring(here, 2)[0]
    match = answer(play(position({"5FJ": here, "395Inf": "0710"})), "5FJ")
    match.go(far)
    assert where(match.position, "5FJ") == far
    assert match.asked().about.way.path[0] == facts().board.at(here)
    assert match.asked().about.way.left == 2 * POINT

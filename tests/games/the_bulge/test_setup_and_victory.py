"""The map and the counters, set-up, hex control, victory and the sequence of play (rules 1 to 5)."""

from __future__ import annotations

import pytest

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games.hexes.roster import DUE, GONE
from bulge.games.the_bulge.combat import lose_step
from bulge.games.the_bulge.facts import ALLIED, GERMAN, LAST_TURN
from bulge.games.the_bulge.movement import Walk
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    amounts,
    around,
    at,
    battle,
    bulge,
    facts,
    first_step,
    hex_off,
    hexes,
    names,
    play,
    points_left,
    position,
    roads,
    side_is,
    situation,
    start,
    terrain,
    unit,
    units,
)
from tests.helpers import answer, costs, offered, refused_by, run_until

PIERCED = {"0503", "0804", "1005"}


# ---------------------------------------------------------------------- map and counters (1, 2)


@pytest.mark.rule("the_bulge", "1.3")
@pytest.mark.parametrize(
    ("side", "corners", "length"),
    [
        ("north_edge", {"0101", "0126"}, 26),
        ("east_edge", {"0101", "1901"}, 19),
        ("west_edge", {"0126", "1326"}, 13),
        ("south_edge", {"1901", "1326"}, None),
    ],
)
def test_the_corners_of_the_map_belong_to_two_sides(side: str, corners: set[str], length: int | None) -> None:
    found = names(facts().map.area(side))
    assert corners <= found
    assert length is None or len(found) == length


@pytest.mark.rule("the_bulge", "2.2", "4.3")
def test_the_towns_whose_hexes_the_rulebook_names_are_there() -> None:
    places = facts().places
    assert places[at("1412")] == "Bastogne"
    assert places[at("0324")] == "Namur"
    assert facts().towns >> at("1124") & 1


@pytest.mark.rule("the_bulge", "2.4")
def test_peiper_is_a_division_of_two_steps_worth_three_and_two() -> None:
    row = facts().rows[unit("SSP")]
    assert (row.size, row.factor, row.reduced, row.steps, row.hex) == ("[XX]", 3, 2, 2, "0401")


@pytest.mark.rule("the_bulge", "2.5", "2.7")
def test_all_allied_units_and_of_the_germans_only_panzers_are_mechanized() -> None:
    for row in facts().rows:
        assert row.mechanized == (row.nation != "german" or row.type == "panzer"), row.id


@pytest.mark.rule("the_bulge", "2.10", "9.1")
@pytest.mark.parametrize(("id_", "points"), [("12VG", 6), ("2Pz", 6), ("2FLAK", 6), ("388VAK", 3)])
def test_every_unit_has_six_movement_points_and_artillery_three(id_: str, points: int) -> None:
    assert points_left(answer(play(position({id_: "0103"})), id_)) == points


@pytest.mark.rule("the_bulge", "2.9", "2.11")
def test_the_first_step_lost_reduces_a_unit_and_the_last_eliminates_it() -> None:
    p = position({"SSP": "0401", "2FLAK": "0301"})
    table = Table(bulge(), p, Scripted([]))
    factors = facts().factors
    seen = [factors[unit("SSP")][p.steps[unit("SSP")]]]
    lose_step(table, facts(), unit("SSP"), "13.20")
    seen.append(factors[unit("SSP")][p.steps[unit("SSP")]])
    assert seen == [3, 2]
    assert p.where[unit("SSP")] == at("0401")
    for id_ in ("SSP", "2FLAK"):
        lose_step(table, facts(), unit(id_), "13.20")
        assert p.where[unit(id_)] == GONE


@pytest.mark.rule("the_bulge", "2.11")
def test_a_reduced_unit_is_weaker_than_a_full_one() -> None:
    for row in facts().rows:
        assert (0 < row.reduced < row.factor) if row.steps == 2 else row.reduced == 0, row.id


# ---------------------------------------------------------------------- set-up and hex control (3)


@pytest.mark.rule("the_bulge", "3.1", "2.11")
def test_units_start_in_their_printed_hexes_and_the_others_wait() -> None:
    p = start()
    for number, row in enumerate(facts().rows):
        assert p.where[number] == (at(row.hex) if row.hex else DUE), row.id
        assert p.steps[number] == row.steps
        assert bool(row.hex) != bool(row.turn), row.id
    bulge().check(p)


@pytest.mark.rule("the_bulge", "3.2")
def test_the_game_begins_on_turn_one_with_no_marker_on_the_map() -> None:
    p = start()
    assert p.turn == 1
    assert (p.short, p.airlifted, p.air_strikes, p.air_hexes) == (0, 0, 0, [])


@pytest.mark.rule("the_bulge", "3.3")
def test_the_germans_begin_with_the_west_wall_and_all_east_of_it_but_for_three_hexes() -> None:
    german, wall = names(start().german), names(facts().wall)
    assert wall >= PIERCED
    assert german & wall == wall - PIERCED
    assert names(facts().map.area("east_edge")) <= german
    beyond = {hex_ for name in german - wall for hex_ in around(name)} - german - wall
    assert not beyond, "a way out of the German hexes that does not cross the wall"
    assert not german & names(facts().towns)


@pytest.mark.rule("the_bulge", "3.3")
def test_every_hex_on_the_way_changes_hands_and_a_zone_changes_nothing() -> None:
    p = position({"12VG": "0420"})
    before = p.german
    answer(play(p), "12VG", "0421", "0422", "stop")
    assert p.german == before | hexes("0421", "0422")


@pytest.mark.rule("the_bulge", "3.3")
def test_a_hex_changes_hands_again_whenever_the_other_side_enters() -> None:
    match = answer(play(position({"12VG": "0420", "4ID": "0423"})), "12VG", "0421", "0420", "stop")
    assert match.position.german & hexes("0421")
    answer(run_until(match, "allied_movement"), "4ID", "0422", "0421")
    assert not match.position.german & hexes("0421")


# ---------------------------------------------------------------------- leaving the map (4.2, 9.7)


def at_the_edge(id_: str, hex_: str, die: int, *others: tuple[str, str]) -> BulgeMatch:
    """A unit that is short of supply has as many points as the die says, and no mechanized movement."""
    p = position({id_: hex_, **dict(others)}, turn=6)
    p.short = units(id_)
    return answer(play(p, [die]), id_)


@pytest.mark.rule("the_bulge", "4.2")
@pytest.mark.parametrize("hex_", ["0110", "0126", "0726", "1326"])
def test_one_point_takes_a_panzer_unit_off_the_map_and_wins_at_once(hex_: str) -> None:
    match = answer(at_the_edge("2Pz", hex_, 1), "exit")
    assert match.result is not None
    assert (match.result.winner, match.result.rule) == (GERMAN, "4.2")


@pytest.mark.rule("the_bulge", "4.2", "9.7")
@pytest.mark.parametrize(
    ("id_", "hex_", "number"),
    [
        ("2Pz", "0109", "4.2"),
        ("2Pz", "1325", "4.2"),
        ("2Pz", "0401", "4.2"),
        ("2Pz", "0420", "4.2"),
        ("12VG", "0126", "9.7"),
    ],
)
def test_nobody_else_and_nowhere_else_leaves_the_map(id_: str, hex_: str, number: str) -> None:
    assert refused_by(at_the_edge(id_, hex_, 6), "exit") == number


@pytest.mark.rule("the_bulge", "9.7")
def test_allied_units_do_not_leave_the_map() -> None:
    match = answer(play(position({"29Br": "0126"}, step="allied_movement")), "29Br")
    assert refused_by(match, "exit") == "9.7"


@pytest.mark.rule("the_bulge", "4.2", "8.3", "6.4")
@pytest.mark.parametrize(
    ("others", "points"),
    [
        ([("29Br", "0125")], 2),
        ([("12VG", "0126")], 2),
        ([("29Br", "0125"), ("12VG", "0126")], 3),
    ],
)
def test_leaving_a_zone_or_a_stack_costs_extra_at_the_edge_too(others: list[tuple[str, str]], points: int) -> None:
    assert "exit" in offered(at_the_edge("2Pz", "0126", points, *others))
    way = at_the_edge("2Pz", "0126", points - 1, *others).decision
    assert way is None or "exit" not in way.options


@pytest.mark.rule("the_bulge", "4.2", "10.3")
def test_by_mechanized_movement_leaving_costs_a_fifth_where_a_road_leaves_the_map() -> None:
    road = min(names(facts().exits & facts().edge_roads))
    way = answer(play(position({"2Pz": road})), "2Pz").asked().about
    assert isinstance(way, Walk)
    assert way.exit_cost() == 1
    way.by_mech = False
    assert way.exit_cost() == 5


# ---------------------------------------------------------------------- points (4.3, 4.4)


@pytest.mark.rule("the_bulge", "4.3")
def test_bastogne_is_worth_three_points_namur_four_and_every_other_town_one() -> None:
    worth = {facts().board.name(hex_): points for hex_, points in facts().town_points.items()}
    assert worth.pop("1412") == 3
    assert worth.pop("0324") == 4
    assert set(worth.values()) == {1}


def last_turn_with(towns: list[str], *, relieved: bool = False) -> BulgeMatch:
    p = position(turn=LAST_TURN, step="turn_end")
    p.german |= hexes(*towns)
    p.paratroops_relieved = relieved
    return play(p)


@pytest.mark.rule("the_bulge", "4.3", "4.4", "14.5")
@pytest.mark.parametrize(
    ("others", "relieved", "points", "winner", "number"),
    [
        (4, False, 11, ALLIED, "4.4"),
        (5, False, 12, GERMAN, "4.3"),
        (4, True, 12, GERMAN, "4.3"),
        (6, False, 13, GERMAN, "4.3"),
    ],
)
def test_twelve_points_after_turn_ten_win_and_eleven_do_not(
    others: int, relieved: bool, points: int, winner: str, number: str
) -> None:
    small = sorted(names(facts().towns) - {"1412", "0324"})
    result = last_turn_with(["1412", "0324", *small[:others]], relieved=relieved).result
    assert result is not None
    assert (result.winner, result.points, result.rule) == (winner, {GERMAN: points}, number)


@pytest.mark.rule("the_bulge", "4.3", "4.4")
def test_points_decide_nothing_before_the_end_of_turn_ten() -> None:
    p = position(turn=LAST_TURN - 1, step="turn_end")
    p.german |= facts().towns
    match = play(p, [6])
    assert match.result is None
    assert match.position.turn == LAST_TURN


# ---------------------------------------------------------------------- sequence of play (5.1 to 5.3)


@pytest.mark.rule("the_bulge", "5.1", "5.2", "5.3")
def test_each_player_turn_is_combat_movement_combat_and_the_german_is_first() -> None:
    match = play(position(turn=2, step="shortage_roll"))
    seen = []
    for _ in range(12):
        seen.append((match.position.turn, match.asked().side, match.asked().rule))
        match.choose("done")
    one_turn = [(side, number) for side in (GERMAN, ALLIED) for number in ("13.1", "9.2", "13.1")]
    assert seen == [(turn, *phase) for turn in (2, 3) for phase in one_turn]


@pytest.mark.rule("the_bulge", "5.1", "4.4")
def test_a_match_lasts_ten_turns() -> None:
    match = Match(bulge(), chance=Scripted([1] * 5))
    last = 0
    while match.decision is not None:
        last = match.position.turn
        match.choose("done" if "done" in match.decision.options else match.decision.options[0])
    assert last == LAST_TURN
    assert match.result is not None
    assert match.result.winner == ALLIED


# ---------------------------------------------------------------------- the first turns (5.4, 5.5)


@pytest.mark.rule("the_bulge", "5.4", "14.7")
@pytest.mark.parametrize(("turn", "fires"), [(1, False), (2, True)])
def test_german_artillery_does_not_fire_on_turn_one(turn: int, fires: bool) -> None:
    s = situation({"12VG": "0420", "4ID": "0421", "388VAK": "0419"}, turn=turn)
    assert bool(battle(s, "0421", "12VG").vaks_in_range()) == fires


@pytest.mark.rule("the_bulge", "5.4")
@pytest.mark.parametrize(
    ("turn", "attacker", "target", "before_movement", "surprise"),
    [
        (1, "12VG", "0421", True, True),
        (1, "12VG", "0421", False, False),
        (2, "12VG", "0421", True, False),
        (1, "4ID", "0420", True, False),
    ],
)
def test_german_attacks_before_movement_have_one_shift_right_on_turn_one(
    turn: int, attacker: str, target: str, before_movement: bool, surprise: bool
) -> None:
    s = situation({"12VG": "0420", "4ID": "0421"}, turn=turn)
    found = amounts(battle(s, target, attacker, before_movement=before_movement).shifts())
    assert found.get("surprise") == (1 if surprise else None)


@pytest.mark.rule("the_bulge", "5.4", "10.1")
@pytest.mark.parametrize(
    ("turn", "id_", "cost"), [(1, "12VG", "4"), (1, "2Pz", "4"), (2, "12VG", "1"), (2, "2Pz", "1/5")]
)
def test_germans_use_no_roads_on_turn_one(turn: int, id_: str, cost: str) -> None:
    here, there = first_step(
        lambda one, other: side_is(one, other, "road") and terrain(other) == "heavy_woods" and _dry(one, other)
    )
    assert costs(answer(play(position({id_: here}, turn=turn)), id_))[there] == cost


def _dry(one: str, other: str) -> bool:
    return not side_is(one, other, "river")


@pytest.mark.rule("the_bulge", "5.4", "9.6")
@pytest.mark.parametrize(("away", "river"), [(4, 0), (3, 1)])
def test_a_bridge_spares_the_river_on_turn_one_as_well_unless_it_is_interdicted(away: int, river: int) -> None:
    here, there = first_step(lambda one, other: side_is(one, other, "bridge") and terrain(other) == "clear")
    match = answer(play(position({"12VG": here, "4ID": hex_off([here, there], away)}, turn=1)), "12VG")
    assert costs(match)[there] == str(1 + river)


@pytest.mark.rule("the_bulge", "5.4", "7.6", "10.1")
def test_us_units_are_out_of_supply_to_move_on_turn_one_but_may_use_roads() -> None:
    here, there = first_step(lambda one, other: side_is(one, other, "road") and terrain(other) == "heavy_woods")
    match = answer(play(position({"4ID": here}, turn=1, step="allied_movement"), [2]), "4ID")
    assert points_left(match) == 2
    assert costs(match)[there] == "1"


@pytest.mark.rule("the_bulge", "5.4")
@pytest.mark.parametrize("hex_", ["0304", "0903"])
def test_the_second_division_has_six_points_on_turn_one_wherever_it_is(hex_: str) -> None:
    match = answer(play(position({"2ID": hex_}, turn=1, step="allied_movement")), "2ID")
    assert points_left(match) == 6


@pytest.mark.rule("the_bulge", "5.4", "7.7")
def test_supply_in_combat_is_judged_as_ever_on_turn_one() -> None:
    s = situation({"4ID": "0421"}, turn=1)
    assert s.in_supply(unit("4ID"))


@pytest.mark.rule("the_bulge", "5.4")
def test_from_turn_two_on_us_units_drive() -> None:
    here = "0417"
    match = answer(play(position({"4ID": here}, turn=2, step="allied_movement")), "4ID")
    assert {costs(match)[there] for there in roads(here)} == {"1/5"}


CUT_OFF = {
    "12VG": "1412",
    "SSP": "0324",
    "101AB": "1312",
    "82AB": "1512",
    "4ID": "1413",
    "1ID": "0423",
    "9ID": "0323",
}
"""Germans far behind the Allies, ringed round."""


@pytest.mark.rule("the_bulge", "5.5", "14.3")
@pytest.mark.parametrize(("turn", "supplied"), [(1, True), (3, True), (4, False)])
def test_every_german_is_supplied_to_turn_three_and_peiper_always(turn: int, supplied: bool) -> None:
    s = situation(CUT_OFF, turn=turn)
    assert s.overland(unit("12VG")) == supplied
    assert s.overland(unit("SSP"))

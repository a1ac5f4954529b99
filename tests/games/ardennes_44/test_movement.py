"""Movement in all its modes, entries and limits (rules 9.2, 11 to 13, 24 and 29)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.allowance import allowance
from bulge.games.ardennes_44.arrivals import ways_on
from bulge.games.ardennes_44.columns import markers_used, may_load, may_use_mover, strategic_points
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.facts import DUE
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.reach import ways
from bulge.games.ardennes_44.sectors import entry_hexes, sector_open
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import (
    answer,
    at,
    begun,
    cost,
    empty,
    facts,
    hexes,
    names,
    placed,
    unit,
    units,
    walk,
)  # fmt: skip

GAME = "ardennes_44"
MECH, VEHICLE, FOOT = "2Pz/304", "2Pz/2Rec", "12/48"


@pytest.mark.rule(GAME, "11.1", "11.4")
def test_three_clear_hexes_cost_a_mechanized_unit_six_points() -> None:
    assert cost(walk(MECH, "E2306"), "E2305", "E2405", "E2504") == 6 * POINT


@pytest.mark.rule(GAME, "9.2.1", "11.3")
def test_out_of_a_zone_through_forest_costs_eight_points_and_so_goes_tactically() -> None:
    enemy = ("99/395/3", "E1522")
    steps = walk(MECH, "E1523", enemy).mover.steps
    whole = POINT + (steps.cost(at("E1523"), at("E1524")) or 0) + (steps.cost(at("E1524"), at("E1625")) or 0)
    assert whole == 8 * POINT
    assert cost(walk(MECH, "E1523", enemy), "E1524", "E1625") == -1


@pytest.mark.rule(GAME, "11.8", "24.2")
def test_a_forest_road_costs_two_and_a_traffic_marker_two_more() -> None:
    way = walk(MECH, "E1532")
    assert cost(way, "E1433") == 2 * POINT
    way = walk(MECH, "E1532")
    way.mover.s.p.traffic[0] = at("E1433")
    assert cost(way, "E1433") == 4 * POINT


@pytest.mark.rule(GAME, "24.7")
def test_the_bottleneck_costs_germans_four_or_two() -> None:
    way = walk(FOOT, "E1726")
    plain = way.mover.steps.cost(at("E1726"), at("E1826")) or 0
    assert [extra for hexes_, extra in way.mover.surcharge if hexes_ >> at("E1826") & 1] == [4 * POINT]
    way = walk(FOOT, "E1726")
    way.mover.s.p.german_held |= hexes("E2125")
    assert cost(way, "E1826") == plain + 2 * POINT


@pytest.mark.rule(GAME, "11.3", "11.4.1", "11.6")
@pytest.mark.parametrize(
    ("start", "to", "enemies", "reached"),
    [
        ("E1509", "E1709", (), False),
        ("E1609", "E1709", (), True),
        ("E1707", "E1506", (), False),
        ("E2306", "E2305", (("99/395/3", "E2205"),), True),
        ("E2306", "E2304", (("99/395/3", "E2205"),), False),
        ("E1711", "E1812", (), True),
    ],
)
def test_tactical_movement_by_the_figure(
    start: str, to: str, enemies: tuple[tuple[str, str], ...], reached: bool
) -> None:
    way = walk(FOOT, start, *enemies, turn=5)
    way.mover.allowed = way.mover.allowed._replace(points=0, extended=0)
    assert (at(to) in ways(way)) == reached


@pytest.mark.rule(GAME, "11.6")
@pytest.mark.parametrize("second", ["E1813", "E1911"])
def test_not_two_hard_hexsides_in_one_phase(second: str) -> None:
    way = walk(FOOT, "E1711", turn=5)
    way.step(at("E1812"))
    assert at(second) not in way.next_steps()


@pytest.mark.rule(GAME, "11.3", "11.5")
@pytest.mark.parametrize(("start", "to"), [("E1532", "E1432"), ("E1604", "E1504")])
def test_vehicles_enter_thick_woods_by_road_only(start: str, to: str) -> None:
    assert at(to) not in walk(VEHICLE, start, turn=5).next_steps()


@pytest.mark.rule(GAME, "10.5", "11.5")
def test_wooded_rough_breaks_the_bond_on_the_road_through_it() -> None:
    way = walk(VEHICLE, "E1404", ("99/395/3", "E1503"), ("106/423/2", "E1505"), turn=5)
    assert at("E1504") in way.next_steps()
    way.step(at("E1504"))
    assert way.stopped


@pytest.mark.rule(GAME, "9.2.2")
def test_from_zone_to_zone_one_hex_at_a_time() -> None:
    way = walk(FOOT, "E2306", ("99/395/3", "E2205"))
    way.step(at("E2305"))
    assert not way.next_steps()
    again = walk(FOOT, "E2305", ("99/395/3", "E2205"))
    assert at("E2304") in again.next_steps()


@pytest.mark.rule(GAME, "10.2", "10.3")
def test_a_bond_bars_the_way_until_a_friend_breaks_it() -> None:
    enemies = (("99/395/3", "E2405"), ("106/423/2", "E2605"))
    assert at("E2504") not in walk(FOOT, "E2505", *enemies).next_steps()
    p = placed((FOOT, "E2505"), ("12/89", "E2504"), *enemies)
    assert at("E2504") in Walk(Situation(facts(), p), unit(FOOT), at("E2505")).next_steps()


@pytest.mark.rule(GAME, "11.2")
def test_extended_movement_gives_two_points_away_from_enemies() -> None:
    assert allowance(facts(), placed((FOOT, "E2306")), unit(FOOT)) == (3 * POINT, 2 * POINT, 2)
    assert not allowance(facts(), placed((MECH, "E2306")), unit(MECH)).extended
    way = walk("99/395/3", "E2306", ("12/48", "E2302"), turn=5)
    reached = ways(way)
    for hex_, ahead in reached.items():
        if ahead.spent > way.mover.allowed.points and not ahead.tactical:
            assert not way.mover.s.next_to_enemy(ALLIED) >> hex_ & 1


@pytest.mark.rule(GAME, "16.5", "18.3", "23.4", "25.2.4", "25.3.5", "13.2.2")
def test_markers_limit_movement() -> None:
    p = placed((FOOT, "E2306"), ("Eng/44", "E2305"), turn=4)
    bit = 1 << unit(FOOT)
    for marker, expected in (
        *(("engaged", (0, 0, 0)), ("disrupted", (0, 0, 2)), ("broken", (0, 0, 2)), ("unsupplied", (0, 0, 2))),
        *(("replaced", (0, 0, 1)), ("night_marked", (POINT, 0, 0))),
    ):
        setattr(p, marker, bit)
        assert allowance(facts(), p, unit(FOOT)) == expected, marker
        setattr(p, marker, 0)
    p.arrived = units("Eng/44")
    assert allowance(facts(), p, unit("Eng/44")) == (0, 0, 2)


@pytest.mark.rule(GAME, "22.1", "22.2", "22.3")
def test_german_guns_need_a_prime_mover() -> None:
    p = placed(("ISS/388", "E1130"), ("ISS/4Wf", "E1131"), ("ISS/402", "E1230"), ("IISS/410", "E1231"), turn=4)
    assert not allowance(facts(), p, unit("ISS/388"))
    assert allowance(facts(), p, unit("ISS/4Wf")) == (0, 0, 1)
    p.movers = units("ISS/388", "ISS/402")
    assert allowance(facts(), p, unit("ISS/388")).points == 5 * POINT
    assert not may_use_mover(facts(), p, unit("IISS/410")), "the 6th Panzer Army has two"


@pytest.mark.rule(GAME, "12.1", "12.4.4")
@pytest.mark.parametrize(("id_", "points", "hexes_"), [("14Cav/18", 14 * POINT, 28), ("4/12/1", 12 * POINT, 24)])
def test_columns_drive_far_on_main_roads(id_: str, points: int, hexes_: int) -> None:
    p = placed((id_, "E3001"), turn=4)
    p.columns = units(id_) if id_ == "4/12/1" else 0
    s = Situation(facts(), p)
    assert strategic_points(s, unit(id_)) == points
    assert points // (POINT // 2) == hexes_
    assert any(len(way.path) - 1 >= hexes_ for way in Walk(s, unit(id_), at("E3001"), strategic=points).onward())


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
def test_a_regiment_needs_one_marker() -> None:
    p = placed(("106/424(-)", "E2326"), ("106/424/1", "E2326"), ("28/110/1", "E2327"))
    p.columns = units("106/424(-)", "106/424/1")
    assert markers_used(facts(), p, ALLIED) == 1
    p.columns |= units("28/110/1")
    assert markers_used(facts(), p, ALLIED) == 2


@pytest.mark.rule(GAME, "12.2", "29.1.3")
def test_no_column_next_to_an_enemy_nor_on_the_first_turn() -> None:
    near = placed(("14Cav/18", "E2306"), (FOOT, "E2305"))
    assert not strategic_points(Situation(facts(), near), unit("14Cav/18"))
    first = placed(("14Cav/18", "E3001"), turn=1)
    assert not strategic_points(Situation(facts(), first), unit("14Cav/18"))


@pytest.mark.rule(GAME, "12.4.3", "12.6")
def test_infantry_gets_on_trucks_in_one_turn_and_drives_in_the_next() -> None:
    p = placed(("4/12/1", "E3001"), step="allied_movement")
    assert not strategic_points(Situation(facts(), p), unit("4/12/1"))
    assert may_load(Situation(facts(), p), unit("4/12/1"))
    match = begun(p)
    answer(match, "4/12/1", "get_on_trucks")
    assert match.position.columns == units("4/12/1")
    assert match.position.where[unit("4/12/1")] == at("E3001")


@pytest.mark.rule(GAME, "11.10", "11.10.1")
def test_army_boundaries_bind_germans_before_turn_five() -> None:
    one, two = next(iter(facts().boundaries))
    name = facts().board.name
    early, late = walk(FOOT, name(one), turn=4), walk(FOOT, name(one), turn=5)
    assert two not in early.next_steps()
    assert two in late.next_steps() or not late.mover.steps.cost(one, two)


@pytest.mark.rule(GAME, "29.1.1", "27.6")
def test_red_codes_do_not_move_on_the_first_turn() -> None:
    p = placed(("2/9", "E1535"), ("2/741", "E1933"), turn=1)
    assert not allowance(facts(), p, unit("2/9"))
    assert allowance(facts(), p, unit("2/741"))
    p.turn = 2
    assert allowance(facts(), p, unit("2/9")) == (0, 0, 2)


@pytest.mark.rule(GAME, "29.1.2")
def test_no_german_enters_another_area_on_the_first_turn() -> None:
    way = walk("26/77", "E1815", turn=1)
    assert not {at("E1816"), at("E1714")} & set(way.next_steps())
    assert walk("26/77", "E1815", turn=2).next_steps().keys() & {at("E1816")}


@pytest.mark.rule(GAME, "29.3")
def test_one_unit_of_the_212th_crosses_below_echternach() -> None:
    bond = (("4/12/2", "E1105"), ("4/12/3", "E0904"))
    assert at("E1005") in walk("212/320", "E1006", *bond, turn=1).next_steps()
    assert at("E1005") not in walk("276/986", "E1006", *bond, turn=1).next_steps()
    assert at("E1005") not in walk("212/320", "E1006", *bond, turn=2).next_steps()


@pytest.mark.rule(GAME, "29.4")
def test_the_106th_stays_out_of_the_area_of_the_18th() -> None:
    assert at("E1424") not in walk("106/422", "E1425", ("18/293", "E1323"), turn=2).next_steps()
    assert at("E1424") in walk("106/422", "E1425", turn=2).next_steps()


# ---------------------------------------------------------------------- arrivals


@pytest.mark.rule(GAME, "2.6", "13.1")
def test_4_8_2_arrives_on_turn_3_at_a_or_b() -> None:
    p = empty(step="allied_movement")
    p.where[unit("4/8/2")] = DUE
    s = Situation(facts(), p)
    assert facts().rows[unit("4/8/2")].turn == 3
    assert names(sum(1 << hex_ for hex_ in entry_hexes(s, unit("4/8/2")))) == {"E1001", "E1701", "E2101"}
    match = begun(p)
    answer(match, "4/8/2")
    assert {"E1001", "E1701", "E2101", "Southeast box", "Block E1701"} <= {option.id for option in match.options()}


@pytest.mark.rule(GAME, "13.4")
def test_a_captured_entry_closes_its_sector_until_six_factors_block_it() -> None:
    p = placed(("212/316", "E1001"), turn=4, step="allied_movement")
    p.where[unit("10Arm/CCA")] = DUE
    p.where[unit("4/12/1")] = p.where[unit("4/12/2")] = at("Block E1001")
    s = Situation(facts(), p)
    assert not sector_open(s, "SE")
    assert not ways_on(s, unit("10Arm/CCA"))
    p.where[unit("4/22/2")] = at("Block E1001")
    assert sector_open(Situation(facts(), p), "SE")
    assert ways_on(Situation(facts(), p), unit("10Arm/CCA"))


@pytest.mark.rule(GAME, "13.2", "13.2.1")
def test_engineers_appear_one_to_a_town_two_in_bastogne() -> None:
    p = placed(("28/110/2", "E2617"), step="allied_movement")
    p.where[unit("Eng/44")] = DUE
    where = ways_on(Situation(facts(), p), unit("Eng/44"))
    assert {at("E3313"), at("E3414")} <= set(where)
    assert all(facts().ground.settled >> hex_ & 1 for hex_ in where)
    p.where[unit("Eng/254")] = DUE
    match = begun(p)
    answer(match, "Eng/254", "E3313")
    assert at("E3313") not in ways_on(Situation(facts(), match.position), unit("Eng/44"))
    answer(match, "Eng/254", "E3312", "stop", "Eng/44")
    assert "E3313" not in {option.id for option in match.options()}, "nor after the first has left"


@pytest.mark.rule(GAME, "27.2")
@pytest.mark.parametrize(("die", "reduced", "lives"), [(1, False, True), (3, True, True), (4, False, False)])
def test_von_der_heydte_drops_near_the_high_fens(die: int, reduced: bool, lives: bool) -> None:
    p = empty(step="german_movement")
    p.where[unit("vdH")] = DUE
    hexes_ = ways_on(Situation(facts(), p), unit("vdH"))
    assert all(facts().board.distance(hex_, at("E2335")) <= 8 for hex_ in hexes_)
    match = begun(p, die)
    answer(match, "vdH", facts().board.name(hexes_[0]))
    after = match.position
    assert (after.where[unit("vdH")] == hexes_[0]) == lives
    assert bool(after.reduced >> unit("vdH") & 1) == reduced


@pytest.mark.rule(GAME, "27.2")
def test_von_der_heydte_may_land_among_friends_where_there_is_room() -> None:
    p = placed(("12/48", "E2335"), ("3FJ/9", "E2336"), step="german_movement")
    p.where[unit("vdH")] = DUE
    where = ways_on(Situation(facts(), p), unit("vdH"))
    assert at("E2335") in where
    assert at("E2336") not in where, "three stacking points are there already"


@pytest.mark.rule(GAME, "S3.3")
def test_the_airborne_divisions_come_by_truck_in_the_eight_turns() -> None:
    p = empty("S3", turn=6, step="allied_movement")
    for number, row in enumerate(facts().rows):
        if row.division in ("101", "82") and row.nation == "us":
            p.where[number] = DUE
    s = Situation(facts(), p)
    assert ways_on(s, unit("101/501"))
    assert all(s.field.exits >> hex_ & 1 for hex_ in ways_on(s, unit("101/501")))
    match = begun(p)
    answer(match, "101/501", "E4012")
    about = match.asked().about
    assert about.walk.mover.strategic == 12 * POINT
    assert about.walk.spent == 5 * POINT

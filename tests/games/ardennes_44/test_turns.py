"""Phases, bridges, nights, tables, scenarios and whole games (rules 4 to 7, 24 to 30, S)."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.games.ardennes_44.air import clear_weather, jabos, roll_for_air, roll_for_bodenplatte
from bulge.games.ardennes_44.antwerp import missing
from bulge.games.ardennes_44.breakdown import break_down, kind_of, may_break_down, rejoin
from bulge.games.ardennes_44.bridges import can_blow, can_build, chance_modifier, sappers
from bulge.games.ardennes_44.brigade import infiltrate, may_infiltrate
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES
from bulge.games.ardennes_44.facts import BLOWN_DECEMBER_22, BRIDGES_AT_START, DUE, EXITED, GONE
from bulge.games.ardennes_44.fuel import named, run_dry, west_of_ourthe
from bulge.games.ardennes_44.holding import drop_vacant, finish_digging, may_dig
from bulge.games.ardennes_44.infiltration import next_hexes, stack_for
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.night import may_mark, places_for, replaceable
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply, road_bound
from bulge.games.ardennes_44.traffic import hexes_for_marker, remove_traffic
from bulge.games.ardennes_44.victory import areas_held, check_victory, final_result, points
from tests.games.ardennes_44.helpers import (
    answer,
    ardennes,
    at,
    battle,
    begun,
    empty,
    facts,
    hexes,
    placed,
    stand,
    unit,
    units,
    walk,
)  # fmt: skip
from tests.helpers import SEED

GAME = "ardennes_44"


# ---------------------------------------------------------------------- bridges (7)


def bridge(name: str) -> int:
    return facts().bridge(name)


@pytest.mark.rule(GAME, "7.2", "7.3")
@pytest.mark.parametrize(
    ("own", "enemies", "name", "allowed"),
    [
        ("E2008", ["E1908"], "E1608/E1708", False),
        ("E2008", ["E1908"], "E1808/E1908", False),
        ("E2107", ["E2007", "E2009"], "E1908/E2008", False),
        ("E2008", ["E1908"], "E1908/E2008", True),
        ("E2008", ["E1908"], "E1907/E2008", True),
    ],
)
def test_which_bridges_a_unit_may_blow(own: str, enemies: list[str], name: str, allowed: bool) -> None:
    s = stand([own], enemies)
    assert (bridge(name) in can_blow(s, ALLIED)) == allowed


@pytest.mark.rule(GAME, "7.3")
def test_one_unit_may_try_several_bridges() -> None:
    assert len(can_blow(stand(["E2008"], ["E1908"]), ALLIED)) > 1


@pytest.mark.rule(GAME, "3.3", "7.6")
def test_no_bridge_where_the_river_runs_within_the_town() -> None:
    for town in ("E2416", "E3219"):
        assert not any(at(town) in ends for ends in facts().ground.bridges)
    early = stand(["E2008"], ["E1908"])
    early.p.turn = 2
    assert not can_blow(early, ALLIED)


@pytest.mark.rule(GAME, "7.5", "7.6")
def test_what_is_added_to_a_demolition() -> None:
    s = stand(["E2008"], ["E1908"])
    mine = s.units_in(hexes("E2008"), ALLIED)
    assert chance_modifier(s.p, mine, own_turn=True) == 0
    assert chance_modifier(s.p, mine, own_turn=False) == 1
    s.p.engaged = mine
    assert chance_modifier(s.p, mine, own_turn=False) == 3
    s.p.broken = mine
    assert not sappers(s, ALLIED, bridge("E1908/E2008"))


@pytest.mark.rule(GAME, "7.1", "7.2")
@pytest.mark.parametrize(("die", "blown"), [(4, True), (5, False)])
def test_a_four_blows_a_bridge_and_a_five_does_not(die: int, blown: bool) -> None:
    p = placed(("99/395/3", "E2008"), ("12/48", "E1908"), step="allied_bridges")
    match = begun(p, die)
    answer(match, "E1908/E2008")
    assert bool(match.position.blown >> bridge("E1908/E2008") & 1) == blown
    assert match.position.tried


@pytest.mark.rule(GAME, "7.7")
@pytest.mark.parametrize(("die", "stands"), [(4, False), (5, True)])
def test_the_bridge_of_ouren_is_tested_by_the_first_german(die: int, stands: bool) -> None:
    p = placed(("116/60", "E2020"), step="german_movement", turn=2)
    match = begun(p, die)
    answer(match, "116/60", "E2119")
    assert match.position.ouren_tested
    assert bool(match.position.blown >> bridge("E2020/E2119") & 1) != stands


@pytest.mark.rule(GAME, "7.8", "29.5")
def test_a_bridge_is_built_in_two_phases_without_a_unit() -> None:
    p = empty(turn=3, step="german_building")
    p.blown = 1 << bridge("E2016/E2115")
    s = Situation(facts(), p)
    assert can_build(s, GERMAN, bridge("E2016/E2115"), road_bound(s, GERMAN))
    after = begun(p).position
    assert after.building == after.blown
    again = empty(turn=4, step="german_building")
    again.blown, again.building = after.blown, after.building
    assert not begun(again).position.blown


@pytest.mark.rule(GAME, "S1.4", "29.5")
def test_bridges_at_the_start() -> None:
    p = ardennes().set_up("S2", {})
    assert p.blown.bit_count() == 6
    assert p.building == sum(1 << bridge(name) for name in BRIDGES_AT_START["building"])


# ---------------------------------------------------------------------- fuel (6)


@pytest.mark.rule(GAME, "6.4.1")
def test_the_line_of_the_ourthe() -> None:
    west = west_of_ourthe(facts())
    assert all(west >> at(name) & 1 for name in ("W1003", "W1010", "W1423", "E4020"))
    assert not any(west >> at(name) & 1 for name in ("E3313", "E2125", "E4012", "E3821"))


@pytest.mark.rule(GAME, "6.1", "6.3", "6.4", "6.4.2")
def test_who_runs_dry_and_who_chooses() -> None:
    p = placed(("2Pz/2", "E3313"), ("116/60", "E2125"), scenario="S1", turn=7)
    assert named(facts(), p, "2Pz or Lehr") == (GERMAN, ["2Pz"], False)
    assert named(facts(), p, "3PG") == (GERMAN, [], False)
    assert named(facts(), p, "panzer 5PzA") == (ALLIED, ["116", "2Pz"], False)
    assert named(facts(), p, "west 5PzA") == (ALLIED, [], False)
    p.where[unit("Lehr/901")] = DUE
    assert named(facts(), p, "2Pz or Lehr")[1] == ["2Pz", "Lehr"]
    assert named(facts(), p, "panzer 5PzA")[1] == ["116", "2Pz"], "6.4.2: those on the map, not who arrives"
    run_dry(begun(p).table, facts(), "2Pz", only_west=False)
    assert p.unsupplied == units("2Pz/2")


@pytest.mark.rule(GAME, "6.1", "6.2")
def test_fuel_is_rolled_for_from_turn_seven_on() -> None:
    early = placed(("2Pz/2", "E2125"), scenario="S1", turn=6, step="german_fuel")
    assert begun(early).position.drawn == 0
    p = placed(("2Pz/2", "E2125"), scenario="S1", turn=7, step="german_fuel")
    assert begun(p, 5, 1).position.unsupplied == units("2Pz/2")
    later = placed(("116/60", "E2125"), scenario="S1", turn=15, step="german_fuel")
    assert begun(later, 5, 1).position.unsupplied == units("116/60"), "5 and 1 are 6: the 116th"


# ---------------------------------------------------------------------- air and weather (15.6, 28, 35)


@pytest.mark.rule(GAME, "15.6", "15.6.1", "15.6.2", "28.2", "35.0")
def test_half_a_die_of_air_support() -> None:
    p = empty("S1", turn=15)
    roll_for_air(begun(p, 5).table, facts())
    assert p.air == 3
    p = empty("S1", turn=17)
    p.bodenplatte = 17
    roll_for_air(begun(p, 5).table, facts())
    assert p.air == 2
    assert [turn for turn in range(1, 31) if clear_weather(empty("S1", turn=turn))] == list(range(15, 23))


@pytest.mark.rule(GAME, "35.0", "36.0")
def test_an_option_is_offered_only_where_its_turn_can_come() -> None:
    """Bodenplatte asks turn 15, the commando a turn before 7."""
    turns = {row.id: range(row.first_turn, row.last_turn + 1) for row in facts().scenarios}
    offered = {option.id: {id_ for id_ in turns if option.offered_in(id_)} for option in ardennes().options}
    assert offered["bodenplatte"] == {id_ for id_, played in turns.items() if 15 in played}
    assert offered["greif_commando"] == {id_ for id_, played in turns.items() if played[0] < 7}
    agreed = Match(ardennes(), "S2", {"bodenplatte": "yes"}, seed=seed_of("kept"))
    assert agreed.options(), "a match that was agreed on so, when it was offered there, can still be opened"


@pytest.mark.rule(GAME, "35.0")
@pytest.mark.parametrize(
    ("die", "turn", "effect"),
    [
        (3, 0, "has no effect"),
        (4, 19, "hampers Allied air power from turn 19 on"),
        (6, 17, "hampers Allied air power from turn 17 on"),
    ],
)
def test_a_die_says_from_when_bodenplatte_counts(die: int, turn: int, effect: str) -> None:
    p = empty("S1", turn=15)
    p.with_bodenplatte = True
    table = begun(p, die).table
    roll_for_bodenplatte(table, facts())
    assert p.bodenplatte == turn
    assert table.events is not None
    assert table.events[-1].words == f"Bodenplatte {effect}."


@pytest.mark.rule(GAME, "15.6.3")
def test_jabos_shift_german_attacks_to_the_left() -> None:
    found = battle("E2406", [("12/48", "E2405")], ["99/394"])
    found.s.p.turn = 15
    jabos(begun(found.s.p, 1).table, found)
    assert [(shift.amount, shift.rule) for shift in found.shifts] == [(-3, "15.6.3")]


@pytest.mark.rule(GAME, "28.1")
def test_frost_makes_open_ground_cheaper_for_wheels() -> None:
    ground = facts().ground
    pair = at("E2406"), at("E2405")
    assert ground.steps("mech", False, 0).cost(*pair) == 4
    assert ground.steps("mech", True, 0).cost(*pair) == 2
    assert ground.steps("foot", True, 0).cost(*pair) == ground.steps("foot", False, 0).cost(*pair)


# ---------------------------------------------------------------------- digging (15.8)


@pytest.mark.rule(GAME, "15.8.2", "15.8.3", "15.8.4")
def test_positions_take_two_phases_and_go_when_vacant() -> None:
    p = placed(("99/395/3", "E2406"), step="allied_movement")
    assert may_dig(Situation(facts(), p), unit("99/395/3"))
    match = begun(p)
    answer(match, "99/395/3", "dig_in")
    assert match.position.digging == hexes("E2406")
    q = placed(("99/395/3", "E2406"))
    q.digging = hexes("E2406")
    finish_digging(facts(), q, ALLIED)
    assert q.improved == hexes("E2406")
    q.where[unit("99/395/3")] = at("E2405")
    drop_vacant(Situation(facts(), q))
    assert not q.improved


# ---------------------------------------------------------------------- traffic (24)


@pytest.mark.rule(GAME, "24.3", "24.3.2", "24.6")
@pytest.mark.parametrize(("dice", "back"), [((2, 4), {1, 3}), ((3, 3), {2})])
def test_two_dice_take_markers_back(dice: tuple[int, int], back: set[int]) -> None:
    p = empty()
    p.traffic = [at("E2406"), at("E3313"), at("E2125"), at("E3001"), at("E1931"), at("E2531")]
    remove_traffic(begun(p, *dice).table, facts(), ALLIED)
    assert {number for number, hex_ in enumerate(p.traffic) if hex_ < 0} == back


@pytest.mark.rule(GAME, "24.6")
def test_greif_markers_leave_in_order_from_turn_eight() -> None:
    gone = []
    for turn in (8, 10, 18):
        p = empty("S1", turn=turn)
        remove_traffic(begun(p, 6, 6).table, facts(), GERMAN)
        gone += [number + 1 for number, hex_ in enumerate(p.greif) if hex_ == -2]
    assert gone == [1, 2, 6]


@pytest.mark.rule(GAME, "24.1", "24.4", "24.5")
def test_markers_keep_their_distance_and_out_of_the_bottleneck() -> None:
    p = empty()
    p.traffic[0] = at("E2406")
    open_ = hexes_for_marker(facts(), p, ALLIED)
    assert not open_ & (hexes("E2406", "E2405") | facts().bottleneck)
    assert hexes_for_marker(facts(), p, GERMAN) & facts().bottleneck
    assert begun(empty(turn=2, step="german_traffic")).asked().side == ALLIED, "24.5: not before turn 3"


# ---------------------------------------------------------------------- night and replacements (25, 31)


@pytest.mark.rule(GAME, "25.3", "25.3.3", "25.3.4")
def test_three_stacks_are_marked_in_a_pm_turn() -> None:
    p = placed(("12/48", "E2406"), turn=4)
    assert may_mark(Situation(facts(), p), unit("12/48"))
    for name, value in (("turn", 3), ("night_stacks", 3), ("unsupplied", -1), ("engaged", -1)):
        q = placed(("12/48", "E2406"), turn=4)
        setattr(q, name, value)
        assert not may_mark(Situation(facts(), q), unit("12/48")), name


@pytest.mark.rule(GAME, "25.1")
def test_at_night_the_allies_come_first() -> None:
    order = [step for step in ardennes().sequence if "night" in step or step.endswith("replacements")]
    assert order.index("allied_night_movement") < order.index("german_night_movement")
    p = placed(("12/48", "E2406"), ("99/394", "E3313"), turn=2, step="turn_end")
    p.reduced = units("99/394")
    assert begun(p).asked().side == ALLIED


@pytest.mark.rule(GAME, "25.2", "25.2.1", "25.2.2", "25.2.3", "25.2.5")
def test_who_may_be_replaced() -> None:
    p = empty()
    able = replaceable(facts(), p, ALLIED)
    assert able >> unit("99/394") & 1
    assert not able & units("101/501", "43/129", "V/406", "2/741")
    p.armour_to_place = True
    assert replaceable(facts(), p, ALLIED) >> unit("2/741") & 1
    assert not replaceable(facts(), p, GERMAN) & units("506", "150Pz", "vdH", "217")
    p.where[unit("99/394")] = GONE
    assert not places_for(Situation(facts(), p), unit("99/394")), "25.2.3: only in place of a remnant"
    p.where[unit("Rem-US-inf-1")] = at("E2406")
    assert places_for(Situation(facts(), p), unit("99/394")) == hexes("E2406")
    row = facts().rows[unit("Rem-US-inf-1")]
    assert (row.attack, row.defence, row.movement) == (1, 2, 3)


@pytest.mark.rule(GAME, "31.0")
def test_unused_night_markers_move_stacks_one_hex() -> None:
    p = placed(("12/48", "E2406"), ("62/164", "E2704"), ("99/395/3", "E2404"), ("28/110/1", "E2706"), turn=6)
    s = Situation(facts(), p)
    assert at("E2405") in next_hexes(s, GERMAN, at("E2406")), "veterans may enter a zone"
    assert at("E2705") not in next_hexes(s, GERMAN, at("E2704")), "green units may not"
    p.engaged = units("12/48")
    assert not stack_for(Situation(facts(), p), GERMAN, at("E2406"))


# ---------------------------------------------------------------------- breakdown (26)


@pytest.mark.rule(GAME, "26.1")
@pytest.mark.parametrize(
    ("id_", "kind"),
    [
        *(("99/394", "BD-US-inf-"), ("3FJ/9", "BD-GE-para-"), ("101/327", "BD-US-para-")),
        *(("2Pz/304", "BD-GE-pzg-"), ("7Arm/CCB", "BD-US-tf-"), ("2/741", "BD-US-tf-"), ("2Pz/3/PzV", "")),
    ],
)
def test_what_units_break_down_into(id_: str, kind: str) -> None:
    assert kind_of(facts(), unit(id_)) == kind


@pytest.mark.rule(GAME, "26.2", "26.3", "26.4")
def test_a_part_splits_off_and_rejoins_its_own_unit() -> None:
    p = placed(("99/394", "E2406"))
    s = Situation(facts(), p)
    assert may_break_down(s, unit("99/394"))
    match = begun(p)
    break_down(match.table, s, unit("99/394"))
    part = unit("BD-US-inf-1")
    assert p.where[part] == at("E2406")
    assert p.reduced == units("99/394")
    assert p.parents == {part: unit("99/394")}
    p.moved = 1 << part | units("99/394")
    rejoin(match.table, facts(), ALLIED)
    assert not p.reduced
    assert p.where[part] < 0


# ---------------------------------------------------------------------- special units (27)


@pytest.mark.rule(GAME, "27.7")
@pytest.mark.parametrize(("die", "state"), [(1, "arrives"), (3, "delayed"), (4, "delayed"), (6, "never")])
def test_the_653rd_may_come_or_not(die: int, state: str) -> None:
    p = empty(turn=4, step="german_reinforcements")
    p.where[unit("653")] = DUE
    after = begun(p, die).position
    assert after.jagdtigers == (state == "arrives")
    assert (after.where[unit("653")] == DUE) == (state != "never")


@pytest.mark.rule(GAME, "27.8", "27.8.1", "27.8.2")
@pytest.mark.parametrize(("die", "passes"), [(2, True), (3, True), (4, False)])
def test_the_150th_slips_through_zones_until_detected(die: int, passes: bool) -> None:
    way = walk("150Pz", "E2306", ("99/395/3", "E2205"), ("28/110/1", "E2404"), turn=5)
    way.step(at("E2305"))
    assert may_infiltrate(way)
    infiltrate(begun(way.mover.s.p, die).table, way)
    assert bool(way.next_steps()) == passes
    assert way.mover.s.p.detected != passes


@pytest.mark.rule(GAME, "27.3", "27.3.1", "27.3.4")
def test_the_british_keep_to_the_meuse_and_answer_exits() -> None:
    p = placed(("43/129", "W2723"), scenario="S1", turn=14)
    way = Walk(Situation(facts(), p), unit("43/129"), at("W2723"))
    assert all(facts().map.area("west_of_meuse") >> hex_ & 1 for hex_ in way.next_steps())
    p.where[unit("2Pz/2")], p.exited = EXITED, units("2Pz/2")
    assert missing(facts(), p) == 5 + 6
    p.where[unit("43/129")] = EXITED
    assert missing(facts(), p) == 5


# ---------------------------------------------------------------------- victory and scenarios (30, S)


@pytest.mark.rule(GAME, "30.1", "30.1.2", "30.2", "S2.4")
def test_points_are_hexes_on_a_road_to_supply_and_factors_that_left() -> None:
    p = empty()
    assert points(facts(), p) == 0
    p.german_held = -1 & facts().board.all
    east = [row for row in facts().victory if row.sheet == "East"]
    assert points(facts(), p) == len(east)
    p.exited, p.exit_hexes = units("2Pz/2", "2Pz/304"), hexes("E4012")
    assert points(facts(), p) == len(east) + 10 // 4


@pytest.mark.rule(GAME, "30.2", "30.3", "S1.0", "S1.1")
def test_what_ends_the_campaign() -> None:
    p = empty("S1", turn=10)
    assert check_victory(facts(), p) is None
    p.german_held = facts().board.all
    result = check_victory(facts(), p)
    assert result is not None
    assert result.winner == GERMAN
    allies = placed(("99/394", "E1325"), ("99/393", "E1522"), ("99/395/3", "E1920"), scenario="S1", turn=10)
    assert areas_held(Situation(facts(), allies)) == 3
    assert check_victory(facts(), allies) is None
    second = check_victory(facts(), allies)
    assert second is not None
    assert second.winner == ALLIED


@pytest.mark.rule(GAME, "S2.1", "S3.1", "S3.4", "S4.1", "S4.4", "S5.0", "S5.1", "S5.2")
def test_how_long_scenarios_are_and_how_they_end() -> None:
    last = {row.id: (row.first_turn, row.last_turn, row.points) for row in facts().scenarios}
    assert last == {"S1": (1, 22, 0), "S2": (1, 6, 10), "S3": (1, 8, 14), "S4": (13, 22, 0), "S5": (1, 30, 0)}
    p = empty("S4", turn=22)
    assert final_result(facts(), p).winner == ALLIED
    p.where[unit("12/48")] = at("E3313")
    assert final_result(facts(), p).winner is None


@pytest.mark.rule(GAME, "S4.0", "S4.2", "S4.3")
def test_the_morning_of_22_december() -> None:
    p = ardennes().set_up("S4", {})
    assert p.blown == sum(1 << bridge(name) for name in BLOWN_DECEMBER_22)
    assert sorted(p.surrender.values()) == [1, 3]
    s = Situation(facts(), p)
    for side in SIDES:
        supplied = Supply(s, side).supplied()
        cut_off = {n for n in facts().units_of[side] if p.where[n] >= 0 and not supplied >> p.where[n] & 1}
        assert cut_off == {n for n in facts().units_of[side] if p.unsupplied >> n & 1}


@pytest.mark.rule(GAME, "S1.2", "S1.3", "S1.5", "S2.2", "S2.3", "S3.2", "2.7")
def test_the_set_up_is_sound() -> None:
    p = ardennes().set_up("S2", {})
    ardennes().check(p)
    assert not p.fired
    s = Situation(facts(), p)
    for side in SIDES:
        supplied = Supply(s, side).supplied()
        assert all(supplied >> p.where[n] & 1 for n in facts().units_of[side] if p.where[n] >= 0)
    assert all(p.where[unit(id_)] < 0 for id_ in ("101/501", "82/504"))


@pytest.mark.rule(GAME, "4.0")
@pytest.mark.parametrize("scenario", ["S2", "S3"])
def test_a_random_game_comes_to_its_end(scenario: str) -> None:
    options = {option.id: "yes" for option in ardennes().options if option.offered_in(scenario)}
    match = Match(ardennes(), scenario, options, seed=SEED, keep_log=False)
    rng = random.Random(scenario)
    while match.decision:
        match.choose(rng.choice(match.decision.options))
    assert match.result is not None
    assert match.result.rule in ("S2.4", "S3.4")

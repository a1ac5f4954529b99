"""Worked examples, notes and figures of the rulebook that no other test of a rule covers, by their numbers."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.advance import Advance
from bulge.games.ardennes_44.artillery import flippable, guns_in_range
from bulge.games.ardennes_44.bridges import build
from bulge.games.ardennes_44.brigade import infiltrate, may_infiltrate
from bulge.games.ardennes_44.columns import markers_used, may_use_mover
from bulge.games.ardennes_44.combat import halved
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import GONE
from bulge.games.ardennes_44.fighting import apply, attacker_loses, fire_fight_modifier, leads
from bulge.games.ardennes_44.fuel import run_dry
from bulge.games.ardennes_44.infiltration import markers_left, stack_for
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.night import wake_peiper
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.retreats import lose_excess, retreat
from bulge.games.ardennes_44.setting_up import at_start
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.special import roll_for_jagdtigers
from bulge.games.ardennes_44.supply import Supply
from bulge.games.ardennes_44.surrender import supply_phase
from bulge.games.ardennes_44.traffic import hexes_for_marker, remove_traffic
from tests.games.ardennes_44.helpers import (
    answer,
    at,
    battle,
    begun,
    empty,
    facts,
    hexes,
    placed,
    unit,
    units,
    walk,
)  # fmt: skip

GAME = "ardennes_44"
GUN = "V/406"


@pytest.mark.rule(GAME, "5.3")
def test_an_engaged_gun_in_an_enemy_zone_is_made_ready() -> None:
    p = placed((GUN, "E2406"), ("12/48", "E2405"), step="allied_artillery")
    p.fired = p.engaged = units(GUN)
    assert flippable(facts(), p, ALLIED) == [unit(GUN)]
    p.unsupplied = units(GUN)
    assert not flippable(facts(), p, ALLIED)


@pytest.mark.rule(GAME, "6.1", "23.1")
def test_a_division_without_fuel_is_in_supply_again_at_the_end_of_the_turn() -> None:
    p = placed(("2Pz/304", "E0122"), ("2Pz/2Rec", "E0123"), scenario="S1", turn=7)
    table = begun(p).table
    run_dry(table, facts(), "2Pz", only_west=False)
    assert p.unsupplied == units("2Pz/304", "2Pz/2Rec")
    supply_phase(table, facts(), GERMAN)
    assert not p.unsupplied


@pytest.mark.rule(GAME, "12.4.1", "22.3")
def test_every_german_column_costs_a_prime_mover() -> None:
    p = placed(("ISS/388", "E1335"), scenario="S1", turn=4)
    assert may_use_mover(facts(), p, unit("ISS/388"))
    columns = [number for number in facts().units_of[GERMAN] if facts().recon >> number & 1][:6]
    for row, column in enumerate(columns, start=10):
        p.where[column] = at(f"E23{row}")
        p.columns |= 1 << column
    assert markers_used(facts(), p, GERMAN) == 6
    assert not may_use_mover(facts(), p, unit("ISS/388"))


# ---------------------------------------------------------------------- combat


@pytest.mark.rule(GAME, "15.3", "21.3")
def test_over_an_intact_bridge_a_tank_is_halved_and_earns_the_shift() -> None:
    one, two = next(
        ends
        for ends in facts().ground.bridges
        if not (facts().ground.thick | facts().ground.city | facts().ground.west_wall)
        & (1 << ends[0] | 1 << ends[1])
    )
    name = facts().board.name
    found = battle(name(two), [("2Pz/3/PzV", name(one))], ["99/394"])
    tank = unit("2Pz/3/PzV")
    assert found.attack_of(tank) == halved(facts().rows[tank].attack)
    assert found.armour_shift() == 1
    found.s.p.blown = 1 << facts().ground.bridge_between(one, two)
    assert found.armour_shift() == 0
    assert tank not in leads(found), "16.2.1: nor may it lead a Fire Fight"


@pytest.mark.rule(GAME, "15.8.1")
def test_an_improved_position_in_a_village_changes_nothing() -> None:
    village = next(
        hex_
        for hex_ in facts().board.names_of(facts().ground.village & ~facts().ground.thick)
        if hex_.startswith("E24")
    )
    beside = facts().board.name(facts().board.neighbours(at(village))[0])
    plain = battle(village, [("12/48", beside)], ["99/394"])
    dug_in = battle(village, [("12/48", beside)], ["99/394"], improved=hexes(village))
    assert plain.bonus() == dug_in.bonus() == facts().ground.terrain["village"].bonus


@pytest.mark.rule(GAME, "16.2", "21.1")
def test_equal_tank_quality_helps_in_a_fire_fight_and_earns_no_shift() -> None:
    tank, equal = (
        "2Pz/3/PzIV",
        next(
            row.id
            for row in facts().rows
            if row.side == ALLIED and row.type == "tank" and row.tq == facts().rows[unit("2Pz/3/PzIV")].tq
        ),
    )
    found = battle("E2405", [(tank, "E2406")], [equal])
    assert found.armour_shift() == 0
    assert fire_fight_modifier(found, unit(tank)) == -1


@pytest.mark.rule(GAME, "16.2.2", "19.1.1")
def test_after_a_fire_fight_all_who_attacked_may_advance() -> None:
    found = battle("E2405", [("12/48", "E2406"), ("12/89", "E2305")], ["28/110/1"])
    found.s.p.attackers = units("12/48", "12/89")
    playing = apply(begun(found.s.p).table, found, "DR2")
    asked = next(playing)
    while asked.rule != "19.1.1":
        asked = playing.send(asked.options[-1])
    assert {unit("12/48"), unit("12/89")} <= set(asked.options)


@pytest.mark.rule(GAME, "16.7", "16.7.1")
def test_a_determined_defense_does_not_bring_back_a_lost_step() -> None:
    found = battle("E2405", [("12/48", "E2406")], ["99/394"])
    found.s.p.attackers = units("12/48")
    found.s.p.improved = hexes("E2405")
    table = begun(found.s.p, 3).table  # 3 - 2 = 1: yes, for a step
    playing = apply(table, found, "D1")
    assert next(playing).rule == "16.7.1"
    with pytest.raises(StopIteration):
        playing.send(unit("99/394"))
    p = found.s.p
    assert p.where[unit("99/394")] == GONE, "a step for D1, a step for standing"
    assert p.where[unit("Rem-US-inf-1")] == at("E2405"), "what is left of it"
    assert not p.disrupted


@pytest.mark.rule(GAME, "16.3", "16.7.3")
def test_when_the_tank_that_earned_the_shift_is_lost_another_attacker_pays_for_the_exchange() -> None:
    found = battle("E2405", [("12/48", "E2406"), ("506", "E2406")], ["99/394"])
    table, p = begun(found.s.p).table, found.s.p
    p.attackers, p.where[unit("506")] = units("12/48"), GONE
    assert not list(attacker_loses(table, found, -1, [unit("506")]))
    assert p.reduced == units("12/48")


@pytest.mark.rule(GAME, "8.3", "17.4")
def test_where_no_room_is_found_only_the_steps_too_many_are_lost() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2406"), step="allied_combat")
    table = begun(p).table
    p.retreated = units("12/48")
    assert not list(lose_excess(table, facts(), at("E2406"))), "only one of them retreated"
    assert p.reduced == units("12/48"), "four points less one are within the limit"
    assert p.where[unit("12/48")] == at("E2406")


@pytest.mark.rule(GAME, "17.1", "23.3")
def test_a_unit_that_retreats_no_longer_holds_the_way_open_for_its_own_supply() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"), step="allied_combat")
    s = Situation(facts(), p)
    assert s.unnegated(GERMAN) >> at("E2406") & 1 == 0
    assert s.without(unit("12/48")).unnegated(GERMAN) >> at("E2406") & 1
    assert s.stack(at("E2406")) == [unit("12/48")], "the situation itself is as it was"


@pytest.mark.rule(GAME, "17.8")
def test_who_was_engaged_at_night_loses_the_marker_in_a_retreat() -> None:
    p = placed(("99/394", "E2405"), ("12/48", "E2406"), step="german_combat")
    p.engaged = units("99/394")
    playing = retreat(begun(p).table, facts(), [unit("99/394")], 2)
    asked = next(playing, None)
    while asked is not None:
        try:
            asked = playing.send(asked.options[0])
        except StopIteration:
            break
    assert not p.engaged
    assert p.disrupted == units("99/394")


@pytest.mark.rule(GAME, "19.2")
def test_infantry_enters_roadless_forest_as_the_first_hex_of_an_advance_only() -> None:
    ground, board = facts().ground, facts().board
    start, wood = next(
        (one, two)
        for one, two in board.sides_of(board.hexes)
        if ground.forest >> two & 1
        and not (ground.forest | ground.wooded_rough) >> one & 1
        and not (ground.roads | ground.hard(0)).between(one, two)
    )
    p = empty("S1")
    p.where[unit("12/48")] = start
    way = Advance(Situation(facts(), p), unit("12/48"), "bonus", start)
    assert wood in way.next_steps()
    before = next(
        hex_ for hex_ in board.neighbours(start) if hex_ != wood and not ground.hard(0).between(hex_, start)
    )
    p.where[unit("12/48")] = before
    way = Advance(Situation(facts(), p), unit("12/48"), "bonus", start)
    way.step(start)
    assert wood not in way.next_steps()


@pytest.mark.rule(GAME, "20.4")
def test_who_was_not_engaged_and_has_only_zones_to_go_to_is_lost() -> None:
    ring = facts().board.names_of(facts().board.ring(hexes("E2406"), 2))
    allies = [number for number in facts().units_of[ALLIED] if facts().infantry >> number & 1]
    p = placed(("12/48", "E2406"), step="german_combat")
    for ally, name in zip(allies, ring, strict=False):
        p.where[ally] = at(name)
    p.where[allies[len(ring)]] = at("E2405")
    match = begun(p, 1)
    answer(match, "disengage", "12/48")
    assert match.position.where[unit("12/48")] == GONE


@pytest.mark.rule(GAME, "22.9")
def test_a_gun_whose_hex_was_engaged_supports_nobody_else() -> None:
    found = battle("E2405", [("12/48", "E2406")], ["99/394"])
    found.s.p.where[unit(GUN)] = at("E2404")
    again = battle("E2405", [("12/48", "E2406")], ["99/394"])
    again.s.p.where[unit(GUN)] = at("E2404")
    assert guns_in_range(again, ALLIED) == [unit(GUN)]
    again.s.p.engaged = units(GUN)
    assert not guns_in_range(again, ALLIED)


@pytest.mark.rule(GAME, "15.2", "23.4")
@pytest.mark.parametrize(("attack", "half"), [(1, 1), (2, 1), (5, 3), (6, 3)])
def test_halves_are_rounded_up(attack: int, half: int) -> None:
    assert halved(attack) == half


# ---------------------------------------------------------------------- supply, traffic, night


@pytest.mark.rule(GAME, "23.3")
def test_the_road_part_may_begin_where_the_unit_stands() -> None:
    p = placed(("2Pz/304", "E0122"))
    assert Supply(Situation(facts(), p), GERMAN).road_net() >> at("E0122") & 1


@pytest.mark.rule(GAME, "24.3.2", "24.6")
def test_dice_that_name_markers_which_have_left_remove_none() -> None:
    p = placed(scenario="S1", turn=9)
    p.greif = [-2, at("E2406"), -1, -1, -1, -1]
    remove_traffic(begun(p, 1, 1).table, facts(), GERMAN)
    assert p.greif == [-2, at("E2406"), -1, -1, -1, -1]


@pytest.mark.rule(GAME, "24.4", "24.7")
def test_allied_markers_lie_beside_the_bottleneck_and_not_in_it() -> None:
    open_ = hexes_for_marker(facts(), placed(scenario="S1"), ALLIED)
    assert not open_ & facts().bottleneck
    beside = facts().board.around(facts().bottleneck) & ~facts().bottleneck
    assert open_ & beside == beside
    assert hexes_for_marker(facts(), placed(scenario="S1"), GERMAN) & facts().bottleneck == facts().bottleneck


@pytest.mark.rule(GAME, "25.3.3")
def test_without_night_markers_nobody_moves_or_fights_at_night() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"), scenario="S1", turn=4, step="allied_night")
    p.night = True
    match = begun(p, 1, 1, 1, 1)
    while match.position.night:
        assert match.asked().rule == "25.2.1", "only replacements are asked about"
        answer(match, "done")


@pytest.mark.rule(GAME, "27.5", "20.5")
def test_peiper_recovers_from_engaged_in_the_first_night() -> None:
    p = placed(("1SS/1/PzV", "E1533"), ("99/394", "E1534"), scenario="S1", turn=2, step="german_night_combat")
    p.night, p.engaged = True, units("1SS/1/PzV", "99/394")
    assert facts().rows[unit("1SS/1/PzV")].special == "peiper"
    wake_peiper(facts(), p)
    match = begun(p, 6, 6, 6, 6, 6, 6)
    while match.position.step == "german_night_combat" and match.asked().rule == "14.1":
        answer(match, "done")
    assert match.position.engaged == units("99/394")


@pytest.mark.rule(GAME, "27.7")
def test_the_653rd_may_be_delayed_again_and_again() -> None:
    p = at_start(facts(), "S1")
    p.turn = 4
    table = begun(p, 3, 4, 3, 1).table
    for _ in range(3):
        roll_for_jagdtigers(table, facts())
        assert not p.jagdtigers
    roll_for_jagdtigers(table, facts())
    assert p.jagdtigers


@pytest.mark.rule(GAME, "27.8.1", "27.8.2")
def test_the_150th_rolls_once_a_hex_and_only_if_it_wants_to() -> None:
    p = placed(("150Pz", "E2306"), ("99/395/3", "E2205"), ("28/110/1", "E2404"), turn=5)
    p.disrupted = units("99/395/3", "28/110/1")  # so that zones are all they have
    way = Walk(Situation(facts(), p), unit("150Pz"), at("E2306"))
    table = begun(p, 2, 3).table
    assert not may_infiltrate(way), "where it begins there is nothing to ignore"
    for name in ("E2305", "E2304"):
        way.step(at(name))
        assert way.stopped
        infiltrate(table, way)
        assert not way.stopped
    assert p.drawn == 2
    assert not p.detected
    plain = walk("150Pz", "E2306", ("99/395/3", "E2205"), turn=5)
    plain.step(at("E2305"))
    assert plain.mover.s.p.drawn == 0
    assert not plain.mover.s.p.detected


@pytest.mark.rule(GAME, "29.5")
def test_dasburg_and_gemuend_are_open_in_the_afternoon() -> None:
    p = at_start(facts(), "S1")
    bridges = [facts().bridge(name) for name in ("E2016/E2115", "E1913/E2013")]
    table = begun(p).table
    build(table, facts(), GERMAN)
    assert all(p.building >> bridge & 1 and p.blown >> bridge & 1 for bridge in bridges)
    clear: Ardennes44 = p.copy()
    clear.turn = 2
    for number in facts().units_of[ALLIED]:
        clear.where[number] = GONE
    build(begun(clear).table, facts(), GERMAN)
    assert not any(clear.blown >> bridge & 1 for bridge in bridges)


@pytest.mark.rule(GAME, "31.0")
def test_one_stack_under_a_marker_leaves_two_infiltrations_of_a_hex() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2008"), scenario="S1", turn=4, step="german_end")
    p.night_infiltration, p.night_stacks, p.night_marked = True, 1, units("12/48")
    match = begun(p)
    q = match.position
    assert markers_left(q, GERMAN) == 2
    s = Situation(facts(), q)
    assert stack_for(s, GERMAN, at("E2008")) == [unit("12/89")]
    assert not stack_for(s, GERMAN, at("E2406")), "it moves under its own marker"

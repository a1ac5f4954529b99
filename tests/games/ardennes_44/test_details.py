"""Counters and map, edges and boxes, and what happens within battles (rules 2, 3, 11.9, 13, 16 to 20)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.advance import Advance
from bulge.games.ardennes_44.air import clear_weather
from bulge.games.ardennes_44.arrivals import due
from bulge.games.ardennes_44.battle import battle_of, reach_of, ready, targets
from bulge.games.ardennes_44.brigade import surprise
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, EXITED, GONE
from bulge.games.ardennes_44.fighting import apply, prune_advantages
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.limits import british_free
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Advantage
from bulge.games.ardennes_44.retreats import Ways, retreat, settle
from bulge.games.ardennes_44.sectors import elsewhere, entry_hexes
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import (
    answer,
    ardennes,
    at,
    battle,
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


# ---------------------------------------------------------------------- counters and map


@pytest.mark.rule(GAME, "2.1", "2.2", "2.3", "2.5", "2.8", "2.9", "2.10", "2.11")
def test_what_is_on_a_counter() -> None:
    row = facts().rows[unit("99/394")]
    assert (row.attack, row.defence, row.movement, row.size, row.division) == (6, 6, 3, "III", "99")
    assert facts().rows[unit("2/9")].morale == "elite"
    assert facts().rows[unit("9Arm/811")].tq_kind == "red"
    assert {row.colour for row in facts().rows if row.side == GERMAN} == {"red", "grey", "blue", "white", "yellow"}


@pytest.mark.rule(GAME, "2.4")
def test_types_say_how_units_move() -> None:
    ways = {id_: facts().way[unit(id_)] for id_ in ("99/394", "2Pz/304", "2Pz/2Rec", "V/406", "9Arm/CCB")}
    assert list(ways.values()) == ["foot", "mech", "vehicle", "vehicle", "vehicle"]
    assert facts().tanks >> unit("9Arm/CCB") & 1
    assert not facts().tanks & units("217", "18/10+")


@pytest.mark.rule(GAME, "3.1", "3.2", "3.4")
def test_two_sheets_entries_and_terrain() -> None:
    assert facts().map.area("east_sheet") & facts().map.area("west_sheet") == 0
    assert all(row.blocking for row in facts().entries if row.side == ALLIED and row.id.startswith("E"))
    assert facts().ground.hex_bonus(at("E2416")) == 3


@pytest.mark.rule(GAME, "2.12")
def test_markers_are_shown() -> None:
    p = placed(("12/48", "E2406"))
    p.improved, p.traffic[0], p.blown = hexes("E2406"), at("E2405"), 1 << facts().bridge("E2016/E2115")
    kinds = {mark.kind for mark in ardennes().scene(p, None).marks}
    assert kinds == {"improved", "traffic", "bridge"}


@pytest.mark.rule(GAME, "11.7", "12.1")
def test_main_roads_cost_half_a_point() -> None:
    start = at("E3001")
    way = walk("14Cav/18", "E3001")
    main = [hex_ for hex_ in way.next_steps() if facts().ground.primary.between(start, hex_)]
    assert main
    assert all(way.next_steps()[hex_][0] == POINT // 2 for hex_ in main)


@pytest.mark.rule(GAME, "11.4.2")
def test_nobody_retreats_over_the_meuse_without_a_bridge() -> None:
    one, two = next(pair for pair in facts().ground.meuse if facts().ground.bridge_between(*pair) < 0)
    p = placed(("12/48", facts().board.name(one)), scenario="S1")
    assert facts().ground.hard(0).between(one, two)
    assert (one, two) not in Ways(Situation(facts(), p), unit("12/48")).paths(1)


@pytest.mark.rule(GAME, "12.3")
def test_columns_pay_for_traffic() -> None:
    way = walk("14Cav/18", "E3001", turn=4, strategic=28)
    hex_ = next(iter(way.next_steps()))
    plain = way.next_steps()[hex_][0]
    way = walk("14Cav/18", "E3001", turn=4, strategic=28)
    way.mover.s.p.greif[0] = hex_
    assert way.next_steps()[hex_][0] == plain + 2 * POINT


# ---------------------------------------------------------------------- edges and boxes


@pytest.mark.rule(GAME, "11.9", "11.9.1")
def test_allies_leave_over_a_friendly_edge_into_its_box() -> None:
    p = placed(("14Cav/18", "E3001"), step="allied_movement")
    match = begun(p)
    answer(match, "14Cav/18", "leave_the_map")
    assert match.position.where[unit("14Cav/18")] == at("Southeast box")


@pytest.mark.rule(GAME, "11.9.2", "11.9.3")
def test_germans_leave_by_the_roads_that_win_and_nowhere_else() -> None:
    p = placed(("2Pz/2Rec", "E4012"), step="german_movement")
    match = begun(p)
    answer(match, "2Pz/2Rec", "leave_the_map")
    assert match.position.where[unit("2Pz/2Rec")] == EXITED
    assert match.position.exit_hexes == hexes("E4012")
    assert not walk("2Pz/2Rec", "E0122").may_leave_map()


@pytest.mark.rule(GAME, "11.9.4", "17.2", "17.6")
def test_who_has_no_other_way_retreats_off_the_map() -> None:
    around = facts().board.names_of(facts().board.next_to(at("E2401")))
    germans = ("12/48", "12/89", "12/27F", "277/989", "277/990", "277/991")
    p = placed(("99/395/3", "E2401"), *zip(germans, around, strict=False))
    list(retreat(begun(p).table, facts(), [unit("99/395/3")], 2))
    assert p.where[unit("99/395/3")] == at("Southeast box")
    assert p.disrupted == units("99/395/3")
    inland = facts().board.names_of(facts().board.next_to(at("E2406")))
    q = placed(("99/395/3", "E2406"), *zip(germans, inland, strict=True))
    list(retreat(begun(q).table, facts(), [unit("99/395/3")], 2))
    assert q.where[unit("99/395/3")] == GONE


@pytest.mark.rule(GAME, "11.10.2", "17.8", "25.3.7")
def test_a_retreat_over_a_boundary_is_remembered_and_drops_markers() -> None:
    one, two = next(iter(facts().boundaries))
    p = placed(("12/48", facts().board.name(one)), turn=4)
    p.night_marked = units("12/48")
    settle(begun(p).table, facts(), unit("12/48"), (one, two))
    assert p.astray == units("12/48")
    assert not p.night_marked


@pytest.mark.rule(GAME, "13.3")
def test_artillery_arrives_fired() -> None:
    p = empty(turn=5, step="allied_movement")
    p.where[unit("V/190")] = DUE
    match = begun(p)
    answer(match, "V/190", "E2442")
    assert match.position.fired >> unit("V/190") & 1


@pytest.mark.rule(GAME, "13.5", "13.6", "13.7")
def test_from_box_to_box_and_back_on_to_the_map() -> None:
    p = placed(("12/48", "E1001"), step="allied_movement")
    p.where[unit("99/394")] = at("Southeast box")
    p.where[unit("4/8/2")] = at("Block E1001")
    s = Situation(facts(), p)
    assert {unit("99/394"), unit("4/8/2")} <= set(due(s, ALLIED))
    assert at("Block E1001") in elsewhere(s, unit("99/394"))
    assert at("Southwest box") not in elsewhere(s, unit("99/394")), "the sector is not blocked"
    assert elsewhere(s, unit("4/8/2")) == [at("Southeast box")]
    assert names(sum(1 << hex_ for hex_ in entry_hexes(s, unit("4/8/2")))) == {"E1001"}
    assert not s.zone(ALLIED)


@pytest.mark.rule(GAME, "13.8", "13.8.1", "13.8.2", "13.8.3", "13.8.4")
def test_an_attack_on_to_the_map_from_a_blocking_position() -> None:
    p = placed(("212/316", "E1001"), step="allied_combat")
    for id_ in ("99/394", "99/393"):
        p.where[unit(id_)] = at("Block E1001")
    s = Situation(facts(), p)
    assert ready(s, ALLIED) == units("99/394", "99/393")
    assert targets(s, ALLIED) == hexes("E1001")
    p.where[unit("99/394")] = at("Southeast box")
    p.reduced = units("99/393")
    assert not targets(Situation(facts(), p), ALLIED), "four factors do not block"
    way = Advance(s, unit("99/393"), "bonus", at("E1001"))
    assert way.next_steps() == [at("E1001")]


# ---------------------------------------------------------------------- within battles


@pytest.mark.rule(GAME, "7.4", "14.4")
def test_a_bridge_blown_before_the_attack_lets_the_attacker_call_it_off() -> None:
    p = placed(("2Pz/3/PzV", "E1908"), ("99/394", "E2008"), step="german_combat")
    match = begun(p, 3)
    answer(match, "E2008", "2Pz/3/PzV", "attack", "E1908/E2008", "call_off")
    assert match.position.blown >> facts().bridge("E1908/E2008") & 1
    assert not match.position.attacked


@pytest.mark.rule(GAME, "36.0")
def test_the_commando_hinders_one_demolition() -> None:
    p = placed(("99/394", "E2008"), ("12/48", "E1908"), step="allied_bridges")
    p.greif_commando = True
    match = begun(p, 3)
    answer(match, "E1908/E2008", "commando")
    assert not match.position.blown, "3 and 2 are 5"
    assert match.position.commando_used


@pytest.mark.rule(GAME, "14.2", "29.4")
def test_one_hex_at_a_time_and_nobody_must_attack() -> None:
    p = placed(("12/48", "E2406"), ("99/395/3", "E2405"), ("28/110/1", "E2407"), step="german_combat")
    match = begun(p)
    assert {"E2405", "E2407", "done"} <= {option.id for option in match.options()}
    first = placed(("106/422", "E1425"), ("18/293", "E1424"))
    assert not reach_of(Situation(facts(), first), unit("106/422"))


@pytest.mark.rule(GAME, "16.6")
def test_an_advantage_lasts_until_used_or_lost() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"), step="german_combat")
    p.advantages = [Advantage(units("12/48"), at("E2406"), at("E2405"))]
    p.target, p.attackers = at("E2405"), units("12/48")
    found = battle_of(facts(), p, GERMAN)
    assert [shift.rule for shift in found.all_shifts()] == ["16.6"]
    prune_advantages(facts(), p, GERMAN)
    assert p.advantages
    p.where[unit("12/48")] = at("E2407")
    prune_advantages(facts(), p, GERMAN)
    assert not p.advantages


@pytest.mark.rule(GAME, "16.6")
def test_whoever_has_left_the_marker_has_no_advantage_of_it() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2305"), ("99/394", "E2405"), step="german_combat")
    p.advantages = [Advantage(units("12/48", "12/89"), at("E2406"), at("E2405"))]
    p.target, p.attackers = at("E2405"), units("12/89")
    assert not battle_of(facts(), p, GERMAN).all_shifts()
    p.attackers = units("12/89", "12/48")
    assert [shift.rule for shift in battle_of(facts(), p, GERMAN).all_shifts()] == ["16.6"]
    prune_advantages(facts(), p, GERMAN)
    assert [mark.units for mark in p.advantages] == [units("12/48")]


@pytest.mark.rule(GAME, "16.1", "17.3", "18.2", "19.1.1")
def test_the_attacker_advances_though_the_defender_was_lost() -> None:
    found = battle("E2406", [("12/48", "E2405")], ["99/395/3"], broken=units("99/395/3"))
    match = begun(found.s.p)
    match.position.attackers = units("12/48")
    asked = next(apply(match.table, found, "DR2"))
    assert match.position.where[unit("99/395/3")] < 0
    assert asked.rule == "19.1.1"
    assert asked.options == [unit("12/48"), "break_down", "done"]


@pytest.mark.rule(GAME, "16.7.4")
def test_a_last_step_lost_in_standing_gives_a_limited_advance() -> None:
    found = battle("E2416", [("12/48", "E2417")], ["99/395/3"])
    match = begun(found.s.p, 4)
    match.position.attackers = units("12/48")
    play = apply(match.table, found, "DR2")
    assert next(play).rule == "16.7.1"
    asked = play.send(unit("99/395/3"))
    assert asked.prompt == "Who advances? (limited advance)"


@pytest.mark.rule(GAME, "21.4")
def test_recon_alone_falls_back_instead_of_losing_a_step() -> None:
    found = battle("E2406", [("12/48", "E2405")], ["14Cav/18"])
    asked = next(apply(begun(found.s.p).table, found, "DS"))
    assert (asked.rule, asked.side) == ("21.4", ALLIED)
    pair = battle("E2406", [("12/48", "E2405")], ["14Cav/18", "99/395/3"])
    assert next(apply(begun(pair.s.p).table, pair, "DS")).rule == "16.3"


@pytest.mark.rule(GAME, "19.2", "19.3", "19.3.1", "19.6")
def test_an_advance_keeps_out_of_bonds_woods_and_crowds() -> None:
    enemies = (("99/395/3", "E2305"), ("28/110/1", "E2505"))
    s = Situation(facts(), placed(("12/48", "E2406"), *enemies))
    assert s.bonds(ALLIED).sides.names() == ["E2405/E2406"]
    assert at("E2405") not in Advance(s, unit("12/48"), "regular", at("E2407")).next_steps()
    assert at("E2405") in Advance(s, unit("12/48"), "regular", at("E2405")).next_steps(), "the vacated hex"
    crowd = Situation(facts(), placed(("12/48", "E2406"), ("1SS/1", "E2405"), ("2Pz/304", "E2407")))
    assert at("E2405") not in Advance(crowd, unit("12/48"), "regular", at("E2405")).options()


@pytest.mark.rule(GAME, "10.3", "17.2", "19.3.1")
def test_a_friend_beyond_undoes_a_bond_for_advances_and_retreats() -> None:
    enemies, friend = (("99/395/3", "E2305"), ("28/110/1", "E2505")), ("12/89", "E2405")
    for there, open_ in ((enemies, False), ((*enemies, friend), True)):
        s = Situation(facts(), placed(("12/48", "E2406"), *there))
        assert (at("E2405") in Advance(s, unit("12/48"), "regular", at("E2407")).next_steps()) == open_
        assert (at("E2405") in Ways(s, unit("12/48")).onward((at("E2406"),))) == open_
        assert (at("E2405") in Walk(s, unit("12/48"), at("E2406")).next_steps()) == open_


@pytest.mark.rule(GAME, "23.5")
def test_without_supply_zones_and_bonds_remain() -> None:
    p = placed(("99/394", "E2406"), ("99/393", "E2404"))
    p.unsupplied = units("99/394", "99/393")
    s = Situation(facts(), p)
    assert s.bonds(ALLIED).hexes == hexes("E2405")
    assert s.zone(ALLIED)


@pytest.mark.rule(GAME, "24.3.1")
def test_markers_are_laid_from_the_box() -> None:
    match = begun(placed(("12/48", "E2406"), step="allied_traffic"))
    answer(match, "E2406")
    assert match.position.traffic[0] == at("E2406")


@pytest.mark.rule(GAME, "25.3.1", "25.3.2", "25.3.6")
def test_at_night_only_marked_units_move_and_fight() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2407"), ("99/394", "E2405"), turn=4, step="german_night_movement")
    p.night, p.night_marked = True, units("12/48")
    assert begun(p).asked().options == [unit("12/48"), "done"]
    assert ready(Situation(facts(), p), GERMAN) == units("12/48")


@pytest.mark.rule(GAME, "27.3.2")
def test_the_29th_is_free_once_a_german_is_over_the_meuse() -> None:
    p = empty("S1", turn=14)
    assert not british_free(Situation(facts(), p))
    over = facts().entry_hexes["G"][0]
    match = begun(p)
    pass_through(match.table, facts(), GERMAN, over)
    pass_through(match.table, facts(), ALLIED, over)
    assert british_free(Situation(facts(), match.position)), "it stays free when the hex is won back"


@pytest.mark.rule(GAME, "27.8.3")
@pytest.mark.parametrize(("die", "shifts"), [(3, 1), (4, 0)])
def test_the_150th_surprises_once(die: int, shifts: int) -> None:
    found = battle("E2406", [("150Pz", "E2405")], ["99/394"])
    match = begun(found.s.p, die)
    play = surprise(match.table, found)
    next(play)
    with pytest.raises(StopIteration):
        play.send("surprise")
    assert len(found.shifts) == shifts
    assert match.position.detected


@pytest.mark.rule(GAME, "30.1.1", "S5.3")
def test_a_german_victory_ends_the_campaign_at_once() -> None:
    p = empty("S1", turn=9, step="turn_end")
    p.german_held = facts().board.all
    match = begun(p)
    assert match.result is not None
    assert match.result.winner == GERMAN
    assert not clear_weather(empty("S5", turn=23))


@pytest.mark.rule(GAME, "11.1")
def test_a_walk_costs_what_its_hexes_cost() -> None:
    way = Walk(Situation(facts(), placed(("12/48", "E2406"))), unit("12/48"), at("E2406"))
    assert cost(way, "E2405") == POINT


@pytest.mark.rule(GAME, "17.4")
@pytest.mark.parametrize("marker", ["", "disrupted"])
def test_a_crowded_retreat_goes_farther_and_breaks(marker: str) -> None:
    """Every hex two away is full, so it is led on to where there is room; who was Disrupted breaks, no more."""
    ring = list(facts().board.names_of(facts().board.ring(hexes("E2406"), 2)))
    full = [row.id for row in facts().rows if row.nation == "us" and row.type == "infantry" and row.points == 3]
    p = placed(("99/395/3", "E2406"), *zip(full[: len(ring)], ring, strict=True))
    p.disrupted = units("99/395/3") if marker else 0
    play = retreat(begun(p).table, facts(), [unit("99/395/3")], 2)
    asked = next(play, None)
    while asked is not None:
        try:
            asked = play.send(asked.options[0])
        except StopIteration:
            break
    assert facts().board.distance(p.where[unit("99/395/3")], at("E2406")) == 3
    assert p.broken == units("99/395/3")

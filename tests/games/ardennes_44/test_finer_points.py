"""Finer points of losses, markers and positions, found by reading the rules again (12, 15.8, 16 and 20)."""

from __future__ import annotations

import pytest

from bulge.core.decision import Refusal
from bulge.games.ardennes_44.battle import targets
from bulge.games.ardennes_44.columns import marker_is_free, markers_used, may_load
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.facts import AIRBORNE, DUE
from bulge.games.ardennes_44.retreats import Ways
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import answer, at, begun, facts, hexes, placed, unit, units

GAME = "ardennes_44"


# ---------------------------------------------------------------------- positions and losses


@pytest.mark.rule(GAME, "15.8.4", "16.1")
def test_who_takes_an_improved_position_in_an_exchange_does_not_inherit_it() -> None:
    p = placed(("12/48", "E2630"), ("12/89", "E2630"), ("106/424/1", "E2631"), step="german_combat")
    p.improved = hexes("E2631")
    match = begun(p, 5)
    answer(match, "E2631", "12/48", "12/89", "attack", "12/89")
    assert match.log[-1].words == "106th Division 424/1 infantry is eliminated."
    answer(match, "12/48", "E2631", "done")
    assert match.position.where[unit("12/48")] == at("E2631")
    assert not match.position.improved


@pytest.mark.rule(GAME, "14.1", "16.4")
def test_a_remnant_does_not_attack_again() -> None:
    p = placed(("2/9", "E2630"), ("12/48", "E2631"), ("12/89", "E2629"), step="allied_combat")
    p.reduced = units("2/9")
    match = begun(p, 6)
    answer(match, "E2631", "2/9", "attack")
    assert match.position.where[unit("Rem-US-inf-1")] == at("E2630")
    assert match.position.step == "allied_traffic", "nobody is left to attack or to disengage"


@pytest.mark.rule(GAME, "14.1", "16.4")
def test_a_remnant_is_not_attacked_again() -> None:
    p = placed(("2/9", "E2630"), ("2/38", "E2730"), ("3FJ/5", "E2631"), step="allied_combat")
    p.reduced = units("3FJ/5")
    match = begun(p, 1, 3, 3)
    answer(match, "E2631", "2/9", "attack", "2/9", "3FJ/5")
    q = match.position
    assert q.where[unit("Rem-GE-para-1")] == at("E2631")
    assert not targets(Situation(facts(), q), ALLIED)


# ---------------------------------------------------------------------- Strategic Movement markers


@pytest.mark.rule(GAME, "12.6")
def test_a_unit_leaves_its_column_without_moving() -> None:
    p = placed(("4Arm/CCA", "E3016"), ("12/48", "E2016"), step="allied_movement", turn=5)
    p.columns = units("4Arm/CCA")
    match = begun(p)
    answer(match, "4Arm/CCA", "leave_column")
    assert not match.position.columns
    answer(match, "4Arm/CCA")
    assert match.why_not("leave_column").rule == "12.6"
    answer(match, "stop")
    assert match.position.where[unit("4Arm/CCA")] == at("E3016")


@pytest.mark.rule(GAME, "12.4.2", "12.4.3")
def test_a_regiment_in_one_hex_gets_on_trucks_together_under_one_marker() -> None:
    p = placed(("106/424(-)", "E2423"), ("106/424/1", "E2423"), step="allied_movement", turn=5)
    match = begun(p)
    answer(match, "106/424/1", "get_on_trucks")
    q = match.position
    assert q.columns == units("106/424(-)", "106/424/1")
    assert markers_used(facts(), q, ALLIED) == 1
    mixed = placed(("106/424(-)", "E2423"), ("106/422", "E2423"), step="allied_movement", turn=5)
    assert not may_load(Situation(facts(), mixed), unit("106/424(-)"))


@pytest.mark.rule(GAME, "12.2", "12.4.4")
def test_nobody_gets_on_trucks_next_to_a_column_on_his_road() -> None:
    p = placed(("106/422", "E2423"), ("106/424/1", "E2323"), step="allied_movement", turn=5)
    assert may_load(Situation(facts(), p), unit("106/422"))
    assert facts().ground.roads.between(at("E2423"), at("E2323"))
    p.columns = units("106/424/1")
    assert not may_load(Situation(facts(), p), unit("106/422"))


@pytest.mark.rule(GAME, "12.4.1", "S3.3")
def test_in_the_eight_turns_markers_are_kept_for_the_airborne_divisions() -> None:
    p = placed(*((id_, "E3016") for id_ in ("4Arm/CCA",)), scenario="S3", turn=6, step="allied_movement")
    airborne = [
        number for number, row in enumerate(facts().rows) if row.division in AIRBORNE and row.side == ALLIED
    ]
    for number in airborne:
        p.where[number] = DUE
    tanks = [number for number, row in enumerate(facts().rows) if row.type == "tank" and row.nation == "us"]
    free = Situation(facts(), p)
    assert len(airborne) == 8
    assert marker_is_free(free, unit("4Arm/CCA"))
    for number, hex_ in zip(tanks, ("E3018", "E3020"), strict=False):
        p.where[number] = at(hex_)
        p.columns |= 1 << number
    full = Situation(facts(), p)
    assert not marker_is_free(full, unit("4Arm/CCA"))
    assert all(marker_is_free(full, number) for number in airborne)


@pytest.mark.rule(GAME, "22.1", "22.2")
def test_a_ready_gun_that_comes_on_from_a_box_by_one_hex_stays_ready() -> None:
    p = placed(("V/187", "Southeast box"), step="allied_movement", turn=5)
    match = begun(p)
    answer(match, "V/187", "E1001", "stop")
    assert not match.position.fired
    gone_on = begun(placed(("V/187", "Southeast box"), step="allied_movement", turn=5))
    answer(gone_on, "V/187", "E1001", "E1002", "stop")
    assert gone_on.position.fired == units("V/187")


# ---------------------------------------------------------------------- a third formation


@pytest.mark.rule(GAME, "14.3.1", "19.1.1")
def test_a_unit_of_a_third_formation_comes_along_without_factors_and_advances() -> None:
    p = placed(("12/48", "E2406"), ("244", "E2406"), ("394", "E2406"), ("V/187", "E2405"), step="german_combat")
    p.where[unit("277/989")], p.where[unit("326/752")] = at("E2404"), at("E3016")
    match = begun(p, 1)
    answer(match, "E2405", "12/48", "277/989", "244", "attack")
    assert [option.id for option in match.options()] == ["394", "done"]
    before = match.position.attackers
    answer(match, "394")
    assert match.position.attackers == before, "it adds nothing"
    while match.asked().rule != "19.1.1":
        match.choose(match.asked().options[0])
    assert "394" in {option.id for option in match.options()}
    answer(match, "394", "E2405")
    assert match.position.attacked >> unit("394") & 1


# ---------------------------------------------------------------------- disengagement


@pytest.mark.rule(GAME, "20.2")
def test_who_of_a_stack_disengages_is_said_before_any_die() -> None:
    p = placed(("99/393", "E2406"), ("2/741", "E2406"), ("12/48", "E2405"), step="allied_combat")
    match = begun(p.copy(), 6)
    answer(match, "disengage", "2/741", "done")
    assert "disengage" not in match.asked().options, "the other one remains"
    assert "E2405" in {option.id for option in match.options()}, "and may attack"
    both = begun(p, 1, 6)
    answer(both, "disengage", "2/741", "99/393", "one_hex", "E2506")
    assert both.position.where[unit("2/741")] == at("E2506")
    assert both.position.disrupted == units("99/393"), "its own die failed"


@pytest.mark.rule(GAME, "20.3")
def test_who_disengages_goes_where_17_2_lets_it_not_where_17_1_ranks_first() -> None:
    p = placed(("2/741", "E2304"), ("12/48", "E2305"), step="allied_combat")
    ways = Ways(Situation(facts(), p), unit("2/741"), no_zones=True)
    assert at("E2303") not in {path[-1] for path in ways.best(1)}, "off the road"
    match = begun(p, 1)
    answer(match, "disengage", "2/741", "one_hex")
    assert {option.id for option in match.options()} == {"E2204", "E2303", "E2404"}
    assert match.why_not("E2205") == Refusal(
        "20.3", "it leads into an enemy zone that is closed to it, or to no room"
    )


@pytest.mark.rule(GAME, "11.9.1", "17.6", "20.3")
def test_an_allied_unit_without_another_way_disengages_off_the_map() -> None:
    p = placed(("99/393", "E1701"), ("12/48", "E1602"), ("12/89", "E1802"), step="allied_combat")
    match = begun(p, 1)
    answer(match, "disengage", "99/393")
    assert match.position.where[unit("99/393")] == at("Southeast box")

"""Hidden fuel dumps (rule 32)."""

from __future__ import annotations

import random

import pytest

from bulge.core.decision import Refusal
from bulge.core.match import Match
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.dumps import end_of_dumps, fetch_fuel, find_dumps, is_spared, may_destroy
from bulge.games.ardennes_44.facts import ABSENT
from bulge.games.ardennes_44.fuel import roll_for_fuel
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.retreats import Ways
from bulge.games.ardennes_44.sectors import drop_hexes
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.walking import AboutWalk
from tests.games.ardennes_44.helpers import answer, ardennes, at, begun, facts, hexes, names, placed, unit, units

GAME = "ardennes_44"
DUMPS = ("E2731", "E2833", "E3032")


def with_dumps(*there: tuple[str, str], real: str = "E2731", turn: int = 5, step: str) -> Ardennes44:
    p = placed(*there, scenario="S1", turn=turn, step=step)
    p.fuel_dumps, p.dumps, p.real_dump, p.dump = True, hexes(*DUMPS), at(real), "hidden"
    return p


def found(*there: tuple[str, str], turn: int = 5, step: str = "german_combat") -> Ardennes44:
    """The real dump has been found in E2731."""
    p = with_dumps(*there, turn=turn, step=step)
    p.dump, p.dumps, p.where[unit("Fuel")] = "found", p.dumps & ~hexes("E2731"), at("E2731")
    return p


@pytest.mark.rule(GAME, "32.0", "32.1")
def test_three_markers_lie_out_and_only_the_allies_know_the_real_one() -> None:
    match = Match(ardennes(), "S1", {"fuel_dumps": "yes"}, seed="1" * 32)
    p = match.position
    assert names(p.dumps) == set(DUMPS)
    assert p.dumps >> p.real_dump & 1
    assert ardennes().view(p, ALLIED)["real_dump"] == p.real_dump
    assert ardennes().view(p, GERMAN)["real_dump"] == ardennes().view(p, None)["real_dump"] == "hidden"
    dealt = set()
    for seed in range(30):
        q = p.copy()
        ardennes().deal_anew(q, GERMAN, random.Random(seed))
        dealt.add(q.real_dump)
    assert dealt == {at(name) for name in DUMPS}
    ardennes().deal_anew(p, ALLIED, random.Random(0))
    assert p.real_dump == match.position.real_dump
    assert not Match(ardennes(), "S1", seed="1" * 32).position.dumps


@pytest.mark.rule(GAME, "32.1")
@pytest.mark.parametrize("real", ["E2731", "E2833"])
def test_a_german_next_to_a_marker_turns_it_over(real: str) -> None:
    p = with_dumps(("12/48", "E2630"), real=real, step="german_movement")
    find_dumps(begun(p).table, facts(), at("E2630"))
    assert names(p.dumps) == set(DUMPS), "too far off"
    match = begun(p)
    answer(match, "12/48", "E2631")
    q = match.position
    assert names(q.dumps) == {"E2833", "E3032"}
    assert (q.where[unit("Fuel")] == at("E2731")) == (real == "E2731")
    assert q.dump == ("found" if real == "E2731" else "hidden")
    assert not match.can_undo


@pytest.mark.rule(GAME, "32.2")
def test_the_dump_guards_its_hex_with_two_factors_and_nothing_else() -> None:
    p = found(("12/48", "E2831"), step="german_movement")
    s = Situation(facts(), p)
    assert at("E2731") not in Walk(s, unit("12/48"), at("E2831")).next_steps()
    assert at("E2731") not in Ways(s, unit("12/48")).onward((at("E2831"),))
    assert not s.zone(ALLIED)
    battle = Battle(s, GERMAN, at("E2731"), [unit("12/48")])
    assert (battle.defence(), battle.bonus(), battle.attack()) == (2, 0, 5)
    p.where[unit("99/393")] = at("E2731")
    both = Battle(Situation(facts(), p), GERMAN, at("E2731"), [unit("12/48")])
    assert both.defence() == 2 + facts().rows[unit("99/393")].defence + both.bonus()
    bond = found(("99/393", "E2733"))
    assert not Situation(facts(), bond).bonds(ALLIED).hexes, "it forms no bond with the unit two hexes off"


@pytest.mark.rule(GAME, "32.2", "32.3")
def test_an_attack_that_hurts_it_captures_it_and_the_attacker_may_enter() -> None:
    match = begun(found(("12/48", "E2831")), 1)
    answer(match, "E2731", "12/48", "attack", "leave_the_dump")
    assert match.position.dump == "captured"
    assert match.asked().rule == "19.1.1"
    answer(match, "12/48", "E2731")
    assert match.position.where[unit("12/48")] == at("E2731")
    held = begun(found(("12/48", "E2831")), 6)
    answer(held, "E2731", "12/48", "attack", "leave_the_dump")
    assert held.position.dump == "found", "the attacker loses a step, the dump nothing"


@pytest.mark.rule(GAME, "32.2")
def test_captured_fuel_is_taken_away_by_road_or_retaken() -> None:
    p = found(("12/89", "E2731"))
    p.where[unit("Fuel")], p.dump, p.dumps = ABSENT, "captured", 0
    cut_off = p.copy()
    cut_off.where[unit("99/393")], cut_off.where[unit("99/394")] = at("E2730"), at("E2732")
    fetch_fuel(begun(cut_off).table, facts())
    assert cut_off.dump == "captured", "no road of theirs leads there"
    fetch_fuel(begun(p).table, facts())
    assert p.dump == "taken"
    for turn, spared in ((6, False), (7, True), (8, True), (9, False)):
        p.turn = turn
        assert is_spared(p) == spared
    p.turn = 8
    roll_for_fuel(begun(p).table, facts(), GERMAN)
    assert not p.fuel
    pass_through(begun(cut_off).table, facts(), ALLIED, at("E2731"))
    assert (cut_off.dump, cut_off.where[unit("Fuel")]) == ("found", at("E2731"))


@pytest.mark.rule(GAME, "32.2")
def test_whoever_retakes_it_finds_its_guards_there_at_once() -> None:
    p = found(("99/393", "E2730"), step="allied_movement")
    p.where[unit("Fuel")], p.dump, p.dumps = ABSENT, "captured", 0
    match = begun(p)
    answer(match, "99/393", "E2731")
    about = match.asked().about
    assert isinstance(about, AboutWalk)
    assert unit("Fuel") in about.walk.mover.s.stack(at("E2731"))


@pytest.mark.rule(GAME, "32.3")
@pytest.mark.parametrize(("die", "burns"), [(4, True), (5, False)])
def test_the_allies_set_it_on_fire_in_their_bridge_phase(die: int, burns: bool) -> None:
    near = found(("12/48", "E2730"), step="allied_bridges")
    match = begun(near, die)
    answer(match, "destroy_the_dump")
    assert (match.position.dump == "") == burns
    assert (match.position.where[unit("Fuel")] == ABSENT) == burns
    far = Situation(facts(), found(("12/48", "E2629"), step="allied_bridges"))
    assert not may_destroy(far)
    early = Situation(facts(), found(("12/48", "E2730"), turn=2, step="allied_bridges"))
    assert not may_destroy(early)


@pytest.mark.rule(GAME, "32.3")
@pytest.mark.parametrize(("die", "burns"), [(3, True), (4, False)])
def test_before_an_attack_one_more_is_added_to_the_die(die: int, burns: bool) -> None:
    match = begun(found(("12/48", "E2730")), die, 6, 6, 6)
    answer(match, "E2731", "12/48", "attack", "destroy_the_dump")
    assert (match.position.dump == "") == burns
    if burns:
        assert not match.position.attacked, "nobody is left to be attacked"


@pytest.mark.rule(GAME, "32.3")
def test_all_markers_go_at_the_end_of_turn_six() -> None:
    p = found(("12/48", "E2730"), turn=6)
    end_of_dumps(facts(), p)
    assert (p.dump, p.dumps, p.where[unit("Fuel")]) == ("", 0, ABSENT)
    kept = found(turn=6)
    kept.dump = "taken"
    end_of_dumps(facts(), kept)
    assert kept.dump == "taken"


@pytest.mark.rule(GAME, "32.1", "32.2")
def test_nobody_walks_into_a_dump_that_was_found_on_the_way() -> None:
    p = with_dumps(("12/48", "E2630"), ("12/89", "E2630"), step="german_movement")
    match = begun(p)
    answer(match, "12/48", "E2631")
    assert "E2731" not in {option.id for option in match.options()}
    assert match.why_not("E2731") == Refusal("11.1", "fuel dump is there")
    answer(match, "E2632", "12/89", "E2631")
    assert "E2731" not in {option.id for option in match.options()}, "nor does who comes after"


@pytest.mark.rule(GAME, "19.1", "32.1")
def test_nobody_advances_into_a_dump_that_was_found_on_the_way() -> None:
    p = with_dumps(("12/48", "E2630"), ("12/89", "E2630"), ("V/187", "E2631"), step="german_combat")
    match = begun(p, 1)
    answer(match, "E2631", "12/48", "12/89", "attack")
    while match.asked().rule == "17.1":
        match.choose(match.asked().options[0])
    answer(match, "12/48", "E2631")
    assert match.position.dump == "found"
    assert "E2731" not in {option.id for option in match.options()}
    assert match.why_not("E2731") == Refusal("19.1", "enemies are there")


@pytest.mark.rule(GAME, "17.2", "27.2", "32.1")
def test_nobody_retreats_or_drops_on_to_a_marker() -> None:
    s = Situation(facts(), with_dumps(("12/48", "E2831"), step="german_movement"))
    assert at("E2731") not in Ways(s, unit("12/48")).onward((at("E2831"),))
    assert not drop_hexes(s) & s.p.dumps


@pytest.mark.rule(GAME, "32.3")
def test_who_tried_at_night_may_try_again_in_the_morning() -> None:
    p = found(("12/48", "E2730"), turn=4, step="german_night_end")
    p.night, p.dump_tried = True, True
    match = begun(p, *[6] * 40)
    assert match.position.turn == 5
    assert not match.position.dump_tried


@pytest.mark.rule(GAME, "23.1", "32.2")
def test_a_dump_is_never_out_of_supply() -> None:
    around = facts().board.names_of(facts().board.next_to(at("E2731")))
    germans = ("12/48", "12/89", "277/989", "277/990", "277/991", "3FJ/5")
    match = begun(found(*zip(germans, around, strict=True), step="allied_supply"), *[6] * 40)
    assert not match.position.unsupplied >> unit("Fuel") & 1


@pytest.mark.rule(GAME, "16.5", "32.3")
def test_a_dump_that_burns_leaves_no_engaged_marker_behind() -> None:
    p = found(("12/48", "E2730"), ("99/393", "E3001"), step="allied_bridges")
    p.engaged = units("Fuel")
    match = begun(p, 1)
    answer(match, "destroy_the_dump")
    assert match.position.step == "allied_movement"
    assert not match.position.engaged

"""Where two rules meet: breaking down in an advance, counters used twice, positions left, tricks at night."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.brigade import infiltrate
from bulge.games.ardennes_44.columns import may_load
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.disengagement import can_disengage
from bulge.games.ardennes_44.facts import POOL
from bulge.games.ardennes_44.fighting import apply
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.limits import note_boundaries
from bulge.games.ardennes_44.losses import eliminate, lose_step
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.night import restorable
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import (
    ArdennesMatch,
    answer,
    at,
    battle,
    begun,
    facts,
    hexes,
    placed,
    unit,
    units,
    walk,
)
from tests.games.ardennes_44.test_nights import first_night

GAME = "ardennes_44"
PART = "BD-GE-inf-1"


def beaten(*there: tuple[str, str], improved: int = 0) -> ArdennesMatch:
    """26/77 has thrown 87/345 out of E2306, and somebody may advance."""
    p = placed(("26/77", "E2305"), ("87/345", "E2306"), *there, step="german_combat")
    p.improved = improved
    match = begun(p, *[1] * 12)
    answer(match, "E2306", "26/77", "attack", "26/77", "give_way")
    while match.asked().rule != "19.1.1":
        match.choose(match.asked().options[0])
    return match


@pytest.mark.rule(GAME, "14.1", "26.1", "26.3")
def test_who_breaks_down_in_an_advance_has_attacked_with_both_parts() -> None:
    match = beaten(("87/346", "E2304"))
    answer(match, "break_down", "done")
    assert match.position.where[unit(PART)] == at("E2305")
    assert match.position.step == "german_traffic", "nobody is left to attack E2304 or to disengage"


@pytest.mark.rule(GAME, "14.1", "26.3")
def test_a_counter_that_is_used_again_has_not_attacked_before() -> None:
    there = (("26/77", "E2305"), ("87/345", "E2306"), ("26/78", "E2505"), ("87/346", "E2506"))
    match = begun(placed(*there, step="german_combat"), 6)
    answer(match, "break_down", "26/77", "E2306", PART, "attack")
    assert match.position.where[unit(PART)] == POOL
    answer(match, "break_down", "E2506")
    assert unit(PART) in match.asked().options


@pytest.mark.rule(GAME, "14.1", "16.4")
def test_nothing_lies_on_a_counter_that_is_gone() -> None:
    match = begun(placed((PART, "E2305")))
    p = match.position
    borne = (
        *("reduced", "disrupted", "broken", "engaged", "unsupplied", "fired", "movers", "columns", "night_marked"),
        *(
            "lent",
            "replaced",
            "astray",
            "moved",
            "dug",
            "attacked",
            "remaining",
            "defended",
            "retreated",
            "joined",
        ),
        *("attackers", "breakers"),
    )
    for name in borne:
        setattr(p, name, units(PART))
    eliminate(match.table, facts(), unit(PART), "16.4")
    assert [name for name in borne if getattr(p, name)] == []


@pytest.mark.rule(GAME, "11.10.2", "26.2")
def test_parts_of_a_unit_that_is_astray_are_astray() -> None:
    p = placed(("26/77", "E2305"), turn=3)
    p.astray = units("26/77")
    match = begun(p)
    answer(match, "26/77", "break_down")
    assert match.position.astray == units("26/77", PART)


@pytest.mark.rule(GAME, "11.10.2")
def test_nobody_goes_astray_once_boundaries_bind_nobody() -> None:
    p, path = placed(("26/77", "E2305"), turn=5), next(iter(facts().boundaries))
    note_boundaries(facts(), p, unit("26/77"), path)
    assert not p.astray
    p.turn = 4
    note_boundaries(facts(), p, unit("26/77"), path)
    assert p.astray == units("26/77")


@pytest.mark.rule(GAME, "15.8.4")
def test_who_advances_out_of_an_improved_position_keeps_it_till_movement_ends() -> None:
    match = beaten(("87/346", "E2406"), improved=hexes("E2305", "E2306"))
    answer(match, "26/77", "E2306")
    assert match.position.improved == hexes("E2305"), "only those who were thrown out have lost theirs"


@pytest.mark.rule(GAME, "15.8.4")
def test_a_position_that_was_left_in_one_battle_outlasts_the_next() -> None:
    match = beaten(("26/78", "E2505"), ("87/346", "E2506"), improved=hexes("E2305"))
    answer(match, "26/77", "E2306", "E2506", "26/78", "attack", "26/78", "give_way")
    while match.asked().rule != "19.1.1":
        match.choose(match.asked().options[0])
    assert match.position.improved == hexes("E2305")


@pytest.mark.rule(GAME, "15.8.4")
def test_the_position_of_attackers_who_are_lost_goes() -> None:
    p = placed((PART, "E2305"), ("87/345", "E2306"), step="german_combat")
    p.improved = hexes("E2305")
    match = begun(p, 6)
    answer(match, "E2306", PART, "attack")
    assert match.position.where[unit(PART)] == POOL
    assert not match.position.improved


@pytest.mark.rule(GAME, "21.4")
def test_recon_that_falls_back_before_a_costly_attack_does_not_spare_the_attacker() -> None:
    found = battle("E2406", [("12/48", "E2405")], ["14Cav/18"])
    match = begun(found.s.p)
    match.position.attackers = units("12/48")
    play = apply(match.table, found, "A1/D1")
    assert next(play).rule == "21.4"
    play.send("fall_back")
    assert match.position.reduced == units("12/48")
    assert match.position.broken == units("14Cav/18")


@pytest.mark.rule(GAME, "27.8.2")
def test_a_zone_that_is_ignored_costs_nothing_to_leave() -> None:
    way = walk("150Pz", "E2306", ("99/395/3", "E2205"), ("28/110/1", "E2404"), turn=5)
    way.step(at("E2305"))
    way.stopped = False
    dear = {to: spent for to, (spent, _) in way.next_steps().items()}
    way = walk("150Pz", "E2306", ("99/395/3", "E2205"), ("28/110/1", "E2404"), turn=5)
    way.step(at("E2305"))
    infiltrate(begun(way.mover.s.p, 1).table, way)
    cheap = {to: spent for to, (spent, _) in way.next_steps().items()}
    paid = [to for to, spent in dear.items() if spent >= 0]
    assert paid
    assert [dear[to] - cheap[to] for to in paid] == [POINT] * len(paid)


@pytest.mark.rule(GAME, "27.8.2")
def test_a_zone_that_is_ignored_stays_so_for_the_whole_move() -> None:
    way = walk("150Pz", "E2306", ("99/395/3", "E2205"), ("28/110/1", "E2404"), turn=5)
    way.step(at("E2305"))
    infiltrate(begun(way.mover.s.p, 1).table, way)
    cheap = dict(way.next_steps())
    way.look_again()
    assert way.next_steps() == cheap
    way.step(at("E2306"))
    way.step(at("E2305"))
    assert not way.stopped


@pytest.mark.rule(GAME, "27.8.1")
def test_a_trick_at_night_is_found_out_as_the_night_ends() -> None:
    p = placed(("150Pz", "E2605"), ("87/345", "E2403"), turn=4, step="german_night_combat")
    p.night, p.tricked, p.infiltrated = True, True, units("150Pz")
    match = begun(p)
    assert not match.position.night, "nobody has anything to do this night"
    assert match.position.detected
    assert not match.position.infiltrated


@pytest.mark.rule(GAME, "26.1", "27.5")
def test_parts_of_a_borrowed_unit_are_borrowed() -> None:
    p = first_night(("1SS/1/PzV", "E2406"), ("26/77", "E2406"), ("99/394", "E2405"))
    match = begun(p)
    answer(match, "break_down")
    assert match.position.lent == units("26/77", PART)
    assert can_disengage(Situation(facts(), match.position), GERMAN) == [unit("1SS/1/PzV")]


@pytest.mark.rule(GAME, "27.5", "31.0")
def test_who_has_infiltrated_to_peiper_does_not_fight_beside_him() -> None:
    there = (("1SS/1/PzV", "E2305"), ("26/77", "E2405"), ("87/345", "E2205"))
    p = placed(*there, turn=2, step="german_infiltration")
    p.night, p.night_infiltration, p.night_left_german = True, True, 1
    p.night_marked = facts().peiper
    match = begun(p)
    answer(match, "E2405", "E2305", "done", "E2205", "1SS/1/PzV")
    assert match.asked().options == ["attack"]


@pytest.mark.rule(GAME, "25.2.5", "27.5")
def test_peiper_gets_replacements_in_his_first_night() -> None:
    p = placed(("1SS/2/III", "E1030"), ("12/48", "E1131"), turn=2, step="german_night", scenario="S1")
    p.night, p.reduced = True, units("1SS/2/III")
    match = begun(p)
    assert match.position.step == "german_replacements"
    assert restorable(Situation(facts(), match.position), GERMAN) == [unit("1SS/2/III")]
    answer(match, "done")
    assert match.position.night_marked == facts().peiper


@pytest.mark.rule(GAME, "16.4", "27.5")
def test_what_is_left_of_a_borrowed_unit_is_borrowed() -> None:
    p = first_night(("1SS/1/PzV", "E2406"), ("3FJ/9", "E2406"), ("99/394", "E2405"))
    p.reduced = units("3FJ/9")
    left = lose_step(begun(p).table, facts(), unit("3FJ/9"), "16.3")
    assert p.where[left] == at("E2406")
    assert p.lent == 1 << left


@pytest.mark.rule(GAME, "11.10.2")
def test_who_was_thrown_back_over_a_boundary_walks_back_and_rallies() -> None:
    p = placed(("26/77", "E2305"), turn=3)
    there, back = next(
        (one, two)
        for one, two in facts().boundaries
        if facts().ground.steps("foot", False, 0).cost(one, two) and two not in facts().blocked
    )
    p.where[unit("26/77")], p.disrupted = there, units("26/77")
    assert back not in Walk(Situation(facts(), p), unit("26/77"), there).next_steps()
    p.astray = units("26/77")
    match = begun(p)
    answer(match, "26/77", facts().board.name(back), "stop")
    assert match.position.step != "german_movement", "nobody else is to be moved"
    assert not match.position.astray
    assert not match.position.disrupted, "nobody is near: it rallies by itself"


@pytest.mark.rule(GAME, "27.6")
def test_the_regiments_at_the_dams_get_on_no_trucks_on_turn_two() -> None:
    p = placed(("2/9", "E1535"), turn=2, step="allied_movement")
    assert not may_load(Situation(facts(), p), unit("2/9"))
    p.turn = 3
    assert may_load(Situation(facts(), p), unit("2/9"))

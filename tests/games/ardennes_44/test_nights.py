"""Night turns in the corners: Peiper's borrowed units, who infiltrates, and what a weak bridge makes of it."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.allowance import allowance
from bulge.games.ardennes_44.battle import targets
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.disengagement import can_disengage
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.infiltration import stack_for
from bulge.games.ardennes_44.night import commandeer, wake_peiper
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import answer, at, begun, facts, hexes, placed, unit, units

GAME = "ardennes_44"


def first_night(*there: tuple[str, str]) -> Ardennes44:
    """The Germans are about to fight in the first night."""
    p = placed(*there, turn=2, step="german_night_combat")
    p.night = True
    wake_peiper(facts(), p)
    commandeer(facts(), p)
    return p


@pytest.mark.rule(GAME, "27.5")
def test_peiper_acts_in_the_first_night_with_whoever_is_beside_him() -> None:
    assert facts().peiper.bit_count() == 4
    p = placed(("1SS/1/PzV", "E1427"), ("3FJ/9", "E1427"), turn=2)
    wake_peiper(facts(), p)
    assert p.night_marked >> unit("1SS/1/PzV") & 1
    assert not p.night_marked >> unit("3FJ/9") & 1
    commandeer(facts(), p)
    assert p.night_marked >> unit("3FJ/9") & 1


@pytest.mark.rule(GAME, "27.5")
def test_peiper_acts_in_the_first_night_though_he_was_thrown_back() -> None:
    p = placed(("1SS/1/PzV", "E1427"), turn=2)
    p.disrupted = units("1SS/1/PzV")
    wake_peiper(facts(), p)
    assert p.night_marked >> unit("1SS/1/PzV") & 1


@pytest.mark.rule(GAME, "25.3.5", "18.3")
def test_who_has_only_tactical_movement_does_not_move_once_marked() -> None:
    p = placed(("99/394", "E2406"), turn=2, step="allied_movement")
    p.night_marked = units("99/394")
    assert allowance(facts(), p, unit("99/394")).points == POINT
    p.unsupplied = units("99/394")
    assert not allowance(facts(), p, unit("99/394"))


@pytest.mark.rule(GAME, "27.5")
def test_peiper_takes_engaged_units_with_him_too() -> None:
    p = placed(("1SS/1/PzV", "E2406"), ("3FJ/9", "E2406"), turn=2)
    p.engaged = units("3FJ/9")
    commandeer(facts(), p)
    assert p.night_marked == units("3FJ/9")


@pytest.mark.rule(GAME, "27.5")
def test_borrowed_units_fight_at_night_only_beside_peiper() -> None:
    p = first_night(("1SS/1/PzV", "E2406"), ("3FJ/9", "E2406"), ("99/394", "E2405"), ("99/393", "E2407"))
    match = begun(p)
    answer(match, "E2405")
    assert match.asked().options == [unit("1SS/1/PzV")]
    answer(match, "1SS/1/PzV")
    assert unit("3FJ/9") in match.asked().options
    p.attacked, p.attackers = units("1SS/1/PzV"), 0
    assert not targets(Situation(facts(), p), GERMAN), "Peiper has fought: nobody is left to assist"


@pytest.mark.rule(GAME, "27.5")
def test_borrowed_units_assist_and_do_nothing_else() -> None:
    p = first_night(("1SS/1/PzV", "E2406"), ("3FJ/9", "E2406"), ("99/394", "E2405"))
    assert can_disengage(Situation(facts(), p), GERMAN) == [unit("1SS/1/PzV")]


@pytest.mark.rule(GAME, "31.0")
def test_guns_that_can_shift_infiltrate_others_do_not() -> None:
    p = placed(("LXVII/17Wf", "E2406"), ("LXVII/405", "E2407"), turn=2)
    s = Situation(facts(), p)
    assert stack_for(s, GERMAN, at("E2406")) == [unit("LXVII/17Wf")]
    assert not stack_for(s, GERMAN, at("E2407")), "a corps gun has no movement without its Prime Mover"


@pytest.mark.rule(GAME, "7.7", "31.0")
@pytest.mark.parametrize(("die", "ends"), [(4, "E2020"), (5, "E2119")])
def test_tanks_that_infiltrate_try_the_bridge_of_ouren(die: int, ends: str) -> None:
    p = placed(("116/16/PzV", "E2020"), turn=2, step="german_infiltration")
    p.night, p.night_infiltration, p.night_left_german = True, True, 1
    match = begun(p, die)
    answer(match, "E2020", "E2119")
    after = match.position
    assert hexes(ends) == 1 << after.where[unit("116/16/PzV")]
    assert after.ouren_tested
    assert not after.night_left_german, "the marker is spent either way"

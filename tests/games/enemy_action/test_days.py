"""The phases of a day, detachments, replacements, events, victory (rules 4, 9.1, 9.6 to 9.8, 13.2, 15, 16, 17)."""

from __future__ import annotations

import pytest

from bulge.core.decision import GameOver
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.enemy_action.days import allied_end, day_end, german_end, okw_release, supply_phase
from bulge.games.enemy_action.detachments import generate_detachments, prune_detachments
from bulge.games.enemy_action.events import carry_out_event, is_possible
from bulge.games.enemy_action.facts import ALLIED, BOX, EXITED, GERMAN, GONE, mask
from bulge.games.enemy_action.german_activation import (
    arrival_hexes,
    german_arrival,
    german_detachments,
    german_finish,
)
from bulge.games.enemy_action.german_cards import german_command, german_support
from bulge.games.enemy_action.methods import exit_map
from bulge.games.enemy_action.objectives import check_army_objectives, check_corps_objectives
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.replacements import allied_choices, replace_germans
from bulge.games.enemy_action.victory import (
    check_objectives_moved,
    check_victory,
    note_meuse,
    note_westwall,
    points,
)
from bulge.games.enemy_action.walking import walk
from tests.games.enemy_action.helpers import (
    at,
    crisis,
    empty,
    names,
    place,
    sit,
    start,
    table,
    the_game,
    unit,
)

GAME = "enemy_action"


def finished(p: EnemyActionPosition) -> str:
    """How a victory check ends; an empty word if it does not."""
    try:
        check_victory(table(p), the_game().facts)
    except GameOver as over:
        return over.result.words
    return ""


# ---------------------------------------------------------------------- victory (17, 18)


@pytest.mark.rule(GAME, "17.1")
@pytest.mark.rule(GAME, "18.5")
def test_the_crisis_begins_with_eleven_points() -> None:
    found = points(the_game().facts, crisis())
    assert found.total == 11
    assert (found["towns"], found["eliminated"]) == (8, 3)


@pytest.mark.rule(GAME, "17.0")
@pytest.mark.rule(GAME, "17.2")
@pytest.mark.rule(GAME, "17.3")
@pytest.mark.rule(GAME, "18.0")
@pytest.mark.rule(GAME, "18.2")
@pytest.mark.parametrize(
    ("extra", "level"),
    [(0, "operational victory"), (7, "tactical victory"), (12, "tactical defeat"), (21, "operational defeat")],
)
def test_the_bands_of_the_allies_surprised(extra: int, level: str) -> None:
    p = start("allies_surprised", 18)
    p.exit_points = extra
    assert f"Allied {level}" in finished(p)
    p.turn = 2
    assert not finished(p)


@pytest.mark.rule(GAME, "18.1")
def test_the_initial_assault_counts_towns_without_value_and_ends_with_two_objectives() -> None:
    facts, p = the_game().facts, start("initial_assault")
    p.german_towns |= 1 << at("1709")
    assert points(facts, p).total == 1
    p.table = [1, 2, 1]
    check_objectives_moved(table(p), facts)
    p.table = [2, 2, 1]
    with pytest.raises(GameOver):
        check_objectives_moved(table(p), facts)


@pytest.mark.rule(GAME, "18.3")
@pytest.mark.rule(GAME, "18.4")
def test_the_calendar_decides_the_longer_scenarios() -> None:
    facts = the_game().facts
    p = start("german_breakout", 20)
    p.exit_points = facts.calendar[20].victory_vp + 1
    assert not finished(p)
    p.turn = 6
    p.exit_points = 30
    assert "tactical defeat" in finished(p)
    p = start("battle_of_the_bulge", 25)
    p.exit_points = facts.calendar[25].defeat_vp
    assert "defeat" in finished(p)
    p.exit_points = facts.calendar[25].victory_vp
    assert "victory" in finished(p)


@pytest.mark.rule(GAME, "18.5")
def test_the_crisis_is_won_low_from_the_24th_and_lost_high_on_any_day() -> None:
    p = crisis()
    assert not finished(p)
    p.turn = 9
    assert "operational victory" in finished(p)
    p.turn, p.exit_points = 7, 24
    assert "operational defeat" in finished(p)
    p.turn, p.exit_points = 13, 11
    assert "draw" in finished(p).lower()


@pytest.mark.rule(GAME, "17.1")
def test_the_meuse_counts_once_and_the_westwall_while_it_is_lost() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"2.2P.XLVII": "0127"})
    p.german_towns, p.german_bridges, p.blown = facts.towns, facts.bridges, 0
    t = table(p)
    note_meuse(t, facts)
    assert points(facts, p)["meuse"] == (10 if sit(p).traces(GERMAN, at("0127")) else 0)
    p = empty(18)
    place(p, **{"16.1.V": "0404"})
    if sit(p).traces(ALLIED, at("0404")):
        note_westwall(table(p), facts)
        assert points(facts, p)["westwall"] == -5
        place(p, **{"16.1.V": "0405", "272.LXVII": "0403"})
        walk(table(p), facts, unit("272.LXVII"), [at("0403"), at("0404")], "10.0", "goes")
        assert points(facts, p)["westwall"] == 0


@pytest.mark.rule(GAME, "10.9")
@pytest.mark.rule(GAME, "10.91")
@pytest.mark.rule(GAME, "10.92")
@pytest.mark.rule(GAME, "10.93")
def test_supplied_units_leave_the_map_for_points() -> None:
    facts, p = the_game().facts, empty(24)
    place(p, **{"2.2P.XLVII": "1429", "901.Lehr.XLVII": "1229"})
    p.low = 1 << unit("901.Lehr.XLVII")
    assert not exit_map(table(p), sit(p), unit("901.Lehr.XLVII"))
    strength = sit(p).strength(unit("2.2P.XLVII"))
    assert exit_map(table(p), sit(p), unit("2.2P.XLVII"))
    assert p.where[unit("2.2P.XLVII")] == EXITED
    assert points(facts, p)["exits"] == 2 * strength


# ---------------------------------------------------------------------- supply states (13.2)


@pytest.mark.rule(GAME, "13.2")
@pytest.mark.rule(GAME, "13.21")
@pytest.mark.rule(GAME, "13.22")
@pytest.mark.rule(GAME, "13.23")
@pytest.mark.rule(GAME, "13.24")
@pytest.mark.rule(GAME, "13.12")
def test_one_state_worse_a_day_and_then_surrender() -> None:
    facts, p = the_game().facts, empty(18)
    inside = unit("423.106.XVIII")
    place(p, **{"423.106.XVIII": "1004", "18.LXVI": "1005", "62.LXVI": "1104", "272.LXVII": "0904"})
    place(p, **{"326.LXVII": "1003", "277.LXVII": "0905"})
    assert not sit(p).traces(ALLIED, at("1004"))
    states = []
    for _ in range(3):
        supply_phase(table(p), facts)
        states.append((p.low >> inside & 1, p.out >> inside & 1, p.isolated >> inside & 1))
    assert states == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    steps = p.steps[inside]
    supply_phase(table(p, 1), facts)
    assert p.steps[inside] == steps - 1
    supply_phase(table(p, 10), facts)
    assert p.steps[inside] == steps - 1
    assert not p.low >> unit("18.LXVI") & 1


# ---------------------------------------------------------------------- days and impulses (4)


@pytest.mark.rule(GAME, "4.0")
@pytest.mark.rule(GAME, "8.0")
def test_an_empty_german_pile_ends_the_day_after_the_next_allied_impulse() -> None:
    facts, p = the_game().facts, start()
    p.hand = 0
    p.allied_pile = 0
    assert german_end(table(p), facts) == "allied_impulse"
    assert allied_end(table(p), facts) == "german_impulse"
    p.pile = 0
    assert german_end(table(p), facts) == "allied_impulse"
    assert allied_end(table(p), facts) == "day_end"


@pytest.mark.rule(GAME, "4.0")
@pytest.mark.rule(GAME, "12.42")
@pytest.mark.rule(GAME, "12.9")
def test_the_end_of_a_day_clears_the_table() -> None:
    facts, p = the_game().facts, start(day=17)
    p.dispersed, p.no_fuel, p.cup, p.hand = 0b11, 0b100, 0, 0b1
    p.pile_out = p.one_unit_used = True
    assert day_end(table(p), facts) == "reserve_phase"
    assert (p.dispersed, p.no_fuel, p.cup.bit_count(), p.hand, p.turn) == (0, 0, 60, 0, 3)
    assert p.used & 1


@pytest.mark.rule(GAME, "4.11")
def test_16_december_begins_with_an_allied_impulse() -> None:
    match = Match(the_game(), "initial_assault", seed="00" * 16)
    assert match.position.step == "allied_impulse"
    assert match.asked().side == ALLIED


@pytest.mark.rule(GAME, "9.8")
@pytest.mark.rule(GAME, "9.81")
def test_the_okw_reserve_comes_when_germans_are_at_the_meuse() -> None:
    facts, p = the_game().facts, empty(22)
    okw_release(table(p), facts)
    assert not p.okw
    place(p, **{"2.2P.XLVII": "1126"})
    okw_release(table(p), facts)
    assert p.okw
    assert all(p.where[u] == BOX for u in facts.okw)
    assert sum(bool(p.discards >> facts.german.of[name] & 1) for name in ("G52", "G53", "G54", "G55")) == 4


# ---------------------------------------------------------------------- objectives (9.1)


@pytest.mark.rule(GAME, "9.1")
@pytest.mark.rule(GAME, "9.11")
@pytest.mark.rule(GAME, "9.12")
@pytest.mark.rule(GAME, "2.5")
def test_objectives_are_rolled_for_and_move_on_when_germans_are_near() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"1.1SS.ISS": "0902"})
    check_army_objectives(table(p, 3, 8, 10), facts, ["6PzA", "5PzA", "7A"])
    assert [facts.board.name(hex_) for hex_ in p.objective] == ["0709", "1814", "1911"]
    assert p.facing == ["W", "N", "S"]
    check_army_objectives(table(p), facts, ["6PzA"])
    place(p, **{"1.1SS.ISS": "0808"})
    check_army_objectives(table(p, 1), facts, ["6PzA"])
    assert facts.board.name(p.objective[0]) == "0512"
    place(p, **{"1.1SS.ISS": "0511"})
    check_army_objectives(table(p, 1), facts, ["6PzA"])
    assert (facts.board.name(p.objective[0]), p.table[0]) == ("0117", 3)
    place(p, **{"1.1SS.ISS": "0216"})
    check_army_objectives(table(p), facts, ["6PzA"])  # no table after the third


@pytest.mark.rule(GAME, "9.13")
@pytest.mark.rule(GAME, "9.14")
def test_corps_objectives_come_and_go_for_good() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"18.LXVI": "1104", "424.106.XVIII": "1107"})
    check_corps_objectives(table(p), facts, [unit("18.LXVI")])
    assert p.corps_objective == [-1, at("1106"), -1]
    place(p, **{"424.106.XVIII": "1112"})
    check_corps_objectives(table(p), facts, [unit("18.LXVI")])
    assert p.corps_objective[1] == -2
    place(p, **{"424.106.XVIII": "1107"})
    check_corps_objectives(table(p), facts, [unit("18.LXVI")])
    assert p.corps_objective[1] == -2


@pytest.mark.rule(GAME, "9.15")
def test_a_third_objective_that_is_reached() -> None:
    facts, p = the_game().facts, empty(20)
    p.objective, p.facing, p.table = [at("0117"), at("1126"), at("1719")], ["W", "W", "S"], [3, 3, 3]
    place(p, **{"2.2P.XLVII": "1125", "352.LXXXV": "1720"})
    walk(table(p), facts, unit("2.2P.XLVII"), [at("1125"), at("1126")], "10.0", "goes")
    assert p.objective[1] == at("0129")
    walk(table(p), facts, unit("352.LXXXV"), [at("1720"), at("1719")], "10.0", "goes")
    assert p.objective[2] == at("1719")
    assert p.defensive


# ---------------------------------------------------------------------- the end of an activation (9.6, 9.7, 12.9)


@pytest.mark.rule(GAME, "9.6")
@pytest.mark.rule(GAME, "9.7")
@pytest.mark.rule(GAME, "14.31")
def test_idle_units_go_into_reserve_or_dig_in() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"48.12.ISS": "0704", "27.12.ISS": "0704", "393.99.V": "0705"})
    p.active = mask([unit("48.12.ISS"), unit("27.12.ISS")])
    german_finish(table(p), facts)
    assert [p.where[unit(name)] for name in ("48.12.ISS", "27.12.ISS")] == [BOX, at("0704")]
    assert p.positions >> at("0704") & 1


@pytest.mark.rule(GAME, "12.9")
@pytest.mark.rule(GAME, "9.0")
def test_only_who_was_dispersed_before_the_activation_rallies() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"48.12.ISS": "0702", "27.12.ISS": "0702"})
    before, now = unit("48.12.ISS"), unit("27.12.ISS")
    p.scattered, p.dispersed = 1 << before, 1 << before | 1 << now
    german_finish(table(p), facts)
    assert p.dispersed == 1 << now


@pytest.mark.rule(GAME, "9.4")
@pytest.mark.rule(GAME, "9.41")
@pytest.mark.rule(GAME, "9.42")
def test_a_new_formation_comes_on_behind_the_front() -> None:
    facts, p = the_game().facts, start(day=19)
    corps = facts.corps_units["IISS"]
    for one in corps:
        p.where[one] = BOX
    p.active, p.command = mask(corps), facts.german.of["G42"]
    german_arrival(table(p), facts)
    placed = [one for one in corps if p.where[one] >= 0]
    assert placed
    s = sit(p)
    for one in placed:
        assert all(facts.distance(p.where[one], hex_) >= 3 for hex_ in s.stacks[ALLIED])
        assert not facts.edge >> p.where[one] & 1
    assert arrival_hexes(facts, p, corps[0]) & ~s.lines(GERMAN, reserve=True).heads == 0


# ---------------------------------------------------------------------- detachments (15)


@pytest.mark.rule(GAME, "15.5")
@pytest.mark.rule(GAME, "15.51")
@pytest.mark.rule(GAME, "15.52")
def test_detachments_multiply_from_the_east_and_keep_off_the_rim() -> None:
    facts, p = the_game().facts, crisis()
    before = p.detachments
    t = table(p)
    generate_detachments(t, facts)
    fresh = p.detachments & ~before
    assert not fresh & facts.rim
    assert not fresh & ~facts.hold_hexes
    s = sit(p)
    for hex_ in members(fresh & ~facts.wall):
        assert not facts.board.next_to(hex_) & s.occupied[ALLIED]
    order = sorted(map(at, ("0711", "0909", "1108", "0709")), key=lambda h: (-facts.east[h], facts.row[h]))
    assert [facts.board.name(hex_) for hex_ in order] == ["1108", "0709", "0909", "0711"]


@pytest.mark.rule(GAME, "15.2")
@pytest.mark.rule(GAME, "15.3")
def test_at_the_end_of_a_day_detachments_out_of_reach_go() -> None:
    facts, p = the_game().facts, empty(18)
    p.detachments = facts.board.set_of(["0303", "1108"])
    prune_detachments(table(p), facts)
    assert "0303" not in names(p.detachments)  # behind the Westwall: no Allied supply
    assert "1108" in names(p.detachments)  # a town


@pytest.mark.rule(GAME, "15.4")
def test_active_reserves_take_over_threatened_detachments() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"1.1SS.ISS": "0902", "119.30.XVIII": "0709"})
    p.where[unit("8.3F.ISS")] = BOX
    p.active = 1 << unit("8.3F.ISS")
    p.detachments = 1 << at("0808")
    p.german_bridges = facts.bridges
    german_detachments(table(p), facts)
    taken = sit(p).traces(GERMAN, at("0808"))
    assert (p.where[unit("8.3F.ISS")] == at("0808")) == taken


# ---------------------------------------------------------------------- replacements (16) and events (8.11)


@pytest.mark.rule(GAME, "16.0")
@pytest.mark.rule(GAME, "16.1")
@pytest.mark.rule(GAME, "16.12")
@pytest.mark.rule(GAME, "16.13")
def test_v_corps_has_two_units_to_give_steps_to() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"394.99.V": "0507", "47.9.V": "0506"})
    for name in ("394.99.V", "47.9.V"):
        p.steps[unit(name)] -= 1
    p.card = facts.allied.of["A02"]
    assert set(allied_choices(facts, p)) == {unit("394.99.V"), unit("47.9.V")}
    p.moved = 1 << unit("47.9.V")
    assert allied_choices(facts, p) == [unit("394.99.V")]


@pytest.mark.rule(GAME, "16.11")
@pytest.mark.rule(GAME, "16.2")
@pytest.mark.rule(GAME, "8.12")
def test_german_steps_go_to_the_highest_selectors_in_reserve_supply() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"272.LXVII": "0203", "326.LXVII": "0303"})
    p.steps[unit("272.LXVII")] -= 1
    p.steps[unit("326.LXVII")] -= 1
    order = sit(p).descending([unit("272.LXVII"), unit("326.LXVII")])
    replace_germans(table(p), facts, facts.corps_units["LXVII"], 1)
    assert p.steps[order[0]] == facts.full[order[0]]
    assert p.steps[order[1]] == facts.full[order[1]] - 1


@pytest.mark.rule(GAME, "8.11")
@pytest.mark.rule(GAME, "8.1")
def test_a_support_event_comes_first_and_an_impossible_one_keeps_the_card() -> None:
    facts, p = the_game().facts, start(day=18)
    p.command, p.support = facts.german.of["G44"], facts.german.of["G50"]
    p.pile &= ~(1 << p.support)
    assert is_possible(facts, p, "bridge_engineers")
    t = table(p)
    assert german_support(t, facts) == "german_support_event"
    assert p.support == -1
    list(carry_out_event(t, facts))
    assert (facts.bridges_blown & ~p.blown).bit_count() == 1
    p.blown, p.support = 0, facts.german.of["G50"]
    assert not is_possible(facts, p, "bridge_engineers")
    assert german_support(table(p), facts) == "german_command"
    assert p.support == facts.german.of["G50"]


@pytest.mark.rule(GAME, "8.12")
def test_replacements_come_before_the_activation_if_enough_units_are_reduced() -> None:
    facts, p = the_game().facts, start(day=20)
    p.command = facts.german.of["G62"]
    assert german_command(table(p), facts) == "german_activation"
    for one in facts.corps_units["LXXX"]:
        if p.where[one] >= 0 and p.steps[one] > 1:
            p.steps[one] -= 1
    assert german_command(table(p), facts) == "german_replacements"


@pytest.mark.rule(GAME, "12.37")
def test_von_der_heydte_lands_and_is_relieved() -> None:
    facts, p = the_game().facts, empty(17)
    p.event, p.command = "von_der_heydte", facts.german.of["G41"]
    list(carry_out_event(table(p), facts))
    assert p.where[facts.heydte] == at("0408")
    assert not is_possible(facts, p, "von_der_heydte")
    place(p, **{"1.1SS.ISS": "0407"})
    walk(table(p), facts, unit("1.1SS.ISS"), [at("0407"), at("0408")], "10.0", "goes")
    assert p.where[facts.heydte] == GONE
    assert points(facts, p)["relief"] == 1


@pytest.mark.parametrize("scenario", the_game().scenarios)
def test_a_page_counts_the_days_of_its_scenario(scenario: str) -> None:
    row, match = the_game().facts.scenarios[scenario], Match(the_game(), scenario)
    scene = the_game().scene(match.position, ALLIED)
    assert (scene.first_turn, scene.last_turn) == (row.first_day - 15, row.last_day - 15)
    assert scene.first_turn == match.position.turn

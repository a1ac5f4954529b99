"""What players of Ardennes '44 make use of: columns, Prime Movers, ways on to the map, breakthroughs, guns."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bulge.core.chance import Keyed, seed_of
from bulge.core.decision import Decision, Kind
from bulge.core.match import Match
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, EXITED
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import unit_question
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.knowledge.ardennes_44.ground import Ground
from bulge.players.knowledge.ardennes_44.stacks import Stack
from bulge.players.looking import Way, all_moves
from tests.games.ardennes_44.helpers import ardennes, at, begun, facts, placed, unit, units

PANZERS, GUN, FAR_GUN = "2Pz/3/PzV", "LXVII/405", "ISS/388"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def ways_of(p: Ardennes44, id_: str) -> dict[int, Way]:
    return all_moves(begun(p), lambda moving: p.where[moving]).ways[unit(id_)]


def played(p: Ardennes44) -> Ardennes44:
    """The position after a greedy player's phase."""
    step = p.step
    match, player = Match.at(ardennes(), p, Keyed(seed_of("any"))), GreedyPlayer(random.Random(1))
    while match.position.step == step:
        match.choose(player.choose(match))
    return match.position


def best(knowledge: Ardennes44Knowledge, p: Ardennes44, rule: str, side: str, options: Iterable[object]) -> object:
    """What a rule of thumb prefers among the answers to a question."""
    listed = [*options]
    decision = Decision(side, "", listed, rule, Kind.UNIT)  # type: ignore[arg-type]
    return max(listed, key=lambda choice: knowledge.prior(p, decision, choice) or 0.0)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- moving


def test_columns_go_farther_by_road_than_any_other_move() -> None:
    """East of the Our a panzer battalion drives at most twelve points in column, six otherwise."""
    ways = ways_of(placed((PANZERS, "E1322"), ("99/393", "E3414")), PANZERS)
    in_column = [way for way in ways.values() if way.manner == "strategic"]
    assert in_column
    assert all(way.path[0] == "strategic" for way in in_column)
    board = facts().board
    farthest = max(board.distance(at("E1322"), way.hex_) for way in ways.values() if way.manner == "")
    assert max(board.distance(at("E1322"), way.hex_) for way in in_column) > farthest


def test_nobody_marches_out_and_back() -> None:
    """That would be a move like any other, and leave improved positions and guns behind as moved."""
    p = placed((PANZERS, "E1322"), (GUN, "E1320"), ("99/393", "E3414"))
    assert [ways_of(p, id_)[at(hex_)].path for id_, hex_ in ((PANZERS, "E1322"), (GUN, "E1320"))] == [(), ()]


def test_who_is_far_behind_drives_up_in_column(knowledge: Ardennes44Knowledge) -> None:
    p = played(placed((PANZERS, "E1322"), ("99/393", "E3414")))
    assert p.columns == units(PANZERS)


def test_a_plan_knows_who_ends_in_column_and_which_guns_are_drawn(knowledge: Ardennes44Knowledge) -> None:
    p = placed((PANZERS, "E1322"), (GUN, "E1320"))
    knowledge.place(p, unit(PANZERS), ("strategic", at("E1320")))
    knowledge.place(p, unit(GUN), ("prime_mover", at("E1420")))
    assert (p.columns, p.movers) == (units(PANZERS), units(GUN))
    knowledge.place(p, unit(PANZERS), (at("E1420"),))
    assert not p.columns


def test_more_columns_than_markers_are_no_plan(knowledge: Ardennes44Knowledge) -> None:
    rear = [id_ for id_ in facts().number if id_.startswith(("2Pz/", "Lehr/"))][:7]
    p = placed(*((id_, f"E13{18 + number}") for number, id_ in enumerate(rear)))
    p.columns = units(*rear[:6])
    allowed = knowledge.value(p, GERMAN)
    p.columns = units(*rear)
    assert knowledge.value(p, GERMAN) < allowed - 5


def test_prime_movers_bring_guns_up(knowledge: Ardennes44Knowledge) -> None:
    p = played(placed((GUN, "E1439"), ("99/393", "E2440")))
    assert p.movers == units(GUN)
    board = facts().board
    assert board.distance(p.where[unit(GUN)], at("E2440")) < board.distance(at("E1439"), at("E2440"))


def test_reinforcements_do_not_stop_where_they_come_on() -> None:
    p = placed((PANZERS, "E1322"), turn=3, step="allied_movement")
    p.where[unit("7Arm/CCR")] = DUE
    ways = ways_of(p, "7Arm/CCR")
    assert any(len(way.path) > 3 for way in ways.values() if way.manner == "")
    assert any(way.path[0] == "strategic" for way in ways.values())


# ---------------------------------------------------------------------- fighting


def test_a_breakthrough_is_an_attack_that_is_weighed(knowledge: Ardennes44Knowledge) -> None:
    """Two factors would attack twelve: whoever broke through stops there instead."""
    p = placed(("2Pz/38", "E2125"), ("99/393", "E2225"), ("99/394", "E2225"), step="german_combat")
    p.breakers = units("2Pz/38")
    match = begun(p)
    assert match.asked().rule == "19.4.2"
    assert unit_question(match, knowledge) == "attack"
    assert GreedyPlayer(random.Random(1)).choose(match) == "done"


def test_guns_are_made_ready_that_have_something_to_fire_at(knowledge: Ardennes44Knowledge) -> None:
    p = placed((GUN, "E2325"), (FAR_GUN, "E1228"), ("99/393", "E2125"))
    for order in ((GUN, FAR_GUN), (FAR_GUN, GUN)):
        assert best(knowledge, p, "5.2", GERMAN, map(unit, order)) == unit(GUN)


def test_guns_do_not_fire_where_the_odds_are_overwhelming(knowledge: Ardennes44Knowledge) -> None:
    p = placed((GUN, "E2325"), ("12/48", "E2225"), ("12/27F", "E2226"), ("Eng/44", "E2125"), step="german_combat")
    p.target, p.attackers = at("E2125"), units("12/48")
    assert best(knowledge, p, "22.7", GERMAN, [unit(GUN), "no_guns"]) == unit(GUN)
    p = placed((GUN, "E2325"), *((id_, "E1002") for id_ in ("1SS/1", "1SS/1/PzV")), ("Eng/44", "E1102"))
    p.target, p.attackers = at("E1102"), units("1SS/1", "1SS/1/PzV")
    assert best(knowledge, p, "22.7", GERMAN, [unit(GUN), "no_guns"]) == "no_guns"


def test_tanks_lead_a_fire_fight_where_they_help(knowledge: Ardennes44Knowledge) -> None:
    p = placed(("1SS/1", "E1002"), ("1SS/1/PzV", "E1002"), ("Eng/44", "E1102"), step="german_combat")
    p.target, p.attackers = at("E1102"), units("1SS/1", "1SS/1/PzV")
    assert best(knowledge, p, "16.2.1", GERMAN, [unit("1SS/1"), unit("1SS/1/PzV"), "engage"]) == unit("1SS/1/PzV")


def test_the_last_step_in_a_hex_does_not_stand(knowledge: Ardennes44Knowledge) -> None:
    """It would be lost and the town with it; a regiment stands, and a battalion that others stay with."""
    battalion, regiment = unit("106/424/1"), unit("2/9")
    alone = placed(("106/424/1", "E2125"), ("62/164", "E2024"))
    others = placed(("106/424/1", "E2125"), ("106/423/2", "E2125"), ("2/9", "E1931"), ("62/164", "E2024"))
    assert best(knowledge, alone, "16.7.1", ALLIED, [battalion, "done"]) == "done"
    assert best(knowledge, others, "16.7.1", ALLIED, [battalion, "done"]) == battalion
    assert best(knowledge, others, "16.7.1", ALLIED, [regiment, "done"]) == regiment


def test_allies_blow_bridges_and_germans_do_not(knowledge: Ardennes44Knowledge) -> None:
    p = placed((PANZERS, "E1322"))
    assert best(knowledge, p, "7.3", ALLIED, [5, "leave"]) == 5
    assert best(knowledge, p, "7.3", GERMAN, [5, "leave"]) == "leave"


def test_replacements_go_to_whoever_attacks_best(knowledge: Ardennes44Knowledge) -> None:
    p = placed(("2Pz/38", "E1322"), (PANZERS, "E1221"))
    assert best(knowledge, p, "25.2.1", GERMAN, [unit("2Pz/38"), unit(PANZERS), "done"]) == unit(PANZERS)


# ---------------------------------------------------------------------- what lies open


def seen(knowledge: Ardennes44Knowledge, p: Ardennes44) -> tuple[Ground, Situation, dict[str, dict[int, Stack]]]:
    ground, s = knowledge.ground(p), Situation(facts(), p)
    return ground, s, ground.stacks.of(s)


def test_columns_reach_towns_that_a_drive_does_not_and_nobody_next_to_the_road_is_passed(
    knowledge: Ardennes44Knowledge,
) -> None:
    la_roche = 1 << at("E3821")
    ground, s, stacks = seen(knowledge, placed((PANZERS, "E2416")))
    assert ground.open_to_columns(s, stacks[GERMAN]) & la_roche
    assert not ground.threatened(s, stacks[GERMAN]) & la_roche
    ground, s, stacks = seen(knowledge, placed((PANZERS, "E2416"), ("99/393", "E2515")))
    assert not ground.open_to_columns(s, stacks[GERMAN]) & la_roche


def test_germans_who_reach_the_edge_leave_the_map_and_that_counts(knowledge: Ardennes44Knowledge) -> None:
    p = placed((PANZERS, "E3816"), ("99/393", "E1105"))
    p.german_held = facts().board.hexes
    leaving = [way for way in ways_of(p, PANZERS).values() if way.manner == "leave_the_map"]
    assert leaving
    assert all(way.path[-1] == "leave_the_map" for way in leaving)
    before = knowledge.value(p, GERMAN)
    knowledge.place(p, unit(PANZERS), leaving[0].path)
    assert p.where[unit(PANZERS)] == EXITED
    assert p.exited == units(PANZERS)
    assert knowledge.features(p)["points"] > 0
    assert knowledge.value(p, GERMAN) > before


def test_a_town_left_empty_is_exposed_to_armour_and_a_garrison_keeps_it(knowledge: Ardennes44Knowledge) -> None:
    left = placed((PANZERS, "E3313"), ("7Arm/CCR", "E2826"))
    kept = placed((PANZERS, "E2125"), ("7Arm/CCR", "E2826"))
    for p in (left, kept):
        p.german_held |= 1 << at("E2125")
    assert knowledge.features(left)["exposed"] < 0
    assert knowledge.features(kept)["exposed"] == 0


def test_allies_go_where_german_columns_could_drive_next(knowledge: Ardennes44Knowledge) -> None:
    """La Roche lies a day's march behind the front: it matters once a road to it is open."""
    behind = placed((PANZERS, "E2416"), ("99/393", "E2515"), ("7Arm/CCR", "E3826"), step="allied_movement")
    ahead = placed((PANZERS, "E2416"), ("7Arm/CCR", "E3826"), step="allied_movement")
    scores = [
        knowledge.fields(p, ALLIED).score(unit("7Arm/CCR"), at("E3821"), "")
        - knowledge.fields(p, ALLIED).score(unit("7Arm/CCR"), at("E3826"), "")
        for p in (behind, ahead)
    ]
    assert scores[0] < scores[1]


# ---------------------------------------------------------------------- traffic


def test_allied_traffic_markers_lie_on_the_road_that_most_germans_take_next(
    knowledge: Ardennes44Knowledge,
) -> None:
    """1st SS drives from Stadtkyll by Losheim: not the first road of the map, nor behind it, nor far ahead."""
    p = placed(("1SS/1", "E0928"), ("1SS/1/PzV", "E0928"), ("276/986", "E1407"), ("99/394", "E2531"))
    markers = [at(hex_) for hex_ in ("E0606", "E0830", "E1229", "E3029")]
    assert best(knowledge, p, "24.3.1", ALLIED, [*markers, "done"]) == at("E1229")
    assert best(knowledge, p, "24.3.1", ALLIED, [at("E0830"), at("E3029"), "done"]) == "done"


def test_german_markers_lie_on_the_road_of_those_who_come_to_the_front(knowledge: Ardennes44Knowledge) -> None:
    """7th Armored comes by Malmedy to St. Vith, before which the Germans stand: not behind it, though as near."""
    p = placed(("18/294", "E1925"), ("7Arm/CCB", "E2631"))
    options = [at(hex_) for hex_ in ("E2830", "E2531", "E1623")]
    assert best(knowledge, p, "24.3.1", GERMAN, options) == at("E2531")

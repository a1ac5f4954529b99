"""Rules 7 and 29: when a chit is drawn, what each event does, and what becomes of its chit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bulge.games.bastogne.events import EFFECTS, after_combat, draw_event
from bulge.games.bastogne.facts import WAITING
from bulge.games.bastogne.game import Bastogne
from bulge.games.bastogne.losses import Tally
from bulge.games.bastogne.position import BastognePosition
from tests.games.bastogne.helpers import Part, at, bastogne, chit, facts, place, position, unit, units, wait

THE_ONE = 1
"""The draw of the only chit in the cup."""


def drawn(event: str, p: BastognePosition, dice: Sequence[int] = ()) -> Part:
    """This event is the only chit in the cup, and it is drawn."""
    p.cup = [chit(event)]
    return Part(p, (THE_ONE, *dice)).play(draw_event, "a test")


# ---------------------------------------------------------------------- when (7.2)


@pytest.mark.rule("bastogne", "7.1", "7.2")
@pytest.mark.parametrize(
    ("lost", "german_win", "chits"),
    [
        ((), False, 0),
        (("C-9-Eng", "C-609-TD"), False, 0),
        (("C-9-Eng", "C-609-TD", "C-811-TD"), False, 1),
        (("I-901",), False, 1),
        (("1-501", "I-901"), True, 1),
        ((), True, 1),
    ],
)
def test_a_combat_that_costs_a_battalion_or_that_the_germans_win_draws_one_chit(
    lost: tuple[str, ...], german_win: bool, chits: int
) -> None:
    p = position()
    p.cup = [chit("option")]
    part = Part(p, (THE_ONE,) * chits).play(after_combat, Tally(units(*lost)), german_win=german_win)
    assert part.over
    assert len(p.drawn_events) == chits


@pytest.mark.rule("bastogne", "7.3", "2.8")
def test_a_chit_is_drawn_at_random_from_the_cup() -> None:
    p = position()
    p.cup = [chit("option"), chit("malmedy"), chit("option")]
    part = Part(p, (2,)).play(draw_event, "a test")
    assert part.over
    assert p.malmedy


@pytest.mark.rule("bastogne", "7.3")
def test_an_empty_cup_draws_nothing() -> None:
    p = position()
    p.cup = []
    assert Part(p).play(draw_event, "a test").over


@pytest.mark.rule("bastogne", "7.4", "29.0")
def test_what_becomes_of_each_chit() -> None:
    returned = {"fog_of_war", "intelligence", "option", "us_reinforcements", "von_manteuffel"}
    placed, to_the_end = {"leader"}, {"malmedy", "ardor"}
    found = {row.id: row.disposition for row in facts().events}
    assert {id_ for id_, what in found.items() if what == "return"} == returned
    assert {id_ for id_, what in found.items() if what == "placed"} == placed
    assert {id_ for id_, what in found.items() if what == "end_of_turn"} == to_the_end
    assert len(found) == len(EFFECTS) == 16


@pytest.mark.rule("bastogne", "7.4")
@pytest.mark.parametrize(("event", "in_cup"), [("option", 1), ("malmedy", 0), ("counteroffensive", 0)])
def test_returned_chits_are_in_the_cup_again_and_others_are_not(event: str, in_cup: int) -> None:
    part = drawn(event, position())
    assert part.over
    assert part.p.cup.count(chit(event)) == in_cup


# ---------------------------------------------------------------------- each event (29.0)


@pytest.mark.rule("bastogne", "29.0", "2.7")
@pytest.mark.parametrize(("die", "before", "after"), [(1, 7, 8), (4, 7, 6), (5, 12, 12), (6, 2, 2)])
def test_fog_of_war_moves_morale_up_on_odd_and_down_on_even(die: int, before: int, after: int) -> None:
    part = drawn("fog_of_war", position(morale=before), (die,))
    assert part.over
    assert part.p.morale == after


@pytest.mark.rule("bastogne", "29.0")
def test_bypass_lowers_morale_and_empties_a_staging_area() -> None:
    p = position({"I-2": "E-STAGING", "74-PzArt": "E-STAGING", "II-2": "E5", "I-901": "N-STAGING"}, morale=2)
    part = drawn("bypass", p, (6, 2))
    assert part.over, "a six is rolled again, a two is the East"
    assert p.morale == 2, "never below two by an event"
    found = [part.where(id_) for id_ in ("I-2", "74-PzArt", "II-2", "I-901")]
    assert found == ["waiting", "waiting", "E5", "N-STAGING"]


@pytest.mark.rule("bastogne", "29.0")
@pytest.mark.parametrize(("before", "after"), [(4, 3), (1, 1)])
def test_a_german_counteroffensive_throws_third_army_back(before: int, after: int) -> None:
    p = position()
    p.patton = before
    assert drawn("counteroffensive", p).over
    assert p.patton == after


@pytest.mark.rule("bastogne", "7.5", "29.0")
def test_infiltration_brings_a_whole_track_one_space_on_where_nobody_stands() -> None:
    p = position({"I-901": "N-STAGING", "II-901": "N4", "I-902": "N2", "1-501": "N1", "I-2": "E5"}, assault="")
    place(p, "130-PzArt", "N-STAGING")
    part = drawn("infiltration", p, (1,))
    assert part.over, "an event wins over refit mode (9.5)"
    found = [part.where(id_) for id_ in ("I-901", "II-901", "I-902", "I-2", "130-PzArt")]
    assert found == ["N5", "N3", "N2", "E5", "N-STAGING"]


@pytest.mark.rule("bastogne", "29.0", "3.1")
def test_infiltration_may_enter_an_empty_center() -> None:
    part = drawn("infiltration", position({"I-901": "N1"}), (1,))
    assert part.where("I-901") == "C"
    assert part.p.german >> at("C") & 1


@pytest.mark.rule("bastogne", "29.0")
def test_intelligence_is_kept_until_it_is_used() -> None:
    part = drawn("intelligence", position())
    assert part.over
    assert part.p.intelligence == 1
    assert part.p.cup == []


@pytest.mark.rule("bastogne", "25.0", "29.0")
def test_a_leader_joins_a_space_that_only_us_units_hold() -> None:
    p = position({"1-501": "N2", "2-501": "E2", "I-901": "N2"})
    wait(p, "Leader-A", "Leader-B", "Leader-C")
    part = drawn("leader", p)
    assert part.offered == {"E2"}
    part.choose("E2")
    assert part.where("Leader-A") == "E2"
    assert p.cup == []


@pytest.mark.rule("bastogne", "29.0")
def test_bombers_attack_with_six_and_hit_the_center_instead_of_a_track() -> None:
    p = position({"1-501": "C", "2-501": "N3"}, weather="socked_in", supply=5)
    part = drawn("bombers", p, (6, 6, 1, 1, 1, 1, 5, 1))
    assert part.over, "no weather halves them"
    assert part.steps("1-501", "2-501") == [1, 2]
    assert p.supply == 4


@pytest.mark.rule("bastogne", "29.0", "12.3.1")
def test_bombers_over_an_empty_center_hit_supply() -> None:
    p = position({"2-501": "N3"}, supply=5)
    part = drawn("bombers", p, (6, 1, 1, 1, 1, 1, 4))
    assert part.over
    assert p.supply == 4


@pytest.mark.rule("bastogne", "29.0")
def test_fighters_drive_off_airstrikes_of_the_players_choice() -> None:
    p = position({"I-901": "N3"})
    p.where[unit("AIR-1")] = at("Interdiction")
    p.where[unit("AIR-2")] = p.where[unit("AIR-3")] = at("Tactical")
    p.where[unit("AIR-4")] = at("N3")
    part = drawn("fighters", p, (2,))
    assert part.offered == {"Interdiction", "Tactical", "N3"}
    part.choose("Tactical", "N3")
    assert part.over
    assert [part.where(f"AIR-{number}") for number in (1, 2, 3, 4)] == ["Interdiction", "gone", "Tactical", "gone"]


@pytest.mark.rule("bastogne", "29.0")
def test_fighters_without_a_target_are_bombers() -> None:
    p = position({"1-501": "C"}, supply=2)
    part = drawn("fighters", p, (6, 1, 1, 1, 1, 1, 1))
    assert part.over
    assert p.supply == 1


@pytest.mark.rule("bastogne", "29.0", "7.4")
def test_malmedy_and_ardor_last_to_the_end_of_the_turn() -> None:
    p = position(turn=3)
    assert drawn("malmedy", p).over
    p.drawn = 0
    assert drawn("ardor", p).over
    assert p.malmedy
    assert p.ardor
    assert bastogne().sequence["turn_end"](Part(p).table) == "weather"
    assert not p.malmedy
    assert not p.ardor


@pytest.mark.rule("bastogne", "29.0")
@pytest.mark.parametrize("event", ["nuts", "can_still_lose"])
@pytest.mark.parametrize(("answer", "patton", "morale"), [("patton", 5, 7), ("morale", 4, 6)])
def test_nuts_and_we_can_still_lose_bring_third_army_on_or_morale_down(
    event: str, answer: str, patton: int, morale: int
) -> None:
    p = position(morale=7)
    p.patton = 4
    part = drawn(event, p).choose(answer)
    assert part.over
    assert (p.patton, p.morale) == (patton, morale)
    assert p.cup == []


@pytest.mark.rule("bastogne", "21.0", "29.0")
def test_us_reinforcements_join_us_units_where_there_is_room() -> None:
    full = dict.fromkeys(["1-502", "2-502", "3-502", "1-506"], "W2")
    p = position({"1-501": "N2", "2-501": "E2", "I-901": "N2"} | full)
    wait(p, "TF-Browne", "TF-Snafu")
    part = drawn("us_reinforcements", p)
    assert part.offered == {"TF-Browne", "TF-Snafu"}
    part.choose("TF-Snafu")
    assert part.offered == {"E2"}
    part.choose("E2")
    assert part.where("TF-Snafu") == "E2"
    assert p.cup == [chit("us_reinforcements")]


@pytest.mark.rule("bastogne", "29.0")
def test_without_task_forces_a_supply_point_comes() -> None:
    part = drawn("us_reinforcements", position({"1-501": "N2"}, supply=3))
    assert part.over
    assert part.p.supply == 4


@pytest.mark.rule("bastogne", "10.2", "10.3", "29.0")
def test_von_manteuffel_brings_a_corps_unit_by_lot_to_a_random_place() -> None:
    p = position()
    wait(p, "600-Pi", "55-Werfer")
    part = drawn("von_manteuffel", p, (2, 5, 3))
    assert part.over
    assert part.where("600-Pi") == "S-STAGING", "the second of the two that wait; a five is rolled again"
    assert p.track[unit("600-Pi") - facts().german_units.start] == 2


@pytest.mark.rule("bastogne", "29.0", "22.1")
def test_von_manteuffel_without_units_refits_a_staging_area_whatever_its_mode() -> None:
    p = position({"II-2": "E5"}, assault="NESW", morale=7)
    place(p, "I-2", "E-STAGING", steps=1)
    place(p, "74-PzArt", "E-STAGING", steps=1)
    part = drawn("von_manteuffel", p, (2, 3, 4, 6, 6))
    assert part.over
    assert part.steps("I-2", "74-PzArt") == [2, 1]


@pytest.mark.rule("bastogne", "2.7", "29.0")
def test_there_are_25_chits_of_sixteen_events() -> None:
    p = Bastogne().set_up("siege", {})
    assert len(p.cup) == 25
    assert len(set(p.cup)) == 16
    assert all(p.where[unit(id_)] == WAITING for id_ in ("Leader-A", "TF-Browne"))

"""What a second look at the rulebook changed: falling back, making room, whole tracks, chits, statements."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.assault import resolve_assault
from bulge.games.bastogne.events import draw_event
from bulge.games.bastogne.facts import GERMAN, GONE, US, WAITING
from bulge.games.bastogne.look import charts
from bulge.games.bastogne.losses import Tally, drive_out
from bulge.games.bastogne.morale import adjust_morale, change_morale
from bulge.games.bastogne.movement import move_us
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.preparation import add_supply
from bulge.games.bastogne.reinforcements import refit_germans
from tests.games.bastogne.helpers import Part, at, bastogne, chit, facts, place, position, siege, unit, wait

FOUR = ("2-501", "3-501", "1-502", "2-502")
EVENT = 1
"""The draw of the only chit in the cup."""


def closed_in(p: BastognePosition, id_: str, space: str) -> None:
    """A German unit enters a space without taking it from whoever holds it."""
    p.where[unit(id_)] = at(space)


# ---------------------------------------------------------------------- falling back (16.9, 17.3.3)


@pytest.mark.rule("bastogne", "14.4", "16.9")
def test_a_retreat_ends_in_a_center_that_the_us_still_holds_although_germans_are_in_it() -> None:
    p = position({"TF-Booth": "E2", "1-501": "C"})
    closed_in(p, "I-901", "C")
    part = Part(p, (6,)).play(drive_out, at("E2"), US, 1, Tally())
    assert (part.where("TF-Booth"), part.steps("TF-Booth")) == ("C", [2])


@pytest.mark.rule("bastogne", "14.4", "17.3.3")
def test_so_does_a_withdrawal() -> None:
    p = position({"TF-Booth": "E1", "1-501": "C"}, step="german_assault")
    closed_in(p, "I-901", "C")
    closed_in(p, "I-2", "E1")
    p.cup = [chit("option")]
    part = Part(p, (1, 6, *(1,) * 7)).play(resolve_assault, GERMAN, at("E1"))
    assert part.decision is None
    assert (part.where("TF-Booth"), part.steps("TF-Booth")) == ("C", [2])


@pytest.mark.rule("bastogne", "16.9")
def test_a_space_that_germans_hold_bars_the_way_even_while_us_units_attack_it() -> None:
    p = position({"TF-Booth": "E4", "I-2": "E2"})
    p.where[unit("1-501")] = at("E2")
    part = Part(p, (6,)).play(drive_out, at("E4"), US, 1, Tally())
    assert part.where("TF-Booth") == "E3"


@pytest.mark.rule("bastogne", "14.4", "16.9")
def test_germans_too_fall_back_on_their_own_who_are_under_attack() -> None:
    p = position({"I-2": "E3", "II-2": "E4"})
    p.where[unit("1-501")] = at("E4")
    part = Part(p, (1,)).play(drive_out, at("E3"), GERMAN, 1, Tally())
    assert (part.where("I-2"), part.steps("I-2")) == ("E4", [2])


@pytest.mark.rule("bastogne", "14.3", "16.9")
def test_a_retreat_that_a_full_entrenchment_stopped_goes_on_to_the_next_room_only() -> None:
    p = position({"TF-Booth": "E4"} | dict.fromkeys(FOUR, "E3"))
    p.entrenched = 1 << at("E3")
    part = Part(p, (6,)).play(drive_out, at("E4"), US, 1, Tally())
    assert part.where("TF-Booth") == "E2"


@pytest.mark.rule("bastogne", "14.3", "17.3.3")
def test_the_player_says_who_finds_room_where_a_withdrawing_stack_does_not_fit() -> None:
    p = position({"TF-Booth": "E4", "TF-Rose": "E4", "C-9-Eng": "E4"} | dict.fromkeys(FOUR[:3], "E3"))
    closed_in(p, "I-2", "E4")
    p.cup = [chit("option")]
    part = Part(p, (1, 6, *(1,) * 30)).play(resolve_assault, GERMAN, at("E4"))
    assert part.offered == {"TF-Booth", "TF-Rose"}, "companies always find room"
    part.choose("TF-Rose")
    assert [part.where(id_) for id_ in ("TF-Rose", "TF-Booth", "C-9-Eng")] == ["E3", "E2", "E3"]


@pytest.mark.rule("bastogne", "14.3", "17.3.3")
def test_nothing_is_asked_where_a_withdrawing_stack_fits() -> None:
    p = position({"TF-Booth": "E4", "TF-Rose": "E4"} | dict.fromkeys(FOUR[:2], "E3"))
    closed_in(p, "I-2", "E4")
    p.cup = [chit("option")]
    part = Part(p, (1, 6, *(1,) * 30)).play(resolve_assault, GERMAN, at("E4"))
    assert part.decision is None
    assert part.where("TF-Rose") == part.where("TF-Booth") == "E3"


# ---------------------------------------------------------------------- making room (14.3)


def crowded_center() -> BastognePosition:
    """Five battalions in the Center; socked in, and every first space is full or German."""
    p = position(dict.fromkeys([*FOUR, "1-501", "C-9-Eng"], "C"), step="us_movement", weather="socked_in")
    for german, space in (("I-901", "N1"), ("I-2", "E1"), ("I-13-FJ", "S1")):
        place(p, german, space)
    for id_ in ("TF-Rose", "TF-Booth", "TF-Cherry", "TF-Harper"):
        place(p, id_, "W1")
    return p


@pytest.mark.rule("bastogne", "14.3", "25.1")
def test_a_leader_may_lead_battalions_out_of_an_overstacked_center() -> None:
    p = crowded_center()
    place(p, "McAuliffe", "C")
    part = Part(p).play(move_us)
    assert (part.asked.rule, part.offered) == ("14.3", {"McAuliffe"}), "on foot nobody finds room"
    part.choose("McAuliffe")
    assert part.offered == {"W2", "W3"}, "where a battalion could be dropped on the way"
    part.choose("W3")
    assert part.offered == {*FOUR, "1-501"}, "a battalion must go along, and none but battalions comes first"
    part.choose("1-501", "W2")
    assert "done" in part.offered
    assert "C-9-Eng" in part.offered
    part.choose("done")
    assert part.asked.rule == "15.2", "four battalions are left"


@pytest.mark.rule("bastogne", "14.3")
def test_without_anybody_who_can_leave_an_overstacked_center_waits() -> None:
    part = Part(crowded_center()).play(move_us)
    assert part.asked.rule == "15.2"


# ---------------------------------------------------------------------- whole tracks (6.2)


@pytest.mark.rule("bastogne", "6.2")
def test_the_us_controls_no_whole_track_while_germans_hold_the_center() -> None:
    p = position({"I-901": "C"}, morale=3)
    Part(p).play(adjust_morale)
    assert p.morale == 3


# ---------------------------------------------------------------------- events (29.0)


def drawn(event: str, p: BastognePosition, *dice: int) -> Part:
    p.cup = [chit(event)]
    return Part(p, (EVENT, *dice)).play(draw_event, "a test")


@pytest.mark.rule("bastogne", "29.0", "10.1")
@pytest.mark.parametrize(
    ("turn", "dice", "come"), [(3, (3,), [0, 0]), (3, (4, 1, 2, 1, 1), [2, 0]), (6, (6, 2, 1, 1, 6, 1), [2, 1])]
)
def test_must_be_cleared_asks_the_reinforcement_table_first(
    turn: int, dice: tuple[int, ...], come: list[int]
) -> None:
    """At high morale a three brings nobody, a four a die of one formation's units, a seven that of two."""
    p = position(morale=9, turn=turn)
    lehr, panzer = ("I-901", "II-901", "I-902"), ("I-2",)
    wait(p, *lehr, *panzer)
    part = drawn("must_be_cleared", p, *dice)
    assert part.over
    assert p.morale == 10
    assert [sum(part.where(id_).endswith("STAGING") for id_ in ids) for ids in (lehr, panzer)] == come


@pytest.mark.rule("bastogne", "29.0", "7.5")
def test_von_manteuffel_places_a_bypassed_corps_unit_at_random_again() -> None:
    p = position()
    corps = facts().id_of(facts().formation_units[facts().corps][0])
    place(p, corps, "N-STAGING")
    p.where[unit(corps)] = WAITING
    part = drawn("von_manteuffel", p, 1, 3)
    assert part.over
    assert part.where(corps) == "S-STAGING"


@pytest.mark.rule("bastogne", "17.3.1", "29.0", "7.5")
def test_malmedy_and_intelligence_both_count_up_to_the_limit_of_four() -> None:
    p = position(step="german_assault")
    place(p, "I-901", "N3")
    place(p, "1-501", "N3")
    p.intelligence, p.malmedy, p.cup = 1, True, [chit("option")]
    part = Part(p, (3, 3, *(1,) * 9)).play(resolve_assault, GERMAN, at("N3")).choose("use_intelligence")
    assert part.said("17.3.1")[-1].startswith("US 5, German 3")


@pytest.mark.rule("bastogne", "17.3.1", "29.0")
def test_intelligence_is_not_asked_for_where_four_is_reached_without_it() -> None:
    p = position(step="german_assault")
    place(p, "I-901", "N2")
    place(p, "1-501", "N2")
    place(p, "McAuliffe", "N2")
    p.intelligence, p.malmedy, p.cup = 1, True, [chit("option")]
    part = Part(p, (3, 3, *(1,) * 9)).play(resolve_assault, GERMAN, at("N2"))
    assert part.decision is None
    assert p.intelligence == 1


@pytest.mark.rule("bastogne", "17.3.2", "18.3")
def test_a_breakthrough_into_the_center_fights_together_with_germans_who_are_there_already() -> None:
    p = position({"C-9-Eng": "N1", "1-501": "C"}, step="german_assault", morale=12)
    closed_in(p, "I-901", "N1")
    closed_in(p, "I-2", "C")
    p.cup = [chit("option")] * 3
    edge, win, check = (1, 6), (6, 1, 1), (1, 1)
    part = Part(p, (*edge, *win, *check, *edge, *(1,) * 30)).play(resolve_assault, GERMAN, at("N1"))
    (volley,) = [words for words in part.said("17.3.2") if "I/2 " in words]
    assert "I/901" in volley


# ---------------------------------------------------------------------- statements


@pytest.mark.rule("bastogne", "15.5")
def test_a_lateral_road_costs_the_whole_allowance() -> None:
    game = siege(position({"1-501": "N2"}, step="us_movement"))
    game.answer("1-501")
    costs = {option.id: option.cost for option in game.options()}
    assert (costs["E2"], costs["N1"], costs["C"]) == ("all", "1", "2")


@pytest.mark.rule("bastogne", "21.0", "28.1")
@pytest.mark.parametrize(("asked", "rule"), [("McAuliffe", "28.1"), ("TF-Browne", "21.0"), ("Leader-A", "25.0")])
def test_who_has_not_come_yet_is_not_said_to_be_lost(asked: str, rule: str) -> None:
    game = siege(bastogne().set_up("siege", {}))
    assert game.why_not(asked).rule == rule


@pytest.mark.rule("bastogne", "11.3")
def test_airstrikes_in_the_pool_are_not_lost() -> None:
    p = position()
    assert p.where[unit("AIR-1")] == GONE
    assert bastogne().unit_words(p, unit("AIR-1")) == "airstrike 1, in the pool"


@pytest.mark.rule("bastogne", "29.0", "6.4")
@pytest.mark.parametrize(
    ("morale", "by", "lowest", "words"),
    [(2, -1, 2, "no event takes it below 2"), (12, 1, 1, "12 is the highest")],
)
def test_what_holds_morale_is_said(morale: int, by: int, lowest: int, words: str) -> None:
    part = Part(position(morale=morale))
    change_morale(part.table, by, "29.0", "a test", lowest=lowest)
    assert part.said("29.0") == [f"German morale {by:+d} to {morale} ({words}): a test."]


@pytest.mark.rule("bastogne", "11.2")
def test_supply_beyond_the_limit_is_said_to_be_lost() -> None:
    part = Part(position(supply=45))
    add_supply(part.table, 10, "11.2")
    assert part.said("11.2") == ["US supply +10 to 49; 6 points beyond the limit of 49 are lost."]


@pytest.mark.rule("bastogne", "22.1")
def test_a_unit_of_one_step_does_not_come_back_reduced() -> None:
    p = position(assault="NES")
    part = Part(p).play(refit_germans)
    said = part.said("22.1")
    assert "26 Replacement Battalion comes back to West." in said
    assert "I/39 Grenadiers comes back to West, reduced." in said


@pytest.mark.rule("bastogne", "4.2", "29.0")
def test_only_modifiers_have_a_sign() -> None:
    (chart,) = [chart for chart in charts(facts()) if chart.id == "modifiers"]
    assert ("Third Army: good weather", "+1") in chart.rows
    assert ("Third Army: number of the Relief box", "9") in chart.rows
    assert ("Luftwaffe bombers: dice", "6") in chart.rows

"""Rules 12, 13.2 and 27.2: interdiction, German artillery with its fall-backs, counterbattery."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.barrage import (
    counterbattery,
    fire_german_artillery,
    foremost,
    impact_strength,
    interdict,
)
from bulge.games.bastogne.position import BastognePosition
from tests.games.bastogne.helpers import Part, at, facts, place, position, unit

NORTH, EAST, SOUTH, WEST = range(4)


# ---------------------------------------------------------------------- interdiction


def interdicting(count: int, p: BastognePosition) -> BastognePosition:
    """The same position with so many airstrikes in the Interdiction box."""
    for marker in facts().airstrikes[:count]:
        p.where[marker] = at("Interdiction")
    return p


@pytest.mark.rule("bastogne", "27.2", "27.2.1", "15.10", "16.11")
def test_targets_are_guns_and_units_in_staging_areas_and_morale() -> None:
    p = position({"130-PzArt": "N-STAGING", "I-901": "N-STAGING", "I-2": "E-STAGING", "I-13-FJ": "S5"})
    interdicting(1, p)
    part = Part(p).play(interdict)
    assert part.offered == {"guns_North", "units_North", "units_East", "morale"}
    assert part.asked.prompt == "What does 1 airstrike interdict?"


@pytest.mark.rule("bastogne", "27.2.1")
def test_a_six_suppresses_a_gun_and_anything_else_does_not() -> None:
    p = interdicting(2, position({"130-PzArt": "N-STAGING"}))
    part = Part(p, (5, 6)).play(interdict).choose("guns_North")
    assert part.over
    assert part.steps("130-PzArt") == [1]
    assert part.where("AIR-1") == "gone", "an airstrike is used up"


@pytest.mark.rule("bastogne", "27.2.1", "16.7")
def test_hits_reduce_full_units_before_one_is_eliminated() -> None:
    p = position({"I-901": "N-STAGING", "II-901": "N-STAGING"})
    place(p, "I-902", "N-STAGING", steps=1)
    interdicting(2, p)
    part = Part(p, (6, 6)).play(interdict).choose("units_North")
    assert part.offered == {"I-901", "II-901"}
    part.choose("I-901")
    assert part.over, "the second hit can only go to the other full unit"
    assert part.steps("I-901", "II-901", "I-902") == [1, 1, 1]


@pytest.mark.rule("bastogne", "27.2.1")
def test_morale_falls_by_one_a_turn_however_many_sixes() -> None:
    p = interdicting(3, position(morale=9))
    part = Part(p, (6, 6, 6)).play(interdict)
    assert part.over, "there is nothing else to interdict, so nothing is asked"
    assert p.morale == 8


@pytest.mark.rule("bastogne", "27.2")
def test_airstrikes_may_be_split_among_targets() -> None:
    p = interdicting(3, position({"130-PzArt": "N-STAGING", "I-2": "E-STAGING"}, morale=9))
    part = Part(p, (6, 6, 1)).play(interdict).choose("split", "units_East", "2")
    assert part.offered == {"guns_North", "units_East", "morale"}, "one is left, which cannot be split"
    part.choose("morale")
    assert part.over
    assert (part.where("I-2"), p.morale) == ("gone", 9)


# ---------------------------------------------------------------------- German artillery


@pytest.mark.rule("bastogne", "12.3")
def test_the_lehr_artillery_of_six_rolls_six_dice_and_each_six_a_second_one() -> None:
    p = position({"130-PzArt": "N-STAGING"}, supply=9)
    part = Part(p, (6, 1, 2, 3, 6, 5, 1, 3)).play(fire_german_artillery, NORTH)
    assert part.over
    assert p.supply == 9 - 1 - 2, "a one and a three: one point, then two"


@pytest.mark.rule("bastogne", "12.3", "16.12")
def test_socked_in_guns_fire_at_half_strength_rounded_up() -> None:
    p = position({"74-PzArt": "E-STAGING"}, weather="socked_in", supply=9)
    assert Part(p, (1, 1, 1)).play(fire_german_artillery, EAST).over, "five, halved, is three"


@pytest.mark.rule("bastogne", "9.5", "12.1", "13.2")
@pytest.mark.parametrize(("assault", "steps"), [("ESW", 2), ("NESW", 1)])
def test_guns_in_refit_mode_or_suppressed_do_not_fire(assault: str, steps: int) -> None:
    p = position(assault=assault)
    place(p, "130-PzArt", "N-STAGING", steps=steps)
    assert Part(p).play(fire_german_artillery, NORTH).over


def one_hit(p: BastognePosition, second: int, track: int = NORTH) -> Part:
    """A gun of three on a track, with one hit."""
    place(p, "5-FJ-Art", f"{'NESW'[track]}-STAGING")
    return Part(p, (6, 1, 1, second)).play(fire_german_artillery, track)


SUPPLY_1, SUPPLY_2, CENTER, AXIS = 1, 3, 4, 5


@pytest.mark.rule("bastogne", "12.3.1", "19.3")
@pytest.mark.parametrize(("second", "before", "after"), [(1, 4, 3), (2, 4, 3), (3, 4, 2), (3, 1, 0)])
def test_supply_hits(second: int, before: int, after: int) -> None:
    part = one_hit(position({"1-501": "C"}, supply=before), second)
    assert part.over
    assert part.p.supply == after
    assert part.steps("1-501") == [2]


@pytest.mark.rule("bastogne", "12.3.1")
def test_a_supply_hit_without_supply_hits_the_center() -> None:
    part = one_hit(position({"1-501": "C", "2-501": "N3"}), SUPPLY_2)
    assert part.over
    assert part.steps("1-501", "2-501") == [1, 2]


@pytest.mark.rule("bastogne", "12.3.1", "12.3.2")
def test_a_center_hit_costs_one_step_of_the_players_choice() -> None:
    part = one_hit(position({"1-501": "C", "321-GFA": "C"}), CENTER)
    assert part.offered == {"1-501", "321-GFA"}
    part.choose("321-GFA")
    assert part.over
    assert part.steps("1-501", "321-GFA") == [2, 1]


@pytest.mark.rule("bastogne", "12.3.1")
def test_an_empty_center_turns_the_hit_to_the_foremost_space_of_the_track() -> None:
    p = position({"1-501": "N2", "2-501": "N4", "3-501": "E2"}, supply=3)
    part = one_hit(p, CENTER)
    assert part.over, "two steps of one unit in the open: no choice"
    assert part.where("2-501") == "gone"
    assert part.steps("1-501", "3-501") == [2, 2]
    assert p.supply == 3


@pytest.mark.rule("bastogne", "12.3.1")
@pytest.mark.parametrize(("supply", "left"), [(3, 2), (0, 0)])
def test_with_nobody_in_the_center_or_on_the_track_it_is_one_supply(supply: int, left: int) -> None:
    part = one_hit(position({"1-501": "E2"}, supply=supply), CENTER)
    assert part.over
    assert part.p.supply == left
    assert part.steps("1-501") == [2]


@pytest.mark.rule("bastogne", "12.3.1")
def test_an_axis_hit_in_the_open_costs_two_steps_of_one_unit_or_of_two() -> None:
    part = one_hit(position({"1-501": "N3", "2-501": "N3", "3-501": "N2"}), AXIS)
    assert part.steps("1-501", "2-501") == [1, 2], "who is first of two that are alike need not be asked"
    assert part.offered == {"1-501", "2-501"}
    part.choose("2-501")
    assert part.over
    assert part.steps("1-501", "2-501", "3-501") == [1, 1, 2]


@pytest.mark.rule("bastogne", "12.3.1", "24.1.1")
def test_an_axis_hit_on_an_entrenchment_costs_one_step() -> None:
    p = position({"1-501": "N3", "TF-Cherry": "N3"})
    p.entrenched = 1 << at("N3")
    part = one_hit(p, AXIS).choose("1-501")
    assert part.over
    assert part.steps("1-501", "TF-Cherry") == [1, 2]


@pytest.mark.rule("bastogne", "12.3.1")
def test_what_a_space_cannot_take_is_ignored() -> None:
    part = one_hit(position({"C-609-TD": "N3", "1-501": "N2"}), AXIS)
    assert part.over
    assert part.where("C-609-TD") == "gone"
    assert part.steps("1-501") == [2]


@pytest.mark.rule("bastogne", "12.3.1")
def test_an_axis_hit_on_an_empty_track_hits_the_center() -> None:
    part = one_hit(position({"1-501": "C", "2-501": "E2"}), AXIS)
    assert part.over
    assert part.steps("1-501", "2-501") == [1, 2]


@pytest.mark.rule("bastogne", "12.3.1")
def test_an_axis_hit_on_nobody_at_all_is_one_supply() -> None:
    part = one_hit(position({"1-501": "E2"}, supply=2), AXIS)
    assert part.over
    assert part.p.supply == 1


@pytest.mark.rule("bastogne", "12.3.1")
def test_the_foremost_space_is_the_highest_numbered_with_us_units() -> None:
    p = position({"1-501": "W2", "2-501": "W4", "McAuliffe": "W5"})
    assert foremost(facts(), p, WEST) == at("W4"), "a leader alone is no unit to hit"
    assert foremost(facts(), p, EAST) is None


@pytest.mark.rule("bastogne", "6.1", "12.3")
def test_artillery_that_eliminates_two_battalions_in_a_space_raises_morale() -> None:
    p = position(morale=7)
    for id_ in ("1-501", "2-501"):
        place(p, id_, "N3", steps=1)
    part = one_hit(p, AXIS)
    assert part.over
    assert p.morale == 8
    assert not p.drawn_events, "barrages draw no chits"


# ---------------------------------------------------------------------- counterbattery


@pytest.mark.rule("bastogne", "13.1", "13.2", "4.2")
def test_all_markers_are_aimed_before_any_is_rolled_for() -> None:
    p = position({"130-PzArt": "N-STAGING", "74-PzArt": "E-STAGING", "I-901": "N-STAGING"})
    place(p, "26-Art", "W-STAGING", steps=1)
    for id_ in ("321-GFA-impact", "755-FA-impact"):
        p.where[unit(id_)] = at("Counterbattery")
    part = Part(p, (5, 6, 1, 2, 3, 4)).play(counterbattery)
    assert part.offered == {"N-STAGING", "E-STAGING"}, "only where artillery could fire"
    part.choose("E-STAGING")
    assert part.p.drawn == 0
    part.choose("N-STAGING")
    assert part.over
    assert part.steps("130-PzArt", "74-PzArt", "I-901") == [1, 2, 2]
    assert part.where("755-FA-impact") == "Reserve"


@pytest.mark.rule("bastogne", "13.2")
def test_a_suppressed_marker_is_not_affected_again() -> None:
    p = position({"130-PzArt": "N-STAGING"})
    p.where[unit("321-GFA-impact")] = at("Counterbattery")
    part = Part(p, (6, 6)).play(counterbattery)
    assert part.over
    assert part.steps("130-PzArt") == [1]


@pytest.mark.rule("bastogne", "13.3", "13.5", "16.12")
def test_an_impact_marker_counts_two_where_its_reduced_unit_counts_nothing() -> None:
    p = position()
    place(p, "321-GFA", "C", steps=1)
    assert impact_strength(facts(), p, unit("321-GFA-impact")) == 2
    p.weather = "socked_in"
    assert impact_strength(facts(), p, unit("321-GFA-impact")) == 1
    assert impact_strength(facts(), p, unit("420-AFA-impact")) == 2, "three, halved, rounded up"

"""Rule 16: tactical fire; what supply adds (19.2); hits and retreats."""

from __future__ import annotations

import pytest

from bulge.core.decision import IllegalChoice
from bulge.games.bastogne.fire import (
    Volley,
    able_to_fire,
    column_of,
    german_fire,
    german_volleys,
    place_support,
    us_dice,
    us_fire,
)
from bulge.games.bastogne.losses import Tally, drive_out, inflict
from bulge.games.bastogne.position import BastognePosition
from tests.games.bastogne.helpers import Part, at, bastogne, facts, ids, place, position, siege, unit, units

NORTH = 0


def volley(p: BastognePosition, space: str, *unit_ids: str, enhanced: bool = False) -> int:
    return us_dice(facts(), p, Volley("US", at(space), units(*unit_ids), enhanced))


def shooters(p: BastognePosition, space: str) -> set[str]:
    return set(ids(able_to_fire(facts(), p, at(space))))


# ---------------------------------------------------------------------- who may fire


@pytest.mark.rule("bastogne", "16.3", "16.5", "16.12")
@pytest.mark.parametrize(
    ("weather", "able"), [("good", {"1-501", "2-501"}), ("overcast", {"1-501"}), ("socked_in", set())]
)
def test_range_is_two_one_or_none_by_the_weather(weather: str, able: set[str]) -> None:
    p = position({"1-501": "N2", "2-501": "N1", "3-501": "C", "I-901": "N3"}, weather=weather)
    assert shooters(p, "N3") == able


@pytest.mark.rule("bastogne", "16.3", "16.5")
def test_from_the_center_along_every_track_and_elsewhere_along_ones_own() -> None:
    p = position({"1-501": "C", "2-501": "E1", "3-501": "N1", "I-901": "N2"})
    assert shooters(p, "N2") == {"1-501", "3-501"}, "not from one track at another, nor through the Center"
    place(p, "I-2", "C")
    p.where[unit("1-501")] = at("S1")
    assert shooters(p, "C") == {"1-501", "2-501", "3-501"}, "but into the Center"


@pytest.mark.rule("bastogne", "16.5")
def test_fire_passes_over_units_in_between() -> None:
    p = position({"1-501": "N1", "2-501": "N2", "I-901": "N3"})
    assert "1-501" in shooters(p, "N3")


@pytest.mark.rule("bastogne", "13.5", "16.3")
def test_artillery_fires_by_impact_marker_only() -> None:
    p = position({"321-GFA": "N2", "I-901": "N3"})
    assert shooters(p, "N3") == set()


@pytest.mark.rule("bastogne", "16.11", "8.7")
def test_nobody_fires_into_a_staging_area() -> None:
    p = position({"1-501": "N5", "I-901": "N-STAGING"})
    assert Part(p).play(us_fire).over


# ---------------------------------------------------------------------- dice


@pytest.mark.rule("bastogne", "19.2")
def test_three_battalions_of_three_fire_nine_dice_or_twelve_with_a_supply_point() -> None:
    p = position(dict.fromkeys(["1-501", "2-501", "3-501"], "N1") | {"I-901": "N3"})
    three = ("1-501", "2-501", "3-501")
    assert volley(p, "N3", *three) == 9
    assert volley(p, "N3", *three, enhanced=True) == 12


@pytest.mark.rule("bastogne", "16.2", "19.2", "27.3", "13.3")
def test_impact_markers_and_airstrikes_add_dice_that_supply_does_not_raise() -> None:
    p = position({"1-501": "N1", "I-901": "N3"})
    p.where[unit("755-FA-impact")] = at("N3")
    p.where[unit("AIR-1")] = p.where[unit("AIR-2")] = at("N3")
    assert volley(p, "N3", "1-501") == 3 + 4 + 2
    assert volley(p, "N3", "1-501", enhanced=True) == 4 + 4 + 2
    p.weather = "socked_in"
    assert volley(p, "N3") == 2 + 2


@pytest.mark.rule("bastogne", "19.2", "26.0")
def test_enhancing_needs_an_hq_with_a_unit_that_fires() -> None:
    p = position({"1-501": "N2", "HQ-101": "C", "I-901": "N3"}, supply=3)
    part = Part(p, (1, 1, 1)).play(us_fire).choose("N3")
    assert part.offered == {"1-501", "all"}, "the HQ is elsewhere"
    part.choose("all")
    assert part.over, "three dice"
    p = position({"1-501": "N2", "HQ-101": "N2", "I-901": "N3"}, supply=3)
    part = Part(p, (1,) * 7).play(us_fire).choose("N3")
    assert part.offered == {"1-501", "HQ-101", "all", "all_enhanced"}
    part.choose("1-501", "HQ-101")
    assert part.offered == {"fire", "fire_enhanced"}, "naming the last unit does not roll"
    part.choose("fire_enhanced")
    assert part.over, "three and two, each one more"
    assert p.supply == 2


@pytest.mark.rule("bastogne", "16.1")
def test_a_unit_fires_once_at_one_target() -> None:
    p = position({"1-501": "C", "I-901": "N1", "I-2": "E1"})
    part = Part(p, (1, 1, 1)).play(us_fire)
    assert part.offered == {"N1", "E1", "done"}
    part.choose("N1", "1-501", "fire")
    assert part.over


@pytest.mark.rule("bastogne", "16.3", "16.13", "27.3")
def test_support_is_laid_on_any_space_with_germans_and_fires_alone() -> None:
    p = position({"I-901": "N3", "I-2": "E5", "I-13-FJ": "S-STAGING"})
    p.where[unit("755-FA-impact")] = at("Close Support")
    for marker in units("AIR-1", "AIR-2", "AIR-3"):
        p.where[marker] = at("Tactical")
    part = Part(p).play(place_support)
    assert part.offered == {"N3", "E5"}, "no staging area"
    part.choose("N3", "split", "E5", "2", "N3")
    assert part.over
    part = Part(p, (1,) * 7).play(us_fire).choose("N3", "fire", "E5", "fire")
    assert part.over
    assert part.where("755-FA-impact") == "Reserve"
    assert part.where("AIR-1") == "gone"


@pytest.mark.rule("bastogne", "13.0", "27.1")
def test_support_that_is_not_used_is_lost_with_the_segment() -> None:
    p = position({"I-901": "N3"})
    p.where[unit("755-FA-impact")] = p.where[unit("AIR-1")] = at("N3")
    part = Part(p).play(us_fire).choose("done")
    assert part.where("755-FA-impact") == "Reserve"
    assert part.where("AIR-1") == "gone"


def test_what_guns_are_laid_belongs_to_who_fires_and_the_result_says_where_by_how_many_dice() -> None:
    p = position({"I-901": "N3"})
    p.where[unit("755-FA-impact")] = at("N3")
    part = Part(p, (1,) * 4).play(us_fire).choose("N3")
    subject = bastogne().subject(part.table, part.asked)
    assert subject
    assert subject.units == ("755-FA-impact",)
    part.choose("fire")
    told = [event for event in part.table.events or () if event.kind == "result"]
    assert [(event.words, event.spaces) for event in told] == [
        ("US fire at Recogne (N3), 4 dice, open column: 0 hits, 0 retreats.", (at("N3"),))
    ]


# ---------------------------------------------------------------------- columns and results


@pytest.mark.rule("bastogne", "16.10")
def test_towns_and_bastogne_cover_both_sides_and_entrenchments_the_us_alone() -> None:
    p = position()
    p.entrenched = 1 << at("N3")
    found = {space: (column_of(facts(), p, at(space), "US"), column_of(facts(), p, at(space), "German"))
             for space in ("N1", "N2", "N3", "C")}  # fmt: skip
    assert found == {
        "N1": ("open", "open"),
        "N2": ("defensive", "defensive"),
        "N3": ("defensive", "open"),
        "C": ("defensive", "defensive"),
    }


@pytest.mark.rule("bastogne", "16.2", "16.6")
def test_in_the_open_a_six_hits_and_a_five_drives_out() -> None:
    p = position({"1-501": "N2", "I-901": "N3"})
    part = Part(p, (6, 5, 4, 2)).play(us_fire).choose("N3", "all")
    assert part.over
    assert part.steps("I-901") == [1]
    assert part.where("I-901") == "N5", "two spaces back, by the fourth die"


@pytest.mark.rule("bastogne", "16.10")
def test_in_a_town_a_five_does_nothing() -> None:
    p = position({"1-501": "N3", "I-901": "N4"})
    part = Part(p, (6, 5, 5)).play(us_fire).choose("N4", "all")
    assert part.over
    assert (part.steps("I-901"), part.where("I-901")) == ([1], "N4")


@pytest.mark.rule("bastogne", "16.7")
def test_every_german_two_step_unit_is_reduced_before_one_is_eliminated() -> None:
    p = position({"I-901": "N3", "II-901": "N3", "26-FEB": "N3"})
    place(p, "I-902", "N3", steps=1)
    part = Part(p).play(inflict, at("N3"), "German", 3, "16.6", Tally())
    assert part.offered == {"I-901", "II-901"}
    part.choose("I-901")
    assert part.offered == {"I-901", "II-901", "26-FEB", "I-902"}, "the second went to the other full unit"
    part.choose("26-FEB")
    assert part.over
    assert part.steps("I-901", "II-901", "I-902") == [1, 1, 1]


@pytest.mark.rule("bastogne", "16.7", "16.8")
def test_us_hits_go_in_any_order_twice_on_one_unit_or_once_on_two() -> None:
    p = position({"1-501": "N3", "2-501": "N3"})
    part = Part(p).play(inflict, at("N3"), "US", 2, "16.6", Tally())
    assert part.steps("1-501", "2-501") == [1, 2], "who is first of two that are alike need not be asked"
    part.choose("1-501")
    assert part.over
    assert (part.where("1-501"), part.steps("2-501")) == ("gone", [2])


@pytest.mark.rule("bastogne", "16.7", "16.9")
def test_by_standing_order_the_strongest_germans_are_hit_and_driven_out_unasked() -> None:
    p = position({"I-39": "N3", "I-3-Pz": "N3", "1-501": "N2"})
    part = Part(p).play(us_fire).choose("strongest_germans")
    again = {"ask_german_losses", "strongest_germans"} & {str(choice) for choice in part.asked.options}
    assert not again, "once a phase; undo takes it back"
    p.order_given = False
    part = Part(p).play(inflict, at("N3"), "German", 1, "16.6", Tally())
    assert part.over
    assert part.steps("I-3-Pz", "I-39") == [1, 2]
    p.steps[unit("I-3-Pz")] = 2
    part = Part(p, (1,)).play(drive_out, at("N3"), "German", 1, Tally())
    assert part.over
    assert (part.where("I-3-Pz"), part.where("I-39")) == ("N4", "N3")


@pytest.mark.rule("bastogne", "16.7")
def test_losses_beyond_the_last_step_have_no_effect() -> None:
    p = position({"1-501": "N3", "C-9-Eng": "N3", "2-501": "N2"})
    tally = Tally()
    part = Part(p).play(inflict, at("N3"), "US", 9, "16.6", tally)
    assert part.over
    assert ids(tally.lost) == ["1-501", "C-9-Eng"]
    assert part.steps("2-501") == [2]


# ---------------------------------------------------------------------- retreats


@pytest.mark.rule("bastogne", "16.9")
@pytest.mark.parametrize(("die", "goal"), [(1, "N3"), (2, "N2"), (4, "C"), (6, "C")])
def test_us_units_retreat_towards_the_center_and_stop_there(die: int, goal: str) -> None:
    p = position({"1-501": "N4"})
    part = Part(p, (die,)).play(drive_out, at("N4"), "US", 1, Tally())
    assert part.where("1-501") == goal


@pytest.mark.rule("bastogne", "16.9")
def test_an_entrenchment_stops_a_us_retreat() -> None:
    p = position({"1-501": "N4"})
    p.entrenched = 1 << at("N2")
    part = Part(p, (5,)).play(drive_out, at("N4"), "US", 1, Tally())
    assert part.where("1-501") == "N2"


@pytest.mark.rule("bastogne", "16.9")
@pytest.mark.parametrize(("die", "goal"), [(1, "N3"), (6, "N-STAGING")])
def test_germans_retreat_to_their_staging_area_at_most(die: int, goal: str) -> None:
    part = Part(position({"I-901": "N2"}), (die,)).play(drive_out, at("N2"), "German", 1, Tally())
    assert part.where("I-901") == goal


@pytest.mark.rule("bastogne", "16.9")
def test_who_cannot_retreat_loses_a_step() -> None:
    p = position({"I-901": "N2", "1-501": "N3"})
    part = Part(p, (3,)).play(drive_out, at("N2"), "German", 1, Tally())
    assert (part.where("I-901"), part.steps("I-901")) == ("N2", [1])
    p = position({"I-901": "N2", "1-501": "N3"})
    part = Part(p, (3,)).play(drive_out, at("N3"), "US", 1, Tally())
    assert (part.where("1-501"), part.steps("1-501")) == ("N3", [1])


@pytest.mark.rule("bastogne", "13.4")
def test_a_lost_gun_takes_its_impact_marker_along() -> None:
    p = position({"1-501": "C"})
    place(p, "321-GFA", "N3", steps=1)
    p.where[unit("321-GFA-impact")] = at("Close Support")
    part = Part(p).play(inflict, at("N3"), "US", 1, "16.6", Tally())
    assert part.where("321-GFA-impact") == "gone"


# ---------------------------------------------------------------------- German fire


def targets(p: BastognePosition, track: int = NORTH) -> list[tuple[str, set[str]]]:
    found = german_volleys(Part(p).table, facts(), track)
    return [(facts().board.name(each.space), set(ids(each.units))) for each in found]


@pytest.mark.rule("bastogne", "16.4")
def test_germans_two_spaces_off_join_those_who_are_adjacent() -> None:
    p = position({"1-501": "N2", "I-901": "N3", "II-901": "N4", "I-902": "N5"})
    assert targets(p) == [("N2", {"I-901", "II-901"})]


@pytest.mark.rule("bastogne", "16.4")
def test_adjacent_us_units_come_before_those_two_spaces_off() -> None:
    p = position({"1-501": "N1", "2-501": "N2", "I-901": "N3"})
    assert targets(p) == [("N2", {"I-901"})]


@pytest.mark.rule("bastogne", "16.4", "16.12")
def test_germans_fire_two_spaces_in_good_weather_only() -> None:
    p = position({"1-501": "N2", "I-901": "N4"})
    assert targets(p) == [("N2", {"I-901"})]
    p.weather = "overcast"
    assert targets(p) == []


@pytest.mark.rule("bastogne", "16.4")
def test_units_between_two_enemies_fire_towards_the_center_unless_friends_fire_outward() -> None:
    p = position({"1-501": "N1", "2-501": "N5", "I-901": "N3"})
    assert targets(p) == [("N1", {"I-901"})]
    place(p, "II-901", "N4")
    assert targets(p) == [("N5", {"I-901", "II-901"})]
    part = Part(p, (1,) * 9).play(german_fire, NORTH)
    assert part.said("16.4")[0] == "Preferred: adjacent to German units of the track. Left: N5."


@pytest.mark.rule("bastogne", "9.5", "16.4")
def test_divisions_in_refit_mode_fire_too() -> None:
    p = position({"1-501": "N1", "I-901": "N2"}, assault="")
    part = Part(p, (1, 6, 1)).play(german_fire, NORTH)
    assert part.over
    assert part.steps("1-501") == [1]


@pytest.mark.rule("bastogne", "16.4", "24.1.1")
def test_against_an_entrenchment_each_german_counts_one_less_but_at_least_one() -> None:
    p = position({"1-501": "N1", "I-901": "N2", "26-FEB": "N2"})
    p.entrenched = 1 << at("N1")
    assert Part(p, (1, 1, 1)).play(german_fire, NORTH).over, "two for three, one for one"


@pytest.mark.rule("bastogne", "16.10")
def test_a_town_does_not_weaken_german_fire() -> None:
    p = position({"1-501": "N2", "I-901": "N3"})
    assert Part(p, (5, 5, 5)).play(german_fire, NORTH).over, "three dice, no retreat"


@pytest.mark.rule("bastogne", "8.7", "16.11")
def test_germans_do_not_fire_out_of_a_staging_area() -> None:
    assert targets(position({"1-501": "N5", "I-901": "N-STAGING"})) == []


# ---------------------------------------------------------------------- refusals


@pytest.mark.rule("bastogne", "13.5", "16.5")
@pytest.mark.parametrize(("asked", "rule"), [("321-GFA", "13.5"), ("2-501", "16.5"), ("I-901", "2.9")])
def test_refusals_name_the_rule(asked: str, rule: str) -> None:
    p = position({"1-501": "N2", "2-501": "E2", "321-GFA": "N2", "I-901": "N3"})
    match = siege(p, (1,) * 3)
    match.answer("N3")
    with pytest.raises(IllegalChoice) as refused:
        match.answer(asked)
    assert refused.value.refusal.rule == rule

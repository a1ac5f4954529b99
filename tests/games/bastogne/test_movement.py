"""Rules 14 and 15, 25.1 and 26.1: stacking, movement of both sides, leaders and HQs on the march."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.facts import TRACKS
from bulge.games.bastogne.losses import Tally, retreat_us
from bulge.games.bastogne.movement import allowance, move_germans, move_us, ways_of
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import has_room, load
from tests.games.bastogne.helpers import Part, at, facts, place, position, spaces, unit, units


def ends(p: BastognePosition, id_: str) -> set[str]:
    return {facts().board.name(end) for end in ways_of(facts(), p, unit(id_))}


# ---------------------------------------------------------------------- stacking


@pytest.mark.rule("bastogne", "14.1", "14.2")
def test_four_battalions_fill_a_space_and_the_rest_is_free() -> None:
    p = position(dict.fromkeys(["1-501", "TF-Rose", "321-GFA", "C-609-TD", "HQ-101", "McAuliffe"], "N2"))
    assert load(facts(), p, at("N2")) == 3
    place(p, "2-501", "N2")
    assert not has_room(facts(), p, unit("3-501"), at("N2"))
    assert all(has_room(facts(), p, each, at("N2")) for each in units("C-9-Eng", "HQ-CCB", "Leader-A"))


@pytest.mark.rule("bastogne", "14.1")
def test_germans_stack_without_limit() -> None:
    crowd = ["I-901", "II-901", "I-902", "II-902", "II-130-Pz", "559-sPzJg"]
    p = position(dict.fromkeys(crowd, "N-STAGING"))
    part = Part(p).play(move_germans)
    assert {part.where(id_) for id_ in crowd} == {"N3"}


@pytest.mark.rule("bastogne", "14.3", "16.9")
def test_a_retreat_goes_on_past_a_full_space() -> None:
    p = position({"1-501": "N4"} | dict.fromkeys(["2-501", "3-501", "1-502", "2-502"], "N3"))
    part = Part(p)
    retreat_us(part.table, facts(), unit("1-501"), 1, Tally())
    assert part.where("1-501") == "N2"


@pytest.mark.rule("bastogne", "14.3")
def test_the_center_may_be_overstacked_and_must_then_be_cleared_first() -> None:
    p = position({"1-501": "N1"} | dict.fromkeys(["2-501", "3-501", "1-502", "2-502", "C-9-Eng"], "C"))
    part = Part(p)
    retreat_us(part.table, facts(), unit("1-501"), 3, Tally())
    assert part.where("1-501") == "C"
    assert load(facts(), p, at("C")) == 5
    place(p, "3-502", "S1")
    part = Part(p).play(move_us)
    assert part.asked.rule == "14.3"
    assert part.offered == {"1-501", "2-501", "3-501", "1-502", "2-502"}, "neither the company nor other spaces"
    part.choose("2-501", "N1")
    assert "3-502" in part.offered


# ---------------------------------------------------------------------- Germans


@pytest.mark.rule("bastogne", "15.6", "15.7")
@pytest.mark.parametrize(("morale", "goal"), [(12, "N3"), (8, "N4"), (4, "N5")])
def test_germans_move_by_the_level_of_their_morale(morale: int, goal: str) -> None:
    p = position({"I-901": "N-STAGING", "130-PzArt": "N-STAGING"}, morale=morale)
    part = Part(p).play(move_germans)
    assert part.where("I-901") == goal
    assert part.where("130-PzArt") == "N-STAGING", "artillery never moves (12.1)"


@pytest.mark.rule("bastogne", "5.2", "15.7", "24.1")
def test_spaces_on_the_way_become_german_and_their_entrenchments_are_lost() -> None:
    p = position({"I-901": "N-STAGING"}, morale=12)
    p.entrenched = spaces("N4", "N2")
    Part(p).play(move_germans)
    assert p.german == spaces("N5", "N4", "N3")
    assert p.entrenched == spaces("N2")


@pytest.mark.rule("bastogne", "15.8")
def test_germans_stop_before_us_units() -> None:
    p = position({"I-901": "N-STAGING", "II-901": "N4", "1-501": "N3"}, morale=12)
    part = Part(p).play(move_germans)
    assert part.where("I-901") == part.where("II-901") == "N4"


@pytest.mark.rule("bastogne", "15.9")
def test_the_center_ends_movement() -> None:
    part = Part(position({"I-901": "N1"}, morale=12)).play(move_germans)
    assert part.where("I-901") == "C"
    assert part.p.german >> at("C") & 1


@pytest.mark.rule("bastogne", "9.4", "9.5", "15.7")
def test_divisions_in_refit_mode_stand_still() -> None:
    p = position({"I-901": "N4", "I-2": "E5"}, assault="E", morale=12)
    part = Part(p).play(move_germans)
    assert part.where("I-901") == "N4"
    assert part.where("I-2") == "E2"


@pytest.mark.rule("bastogne", "15.7")
def test_tracks_go_clockwise_from_the_north_and_the_foremost_units_first() -> None:
    p = position({"I-901": "N-STAGING", "II-901": "N4", "I-902": "N4", "I-39": "W4", "I-2": "E5"}, morale=5)
    part = Part(p).play(move_germans)
    assert part.said("15.7") == [
        "From Noville (N4) II/901 Panzergrenadier, I/902 Panzergrenadier move to Foy (N2).",
        "From North Staging Area I/901 Panzergrenadier moves to Noville (N4).",
        "From Longvilly (E5) I/2 Panzergrenadier moves to Mageret (E3).",
        "From Flamizoulle (W4) I/39 Grenadiers moves to Senonchamps (W2).",
    ]
    assert TRACKS == ("North", "East", "South", "West")


@pytest.mark.rule("bastogne", "25.3", "15.8")
def test_a_leader_alone_stops_nobody_and_is_caught() -> None:
    part = Part(position({"I-901": "N-STAGING", "Leader-A": "N4"}, morale=12)).play(move_germans)
    assert part.where("I-901") == "N3"
    assert part.where("Leader-A") == "gone"


# ---------------------------------------------------------------------- US units


@pytest.mark.rule("bastogne", "15.3", "15.4", "15.5")
@pytest.mark.parametrize(
    ("weather", "reached"),
    [
        ("good", {"N1", "C", "N3", "N4", "N5", "E2", "W2"}),
        ("overcast", {"N1", "C", "N3", "N4", "E2", "W2"}),
        ("socked_in", {"N1", "N3", "E2", "W2"}),
    ],
)
def test_us_units_move_by_the_weather(weather: str, reached: set[str]) -> None:
    assert ends(position({"1-501": "N2"}, weather=weather), "1-501") == reached


@pytest.mark.rule("bastogne", "15.9")
def test_a_us_move_ends_in_the_center_and_starts_there_to_all_tracks() -> None:
    assert "E1" not in ends(position({"1-501": "N1"}), "1-501")
    assert {"N3", "E3", "S3", "W3"} <= ends(position({"1-501": "C"}), "1-501")


@pytest.mark.rule("bastogne", "15.5")
def test_a_lateral_road_takes_the_whole_move_from_its_end() -> None:
    p = position({"1-501": "N1"})
    assert not ends(p, "1-501") & {"E2", "W2"}, "it would have to reach Foy first"


@pytest.mark.rule("bastogne", "15.5")
def test_a_lateral_road_ends_in_a_us_controlled_space() -> None:
    p = position({"1-501": "N2"}, weather="socked_in")
    p.german = spaces("E2")
    assert "E2" not in ends(p, "1-501")


@pytest.mark.rule("bastogne", "5.2", "15.2")
def test_us_units_walk_through_empty_german_spaces_and_take_them() -> None:
    p = position({"1-501": "N2"}, step="us_movement")
    p.german = spaces("N3", "N4", "N5")
    Part(p).play(move_us).choose("1-501", "N4")
    assert p.german == spaces("N5")


@pytest.mark.rule("bastogne", "15.8", "15.10")
def test_us_units_enter_neither_german_spaces_nor_staging_areas() -> None:
    p = position({"1-501": "N4", "I-901": "N3"})
    assert ends(p, "1-501") == {"N5", "E5"}


@pytest.mark.rule("bastogne", "14.1", "15.2")
def test_a_move_may_pass_but_not_end_in_a_full_space() -> None:
    p = position({"1-501": "N3"} | dict.fromkeys(["2-501", "3-501", "1-502", "2-502"], "N2"), weather="overcast")
    assert ends(p, "1-501") == {"N1", "N4", "N5"}


@pytest.mark.rule("bastogne", "15.2")
def test_a_unit_moves_once() -> None:
    part = Part(position({"1-501": "N2", "2-501": "E2"})).play(move_us).choose("1-501", "N1")
    assert part.offered == {"2-501", "done"}


# ---------------------------------------------------------------------- leaders and HQs


@pytest.mark.rule("bastogne", "25.1", "26.1")
@pytest.mark.parametrize(
    ("weather", "leader", "hq", "others"), [("good", 3, 4, 3), ("overcast", 3, 3, 2), ("socked_in", 3, 2, 1)]
)
def test_leaders_go_three_spaces_and_hqs_one_more_than_others(
    weather: str, leader: int, hq: int, others: int
) -> None:
    p = position({"McAuliffe": "C", "HQ-101": "C", "1-501": "C"}, weather=weather)
    found = [allowance(facts(), p, each) for each in units("McAuliffe", "HQ-101", "1-501")]
    assert found == [leader, hq, others]


@pytest.mark.rule("bastogne", "25.1")
def test_a_leader_takes_units_along_in_any_weather_and_drops_them_on_the_way() -> None:
    p = position({"McAuliffe": "C", "1-501": "C", "2-501": "C", "3-501": "C"}, weather="socked_in")
    part = Part(p).play(move_us).choose("McAuliffe", "N3", "1-501", "N3", "2-501", "N1", "done")
    assert [part.where(id_) for id_ in ("McAuliffe", "1-501", "2-501", "3-501")] == ["N3", "N3", "N1", "C"]
    assert part.offered == {"3-501", "done"}, "who went along has moved"


@pytest.mark.rule("bastogne", "26.1")
def test_an_hq_takes_units_along_but_no_other_hq() -> None:
    p = position({"HQ-101": "C", "HQ-CCB": "C", "1-501": "C", "McAuliffe": "C"}, weather="overcast")
    part = Part(p).play(move_us).choose("HQ-101", "N3")
    assert part.offered == {"1-501", "done"}
    assert part.asked.rule == "26.1"


@pytest.mark.rule("bastogne", "25.1")
def test_units_that_joined_the_leader_by_moving_do_not_go_on_with_him() -> None:
    p = position({"McAuliffe": "N1", "1-501": "C"}, weather="socked_in")
    part = Part(p).play(move_us).choose("1-501", "N1", "McAuliffe", "N4")
    assert part.where("1-501") == "N1"
    assert part.decision is None, "nobody is left to go along or to move"


@pytest.mark.rule("bastogne", "29.0", "7.4")
def test_intelligence_adds_a_space_for_whoever_starts_in_the_center() -> None:
    p = position({"1-501": "C", "2-501": "N1"}, weather="socked_in")
    p.intelligence = 1
    before = len(p.cup)
    part = Part(p).play(move_us).choose("intelligence")
    assert ends(p, "1-501") >= {"N2", "E2", "S2", "W2"}
    assert ends(p, "2-501") == {"C", "N2"}
    assert len(p.cup) == before + 1
    part.choose("1-501", "N2", "done")
    assert part.over
    assert not p.quick


# ---------------------------------------------------------------------- several commanders (1.0)


@pytest.mark.rule("bastogne", "1.0")
def test_sectors_move_one_after_the_other_each_by_its_own_commander() -> None:
    p = position({"1-501": "C", "2-501": "N2", "3-501": "W2"})
    p.shared = True
    part = Part(p).play(move_us)
    asked = []
    while part.decision is not None:
        asked.append((part.asked.side, tuple(sorted(part.offered - {"done"}))))
        part.choose("done")
    assert asked == [("US", ("1-501",)), ("US North", ("2-501",)), ("US West", ("3-501",))]

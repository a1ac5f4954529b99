"""Rules 14.3, 16.9, 16.10, 17.3.1: barred retreats, Germans in Bastogne, what the dice are made of."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.assault import begin, german_edge, resolve_assault
from bulge.games.bastogne.facts import GERMAN, US
from bulge.games.bastogne.fire import column_of, us_fire
from bulge.games.bastogne.losses import Tally, drive_out
from tests.games.bastogne.helpers import Part, at, chit, facts, place, position

GUNS = ("321-GFA", "907-GFA", "463-PFA", "755-FA")


@pytest.mark.rule("bastogne", "14.3", "16.9")
def test_a_retreat_barred_beyond_a_full_space_ends_in_the_last_one_with_room() -> None:
    p = position({"TF-Booth": "E3", "I-901": "C", **dict.fromkeys(GUNS, "E1")})
    part = Part(p, (4,)).play(drive_out, at("E3"), US, 1, Tally())
    assert part.over
    assert (part.where("TF-Booth"), part.steps("TF-Booth")) == ("E2", [2])


@pytest.mark.rule("bastogne", "14.3", "16.9")
def test_with_no_room_at_all_before_the_enemy_a_step_is_lost() -> None:
    p = position({"TF-Booth": "E2", "I-901": "C", **dict.fromkeys(GUNS, "E1")})
    part = Part(p, (1,)).play(drive_out, at("E2"), US, 1, Tally())
    assert (part.where("TF-Booth"), part.steps("TF-Booth")) == ("E2", [1])


@pytest.mark.rule("bastogne", "16.6", "16.9")
def test_one_unit_takes_one_retreat_even_where_it_cannot_go() -> None:
    p = position({"I-901": "N2", "1-501": "N3"})
    part = Part(p, (3,)).play(drive_out, at("N2"), GERMAN, 4, Tally())
    assert part.over, "one die: three results find nobody"
    assert (part.where("I-901"), part.steps("I-901")) == ("N2", [1])


@pytest.mark.rule("bastogne", "16.6", "16.9")
def test_the_second_retreat_is_another_units() -> None:
    p = position({"I-901": "N2", "II-901": "N2", "I-902": "N2", "1-501": "N3"})
    part = Part(p, (3, 3)).play(drive_out, at("N2"), GERMAN, 2, Tally()).choose("I-901")
    assert part.offered == {"II-901", "I-902"}
    part.choose("I-902")
    assert part.steps("I-901", "II-901", "I-902") == [1, 2, 1]


@pytest.mark.rule("bastogne", "5.1", "16.10", "17.3.1")
def test_germans_who_hold_bastogne_defend_a_town() -> None:
    p = position({"I-901": "C", "1-501": "N1"})
    assert column_of(facts(), p, at("C"), GERMAN) == "defensive"
    p.entrenched = 1 << at("N3")
    assert column_of(facts(), p, at("N3"), GERMAN) == "open", "entrenchments are the US's"
    edge = german_edge(facts(), p, begin(facts(), p, US, at("C")))
    assert [modifier.amount for modifier in edge] == [1]


@pytest.mark.rule("bastogne", "16.2", "16.3")
def test_the_log_says_what_the_dice_of_us_fire_are_made_of() -> None:
    p = position({"1-501": "N2", "HQ-101": "N2", "I-901": "N3"}, supply=1)
    place(p, "321-GFA-impact", "N3")
    for number in (1, 2):
        place(p, f"AIR-{number}", "N3")
    part = Part(p, (1,) * 11).play(us_fire).choose("N3", "all_enhanced")
    (words,) = [words for words in part.said("16.3") if "501st" in words]
    assert "headquarters 2, " in words
    assert "Infantry 3, each +1 for supply, impact of 321 Glider Field Artillery 2, 2 airstrikes." in words


@pytest.mark.rule("bastogne", "17.3.3")
@pytest.mark.parametrize(("inside", "goal"), [(False, "N1"), (True, "gone")])
def test_germans_who_attacked_outward_withdraw_where_they_came_from(*, inside: bool, goal: str) -> None:
    """US units bar the way to the staging area; only where they are inside too is the force lost."""
    p = position({"I-901": "N2", "1-501": "N2", "2-501": "N3"}, step="german_assault")
    p.cup = [chit("option")]
    p.german = 0 if inside else 1 << at("N1")
    if inside:
        place(p, "3-501", "N1")
    dice = (6, 1, *(1,) * 6, *((1,) if inside else ()))
    part = Part(p, dice).play(resolve_assault, GERMAN, at("N2"))
    assert part.over
    assert part.where("I-901") == goal

"""Rules 6 and 9: morale, its changes and checks, and which divisions attack."""

from __future__ import annotations

import pytest

from bulge.core.decision import GameOver
from bulge.games.bastogne.facts import US
from bulge.games.bastogne.losses import Tally, note_losses
from bulge.games.bastogne.morale import adjust_morale, change_morale, level, morale_check
from bulge.games.bastogne.preparation import activate_divisions
from tests.games.bastogne.helpers import Part, facts, position, unit, units


@pytest.mark.rule("bastogne", "6.5")
@pytest.mark.parametrize(
    ("morale", "dice", "passes"), [(9, (4, 3), True), (9, (4, 5), True), (9, (5, 5), False), (12, (6, 6), True)]
)
def test_a_check_is_two_dice_of_at_most_the_morale(morale: int, dice: tuple[int, int], passes: bool) -> None:
    part = Part(position(morale=morale), dice)
    assert morale_check(part.table, "6.5", "somebody") is passes


@pytest.mark.rule("bastogne", "6.3", "15.6")
@pytest.mark.parametrize(
    ("morale", "name", "spaces"),
    [(12, "high", 3), (9, "high", 3), (8, "medium", 2), (5, "medium", 2), (4, "low", 1), (2, "low", 1)],
)
def test_levels_and_how_far_germans_move(morale: int, name: str, spaces: int) -> None:
    assert level(position(morale=morale)) == (name, spaces)


@pytest.mark.rule("bastogne", "6.4")
def test_morale_never_exceeds_twelve() -> None:
    part = Part(position(morale=12))
    change_morale(part.table, 1, "6.1", "a test")
    assert part.p.morale == 12


@pytest.mark.rule("bastogne", "6.4", "3.1")
def test_morale_of_one_ends_the_game_at_once() -> None:
    part = Part(position(morale=2))
    with pytest.raises(GameOver) as over:
        change_morale(part.table, -1, "6.1", "a test")
    assert over.value.result.winner == US


@pytest.mark.rule("bastogne", "29.0")
def test_an_event_never_lowers_morale_below_two() -> None:
    part = Part(position(morale=2))
    change_morale(part.table, -1, "29.0", "an event", lowest=2)
    assert part.p.morale == 2


@pytest.mark.rule("bastogne", "6.1")
@pytest.mark.parametrize(
    ("lost", "change"),
    [
        (("I-901", "II-901"), 0),
        (("I-901", "II-901", "I-902"), -1),
        (("1-501",), 0),
        (("1-501", "2-501"), 1),
        (("1-501", "C-609-TD", "C-811-TD"), 0),
        (("1-501", "C-609-TD", "C-811-TD", "C-9-Eng"), 1),
    ],
)
def test_one_attack_that_costs_three_german_or_two_us_battalions(lost: tuple[str, ...], change: int) -> None:
    part = Part(position(morale=7))
    note_losses(part.table, facts(), Tally(units(*lost)))
    assert part.p.morale == 7 + change


@pytest.mark.rule("bastogne", "6.2")
def test_the_refit_phase_raises_morale_for_refit_modes_and_german_tracks() -> None:
    p = position({"1-501": "N5", "2-501": "W5"}, assault="NSW", morale=6)
    f = facts()
    p.german = f.track_spaces[2] | 1 << f.tracks[0][5] | 1 << f.tracks[1][6] | 1 << f.tracks[3][4]
    Part(p).play(adjust_morale)
    assert p.morale == 6 + 1 + 1, "the East Track's division refits, the South Track is all German"


@pytest.mark.rule("bastogne", "6.2", "5.3")
def test_each_track_that_the_us_holds_lowers_it() -> None:
    p = position(assault="NESW", morale=6)
    p.german = 1 << facts().tracks[0][5]
    Part(p).play(adjust_morale)
    assert p.morale == 3


@pytest.mark.rule("bastogne", "6.2")
def test_what_raises_morale_comes_before_what_lowers_it() -> None:
    p = position(assault="", morale=12)
    Part(p).play(adjust_morale)
    assert p.morale == 8, "four refits are lost at the top of the track, four US tracks are not"


@pytest.mark.rule("bastogne", "9.1", "9.2", "9.3")
def test_divisions_are_checked_clockwise_from_the_north() -> None:
    part = Part(position(morale=7, assault=""), (3, 3, 4, 4, 3, 4, 6, 6)).play(activate_divisions)
    assert part.p.assault == 0b0101, "north and south pass, east and west fail"
    assert part.over
    checked = [words for words in part.said("9.2") if words.startswith("morale check")]
    assert [words.split(", ")[1].split()[0] for words in checked] == ["North", "East", "South", "West"]


@pytest.mark.rule("bastogne", "2.9", "6.1")
def test_a_task_force_is_a_battalion_whatever_its_size_and_an_hq_is_none() -> None:
    f = facts()
    assert f.battalions[unit("TF-Rose")] == 1
    assert f.battalions[unit("HQ-101")] == 0
    assert f.battalions[unit("C-609-TD")] == 0
    assert f.battalions[unit("321-GFA")] == 1

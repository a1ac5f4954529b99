"""Stacking (rule 6)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bulge.games.hexes.roster import GONE
from tests.games.the_bulge.helpers import bulge, facts, play, position, situation, start, unit, where
from tests.helpers import answer, costs, offered, refused_by


@pytest.mark.rule("the_bulge", "6.2", "2.8", "6.7")
@pytest.mark.parametrize(
    ("id_", "thirds"),
    [
        *[("12VG", 3), ("2FLAK", 3), ("SSP", 3), ("101AB", 3)],
        *[("FE", 1), ("CCB9", 1), ("110", 1), ("14Cav", 1), ("29Br", 1)],
        *[("388VAK", 6), ("VDH", 0), ("SSES", 0)],
    ],
)
def test_a_division_counts_one_anything_smaller_a_third_an_artillery_corps_two(id_: str, thirds: int) -> None:
    assert facts().sizes[unit(id_)] == thirds


@pytest.mark.rule("the_bulge", "6.2")
def test_a_reduced_division_takes_as_much_room_as_a_full_one() -> None:
    p = position({"12VG": "0420", "18VG": "0420"})
    p.steps[unit("12VG")] = p.steps[unit("18VG")] = 1
    assert situation(p).room(p.where[unit("12VG")]) == 0


@pytest.mark.rule("the_bulge", "6.1", "6.5")
@pytest.mark.parametrize(
    ("mover", "there", "fits"),
    [
        ("12VG", ["18VG"], True),
        ("12VG", ["18VG", "62VG"], False),
        ("12VG", ["18VG", "FE"], False),
        ("FE", ["18VG", "FG"], True),
        ("FE", ["18VG", "62VG"], False),
        ("12VG", ["388VAK"], False),
        ("SSP", ["18VG"], True),
        ("SSP", ["18VG", "62VG"], False),
        ("388VAK", ["FE"], False),
        ("4ID", ["CCA7", "CCB7", "CCR7"], True),
        ("CCA4", ["CCA7", "CCB7", "CCR7", "CCA10", "CCB10"], True),
        ("CCA4", ["CCA7", "CCB7", "CCR7", "CCA10", "CCB10", "CCR10"], False),
    ],
)
def test_no_unit_enters_a_hex_that_would_hold_more_than_two_divisions(
    mover: str, there: list[str], fits: bool
) -> None:
    step = "allied_movement" if unit(mover) in facts().allied_units else "german_movement"
    p = position({mover: "0420", **dict.fromkeys(there, "0421")}, step=step)
    match = answer(play(p), mover)
    if fits:
        assert "0421" in offered(match)
    else:
        assert refused_by(match, "0421") == "6.5"


@pytest.mark.rule("the_bulge", "6.6")
def test_early_moves_make_or_take_room_for_later_ones() -> None:
    match = play(position({"12VG": "0420", "18VG": "0421", "62VG": "0421"}))
    answer(match, "18VG", "0422", "stop", "12VG", "0421", "stop")
    assert where(match.position, "12VG") == "0421"
    assert "18VG" not in offered(match)


@pytest.mark.rule("the_bulge", "6.3", "9.2")
def test_units_move_one_at_a_time_and_once() -> None:
    match = answer(play(position({"12VG": "0420", "18VG": "0420"})), "12VG", "0421")
    assert where(match.position, "18VG") == "0420"
    assert refused_by(match, "18VG") == "6.3"
    match.answer("stop")
    assert offered(match) == {"18VG", "done"}
    assert refused_by(match, "12VG") == "9.2"


# ---------------------------------------------------------------------- what it costs (6.4)


@pytest.mark.rule("the_bulge", "6.4", "14.3")
@pytest.mark.parametrize(
    ("mover", "friends", "cost"),
    [
        ("12VG", {}, "1"),
        ("12VG", {"18VG": "0420"}, "2"),
        ("12VG", {"18VG": "0421"}, "2"),
        ("12VG", {"18VG": "0420", "62VG": "0421"}, "3"),
        ("12VG", {"FE": "0421", "FG": "0421"}, "2"),
        ("12VG", {"SSP": "0420"}, "2"),
        ("12VG", {"SSP": "0421"}, "2"),
        ("SSP", {"18VG": "0420", "62VG": "0421"}, "1"),
    ],
)
def test_unstacking_and_stacking_cost_a_point_each_but_nothing_for_peiper(
    mover: str, friends: Mapping[str, str], cost: str
) -> None:
    match = answer(play(position({mover: "0420", **friends})), mover)
    assert costs(match)["0421"] == cost


@pytest.mark.rule("the_bulge", "6.4")
def test_passing_through_friends_costs_a_point_to_enter_and_one_to_leave() -> None:
    match = answer(play(position({"12VG": "0420", "18VG": "0421"})), "12VG")
    assert costs(match)["0421"] == "2"
    assert costs(answer(match, "0421"))["0422"] == "2"


@pytest.mark.rule("the_bulge", "6.4", "10.1")
def test_stacking_costs_the_same_extra_point_in_mechanized_movement() -> None:
    match = answer(play(position({"2Pz": "0417", "12VG": "0417", "18VG": "0416"})), "2Pz")
    assert costs(match)["0416"] == "2 1/5"
    assert costs(match)["0418"] == "1 1/5"


@pytest.mark.rule("the_bulge", "6.4", "6.7")
def test_von_der_heydte_makes_no_stack() -> None:
    match = answer(play(position({"12VG": "0420", "VDH": "0421"})), "12VG")
    assert costs(match)["0421"] == "1"


# ---------------------------------------------------------------------- too many (6.6)


@pytest.mark.rule("the_bulge", "6.6")
def test_the_owner_of_an_overstacked_hex_chooses_whom_he_eliminates() -> None:
    p = position({"12VG": "0420", "18VG": "0420", "FE": "0420", "62VG": "0421"})
    match = answer(play(p), "done")
    assert match.asked().side == "German"
    assert offered(match) == {"12VG", "18VG", "FE"}
    answer(match, "FE")
    assert p.where[unit("FE")] == GONE
    assert match.asked().rule == "13.1"


# ---------------------------------------------------------------------- others in the hex (6.8 to 6.10)


@pytest.mark.rule("the_bulge", "6.8")
def test_both_sides_see_everything() -> None:
    p = start()
    views = [bulge().view(p, side) for side in ("German", "Allied", None)]
    assert views[0] == views[1] == views[2]
    assert views[0]["where"] == p.where


@pytest.mark.rule("the_bulge", "6.9", "9.4")
def test_enemy_hexes_are_closed_to_both_sides() -> None:
    placed = {"12VG": "0420", "4ID": "0421"}
    assert refused_by(answer(play(position(placed)), "12VG"), "0421") == "9.4"
    assert refused_by(answer(play(position(placed, step="allied_movement")), "4ID"), "0420") == "9.4"


@pytest.mark.rule("the_bulge", "6.9", "14.5")
def test_allied_units_may_enter_the_hex_of_von_der_heydte() -> None:
    p = position({"VDH": "0421", "4ID": "0420"}, step="allied_movement")
    assert "0421" in offered(answer(play(p), "4ID"))


NORTH_OF_THE_MEUSE = ("0122", "0121", "0120")
"""Clear hexes in a row where British units may go."""


@pytest.mark.rule("the_bulge", "6.10")
@pytest.mark.parametrize(("mover", "other"), [("4ID", "29Br"), ("29Br", "4ID")])
def test_us_and_british_units_pass_through_each_other_but_do_not_stop_together(mover: str, other: str) -> None:
    here, between, beyond = NORTH_OF_THE_MEUSE
    p = position({mover: here, other: between}, step="allied_movement", turn=5)
    match = answer(play(p), mover, between)
    assert refused_by(match, "stop") == "6.10"
    answer(match, beyond, "stop")
    assert where(p, mover) == beyond


@pytest.mark.rule("the_bulge", "6.10")
@pytest.mark.parametrize(("die", "number"), [(1, "9.3"), (3, "6.10")])
def test_nobody_enters_the_other_nations_hex_without_the_points_to_leave_it(die: int, number: str) -> None:
    here, between, _ = NORTH_OF_THE_MEUSE
    p = position({"4ID": here, "29Br": between}, step="allied_movement", turn=5)
    p.disrupted = unit("4ID")
    match = answer(play(p, [die]), "4ID")
    assert refused_by(match, between) == number

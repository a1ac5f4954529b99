"""Rule 12: where, when and at what cost reinforcements come on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bulge.games.the_bulge.facts import POINT
from bulge.games.the_bulge.movement import Walk
from bulge.games.the_bulge.position import BulgePosition
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    due,
    facts,
    hexes,
    names,
    place,
    play,
    position,
    roads,
    start,
    terrain,
    unit,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by

FIRST = {"German": "german_movement", "Allied": "allied_movement"}


def waiting(*ids: str, turn: int = 9, **placed: str) -> BulgePosition:
    """These units may come on, in their owner's movement phase; others stand on the map (as `at_HEX=id`)."""
    step = FIRST[facts().side_of(unit(ids[0]))]
    return due(position({id_: hex_[3:] for hex_, id_ in placed.items()}, turn=turn, step=step), *ids)


def fifths_left(match: BulgeMatch) -> int:
    way = match.asked().about
    assert isinstance(way, Walk)
    return way.left


# ---------------------------------------------------------------------- 12.1 where and when


EDGE: dict[str, Callable[[str], bool]] = {
    "E": lambda hex_: hex_.endswith("01"),
    "N": lambda hex_: hex_.startswith("01") and hex_ not in ("0101", "0102", "0103", "0104"),
    "W": lambda hex_: hex_.endswith("26"),
    "S": lambda hex_: not hex_.startswith("01") and not hex_.endswith(("01", "26")),
}


@pytest.mark.rule("the_bulge", "12.1", "1.3", "7.10")
@pytest.mark.parametrize("id_", [row.id for row in facts().rows if row.edge])
def test_every_reinforcement_enters_by_a_road_over_the_edge_named(id_: str) -> None:
    row = facts().rows[unit(id_)]
    found = offered(answer(play(waiting(id_, turn=row.turn)), id_))
    assert found == {hex_ for hex_ in names(facts().edge_roads) if EDGE[row.edge](hex_)}
    assert found
    side = facts().side_of(unit(id_))
    assert hexes(*found) & ~facts().sources[side] == 0, "Allied entry is at their supply sources, German at theirs"


@pytest.mark.rule("the_bulge", "12.1", "9.8")
def test_british_units_enter_only_west_of_the_meuse() -> None:
    for id_ in ("29Br", "Gds"):
        found = offered(answer(play(waiting(id_)), id_))
        assert found <= names(facts().west_of_meuse)


@pytest.mark.rule("the_bulge", "12.1")
def test_a_hex_of_another_edge_is_refused_with_the_rule() -> None:
    match = answer(play(waiting("1ID")), "1ID")
    assert refused_by(match, "1907") == "12.1"
    assert refused_by(match, "0101") == "12.1"


@pytest.mark.rule("the_bulge", "12.1")
@pytest.mark.parametrize("step", ["german_movement", "allied_movement"])
def test_units_come_on_in_their_own_movement_phase_only(step: str) -> None:
    p = due(position({"1SS": "0401", "2ID": "0520"}, turn=9, step=step), "9Pz", "75ID")
    mine, theirs = ("9Pz", "75ID") if step == "german_movement" else ("75ID", "9Pz")
    match = play(p)
    assert mine in offered(match)
    assert refused_by(match, theirs) == "5.1"


@pytest.mark.rule("the_bulge", "12.2")
def test_units_come_on_at_any_time_between_the_moves_of_others() -> None:
    match = play(waiting("9Pz", "15PG", turn=8, at_0902="1SS", at_0802="2SS"))
    answer(match, "1SS", "stop", "9Pz", "0501", "stop")
    assert offered(match) == {"2SS", "15PG", "done"}
    answer(match, "2SS", "stop")
    assert offered(match) == {"15PG", "done"}


# ---------------------------------------------------------------------- 12.2 cost


@pytest.mark.rule("the_bulge", "12.2", "10.1")
@pytest.mark.parametrize(
    ("id_", "entry", "fifths"),
    [("9Pz", "0501", 1), ("79VG", "0501", POINT), ("75ID", "0108", 1), ("4Cav", "0108", 1), ("Gds", "0526", 1)],
)
def test_the_first_hex_costs_the_road_rate_or_the_mechanized_rate(id_: str, entry: str, fifths: int) -> None:
    match = answer(play(waiting(id_)), id_, entry)
    assert fifths_left(match) == 6 * POINT - fifths
    assert where(match.position, id_) == entry


@pytest.mark.rule("the_bulge", "12.2")
def test_a_mechanized_unit_goes_on_by_mechanized_movement_and_another_by_road() -> None:
    for id_, cost in (("9Pz", "1/5"), ("79VG", "1")):
        match = answer(play(waiting(id_)), id_, "0901")
        assert "0902" in roads("0901")
        assert costs(match)["0902"] == cost


@pytest.mark.rule("the_bulge", "12.2", "6.4")
def test_coming_on_behind_another_costs_no_more_but_going_on_from_the_stack_does() -> None:
    match = answer(play(waiting("9Pz", "15PG")), "9Pz", "0901", "stop", "15PG", "0901")
    assert fifths_left(match) == 6 * POINT - 1
    alone = answer(play(waiting("15PG")), "15PG", "0901")
    assert costs(alone)["0902"] == "1/5"
    assert costs(match)["0902"] == "1 1/5"


@pytest.mark.rule("the_bulge", "12.2", "6.5")
def test_two_divisions_fill_an_entry_hex_until_one_moves_on() -> None:
    match = play(waiting("9Pz", "15PG", "79VG"))
    answer(match, "9Pz", "0901", "stop", "15PG", "0901", "stop", "79VG")
    assert refused_by(match, "0901") == "6.5"


@pytest.mark.rule("the_bulge", "12.2")
def test_control_of_the_entry_hex_changes_on_entering() -> None:
    match = play(waiting("75ID"))
    match.position.german |= hexes("0108")
    answer(match, "75ID", "0108")
    assert not match.position.german & hexes("0108")


# ---------------------------------------------------------------------- 12.3 blocked


@pytest.mark.rule("the_bulge", "12.3")
@pytest.mark.parametrize(
    ("id_", "enemy", "stands", "shut"),
    [
        ("9Pz", "2ID", "0901", "0901"),  # an enemy in the hex
        ("9Pz", "2ID", "0902", "0901"),  # his zone
        ("75ID", "2SS", "0108", "0108"),
        ("75ID", "2SS", "0208", "0108"),
    ],
)
def test_no_entry_through_an_enemy_or_his_zone(id_: str, enemy: str, stands: str, shut: str) -> None:
    p = waiting(id_)
    place(p, enemy, stands)
    assert refused_by(answer(play(p), id_), shut) == "12.3"


@pytest.mark.rule("the_bulge", "12.3")
def test_a_friend_in_the_entry_hex_does_not_open_a_hex_in_an_enemy_zone() -> None:
    p = waiting("9Pz", at_0902="2ID", at_0901="26VG")
    assert refused_by(answer(play(p), "9Pz"), "0901") == "12.3"


@pytest.mark.rule("the_bulge", "12.3")
def test_a_unit_whose_every_entry_is_blocked_waits() -> None:
    p = waiting("Gds")
    for id_, hex_ in zip(["1SS", "2SS", "9SS"], ["0526", "0926", "1026"], strict=True):
        place(p, id_, hex_)
    assert names(facts().entries["W"]) == {"0526", "0926", "1026"}
    assert refused_by(play(p), "Gds") == "12.3"


# ---------------------------------------------------------------------- 12.2 with 14.5 and 6.10


@pytest.mark.rule("the_bulge", "12.2", "14.5")
def test_next_to_von_der_heydte_the_first_hex_costs_double_terrain_and_no_road_helps() -> None:
    assert terrain("0116") == "clear"
    match = answer(play(waiting("75ID", at_0216="VDH")), "75ID", "0116")
    assert fifths_left(match) == 6 * POINT - 2 * POINT
    assert not any(cost.endswith("/5") for cost in costs(match).values()), "no mechanized movement after it"


@pytest.mark.rule("the_bulge", "12.3", "14.5")
def test_an_entry_hex_that_holds_von_der_heydte_is_closed_to_the_allies_alone() -> None:
    match = answer(play(waiting("75ID", at_0116="VDH")), "75ID")
    assert refused_by(match, "0116") == "12.3"
    assert "0901" in offered(answer(play(waiting("9Pz", at_0901="VDH")), "9Pz"))


@pytest.mark.rule("the_bulge", "12.3", "14.4")
def test_an_entry_hex_that_holds_the_commandos_is_closed_to_the_allies_until_they_leave_it() -> None:
    p = waiting("75ID", at_0116="30ID")
    p.disrupted, p.where[unit("SSES")] = unit("30ID"), p.where[unit("30ID")]
    match = play(p, [6])
    assert refused_by(answer(match, "75ID"), "0116") == "12.3"
    match = answer(play(p, [6]), "30ID", "0216", "stop", "75ID")
    assert "0116" in offered(match), "they went with their unit"


@pytest.mark.rule("the_bulge", "12.2", "14.5")
def test_an_entry_hex_in_heavy_woods_next_to_von_der_heydte_is_too_dear() -> None:
    """Twice four points are more than six: the only such entry of the south edge is 1320."""
    match = answer(play(waiting("80ID", at_1219="VDH")), "80ID")
    assert refused_by(match, "1320") == "12.2"


@pytest.mark.rule("the_bulge", "12.2", "14.5")
def test_germans_pay_nothing_more_near_von_der_heydte() -> None:
    match = answer(play(waiting("9Pz", at_0902="VDH")), "9Pz", "0901")
    assert fifths_left(match) == 6 * POINT - 1


@pytest.mark.rule("the_bulge", "12.2", "6.10")
def test_a_british_unit_may_enter_through_a_us_unit_but_not_stop_there() -> None:
    match = answer(play(waiting("29Br", at_0526="2ID")), "29Br", "0526")
    assert "stop" not in offered(match)
    assert offered_names(match)


@pytest.mark.rule("the_bulge", "12.2", "6.10")
def test_a_unit_that_could_not_go_on_may_not_enter_through_the_other_ally() -> None:
    p = waiting("Gds", at_0526="2ID")
    # Every hex around is as full as can be.
    full = sorted(names(facts().board.around(hexes("0526"))))
    divisions = ["84ID", "80ID", "26ID", "5ID", "1ID", "30ID", "9ID", "99ID", "4ID", "75ID"]
    for id_, hex_ in zip(divisions, sorted(full + full), strict=True):
        place(p, id_, hex_)
    assert "0526" not in offered(answer(play(p), "Gds"))
    assert refused_by(answer(play(p), "Gds"), "0526") == "12.2"


# ---------------------------------------------------------------------- 12.4 delay


@pytest.mark.rule("the_bulge", "12.4")
@pytest.mark.parametrize(("turn", "there"), [(7, False), (8, True), (9, True), (10, True)])
def test_a_reinforcement_may_be_held_back_but_never_comes_early(turn: int, there: bool) -> None:
    p = waiting("9Pz", "79VG", turn=turn)
    match = play(p)
    if not there:
        assert refused_by(match, "9Pz") == "12.4"
        return
    answer(match, "79VG", "0401", "stop")
    assert {"9Pz", "done"} <= offered(match)


@pytest.mark.rule("the_bulge", "12.4")
def test_a_unit_not_brought_on_is_still_due_next_turn() -> None:
    match = play(waiting("9Pz", turn=8), [6])
    while match.position.turn == 8 or match.position.step != "german_movement":
        match.choose("done")
    assert "9Pz" in offered(match)


@pytest.mark.rule("the_bulge", "12.4", "14.5")
def test_von_der_heydte_never_marches_on() -> None:
    p = start()
    p.step, p.turn = "german_movement", 2
    assert refused_by(play(p), "VDH") == "14.5"

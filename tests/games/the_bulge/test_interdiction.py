"""Rule 11: bridges under Allied guns, and what German units do to bridges."""

from __future__ import annotations

import pytest

from bulge.core.hexes import ROWS_FROM_EAST
from bulge.games.the_bulge.facts import ALLIED, GERMAN
from bulge.games.the_bulge.situation import supply_ground
from tests.games.the_bulge.helpers import at, facts, names, play, position, situation
from tests.helpers import answer, costs, plain_distances

BASTOGNE = "1412"


def interdicted(placed: dict[str, str], side: str = GERMAN) -> set[str]:
    return set(situation(placed).interdicted(side).names())


def bridges_on(hex_: str) -> set[str]:
    return {name for name in facts().bridges.names() if hex_ in name.split("/")}


# ---------------------------------------------------------------------- 11.1


@pytest.mark.rule("the_bulge", "11.1")
@pytest.mark.parametrize("hex_", ["1712", "1315", "1214", "1113", "1111", "1112"])
def test_a_us_unit_in_bastogne_interdicts_every_bridge_of_the_example(hex_: str) -> None:
    assert bridges_on(hex_)
    assert bridges_on(hex_) <= interdicted({"101AB": BASTOGNE})


@pytest.mark.rule("the_bulge", "11.1")
@pytest.mark.parametrize("hex_", [BASTOGNE, "0520", "1008", "1804"])
@pytest.mark.parametrize("unit", ["110", "101AB", "43Br"])
def test_the_bridges_interdicted_are_those_on_a_hex_within_three(unit: str, hex_: str) -> None:
    distances = plain_distances(ROWS_FROM_EAST, hex_, names(facts().board.all))
    near = {name for name in facts().bridges.names() if min(distances[end] for end in name.split("/")) <= 3}
    assert near
    assert interdicted({unit: hex_}) == near


@pytest.mark.rule("the_bulge", "11.1")
def test_a_bridge_out_of_the_last_hex_in_range_is_interdicted_though_it_leads_beyond() -> None:
    assert facts().board.distance(at(BASTOGNE), at("1812")) == 4
    assert "1712/1812" in interdicted({"101AB": BASTOGNE})
    assert "1712/1812" not in interdicted({"101AB": "1312"})


@pytest.mark.rule("the_bulge", "11.1")
def test_without_allied_units_no_bridge_is_interdicted_for_the_germans() -> None:
    assert interdicted({"1SS": BASTOGNE}) == set()


# ---------------------------------------------------------------------- 11.2


@pytest.mark.rule("the_bulge", "11.2")
def test_a_unit_out_of_supply_and_ringed_by_germans_interdicts_as_before() -> None:
    ring = dict(zip(["1SS", "2SS", "9SS", "2Pz", "9Pz", "Lehr"], names_around(BASTOGNE), strict=True))
    s = situation({"101AB": BASTOGNE, **ring})
    assert not s.in_supply(next(u for u in facts().us_units if s.p.where[u] >= 0))
    assert set(s.interdicted(GERMAN).names()) == interdicted({"101AB": BASTOGNE})


def names_around(hex_: str) -> list[str]:
    return sorted(names(facts().board.around(1 << at(hex_))))


# ---------------------------------------------------------------------- 11.3


@pytest.mark.rule("the_bulge", "11.3", "9.6", "10.3")
@pytest.mark.parametrize(
    ("unit", "under_fire", "cost"),
    [
        ("26VG", False, "1"),
        ("26VG", True, "2"),
        ("1SS", False, "1/5"),
        ("1SS", True, "2"),  # and so no longer mechanized movement
    ],
)
def test_a_german_pays_one_point_more_over_an_interdicted_bridge(unit: str, under_fire: bool, cost: str) -> None:
    placed = {unit: "1812"} | ({"101AB": BASTOGNE} if under_fire else {})
    match = answer(play(position(placed, turn=3)), unit)
    assert costs(match)["1712"] == cost


@pytest.mark.rule("the_bulge", "11.3")
@pytest.mark.parametrize(("placed", "points"), [({}, 3), ({"101AB": BASTOGNE}, 4)])
def test_german_supply_off_the_road_pays_one_point_more_too(placed: dict[str, str], points: int) -> None:
    broken = situation(placed).interdicted(GERMAN)
    assert dict(supply_ground(facts(), broken)[0].from_hex(at("1812")))[at("1712")] == points


# ---------------------------------------------------------------------- 11.4


@pytest.mark.rule("the_bulge", "11.4")
@pytest.mark.parametrize(
    ("german", "friend", "broken"),
    [
        ("1812", None, True),  # on the bridge itself
        ("1812", "1712", True),  # also where a friend negates the zone beyond
        ("1711", None, True),  # 1712 lies in its zone
        ("1911", None, False),  # 1812 does not
        ("1912", None, True),  # 1812 lies in its zone
        ("1912", "1812", False),  # but a friend negates the zone there
        ("1713", None, True),  # both ends in its zone
        ("1713", "1812", True),  # one end is still unnegated
        ("1612", None, True),
        ("1512", None, False),  # no interdiction at range
    ],
)
def test_for_the_allies_a_bridge_is_broken_next_to_a_german_or_in_his_unnegated_zone(
    german: str, friend: str | None, broken: bool
) -> None:
    placed = {"26VG": german} | ({"30ID": friend} if friend else {})
    assert ("1712/1812" in interdicted(placed, ALLIED)) is broken


@pytest.mark.rule("the_bulge", "11.4", "8.2")
@pytest.mark.parametrize("unit", ["VDH", "SSES"])
def test_units_without_a_zone_break_no_bridge(unit: str) -> None:
    assert interdicted({unit: "1812"}, ALLIED) == set()


@pytest.mark.rule("the_bulge", "11.4")
@pytest.mark.parametrize(
    ("placed", "cost"),
    [
        ({}, "1/5"),
        ({"26VG": "1713"}, "4"),  # road 1, river 1, and 2 for going from zone to zone
    ],
)
def test_an_allied_unit_pays_for_a_bridge_that_germans_hold_under_fire(placed: dict[str, str], cost: str) -> None:
    match = answer(play(position({"30ID": "1812", **placed}, step="allied_movement")), "30ID")
    assert costs(match)["1712"] == cost

"""Zones of control (rule 8). The hexes round 0421 are open ground: see test_movement.py."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bulge.games.the_bulge.facts import ALLIED, GERMAN
from tests.games.the_bulge.helpers import (
    around,
    at,
    facts,
    names,
    play,
    position,
    side_is,
    situation,
    steps_where,
    terrain,
    unit,
    units,
)
from tests.helpers import answer, costs, offered, refused_by


@pytest.mark.rule("the_bulge", "8.1")
def test_a_zone_is_all_six_hexes_around_over_rivers_and_into_every_terrain() -> None:
    for hex_ in names(facts().board.all):
        assert names(situation({"110": hex_}).zones[ALLIED]) == around(hex_)


@pytest.mark.rule("the_bulge", "8.1", "7.11")
def test_units_out_of_supply_have_zones_too_and_zones_overlap() -> None:
    p = position({"12VG": "0420", "4ID": "0422"}, turn=6)
    p.short = units("12VG")
    s = situation(p)
    assert names(s.zones[GERMAN]) == around("0420")
    assert names(s.zones[GERMAN] & s.zones[ALLIED]) >= {"0421"}


@pytest.mark.rule("the_bulge", "8.2")
@pytest.mark.parametrize("id_", ["VDH", "SSES"])
def test_von_der_heydte_and_the_commandos_have_none(id_: str) -> None:
    s = situation({id_: "0421"})
    assert s.zones[GERMAN] == 0


@pytest.mark.rule("the_bulge", "8.3", "8.4")
@pytest.mark.parametrize(
    ("here", "there", "others", "cost"),
    [
        ("0420", "0421", {}, "1"),
        ("0420", "0421", {"4ID": "0422"}, "2"),
        ("0421", "0420", {"4ID": "0422"}, "2"),
        ("0421", "0322", {"4ID": "0422"}, "3"),
        ("0420", "0421", {"4ID": "0422", "2ID": "0422", "1ID": "0522"}, "2"),
        ("0421", "0322", {"4ID": "0422", "CCB9": "0422"}, "3"),
        ("0420", "0421", {"4ID": "0422", "18VG": "0421"}, "3"),
    ],
    ids=[
        "no zone",
        "in",
        "out",
        "zone to zone",
        "three enemies in",
        "two enemies through",
        "a friend negates none",
    ],
)
def test_entering_and_leaving_a_zone_cost_a_point_each_however_many_enemies(
    here: str, there: str, others: Mapping[str, str], cost: str
) -> None:
    match = answer(play(position({"12VG": here, **others})), "12VG")
    assert costs(match)[there] == cost


@pytest.mark.rule("the_bulge", "8.3")
def test_allied_units_pay_for_german_zones_alike() -> None:
    match = answer(play(position({"4ID": "0421", "12VG": "0422"}, step="allied_movement")), "4ID")
    assert (costs(match)["0420"], costs(match)["0322"]) == ("2", "3")


# ---------------------------------------------------------------------- into the West Wall (8.3)


def from_zone_into_wall() -> tuple[str, str, str]:
    """A hex, a West Wall hex next to it, and a third one next to both, none of them over a river."""
    wall = names(facts().wall)
    for here, there in steps_where(lambda one, other: other in wall and not side_is(one, other, "river")):
        shared = (around(here) & around(there)) - wall
        if shared and here not in wall:
            return here, there, min(shared)
    raise AssertionError("the map has no such place")


@pytest.mark.rule("the_bulge", "8.3")
def test_no_us_unit_goes_from_zone_to_zone_into_the_west_wall() -> None:
    here, there, german = from_zone_into_wall()
    p = position({"110": here, "12VG": german}, turn=4, step="allied_movement")
    p.airlifted = units("110")
    match = answer(play(p), "110")
    assert refused_by(match, there) == "8.3"
    assert set(offered(match)) & around(german) - names(facts().wall), "into other zones it may go"


@pytest.mark.rule("the_bulge", "8.3")
def test_germans_and_us_units_from_outside_a_zone_may() -> None:
    here, there, third = from_zone_into_wall()
    assert there in offered(answer(play(position({"12VG": here, "110": third})), "12VG"))
    far = min(hex_ for hex_ in around(there) if hex_ not in around(here) | {here})
    p = position({"110": here, "12VG": far}, step="allied_movement")
    p.airlifted = units("110")
    assert not situation(p).zones[GERMAN] >> at(here) & 1
    assert there in offered(answer(play(p), "110"))


# ---------------------------------------------------------------------- negation (8.4, 8.6)


@pytest.mark.rule("the_bulge", "8.4", "8.2")
@pytest.mark.parametrize(
    ("id_", "hex_", "negated"),
    [("18VG", "0421", True), ("18VG", "0420", False), ("VDH", "0421", False), ("SSES", "0421", False)],
)
def test_a_unit_negates_zones_in_its_own_hex_and_markers_never(id_: str, hex_: str, negated: bool) -> None:
    s = situation({"4ID": "0422", id_: hex_})
    assert bool(s.unnegated(GERMAN) >> at("0421") & 1) != negated


@pytest.mark.rule("the_bulge", "8.6", "8.4", "7.2")
def test_tracing_through_a_negated_zone_costs_nothing_more_and_an_unnegated_one_blocks() -> None:
    germans = {"2Pz": "1312", "Lehr": "1512", "26VG": "1413"}
    s = situation({"101AB": "1412", "CCB10": "1513", **germans})
    assert {"1412", "1513"} <= names(s.zones[GERMAN])
    assert [terrain(hex_) for hex_ in ("1513", "1613", "1614")] == ["clear"] * 3
    line = s.lines(ALLIED)
    assert [facts().board.name(hex_) for hex_ in line.overland(at("1412"))] == ["1412", "1513", "1613", "1614"]
    assert line.levels[3] >> at("1412") & 1
    assert not situation({"101AB": "1412", **germans}).overland(unit("101AB"))


# ---------------------------------------------------------------------- roads and zones (8.5)


@pytest.mark.rule("the_bulge", "8.5", "10.2", "10.3")
@pytest.mark.parametrize(
    ("id_", "here", "there", "enemy", "cost"),
    [
        ("12VG", "0418", "0417", "0415", "1"),
        ("12VG", "0418", "0417", "0416", "2"),
        ("12VG", "0417", "0418", "0416", "2"),
        ("2Pz", "0418", "0417", "0415", "1/5"),
        ("2Pz", "0418", "0417", "0416", "2"),
        ("2Pz", "0417", "0418", "0416", "2"),
    ],
)
def test_the_road_rate_holds_in_zones_and_mechanized_movement_neither_enters_nor_leaves_them(
    id_: str, here: str, there: str, enemy: str, cost: str
) -> None:
    assert side_is(here, there, "road")
    match = answer(play(position({id_: here, "4ID": enemy}, turn=3)), id_)
    assert costs(match)[there] == cost


@pytest.mark.rule("the_bulge", "8.5", "10.3")
def test_a_panzer_unit_that_starts_in_a_zone_does_not_drive_after_leaving_it() -> None:
    match = answer(play(position({"2Pz": "0417", "4ID": "0416"}, turn=3)), "2Pz", "0418")
    assert costs(match)["0519"] == "1"

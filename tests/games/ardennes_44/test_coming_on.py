"""The hex by which a unit comes on: enemies beside it, bonds over it, markers in it (10, 12, 13, 24 and 33)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.facts import DUE
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.reach import ways
from tests.games.ardennes_44.helpers import ArdennesMatch, answer, at, begun, facts, placed, unit, units

GAME = "ardennes_44"
PANZERS, TANKS = "9SS/20", "10Arm/CCA"
INFANTRY = "246/352"
FAR = ("3PG/8", "E0340")
"""A German far from everybody, so that the Movement Phase goes on after an arrival."""


def coming_on(
    id_: str, *there: tuple[str, str], step: str = "german_movement", **markers: object
) -> ArdennesMatch:
    """A unit that is due is asked where it comes on, with these others and markers about."""
    p = placed(*there, scenario="S1", turn=max(8, facts().rows[unit(id_)].turn), step=step)
    p.where[unit(id_)] = DUE
    for name, value in markers.items():
        setattr(p, name, value)
    match = begun(p)
    answer(match, id_)
    return match


def on_its_way(id_: str, entry: str, *there: tuple[str, str], **markers: object) -> Walk:
    """The walk of a German that has come on."""
    match = coming_on(id_, *there, step="german_movement", **markers)
    answer(match, entry)
    walk: Walk = match.asked().about.walk
    return walk


def offered(match: ArdennesMatch) -> set[str]:
    return {option.id for option in match.options()}


# ---------------------------------------------------------------------- bonds


@pytest.mark.rule(GAME, "10.2", "13.1")
def test_nobody_comes_on_into_an_enemy_bond() -> None:
    allies = coming_on(TANKS, ("12/48", "E1602"), ("26/77", "E1801"), step="allied_movement")
    assert "E1701" not in offered(allies)
    assert {"E2101", "Block E1701"} <= offered(allies)
    assert allies.why_not("E1701").rule == "10.2"
    along_the_edge = coming_on(TANKS, ("12/48", "E1601"), ("26/77", "E1801"), step="allied_movement")
    assert "E1701" in offered(along_the_edge)
    p = placed(("99/394", "E0138"), ("99/393", "E0140"), FAR, scenario="S1", turn=8)
    p.where[unit(PANZERS)] = DUE
    assert PANZERS not in offered(begun(p)), "its only entry hex is shut"
    p.disrupted = units("99/393")
    assert PANZERS in offered(begun(p)), "a shaken unit has no part in a bond"


@pytest.mark.rule(GAME, "10.3", "13.1")
def test_a_friend_in_an_entry_hex_keeps_it_open_and_shuts_it_by_leaving() -> None:
    p = placed(("99/394", "E0138"), ("99/393", "E0140"), ("12SS/12/PzV", "E0139"), FAR, scenario="S1", turn=8)
    p.where[unit(PANZERS)] = DUE
    match = begun(p)
    assert PANZERS in offered(match)
    answer(match, "12SS/12/PzV", "E0239")
    assert PANZERS not in offered(match)


# ---------------------------------------------------------------------- columns


@pytest.mark.rule(GAME, "12.2", "13.1")
def test_no_column_comes_on_next_to_an_enemy() -> None:
    alone = coming_on(PANZERS, FAR)
    answer(alone, "strategic")
    assert "E0139" in offered(alone)
    germans = coming_on(PANZERS, ("99/394", "E0138"), FAR)
    assert "E0139" in offered(germans), "others may"
    assert "strategic" not in offered(germans)
    assert germans.why_not("strategic").rule == "12.1"
    allies = coming_on(TANKS, ("12/48", "E1702"), step="allied_movement")
    assert "E1701" in offered(allies)
    answer(allies, "strategic")
    assert offered(allies) >= {"E2101", "wait"}
    assert "E1701" not in offered(allies)
    assert allies.why_not("E1701").rule == "12.2"


@pytest.mark.rule(GAME, "12.2", "S3.3")
def test_the_airborne_divisions_do_not_drive_past_enemies_either() -> None:
    p = placed(("12/48", "E3912"), scenario="S3", turn=6, step="allied_movement")
    p.where[unit("101/501")] = DUE
    match = begun(p)
    answer(match, "101/501")
    assert "E4012" not in offered(match)
    assert match.why_not("E4012").rule == "12.2"


@pytest.mark.rule(GAME, "33.1")
def test_no_column_comes_on_through_an_enemy_roadblock() -> None:
    germans = coming_on(PANZERS, FAR, roadblocks=True, blocks_allied=[at("E0139"), -1])
    assert "E0139" in offered(germans)
    assert "strategic" not in offered(germans)
    allies = coming_on(TANKS, step="allied_movement", roadblocks=True, blocks_german=[at("E1701"), -1])
    answer(allies, "strategic")
    assert "E1701" not in offered(allies)
    assert allies.why_not("E1701").rule == "33.1"


# ---------------------------------------------------------------------- what it costs


@pytest.mark.rule(GAME, "13.1", "24.2", "33.1")
@pytest.mark.parametrize("marker", ["traffic", "blocks_allied"])
def test_enemy_markers_make_the_entry_hex_dearer(marker: str) -> None:
    free, jammed = (on_its_way(PANZERS, "E0139", FAR, **markers) for markers in ({}, {marker: [at("E0139"), -1]}))
    assert jammed.spent == free.spent + 2 * POINT
    assert len(ways(jammed)) < len(ways(free))


@pytest.mark.rule(GAME, "13.1", "24.2")
def test_a_column_pays_for_traffic_in_its_entry_hex() -> None:
    match = coming_on(PANZERS, FAR, traffic=[at("E0139")])
    answer(match, "strategic", "E0139")
    assert match.asked().about.walk.spent == POINT // 2 + 2 * POINT


@pytest.mark.rule(GAME, "24.2")
def test_own_markers_cost_nobody_anything() -> None:
    assert on_its_way(PANZERS, "E0139", FAR, greif=[at("E0139")]).spent == POINT // 2


@pytest.mark.rule(GAME, "11.3", "24.2")
def test_tactical_movement_ignores_traffic_in_the_entry_hex() -> None:
    free, jammed = (on_its_way(INFANTRY, "E0139", FAR, traffic=[jam]) for jam in (-1, at("E0139")))
    assert jammed.may_stop()
    assert jammed.spent > free.spent
    tactically = [{to for to, (_, may) in walk.next_steps().items() if may} for walk in (free, jammed)]
    assert tactically[0] == tactically[1] != set()
    shaken = on_its_way(INFANTRY, "E0139", FAR, traffic=[at("E0139")], disrupted=units(INFANTRY))
    assert shaken.spent == -1
    assert shaken.next_steps()


@pytest.mark.rule(GAME, "13.1", "24.2", "33.1")
@pytest.mark.parametrize("marker", ["greif", "blocks_german"])
def test_allies_pay_for_german_markers(marker: str) -> None:
    match = coming_on(TANKS, step="allied_movement", **{marker: [at("E1701"), -1]})
    answer(match, "E1701")
    assert match.asked().about.walk.spent == POINT // 2 + 2 * POINT

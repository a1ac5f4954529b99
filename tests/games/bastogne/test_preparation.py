"""Rules 4.2, 11, 13.0, 27.0 and 27.1: weather and what it sets, and missions."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.facts import READY, RESERVE
from bulge.games.bastogne.preparation import (
    add_supply,
    assign_airstrikes,
    assign_artillery,
    determine_weather,
)
from tests.games.bastogne.helpers import Part, at, facts, position


@pytest.mark.rule("bastogne", "4.2", "11.1", "11.2", "11.3", "27.0")
@pytest.mark.parametrize(
    ("turn", "dice", "weather", "supply", "airstrikes"),
    [
        (1, (6, 1, 2, 3, 4, 5), "good", 6, 9),
        (1, (5, 4, 3, 6), "overcast", 7, 6),
        (4, (3, 5), "socked_in", 5, 0),
        (5, (3, 4, 3, 6), "overcast", 7, 6),
        (5, (4, 1, 2, 3, 6, 6), "good", 6, 12),
        (8, (1, 2), "socked_in", 2, 0),
    ],
)
def test_the_weather_brings_supply_and_airstrikes(
    turn: int, dice: tuple[int, ...], weather: str, supply: int, airstrikes: int
) -> None:
    part = Part(position(turn=turn, weather=""), dice).play(determine_weather)
    assert part.over
    assert part.p.weather == weather
    assert part.p.supply == supply
    assert part.p.where.count(at(READY)) == airstrikes


@pytest.mark.rule("bastogne", "15.4", "16.5", "16.12")
def test_weather_sets_movement_range_and_halves_guns() -> None:
    rows = {row.id: (row.movement, row.range, row.halved) for row in facts().weather.values()}
    assert rows == {"good": (3, 2, False), "overcast": (2, 1, False), "socked_in": (1, 0, True)}


@pytest.mark.rule("bastogne", "11.2")
def test_supply_beyond_49_is_lost() -> None:
    part = Part(position(supply=45))
    add_supply(part.table, 9, "11.2")
    assert part.p.supply == 49


@pytest.mark.rule("bastogne", "27.1")
def test_every_airstrike_gets_a_mission() -> None:
    p = position()
    for number in range(5):
        p.where[facts().airstrikes[number]] = at(READY)
    part = Part(p).play(assign_airstrikes)
    assert part.offered == {"0", "1", "2", "3", "4", "5"}
    part.choose("2")
    assert p.where.count(at("Interdiction")) == 2
    assert p.where.count(at("Tactical")) == 3
    assert p.where.count(at(READY)) == 0


@pytest.mark.rule("bastogne", "13.0", "13.1", "19.2")
def test_a_supply_point_buys_an_impact_marker_its_mission() -> None:
    part = Part(position(supply=2)).play(assign_artillery)
    part.choose("755-FA-impact", "counterbattery", "321-GFA-impact")
    assert part.over, "no supply is left"
    assert part.where("755-FA-impact") == "Close Support"
    assert part.where("321-GFA-impact") == "Counterbattery"
    assert part.p.supply == 0


@pytest.mark.rule("bastogne", "13.0")
def test_all_may_be_bought_at_once_the_heaviest_first() -> None:
    part = Part(position(supply=2)).play(assign_artillery).choose("buy_all")
    assert part.over
    assert [part.where(f"{id_}-impact") for id_ in ("755-FA", "969-FA")] == ["Close Support"] * 2


@pytest.mark.rule("bastogne", "13.0")
def test_without_supply_no_gun_fires() -> None:
    assert Part(position(supply=0)).play(assign_artillery).over


@pytest.mark.rule("bastogne", "13.0", "13.1")
def test_a_marker_is_assigned_once_a_turn() -> None:
    part = Part(position(supply=5)).play(assign_artillery).choose("755-FA-impact")
    assert "755-FA-impact" not in part.offered
    part.choose("done")
    assert part.p.supply == 4
    assert part.where("969-FA-impact") == RESERVE

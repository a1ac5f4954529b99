"""The spearhead and the siege of the atlas, on fronts made by hand."""

from __future__ import annotations

from functools import cache
from math import dist

import pytest

from bulge.core.spaces import members
from bulge.games import load_game
from bulge.geo.geography import geography
from bulge.geo.projection import km, lat_lon
from bulge.lab.atlas.figures import figures_of
from bulge.lab.atlas.shares import share_of
from bulge.lab.atlas.shipped import all_shipped
from bulge.lab.atlas.siege import CLOSED, SIEGE_OF_1944, TOWN, WAYS, sieges, state_of, ways_out
from bulge.lab.atlas.spearhead import NEAR_KM, SECTORS, West, banks, drive, reaches
from bulge.lab.measures import measures_of
from bulge.lab.record import mask_bytes
from bulge.lab.report.history import DAYS, History
from bulge.lab.report.sample import Sample

WHOLE = ("the_bulge", "ardennes_offensive", "ardennes_44", "enemy_action")


def place(name: str) -> tuple[float, float]:
    return geography().place(name).point


def beside(name: str, east: float, north: float = 0.0) -> tuple[float, float]:
    """So many kilometres from a town."""
    x, y = km(*place(name))
    return lat_lon(x + east, y + north)


def mask(*spaces: int) -> int:
    return sum(1 << space for space in spaces)


# ---------------------------------------------------------------------- the spearhead

ROAD = {1: beside("Celles", 40), 2: beside("Celles", 20), 3: place("Celles"), 4: place("Dinant"), 5: place("Huy")}
"""A road west: three places, and two on the river."""
DEPTHS = {1: 10.0, 2: 30.0, 3: 50.0, 4: 58.0, 5: 45.0}


def west() -> West:
    return West(ROAD, DEPTHS)


def test_the_spearhead_is_the_deepest_ground_that_is_held() -> None:
    assert west().tip(mask(1, 2)) == 2
    assert west().tip(mask(1, 3, 2)) == 3
    assert west().tip(0) is None
    assert west().from_celles(2) == pytest.approx(20, abs=0.1)


def test_of_ground_as_deep_the_westernmost_is_the_spearhead() -> None:
    assert West(ROAD, DEPTHS | {5: 58.0}).tip(mask(4, 5)) == 4


def test_ground_behind_the_start_is_no_spearhead() -> None:
    assert West(ROAD, DEPTHS | {1: 0.0}).tip(mask(1)) is None


def test_a_bank_is_ground_within_some_kilometres_of_the_river_by_its_sector() -> None:
    towns = dict(enumerate(("Liège", "Huy", "Namur", "Dinant", "Givet", "Fumay", "Celles", "Marche")))
    found = banks({number: place(town) for number, town in towns.items()})
    assert {sector: [towns[space] for space in members(bank)] for sector, bank in found.items()} == {
        "above Givet": ["Fumay"],
        "Givet–Dinant": ["Dinant", "Givet"],
        "Namur": ["Namur"],
        "Huy–Liège": ["Liège", "Huy"],
    }
    assert list(found) == list(SECTORS), "as the river flows"


def test_the_river_is_reached_on_both_banks_and_no_farther_off() -> None:
    off = (-NEAR_KM - 2, -NEAR_KM + 1, NEAR_KM - 1, NEAR_KM + 2)
    across = {number: beside("Huy", 0, north) for number, north in enumerate(off)}
    assert banks(across) == {"Huy–Liège": mask(1, 2)}


def test_a_map_without_a_stretch_of_the_river_has_no_such_sector() -> None:
    assert list(west().banks) == ["Givet–Dinant", "Huy–Liège"]


def test_what_was_lost_again_counts_for_how_far_a_game_had_come() -> None:
    found = drive([mask(1), mask(1, 2, 5), mask(1, 2), mask(1, 3)], west())
    assert found.tips == (1, 5, 5, 3)
    assert [set(sectors) for sectors in found.came_to] == [set(), *([{"Huy–Liège"}] * 3)]


def sample(fronts: list[list[int]]) -> Sample:
    """Games of The Bulge of three days that held this ground, evening by evening."""
    shipped = next(found for found in all_shipped() if found.plan.game == "the_bulge" and not found.what_if)
    read = shipped.sample()
    rows = [
        read.rows[0] | {"turns": [1, 2, 3][: len(held)], "days": [16, 17, 18], "front": [*map(mask_bytes, held)]}
        for held in fronts
    ]
    return Sample(read.path, read.plan, read.game, read.scenario, rows)


def test_games_are_counted_by_where_they_came_to() -> None:
    games = sample([])
    towns = games.measures.towns
    near, deep = towns["St. Vith"], towns["Dinant"]
    games.rows += sample([[0, mask(near), mask(near)], [0, mask(near, deep), mask(near)], [0]]).rows
    found = reaches(games, {17: 1, 18: 2}, ())
    assert [games_there for *_, games_there in found[17].tips] == [1, 1], "the third game has taken nothing"
    assert found[18].meuse == share_of(1, 3)
    assert found[18].sectors["Givet–Dinant"] == share_of(1, 3)
    assert found[18].sectors["Namur"] == share_of(0, 3)
    apart = [dist(km(*games.history.where[space]), km(*place("Celles"))) for space in (near, deep)]
    assert found[18].from_celles[1] == pytest.approx(sum(apart) / 2, abs=0.1), "the middle of two games"


@pytest.mark.parametrize("id_", WHOLE)
def test_the_spearhead_of_1944_comes_to_celles_on_every_map(id_: str) -> None:
    shipped = next(found for found in all_shipped() if found.plan.game == id_ and not found.what_if)
    games = shipped.sample()
    games.rows = games.rows[:1]
    there = reaches(games, {24: 8}, (24,))[24].tip_of_1944
    assert there is not None
    x, y = km(*there)
    celles = km(*place("Celles"))
    assert abs(x - celles[0]) < 3
    assert abs(y - celles[1]) < 3


# ---------------------------------------------------------------------- the siege


@cache
def around(id_: str) -> tuple[int, tuple[int, ...], dict[int, tuple[float, float]]]:
    """The town, the ways out of it, and where all spaces of the map are, in kilometres from the town."""
    measures = measures_of(load_game(id_))
    where, town = History(measures.ground).where, measures.towns[TOWN]
    x, y = km(*where[town])
    apart = {space: (km(*at)[0] - x, km(*at)[1] - y) for space, at in where.items()}
    return town, tuple(ways_out(where, town)), apart


def ring(id_: str, least: float, most: float, *, without_east: bool = False) -> int:
    """The ground so many kilometres around the town, all of it or its western half."""
    _, _, apart = around(id_)
    return mask(
        *(
            space
            for space, (x, y) in apart.items()
            if least <= (x * x + y * y) ** 0.5 <= most and not (without_east and x > 0)
        )
    )


@pytest.mark.parametrize("id_", WHOLE)
def test_a_ring_is_a_siege_whether_it_is_narrow_or_wide(id_: str) -> None:
    town, ways, _ = around(id_)
    assert len(ways) == WAYS
    for least, most in ((2.0, 6.5), (6.0, 12.0), (2.0, 30.0)):
        assert state_of(ring(id_, least, most), town, ways) == "besieged"


@pytest.mark.parametrize("id_", WHOLE)
def test_a_town_with_half_of_its_ways_open_is_free(id_: str) -> None:
    town, ways, _ = around(id_)
    assert state_of(ring(id_, 2.0, 12.0, without_east=True), town, ways) == "free"
    assert state_of(0, town, ways) == "free"


@pytest.mark.parametrize("id_", WHOLE)
def test_enemies_far_off_besiege_nobody(id_: str) -> None:
    town, ways, _ = around(id_)
    assert state_of(ring(id_, 17.0, 60.0), town, ways) == "free"


@pytest.mark.parametrize("id_", WHOLE)
def test_a_town_that_is_held_is_taken_whoever_stands_around(id_: str) -> None:
    town, ways, _ = around(id_)
    assert state_of(1 << town, town, ways) == "taken"
    assert state_of(ring(id_, 0.0, 20.0), town, ways) == "taken"


@pytest.mark.parametrize("id_", WHOLE)
def test_the_lines_of_1944_make_a_siege_of_the_days_of_the_siege(id_: str) -> None:
    town, ways, _ = around(id_)
    history = History(measures_of(load_game(id_)).ground)
    states = {day: state_of(mask(*history.held(day)), town, ways) for day in DAYS}
    assert states == {day: "besieged" if day in SIEGE_OF_1944 else "free" for day in DAYS}
    closed = sum(bool(mask(*history.held(20)) & way) for way in ways)
    assert closed in (15, 16), "the siege begins where the line leaves no doubt"
    assert closed < CLOSED - 4


def test_sieges_are_counted_by_evening_and_up_to_it() -> None:
    games, town = sample([]), around("the_bulge")[0]
    siege, taken = ring("the_bulge", 2.0, 12.0), 1 << town
    games.rows += sample([[0, siege, 0], [0, siege, taken], [0, 0, taken], [0]]).rows
    found = sieges(games, {16: 0, 17: 1, 18: 2})
    assert found[17].besieged == share_of(2, 4)
    assert found[17].free == share_of(2, 4)
    assert found[18].besieged == share_of(0, 4)
    assert found[18].taken == share_of(2, 4)
    assert found[18].ever == share_of(2, 4)
    assert [found[day].ever for day in (16, 17)] == [share_of(0, 4), share_of(2, 4)]


# ---------------------------------------------------------------------- in the figures


def test_models_of_the_whole_battle_have_both_and_bastogne_has_neither() -> None:
    for shipped in all_shipped():
        games = shipped.sample()
        games.rows = games.rows[:2]
        days = figures_of(games).days
        whole = shipped.plan.game in WHOLE
        assert all((day.reach is not None) == whole and (day.siege is not None) == whole for day in days)

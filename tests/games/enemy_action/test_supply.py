"""Supply of units and hexes (rules 11, 13, 15.3), first of all as 18.5 states it."""

from __future__ import annotations

import pytest

from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.rows import holds
from bulge.games.enemy_action.supply import open_sources
from tests.games.enemy_action.helpers import at, crisis, empty, names, place, sit, the_game, unit

GAME = "enemy_action"


@pytest.mark.rule(GAME, "18.5")
@pytest.mark.rule(GAME, "13.1")
@pytest.mark.rule(GAME, "13.0")
def test_every_stack_of_the_crisis_is_supplied_as_the_scenario_says() -> None:
    facts, s = the_game().facts, sit(crisis())
    found = {(side, hex_): s.traces(side, hex_) for side in (GERMAN, ALLIED) for hex_ in s.stacks[side]}
    stated = {(side, hex_): facts.crisis[facts.rows[s.stack(hex_)[0]].id].supply == "in" for side, hex_ in found}
    assert len(found) == 78
    assert found == stated


@pytest.mark.rule(GAME, "15.3")
@pytest.mark.rule(GAME, "15.21")
def test_every_detachment_of_the_crisis_outside_a_town_is_in_supply_of_both_sides() -> None:
    facts, p = the_game().facts, crisis()
    s = sit(p)
    loose = members(p.detachments & ~facts.towns)
    assert len(loose) == 6
    for hex_ in loose:
        assert s.traces(GERMAN, hex_), facts.at(hex_)
        assert s.traces(ALLIED, hex_, detachments=p.detachments & ~(1 << hex_)), facts.at(hex_)


@pytest.mark.rule(GAME, "13.11")
@pytest.mark.rule(GAME, "13.14")
def test_a_unit_on_a_friendly_edge_is_supplied_even_where_its_source_is_closed() -> None:
    p = empty(19)
    place(p, **{"22.4.XII": "2603"})
    p.german_towns |= 1 << at("2404")
    assert not open_sources(the_game().facts, p, ALLIED) >> at("2603") & 1
    assert sit(p).traces(ALLIED, at("2603"))
    p.german_towns &= ~(1 << at("2404"))
    assert open_sources(the_game().facts, p, ALLIED) >> at("2603") & 1


@pytest.mark.rule(GAME, "13.13")
def test_allied_supply_does_not_run_through_the_westwall() -> None:
    p = empty(19)
    wall = the_game().facts.wall
    assert not sit(p).lines(ALLIED).through & wall
    place(p, **{"272.LXVII": "0404"})
    place(p, **{"9.2.V": "0504"})
    assert sit(p).lines(ALLIED).through >> at("0504") & 1


@pytest.mark.rule(GAME, "13.3")
def test_reserve_supply_does_not_run_through_an_allied_zone_even_where_germans_stand() -> None:
    """13.3, example: a unit supplied only by way of a friend in an Allied zone is not in reserve supply."""
    p = empty(19)
    place(p, **{"18.LXVI": "1305", "424.106.XVIII": "1306"})
    s = sit(p)
    assert s.lines(GERMAN).through >> at("1305") & 1
    assert not s.lines(GERMAN, reserve=True).through >> at("1305") & 1


@pytest.mark.rule(GAME, "11.0")
@pytest.mark.rule(GAME, "2.21")
def test_who_exerts_control() -> None:
    p = empty()
    place(p, **{"48.12.ISS": "1010"})
    regiment, mate = unit("48.12.ISS"), unit("27.12.ISS")
    assert sit(p).zones[GERMAN] == the_game().board.next_to(at("1010"))
    p.steps[regiment] = 1  # bracketed, alone: none
    assert not sit(p).zones[GERMAN]
    p.steps[mate] = 1
    place(p, **{"27.12.ISS": "1010"})  # two with brackets: yes
    assert sit(p).zones[GERMAN]
    p.dispersed |= 1 << mate
    assert not sit(p).zones[GERMAN]
    place(p, **{"48.12.ISS": "1108"})  # in a town: yes
    assert sit(p).zones[GERMAN]
    p.isolated |= 1 << regiment
    assert not sit(p).zones[GERMAN]


@pytest.mark.rule(GAME, "10.4")
def test_three_units_or_six_steps_fill_a_hex() -> None:
    p = empty()
    place(p, **{"272.LXVII": "0205", "48.12.ISS": "0205"})
    assert not sit(p).has_room(unit("27.12.ISS"), at("0205"))
    place(p, **{"272.LXVII": "0305", "27.12.ISS": "0205"})
    assert sit(p).has_room(unit("89.12.ISS"), at("0205"))
    assert not sit(p).has_room(unit("272.LXVII"), at("0205"))


@pytest.mark.rule(GAME, "2.0")
def test_dates_are_single_days_open_ends_and_spans() -> None:
    days = range(16, 30)
    assert [day for day in days if holds(((18, 18),), day)] == [18]
    assert [day for day in days if holds(((18, 29),), day)] == [*range(18, 30)]
    assert [day for day in days if holds(((18, 23),), day)] == [*range(18, 24)]


@pytest.mark.rule(GAME, "2.1")
def test_reserves_of_v_corps_stay_north_of_the_0900_row() -> None:
    area = names(the_game().facts.corps_area["V"])
    assert {"0801", "0829"} <= area
    assert not {"0901", "0929"} & area

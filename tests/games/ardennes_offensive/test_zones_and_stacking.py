"""Zones of control that stop and bind, who negates them, and how many may share a hex (rules 7 and 8)."""

from __future__ import annotations

import pytest

from tests.games.ardennes_offensive.helpers import (
    ardennes,
    around,
    clockwise,
    facts,
    hexes,
    is_in,
    meadow,
    names,
    play,
    position,
    ring,
    situation,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by

GAME = "ardennes_offensive"


@pytest.mark.rule(GAME, "7.0")
def test_a_zone_is_the_six_hexes_around_whatever_the_terrain() -> None:
    for hex_ in (meadow(), "2311", "1107"):
        assert names(situation(position({"395Inf": hex_})).zones["Allied"]) == set(around(hex_))


@pytest.mark.rule(GAME, "7.1A", "5.2G")
def test_a_unit_stops_in_an_enemy_zone() -> None:
    here = meadow()
    enemy = ring(here, 2)[0]
    match = play(position({"1SSPz": here, "14FJ": "2610", "395Inf": enemy}))
    into = next(name for name in ring(here) if name in around(enemy))
    answer(match, "1SSPz", into)
    assert offered(match) == {"14FJ", "done"}, "its move is over"
    assert refused_by(match, "1SSPz") == "5.0"


@pytest.mark.rule(GAME, "7.1A", "5.2G")
def test_a_unit_alone_in_an_enemy_zone_does_not_leave_it() -> None:
    here = meadow()
    match = play(position({"1SSPz": here, "14FJ": "2610", "395Inf": ring(here)[0]}))
    assert offered(match) == {"14FJ", "done"}
    assert refused_by(match, "1SSPz") == "7.1A"


@pytest.mark.rule(GAME, "7.2B", "7.4E")
def test_one_unit_that_stays_frees_the_others_of_its_stack() -> None:
    here = meadow()
    _, *sides = clockwise(here)
    p = position({"5FJ": here, "8FJ": here, "14FJ": "2610", "395Inf": clockwise(here)[0]})
    match = play(p)
    assert offered_names(match) == {"5FJ", "8FJ", "14FJ"}
    answer(match, "5FJ", sides[2], "stop")
    assert where(match.position, "5FJ") == sides[2]
    assert refused_by(match, "8FJ") == "7.1A", "the last one is bound"


@pytest.mark.rule(GAME, "7.4E")
def test_the_chain_of_moves_by_which_a_panzer_regiment_slips_out_of_a_zone() -> None:
    """The rulebook's picture: one unit joins the 6-10 beside a 4-4, and the 6-10 goes on from zone to zone."""
    here = meadow()
    enemy, beside_both, *_, behind = clockwise(here)
    assert enemy in around(behind)
    relief = clockwise(here)[3]
    match = play(position({"16Pz": here, "9FJ": relief, "14FJ": "2610", "395Inf": enemy}))
    assert refused_by(match, "16Pz") == "7.1A"
    answer(match, "9FJ", here)
    assert "16Pz" in offered(match), "the other unit absorbs the zone"
    match.answer("16Pz")
    assert costs(match)[beside_both] == "7", "six to leave the stack, one for the hex"
    match.answer(beside_both)
    assert where(match.position, "16Pz") == beside_both
    assert offered(match) == {"14FJ", "done"}, "it has stopped in the next hex of the zone"


@pytest.mark.rule(GAME, "7.2B")
def test_a_friend_in_the_hex_negates_the_zone_for_supply_and_retreat() -> None:
    here = meadow()
    p = position({"5FJ": here, "395Inf": clockwise(here)[0]})
    s = situation(p)
    assert is_in(here, s.zones["Allied"])
    assert not is_in(here, s.unnegated("German"))


@pytest.mark.rule(GAME, "7.5E", "5.3N")
def test_german_zones_reach_the_edge_of_the_map() -> None:
    assert {"0112", "0113"} & names(situation(position({"1SSPz": "0212"})).zones["German"])


# ---------------------------------------------------------------------- stacking


@pytest.mark.rule(GAME, "8.0")
def test_three_regiments_fill_a_hex() -> None:
    here = meadow()
    there = clockwise(here)[0]
    placed = {"5FJ": here, "8FJ": there, "9FJ": there}
    assert there in offered(answer(play(position(placed)), "5FJ"))
    full = answer(play(position(placed | {"13FJ": there})), "5FJ")
    assert refused_by(full, there) == "8.0"


@pytest.mark.rule(GAME, "8.2C", "8.0")
def test_german_infantry_divisions_stack_with_nobody() -> None:
    here = meadow()
    there = clockwise(here)[0]
    division = answer(play(position({"12VG": here, "5FJ": there})), "12VG")
    assert refused_by(division, there) == "8.2C"
    regiment = answer(play(position({"5FJ": here, "12VG": there})), "5FJ")
    assert refused_by(regiment, there) == "8.2C"


@pytest.mark.rule(GAME, "8.2C")
def test_allied_units_all_count_a_third() -> None:
    assert {facts().size[unit] for unit in facts().allied_units} == {1}
    assert sum(facts().size[unit] == 3 for unit in facts().german_units) == 10


@pytest.mark.rule(GAME, "8.2D")
def test_markers_take_no_room() -> None:
    here = meadow()
    there = clockwise(here)[0]
    p = position({"5FJ": here, "8FJ": there, "9FJ": there})
    p.unsupplied = p.isolated = -1
    p.interdicting = hexes(here, there)
    assert situation(p).room(facts().board.at(there)) == 1


@pytest.mark.rule(GAME, "8.0")
def test_the_game_itself_watches_the_limit() -> None:
    here = meadow()
    p = position({"5FJ": here, "8FJ": here, "9FJ": here, "13FJ": here})
    with pytest.raises(AssertionError, match="overstacked"):
        ardennes().check(p)

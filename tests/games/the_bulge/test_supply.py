"""Supply (rule 7)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

import pytest

from bulge.games.the_bulge.facts import ALLIED, GERMAN, SIDES
from bulge.games.the_bulge.phases import needy
from bulge.games.the_bulge.position import BulgePosition
from tests.games.the_bulge.helpers import (
    POINTS_TO_ENTER,
    BulgeMatch,
    Plain,
    amounts,
    around,
    at,
    battle,
    due,
    facts,
    hexes,
    names,
    play,
    points_left,
    position,
    positions_from_play,
    roads,
    situation,
    terrain,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by, run_until

RING = {"2Pz": "1312", "Lehr": "1512", "26VG": "1413"}
"""Germans on every other side of Bastogne: their zones close the rest."""

BEHIND_THE_WALL = "0903"
"""A road hex east of the West Wall: out of supply for an Allied unit, and with no German near it need be."""


def supplied(placed: Mapping[str, str], id_: str, *, turn: int = 4) -> bool:
    return situation(placed, turn=turn).in_supply(unit(id_))


# ---------------------------------------------------------------------- tracing (7.2, 7.3)


@pytest.mark.rule("the_bulge", "7.2", "7.3")
@pytest.mark.parametrize(
    ("placed", "id_", "expected"),
    [
        ({}, "101AB", True),
        (RING, "101AB", False),
        ({"2Pz": "1312", "Lehr": "1512"}, "101AB", True),
        ({**RING, "CCB10": "1513"}, "101AB", True),
        ({**RING, "CCB10": "1513"}, "CCB10", True),
        ({**RING, "VDH": "1513"}, "101AB", False),
    ],
    ids=["alone", "ringed", "one side open", "a friend negates", "and is supplied himself", "a marker does not"],
)
def test_a_line_is_free_of_enemies_and_of_zones_that_no_friend_negates(
    placed: Mapping[str, str], id_: str, expected: bool
) -> None:
    assert supplied({"101AB": "1412", **placed}, id_) == expected


@pytest.mark.rule("the_bulge", "7.2", "7.3")
def test_six_points_to_a_road_are_in_reach_and_seven_are_not() -> None:
    everywhere = names(facts().board.all)
    by_cost = {hex_: plain_cost(position({"12VG": hex_}), GERMAN, hex_) for hex_ in everywhere}
    six = {hex_ for hex_, cost in by_cost.items() if cost == 6}
    more = {hex_ for hex_, cost in by_cost.items() if cost is None}
    assert six
    assert more
    assert {hex_ for hex_ in everywhere if supplied({"12VG": hex_}, "12VG")} == everywhere - more


@pytest.mark.rule("the_bulge", "7.3")
def test_an_edge_hex_is_reached_without_any_road() -> None:
    hex_ = min(names(facts().sources[GERMAN] & ~facts().road_hexes))
    s = situation({"12VG": hex_})
    assert s.lines(GERMAN).road_head >> at(hex_) & 1
    assert s.overland(unit("12VG"))


# ---------------------------------------------------------------------- bridges and the wall (7.4, 7.12)


@pytest.mark.rule("the_bulge", "7.4", "9.6", "17.0")
@pytest.mark.parametrize(
    ("hex_", "allied", "expected"),
    [("0113", "0108", True), ("0113", "0111", False), ("0213", "0111", True)],
    ids=["bridge whole", "road part broken, seven points overland", "crossed overland for four points"],
)
def test_an_interdicted_bridge_breaks_the_road_and_costs_as_a_river_overland(
    hex_: str, allied: str, expected: bool
) -> None:
    assert supplied({"12VG": hex_, "4ID": allied}, "12VG") == expected


@pytest.mark.rule("the_bulge", "7.12")
def test_no_allied_line_leads_through_the_west_wall_unless_an_allied_unit_is_there() -> None:
    east = names(facts().german_at_start & ~facts().wall)
    assert not {hex_ for hex_ in east if supplied({"4ID": hex_}, "4ID")}
    assert supplied({"4ID": "0904", "423": "0804"}, "4ID")
    assert supplied({"4ID": "0904", "423": "0804"}, "423")


@pytest.mark.rule("the_bulge", "7.12")
def test_a_german_line_crosses_the_wall_freely() -> None:
    assert supplied({"12VG": "0705"}, "12VG")


# ---------------------------------------------------------------------- sources (7.10)


@pytest.mark.rule("the_bulge", "7.10")
def test_german_sources_are_the_east_edge_and_three_hexes_more_and_allied_all_others() -> None:
    german, allied = (names(facts().sources[side]) for side in SIDES)
    assert german == names(facts().map.area("east_edge")) | {"0102", "0103", "0104"}
    edge = {hex_ for hex_ in names(facts().board.all) if len(around(hex_)) < 6}
    assert german | allied == edge
    assert not german & allied


@pytest.mark.rule("the_bulge", "7.10", "8.4")
@pytest.mark.parametrize(
    ("side", "source", "placed", "works"),
    [
        (GERMAN, "1001", {}, True),
        (GERMAN, "1001", {"4ID": "1001"}, False),
        (GERMAN, "1001", {"4ID": "1002"}, False),
        (GERMAN, "1001", {"4ID": "1002", "12VG": "1001"}, True),
        (GERMAN, "1001", {"4ID": "1003"}, True),
        (ALLIED, "0726", {"12VG": "0726"}, False),
        (ALLIED, "0726", {"12VG": "0725"}, False),
        (ALLIED, "0726", {"12VG": "0725", "4ID": "0726"}, True),
        (ALLIED, "0726", {"VDH": "0726"}, True),
    ],
)
def test_a_source_fails_while_an_enemy_or_his_unnegated_zone_is_there(
    side: str, source: str, placed: Mapping[str, str], works: bool
) -> None:
    s = situation(placed)
    assert bool(s.live_sources(side) >> at(source) & 1) == works
    assert bool(s.lines(side).levels[0] >> at(source) & 1) == works


@pytest.mark.rule("the_bulge", "7.10")
def test_a_source_works_again_the_moment_the_enemy_is_gone() -> None:
    p = position({"4ID": "1002"}, step="allied_movement")
    found = []
    match = answer(play(p, [6]), "4ID")
    for step in ("1102", "1103"):
        found.append(bool(situation(p).live_sources(GERMAN) >> at("1001") & 1))
        answer(match, step)
    assert [*found, bool(situation(p).live_sources(GERMAN) >> at("1001") & 1)] == [False, False, True]


# ---------------------------------------------------------------------- aerial supply (7.5)


def besieged(*ids: str, turn: int = 8, hex_: str = BEHIND_THE_WALL) -> BulgePosition:
    """Allied units out of supply, in their movement phase."""
    return position(dict.fromkeys(ids, hex_), turn=turn, step="allied_movement")


@pytest.mark.rule("the_bulge", "7.5")
@pytest.mark.parametrize(("turn", "flies"), [(7, False), (8, True), (10, True)])
def test_aerial_supply_begins_on_turn_eight(turn: int, flies: bool) -> None:
    assert ("aerial_supply" in offered(play(besieged("101AB", turn=turn)))) == flies


@pytest.mark.rule("the_bulge", "7.5", "7.6")
def test_a_unit_supplied_from_the_air_needs_no_die() -> None:
    match = answer(play(besieged("101AB")), "aerial_supply", "101AB", "101AB")
    assert points_left(match) == 6


@pytest.mark.rule("the_bulge", "7.5")
def test_who_has_a_line_by_land_is_offered_none() -> None:
    p = besieged("101AB")
    p.where[unit("4ID")] = at("0421")
    assert offered_names(answer(play(p), "aerial_supply")) == {"101AB"}


@pytest.mark.rule("the_bulge", "7.5", "10.3")
def test_aerial_supply_gives_no_mechanized_movement() -> None:
    by_air = costs(answer(play(besieged("101AB")), "aerial_supply", "101AB", "101AB"))
    assert {by_air[there] for there in roads(BEHIND_THE_WALL)} == {"1"}


@pytest.mark.rule("the_bulge", "7.5", "6.2")
@pytest.mark.parametrize(
    ("ids", "markers"),
    [
        (["101AB"], 1),
        (["101AB", "82AB"], 2),
        (["CCA7", "CCB7", "CCR7"], 1),
        (["CCA7", "CCB7", "CCR7", "CCA10"], 2),
        (["CCA7", "101AB", "CCB7", "CCR7"], 2),
    ],
)
def test_a_marker_supplies_one_division_or_three_smaller_units(ids: list[str], markers: int) -> None:
    match = answer(play(besieged(*ids)), "aerial_supply", *ids)
    assert match.asked().rule == "9.2", "everybody is supplied"
    assert len(match.position.air_hexes) == markers
    assert match.position.airlifted == units(*ids)


@pytest.mark.rule("the_bulge", "7.5")
def test_there_are_three_markers_a_turn_and_they_come_back_after_it() -> None:
    p = besieged("101AB", "82AB")
    for id_ in ("4ID", "2ID"):
        p.where[unit(id_)] = at("1302")
    match = answer(play(p), "aerial_supply", "101AB", "82AB", "4ID")
    assert match.asked().rule == "9.2", "the markers are used up"
    assert refused_by(match, "aerial_supply") == "7.5"
    p.turn, p.step = 9, "turn_end"
    after = play(p, [1])
    assert (p.turn, p.airlifted, p.air_hexes, p.air_room) == (10, 0, [], [])
    assert "aerial_supply" in offered(run_until(after, "allied_combat_1"))


@pytest.mark.rule("the_bulge", "7.5")
def test_no_more_than_two_markers_lie_in_a_hex() -> None:
    p = besieged("101AB")
    p.air_hexes, p.air_room = [at(BEHIND_THE_WALL)] * 2, [0, 0]
    assert not [*needy(situation(p), facts().allied_units)]


@pytest.mark.rule("the_bulge", "7.5")
def test_the_allied_player_may_supply_some_and_stop() -> None:
    match = answer(play(besieged("101AB", "82AB")), "aerial_supply", "82AB", "done")
    assert match.position.airlifted == units("82AB")
    assert "aerial_supply" in offered(match)


@pytest.mark.rule("the_bulge", "7.5", "7.7")
def test_defenders_may_be_supplied_from_the_air_before_a_german_attack() -> None:
    p = position({"101AB": "1412", **RING}, turn=8, step="german_combat_1")
    match = answer(play(p), "1412", "2Pz", "attack")
    assert (match.asked().side, match.asked().rule) == (ALLIED, "7.5")
    answer(match, "101AB")
    assert situation(p).in_supply(unit("101AB"))


# ---------------------------------------------------------------------- out of supply (7.1, 7.6 to 7.9)


@pytest.mark.rule("the_bulge", "7.6")
def test_every_unit_out_of_supply_rolls_its_own_die_for_its_points() -> None:
    match = answer(play(besieged("4ID", "2ID", turn=4), [2, 5]), "4ID")
    assert points_left(match) == 2
    answer(match, "stop", "2ID")
    assert points_left(match) == 5
    assert [event.dice for event in match.log if event.dice] == [(2,), (5,)]


@pytest.mark.rule("the_bulge", "7.1", "7.9")
def test_who_starts_in_supply_may_go_where_there_is_none() -> None:
    p = position({"4ID": "0804"}, step="allied_movement")
    match = answer(play(p), "4ID", "0904", "0903", "stop")
    assert not situation(p).in_supply(unit("4ID"))
    assert not [event for event in match.log if event.dice]


@pytest.mark.rule("the_bulge", "7.8")
def test_nobody_is_lost_for_want_of_supply() -> None:
    p = besieged("4ID", turn=4)
    run_until(play(p), "german_combat_1")
    assert (where(p, "4ID"), p.steps[unit("4ID")]) == (BEHIND_THE_WALL, 2)


@pytest.mark.rule("the_bulge", "7.7", "13.12")
@pytest.mark.parametrize(
    ("short", "target", "attackers", "expected"),
    [
        ([], "0421", ["12VG", "18VG"], {}),
        (["12VG"], "0421", ["12VG", "18VG"], {"attacker out of supply": -1}),
        (["12VG", "18VG"], "0421", ["12VG", "18VG"], {"attacker out of supply": -1}),
        (["12VG"], "0421", ["18VG"], {}),
        (["12VG"], "0420", ["4ID"], {"defender out of supply": 1}),
        (["12VG"], "1412", ["12VG", "2Pz"], {"attacker out of supply": -1, "defender out of supply": 1}),
    ],
)
def test_one_unit_out_of_supply_shifts_a_battle_one_column(
    short: list[str], target: str, attackers: list[str], expected: dict[str, int]
) -> None:
    placed = {"12VG": "0420", "18VG": "0420", "4ID": "0421"}
    if target == "1412":
        placed = {"101AB": "1412", **RING, "12VG": "1312"}
    p = position(placed)
    p.short = units(*short)
    assert amounts(battle(situation(p), target, *attackers).shifts()) == expected


# ---------------------------------------------------------------------- shortages (7.11)


def short_of(die: int, *, turn: int = 6) -> BulgeMatch:
    p = position({"SSP": "0420", "12VG": "0421", "18VG": "0421", "62VG": "0422"}, turn=turn, step="shortage_roll")
    p.where[unit("VDH")] = at("0426")
    return play(due(p, "9SS"), [die])


@pytest.mark.rule("the_bulge", "7.11")
def test_from_turn_six_the_allied_player_puts_as_many_germans_out_of_supply_as_the_die_says() -> None:
    match = short_of(2)
    assert (match.asked().side, offered(match)) == (ALLIED, {"12VG", "18VG", "62VG"})
    answer(match, "12VG", "18VG")
    assert match.position.short == units("12VG", "18VG")
    assert (match.asked().side, match.asked().rule) == (GERMAN, "13.1")
    s = situation(match.position)
    assert [s.in_supply(unit(id_)) for id_ in ("12VG", "18VG", "62VG", "SSP")] == [False, False, True, True]


@pytest.mark.rule("the_bulge", "7.11", "5.5")
@pytest.mark.parametrize(("asked", "number"), [("SSP", "5.5"), ("9SS", "7.11"), ("VDH", "7.11"), ("4ID", "2.11")])
def test_peiper_units_off_the_map_and_markers_cannot_be_marked(asked: str, number: str) -> None:
    assert refused_by(short_of(6), asked) == number


@pytest.mark.rule("the_bulge", "7.11")
def test_a_unit_takes_one_marker_and_a_die_beyond_the_germans_left_is_lost() -> None:
    match = answer(short_of(6), "12VG")
    assert refused_by(match, "12VG") == "7.11"
    answer(match, "18VG", "62VG")
    assert match.asked().rule == "13.1"
    assert match.position.shortages == 0


@pytest.mark.rule("the_bulge", "7.11")
def test_there_is_no_shortage_on_turn_five() -> None:
    assert short_of(6, turn=5).asked().rule == "13.1"


@pytest.mark.rule("the_bulge", "7.11")
def test_a_shortage_lasts_one_turn() -> None:
    p = position({"12VG": "0421"}, turn=6, step="turn_end")
    p.short = units("12VG")
    play(p, [1])
    assert (p.turn, p.short) == (7, 0)


@pytest.mark.rule("the_bulge", "7.11", "7.6", "10.1")
def test_a_marked_panzer_unit_rolls_for_its_points_and_does_not_drive() -> None:
    p = position({"2Pz": "0417"}, turn=6)
    p.short = units("2Pz")
    match = answer(play(p, [4]), "2Pz")
    assert points_left(match) == 4
    assert {costs(match)[there] for there in roads("0417")} == {"1"}


# ---------------------------------------------------------------------- a slow second opinion


def plain_cost(p: BulgePosition, side: str, from_: str) -> int | None:
    """What the overland part of a line costs, by plain search; None if there is no line of six points."""
    plain = Plain(p, side)
    free = names(facts().board.all) - plain.enemy - (plain.zone - plain.own)
    if side == ALLIED:
        free -= names(facts().wall) - plain.own
    ends = names(facts().sources[side]) & free
    front = list(ends)
    while front:
        here = front.pop()
        joined = {near for near in around(here) & free if plain.road(here, near, unbroken=True)} - ends
        ends |= joined
        front.extend(joined)
    best, queue = {from_: 0}, [(0, from_)]
    while queue:
        cost, here = heapq.heappop(queue)
        if here in ends:
            return cost
        for near in around(here) & free:
            total = cost + POINTS_TO_ENTER[terrain(near)] + plain.river(here, near)
            if total <= 6 and total < best.get(near, 7):
                best[near] = total
                heapq.heappush(queue, (total, near))
    return None


@pytest.mark.rule("the_bulge", "7.2", "7.3", "7.4", "7.10", "7.12", "8.4", "8.6", "11.1", "11.4")
@pytest.mark.slow
def test_lines_agree_with_a_plain_search_in_positions_from_play() -> None:
    for p in positions_from_play(games=2, every=150):
        s = situation(p)
        for side in SIDES:
            for hex_ in names(s.occupied[side]):
                found = bool(s.lines(side).spaces >> at(hex_) & 1)
                assert found == (plain_cost(p, side, hex_) is not None), (p.turn, side, hex_)


def test_the_ring_and_the_hex_behind_the_wall_are_what_they_are_said_to_be() -> None:
    assert set(RING.values()) | {"1411", "1513", "1313"} == around("1412")
    assert facts().road_hexes & facts().german_at_start & ~facts().wall & hexes(BEHIND_THE_WALL)

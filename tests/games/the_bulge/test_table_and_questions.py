"""Rule 16, the combat results table, and rule 17, the answers to questions."""

from __future__ import annotations

import pytest

from bulge.games.the_bulge.combat import DECLINE
from bulge.games.the_bulge.facts import ALLIED, GERMAN
from tests.games.the_bulge.helpers import (
    amounts,
    at,
    battle,
    decline,
    facts,
    hexes,
    name_attack,
    names,
    play,
    position,
    situation,
    unit,
)
from tests.helpers import answer

HEADINGS = ["<=-3", "-2..-1", "0", "+1..+2", "+3", "+4", "+5..+6", "+7..+8", "+9..+11", ">=+12"]
TABLE = """
    DR DR DR BB BB BB BB DE DE DE
    AS DR DR DR DR DR BB BB DE DE
    AS AS DR DR DR DR DR BB BB DE
    AE AS AS DR DR DR DR DR BB BB
    AE AE AS AS DR DR DR DR DR BB
    AE AE AE AS AS DR DR DR DR DR
"""


# ---------------------------------------------------------------------- 16.0


@pytest.mark.rule("the_bulge", "16.0")
def test_the_table_is_the_printed_one() -> None:
    assert list(facts().crt.columns) == HEADINGS
    assert [list(row) for row in facts().crt.rows] == [line.split() for line in TABLE.strip().splitlines()]


@pytest.mark.rule("the_bulge", "16.0", "13.13")
@pytest.mark.parametrize(
    ("heading", "differentials"),
    [
        ("<=-3", [-20, -4, -3]),
        ("-2..-1", [-2, -1]),
        ("0", [0]),
        ("+1..+2", [1, 2]),
        ("+3", [3]),
        ("+4", [4]),
        ("+5..+6", [5, 6]),
        ("+7..+8", [7, 8]),
        ("+9..+11", [9, 10, 11]),
        (">=+12", [12, 13, 40]),
    ],
)
def test_each_differential_has_its_column(heading: str, differentials: list[int]) -> None:
    assert {facts().crt.columns[facts().crt.column(value)] for value in differentials} == {heading}


@pytest.mark.rule("the_bulge", "16.0", "13.8")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("heading", HEADINGS)
def test_the_die_rolled_gives_the_result_of_the_column(heading: str, die: int) -> None:
    attackers = {"2SS": "0618", "9SS": "0618", "2Pz": "0519", "1SS": "0519"}
    match = play(position({"110": "0619", **attackers}, turn=3, step="german_combat_1"), [die])
    answer(decline(name_attack(match, "0619", *attackers)), heading)
    expected = TABLE.split()[(die - 1) * len(HEADINGS) + HEADINGS.index(heading)]
    assert any(event.words.endswith(f"gives {expected}.") for event in match.log)


# ---------------------------------------------------------------------- 17.0


@pytest.mark.rule("the_bulge", "17.0", "14.6", "2.5")
def test_the_flak_division_is_not_mechanized() -> None:
    assert not facts().mechanized[unit("2FLAK")]


@pytest.mark.rule("the_bulge", "17.0", "13.14")
def test_who_fears_the_bloodbaths_of_the_highest_column_may_take_a_lower_one() -> None:
    bloodbaths = {heading: sum(row[number] == "BB" for row in facts().crt.rows)
                  for number, heading in enumerate(HEADINGS)}  # fmt: skip
    assert bloodbaths[">=+12"] == 2
    attackers = {"2SS": "0618", "9SS": "0618", "2Pz": "0519"}
    match = play(position({"110": "0619", **attackers}, turn=3, step="german_combat_1"))
    decline(name_attack(match, "0619", *attackers))
    offered = [str(option) for option in match.asked().options]
    assert offered[0] == ">=+12"
    assert [heading for heading in HEADINGS[::-1] if heading in offered] == HEADINGS[::-1]


@pytest.mark.rule("the_bulge", "17.0", "13.9")
@pytest.mark.parametrize("attackers", [{"2Pz": "1306"}, {"2Pz": "1306", "26VG": "1406", "560VG": "1206"}])
def test_the_110th_in_1307_defends_with_six_not_seven(attackers: dict[str, str]) -> None:
    """Light woods and river; the rough ground under the woods counts for nothing."""
    s = situation({"110": "1307", **attackers}, turn=1)
    _, defence, additions = battle(s, "1307", *attackers).totals()
    assert amounts(additions) == {"light woods": 2, "river": 3}
    assert defence == 6


@pytest.mark.rule("the_bulge", "17.0", "13.9")
def test_1124_counts_its_heavy_woods_alone_then_river_and_town() -> None:
    over_the_river = next(
        hex_
        for hex_ in sorted(names(facts().board.around(hexes("1124"))))
        if facts().rivers.between(at(hex_), at("1124"))
    )
    s = situation({"110": "1124", "1SS": over_the_river}, turn=3)
    _, defence, additions = battle(s, "1124", "1SS").totals()
    assert amounts(additions) == {"heavy woods": 3, "river": 3, "town": 3}
    assert defence == 1 + 9
    dry = names(facts().board.around(hexes("1124")) & facts().west_of_meuse).pop()
    s = situation({"110": "1124", "1SS": dry}, turn=3)
    assert amounts(battle(s, "1124", "1SS").ground()) == {"heavy woods": 3, "town": 3}


@pytest.mark.rule("the_bulge", "17.0", "13.9", "13.10")
def test_a_west_wall_adds_to_terrain_and_river_for_germans() -> None:
    s = situation({"26VG": "1406", "110": "1307"}, turn=3)
    assert amounts(battle(s, "1406", "110").ground()) == {"heavy woods": 3, "river": 3, "West Wall": 3}


@pytest.mark.rule("the_bulge", "17.0", "7.4")
def test_an_interdicted_bridge_breaks_the_road_part_of_a_german_line() -> None:
    s = situation({"110": "1409", "422": "0707"})
    free = names(facts().board.all & ~s.occupied[ALLIED] & ~s.zones[ALLIED])
    interdicted = set(s.interdicted(GERMAN).names())
    by_road = along_roads(free, set(facts().roads.names()) - interdicted)
    assert names(s.lines(GERMAN).road_head) == by_road
    assert by_road < along_roads(free, set(facts().roads.names())), "the bridges make a difference"


def along_roads(free: set[str], roads: set[str]) -> set[str]:
    """What German sources reach along these roads, the plain way."""
    found = names(facts().sources[GERMAN]) & free
    while more := {
        there
        for one, other in (road.split("/") for road in roads)
        for here, there in ((one, other), (other, one))
        if here in found and there in free - found
    }:
        found |= more
    return found


@pytest.mark.rule("the_bulge", "17.0", "13.18")
def test_a_refusal_to_retreat_is_named_in_the_log() -> None:
    match = play(position({"1SS": "1411", "101AB": "1412"}, turn=3, step="german_combat_1"), [1])
    answer(decline(name_attack(match, "1412", "1SS")), "<=-3", DECLINE)
    assert match.log[-1].rule == "13.18"

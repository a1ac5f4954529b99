"""Road Mode: who may march, how fast, how weak, and what combat does to a column (rule 6)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_offensive.battle import attack_strength, defence_strength
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Ways
from tests.games.ardennes_offensive.helpers import (
    ArdennesMatch,
    around,
    at,
    battle,
    clockwise,
    facts,
    fight,
    first_step,
    hexes,
    highway,
    in_road_mode,
    is_in,
    meadow,
    names,
    play,
    points_left,
    position,
    side_is,
    situation,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, offered, offered_names, refused_by

GAME = "ardennes_offensive"


def march(match: ArdennesMatch, way: tuple[str, ...]) -> ArdennesMatch:
    """Go along a road."""
    return answer(match, *way[1:])


def off_the_road(hex_: str) -> str:
    """A neighbour that no road joins to this hex, and where nobody pays for a river."""
    return next(
        name
        for name in sorted(around(hex_))
        if is_in(name, facts().clear & facts().passable)
        and not any(side_is(hex_, name, feature) for feature in ("road", "river", "ford", "bridge"))
    )


# ---------------------------------------------------------------------- in and out


@pytest.mark.rule(GAME, "6.3C", "6.0")
@pytest.mark.parametrize(
    ("id_", "step", "points"),
    [
        ("1SSPz", "german_movement", "6"),
        ("5FJ", "german_movement", "3"),
        ("CCB9", "allied_movement", "6"),
        ("395Inf", "allied_movement", "3"),
    ],
)
def test_changing_the_mode_costs_three_points_on_foot_and_six_mechanized(id_: str, step: str, points: str) -> None:
    road = highway(6)[2]
    entering = answer(play(position({id_: road}, step=step)), id_)
    assert costs(entering)["enter_road_mode"] == points
    answer(entering, "enter_road_mode")
    assert in_road_mode(entering.position, id_)
    leaving = answer(play(position({id_: road}, step=step, road=[id_])), id_)
    assert costs(leaving)["leave_road_mode"] == points
    answer(leaving, "leave_road_mode")
    assert not in_road_mode(leaving.position, id_)


@pytest.mark.rule(GAME, "6.3C")
def test_road_mode_needs_a_road_and_the_points() -> None:
    off_road = answer(play(position({"1SSPz": meadow()})), "1SSPz")
    assert refused_by(off_road, "enter_road_mode") == "6.3C"
    p = position({"1SSPz": highway(6)[2]})
    p.unsupplied = units("1SSPz")
    poor = answer(play(p), "1SSPz")
    assert refused_by(poor, "enter_road_mode") == "6.3C"
    assert refused_by(poor, "leave_road_mode") == "6.3C"


@pytest.mark.rule(GAME, "6.4D", "6.4E")
def test_a_column_stays_one_until_its_owner_ends_it_and_nobody_else_becomes_one() -> None:
    way = highway(6)
    p = position({"1SSPz": way[0], "5FJ": meadow(), "395Inf": "0710"}, road=["1SSPz"])
    match = answer(play(p), "1SSPz", way[1], way[2], "stop", "done")
    while match.position.step != "allied_movement":
        match.choose("done")
    assert match.position.road == units("1SSPz")


@pytest.mark.rule(GAME, "6.2A")
def test_foot_changes_its_mode_in_the_initial_movement_phase_only() -> None:
    road = highway(6)[2]
    match = play(position({"5FJ": road, "1SSPz": meadow()}, step="german_mechanized", road=["5FJ"]))
    assert refused_by(match, "5FJ") == "5.2K"


@pytest.mark.rule(GAME, "6.2B")
def test_mechanized_units_that_did_not_fight_may_march_in_both_phases() -> None:
    way = highway(6)
    p = position({"1SSPz": way[0]}, step="german_mechanized")
    match = answer(play(p), "1SSPz", "enter_road_mode", way[1])
    assert in_road_mode(match.position, "1SSPz")
    p = position({"1SSPz": way[0], "12SSPz": meadow()}, step="german_mechanized", road=["1SSPz"])
    p.attacked = units("1SSPz")
    assert refused_by(play(p), "1SSPz") == "5.2K"


# ---------------------------------------------------------------------- speed


@pytest.mark.rule(GAME, "6.5H")
@pytest.mark.parametrize(
    ("id_", "step", "cost"),
    [
        ("1SSPz", "german_movement", "1/2"),
        ("5FJ", "german_movement", "1/2"),
        ("CCB9", "allied_movement", "1/2"),
        ("395Inf", "allied_movement", "1/10"),
    ],
)
def test_two_road_hexes_a_point_but_ten_for_allied_foot(id_: str, step: str, cost: str) -> None:
    way = highway(6)
    match = answer(play(position({id_: way[0]}, step=step, road=[id_])), id_)
    assert costs(match)[way[1]] == cost


@pytest.mark.rule(GAME, "6.5H", "6.3C")
def test_allied_foot_that_forms_a_column_still_makes_ten_hexes() -> None:
    way = highway(12)
    match = answer(play(position({"395Inf": way[0], "9Inf": meadow()}, step="allied_movement")), "395Inf")
    answer(match, "enter_road_mode")
    assert points_left(match) == 1
    march(match, way[:11])
    assert where(match.position, "395Inf") == way[10]
    assert offered(match) == {"9Inf", "done"}, "it is spent, and still in Road Mode"
    assert in_road_mode(match.position, "395Inf")


@pytest.mark.rule(GAME, "6.5H")
def test_a_point_begun_on_the_road_is_spent_when_the_column_deploys() -> None:
    way = highway(6)
    match = answer(play(position({"CCB9": way[0]}, step="allied_movement", road=["CCB9"])), "CCB9", way[1])
    answer(match, "leave_road_mode")
    assert points_left(match) == 5


@pytest.mark.rule(GAME, "6.5F")
def test_a_column_ignores_terrain_and_keeps_to_the_road() -> None:
    one, other = first_step(
        lambda one, other: side_is(one, other, "road") and is_in(other, facts().rough & ~facts().wall)
    )
    match = answer(play(position({"1SSPz": one}, road=["1SSPz"])), "1SSPz")
    assert costs(match)[other] == "1/2"
    way = highway(6)
    match = answer(play(position({"1SSPz": way[2]}, road=["1SSPz"])), "1SSPz")
    assert offered_names(match) <= names(facts().roads.across(hexes(way[2])))
    assert refused_by(match, off_the_road(way[2])) == "6.5F"


@pytest.mark.rule(GAME, "6.5F", "13.2B")
def test_no_column_crosses_an_interdicted_bridge() -> None:
    one, other = first_step(lambda one, other: side_is(one, other, "bridge"))
    p = position({"1SSPz": one}, road=["1SSPz"])
    assert other in offered(answer(play(p), "1SSPz"))
    p = position({"1SSPz": one}, road=["1SSPz"])
    p.interdicting = hexes(other)
    assert refused_by(answer(play(p), "1SSPz"), other) == "6.5F"


@pytest.mark.rule(GAME, "11.0")
def test_allied_columns_stay_out_of_the_west_wall() -> None:
    one, other = first_step(
        lambda one, other: (
            side_is(one, other, "road") and is_in(other, facts().wall) and not is_in(one, facts().wall)
        )
    )
    allied = answer(play(position({"CCB9": one}, step="allied_movement", road=["CCB9"])), "CCB9")
    assert refused_by(allied, other) == "11.0"
    german = answer(play(position({"1SSPz": one}, road=["1SSPz"])), "1SSPz")
    assert other in offered(german)


# ---------------------------------------------------------------------- in enemy zones


def beside_the_road() -> tuple[tuple[str, ...], str]:
    """A road, and a hex off it, next to its third hex but not to its second, with no road to it."""
    way = highway(6)
    return way, next(
        name
        for name in sorted(around(way[2]) - around(way[1]))
        if is_in(name, facts().passable) and not side_is(way[2], name, "road")
    )


@pytest.mark.rule(GAME, "6.3C", "7.1A")
def test_a_unit_that_runs_into_a_zone_changes_its_mode_no_more() -> None:
    way, enemy = beside_the_road()
    p = position({"CCB9": way[1], "9Inf": meadow(), "1SSPz": enemy}, step="allied_movement")
    match = answer(play(p), "CCB9")
    assert "enter_road_mode" in offered(match)
    match.answer(way[2])
    assert offered(match) == {"9Inf", "done"}, "its move is over"


@pytest.mark.rule(GAME, "6.3C", "7.1A")
def test_a_unit_that_begins_in_a_zone_may_change_its_mode_and_nothing_else() -> None:
    way, enemy = beside_the_road()
    match = answer(play(position({"CCB9": way[2], "1SSPz": enemy}, step="allied_movement")), "CCB9")
    assert offered(match) == {"enter_road_mode", "stop"}
    assert refused_by(match, way[1]) == "7.1A"
    for german in (enemy, way[3]):
        column = position({"CCB9": way[2], "1SSPz": german}, step="allied_movement", road=["CCB9"])
        assert offered(answer(play(column), "CCB9")) == {"leave_road_mode", "stop"}


@pytest.mark.rule(GAME, "6.3C", "7.1A")
def test_a_unit_in_a_zone_without_the_points_for_that_is_not_asked_at_all() -> None:
    way, enemy = beside_the_road()
    p = position({"16Pz": way[2], "5FJ": "2602", "395Inf": enemy}, road=["16Pz"])
    p.unsupplied = units("16Pz")
    match = play(p)
    assert offered(match) == {"5FJ", "done"}
    assert refused_by(match, "16Pz") == "7.1A"


# ---------------------------------------------------------------------- no neighbours


@pytest.mark.rule(GAME, "6.5G")
@pytest.mark.parametrize(("other", "mode"), [("5FJ", []), ("5FJ", ["5FJ"]), ("395Inf", ["395Inf"])])
def test_a_column_keeps_a_hex_between_itself_and_anybody_on_the_road(other: str, mode: list[str]) -> None:
    way = highway(6)
    p = position({"1SSPz": way[0], other: way[3]}, road=["1SSPz", *mode])
    match = answer(play(p), "1SSPz", way[1])
    assert refused_by(match, way[2]) == "6.5G"


@pytest.mark.rule(GAME, "6.5G")
def test_nobody_forms_a_column_next_to_another_unit_on_the_road_or_in_a_stack() -> None:
    way = highway(6)
    beside_it = answer(play(position({"1SSPz": way[0], "5FJ": way[1]})), "1SSPz")
    assert refused_by(beside_it, "enter_road_mode") == "6.5G"
    stacked = answer(play(position({"5FJ": way[0], "8FJ": way[0]})), "5FJ")
    assert refused_by(stacked, "enter_road_mode") == "6.5G"


@pytest.mark.rule(GAME, "6.5G")
def test_a_unit_off_the_road_does_not_disturb_a_column() -> None:
    way = highway(6)
    p = position({"1SSPz": way[0], "5FJ": off_the_road(way[2])}, road=["1SSPz"])
    match = answer(play(p), "1SSPz", way[1])
    assert way[2] in offered(match)


@pytest.mark.rule(GAME, "6.5G")
def test_friends_keep_away_from_a_column_too() -> None:
    way = highway(6)
    near = off_the_road(way[2])
    match = answer(play(position({"12SSPz": near, "1SSPz": way[1]}, road=["1SSPz"])), "12SSPz")
    assert refused_by(match, way[2]) == "6.5G"


@pytest.mark.rule(GAME, "6.7N", "6.5G")
def test_a_retreat_that_ends_next_to_a_friend_must_be_undone_first() -> None:
    way = highway(6)
    p = position({"1SSPz": way[1], "5FJ": way[2], "14FJ": "2610"}, road=["1SSPz"])
    match = play(p)
    assert offered(match) == {"1SSPz", "5FJ"}
    assert refused_by(match, "14FJ") == "6.7N"
    match.answer("1SSPz")
    assert refused_by(match, "stop") == "6.7N"
    answer(match, way[0], "stop")
    assert offered(match) == {"5FJ", "14FJ", "done"}


# ---------------------------------------------------------------------- weakness


@pytest.mark.rule(GAME, "6.6K")
def test_nine_in_road_mode_is_five() -> None:
    """The rulebook's example."""
    here = meadow()
    there = clockwise(here)[0]
    p = position({"1SSPz": here, "395Inf": there}, step="german_combat", road=["1SSPz"])
    assert attack_strength(facts(), situation(p), battle(there, "1SSPz")).total == 5
    p = position({"1SSPz": here, "395Inf": there}, step="allied_combat", road=["1SSPz"])
    assert defence_strength(facts(), situation(p), battle(here, "395Inf")).total == 5


@pytest.mark.rule(GAME, "6.6J")
def test_a_column_controls_nothing_but_its_own_hex() -> None:
    way = highway(6)
    here = way[2]
    near = off_the_road(here)
    walking = answer(play(position({"1SSPz": near, "395Inf": here}, road=["395Inf"])), "1SSPz")
    beyond = next(
        name
        for name in sorted(around(near) & around(here))
        if is_in(name, facts().clear) and name in offered(walking)
    )
    answer(walking, beyond)
    assert near in offered(walking), "no zone has stopped it"
    assert refused_by(walking, here) == "5.2F"
    assert situation(position({"395Inf": here}, road=["395Inf"])).zones["Allied"] == 0


# ---------------------------------------------------------------------- after combat


def column_in_combat(unsupplied: bool, id_: str = "1SSPz") -> ArdennesMatch:
    p = position({id_: highway(6)[2], "395Inf": "0710"}, step="german_conversions", road=[id_])
    p.fought_on_road = units(id_)
    p.unsupplied = units(id_) if unsupplied else 0
    return play(p)


@pytest.mark.rule(GAME, "6.7L")
def test_a_column_that_fought_deploys_first_of_all_and_pays_for_it() -> None:
    match = column_in_combat(unsupplied=False)
    assert not in_road_mode(match.position, "1SSPz")
    match.answer("1SSPz")
    assert points_left(match) == 4


@pytest.mark.rule(GAME, "6.7L", "E6.7L", "16.0A")
@pytest.mark.parametrize("id_", ["1SSPz", "5FJ"])
def test_one_that_cannot_pay_is_eliminated(id_: str) -> None:
    """Five points or two of an unsupplied unit are not enough."""
    match = column_in_combat(unsupplied=True, id_=id_)
    assert where(match.position, id_) == "lost"
    assert match.position.lost == units(id_)


@pytest.mark.rule(GAME, "E6.7L")
def test_twelve_points_are_just_enough_without_supply() -> None:
    p = position({"CCB9": highway(6)[2], "1SSPz": meadow()}, step="allied_conversions", road=["CCB9"])
    p.fought_on_road = p.unsupplied = units("CCB9")
    match = play(p)
    assert where(match.position, "CCB9") == highway(6)[2]
    assert not in_road_mode(match.position, "CCB9")
    match.answer("CCB9")
    assert offered(match) == {"done"} or match.position.step != "allied_movement"


@pytest.mark.rule(GAME, "6.7L")
def test_attacking_and_being_attacked_both_count() -> None:
    here = meadow()
    there = clockwise(here)[0]
    p = position({"1SSPz": here, "38Inf": there, "395Inf": "0710"}, step="german_combat", road=["1SSPz", "38Inf"])
    match = fight(p, there, ["1SSPz"], "Dr1")
    assert match.position.fought_on_road == units("1SSPz") | match.position.road & units("38Inf")
    assert match.position.lost in (0, units("38Inf"))


# ---------------------------------------------------------------------- retreats of columns


def beaten_column() -> tuple[ArdennesPosition, str]:
    """A column attacked from off its road, where a deployed unit could retreat off the road as well."""
    for here in highway(12)[1:-1]:
        road = facts().roads.across(hexes(here))
        for german in sorted(around(here) - names(road)):
            if not is_in(german, facts().passable):
                continue
            p = position({"1SSPz": german, "395Inf": here}, step="german_combat")
            if Ways(facts(), situation(p), unit("395Inf"), 1).plain(at(here), 0) & ~road:
                p.road = units("395Inf")
                if Ways(facts(), situation(p), unit("395Inf"), 1).plain(at(here), 0):
                    return p, here
    raise AssertionError("no such place on this map")


@pytest.mark.rule(GAME, "6.7M")
def test_a_column_retreats_along_its_road() -> None:
    p, here = beaten_column()
    road = facts().roads.across(hexes(here))
    assert Ways(facts(), situation(p), unit("395Inf"), 1).plain(at(here), 0) & ~road == 0
    match = fight(p, here, ["1SSPz"], "Dr1")
    if match.asked().rule == "10.2":
        match.choose(match.asked().options[0])
    assert where(match.position, "395Inf") in names(road)
    assert in_road_mode(match.position, "395Inf")
    assert match.position.fought_on_road == units("395Inf")


@pytest.mark.rule(GAME, "6.7M")
def test_a_column_neither_stacks_nor_pushes_to_save_itself() -> None:
    way = highway(6)
    blockers = iter(["9Inf", "38Inf", "393Inf"])
    german = next(
        name
        for name in sorted(around(way[2]))
        if is_in(name, facts().passable) and not side_is(way[2], name, "road")
    )
    placed = {"1SSPz": german, "12SSPz": german, "395Inf": way[2]}
    placed |= {next(blockers): name for name in sorted(names(facts().roads.across(hexes(way[2]))))}
    match = fight(position(placed, step="german_combat", road=["395Inf"]), way[2], ["1SSPz", "12SSPz"], "Dr3")
    assert where(match.position, "395Inf") == "lost"
    assert match.position.lost == units("395Inf")

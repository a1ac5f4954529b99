"""Reinforcements: where they arrive, when they are kept out, how they come on; the drop (rules 14 and 15)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.core.spaces import members
from bulge.games.ardennes_offensive.arrivals import places_for
from bulge.games.ardennes_offensive.position import ArdennesPosition
from tests.games.ardennes_offensive.helpers import (
    ArdennesMatch,
    ardennes,
    around,
    at,
    beside,
    due,
    facts,
    highway,
    in_road_mode,
    is_in,
    live,
    meadow,
    names,
    play,
    points_left,
    position,
    situation,
    start,
    unit,
    units,
    where,
)
from tests.helpers import answer, offered, offered_names, refused_by

GAME = "ardennes_offensive"

NE = {"0109", "0112", "0114", "0118"}


def entries(section: str) -> set[str]:
    return {facts().board.name(hex_) for hex_ in facts().entries[section]}


def exits(section: str) -> list[str]:
    return sorted(row.id for row in facts().exits if row.section == section)


def hold(section: str, p_units: dict[str, str] | None = None) -> dict[str, str]:
    """Germans in every road exit of a section."""
    germans = ["1SSPz", "12SSPz", "16Pz", "3Pz", "60PG", "156PG", "304PG", "901PG"]
    return dict(zip(germans, exits(section), strict=False)) | (p_units or {})


def places(p: ArdennesPosition, id_: str) -> set[str]:
    return {facts().board.name(hex_) for hex_ in places_for(facts(), situation(p), unit(id_))}


# ---------------------------------------------------------------------- when and where


@pytest.mark.rule(GAME, "14.0", "E17.0-1")
def test_units_come_on_their_turn_and_are_placed_one_by_one() -> None:
    p = due(position(turn=2, step="allied_reinforcements"), "CCA7", "39Inf", "117Inf")
    match = play(p)
    assert match.asked().rule == "14.1A"
    assert offered(match) == NE
    answer(match, "0112")
    assert where(match.position, "CCA7") == "beside 0112"
    assert in_road_mode(match.position, "CCA7")
    answer(match, "0112")
    assert where(match.position, "39Inf") == "beside 0112", "any number waits in one hex"
    assert where(match.position, "117Inf") is None, "not before turn 3"


@pytest.mark.rule(GAME, "14.1A", "12.2D")
def test_germans_come_by_the_roads_of_the_east() -> None:
    match = play(due(position({"5FJ": meadow()}, turn=4, step="german_reinforcements"), "FE"))
    assert offered(match) == entries("E")
    assert refused_by(match, "0112") == "14.1A"
    match.answer("1601")
    assert where(match.position, "FE") == "beside 1601"


@pytest.mark.rule(GAME, "14.1A")
def test_a_road_that_the_enemy_holds_or_controls_is_shut() -> None:
    controlled = sorted(name for name in around("0213") if is_in(name, facts().passable))[0]
    for hex_ in ("0213", controlled):
        p = due(position({"1SSPz": hex_}, turn=2, step="allied_reinforcements"), "CCA7")
        assert "0114" not in places(p, "CCA7")
        assert refused_by(play(p), "0114") == "14.1A"
    negated = due(position({"1SSPz": controlled, "395Inf": "0213"}, turn=2), "CCA7")
    assert "0114" in places(negated, "CCA7")


@pytest.mark.rule(GAME, "14.1A")
def test_a_section_all_of_whose_roads_are_held_delays_a_unit_and_sends_it_to_the_next() -> None:
    p = due(position(hold("NE", {"395Inf": "3112"}), turn=2, step="allied_reinforcements"), "CCA7")
    match = play(p)
    assert match.position.late == {unit("CCA7"): 1}
    assert where(match.position, "CCA7") is None
    p = match.position.copy()
    p.turn, p.step = 3, "allied_reinforcements"
    assert places(p, "CCA7") == entries("NW")


@pytest.mark.rule(GAME, "14.1A")
def test_two_sections_held_delay_it_for_two_turns_and_then_the_next_clear_one_serves() -> None:
    germans = ["1SSPz", "12SSPz", "16Pz", "3Pz", "60PG", "156PG", "304PG", "901PG", "902PG", "2PG"]
    placed = dict(zip(germans, [*exits("NE"), *exits("NW")], strict=False))
    p = due(position(placed | {"395Inf": "3112"}, turn=3, step="allied_reinforcements"), "CCA7")
    p.late = {unit("CCA7"): 1}
    match = play(p)
    assert match.position.late == {unit("CCA7"): 2}
    assert places(match.position, "CCA7") == entries("W")


@pytest.mark.rule(GAME, "14.1A")
def test_a_unit_kept_waiting_at_a_road_that_the_enemy_then_closes_is_placed_anew() -> None:
    p = beside(position({"1SSPz": "0213", "395Inf": "3112"}, step="german_end"), "CCA7", "0114")
    match = play(p)
    assert match.asked().rule == "14.1A"
    assert offered(match) == NE - {"0114"}


@pytest.mark.rule(GAME, "4.2")
def test_there_are_no_allied_reinforcements_on_the_first_turn() -> None:
    for scenario in ardennes().scenarios:
        arrivals = facts().arrivals[scenario]
        assert all(arrivals[number].turn != 1 for number in facts().allied_units)


# ---------------------------------------------------------------------- coming on


@pytest.mark.rule(GAME, "14.1A", "6.5H")
@pytest.mark.parametrize(("id_", "spent"), [("CCA7", Fraction(1, 2)), ("39Inf", Fraction(1, 10))])
def test_an_ally_comes_on_along_the_road_from_its_edge_hex(id_: str, spent: Fraction) -> None:
    match = answer(play(beside(position(step="allied_movement"), id_, "0114")), id_)
    assert where(match.position, id_) == "0213"
    assert points_left(match) == facts().rows[unit(id_)].movement - spent


@pytest.mark.rule(GAME, "14.1A")
def test_a_reinforcement_that_can_come_on_must() -> None:
    match = play(beside(position({"395Inf": "3112"}, step="allied_movement"), "CCA7", "0114"))
    assert offered(match) == {"395Inf", "CCA7"}
    assert refused_by(match, "done") == "14.1A"
    answer(match, "CCA7", "stop")
    assert "done" in offered(match)


@pytest.mark.rule(GAME, "14.2B")
@pytest.mark.parametrize(
    ("first", "second", "lost"),
    [("CCA7", "CCB7", 1), ("39Inf", "47Inf", Fraction(1, 5)), ("CCA7", "39Inf", Fraction(1, 5))],
)
def test_who_comes_second_by_the_same_road_loses_two_road_hexes(first: str, second: str, lost: Fraction) -> None:
    p = beside(beside(position(step="allied_movement"), first, "0114"), second, "0114")
    alone = points_left(answer(play(beside(position(step="allied_movement"), second, "0114")), second))
    match = answer(play(p), first)
    for _ in range(3):
        path = match.asked().about.way.path
        match.choose(next(to for to in match.asked().options if not isinstance(to, str) and to not in path))
    answer(match, "stop", second)
    assert points_left(match) == alone - lost


@pytest.mark.rule(GAME, "14.2B")
def test_staging_is_counted_for_each_entry_hex_and_phase() -> None:
    p = beside(beside(position(step="allied_movement"), "CCA7", "0114"), "CCB7", "0118")
    match = answer(play(p), "CCA7", "stop", "CCB7")
    assert points_left(match) == Fraction(23, 2)
    assert match.position.staged == {at("0114"): 1, at("0118"): 1}
    answer(match, "stop", "done")
    assert match.position.staged == {}


@pytest.mark.rule(GAME, "14.2B", "6.5G")
def test_the_next_one_waits_until_the_road_is_free() -> None:
    p = beside(beside(position(step="allied_movement"), "CCA7", "0114"), "CCB7", "0114")
    p.where[unit("395Inf")] = at("3112")
    match = answer(play(p), "CCA7", "stop")
    assert refused_by(match, "CCB7") == "6.5G"
    assert where(match.position, "CCB7") == "beside 0114"


@pytest.mark.rule(GAME, "14.1A")
def test_nobody_comes_on_through_an_enemy_zone() -> None:
    near = sorted(name for name in around("0213") if is_in(name, facts().passable))[0]
    p = beside(position({"1SSPz": near, "395Inf": "3112"}, step="allied_movement"), "CCA7", "0114")
    match = play(p)
    assert refused_by(match, "CCA7") == "14.1A"


@pytest.mark.rule(GAME, "14.1A", "4.2")
def test_germans_appear_in_their_entry_hex() -> None:
    match = answer(play(beside(position(turn=1, step="german_mechanized"), "Bde1", "1601")), "Bde1")
    assert where(match.position, "Bde1") == "1601"
    assert points_left(match) == 10
    assert in_road_mode(match.position, "Bde1")


# ---------------------------------------------------------------------- the British


@pytest.mark.rule(GAME, "14.3C")
def test_the_british_come_on_beyond_the_meuse_and_stay_there() -> None:
    p = due(position(turn=5, step="allied_reinforcements"), "29Br")
    assert places(p, "29Br") == {
        facts().board.name(edge)
        for edge in facts().entries["W"]
        if is_in(facts().board.name(facts().exit_of[edge]), facts().beyond_meuse)
    }
    p.late = {unit("29Br"): 1}
    beyond = {"0135", "0139"}
    assert places(p, "29Br") == beyond, "of the northwest and the southwest only these lie beyond the river"
    p.british_free = True
    assert places(p, "29Br") > beyond
    bank, over = crossing()
    match = answer(play(position({"29Br": bank}, step="allied_movement")), "29Br")
    assert refused_by(match, over) == "14.3C"
    column = answer(play(position({"29Br": bank}, step="allied_movement", road=["29Br"])), "29Br")
    assert refused_by(column, over) == "14.3C"


def crossing() -> tuple[str, str]:
    """A bridge over the Meuse: its far hex, and its near one."""
    for one, other in facts().bridges:
        for far, near in ((one, other), (other, one)):
            if facts().beyond_meuse >> far & 1 and not facts().beyond_meuse >> near & 1:
                return facts().board.name(far), facts().board.name(near)
    raise AssertionError("no bridge over the Meuse")


@pytest.mark.rule(GAME, "14.3C")
def test_they_cross_once_the_germans_have_had_25_points() -> None:
    bank, over = crossing()
    p = position({"29Br": bank}, step="allied_movement")
    p.british_free = True
    assert over in offered(answer(play(p), "29Br"))


@pytest.mark.rule(GAME, "14.3C")
@pytest.mark.parametrize(("lost", "free"), [(24, False), (25, True)])
def test_the_points_are_counted_at_the_end_of_a_turn(lost: int, free: bool) -> None:
    p = position({"1SSPz": meadow(), "395Inf": "0710"}, turn=8, step="turn_end")
    p.lost = sum(1 << number for number in list(facts().allied_units)[:lost])
    match = play(p, [6])
    assert match.position.british_free is free


@pytest.mark.rule(GAME, "14.3C")
def test_only_the_historical_schedule_restricts_them() -> None:
    bank, over = crossing()
    p = position({"29Br": bank}, step="allied_movement", scenario="4")
    assert over in offered(answer(play(p), "29Br"))


@pytest.mark.rule(GAME, "14.3C")
def test_whoever_they_can_reach_has_crossed_the_meuse_or_stands_beside_it() -> None:
    """So the limit on whom they attack needs no check of its own."""
    meuse = facts().map.sides("river", "Meuse").hexes
    for hex_ in members(facts().beyond_meuse & facts().live):
        near = facts().board.next_to(hex_) & facts().live & ~facts().beyond_meuse
        assert not near & ~meuse


# ---------------------------------------------------------------------- the drop


def drop(dice: list[int], **placed: str) -> ArdennesMatch:
    p = due(position({"395Inf": "0710", **placed}, turn=2, step="german_paradrop"), "VDH")
    return play(p, dice)


@pytest.mark.rule(GAME, "15.0")
def test_the_paratroopers_land_anywhere_but_on_allies_and_in_their_zones() -> None:
    match = drop([])
    assert match.asked().rule == "15.0"
    assert offered(match) == set(live()) - {"0710"} - around("0710")
    assert refused_by(match, "0710") == "15.0"
    assert refused_by(match, "1516") == "11.0"
    assert refused_by(match, "0112") == "5.3L"


@pytest.mark.rule(GAME, "15.0", "8.0")
def test_there_must_be_room_among_friends() -> None:
    way = highway(4)
    match = play(
        due(
            position(
                {"12VG": meadow(), "1SSPz": way[0], "395Inf": "0710"},
                turn=2,
                step="german_paradrop",
                road=["1SSPz"],
            ),
            "VDH",
        )
    )
    assert refused_by(match, meadow()) == "8.2C"
    assert refused_by(match, way[1]) == "6.5G"


@pytest.mark.rule(GAME, "15.0")
@pytest.mark.parametrize(("die", "survives"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_one_or_a_two_and_they_live(die: int, survives: bool) -> None:
    match = answer(drop([die], **{"5FJ": "2602"}), meadow())
    assert where(match.position, "VDH") == (meadow() if survives else "lost")
    assert match.position.lost == (0 if survives else units("VDH"))


@pytest.mark.rule(GAME, "15.0")
def test_they_are_supplied_for_that_turn_and_may_move() -> None:
    match = answer(drop([1], **{"5FJ": "2602"}), meadow())
    assert match.position.unsupplied == 0
    match.answer("VDH")
    assert points_left(match) == 4


@pytest.mark.rule(GAME, "15.0")
def test_they_drop_on_turn_two_and_no_other() -> None:
    p = due(position({"5FJ": meadow(), "395Inf": "0710"}, turn=1, step="german_paradrop"), "VDH")
    match = play(p)
    assert (match.asked().rule, match.position.turn) == ("15.0", 2), "all of turn 1 has gone by"
    for scenario in ardennes().scenarios:
        assert facts().arrivals[scenario][facts().drop_unit].turn == 2
    assert "VDH" not in offered_names(play(due(position({"5FJ": meadow()}, turn=2), "VDH")))


# ---------------------------------------------------------------------- schedules


@pytest.mark.rule(GAME, "17.0", "E17.0-2")
def test_units_that_a_schedule_leaves_out_never_come() -> None:
    p = start("4")
    assert where(p, "CCR5") is None
    assert p.where[unit("CCR5")] != p.where[unit("CCA7")]
    match = play(p)
    assert refused_by(match, "CCR5") == "17.0"


@pytest.mark.rule(GAME, "E17.0-3", "E17.0-4")
def test_the_accelerated_schedule_brings_more_and_earlier() -> None:
    historical, accelerated = facts().arrivals["1"], facts().arrivals["2"]
    assert historical[unit("FE")].turn == 4
    assert accelerated[unit("FE")].turn == 2
    assert historical[unit("10SSPz")].turn == 0
    assert accelerated[unit("10SSPz")].turn == 3
    assert names(facts().sources["German"]) == entries("E")

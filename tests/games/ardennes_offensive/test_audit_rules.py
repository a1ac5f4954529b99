"""What an independent reading of the rulebook found: the beaten, bridges at the edge, parting on the road."""

from __future__ import annotations

import pytest

from bulge.cli.describe import space_lines
from bulge.games.ardennes_offensive.arrivals import places_for
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Ways
from tests.games.ardennes_offensive.helpers import (
    STRONG,
    ardennes,
    at,
    beside,
    clockwise,
    due,
    facts,
    fight,
    hexes,
    in_road_mode,
    meadow,
    names,
    play,
    points_left,
    position,
    refusal,
    situation,
    unit,
    units,
    where,
)
from tests.helpers import answer, foresee, offered, offered_names, refused_by

GAME = "ardennes_offensive"


# ---------------------------------------------------------------------- the beaten never push each other


def two_beaten_attackers() -> ArdennesPosition:
    placed = {"Bde4": "0439", "9VG": "0341", "22Inf": "0239", "504PIR": "0239"}
    return position(placed | dict.fromkeys(["CCA6", "102Cav", "68Br"], "0340"), step="allied_combat")


@pytest.mark.rule(GAME, "10.2", "6.7M")
def test_the_beaten_of_one_battle_do_not_push_each_other() -> None:
    match = answer(play(two_beaten_attackers(), [3]), "0341", "done", "CCA6", "102Cav", "attack", "1-1")
    assert where(match.position, "CCA6") == "0239"
    assert offered(match) == {"22Inf", "504PIR"}
    match.answer("22Inf")
    assert (where(match.position, "CCA6"), where(match.position, "102Cav")) == ("0239", "0239")


@pytest.mark.rule(GAME, "10.2")
def test_one_of_the_beaten_who_has_still_to_go_is_not_pushed_first() -> None:
    here = meadow()
    full = dict.fromkeys(["9Inf", "38Inf", "393Inf"], clockwise(here)[3])
    p = position({"395Inf": here, **full})
    beaten = units("395Inf", "9Inf")
    assert unit("9Inf") in Ways(facts(), situation(p), unit("395Inf"), 1).displaceable(
        situation(p), at(full["9Inf"])
    )
    ways = Ways(facts(), situation(p), unit("395Inf"), 1, beaten)
    assert ways.displaceable(situation(p), at(full["9Inf"])) == sorted([unit("38Inf"), unit("393Inf")])


@pytest.mark.rule(GAME, "7.3D", "7.2B", "10.2")
def test_a_friend_who_keeps_a_zone_off_is_not_pushed_once_the_beaten_have_joined_him() -> None:
    """Four units lose together, and only the hex of the 9th is open to them, in an enemy zone."""
    here = meadow()
    around_it = clockwise(here)
    three = dict.fromkeys(["395Inf", "38Inf", "393Inf"], here)
    germans = {"3Pz": around_it[2], "5FJ": around_it[4]} | dict.fromkeys(STRONG, around_it[0])
    p = position({**germans, **three, "9Inf": around_it[3]}, step="german_combat")
    match = fight(p, here, [*STRONG], "Dr1")
    assert match.position.lost.bit_count() == 1, "two of the three find room with the 9th"
    assert where(match.position, "9Inf") == around_it[3]


# ---------------------------------------------------------------------- bridges on the edge of the map


@pytest.mark.rule(GAME, "12.1A", "12.2F", "13.2B")
@pytest.mark.parametrize(("first", "edge", "german"), [("0224", "0125", "0426"), ("3241", "3142", "3238")])
def test_a_road_that_leaves_the_map_over_an_interdicted_bridge_is_no_source(
    first: str, edge: str, german: str
) -> None:
    p = position({"1SSPz": german, "395Inf": first}, step="german_combat")
    s = situation(p)
    assert s.interdicted("Allied").between(at(edge), at(first))
    assert not facts().sources_over("Allied", s.interdicted("Allied")) >> at(first) & 1
    p = position({"395Inf": first}, step="german_combat")
    assert facts().sources_over("Allied", situation(p).interdicted("Allied")) >> at(first) & 1
    assert ardennes().supply_line(p, unit("395Inf")) == (first,)


@pytest.mark.rule(GAME, "12.1A", "12.3G", "13.2B")
def test_a_unit_that_has_no_other_road_is_unsupplied() -> None:
    """The road from 3241 leads over the bridge at once; the Germans near it stand on the road inland."""
    road = names(facts().roads.across(hexes("3241"))) - {"3142"}
    p = position({"395Inf": "3241", "1SSPz": "3239"}, step="german_combat")
    s = situation(p)
    assert not s.supplied_hexes("Allied"), f"its roads: {road}"


@pytest.mark.rule(GAME, "6.5F", "14.1A")
def test_no_reinforcement_is_placed_at_an_interdicted_bridge() -> None:
    """A unit of the northeast that has been delayed comes by the northwest, where the bridge is."""
    far, near = (
        due(position({"1SSPz": german}, step="allied_reinforcements", turn=6), "32AR")
        for german in ("0826", "0426")
    )
    far.late = near.late = {unit("32AR"): 1}
    assert at("0125") in places_for(facts(), situation(far), unit("32AR"))
    match = play(near)
    assert "0124" in offered(match)
    assert refusal(match, "0125")[0] == "6.5F"


@pytest.mark.rule(GAME, "6.5F", "13.1A")
def test_no_reinforcement_comes_on_over_an_interdicted_bridge() -> None:
    p = beside(position({"395Inf": meadow()}, step="allied_movement", turn=5), "32AR", "0125")
    assert "32AR" in offered(play(p))
    p.interdicting = hexes("0224")
    assert refused_by(play(p), "32AR") == "6.5F"


# ---------------------------------------------------------------------- parting on the road


@pytest.mark.rule(GAME, "6.7N")
@pytest.mark.parametrize("columns", [["505PIR"], ["505PIR", "329Inf"]])
def test_to_leave_road_mode_is_not_to_part(columns: list[str]) -> None:
    match = play(position({"505PIR": "0413", "329Inf": "0514"}, step="allied_movement", road=columns))
    answer(match, "505PIR", "leave_road_mode")
    assert refusal(match, "stop")[0] == "6.7N"
    answer(match, "0513")
    assert where(match.position, "505PIR") == "0513"
    assert "done" in offered(match)


@pytest.mark.rule(GAME, "6.7N")
def test_a_column_whose_last_points_deploying_takes_is_not_made_to_deploy() -> None:
    """Between Germans it could only deploy, which parts nobody; so it may do so, but need not."""
    placed = {"505PIR": "0413", "329Inf": "0514", "1SSPz": "0313"}
    p = position(placed, step="allied_movement", road=["505PIR"])
    p.unsupplied = units("329Inf")
    match = play(p)
    assert offered_names(match) == {"329Inf"}


# ---------------------------------------------------------------------- columns that slept


@pytest.mark.rule(GAME, "6.7L", "5.3M")
def test_a_column_that_fought_and_wakes_in_time_must_leave_road_mode() -> None:
    p = position({"38Inf": "0211"}, step="allied_conversions", road=["CCB9"])
    beside(p, "CCB9", "0112", dormant=True)
    p.fought_on_road = units("CCB9")
    match = answer(play(p), "CCB9")
    assert not in_road_mode(match.position, "CCB9")
    assert points_left(match) == 6


@pytest.mark.rule(GAME, "6.7L", "5.3M")
def test_a_column_that_sleeps_through_that_moment_is_let_off() -> None:
    p = position({"38Inf": "0811"}, step="allied_conversions", road=["CCB9"])
    beside(p, "CCB9", "0112", dormant=True)
    p.fought_on_road = units("CCB9")
    match = play(p)
    assert in_road_mode(match.position, "CCB9")
    assert match.position.fought_on_road == 0


# ---------------------------------------------------------------------- words and questions


@pytest.mark.rule(GAME, "9.1A", "9.4L")
def test_naming_the_last_attacker_does_not_roll() -> None:
    """One attacker, and one column that he may use: the odds are shown, and he is asked for the word."""
    here = meadow()
    p = position({"395Inf": here, "Bde1": clockwise(here)[0]}, step="german_combat")
    match = answer(play(p, [1]), here, "Bde1")
    assert offered(match) == {"attack"}
    assert foresee(match, "attack").chances
    assert not match.position.attacked
    match.undo()
    assert offered(match) == {"Bde1"}


@pytest.mark.rule(GAME, "10.1")
def test_an_exchange_asks_nothing_where_every_choice_costs_all() -> None:
    """Four and four, tripled by surprise, destroy five: both go, whichever is named first."""
    here = meadow()
    five = next(row.id for row in facts().rows if row.nation == "us" and row.strength == 5)
    fours = [row.id for row in facts().rows if row.nation == "german" and row.strength == 4 and row.mechanized][:2]
    placed = {five: here, "3Pz": "3010"} | dict.fromkeys(fours, clockwise(here)[0])
    p = position(placed, step="german_combat", turn=1)
    match = fight(p, here, fours, "Ex")
    assert match.position.lost == units(five, *fours)


@pytest.mark.rule(GAME, "16.0B")
def test_what_is_at_an_exit_says_its_worth() -> None:
    lines = space_lines(play(position({"395Inf": "0211"}, step="allied_movement")), at("0211"), None)
    row = facts().exits["0211"]
    assert f"Road exit to {row.leads_to}, {row.points} points. It does not count now." in lines


@pytest.mark.rule(GAME, "14.0", "3.3")
def test_a_unit_that_is_due_says_its_strength_and_its_section() -> None:
    p = due(position(), "32AR", "VDH")
    words = ardennes().unit_words(p, unit("32AR"))
    row = facts().rows[unit("32AR")]
    assert f"{row.strength}-{row.movement}, due on turn 5, in the northeast" in words
    assert "due on turn 2, by air" in ardennes().unit_words(p, facts().drop_unit)

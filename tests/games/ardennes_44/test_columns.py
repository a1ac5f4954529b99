"""Whose Strategic Movement markers go where, when the last ones are in use (rules 12.4 and 12.6)."""

from __future__ import annotations

import random

import pytest

from bulge.core.decision import Choice
from bulge.games.ardennes_44.columns import MARKERS, halt, markers_used, may_load
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import ABSENT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import ArdennesMatch, answer, at, begun, facts, placed, unit, units

GAME = "ardennes_44"
REST, THIRD = "99/395(-)", "99/395/3"
"""Two parts of a US regiment."""
GRENADIERS, PANZERS = "FBB/100", "FBB/102"
"""Two battalions of a German brigade."""
START, WAY = "E2623", ("E2522", "E2423", "E2323")
FAR = "W1010", "W1015", "W1020", "W1510", "W1515", "W1520"


def offered(match: ArdennesMatch) -> set[str]:
    return {option.id for option in match.options()}


def used(match: ArdennesMatch) -> int:
    side = ALLIED if match.position.step.startswith("allied") else GERMAN
    return markers_used(facts(), match.position, side)


def on_trucks(others: int) -> Ardennes44:
    """Both parts of the regiment on trucks in one hex, and so many others in column elsewhere."""
    p = placed((REST, START), (THIRD, START), scenario="S1", turn=8, step="allied_movement")
    p.columns = units(REST, THIRD)
    rows = facts().rows
    alone = [
        number for number in facts().units_of[ALLIED] if not rows[number].regiment and p.where[number] == ABSENT
    ]
    for number in [number for number in alone if facts().infantry >> number & 1][:others]:
        p.where[number] = at("Northwest box")
        p.columns |= 1 << number
    return p


def brigade(others: int) -> Ardennes44:
    """Two battalions of a brigade in one hex, and so many German columns elsewhere."""
    p = placed((GRENADIERS, START), (PANZERS, START), scenario="S1", turn=8)
    for id_, hex_ in zip(
        ("12SS/12Rec", "1SS/1Rec", "9SS/9Rec", "2SS/2Rec", "Lehr/130Rec", "2Pz/2Rec"), FAR, strict=True
    ):
        if others:
            p.where[unit(id_)] = at(hex_)
            p.columns |= units(id_)
            others -= 1
    return p


def drives(match: ArdennesMatch, id_: str, *way: str) -> None:
    answer(match, id_, "strategic", *way, "stop")


# ---------------------------------------------------------------------- a regiment that shares one


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
def test_the_last_marker_goes_with_who_drives_off_and_the_others_follow_it() -> None:
    match = begun(on_trucks(9))
    assert used(match) == MARKERS[ALLIED]
    drives(match, REST, *WAY)
    assert used(match) == MARKERS[ALLIED], "not one more"
    assert match.position.left_behind == units(THIRD)
    assert match.log[-2].rule == "12.4.2"
    answer(match, THIRD, "strategic")
    for hex_ in WAY:
        assert "stop" not in offered(match)
        assert match.why_not("stop").rule == "12.4.1"
        answer(match, hex_)
    answer(match, "stop")
    assert used(match) == MARKERS[ALLIED]
    q = match.position
    assert q.columns & units(REST, THIRD) == units(REST, THIRD)
    assert q.where[unit(REST)] == q.where[unit(THIRD)] == at(WAY[-1])
    assert not q.left_behind


@pytest.mark.rule(GAME, "12.4.1", "12.6")
def test_who_does_not_follow_the_last_marker_is_in_column_no_more() -> None:
    match = begun(on_trucks(9))
    drives(match, REST, *WAY)
    answer(match, THIRD, "stop")
    assert match.position.columns & units(THIRD)
    while match.position.step == "allied_movement":
        answer(match, "done")
    q = match.position
    assert q.columns & units(REST, THIRD) == units(REST)
    assert markers_used(facts(), q, ALLIED) == MARKERS[ALLIED]
    assert not q.left_behind


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
def test_while_markers_last_a_regiment_may_part() -> None:
    match = begun(on_trucks(8))
    assert used(match) == MARKERS[ALLIED] - 1
    drives(match, REST, *WAY)
    assert used(match) == MARKERS[ALLIED]
    assert not match.position.left_behind
    drives(match, THIRD, "E2722")
    assert used(match) == MARKERS[ALLIED]


@pytest.mark.rule(GAME, "12.6")
def test_a_marker_that_becomes_free_serves_who_was_left_behind() -> None:
    p = on_trucks(8)
    p.where[unit("12/48")] = at("E0340")
    p.where[unit("4/12/1")] = at("E3016")
    p.columns |= units("4/12/1")
    match = begun(p)
    drives(match, REST, *WAY)
    answer(match, "4/12/1", "leave_column")
    drives(match, THIRD, "E2722")
    assert used(match) == MARKERS[ALLIED]
    assert not match.position.left_behind


@pytest.mark.rule(GAME, "12.4.1", "12.6")
def test_who_drives_off_from_one_that_has_moved_takes_another_marker() -> None:
    match = begun(on_trucks(8))
    answer(match, THIRD, "stop")
    drives(match, REST, *WAY)
    assert used(match) == MARKERS[ALLIED]
    assert not match.position.left_behind, "the first marker stays where it is"


@pytest.mark.rule(GAME, "12.4.2")
def test_a_marker_that_comes_to_who_was_left_behind_serves_both() -> None:
    p = on_trucks(9)
    p.where[unit(REST)], p.left_behind = at(WAY[-1]), units(THIRD)
    assert halt(Situation(facts(), p), unit(REST), at(START)) == 0
    assert not p.left_behind


@pytest.mark.rule(GAME, "12.4.1", "12.6")
def test_a_marker_stays_with_who_has_moved_under_it() -> None:
    match = begun(on_trucks(9))
    answer(match, THIRD, "stop", REST, "strategic")
    assert "stop" in offered(match)
    answer(match, *WAY[:2])
    assert "stop" not in offered(match)
    answer(match, WAY[0], START)
    assert not match.position.left_behind
    assert used(match) == MARKERS[ALLIED]


@pytest.mark.rule(GAME, "12.4.2", "12.4.3")
def test_who_got_off_and_on_again_is_counted() -> None:
    match = begun(on_trucks(9))
    drives(match, REST, *WAY)
    answer(match, THIRD, "leave_column", THIRD)
    assert "get_on_trucks" not in offered(match), "all ten are in use"
    assert not match.position.left_behind


@pytest.mark.rule(GAME, "12.4.1", "12.4.2", "13.5")
def test_a_marker_comes_on_to_the_map_with_who_drives_first() -> None:
    p = on_trucks(9)
    p.where[unit(REST)] = p.where[unit(THIRD)] = at("Southeast box")
    match = begun(p)
    answer(match, REST, "strategic", "E2101", "stop")
    assert used(match) == MARKERS[ALLIED]
    assert match.position.left_behind == units(THIRD)
    answer(match, THIRD, "strategic", "E2101", "stop")
    assert used(match) == MARKERS[ALLIED]
    assert match.position.where[unit(THIRD)] == at("E2101")


@pytest.mark.rule(GAME, "12.4.2", "12.4.3")
def test_a_regiment_in_a_box_gets_on_trucks_under_one_marker() -> None:
    p = on_trucks(9)
    p.where[unit(REST)] = p.where[unit(THIRD)] = at("Southeast box")
    p.columns &= ~units(THIRD)
    assert may_load(Situation(facts(), p), unit(THIRD))
    p.where[unit(REST)] = at("Northwest box")
    assert not may_load(Situation(facts(), p), unit(THIRD))


# ---------------------------------------------------------------------- a regiment of which one is in column


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
def test_the_last_marker_is_enough_for_a_regiment_that_stacks() -> None:
    match = begun(brigade(5))
    drives(match, GRENADIERS, *WAY)
    assert used(match) == MARKERS[GERMAN]
    answer(match, PANZERS)
    assert "strategic" in offered(match)
    answer(match, "strategic")
    assert match.why_not("stop").rule == "12.4.1"
    answer(match, *WAY, "stop")
    assert used(match) == MARKERS[GERMAN]
    assert match.position.where[unit(PANZERS)] == at(WAY[-1])


@pytest.mark.rule(GAME, "12.4.1")
def test_without_a_marker_no_other_regiment_drives() -> None:
    p = brigade(5)
    p.where[unit("9SS/20")] = at("E2824")
    match = begun(p)
    drives(match, GRENADIERS, *WAY)
    answer(match, "9SS/20")
    assert "strategic" not in offered(match)
    assert match.why_not("strategic").rule == "12.1"


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
def test_who_cannot_stack_with_the_column_of_its_regiment_does_not_drive() -> None:
    p = brigade(5)
    p.where[unit(PANZERS)] = at(START)
    p.where[unit("FBB/200")] = at(WAY[-1])
    p.columns |= units("FBB/200")
    match = begun(p)
    answer(match, GRENADIERS)
    assert "strategic" in offered(match)
    answer(match, "stop", PANZERS)
    assert "strategic" not in offered(match), "four steps of tanks"


@pytest.mark.rule(GAME, "11.9.3", "12.4.1")
def test_no_column_leaves_the_map_without_a_marker() -> None:
    p = brigade(5)
    here = next(hex_ for hex_ in facts().fields["EW"].boxes if facts().road_ends >> hex_ & 1)
    p.where[unit(THIRD)] = here
    p.columns = units(THIRD)
    free = Walk(Situation(facts(), p), unit(THIRD), here, strategic=24)
    assert free.may_leave_map()
    p = on_trucks(9)
    p.where[unit(THIRD)] = here
    p.columns &= ~units(THIRD)
    assert not Walk(Situation(facts(), p), unit(THIRD), here, strategic=24).may_leave_map()


@pytest.mark.rule(GAME, "7.7", "12.4.1")
def test_who_is_held_up_on_the_way_to_the_marker_of_its_regiment_is_in_no_column() -> None:
    p = brigade(5)
    p.where[unit(GRENADIERS)], p.where[unit(PANZERS)] = at("E2120"), at("E2019")
    p.columns |= units(GRENADIERS)
    match = begun(p, 1)
    answer(match, PANZERS, "strategic", "E2020", "E2119")
    q = match.position
    assert q.blown >> facts().bridge("E2020/E2119") & 1
    assert q.where[unit(PANZERS)] == at("E2019")
    assert not q.columns & units(PANZERS)
    assert used(match) == MARKERS[GERMAN]


# ---------------------------------------------------------------------- whatever is played


@pytest.mark.rule(GAME, "12.4.1", "12.4.2")
@pytest.mark.parametrize("others", [8, 9])
def test_there_are_never_more_columns_than_markers(others: int) -> None:
    """Units that share markers drive about at random, with those that have none."""
    parted = 0
    for seed in range(20):
        p, rng = on_trucks(others), random.Random(seed)
        for id_, hex_ in (
            ("28/110/1", "E3016"),
            ("28/110/2", "E3016"),
            ("14Cav/18", "E3018"),
            ("14Cav/32", "E2616"),
        ):
            p.where[unit(id_)] = at(hex_)
        if others < 9:
            p.columns |= units("28/110/1", "28/110/2")
        match = begun(p)
        while match.position.step == "allied_movement":
            match.choose(eager_to_drive(match, rng))
            q = match.position
            assert used(match) <= MARKERS[ALLIED]
            assert not q.left_behind & ~q.columns
            parted += bool(q.left_behind)
        assert not q.left_behind
        assert markers_used(facts(), q, ALLIED) <= MARKERS[ALLIED]
    assert parted


def eager_to_drive(match: ArdennesMatch, rng: random.Random) -> Choice:
    """A choice at random, but for Strategic Movement where it is to be had; seldom one that ends something."""
    options = match.asked().options
    if "strategic" in options:
        return "strategic"
    going_on = [choice for choice in options if choice not in ("stop", "done")]
    return rng.choice(going_on if going_on and rng.random() < 0.9 else options)

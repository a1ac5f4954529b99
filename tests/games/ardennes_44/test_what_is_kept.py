"""What is kept from one question to the next is what would be found anew."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.core.spaces import lowest, members
from bulge.games.ardennes_44.allowance import _under_markers, allowance
from bulge.games.ardennes_44.arrivals import due
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES, other
from bulge.games.ardennes_44.facts import ABSENT, DUE, GONE
from bulge.games.ardennes_44.ground import TOO_DEAR
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.moving import movable, must_leave
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits, may_join
from bulge.games.ardennes_44.standing import Standing, _elsewhere, loose_units
from bulge.games.ardennes_44.supply import Supply, road_bound
from bulge.games.ardennes_44.walking import AboutWalk, WhoMoves
from bulge.games.ardennes_44.zones import bonds
from tests.games.ardennes_44.helpers import answer, ardennes, at, begun, facts, placed
from tests.games.ardennes_44.helpers import unit as unit_


def test_a_standing_that_is_brought_up_to_date_is_as_one_made_anew() -> None:
    rng, field = random.Random(44), facts().fields["EW"]
    spaces = [*rng.sample(members(field.hexes), 40), *members(facts().off_map), DUE, GONE, ABSENT]
    where = [rng.choice(spaces) for _ in facts().rows]
    standing = Standing(facts(), field, where, 0)
    for _ in range(60):
        where, loose = [*where], rng.getrandbits(len(where))
        moved = rng.sample(range(len(where)), rng.randint(0, 9))
        for unit in moved:
            where[unit] = rng.choice(spaces)
        standing = standing.with_some(moved, where, loose)
        _stands_as(standing, Standing(facts(), field, where, loose))


@pytest.mark.parametrize("shaken", [GERMAN, ALLIED])
def test_a_standing_after_one_move_is_as_one_made_anew(shaken: str) -> None:
    rng, field = random.Random(45), facts().fields["EW"]
    spaces = [*rng.sample(members(field.hexes), 40), *members(facts().off_map), DUE, GONE, ABSENT]
    where = [rng.choice(spaces) for _ in facts().rows]
    standing = Standing(facts(), field, where, 0)
    for _ in range(60):
        unit, to, loose = rng.randrange(len(where)), rng.choice(spaces), rng.getrandbits(len(where))
        where = [to if each == unit else at_ for each, at_ in enumerate(where)]
        standing = standing.with_one(unit, to, loose & facts().of_side[shaken])
        _stands_as(standing, Standing(facts(), field, where, loose & facts().of_side[shaken]))


def _stands_as(standing: Standing, anew: Standing) -> None:
    assert (standing.where, standing.loose, standing.stacks) == (anew.where, anew.loose, anew.stacks)
    assert standing.occupied == anew.occupied
    for side in SIDES:
        ours, theirs = standing.armies[side], anew.armies[side]
        assert (ours.on_map, ours.boxed, ours.due, ours.gone) == (
            *(theirs.on_map, theirs.boxed, theirs.due),
            theirs.gone,
        )
        assert (ours.places, ours.loose, ours.zone) == (theirs.places, theirs.loose, theirs.zone)


@pytest.mark.rule("ardennes_44", "8.1", "8.2", "8.4")
def test_who_may_join_a_stack_is_who_fits_with_it() -> None:
    rng, units = random.Random(8), range(len(facts().rows))
    answers = set()
    for _ in range(400):
        unit, *stack = rng.sample(units, rng.randint(1, 4))
        reduced = rng.getrandbits(len(units))
        fitting = fits(facts(), reduced, [unit, *stack])
        for others in (stack, [*stack, unit]):
            assert may_join(facts(), reduced, unit, others) == fitting
        answers.add(fitting)
    assert answers == {True, False}


def test_who_stands_elsewhere_is_whoever_is_not_where_he_was() -> None:
    rng = random.Random(16)
    before = [rng.choice((at("E2406"), at("E2407"), DUE, GONE)) for _ in facts().rows]
    for count in (0, 1, 5, len(before)):
        where = [*before]
        for unit in rng.sample(range(len(before)), count):
            where[unit] = rng.choice((at("E2406"), at("E2408"), GONE))
        assert _elsewhere(before, where) == [unit for unit, at_ in enumerate(where) if at_ != before[unit]]


@pytest.mark.parametrize("way", ["foot", "mech", "vehicle", "column"])
def test_a_step_over_a_blown_bridge_is_one_over_the_river(way: str) -> None:
    ground, here, there = facts().ground, at("E2020"), at("E2119")
    bridge = 1 << ground.bridge_between(here, there)
    table = ground.road_steps(bridge) if way == "column" else ground.steps(way, False, bridge)
    hard = ground.closed_to_vehicles(bridge) if way == "vehicle" else ground.hard(bridge)
    for hex_ in (here, there, at("E2021")):
        assert ground.ways_out(way, False, bridge, hex_) == [
            (to, table.cost(hex_, to) or TOO_DEAR, not hard.between(hex_, to), False)
            for to in facts().board.neighbours(hex_)
        ]


@pytest.mark.parametrize("way", ["foot", "mech", "vehicle", "column"])
@pytest.mark.parametrize("frozen", [False, True])
def test_the_steps_out_of_all_hexes_are_those_of_the_table_of_costs(way: str, frozen: bool) -> None:
    ground, board = facts().ground, facts().board
    table = ground.road_steps(0) if way == "column" else ground.steps(way, frozen, 0)
    hard = ground.closed_to_vehicles(0) if way == "vehicle" else ground.hard(0)
    steps = ground.plain_steps(way, frozen)
    assert [*steps] == members(board.hexes)
    for hex_ in random.Random(28).sample([*steps], 200):
        assert steps[hex_] == [
            (to, table.cost(hex_, to) or TOO_DEAR, not hard.between(hex_, to), False)
            for to in board.neighbours(hex_)
        ]


@pytest.mark.parametrize("scenario", ["S1", "S2"])
def test_who_may_move_and_come_on_is_the_same_to_whoever_looks_anew(scenario: str) -> None:
    match, rng = Match(ardennes(), scenario, seed=seed_of("kept"), keep_log=False), random.Random(5)
    asked = 0
    while asked < 250 and match.decision is not None:
        decision, p = match.decision, match.position
        if isinstance(decision.about, WhoMoves):
            asked += 1
            facts().recent = ()
            s = Situation(facts(), p)
            units = movable(s, decision.side)
            coming = [choice for choice in decision.options if isinstance(choice, int)]
            assert coming == [*members(units), *due(s, decision.side)]
            assert ("done" in decision.options) != must_leave(s, decision.side, units)
            assert s.standing.loose == loose_units(p)
        match.choose(rng.choice(decision.options))


def test_who_comes_on_is_asked_again_once_somebody_stands_where_he_would() -> None:
    p = placed(("12/48", "E2406"), ("26/77", "E2406"), scenario="S1", turn=9)
    rows, entries = facts().rows, facts().entries_with
    late = next(unit for unit in facts().units_of[GERMAN] if rows[unit].turn == 3 and entries(rows[unit].entry))
    p.where[late] = DUE
    s = Situation(facts(), p)
    assert due(s, GERMAN) == [late]
    entry = entries(rows[late].entry)
    for friend, to, still_known in (("26/77", "E2407", True), ("12/48", facts().board.name(lowest(entry)), False)):
        p.where[unit_(friend)] = at(to)
        s.note_move(unit_(friend))
        assert ("due" in s.kept) == still_known
    assert due(s, GERMAN) == [late], "by another hex, or past a friend who leaves room"


def test_who_waits_no_longer_is_taken_out_and_nobody_else_is() -> None:
    p = placed(("12/48", "E2406"), scenario="S1", turn=9)
    rows, entries = facts().rows, facts().entries_with
    late = [unit for unit in facts().units_of[GERMAN] if rows[unit].turn == 3 and entries(rows[unit].entry)][:3]
    for unit in late:
        p.where[unit] = DUE
    s = Situation(facts(), p)
    assert due(s, GERMAN) == late
    p.moved |= 1 << late[1]
    assert due(s, GERMAN) == [late[0], late[2]]
    p.moved = 0
    assert due(s, GERMAN) == late, "he waits again"


def test_what_follows_from_the_places_is_found_again_once_anything_else_that_it_depends_on_has_changed() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2304"), ("99/393", "E2306"), scenario="S1", turn=9)
    every_bridge = (1 << len(facts().ground.bridges)) - 1
    for name, value in (
        *(("turn", 9), ("blown", every_bridge), ("german_held", 0), ("blocks_german", [at("E2110"), -1])),
        ("german_held", facts().board.hexes),
    ):
        setattr(p, name, value)
        s = Situation(facts(), p)
        for side in SIDES:
            assert road_bound(s, side) == Supply(s, side).road_net()
            anew = Standing(facts(), s.field, [*p.where], loose_units(p))
            assert s.bonds(side) == bonds(facts().board, anew.armies[side].links, anew.occupied[other(side)])
            facing = anew.armies[other(side)].around
            assert s.facing_enemies(side) == sum(
                1 << unit for unit in facts().units_of[side] if p.where[unit] >= 0 and facing >> p.where[unit] & 1
            )
    p.disrupted = 1 << unit_("99/394")
    s = Situation(facts(), p)
    assert not s.bonds(ALLIED).hexes, "who is shaken forms none"


def test_the_steps_of_a_walk_are_those_that_a_walk_begun_here_would_find() -> None:
    match, rng = Match(ardennes(), "S2", seed=seed_of("steps"), keep_log=False), random.Random(8)
    asked = 0
    while asked < 300 and match.decision is not None:
        decision = match.decision
        if isinstance(decision.about, AboutWalk):
            asked += 1
            walk = decision.about.walk
            anew = Walk(
                Situation(facts(), match.position), walk.unit, walk.path[0], strategic=walk.mover.strategic
            )
            if not match.position.arrived >> walk.unit & 1:
                for hex_ in walk.path[1:]:
                    anew.step(hex_)
                assert anew.next_steps() == walk.next_steps()
                found = [choice for choice in decision.options if isinstance(choice, int)]
                assert anew.options() == found
                assert found == [
                    to
                    for to, how in anew.next_steps().items()
                    if anew.mover.may_end_in(to, how) or anew.after(to, how).goes_on()
                ]
        match.choose(rng.choice(decision.options))


@pytest.mark.rule("ardennes_44", "7.7")
def test_the_steps_of_a_walk_are_looked_for_again_where_a_bridge_has_broken() -> None:
    match = begun(placed(("116/60", "E2020"), turn=2), 4)
    answer(match, "116/60", "E2119")
    walk = match.asked().about.walk
    anew = Walk(Situation(facts(), match.position), walk.unit, at("E2020"))
    assert walk.next_steps() == anew.next_steps()


@pytest.mark.rule("ardennes_44", "12.2")
def test_a_column_does_not_drive_where_it_could_neither_halt_nor_go_on_though_nobody_is_there() -> None:
    p = placed(("2Pz/2Rec", "E3001"), scenario="S1", turn=4)
    p.columns = 1 << unit_("2Pz/2Rec")
    ground = facts().ground
    beside = next(to for to, _ in ground.around(at("E3001")) if ground.roads.between(at("E3001"), to))
    start = next(to for to, _ in ground.around(beside) if ground.roads.between(beside, to) and to != at("E3001"))
    p.where[unit_("Lehr/130Rec")] = start
    cost, _ = Walk(Situation(facts(), p), unit_("Lehr/130Rec"), start, strategic=28).next_steps()[beside]
    walk = Walk(Situation(facts(), p), unit_("Lehr/130Rec"), start, strategic=cost)
    assert beside in walk.next_steps()
    assert beside not in walk.options()


@pytest.mark.rule("ardennes_44", "11.1", "11.2", "11.3")
def test_who_bears_no_marker_moves_as_the_rules_for_all_cases_say() -> None:
    p = placed(turn=9)
    for reduced in (0, facts().of_side[GERMAN] | facts().of_side[ALLIED]):
        p.reduced = reduced
        for unit in range(len(facts().rows)):
            assert allowance(facts(), p, unit) == _under_markers(facts(), p, unit)

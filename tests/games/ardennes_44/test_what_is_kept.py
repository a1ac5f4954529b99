"""What is kept from one question to the next is what would be found anew."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.core.spaces import lowest, members
from bulge.games.ardennes_44.arrivals import due
from bulge.games.ardennes_44.counters import GERMAN, SIDES
from bulge.games.ardennes_44.facts import ABSENT, DUE, GONE
from bulge.games.ardennes_44.ground import TOO_DEAR
from bulge.games.ardennes_44.moving import movable, must_leave
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.standing import Standing, loose_units
from bulge.games.ardennes_44.walking import WhoMoves
from tests.games.ardennes_44.helpers import ardennes, at, facts, placed
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
        standing, anew = standing.with_some(moved, where, loose), Standing(facts(), field, where, loose)
        assert standing.stacks == anew.stacks
        assert standing.occupied == anew.occupied
        for side in SIDES:
            ours, theirs = standing.armies[side], anew.armies[side]
            assert (ours.on_map, ours.boxed, ours.due, ours.gone) == (
                *(theirs.on_map, theirs.boxed, theirs.due),
                theirs.gone,
            )
            assert (ours.places, ours.loose, ours.zone) == (theirs.places, theirs.loose, theirs.zone)


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

"""The computer's free set-ups in The Ardennes Offensive, and the count of stacks that its evaluation lives on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.core.spaces import members, union
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge.ardennes_offensive import ArdennesKnowledge, make
from bulge.players.knowledge.ardennes_offensive.tally import Counter, Tally


def set_up_by_greed(game: ArdennesOffensive, scenario: str) -> ArdennesPosition:
    match = Match(game, scenario, seed=seed_of("1"), keep_log=False)
    players = {side: GreedyPlayer(random.Random(1)) for side in game.players}
    while match.position.step.endswith("_setup"):
        match.choose(players[match.asked().side].choose(match))
    game.check(match.position)
    return match.position


def hexes(p: ArdennesPosition, units: range) -> set[int]:
    return {p.where[unit] for unit in units if p.where[unit] >= 0}


# ---------------------------------------------------------------------- free set-up


@pytest.mark.parametrize("scenario", ["3", "4", "5"])
def test_who_may_set_up_freely_does_as_planned(
    game: ArdennesOffensive, knowledge: ArdennesKnowledge, scenario: str
) -> None:
    facts, row = game.facts, game.facts.scenarios[scenario]
    before, after = game.set_up(scenario, {}), set_up_by_greed(game, scenario)
    for side, set_up in ((ALLIED, row.allied_set_up), (GERMAN, row.german_set_up)):
        units = facts.units_of[side]
        if set_up == "historical":
            assert [after.where[unit] for unit in units] == [before.where[unit] for unit in units]
            continue
        plan = knowledge.set_ups.plan(after if side == GERMAN else before, side)
        assert {unit: after.where[unit] for unit in plan} == plan
        front = union(hexes(before, units)) & facts.front[side]
        assert (union(hexes(after, units)) & facts.front[side]).bit_count() == front.bit_count()
        assert hexes(after, units) != hexes(before, units)


def test_germans_mass_so_that_the_first_attacks_are_worth_more(
    game: ArdennesOffensive, knowledge: ArdennesKnowledge
) -> None:
    p, set_ups = game.set_up("3", {}), knowledge.set_ups
    americans = {
        p.where[unit]: game.facts.strength[unit] for unit in game.facts.allied_units if p.where[unit] >= 0
    }
    front = {
        unit: p.where[unit]
        for unit in game.facts.german_units
        if game.facts.front[GERMAN] >> max(p.where[unit], 0) & 1
    }
    planned = {unit: set_ups.plan(p, GERMAN)[unit] for unit in front}
    assert set_ups._first_attacks(planned, americans) > 1.3 * set_ups._first_attacks(front, americans)


@pytest.mark.parametrize("scenario", ["4", "5"])
def test_allies_leave_no_road_open_and_hold_crossroads(game: ArdennesOffensive, scenario: str) -> None:
    facts, p = game.facts, set_up_by_greed(game, scenario)
    s = Situation(facts, p)
    roads = facts.front[ALLIED] & facts.road_hexes
    covered = s.occupied[ALLIED] | s.zones[ALLIED]
    assert not roads & ~covered
    behind = members(s.occupied[ALLIED] & facts.rear[ALLIED])
    assert len(behind) == 8
    assert all(facts.towns >> hex_ & 1 for hex_ in behind)


# ---------------------------------------------------------------------- the tally


def plainly(tally: Tally) -> Any:
    stacks = {
        side: {hex_: (s.count, s.face, s.attack, s.defence, s.worth) for hex_, s in found.items()}
        for side, found in tally.stacks.items()
    }
    return stacks, tally.total, tally.waiting, tally.units


def test_a_tally_kept_up_to_date_is_one_made_anew(game: ArdennesOffensive) -> None:
    """Units are put about, even among enemies, sent beside the map, lost, and change their mode; phases end."""
    facts, kept, rng = game.facts, Counter(game.facts), random.Random(1)
    p = set_up_by_greed(game, "4")
    roads, edge = members(facts.road_hexes & facts.passable), facts.entries["NE"]
    marched = waited = 0
    for number in range(400):
        for unit in rng.sample(range(len(facts.rows)), rng.choice((0, 1, 1, 2, 3))):
            p.road ^= rng.randrange(2) << unit
            if rng.random() < 0.3:
                continue  # it only changes its mode
            p.where[unit] = rng.choice([rng.choice(roads), rng.choice(roads), facts.beside[rng.choice(edge)], -1])
        if number % 50 == 49:
            p.turn += 1
            p.attacked, p.unsupplied, p.dormant = (rng.getrandbits(len(facts.rows)) for _ in range(3))
        s = Situation(facts, p)
        found = kept.tally(s)
        assert plainly(found) == plainly(Counter(facts).tally(s))
        assert all(union(found.stacks[side]) == s.occupied[side] for side in (GERMAN, ALLIED))
        marched += bool(s.marching[GERMAN] & s.occupied[GERMAN])
        waited += bool(found.waiting)
    assert min(marched, waited) > 100


def test_what_is_kept_does_not_change_an_evaluation(game: ArdennesOffensive) -> None:
    """One evaluation of a search remembers much of those before: it must find what a fresh one finds."""
    kept, fresh, rng = make(game), make(game), random.Random(1)
    p = set_up_by_greed(game, "4")
    p.step, p.turn = "german_movement", 2
    for _ in range(300):
        s = Situation(game.facts, p)
        near = game.board.within(s.occupied[ALLIED], 2) & game.facts.passable
        free = members(near & ~s.occupied[ALLIED] & ~s.occupied[GERMAN])
        p.where[rng.choice(game.facts.german_units)] = rng.choice(free)
        fresh.ground._groups.clear()
        fresh.ground._drives.clear()
        assert kept.value(p, GERMAN) == fresh.value(p, GERMAN)

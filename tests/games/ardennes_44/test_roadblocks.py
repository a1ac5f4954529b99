"""Roadblocks, where both players agree on them (rule 33)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.roadblocks import places_for_block, remove_overrun
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply
from tests.games.ardennes_44.helpers import answer, at, begun, empty, facts, placed, walk

GAME = "ardennes_44"


@pytest.mark.rule(GAME, "33.0", "33.1")
def test_a_roadblock_costs_two_and_shuts_the_way_to_columns_and_supply() -> None:
    way = walk("14Cav/18", "E3001", turn=4)
    hex_ = next(hex_ for hex_ in way.next_steps() if facts().ground.primary.between(at("E3001"), hex_))
    plain = way.next_steps()[hex_][0]
    blocked = walk("14Cav/18", "E3001", turn=4)
    blocked.mover.s.p.blocks_german[0] = hex_
    assert blocked.next_steps()[hex_][0] == plain + 2 * POINT
    column = walk("14Cav/18", "E3001", turn=4, strategic=28)
    column.mover.s.p.blocks_german[0] = hex_
    assert hex_ not in column.next_steps()
    p = empty()
    net = Supply(Situation(facts(), p), ALLIED).road_net()
    assert net >> hex_ & 1
    p.blocks_german[0] = hex_
    assert not Supply(Situation(facts(), p), ALLIED).road_net() >> hex_ & 1


@pytest.mark.rule(GAME, "33.2", "33.4")
def test_roadblocks_are_laid_on_roads_near_friends() -> None:
    p = placed(("99/394", "E3001"), ("12/48", "E3011"), step="allied_roadblocks")
    p.roadblocks = True
    s = Situation(facts(), p)
    places = places_for_block(s, ALLIED, 0)
    assert places
    assert not places & ~facts().ground.roads.hexes
    assert not places & s.next_to_enemy(ALLIED)
    match = begun(p, 1, 1)
    hex_ = match.asked().options[0]
    match.choose(hex_)
    answer(match, "leave_it")
    assert match.position.blocks_allied == [hex_, -1]
    early = empty(turn=2, step="german_roadblocks")
    early.roadblocks = True
    assert begun(early).asked().rule != "33.2"


@pytest.mark.rule(GAME, "33.3")
def test_a_roadblock_goes_at_the_end_of_the_phase_in_which_it_was_passed() -> None:
    p = empty()
    p.blocks_allied[0] = at("E2406")
    pass_through(begun(p).table, facts(), GERMAN, at("E2406"))
    assert p.blocks_allied[0] == at("E2406")
    remove_overrun(p, GERMAN)
    assert p.blocks_allied == [-1, -1]

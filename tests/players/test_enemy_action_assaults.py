"""Attacks of the Allied commander of Enemy Action: whom to march against whom, and when steps are worth it."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.games.enemy_action.facts import GERMAN, mask
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge.enemy_action.assaults import CUT_OFF
from bulge.players.knowledge.enemy_action.fights import dear
from bulge.players.knowledge.enemy_action.ground import Ground
from bulge.players.knowledge.enemy_action.pressure import Pressure
from tests.games.enemy_action.helpers import at, crisis, empty, place, sit, the_game, unit

DIVISION = ["CCA.2A.VII", "CCB.2A.VII", "CCR.2A.VII"]
SPEARHEAD = "2.2P.XLVII"


def a_spearhead_before_dinant(day: int = 25) -> EnemyActionPosition:
    """One regiment alone in Ciney, and an armored division two hexes behind it."""
    p = empty(day)
    place(p, **{SPEARHEAD: "1023"}, **dict.fromkeys(DIVISION, "0821"))
    p.german_towns |= 1 << at("1023")
    return p


def test_a_division_marches_up_to_a_lone_spearhead_and_attacks_it() -> None:
    p = a_spearhead_before_dinant()
    division = [unit(name) for name in DIVISION]
    ground = Ground(the_game().facts, p)
    assert not any(the_game().board.adjacent(p.where[one], at("1023")) for one in division)
    (assault,) = ground.assaults.of(division)
    assert assault.target == at("1023")
    assert set(assault.places) == set(division)
    assert all(the_game().board.adjacent(hex_, at("1023")) for hex_ in assault.places.values())
    assert ground.worth_of(division) >= assault.worth > 0

    p.active, p.step, p.hand, p.pile = mask(division), "allied_moves", 0, 0
    match = Match.at(the_game(), p, Scripted([1] * 40))
    player = GreedyPlayer(random.Random(0))
    while match.decision is not None and match.position.battle is None and match.position.active:
        match.choose(player.choose(match))
    assert match.position.battle is not None
    assert match.position.battle.target == at("1023")


def test_nobody_marches_against_a_stack_that_is_too_strong() -> None:
    p = a_spearhead_before_dinant()
    place(p, **{"3.2P.XLVII": "1023", "304.2P.XLVII": "1023"})
    assert not Ground(the_game().facts, p).assaults.of([unit(DIVISION[0])])


def test_germans_who_cut_supply_are_a_prize() -> None:
    """On 22 December nothing but the Germans in 1816 keeps Bastogne, with eight steps, out of supply."""
    ground = Ground(the_game().facts, crisis())
    assert ground.assaults.prize(at("1816")) >= 8 * CUT_OFF
    assert ground.assaults.prize(at("1712")) < 8 * CUT_OFF


@pytest.mark.parametrize(("day", "price"), [(16, 1.0), (20, 1.0), (29, 0.4)])
def test_steps_have_their_full_price_only_while_days_are_left_to_use_them(day: int, price: float) -> None:
    assert dear(the_game().facts, empty(day)) == pytest.approx(price)


def test_an_exit_that_the_next_objective_may_open_is_feared_already() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"Peiper.1SS.ISS": "0211"})
    exit_ = at("0113")

    def fear() -> float:
        return sum(threat.much for threat in Pressure(facts, sit(p)).threats if threat.goal == exit_)

    assert not fear()
    p.objective[0], p.table[0] = at("0209"), 2
    ahead = fear()
    assert ahead > 0
    p.exits |= 1 << exit_
    assert fear() > ahead


def test_a_stack_that_fell_back_once_loses_a_step_rather_than_its_order() -> None:
    p = empty(18)
    place(p, **{"16.1.V": "0709", "18.1.V": "0709", "Peiper.1SS.ISS": "0708"})
    units = mask(map(unit, ("16.1.V", "18.1.V")))
    place(p, **{"16.1.V": "0710", "18.1.V": "0710"})
    p.battle = Battle(
        GERMAN, at("0709"), 1 << unit("Peiper.1SS.ISS"), units, defender_hits=1, retreat=(at("0710"),)
    )
    p.step = "battle_defence"
    match = Match.at(the_game(), p, Scripted([1] * 20))
    assert "retreat" in match.asked().options
    assert GreedyPlayer(random.Random(0)).choose(match) != "retreat"

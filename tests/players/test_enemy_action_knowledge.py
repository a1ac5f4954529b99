"""What players know of Enemy Action: each thing that its Allied commander must see."""

from __future__ import annotations

import pytest

from bulge.games.enemy_action.facts import Facts
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.players.knowledge.enemy_action.ground import Ground
from bulge.players.knowledge.enemy_action.pressure import Pressure
from tests.games.enemy_action.helpers import at, empty, place, sit, the_game, unit

PANZERS, MORE_PANZERS = "3.2P.XLVII", "2.2P.XLVII"
ARMOR, MORE_ARMOR, FOOT = "CCB.10A.XII", "CCA.10A.XII", "26.1.V"
BASTOGNE, ST_VITH = "1814", "1108"


@pytest.fixture(scope="module")
def facts() -> Facts:
    return the_game().facts


def ground(p: EnemyActionPosition) -> Ground:
    return Ground(the_game().facts, p)


def test_a_town_within_one_move_is_nearly_lost_and_one_far_off_hardly_threatened(facts: Facts) -> None:
    p = empty(17)
    place(p, **{PANZERS: "1714"})
    threats = {threat.goal: threat for threat in Pressure(facts, sit(p)).threats}
    near, far = threats[at(BASTOGNE)], threats[at("0526")]
    assert near.much > 0.8 * near.worth
    assert far.much < 0.1 * far.worth


def test_whoever_stands_in_a_town_within_reach_takes_most_of_the_threat_away(facts: Facts) -> None:
    p = empty(17)
    place(p, **{PANZERS: "1711"})
    pressure = Pressure(facts, sit(p))
    inside, beside = (pressure.relief(at(hex_), unit(ARMOR)) for hex_ in (BASTOGNE, "1915"))
    assert inside > 1.0
    assert inside > 2 * beside


def test_the_second_unit_of_a_garrison_is_worth_more_than_its_bare_strength(facts: Facts) -> None:
    """Whoever can be outnumbered is attacked: strength together holds longer than strength apart."""
    p = empty(17)
    place(p, **{PANZERS: "1714", MORE_ARMOR: BASTOGNE})
    pressure, here = Pressure(facts, sit(p)), at(BASTOGNE)
    one, two = (pressure.stand(here, units) for units in ([unit(ARMOR)], [unit(ARMOR), unit(MORE_ARMOR)]))
    assert two > 2 * one - pressure.stand(here, [])
    assert pressure.relief(here, unit(ARMOR)) > 0


def test_an_empty_german_town_is_worth_going_back_into(facts: Facts) -> None:
    p = empty(23)
    place(p, **{PANZERS: "1508", ARMOR: "1915"})
    p.german_towns |= 1 << at(BASTOGNE)
    taken, other = (ground(p).score(at(hex_), unit(ARMOR)) for hex_ in (BASTOGNE, "1914"))
    assert taken > other + 2
    p.detachments |= 1 << at(BASTOGNE)
    assert ground(p).regained(at("1815")) > 0, "a detachment goes when its neighbour is activated"
    assert ground(p).regained(at("2018")) == 0


def test_one_unit_beside_an_exit_shuts_it(facts: Facts) -> None:
    p = empty(23)
    exit_, beside = at("1229"), "1228"
    place(p, **{PANZERS: "1226"})
    assert facts.exits >> exit_ & 1
    assert facts.board.adjacent(exit_, at(beside))

    def threat() -> float:
        return sum(threat.much for threat in Pressure(facts, sit(p)).threats if threat.goal == exit_)

    before = threat()
    assert Pressure(facts, sit(p)).relief(at(beside), unit(ARMOR)) > 0.7 * before
    place(p, **{ARMOR: beside})
    assert threat() < 0.3 * before

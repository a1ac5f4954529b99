"""Who digs in in Ardennes '44: infantry that stays near the enemy on ground that a position would better."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.match import Match
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.walking import DIG
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import ArmyKnowledge
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.knowledge.ardennes_44.digging import NEAR
from bulge.players.looking import Way
from tests.games.ardennes_44.helpers import ardennes, at, begun, facts, placed, unit

INFANTRY, SISTER, TANKS, GERMAN = "99/393", "99/394", "7Arm/CCR", "277/990"
OPEN, TOWN, ENEMY, FAR_OFF = "E1432", "E2125", "E1331", "E2030"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def digging(knowledge: Ardennes44Knowledge, *there: tuple[str, str]) -> dict[int, str]:
    p = placed(*there, step="allied_movement")
    return knowledge.while_staying(p, ALLIED, [unit(id_) for id_, _ in there[:-1]])


def test_infantry_near_the_enemy_digs_where_the_ground_is_poor(knowledge: Ardennes44Knowledge) -> None:
    ground, board = facts().ground, facts().board
    assert ground.hex_bonus(at(OPEN)) < ground.terrain["improved"].bonus <= ground.hex_bonus(at(TOWN))
    enemy = GERMAN, ENEMY
    assert digging(knowledge, (INFANTRY, OPEN), enemy) == {unit(INFANTRY): DIG}
    assert digging(knowledge, (TANKS, OPEN), enemy) == {}
    near_town = board.name(board.neighbour(at(TOWN), 0))
    assert digging(knowledge, (INFANTRY, TOWN), (GERMAN, near_town)) == {}
    assert board.distance(at(FAR_OFF), at(ENEMY)) > NEAR
    assert digging(knowledge, (INFANTRY, FAR_OFF), enemy) == {}


def test_one_unit_digs_for_all_in_its_hex(knowledge: Ardennes44Knowledge) -> None:
    assert len(digging(knowledge, (INFANTRY, OPEN), (SISTER, OPEN), (GERMAN, "E1132"))) == 1


def test_who_could_attack_with_strength_enough_does_not_dig(knowledge: Ardennes44Knowledge) -> None:
    beside = facts().board.name(facts().board.neighbour(at(ENEMY), 3))
    alone = digging(knowledge, (INFANTRY, OPEN), (GERMAN, ENEMY))
    together = digging(knowledge, (INFANTRY, OPEN), (SISTER, OPEN), (TANKS, beside), (GERMAN, ENEMY))
    assert alone
    assert not together


class _Stays(GreedyPlayer):
    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        return []


def test_a_player_gives_the_order_to_those_whom_it_sends_nowhere() -> None:
    match = begun(placed((INFANTRY, OPEN), (TANKS, TOWN), (GERMAN, ENEMY), step="allied_movement"))
    player = _Stays(random.Random(1))
    while match.position.step == "allied_movement":
        match.choose(player.choose(match))
    assert match.position.digging == 1 << at(OPEN)
    assert match.position.dug == 1 << unit(INFANTRY)

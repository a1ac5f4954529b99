"""Who is marked for the night in Ardennes '44: strong stacks that stay, behind those who fight by day."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.match import Match
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.walking import DIG, NIGHT
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import ArmyKnowledge
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.looking import Way
from tests.games.ardennes_44.helpers import ardennes, at, begun, facts, placed, unit

EVENING = 4
TANKS, GRENADIERS, MORE, INFANTRY = "1SS/1/PzV", "1SS/1", "1SS/1/PzIV", "277/990"
ENEMY = ("99/393", "E1432")
BESIDE, BEHIND, FARTHER, REAR = "E1331", "E1330", "E1329", "E1128"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def on_the_evening(*there: tuple[str, str], turn: int = EVENING) -> Ardennes44:
    return placed(*there, ENEMY, turn=turn, step="german_movement")


def for_the_night(knowledge: Ardennes44Knowledge, *there: tuple[str, str], turn: int = EVENING) -> list[str]:
    staying = [unit(id_) for id_, _ in there]
    said = knowledge.while_staying(on_the_evening(*there, turn=turn), GERMAN, staying)
    return [facts().rows[each].id for each, word in said.items() if word == NIGHT]


def test_stacks_are_marked_in_the_evening_but_not_the_last(knowledge: Ardennes44Knowledge) -> None:
    assert for_the_night(knowledge, (TANKS, BEHIND)) == [TANKS]
    assert for_the_night(knowledge, (TANKS, BEHIND), turn=EVENING + 1) == []
    assert for_the_night(knowledge, (TANKS, BEHIND), turn=EVENING + 2) == []


def test_who_stands_next_to_the_enemy_fights_by_day(knowledge: Ardennes44Knowledge) -> None:
    assert facts().board.distance(at(BESIDE), at(ENEMY[1])) == 1
    assert for_the_night(knowledge, (TANKS, BESIDE)) == []


def test_one_of_a_stack_speaks_for_all(knowledge: Ardennes44Knowledge) -> None:
    assert len(for_the_night(knowledge, (TANKS, BEHIND), (GRENADIERS, BEHIND))) == 1


def test_the_three_strongest_near_the_enemy_are_marked(knowledge: Ardennes44Knowledge) -> None:
    everybody = ((INFANTRY, REAR), (TANKS, BEHIND), (MORE, FARTHER), (GRENADIERS, "E1230"))
    assert set(for_the_night(knowledge, *everybody)) == {TANKS, MORE, GRENADIERS}


def test_germans_come_up_by_night_where_allies_dig(knowledge: Ardennes44Knowledge) -> None:
    germans = on_the_evening((INFANTRY, BEHIND))
    assert knowledge.while_staying(germans, GERMAN, [unit(INFANTRY)]) == {unit(INFANTRY): NIGHT}
    allies = placed(("99/394", "E1532"), (INFANTRY, "E1331"), turn=EVENING, step="allied_movement")
    assert knowledge.while_staying(allies, ALLIED, [unit("99/394")]) == {unit("99/394"): DIG}


class _StaysByDay(GreedyPlayer):
    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        return super().plan_moves(twin, knowledge) if twin.position.night else []


def test_a_stack_marked_by_its_player_goes_for_a_town_by_night() -> None:
    match = begun(on_the_evening((TANKS, BEHIND), (GRENADIERS, BEHIND)), *[3] * 60)
    player = _StaysByDay(random.Random(1))
    while not match.position.step.startswith("allied"):
        match.choose(player.choose(match))
    assert match.position.night_marked == 1 << unit(TANKS) | 1 << unit(GRENADIERS)
    assert not match.position.dug
    while match.position.turn == EVENING:
        match.choose(player.choose(match))
    assert facts().victory_hexes >> match.position.where[unit(GRENADIERS)] & 1

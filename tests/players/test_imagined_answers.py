"""Whoever is imagined to answer, friend or enemy, answers as he would: no attack counts on an obliging enemy."""

from __future__ import annotations

from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players import planner
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import armies_of, knowledge_of
from bulge.players.levels import player_for
from bulge.players.looking import Attack, OneFace, best_attacks, expected_after, settle
from bulge.players.planner import PlannerPlayer
from bulge.players.weighing import Weighing

GAME = load_game("the_bulge")
KNOWLEDGE = armies_of(GAME)
WEIGHING = Weighing(knowledge_of(GAME))
FACES = 6


def after_each_face(match: Match[Any], rolling: Choice, side: str) -> list[float]:
    """What the position is worth after every face of the die that a choice rolls, all answering as they would."""
    assert KNOWLEDGE is not None
    worths = []
    for face in range(FACES):
        ahead = match.copy()
        ahead.table.chance = OneFace(face, ahead.position.drawn, ahead.table.chance)
        ahead.choose(rolling)
        settle(ahead, WEIGHING.answer)
        worths.append(WEIGHING.value(ahead, side))
    return worths


@pytest.mark.parametrize("level", ["greedy", "veteran", "general"])
@pytest.mark.parametrize("number", range(4))
def test_no_attack_of_the_opening_is_one_that_no_result_can_better(level: str, number: int) -> None:
    assert KNOWLEDGE is not None
    match: Match[Any] = Match(GAME, seed=seed_of(f"opening {number}"))
    player = player_for(level, GAME, "German", f"opening {number}", by_the_clock=False)
    enemy = GreedyPlayer.seeded("enemy")
    rolled, before = 0, 0.0
    while match.decision is not None and match.position.step == "german_combat_1":
        decision, twin = match.decision, match.copy()
        if decision.top:
            before = WEIGHING.value(match, "German")
        choice = (player if decision.side == "German" else enemy).choose(match)
        match.choose(choice)
        if match.position.drawn > twin.position.drawn:
            rolled += 1
            assert max(after_each_face(twin, choice, "German")) > before
    assert rolled


def test_an_imagined_garrison_stands_where_standing_is_better() -> None:
    """Before Monschau the cavalry may retreat before combat (14.2); behind the town's walls it does not."""
    assert KNOWLEDGE is not None
    match: Match[Any] = Match(GAME, seed=seed_of("monschau"))
    match.answer("0105")
    while match.decision is not None and match.decision.side == "German":
        able = [choice for choice in match.decision.options if isinstance(choice, int)]
        match.choose(able[0] if able else KNOWLEDGE.launch)
    decision = match.asked()
    assert decision.side == "Allied"
    assert "stand" in decision.options
    assert WEIGHING.answer(match) == "stand"


def attack_of_the_opening() -> tuple[Match[Any], list[Choice]]:
    """The German combat phase of the first turn, and an attack that the planner would look at."""
    assert KNOWLEDGE is not None
    match: Match[Any] = Match(GAME, seed=seed_of("columns"))
    worth = KNOWLEDGE.worth
    attack = best_attacks(match, KNOWLEDGE.launch, lambda *what: worth(match.position, "German", *what))[0]
    return match, [*attack.opening, *attack.units]


def test_a_column_is_chosen_before_anybody_knows_what_the_die_will_show() -> None:
    """Before, the imagined attacker took for every face the column on which that face was best (13.14)."""
    match, choices = attack_of_the_opening()
    asked: list[Choice] = []

    def answer(twin: Match[Any]) -> Choice:
        choice = WEIGHING.answer(twin)
        if twin.asked().rule == "13.14":
            asked.append(choice)
        return choice

    expected_after(match, choices, "attack", answer, lambda after: WEIGHING.value(after, "German"))
    assert len(asked) == 1
    for choice in choices:
        match.choose(choice)
    if "attack" in match.asked().options:
        match.choose("attack")
    while match.asked().rule != "13.14":
        match.choose(WEIGHING.answer(match))
    for face in range(FACES):
        known = match.copy()
        known.table.chance = OneFace(face, known.position.drawn, known.table.chance)
        assert WEIGHING.answer(known) == asked[0]


def test_an_attack_is_worth_no_more_than_on_its_best_column() -> None:
    match, choices = attack_of_the_opening()

    def value(after: Match[Any]) -> float:
        return WEIGHING.value(after, "German")

    found = expected_after(match, choices, "attack", WEIGHING.answer, value)
    for choice in [*choices, "attack"]:
        if choice in match.asked().options:
            match.choose(choice)
    while match.asked().rule != "13.14":
        match.choose(WEIGHING.answer(match))
    by_column = [sum(after_each_face(match, column, "German")) / FACES for column in match.asked().options]
    assert found <= max(by_column) + 1e-9


def test_in_a_battle_the_imagined_choose_as_players_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the exact chances of each column, and without playing any of them on."""
    match, choices = attack_of_the_opening()
    for choice in [*choices, "attack"]:
        if choice in match.asked().options:
            match.choose(choice)
    while match.asked().rule != "13.14":
        match.choose(WEIGHING.answer(match))
    monkeypatch.setattr(Weighing, "_outlook", None)
    assert WEIGHING.answer(match) == GreedyPlayer.seeded("column").choose(match)


def test_no_attack_is_made_of_which_no_result_is_worth_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is pushed back in a town may stay (13.18): at low odds only the attacker loses, whatever he imagines."""
    match: Match[Any] = Match(GAME, seed=seed_of("futile"))
    target = next(choice for choice in match.asked().options if isinstance(choice, int))
    monkeypatch.setattr(PlannerPlayer, "_gain", lambda *_: 10.0)
    for odds, hope, made in ((-0.2, 0.0, False), (-0.2, 1.0, True), (-1.0, 1.0, False)):
        attack = Attack(target, (target,), (), odds, "0", hope)
        monkeypatch.setattr(planner, "best_attacks", lambda *_, attack=attack: [attack])
        player = PlannerPlayer.seeded("futile")
        assert (player.choose(match) == target) == made

"""Hints offer plans that differ, each with its worth, and know nothing that their asker does not."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.knowledge import armies_of, unit_question
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.proposals import LEAST_APART, MOST, Proposal, hint_words, proposals
from bulge.players.random_player import RandomPlayer

EFFORT = Effort(evaluations=500, plans=6, replies=0, breadth=6)


@pytest.fixture(scope="module")
def begun() -> Match[Any]:
    return first_moves("the_bulge")


def first_moves(id_: str) -> Match[Any]:
    """The first phase of moves of a game."""
    game = load_game(id_)
    armies, match = armies_of(game), Match(game, seed=seed_of("1"))
    assert armies is not None
    while unit_question(match, armies) != "move":
        match.choose(match.asked().options[-1])
    return match


def proposed(match: Match[Any], seed: int = 3, effort: Effort = EFFORT) -> tuple[Proposal, ...]:
    twin = match.copy_for(match.asked().side, random.Random(7))
    player = PlannerPlayer(random.Random(seed), effort)
    player.take_all_the_time()
    player.choose(twin)
    return proposals(player, twin)


@pytest.fixture(scope="module")
def found(begun: Match[Any]) -> list[tuple[Proposal, ...]]:
    return [proposed(begun, seed) for seed in range(2)]


def test_plans_differ_from_each_other(found: list[tuple[Proposal, ...]]) -> None:
    assert any(len(plans) > 1 for plans in found)
    for plans in found:
        assert 1 <= len(plans) <= MOST
        ends = [{step.unit: step.to for step in plan.steps} for plan in plans]
        for number, one in enumerate(ends):
            for other in ends[:number]:
                assert sum(one.get(unit) != other.get(unit) for unit in one.keys() | other.keys()) >= LEAST_APART
        assert all(plan.worth <= 0 and plan.words for plan in plans)


def test_worth_is_a_chance_with_its_range_where_that_was_learned(found: list[tuple[Proposal, ...]]) -> None:
    for plan in (plan for plans in found for plan in plans):
        assert plan.chance is not None
        assert plan.low is not None
        assert plan.high is not None
        assert 0 <= plan.low <= plan.chance <= plan.high <= 1


def test_who_does_not_plan_proposes_nothing(begun: Match[Any]) -> None:
    assert proposals(RandomPlayer(random.Random(1)), begun) == ()


def test_plans_follow_from_what_the_asker_may_know(begun: Match[Any]) -> None:
    """Other dice to come, and secrets dealt otherwise, give the same plans."""
    other = begun.copy_for(begun.asked().side, random.Random(99))
    assert proposed(other) == proposed(begun)


def test_the_plan_that_is_carried_out_is_the_best_of_all(begun: Match[Any]) -> None:
    """It is chosen for what the enemy leaves of it, so that is what the others are measured by."""
    for seed in range(4):
        first, *others = proposed(begun, seed, replace(EFFORT, replies=2))
        assert first.worth == 0
        assert all(other.worth <= 0 for other in others)


@pytest.mark.parametrize("id_", ["the_bulge", "ardennes_offensive", "ardennes_44"])
def test_plans_can_be_sent_to_a_page(id_: str) -> None:
    plans = proposed(first_moves(id_), effort=replace(EFFORT, evaluations=60, plans=2))
    assert msgspec.json.decode(msgspec.json.encode(plans), type=tuple[Proposal, ...]) == plans
    assert plans


@pytest.mark.parametrize(
    ("choice", "why", "said"),
    [
        ("E1430", "attack E1430: 12 against 4, worth +3.1", "attack E1430: 12 against 4, worth +3.1"),
        ("done", "no attack is worth its risk", "done: no attack is worth its risk"),
        ("stay here", "stay here: it holds the road", "stay here: it holds the road"),
        ("E1430", "", "E1430"),
    ],
)
def test_a_hint_names_what_it_advises_once(choice: str, why: str, said: str) -> None:
    assert hint_words(choice, why) == said

"""Commands against rules that play the enemy are tried out, on copies, with draws of the player's own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.games.enemy_action.allied_cards import BACK
from bulge.players.commanding import by_evidence, play_on, tried_out
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import CommandKnowledge, knowledge_of
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.weighing import Weighing

DICE = (0.25, 0.75)
HASTY = Effort(replies=1, breadth=2)


@pytest.fixture(scope="module")
def first_command() -> Match[Any]:
    match = Match(load_game("enemy_action"), "initial_assault", seed=seed_of("command"), keep_log=False)
    player = GreedyPlayer(random.Random(0))
    while not (match.asked().top and match.asked().rule == "5.1"):
        match.choose(player.choose(match))
    return match


def worth(match: Match[Any]) -> float:
    return Weighing(knowledge_of(match.game)).value(match, "Allied")


def tried(
    match: Match[Any], choices: list[Any], dice: tuple[float, ...] = DICE, *, hurried: bool = False
) -> list[list[float]]:
    return tried_out(match, choices, "5.1", dice, worth, lambda: hurried)


def test_only_enemy_action_is_played_by_commands_against_rules() -> None:
    assert [id_ for id_ in GAMES if isinstance(knowledge_of(load_game(id_)), CommandKnowledge)] == ["enemy_action"]


def test_a_trial_goes_on_to_the_next_command_and_repeats_itself(first_command: Match[Any]) -> None:
    before, choices = first_command.position.copy(), list(first_command.asked().options[:2])
    assert tried(first_command, choices) == tried(first_command, choices)
    assert first_command.position == before
    ahead = first_command.copy_for("Allied", random.Random(DICE[0]))
    ahead.choose(choices[0])
    play_on(ahead, "5.1")
    assert ahead.decision is None or (ahead.decision.top and ahead.decision.rule == "5.1")
    assert ahead.position != before
    assert tried(first_command, choices[:1], DICE[:1]) == [[worth(ahead)]]


def test_whoever_runs_out_of_time_has_met_one_draw_at_least(first_command: Match[Any]) -> None:
    choices = list(first_command.asked().options[:1])
    assert tried(first_command, choices, hurried=True) == tried(first_command, choices, DICE[:1])


def test_a_planner_takes_the_command_that_stands_best_at_the_next_one(
    first_command: Match[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = list(first_command.asked().options)
    knowledge, p, asked = knowledge_of(first_command.game), first_command.position, first_command.asked()
    second = sorted(options, key=lambda option: -(knowledge.prior(p, asked, option) or 0.0))[1]
    monkeypatch.setattr(
        "bulge.players.planner.tried_out",
        lambda twin, choices, *_: [[100.0] if choice == second else [0.0] for choice in choices],
    )
    assert PlannerPlayer(random.Random(0), HASTY).choose(first_command) == second
    assert GreedyPlayer(random.Random(0)).choose(first_command) != second


def test_a_card_that_was_taken_up_is_not_put_back_however_that_would_look(
    first_command: Match[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A veteran took up the same card and put it back without end."""
    match, player = first_command.copy_for("Allied", random.Random(0)), GreedyPlayer(random.Random(0))
    while BACK not in match.asked().options:
        match.choose(player.choose(match))
    assert match.asked().rule == "5.1"
    monkeypatch.setattr(
        "bulge.players.planner.tried_out",
        lambda twin, choices, *_: [[100.0] if choice == BACK else [0.0] for choice in choices],
    )
    assert PlannerPlayer(random.Random(0), Effort(replies=1)).choose(match) != BACK


def test_a_lead_that_hangs_on_one_draw_counts_less_than_one_on_every_draw() -> None:
    favourite = [0.0, 0.0, 0.0, 0.0]
    assert by_evidence(favourite, favourite) == 0.0
    assert by_evidence([1.0] * 4, favourite) == 1.0
    assert by_evidence([4.0, 0.0, 0.0, 0.0], favourite) == pytest.approx(0.0)
    assert by_evidence([2.0], [0.0]) == 1.0

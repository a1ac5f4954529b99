"""Where rules play the enemy: likely commands are tried out on copies, against several draws of what may come."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.greedy import GreedyPlayer

MOST_CHOICES_ON_THE_WAY = 200


def tried_out(
    twin: Match[Any],
    choices: Sequence[Choice],
    command_rule: str,
    dice: Sequence[float],
    value: Callable[[Match[Any]], float],
    out_of_time: Callable[[], bool],
) -> list[float]:
    """For each choice the mean value at the next command. All meet the same draws, so that luck hardly tells."""
    side = twin.asked().side
    totals, done = [0.0] * len(choices), 0
    for seed in dice:
        if done and out_of_time():
            break
        for number, choice in enumerate(choices):
            ahead = twin.copy_for(side, random.Random(seed))
            ahead.choose(choice)
            play_on(ahead, command_rule)
            totals[number] += value(ahead)
        done += 1
    return [total / done for total in totals]


def play_on(ahead: Match[Any], command_rule: str) -> None:
    """By rules of thumb until the next command is asked for, or the game is over."""
    player = GreedyPlayer(random.Random(0))
    for _ in range(MOST_CHOICES_ON_THE_WAY):
        decision = ahead.decision
        if decision is None or (decision.top and decision.rule == command_rule):
            return
        ahead.choose(player.choose(ahead))

"""Where rules play the enemy: likely commands are tried out on copies, against several draws of what may come."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
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
) -> list[list[float]]:
    """For each choice its values at the next command. All meet the same draws, so that luck hardly tells."""
    side = twin.asked().side
    values: list[list[float]] = [[] for _ in choices]
    for seed in dice:
        if values[0] and out_of_time():
            break
        for choice, found in zip(choices, values, strict=True):
            ahead = twin.copy_for(side, random.Random(seed))
            ahead.choose(choice)
            play_on(ahead, command_rule)
            found.append(value(ahead))
    return values


def by_evidence(values: Sequence[float], favourites: Sequence[float]) -> float:
    """The mean of a choice, less what chance may have added to its lead over the favourite on the same draws."""
    leads = [mine - his for mine, his in zip(values, favourites, strict=True)]
    error = stdev(leads) / sqrt(len(leads)) if len(leads) > 1 else abs(leads[0]) / 2
    return fmean(values) - error


def play_on(ahead: Match[Any], command_rule: str) -> None:
    """By rules of thumb until the next command is asked for, or the game is over."""
    player = GreedyPlayer(random.Random(0))
    for _ in range(MOST_CHOICES_ON_THE_WAY):
        decision = ahead.decision
        if decision is None or (decision.top and decision.rule == command_rule):
            return
        ahead.choose(player.choose(ahead))

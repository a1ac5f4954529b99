"""Which runs belong together: the plain one of a model, those by players that plan ahead, and those with an if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bulge.core.errors import BulgeError
from bulge.lab.atlas.models import models
from bulge.lab.plan import Plan

BY_A_GLANCE = ("random", "greedy")
"""Players that look no farther than what they decide now; all others plan ahead."""
PLAIN = "greedy"
"""By whom the runs are played that all models have."""
SAME = ("seed", "options", "overrides")
"""What is alike in runs that differ by their players; the number of games may differ, and a program that plays the
same games in less time is another one."""

WAYS_OUT = (
    "the atlas shows one run of a model, and beside it those by players that plan ahead; a run with another "
    "option or overrides goes with --what-if NAME=DIR"
)


class Run(NamedTuple):
    """What is known of a run before any figure is made."""

    plan: Plan
    scenario: str
    what_if: str = ""

    @property
    def players(self) -> dict[str, str]:
        """By side; where nobody searches, the stronger levels are one player."""
        if not models()[self.plan.game].one_player:
            return self.plan.players
        return {
            side: level if level in ("random", "recruit") else PLAIN for side, level in self.plan.players.items()
        }

    @property
    def plans_ahead(self) -> bool:
        one = models()[self.plan.game].one_player
        return not one and any(level not in BY_A_GLANCE for level in self.plan.players.values())

    @property
    def words(self) -> str:
        called = f" ({self.what_if})" if self.what_if else ""
        return f"{self.plan.game}, scenario {self.scenario}, by {players_of(self.plan.players)}{called}"


def players_of(players: dict[str, str]) -> str:
    """In a word where one player plays every side, else side by side."""
    levels = set(players.values())
    return (
        levels.pop() if len(levels) == 1 else " and ".join(f"{level} ({side})" for side, level in players.items())
    )


def besides(runs: Sequence[Run]) -> list[int | None]:
    """For each run, the place of the one that it is laid beside; None for the plain run of a model.

    Nobody says which is which: of runs without an if, those by players that plan ahead belong to the other one.
    """
    return [_with_an_if(run, runs) if run.what_if else _by_others(run, runs) for run in runs]


def _by_others(run: Run, runs: Sequence[Run]) -> int | None:
    """The plain run of its model, or None for that one."""
    same = [each for each in runs if not each.what_if and _model(each) == _model(run)]
    plain = [each for each in same if not each.plans_ahead]
    if len({players_of(each.players) for each in same}) < len(same):
        raise BulgeError(f"these runs are by the same players: {_listed(same)}; {WAYS_OUT}")
    if len(plain) > 1:
        raise BulgeError(f"in none of these runs anybody plans ahead: {_listed(same)}; {WAYS_OUT}")
    if len(same) == 1:
        return None
    if not plain:
        raise BulgeError(
            f"which of these is the plain run: {_listed(same)}? Name one by {PLAIN} as well, or only one of them"
        )
    if run is plain[0]:
        return None
    if differing := [name for name in SAME if getattr(run.plan, name) != getattr(plain[0].plan, name)]:
        raise BulgeError(
            f"{run.words} cannot be laid beside {plain[0].words}: "
            f"they differ in {' and '.join(differing)}, and may only in players and the number of games"
        )
    return runs.index(plain[0])


def _with_an_if(run: Run, runs: Sequence[Run]) -> int:
    """The run without it, by the same players: else what players change would be taken for what the if does."""
    if sum(each.what_if == run.what_if and each.words == run.words for each in runs) > 1:
        raise BulgeError(f"two runs are called {run.what_if!r}: {run.words}")
    same = [each for each in runs if not each.what_if and each.plan.game == run.plan.game]
    of_these = [each for each in same if each.players == run.players]
    if not of_these:
        there = f"there is {_listed(same)}" if same else "there is none of that game"
        raise BulgeError(
            f"{run.words} has no run without its if and by the same players to be compared with: {there}"
        )
    return runs.index(next((each for each in of_these if each.scenario == run.scenario), of_these[0]))


def _model(run: Run) -> tuple[str, str]:
    return run.plan.game, run.scenario


def _listed(runs: Sequence[Run]) -> str:
    return "; ".join(run.words for run in runs)

"""Chances of winning: what an evaluation is worth, learned from games whose end is known.

`bulge tune` fits the weights and writes the file; it says which games they come from and how well they foretell
others. A scenario that no such file knows has no chances: better none than invented ones.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import exp
from typing import Annotated, Any, NamedTuple

import msgspec

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.players.knowledge import BoundedKnowledge, knowledge_of


class Model(msgspec.Struct, frozen=True, omit_defaults=True):
    """A logistic model: the chance of the first side, by the terms of the evaluation and the time that is left.

    Where a game is won in several ways, each has a model, and its chance counts where those before it fail.
    """

    scenarios: dict[str, float]
    """What each scenario adds; of others the model knows nothing."""
    steps: dict[str, float]
    """What each step of the sequence of play adds."""
    turns: tuple[float, ...]
    """What each turn adds, from the first to the last."""
    terms: dict[str, tuple[float, float]]
    """What each term counts for, and how much more by the last turn."""
    otherwise: Model | None = None
    """The same for the other ways to win, if it is not won in this one."""

    def chance(self, features: dict[str, float], scenario: str, turn: int, step: str) -> float:
        """The chance that the first side wins."""
        late = turn / len(self.turns)
        logit = self.scenarios[scenario] + self.steps.get(step, 0.0)
        logit += self.turns[min(turn, len(self.turns)) - 1]
        for name, (steady, growing) in self.terms.items():
            logit += (steady + growing * late) * features.get(name, 0.0)
        chance = 1 / (1 + exp(-max(-30.0, min(30.0, logit))))
        if self.otherwise is None:
            return chance
        return chance + (1 - chance) * self.otherwise.chance(features, scenario, turn, step)


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned about a game, and from what."""

    game: str
    made_by: str
    """The commands that made it, in order."""
    games: int
    positions: int
    log_loss: float
    auc: float
    """On games that a fit had not seen; 0.693 and 0.5 would be guessing."""
    model: Model
    resampled: Annotated[tuple[Model, ...], msgspec.Meta(min_length=1)]
    """The same fit to games drawn from these with replacement: how far they differ says how sure the model is."""


class Estimate(NamedTuple):
    """A chance, and the range in which four of five fits have it."""

    chance: float
    low: float
    high: float

    def of_the_other(self) -> Estimate:
        return Estimate(1 - self.chance, 1 - self.high, 1 - self.low)


@cache
def weights_of(game: str, scenario: str) -> Weights | None:
    """What was learned about a scenario of a game; None if nothing was."""
    for file in (files("bulge.players") / "weights" / game).iterdir() if game in _learned() else ():
        if not file.name.endswith(".json"):
            continue
        try:
            found = msgspec.json.decode(file.read_bytes(), type=Weights)
        except msgspec.MsgspecError as error:
            raise BulgeError(f"{file} is damaged: {error}") from None
        if scenario in found.model.scenarios:
            return found
    return None


@cache
def _learned() -> frozenset[str]:
    """The games of which something was learned: each has a folder, with a file for scenarios that are alike."""
    return frozenset(folder.name for folder in (files("bulge.players") / "weights").iterdir())


def estimate(game: Game[Any], scenario: str, p: Any, side: str) -> Estimate | None:
    """The chance that a side wins from a position; None in a scenario of which nothing was learned."""
    weights = weights_of(game.id, scenario)
    if weights is None:
        return None
    first = game.players[0]
    knowledge = knowledge_of(game)
    features = knowledge.features(p)
    least, most = knowledge.bounds(features) if isinstance(knowledge, BoundedKnowledge) else (0.0, 1.0)

    def chance(model: Model) -> float:
        return min(most, max(least, model.chance(features, scenario, p.turn, p.step)))

    others = sorted(map(chance, weights.resampled))
    middle, spared = chance(weights.model), len(others) // 10
    found = Estimate(middle, min(middle, others[spared]), max(middle, others[-1 - spared]))
    return found if side == first else found.of_the_other()

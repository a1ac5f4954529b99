"""What positions are worth to whoever looks ahead at them, and what others would answer on the way there."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.knowledge import Knowledge, armies_of
from bulge.players.looking import expected

MOST_ANSWERS_WEIGHED = 6
"""Of the answers to a question, only so many are weighed against each other."""
WON = 1000.0
MOST_REMEMBERED = 4000


class Weighing:
    """Weighs each position once: faces of a die, and answers to them, lead to the same ones again and again."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._values: dict[tuple[str, bytes], float] = {}

    def value(self, match: Match[Any], side: str) -> float:
        """The position for a side; one that is won or lost is beyond all others."""
        if match.result is not None:
            return WON if match.result.winner == side else -WON
        key = side, pickle.dumps(match.position)
        value = self._values.get(key)
        if value is None:
            if len(self._values) >= MOST_REMEMBERED:
                self._values.clear()
            value = self._values[key] = self.knowledge.value(match.position, side)
        return value

    def answer(self, twin: Match[Any]) -> Choice:
        """What whoever is asked would answer, friend or enemy: what leaves him best off, as things look."""
        decision = twin.asked()
        if len(decision.options) == 1:
            return decision.options[0]
        options: Sequence[Choice] = decision.options
        worths = by_odds(twin, options)
        if worths is None:
            options = self.likeliest(twin)
            worths = [self._outlook(twin, decision.side, choice) for choice in options]
        return options[worths.index(max(worths))]

    def likeliest(self, match: Match[Any]) -> Sequence[Choice]:
        """Of the answers to a question those to weigh: the best by rules of thumb, or the first."""
        decision = match.asked()
        if len(decision.options) > MOST_ANSWERS_WEIGHED:
            priors = {choice: self._prior(match, choice) for choice in decision.options}
            if None not in priors.values():
                return sorted(priors, key=lambda choice: -(priors[choice] or 0.0))[:MOST_ANSWERS_WEIGHED]
        return decision.options[:MOST_ANSWERS_WEIGHED]

    def _outlook(self, twin: Match[Any], side: str, choice: Choice) -> float:
        """What an answer leads to for a side, over every face of a die that falls then; to whatever follows from
        it the first answer is given."""
        prior = self._prior(twin, choice)
        if prior is not None:
            return prior
        return expected(
            twin, choice, lambda after: after.asked().options[0], lambda after: self.value(after, side)
        )

    def _prior(self, match: Match[Any], choice: Choice) -> float | None:
        return self.knowledge.prior(match.position, match.asked(), choice)


def by_odds(twin: Match[Any], options: Sequence[Choice]) -> list[float] | None:
    """What options are worth to whoever is asked where each is one way to fight the same battle: its exact chances
    decide. None where something else is asked."""
    decision, knowledge = twin.asked(), armies_of(twin.game)
    battle = getattr(decision.about, "battle", decision.about)
    if knowledge is None or not getattr(battle, "attackers", None):
        return None
    if any(isinstance(choice, int) for choice in options):
        return None
    sign = 1.0 if battle.side == decision.side else -1.0
    worths = []
    for choice in options:
        preview = twin.preview(choice)
        if preview is None:
            return None
        known = {
            result: knowledge.worth(twin.position, battle.side, battle.target, battle.attackers, result)
            for result, _ in preview.chances
        }
        worths.append(sign * sum(float(chance) * known[result] for result, chance in preview.chances))
    return worths

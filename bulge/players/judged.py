"""What decisions were worth before the dice: attacks that were made or left out, and answers to the enemy.

An attack is compared with how things stood before it, in the same phase: those of another cannot be compared.
So the order in which good attacks are made does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bulge.core.decision import DONE, Choice
from bulge.core.match import Match
from bulge.players.knowledge import ArmyKnowledge
from bulge.players.looking import Attack, best_attacks, expected, expected_after

MOST_LEFT_OUT = 3
"""So many of the attacks that were left out are looked at, the likeliest first."""

Answer = Callable[[Match[Any]], Choice]
Value = Callable[[Match[Any]], float]


class Judged(NamedTuple):
    """An attack beside attacking no more."""

    words: str
    target: int
    with_it: float
    without: float


def made(
    match: Match[Any], ids: Sequence[str], armies: ArmyKnowledge, answer: Answer, value: Value
) -> Judged | None:
    """The attack that these choices begin with, on average over the faces of its die; None where none was free."""
    if DONE not in match.asked().options:
        return None
    choices, odds = _up_to_the_die(match.copy(), ids)
    target = choices[0] if choices else None
    if not isinstance(target, int):
        return None  # given up before the die, or a word: some games ask for more than attacks there
    words = f"{armies.words_of(target)}{odds and f' at {odds}'}"
    return Judged(words, target, expected_after(match, choices, "", answer, value), value(match))


def left_out(match: Match[Any], armies: ArmyKnowledge, answer: Answer, value: Value) -> Judged | None:
    """The best for whoever says that he attacks no more of the attacks that he could still make."""
    p, side = match.position, match.asked().side
    likely = best_attacks(match, armies.launch, lambda *attack: armies.worth(p, side, *attack))[:MOST_LEFT_OUT]
    if not likely:
        return None

    def after(attack: Attack) -> float:
        return expected_after(match, [*attack.opening, *attack.units], armies.launch, answer, value)

    best, with_it = max(((attack, after(attack)) for attack in likely), key=lambda pair: pair[1])
    return Judged(f"{armies.words_of(best.target)} at {best.words}", best.target, with_it, value(match))


def _up_to_the_die(ahead: Match[Any], ids: Sequence[str]) -> tuple[list[Choice], str]:
    """What was chosen up to the first roll, with the odds then; nothing if the matter was given up before that."""
    choices: list[Choice] = []
    odds, drawn = "", ahead.position.drawn
    for id_ in ids:
        choice = ahead.find(id_)
        preview = ahead.preview(choice)
        odds = preview.words if preview is not None else odds
        choices.append(choice)
        ahead.choose(choice)
        if ahead.position.drawn != drawn:
            return choices, odds
        if ahead.decision is None or ahead.decision.top:
            break
    return [], ""


def best_answer(
    match: Match[Any], options: Sequence[Choice], answer: Answer, value: Value
) -> tuple[Choice, float]:
    """Which of these answers leaves things best, on average over the faces of the next die."""
    worths = [expected(match, choice, answer, value) for choice in options]
    best = max(range(len(options)), key=worths.__getitem__)
    return options[best], worths[best]

"""Naming the attackers of a hex one by one, with the odds in sight, until the word that attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.compiling import compiled
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Refusal, Together
from bulge.core.question import Question, all_units
from bulge.core.spaces import members
from bulge.core.table import Table

ATTACK = "attack"
ALL_WHO_MAY = "take all who may join"


@compiled(allow_interpreted_subclasses=True)
class Attackers(Question):
    """Who takes part in an attack. A game's own battle is one of these, and adds bars, preview and subject."""

    __slots__ = ()

    attackers: list[int]

    def complete(self) -> bool:
        """Whether those named so far may attack."""
        return bool(self.attackers)

    def option(self, t: Table[Any], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words="attack with these", role="strike") if choice == ATTACK else plain

    def why_not_word(self, t: Table[Any], decision: Decision, word: str) -> Refusal | None:
        if word != ATTACK:
            return None
        return Refusal(decision.rule, "these may not attack alone" if self.attackers else "name a unit first")

    def together(self, t: Table[Any], decision: Decision) -> Together:
        return all_units(decision, ALL_WHO_MAY)


def name_attackers(
    battle: Attackers,
    side: str,
    candidates: int,
    bars: Callable[[], Iterable[Bar]],
    *,
    prompt: str,
    rule: str,
    about: Question | None = None,
    confirm: bool = True,
) -> Play:
    """One unit after the other, as many as the attacker likes; `bars` say who may not join those named so far.

    `confirm`: the word that attacks is asked for even when nobody is left to join, as it must be where a die
    follows at once.
    """
    while True:
        candidates = open_to(candidates, bars())
        options: list[Choice] = [*members(candidates)]
        if battle.complete():
            options.append(ATTACK)
        if options == [ATTACK] and not confirm:
            return
        unit = yield Decision(side, prompt, options, rule, Kind.UNIT, about=about or battle)
        if unit == ATTACK:
            return
        battle.attackers.append(unit)

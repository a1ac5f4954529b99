"""Targets: spaces that the US names one after the other, and markers that are shared out among several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.games.bastogne.asked import Asked, not_commanded, not_on_the_map
from bulge.games.bastogne.facts import US, Facts
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import commands, german_spaces

ASK, STRONGEST = "ask_german_losses", "strongest_germans"
"""Words that change the standing order about German losses."""
ORDERS = {
    ASK: "from now on ask me which Germans are hit and driven out (standing order: the strongest)",
    STRONGEST: "from now on the strongest Germans are hit and driven out, without asking me",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Asked):
    """A space to act against, within somebody's command."""

    side: str
    sector: int
    said = ORDERS
    asides = ORDERS

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~german_spaces(self.facts, p), "2.9", "no German unit is there")
        yield from not_commanded(self.facts, p, self.side, self.sector)
        yield from self.out_of_reach(p)

    def out_of_reach(self, p: BastognePosition) -> Iterator[Bar]:
        """Spaces against which nobody can act."""
        raise NotImplementedError


SPLIT = "split"


def share_out(
    side: str, prompt: str, left: int, targets: list[Choice], rule_: str, kind: Kind, about: Asked, *, top: bool
) -> Play:
    """All markers for one target, unless they are split: the target of the next ones, and how many they are."""
    if len(targets) == 1:
        return targets[0], left
    options = [*targets, SPLIT] if left > 1 else targets
    target = yield Decision(side, prompt, options, rule_, kind, top=top, about=about)
    if target != SPLIT:
        return target, left
    target = yield Decision(side, "Where do some of them go?", targets, rule_, kind, about=about)
    count = 1
    if left > 2:
        count = yield Decision(
            side, "How many of them?", range(1, left), rule_, Kind.NUMBER, about=HowMany(about.facts)
        )
    return target, count


class HowMany(Asked):
    """How many markers go somewhere; some are left."""


@rule("16.7")
def orders(p: BastognePosition, side: str) -> list[Choice]:
    """The word that would change the standing order, unless it was changed in this phase."""
    if side != US or p.order_given:
        return []
    return [STRONGEST if p.german_losses_asked else ASK]


def give_order(t: SiegeTable, word: Choice) -> None:
    t.p.german_losses_asked = word == ASK
    t.p.order_given = True
    who = "you name them" if word == ASK else "the strongest first"
    t.say("16.7", f"Standing order for German losses: {who}.")


def name_targets(
    t: SiegeTable,
    facts: Facts,
    kind: type[Target],
    act: Callable[[SiegeTable, Facts, str, int], Play],
    prompt: str,
    rule_: str,
) -> Play:
    """Each in command in turn names one space after another, and acts against it, until done."""
    p = t.p
    while p.cursor < len(commands(facts, p)):
        side, sector = commands(facts, p)[p.cursor]
        question = kind(facts, side=side, sector=sector)
        targets = question.open(p, facts.spaces)
        target: Choice = DONE
        if targets:
            options: list[Choice] = [*targets, DONE, *orders(p, side)]
            target = yield Decision(side, prompt, options, rule_, Kind.SPACE, top=True, about=question)
        if isinstance(target, int):
            yield from act(t, facts, side, target)
        elif target in ORDERS:
            give_order(t, target)
        else:
            p.cursor += 1
    p.cursor = p.done = 0
    p.order_given = False

"""Spaces with Germans that the US names one after the other, to fire at or to close in on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.table import Table
from bulge.games.bastogne.asked import Asked, not_commanded, not_on_the_map
from bulge.games.bastogne.facts import Facts
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import commands, german_spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Asked):
    """A space to act against, within somebody's command."""

    side: str
    sector: int

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~german_spaces(self.facts, p), "2.9", "no German unit is there")
        yield from not_commanded(self.facts, p, self.side, self.sector)
        yield from self.out_of_reach(p)

    def out_of_reach(self, p: BastognePosition) -> Iterator[Bar]:
        """Spaces against which nobody can act."""
        raise NotImplementedError


def name_targets(
    t: Table[BastognePosition],
    facts: Facts,
    kind: type[Target],
    act: Callable[[Table[BastognePosition], Facts, str, int], Play],
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
            options: list[Choice] = [*targets, DONE]
            target = yield Decision(side, prompt, options, rule_, Kind.SPACE, top=True, about=question)
        if isinstance(target, int):
            yield from act(t, facts, side, target)
        else:
            p.cursor += 1
    p.cursor = p.done = 0

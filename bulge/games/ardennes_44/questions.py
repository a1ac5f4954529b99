"""Questions that several rules ask alike, and the words for their options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Option
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.table import Table
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44


@dataclass(frozen=True, slots=True)
class OneOf(Question):
    """One of a few units is to be named."""

    facts: Facts
    units: int
    rule: str
    others: str
    """What is true of all the others."""
    hex_: int = -1

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        facts, where = self.facts, t.p.where
        gone = sum(1 << unit for unit, space in enumerate(where) if space < 0)
        yield Bar(gone & ~self.units, self.rule, lambda unit: f"{facts.rows[unit].name} is not on the map")
        yield Bar(~self.units, self.rule, lambda unit: f"{facts.rows[unit].name} {self.others}")

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        spaces = (self.facts.board.name(self.hex_),) if self.hex_ >= 0 else ()
        return Subject(spaces, ())


@dataclass(frozen=True, slots=True)
class Words(Question):
    """An answer in words is wanted: what each word says to people, and which of them roll a die."""

    said: tuple[tuple[str, str], ...]
    rolls: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        words = dict(self.said).get(str(choice), plain.words)
        return replace(plain, words=words, rolls=choice in self.rolls)

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return Subject(self.spaces, self.units)

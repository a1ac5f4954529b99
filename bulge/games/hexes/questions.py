"""Questions that games on hexes ask in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.hexes.roster import Roster


@dataclass
class Barred(Question):
    """A question that one list of bars answers: the list from which its options were made."""

    shut: Callable[[], Iterable[Bar]]
    spaces: Sequence[int] = ()
    units: Sequence[int] = ()
    """What the question points at: spaces, units."""
    over: str = "no more"
    """What `done` means."""

    def option(self, t: Table[Any], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words=self.over) if choice == DONE else plain

    def bars(self, t: Table[Any], decision: Decision) -> Iterable[Bar]:
        return self.shut()

    def subject(self, t: Table[Any], decision: Decision) -> Subject | None:
        name_of = t.game.name_of
        spaces, units = (
            tuple(name_of(kind, number) for number in numbers)
            for kind, numbers in ((Kind.SPACE, self.spaces), (Kind.UNIT, self.units))
        )
        return Subject(spaces, units) if spaces or units else None


def one_of(roster: Roster, units: Iterable[int], rule: str, others: str) -> Barred:
    """One of a few units is to be named: `others` is what is true of all the rest (`takes no part in this`)."""
    rest = roster.everybody & ~union(list(units))
    return Barred(lambda: [Bar(rest, rule, lambda unit: f"{roster.name(unit)} {others}")])

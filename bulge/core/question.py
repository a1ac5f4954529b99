"""What a decision is about, in a form that explains itself.

A game writes a small class beside the rule that asks: its words for options, why something is not among them,
what a choice would lead to, where the thing that moves can go. Nothing in a question is needed to go on with the
game; all of it is made only when somebody wants to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.compiling import compiled
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Preview, Refusal, Role, Together
from bulge.core.look import Reachable, Subject

if TYPE_CHECKING:
    from bulge.core.table import Table


HEX_BY_HEX = "it can go there, hex by hex"
"""Why a hex farther off is not offered as the next one, though it is within reach."""


@compiled(allow_interpreted_subclasses=True)
class Question:
    """The base of every question: what can be said without knowing the game."""

    __slots__ = ()

    def option(self, t: Table[Any], decision: Decision, choice: Choice, plain: Option) -> Option:
        """A choice in words. `plain` has what can always be said of it."""
        return plain

    def idle(self, t: Table[Any], decision: Decision) -> int:
        """Those of the units offered that can only stay as they are: nobody need look for what they could do."""
        return 0

    def bars(self, t: Table[Any], decision: Decision) -> Iterable[Bar]:
        """What shuts things of the decision's kind, most telling first: the list that its options came from."""
        return ()

    def why_not_word(self, t: Table[Any], decision: Decision, word: str) -> Refusal | None:
        """Why a word that this question knows is not offered now."""
        return None

    def why_not(self, t: Table[Any], decision: Decision, asked: str) -> Refusal | None:
        """Asked before all else: for what neither bars nor words can say."""
        return None

    def preview(self, t: Table[Any], decision: Decision, choice: Choice) -> Preview | None:
        """What a choice would lead to, where that can be said."""
        return None

    def reachable(self, t: Table[Any], decision: Decision) -> Reachable | None:
        """Everywhere that the thing which moves now can go; None where nothing is on its way."""
        return None

    def subject(self, t: Table[Any], decision: Decision) -> Subject | None:
        """What the question points at, for a page that opens in the middle of it."""
        return None

    def way_to(self, t: Table[Any], decision: Decision, asked: str) -> list[Choice]:
        """The choices, one after the other, that lead to something farther off (a hex beyond the next one)."""
        return []

    def together(self, t: Table[Any], decision: Decision) -> Together | None:
        """What most would answer now and to the next questions of this kind, where one answer can do for all."""
        return None


@compiled(allow_interpreted_subclasses=True)
@dataclass
class Barred(Question):
    """A question that one list of bars answers: the list from which its options were made."""

    shut: Callable[[], Iterable[Bar]]
    spaces: Sequence[int] = ()
    units: Sequence[int] = ()
    """What the question points at: spaces, units."""
    over: str = "no more"
    """What `done` means."""
    role: Role = "end"
    """What `done` does to the course of play."""
    refused: Mapping[str, Refusal] = field(default_factory=dict)
    """Why each word that the question knows is not offered, where it is not."""

    def option(self, t: Table[Any], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words=self.over, role=self.role) if choice == DONE else plain

    def bars(self, t: Table[Any], decision: Decision) -> Iterable[Bar]:
        return self.shut()

    def why_not_word(self, t: Table[Any], decision: Decision, word: str) -> Refusal | None:
        return self.refused.get(word)

    def subject(self, t: Table[Any], decision: Decision) -> Subject | None:
        name_of = t.game.name_of
        spaces, units = (
            tuple(name_of(kind, number) for number in numbers)
            for kind, numbers in ((Kind.SPACE, self.spaces), (Kind.UNIT, self.units))
        )
        return Subject(spaces, units) if spaces or units else None


def all_units(decision: Decision, words: str) -> Together:
    """Every unit that is offered, one after the other."""
    return Together(words, tuple(choice for choice in decision.options if isinstance(choice, int)))


PLAIN = Question()
"""A question that needs no words of its own."""

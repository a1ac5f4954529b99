"""What a side must now choose, what it chose, and why something cannot be chosen."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import msgspec

from bulge.core.errors import BulgeError

Choice: TypeAlias = int | str
"""A word stands for itself; what a number stands for, a space, a unit, a card, the decision's kind says."""

DONE = "done"
"""The word that ends a phase or a run of choices."""


class Kind(Enum):
    """What the numbers among a decision's options stand for."""

    SPACE = "space"
    UNIT = "unit"
    SIDE = "side"
    """A hexside, by its number on the board."""
    CARD = "card"
    NUMBER = "number"


Role: TypeAlias = Literal["", "strike", "end", "end_phase", "end_turn", "back", "aside", "idle"]
"""What an option does to the course of play: it commits an attack, ends what is going on, ends a phase that passes
over all units which are still offered, ends the player-turn, takes something back, lies beside the question, as
a standing order does, and never leads, or names a unit that can only stay; for most, nothing of the kind."""


class Decision(msgspec.Struct, eq=False):
    """One question to one side. Words for people are made only when somebody asks for them."""

    side: str
    prompt: str
    options: Sequence[Choice]
    rule: str
    kind: Kind = Kind.NUMBER
    top: bool = False
    """True where the position alone is enough to ask this question again."""
    about: Any = None
    """The `Question` that explains its options; None where they need no words of their own."""

    def key(self) -> tuple[str, str, tuple[Choice, ...], str, Kind]:
        """What must be equal for two decisions to be the same question."""
        return self.side, self.prompt, tuple(self.options), self.rule, self.kind

    def __repr__(self) -> str:
        return f"<{self.side}: {self.prompt} ({len(self.options)} options, rule {self.rule})>"


Play: TypeAlias = Generator[Decision, Any, Any]
"""Rules that ask: a generator of decisions that is sent the choices."""


def settle(decision: Decision) -> Play:
    """What is chosen; where there is only one option, nobody is asked."""
    return decision.options[0] if len(decision.options) == 1 else (yield decision)


class Option(msgspec.Struct, frozen=True):
    """An option put into words, with what it points at, so that a client can draw it."""

    id: str
    words: str
    spaces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    cost: str | None = None
    sides: tuple[str, ...] = ()
    """Hexsides, such as `2020/2119`."""
    cards: tuple[str, ...] = ()
    role: Role = ""
    rolls: bool = False
    """Choosing it rolls a die or reveals something, and so cannot be undone."""
    has_preview: bool = False
    """It can be asked what it would lead to."""


class Together(msgspec.Struct, frozen=True):
    """Choices that may be made in a row by one answer, since their order does not matter."""

    words: str
    choices: tuple[Choice, ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why something cannot be done, and the rule that says so."""

    rule: str
    words: str


class Bar(msgspec.Struct, frozen=True):
    """A law that shuts some things to a choice."""

    shut: int | Callable[[int], bool]
    """The set of what it shuts, or a test of a single thing."""
    rule: str
    words: str | Callable[[int], str]
    """Why: in words that hold for all that it shuts, or made for the one that was asked about."""


class Modifier(msgspec.Struct, frozen=True):
    """One line of a combat's arithmetic."""

    words: str
    amount: int
    rule: str
    to: str = "strength"
    """What it changes: the strength of a side, or the `column` of the table."""


class Spread(msgspec.Struct, frozen=True):
    """Chances of one thing beside that of the preview."""

    of: str
    chances: tuple[tuple[str, Fraction], ...]


class Preview(msgspec.Struct, frozen=True):
    """What a choice would lead to, before it is made."""

    words: str
    attack: int
    defence: int
    modifiers: tuple[Modifier, ...]
    column: str
    chances: tuple[tuple[str, Fraction], ...]
    """Each result with its exact chance."""
    chart: str = ""
    """The id of the chart that holds the column, where several have one of that name."""
    of: str = ""
    """What the chances are of, where they are numbers and no results of a chart."""
    others: tuple[Spread, ...] = ()


class Result(msgspec.Struct, frozen=True):
    """How a match ended."""

    winner: str | None
    """The winning side; None for a draw."""
    words: str
    rule: str
    points: dict[str, int] = {}


class GameOver(Exception):
    """Raised by a rule, from any depth, when the game ends there and then."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.words)
        self.result = result


class IllegalChoice(BulgeError):
    """A choice that the rules do not offer now. Nothing has changed."""

    def __init__(self, choice: object, refusal: Refusal) -> None:
        super().__init__(f"{choice!s} is not allowed: {refusal.words} (rule {refusal.rule})")
        self.choice = choice
        self.refusal = refusal

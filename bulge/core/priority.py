"""Priority lists: rules that choose by themselves, one line after the other, and say how.

Each line of such a list prefers some of the candidates; those it prefers stay, and a line that no candidate meets
is passed over. Every line that narrows the choice is logged with its rule and what it left. Candidates are
numbers, as a set: spaces, units or cards. For anything else (paths, groups of units) there is `best_of`.

    LINES = (
        Line("9.1", "nearest to the Meuse", least(distance)),
        Line("9.2", "on a road", roads),
    )
    left = narrow(t, candidates, LINES)

How far a list has got can be kept in the position (`Narrowing`), so that a match resumes in the middle of it: then
a tie may be broken by a step of its own, with a die, a chit, or by asking somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from bulge.core.decision import Decision, Kind, Play
from bulge.core.retreat import Priority, lowest_by
from bulge.core.spaces import members, union
from bulge.core.table import NEAREST, Table

T = TypeVar("T")


class Line(NamedTuple):
    """One line of a priority list."""

    rule: str
    words: str
    """What it prefers, to be read after "preferred:"."""
    prefer: Priority
    """A set of candidates, or a function from a set of candidates to the best of them."""


least = lowest_by
"""Keep the candidates for which a measure is least."""


def most(measure: Callable[[int], int]) -> Callable[[int], int]:
    """Keep the candidates for which a measure is greatest."""
    return lowest_by(lambda candidate: -measure(candidate))


def such(test: Callable[[int], bool]) -> Callable[[int], int]:
    """Keep the candidates that pass a test."""
    return lambda candidates: union(candidate for candidate in members(candidates) if test(candidate))


class Narrowing(msgspec.Struct, frozen=True):
    """How far a priority list has got; flat, to be kept in a position."""

    left: int
    """The candidates that are left."""
    line: int = 0
    """The line of the list to be looked at next."""

    @property
    def settled(self) -> bool:
        """Whether one is left, or none."""
        return not self.left & (self.left - 1)


def go_on(
    t: Table[Any], so_far: Narrowing, lines: Sequence[Line], kind: Kind = Kind.SPACE, *, most_lines: int = -1
) -> Narrowing:
    """Go on with a list from its next line, until one candidate is left, or for so many lines at most."""
    left, at = so_far.left, so_far.line
    end = len(lines) if most_lines < 0 else min(len(lines), at + most_lines)
    while at < end and left & (left - 1):
        line = lines[at]
        best = left & line.prefer if isinstance(line.prefer, int) else line.prefer(left)
        if best and best != left:
            left = best
            if t.keeps_log:
                _say(t, line, left, kind)
        at += 1
    return Narrowing(left, at)


def narrow(t: Table[Any], candidates: int, lines: Sequence[Line], kind: Kind = Kind.SPACE) -> int:
    """The candidates that a whole list leaves; several, if it does not decide between them."""
    return go_on(t, Narrowing(candidates), lines, kind).left


def _say(t: Table[Any], line: Line, left: int, kind: Kind) -> None:
    numbers = members(left)
    names = ", ".join(t.game.name_of(kind, number) for number in numbers)
    t.say(
        line.rule,
        f"Preferred: {line.words}. Left: {names}.",
        spaces=tuple(numbers) if kind is Kind.SPACE else (),
        units=tuple(numbers) if kind is Kind.UNIT else (),
        cards=tuple(numbers) if kind is Kind.CARD else (),
        depth=NEAREST,
    )


class Measure(NamedTuple):
    """A line of a list over things that are no numbers: the least measure is preferred."""

    rule: str
    words: str
    of: Callable[[Any], Any]


def best_of(t: Table[Any], things: Iterable[T], lines: Iterable[Measure], words: Callable[[T], str]) -> list[T]:
    """The things (paths, groups) that a list leaves; `words` says what each is called in the log."""
    left = list(things)
    for line in lines:
        if len(left) < 2:
            break
        values = [line.of(thing) for thing in left]
        least_value = min(values)
        best = [thing for thing, value in zip(left, values, strict=True) if value == least_value]
        if len(best) < len(left):
            left = best
            if t.keeps_log:
                t.say(line.rule, f"Preferred: {line.words}. Left: {', '.join(map(words, left))}.", depth=NEAREST)
    return left


# ---------------------------------------------------------------------- ties


def by_lot(t: Table[Any], rule: str, candidates: int, kind: Kind = Kind.SPACE) -> int:
    """One of the candidates, each as likely as the others."""
    several = members(candidates)
    if len(several) == 1:
        return several[0]
    chosen = several[t.roll(rule, "which of those that are equal", len(several)) - 1]
    if t.keeps_log:
        _say(t, Line(rule, "by lot", 0), 1 << chosen, kind)
    return chosen


def by_choice(side: str, prompt: str, rule: str, candidates: int, kind: Kind, about: Any = None) -> Play:
    """One of the candidates, as somebody chooses; nobody is asked if there is only one."""
    several = members(candidates)
    if len(several) == 1:
        return several[0]
    return (yield Decision(side, prompt, several, rule, kind, about=about))

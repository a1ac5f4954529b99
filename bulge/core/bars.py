"""Bars: what shuts a space, a unit or a card to a choice, with the rule that shuts it.

One ordered list of bars says both what is open (`open_to`, which feeds a decision's options) and why something is
not (`refusal`, which answers "why not?"). So a law is written once; computer players ask the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from bulge.core.decision import Refusal


class Bar(msgspec.Struct, frozen=True):
    """A law that shuts some things to a choice."""

    shut: int | Callable[[int], bool]
    """The set of what it shuts, or a test of a single thing."""
    rule: str
    words: str | Callable[[int], str]
    """Why: in words that hold for all that it shuts, or made for the one that was asked about."""


def shuts(bar: Bar, item: int) -> bool:
    if isinstance(bar.shut, int):
        return bool(bar.shut >> item & 1)
    return bar.shut(item)


def open_to(candidates: int, bars: Iterable[Bar]) -> int:
    """The candidates that no bar shuts, as a set."""
    for bar in bars:
        if not candidates:
            break
        shut = bar.shut
        if type(shut) is int:
            candidates &= ~shut
            continue
        assert callable(shut)
        left = candidates
        while left:
            lowest = left & -left
            left ^= lowest
            if shut(lowest.bit_length() - 1):
                candidates ^= lowest
    return candidates


def shut_by(bars: Iterable[Bar]) -> int:
    """All that bars shut which are sets."""
    shut = 0
    for bar in bars:
        assert isinstance(bar.shut, int)
        shut |= bar.shut
    return shut


def refusal(bars: Iterable[Bar], item: int) -> Refusal | None:
    """What the first bar says that shuts a thing; None if it is open."""
    for bar in bars:
        if shuts(bar, item):
            return Refusal(bar.rule, bar.words if isinstance(bar.words, str) else bar.words(item))
    return None

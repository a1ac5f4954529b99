"""Bars: what shuts a space, a unit or a card to a choice, with the rule that shuts it.

One ordered list of bars says both what is open (`open_to`, which feeds a decision's options) and why something is
not (`refusal`, which answers "why not?"). So a law is written once; computer players ask the same list.
"""

from __future__ import annotations

from collections.abc import Iterable

from bulge.core.decision import Bar, Refusal

__all__ = ["Bar", "open_to", "refusal", "shut_by", "shuts"]


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
            highest = left.bit_length() - 1
            left ^= 1 << highest
            if shut(highest):
                candidates ^= 1 << highest
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

"""Sets of spaces are ints: bit i is space i, as in a chess engine."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import TypeVar

T = TypeVar("T")

_FEW, _DENSE = 8, 5
"""Where there are more members than these few, and one space in so many is a member, all are taken together."""
_SPACES = range(1 << 20)
_ARE_ONES = bytes(digit == ord("1") for digit in range(256))


def members(spaces: int) -> list[int]:
    """The spaces of a set, lowest first."""
    count = spaces.bit_count()
    if count > _FEW and count * _DENSE > spaces.bit_length():
        return list(compress(_SPACES, bin(spaces)[:1:-1].encode().translate(_ARE_ONES)))
    found: list[int] = []
    while spaces:  # from the highest: the set gets shorter, and one operation clears a bit instead of three
        highest = spaces.bit_length() - 1
        found.append(highest)
        spaces ^= 1 << highest
    found.reverse()
    return found


def without(listed: Sequence[int], gone: int) -> list[int]:
    """Spaces that are listed in order, but for a few."""
    left = [*listed]
    for space in members(gone):
        at = bisect_left(left, space)
        if at < len(left) and left[at] == space:
            del left[at]
    return left


def picked(items: Sequence[T], numbers: int) -> Iterator[T]:
    """The items whose numbers are in a set."""
    return compress(items, bin(numbers)[:1:-1].encode().translate(_ARE_ONES))


_BITS = [1 << space for space in range(1 << 13)]
"""Every set of one space that our boards can have (the largest, two joined sheets, needs some 5,000)."""


def union(spaces: Iterable[int]) -> int:
    """The set of these spaces; negative numbers (units that are nowhere) are left out."""
    out, bits = 0, _BITS
    for space in spaces:
        if space >= 0:
            out |= bits[space]
    return out


def lowest(spaces: int) -> int:
    """The lowest space of a set that is not empty."""
    return (spaces & -spaces).bit_length() - 1


def disjoint(classes: Iterable[tuple[int, int]], everything: int) -> list[tuple[int, int]]:
    """Turn overlapping (set, amount) pairs into disjoint ones that cover `everything`, amounts added up."""
    parts: dict[int, int] = {0: everything}
    for spaces, amount in classes:
        split: dict[int, int] = {}
        for total, part in parts.items():
            if inside := part & spaces:
                split[total + amount] = split.get(total + amount, 0) | inside
            if outside := part & ~spaces:
                split[total] = split.get(total, 0) | outside
        parts = split
    return [(part, total) for total, part in sorted(parts.items())]


def subsets_of_one(spaces: int) -> Iterator[int]:
    """Each member of a set, as a set of its own."""
    while spaces:
        lowest_bit = spaces & -spaces
        yield lowest_bit
        spaces ^= lowest_bit

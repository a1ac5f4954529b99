"""Ranked preferences: narrowing candidates by one after the other, as rules of retreat do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bulge.core.spaces import members

Priority: TypeAlias = int | Callable[[int], int]
"""A set of spaces to prefer, or a function from a set of candidates to the best of them."""


def prefer(candidates: int, *priorities: Priority) -> int:
    """Narrow candidates by each priority in turn. One that no candidate meets is passed over, as rules say."""
    for priority in priorities:
        best = candidates & priority if isinstance(priority, int) else priority(candidates)
        candidates = best or candidates
    return candidates


def lowest_by(measure: Callable[[int], int]) -> Callable[[int], int]:
    """A priority: keep the candidates for which `measure` is least."""

    def narrow(candidates: int) -> int:
        best, least = 0, None
        for space in members(candidates):
            value = measure(space)
            if least is None or value < least:
                best, least = 1 << space, value
            elif value == least:
                best |= 1 << space
        return best

    return narrow

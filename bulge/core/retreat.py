"""Retreats: narrowing where a unit may go by ranked priorities, one step or a whole path at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def retreat_paths(
    start: int,
    length: int,
    options: Callable[[Sequence[int]], int],
    rank: Callable[[Sequence[int]], tuple[int, ...]] | None = None,
) -> list[list[int]]:
    """Every path of `length` steps, or those that `rank` puts first (the least tuple wins).

    `options` gives the spaces that may come next after a path; a path that can go no further before its full
    length is dropped, so an empty answer means that there is no retreat.
    """
    paths = [[start]]
    for _ in range(length):
        paths = [[*path, space] for path in paths for space in members(options(path))]
    if rank is None or not paths:
        return paths
    best = min(rank(path) for path in paths)
    return [path for path in paths if rank(path) == best]

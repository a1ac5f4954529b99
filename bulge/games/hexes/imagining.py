"""Positions that are only imagined: as if a phase came now."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar


class PhasedPosition(Protocol):
    step: str
    where: list[int]
    moved: int
    attacked: int
    defended: int
    retreated: int

    def copy(self) -> Self: ...


P = TypeVar("P", bound=PhasedPosition)


def as_if(p: P, step: str, unit: int, at: int) -> P:
    """At the beginning of a step in which nobody has done anything yet, with a unit in this space."""
    twin = p.copy()
    twin.step = step
    twin.moved = twin.attacked = twin.defended = twin.retreated = 0
    twin.where[unit] = at
    return twin

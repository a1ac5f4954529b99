"""A sequence of play from a list of phases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from bulge.core.decision import Play
from bulge.core.game import Step
from bulge.core.position import Position
from bulge.core.table import Table

P = TypeVar("P", bound=Position)

Phase = Callable[[Table[P]], Play | None]
"""A part of the turn: it asks, or it only acts and returns nothing. What follows it is not its business."""


def sequence(phases: Sequence[tuple[str, Phase[P]]], then: str) -> dict[str, Step[P]]:
    """The steps of these phases, one after the other; `then` follows the last one."""
    following = [name for name, _ in phases[1:]] + [then]
    return {name: partial(_run, phase, after) for (name, phase), after in zip(phases, following, strict=True)}


def _run(phase: Phase[P], then: str, t: Table[P]) -> Play | str:
    asked = phase(t)
    return then if asked is None else _ask(asked, then)


def _ask(asked: Play, then: str) -> Play:
    yield from asked
    return then

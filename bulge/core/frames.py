"""Play inside play: a battle in the middle of a battle, to any depth, that resumes from where it is.

A sequence of play is steps by name, and a step is a checkpoint. What a nested part must remember (who attacks
what, who may still advance) is a frame on a stack in the position: a frozen struct of the game's own, which says
at which step play goes on when the part is over. So a prompt deep inside is asked again from its own step; nothing
of the chain above it is replayed.

    return call(p, Battle(then=p.step, target=hex_, attackers=units), "battle")    # in a step: battle comes next
    return back(p)                                                               # in a step: the battle is over

A position that nests declares `frames: list[Battle]`; for several kinds of frame, a union of structs with a tag.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import msgspec


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What a nested part of play remembers. Games add their own fields."""

    then: str
    """The step at which play goes on when this part is over."""


F = TypeVar("F", bound=Frame)


class Nested(Protocol[F]):
    """A position with a stack of frames; the last is the part that is being played."""

    frames: list[F]


def call(p: Nested[F], frame: F, step: str) -> str:
    """Begin a nested part of play at this step."""
    p.frames.append(frame)
    return step


def back(p: Nested[F]) -> str:
    """End the part that is being played: the step at which play goes on."""
    return p.frames.pop().then


def inner(p: Nested[F]) -> F:
    """The frame of the part that is being played."""
    return p.frames[-1]


def change(p: Nested[F], frame: F) -> F:
    """Put another frame in the place of the one that is being played: frames themselves never change."""
    p.frames[-1] = frame
    return frame

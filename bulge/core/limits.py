"""What holds a mover back, and the error that says where a walk fails."""

from __future__ import annotations

import msgspec

from bulge.core.errors import BulgeError


class NoWay(BulgeError):
    """A walk that the rules of movement do not allow: `step` says where it fails, `why` in a word."""

    def __init__(self, why: str, from_: int, to: int) -> None:
        super().__init__(why)
        self.why, self.from_, self.to = why, from_, to


class Limits(msgspec.Struct, frozen=True):
    """What holds a mover back beyond the plain cost of steps. All are sets of spaces."""

    blocked: int = 0
    """Spaces that may not be entered."""
    stop: int = 0
    """Spaces that end the move once entered (a start among them may be left)."""
    enter: tuple[tuple[int, int], ...] = ()
    """(set, extra): entering one of these costs so much more; extras add up."""
    leave: tuple[tuple[int, int], ...] = ()
    """(set, extra): leaving one of these costs so much more; extras add up."""
    bars: tuple[tuple[int, int], ...] = ()
    """(from, to): no step from one of the first directly into one of the second."""

    def extra_to_enter(self, space: int) -> int:
        return sum(extra for spaces, extra in self.enter if spaces >> space & 1)

    def extra_to_leave(self, space: int) -> int:
        return sum(extra for spaces, extra in self.leave if spaces >> space & 1)

    def barred(self, from_: int, to: int) -> bool:
        return any(source >> from_ & 1 and into >> to & 1 for source, into in self.bars)


FREE = Limits()

"""Going back by consent: how far a side may ask for it, and what would be undone."""

from __future__ import annotations

import msgspec

from bulge.core.errors import BulgeError
from bulge.server.play import Play
from bulge.server.terms import Offer, Terms

MOST_WAYS = 60
MOST_LINES = 8


class WayBack(msgspec.Struct, frozen=True):
    """A moment to which one may ask to go back."""

    to: int
    """How many choices would be left."""
    words: str
    """The first thing that would be undone."""


def earliest(play: Play, side: str) -> int:
    """How many choices are left at least: what the other side has chosen is not one's own to take back."""
    n = play.n
    while n and play.side_at(n) == side:
        n -= 1
    return n


def checked_way(play: Play, side: str, to: int | None) -> int:
    """How many choices are to be left; of itself, all but the last."""
    first, n = earliest(play, side), play.n
    if first == n:
        raise BulgeError("there is nothing of yours to take back since the other side's last choice")
    found = n - 1 if to is None else to
    if not first <= found < n:
        raise BulgeError(f"you may go back to where {first} to {n - 1} choices had been made")
    return found


def asked_back(play: Play, terms: Terms, side: str, to: int | None) -> Offer:
    """What one side asks of the other, with what would be undone."""
    if terms.undo != "ask":
        raise BulgeError(f"going back was agreed to be {terms.undo}")
    found = checked_way(play, side, to)
    return Offer("undo", side, found, undone(play, found))


def ways_back(play: Play, side: str) -> list[WayBack]:
    """The beginnings of whatever a side has done since the other's last choice, the latest first."""
    found = [
        WayBack(at, (undone(play, at, side) or ("",))[0])
        for at in range(play.n - 1, earliest(play, side) - 1, -1)
        if play.is_beginning(at)
    ]
    return found[:MOST_WAYS]


def undone(play: Play, to: int, eyes: str | None = None) -> tuple[str, ...]:
    """What happened after so many choices, as these eyes may read it; for nobody's, what everybody may."""
    told = (
        line.event.words
        for line in play.lines()
        if line.at > to and line.event.side in (None, eyes) and line.event.kind not in ("turn", "phase")
    )
    return tuple(words for words, _ in zip(told, range(MOST_LINES), strict=False))

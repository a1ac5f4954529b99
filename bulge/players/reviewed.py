"""What a review of a game says: how the chances stood, and where they turned."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Cause = Literal["play", "luck"]


class Moment(msgspec.Struct, frozen=True):
    """How the first side stood when a phase began."""

    at: int
    """How many choices had been made."""
    turn: int
    step: str
    side: str
    """Who decided then."""
    chance: float
    low: float
    high: float


class Step(msgspec.Struct, frozen=True):
    """A unit that went from one place to another in a phase."""

    unit: str
    from_: str
    to: str


class Turning(msgspec.Struct, frozen=True, kw_only=True):
    """Where the game turned."""

    kind: Cause
    at: int
    """The choice to look at, counted from 1."""
    turn: int
    side: str
    """Whose play or whose die it was."""
    swing: float
    """What it did to the chance of the first side."""
    came: float
    """The chance of the first side after what happened."""
    instead: float
    """The same after the computer's plan; for luck, on average over all faces of the die."""
    words: str
    detail: str = ""
    """Line by line all that happened, where the words are only its headline."""
    better: str = ""
    """What the computer would have done, with its reasons."""
    spaces: tuple[str, ...] = ()
    played: tuple[Step, ...] = ()
    """Who moved otherwise than the computer would have."""
    would: tuple[Step, ...] = ()
    """The same units, and others, as the computer would have moved them."""


class Review(msgspec.Struct, frozen=True):
    game: str
    scenario: str
    first: str
    """The side whose chances these are."""
    result: str
    winner: str | None
    moments: tuple[Moment, ...]
    turnings: tuple[Turning, ...]
    """The largest swings, in the order of play."""
    luck: float
    """What all dice together did to the chance of the first side."""
    dice: int
    """How often something was rolled or drawn that could change the chances."""
    play: dict[str, float]
    """What each side gave away by its moves, in chances of its own; empty where the rules play the enemy, and no
    plans are made to compare with."""
    strokes: dict[str, float]
    """What each side gained by moves that were better than the computer's plan."""

    @property
    def rest(self) -> float:
        """What neither dice nor moves explain of the way from the first chance to the result."""
        end = {self.first: 1.0, None: 0.5}.get(self.winner, 0.0)
        signs = {side: 1 if side == self.first else -1 for side in self.play}
        moves = sum(sign * (self.strokes.get(side, 0.0) - self.play[side]) for side, sign in signs.items())
        return end - self.moments[0].chance - self.luck - moves

    @property
    def account(self) -> str:
        """What moves gave away and gained, and what is left to be explained, in words."""
        if not self.play:
            return "Where the rules play the enemy, moves are not judged: there are no plans to compare them with."
        given, gained = (
            ", ".join(f"{side} {part:.0%}" for side, part in parts.items()) for parts in (self.play, self.strokes)
        )
        return (
            f"Given away by moves, against the computer's plans: {given}; gained by better ones: {gained}. "
            f"Not explained by dice or moves: {self.rest:+.0%} for {self.first}."
        )


class Ended(NamedTuple):
    """How a match ended that people brought to its end, and not the rules."""

    winner: str | None
    words: str

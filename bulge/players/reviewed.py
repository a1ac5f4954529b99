"""What a review of a game says: how the chances stood, and where they turned."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Kind = Literal["play", "luck"]


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

    kind: Kind
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
    def account(self) -> str:
        """What moves gave away, in words."""
        if not self.play:
            return "Where the rules play the enemy, moves are not judged: there are no plans to compare them with."
        given = ", ".join(f"{side} {lost:.0%}" for side, lost in self.play.items())
        return f"Given away by moves, against the computer's plans: {given}."


class Ended(NamedTuple):
    """How a match ended that people brought to its end, and not the rules."""

    winner: str | None
    words: str

"""The door of every computer player: it is asked with a match whose decision is its own, and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from bulge.core.decision import Choice
from bulge.core.errors import BulgeError
from bulge.core.match import Match


class Player(Protocol):
    """Somebody who decides for one side. One player object stays with one side of one match."""

    @property
    def name(self) -> str:
        """What people call it: `greedy`, `veteran`."""

    def choose(self, match: Match[Any]) -> Choice:
        """One of the options of the decision that is asked now."""

    def why(self) -> str:
        """One line: why the last choice was made."""


class NothingToChoose(BulgeError):
    """A player was asked where there is nothing to choose, or would choose what is not offered."""


def offered(match: Match[Any]) -> Sequence[Choice]:
    """The options now. None at all is a fault of whoever asks, and is said loudly."""
    decision = match.asked()
    if not decision.options:
        raise NothingToChoose(f"{decision.side} is asked {decision.prompt!r} without a single option")
    return decision.options


def checked(match: Match[Any], choice: Choice, name: str) -> Choice:
    """A choice that is certainly offered."""
    if choice not in match.asked().options:
        raise NothingToChoose(f"the player {name} would choose {choice!r}, which is not offered")
    return choice

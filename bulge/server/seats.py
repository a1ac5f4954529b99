"""Who may do what at a table: unguessable tokens, one a human side and one for the host."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

HOST = "*"
"""The role of whoever made the match. No side is called so."""
HUMAN = "human"


def new_token() -> str:
    """256 bits: nobody guesses one."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is stored of a token: whoever reads the database cannot sit down with it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def role_of(token: str, known: Iterable[tuple[str, str]]) -> str | None:
    """The role that a token gives, among (role, digest) pairs. A wrong token takes as long as a right one."""
    asked, found = digest(token), None
    for role, stored in known:
        if hmac.compare_digest(asked, stored):
            found = role
    return found


@dataclass(frozen=True)
class Seat:
    """Somebody at the table of one match."""

    match: str
    role: str
    players: Mapping[str, str]
    """Side to `human` or the level of a computer player."""

    @property
    def is_host(self) -> bool:
        return self.role == HOST

    @property
    def is_shared(self) -> bool:
        """Whether several people sit here by turns."""
        return self.is_host and sum(player == HUMAN for player in self.players.values()) > 1

    def controls(self, side: str | None) -> bool:
        """Whether it may choose for this side. The host plays every human side: a hot seat."""
        if side is None or self.players.get(side) != HUMAN:
            return False
        return self.is_host or self.role == side

    def eyes(self, to_play: str | None) -> str | None:
        """The side whose secrets it sees now; None for those of nobody.

        At a hot seat that is the human side to play, so that nobody reads the other's secrets by accident.
        """
        if not self.is_host:
            return self.role
        humans = [side for side, player in self.players.items() if player == HUMAN]
        if len(humans) == 1:
            return humans[0]
        return to_play if to_play in humans else None

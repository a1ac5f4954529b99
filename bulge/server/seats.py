"""Who may do what at a table: unguessable tokens, one a human side and one for the host."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

HOST = "*"
"""The role of whoever made the match. No side is called so."""
HUMAN = "human"
WATCHER = ""
"""The role of whoever only looks on."""


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


def humans_of(players: Mapping[str, str]) -> list[str]:
    return [side for side, player in players.items() if player == HUMAN]


@dataclass(frozen=True)
class Seat:
    """Somebody at the table of one match."""

    match: str
    role: str
    players: Mapping[str, str]
    """Side to `human` or the level of a computer player."""
    held: Collection[str] = ()
    """Human sides that somebody has sat down at with a link of their own."""

    @property
    def is_host(self) -> bool:
        return self.role == HOST

    @property
    def is_shared(self) -> bool:
        """Whether several people sit here by turns."""
        return self.is_host and len(self._own) > 1

    @property
    def _own(self) -> list[str]:
        """The sides that it plays. The host plays every human side that nobody else holds: a hot seat."""
        humans = humans_of(self.players)
        if not self.is_host:
            return [self.role] if self.role in humans else []
        return humans if len(humans) == 1 else [side for side in humans if side not in self.held]

    def controls(self, side: str | None) -> bool:
        """Whether it may choose for this side."""
        return side in self._own

    def eyes(self, to_play: str | None) -> str | None:
        """The side whose secrets it sees now; None for those of nobody.

        At a hot seat that is the human side to play, so that nobody reads the other's secrets by accident.
        """
        if not self.is_host:
            return self.role or None
        own = self._own
        if len(own) == 1:
            return own[0]
        return to_play if to_play in own else None

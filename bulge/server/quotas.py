"""What one account, or one address, may use of a server, and how long what nobody uses is kept."""

from __future__ import annotations

from typing import Annotated

import msgspec

Most = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Days = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Quota(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one may use. 0 means: as much as one likes."""

    matches: Most = 60
    """New ones an hour."""
    imports: Most = 30
    """Files an hour."""
    pages: Most = 50
    """Open at a time."""
    thinking: Most = 1800
    """Seconds that computer players think for one, an hour."""
    storage: Most = 50
    """Megabytes of matches, talk and notes."""


class Quotas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    account: Quota = Quota()
    address: Quota = Quota(matches=120, imports=30, pages=100, thinking=3600, storage=200)
    """For all together who come from one address, signed in or not."""
    accounts: Most = 10
    """New ones an hour from one address."""
    tables: Most = 50
    """Matches that one account may have under way among people."""
    kept: Most = 20
    """Matches of one account, or of one address, that never expire."""
    messages: Most = 30
    """What one account may write a minute."""
    choices: Most = 50_000
    """Choices in one match, those that were taken back included."""


class Expiry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After how many days what nobody touches is deleted; 0 means never. A server for this machine keeps all."""

    unplayed: Days = 30
    """A match in which nobody has chosen anything."""
    matches: Days = 365
    """A match in which nobody chooses any more, whether it is over or not."""
    accounts: Days = 1095
    """An account into which nobody signs any more."""
    notice: Days = 14
    """So long before it is told: in lists, and to whoever has an account."""

    def __post_init__(self) -> None:
        shortest = min((days for days in (self.unplayed, self.matches, self.accounts) if days), default=2)
        if not 1 <= self.notice <= shortest // 2:
            raise ValueError(f"notice is given at least 1 day before, and at most {shortest // 2}")

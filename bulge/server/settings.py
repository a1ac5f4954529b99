"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from bulge.core.errors import BulgeError
from bulge.server.quotas import Expiry, Quotas

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8765

SMALL_BODY = 64 * 1024
"""More than any request needs, but for a journal."""
LARGE_BODY = 4 * 1024 * 1024
"""A journal of the longest match fits many times."""


def data_folder() -> Path:
    """Where a user's matches are kept, by the custom of the system."""
    return Path(platformdirs.user_data_dir("bulge", appauthor=False))


def cache_folder() -> Path:
    """Where drawn maps are kept; whatever is lost there is drawn again."""
    return Path(platformdirs.user_cache_dir("bulge", appauthor=False))


def default_database() -> str:
    return f"sqlite+aiosqlite:///{data_folder() / 'matches.sqlite'}"


def checked_url(text: str) -> str:
    """A public address as people write it, without a slash at its end."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BulgeError(f"a public address looks like https://games.example.org, not {text!r}")
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(frozen=True)
class Settings:
    database: str = field(default_factory=default_database)
    """A URL of SQLAlchemy: `sqlite+aiosqlite:///file` or `postgresql+asyncpg://user@host/name`."""
    cache: Path = field(default_factory=cache_folder)
    static: Path = Path(__file__).parent / "static"
    """The built client."""
    overrides: str = ""
    """The text of a player's overrides, laid over the data of every new match."""
    host_names: tuple[str, ...] = ()
    """Names, beside localhost and plain addresses, under which browsers may call this server."""
    public_url: str = ""
    """The address by which others reach this server; without one, only what people typed themselves is known."""
    mail: str = ""
    """How e-mail is sent: `smtp://user:password@host:587`, or `smtps://…` with TLS from the start."""
    mail_from: str = ""
    """Whom e-mail comes from."""
    deliver_to: tuple[str, ...] = ()
    """Hosts, beside the usual ones, to which webhooks and pushes may go; these may be without TLS."""
    draw_ahead: bool = False
    """Draw the maps of all games when the server starts, so that nobody waits for the first one."""
    quotas: Quotas = field(default_factory=Quotas)
    """What one account, or one address, may use."""
    expiry: Expiry = field(default_factory=Expiry)
    """When what nobody uses is deleted, on a server with a public address."""
    thinking_cores: int | None = None
    """How many cores those who think at the same time have together; None is as many as one of them can use."""
    most_open: int = 256
    """So many matches are kept in memory; others are read again when they are wanted."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names under which browsers may call."""
        public = urlsplit(self.public_url).hostname
        return (*self.host_names, public) if public else self.host_names

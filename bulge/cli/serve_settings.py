"""What `bulge serve` can be told by a file, so that nothing secret stands on the command line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec

from bulge.core.errors import BulgeError
from bulge.server.quotas import Expiry, Quotas

MOST_CORES = 64


class SettingsFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A TOML file; the command line and the environment go before it."""

    host: str | None = None
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] | None = None
    public_url: str | None = None
    allow_names: tuple[str, ...] = ()
    database: str | None = None
    logs: str | None = None
    mail: str | None = None
    """`smtp://user:password@host:587`, or `smtps://…`."""
    mail_from: str | None = None
    deliver_to: tuple[str, ...] = ()
    thinking_cores: Annotated[int, msgspec.Meta(ge=1, le=MOST_CORES)] | None = None
    """For all computer players who think at the same time."""
    quotas: Quotas = Quotas()
    expiry: Expiry = Expiry()


def read_settings(path: Path | None) -> SettingsFile:
    if path is None:
        return SettingsFile()
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), SettingsFile)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BulgeError(f"{path} is no TOML file: {error}") from None
    except msgspec.ValidationError as error:
        allowed = ", ".join(SettingsFile.__struct_fields__)
        raise BulgeError(f"{path}: {error}; allowed are {allowed}") from None

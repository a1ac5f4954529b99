"""About the server itself: by which address others reach it."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request, get
from litestar.datastructures import State

from bulge import __version__
from bulge.server.errors import REFUSALS


class ServerInfo(msgspec.Struct, frozen=True):
    version: str
    address: str
    """What invitations begin with."""
    only_here: bool
    """Whether that address leads back to the asker's own machine: nobody else could follow it."""


@get("/api/server", sync_to_thread=False, responses=REFUSALS, tags=["server"])
def server_info(request: Request[Any, Any, Any], state: State) -> ServerInfo:
    """The version, and the address that invitations should carry."""
    address = state.public_url or f"{request.url.scheme}://{request.url.netloc}"
    return ServerInfo(__version__, address, _leads_home(urlsplit(address).hostname or ""))


def _leads_home(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"

"""About the server itself: by which address others reach it."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency

from bulge import __version__
from bulge.server.complaints import REFUSALS
from bulge.server.hub import Hub


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


@get("/api/health", responses=REFUSALS, tags=["server"])
async def health(hub: NamedDependency[Hub]) -> dict[str, bool]:
    """Whether it can do its work: the database answers."""
    await hub.storage.match("")
    return {"healthy": True}


@get("/api/metrics", media_type=MediaType.TEXT, sync_to_thread=False, include_in_schema=False)
def metrics(request: Request[Any, Any, Any], hub: NamedDependency[Hub]) -> Response[str]:
    """Numbers for Prometheus, told to this machine alone."""
    if request.client is None or not _leads_home(request.client.host) or "x-forwarded-for" in request.headers:
        return Response("not for you\n", status_code=403, media_type=MediaType.TEXT)
    lines = [f"# TYPE bulge_{name} {kind}\nbulge_{name} {value}" for name, kind, value in hub.measures()]
    return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def _leads_home(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"

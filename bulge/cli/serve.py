"""`bulge serve`: play in the browser. A server on this machine, and the page opened."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import threading
import webbrowser
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from bulge.cli.common import settings_of
from bulge.cli.serve_settings import MOST_CORES, read_settings
from bulge.core.errors import BulgeError


def serve(
    ctx: typer.Context,
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="NUMBER",
            envvar="BULGE_PORT",
            help="The port; 8765, or a free one if that is taken.",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="BULGE_HOST",
            help="Where to listen; 0.0.0.0 lets others on your network play.",
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")] = True,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="BULGE_PUBLIC_URL",
            help="The address by which others reach it, e.g. https://games.example.org; invitations carry it.",
        ),
    ] = None,
    allow_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            envvar="BULGE_ALLOW_NAME",
            help="One more name under which browsers may call. May be repeated.",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="BULGE_DATABASE",
            help="Where matches are kept; by default a file in your data folder.",
        ),
    ] = None,
    logs: Annotated[
        str | None,
        typer.Option(
            metavar="text|json", envvar="BULGE_LOGS", help="How the server logs: text, or JSON by lines."
        ),
    ] = None,
    thinking_cores: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_CORES,
            metavar="NUMBER",
            envvar="BULGE_THINKING_CORES",
            help="Cores for all computer players who think at the same time; by default up to four.",
        ),
    ] = None,
    settings_file: Annotated[
        Path | None,
        typer.Option(
            "--settings", metavar="FILE", envvar="BULGE_SETTINGS", help="A TOML file that holds any of these."
        ),
    ] = None,
) -> None:
    """Play in the browser: start a server on this machine and open its page.

    It listens to this machine alone unless --host says otherwise. Ctrl-C ends it; every match is kept.
    """
    # The server's libraries take a second to load: other commands should not wait for them.
    import uvicorn

    from bulge.server.app import create_app
    from bulge.server.deadlines import PromptProtocol
    from bulge.server.logs import set_up_logs
    from bulge.server.settings import DEFAULT_PORT, LOOPBACK, SMALL_BODY, Settings, checked_url, default_database
    from bulge.server.sockets import WaryWebSocket
    from bulge.server.storage import prepare

    overrides = settings_of(ctx).overrides
    told = read_settings(settings_file)
    set_up_logs(logs or told.logs or "text")
    host = host or told.host or LOOPBACK
    database, public_url = database or told.database, public_url or told.public_url
    settings = Settings(
        database=database_url(database) if database else default_database(),
        overrides=overrides.text if overrides else "",
        host_names=(*(() if _is_any(host) else (host,)), *(allow_name or told.allow_names)),
        public_url=checked_url(public_url) if public_url else "",
        mail=os.environ.get("BULGE_MAIL") or told.mail or "",
        mail_from=os.environ.get("BULGE_MAIL_FROM") or told.mail_from or "",
        deliver_to=told.deliver_to,
        thinking_cores=thinking_cores or told.thinking_cores,
        quotas=told.quotas,
        expiry=told.expiry,
        draw_ahead=True,
    )
    asyncio.run(prepare(settings.database))
    listener = _listen(host, port or told.port, DEFAULT_PORT)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,  # ours holds for it too
        log_level="error",
        access_log=False,  # ours is enough
        ws_max_size=2 * SMALL_BODY,
        ws=WaryWebSocket,
        http=PromptProtocol,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    typer.echo(f"Play at {address} (Ctrl-C ends the server; matches are kept)")
    if open_:
        threading.Timer(0.7, webbrowser.open, [address]).start()
    # The program itself stays to the end: to look through it for rubbish now and then would hold up all answers.
    gc.collect()
    gc.freeze()
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()


def page_is_built() -> bool:
    """Whether this installation has the browser's page: a wheel carries it, a clone builds it."""
    return (files("bulge.server") / "static" / "index.html").is_file()


def database_url(text: str) -> str:
    """A database as people write it: a URL of SQLAlchemy, a plain `postgresql://`, or a file."""
    scheme, found, rest = text.partition("://")
    if not found:
        return f"sqlite+aiosqlite:///{text}"
    drivers = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
    return f"{drivers.get(scheme, scheme)}://{rest}"


def _listen(host: str, wanted: int | None, default: int) -> socket.socket:
    """A socket on the port that was asked for; without a wish, on the usual one, or else any that is free."""
    ports = [wanted] if wanted is not None else [default, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reason: OSError | None = None
    for port in ports:
        # With its protocol named, asyncio sends small answers at once (TCP_NODELAY) instead of waiting for more.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            reason = error
        else:
            listener.set_inheritable(True)
            return listener
    raise BulgeError(f"cannot listen on {host}, port {ports[0]}: {reason.strerror if reason else 'no port'}")


def _is_any(host: str) -> bool:
    return host in ("0.0.0.0", "::")


def _shown(host: str) -> str:
    """The address to type into a browser."""
    if _is_any(host):
        return _own_address()
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """This machine's address on the local network, as others there would call it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])

"""The server, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bulge import __version__
from bulge.server.clocks import Clocks
from bulge.server.complaints import HANDLERS, Asked
from bulge.server.drawings import Drawings
from bulge.server.expiry import NEVER, Sweeper
from bulge.server.guard import Guard
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.moderation import Moderation
from bulge.server.notices import Notices
from bulge.server.own_data import OwnData
from bulge.server.packing import Packing
from bulge.server.pages import Pages, page
from bulge.server.passkeys import Passkeys
from bulge.server.people import People
from bulge.server.replays import Replays
from bulge.server.reviews import Reviews
from bulge.server.routes_atlas import Atlas, atlas_file, atlas_page, atlas_router
from bulge.server.routes_games import games_router
from bulge.server.routes_live import live_match
from bulge.server.routes_matches import matches_router
from bulge.server.routes_moderation import moderation_router, report
from bulge.server.routes_notices import notices_router
from bulge.server.routes_passkeys import passkeys_router
from bulge.server.routes_people import guest, people_router, visitor
from bulge.server.routes_reviews import reviews_router
from bulge.server.routes_server import health, metrics, server_info
from bulge.server.routes_tables import tables_router
from bulge.server.settings import SMALL_BODY, Settings
from bulge.server.small_maps import SmallMaps
from bulge.server.storage import Storage
from bulge.server.tables import Tables
from bulge.server.uses import Uses

HANDED_ON = (
    *("library", "hub", "drawings", "replays", "atlas", "reviews", "people", "own_data", "passkeys", "tables"),
    *("notices", "moderation", "sweeper", "uses"),
)
"""What routes may ask for by name."""


def create_app(settings: Settings | None = None) -> Litestar:
    app = routes()
    equip(app, settings or Settings())
    return app


def routes() -> Litestar:
    """What is answered under which address; by whom, says `equip`."""
    app = Litestar(
        route_handlers=[
            games_router,
            matches_router,
            reviews_router,
            atlas_router,
            atlas_page,
            atlas_file,
            people_router,
            passkeys_router,
            tables_router,
            notices_router,
            moderation_router,
            report,
            live_match,
            server_info,
            health,
            metrics,
            page,
        ],
        dependencies={name: _at_hand(name) for name in HANDED_ON}
        | {"who": Provide(visitor), "guest": Provide(guest, sync_to_thread=False)},
        lifespan=[_running],
        request_class=Asked,
        exception_handlers=HANDLERS,
        request_max_body_size=SMALL_BODY,
        openapi_config=OpenAPIConfig(
            title="bulge",
            version=__version__,
            description="Board wargames on the Battle of the Bulge, over HTTP and WebSocket.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/")],
        ),
        debug=False,
        logging_config=None,
    )
    app.asgi_handler = app.state.guard = Guard(Packing(app.asgi_handler))
    return app


def _at_hand(name: str) -> Provide:
    def found(state: State) -> Any:
        return state[name]

    return Provide(found, sync_to_thread=False)


def equip(app: Litestar, settings: Settings) -> None:
    """Put a server together behind the routes; one that was there before must have been closed."""
    library = Library(settings.overrides)
    storage = Storage(settings.database)
    hub = Hub(storage, library, most_open=settings.most_open, thinking_cores=settings.thinking_cores)
    drawings = Drawings(settings.cache, library)
    uses = Uses(storage, settings.quotas, only_here=not settings.public_url)
    hub.check_thinking, hub.thought = uses.check_thinking, uses.thought
    people = People(storage, settings.quotas.accounts)
    notices = Notices(storage, settings)
    tables = Tables(hub, notices, uses, SmallMaps(drawings, library))
    own_data = OwnData(storage, people, tables)
    expiry = settings.expiry if settings.public_url else NEVER
    app.state.guard.answer_to(settings.names, settings.public_url)
    app.state.update(
        storage=storage,
        library=library,
        hub=hub,
        drawings=drawings,
        draw_ahead=settings.draw_ahead,
        replays=Replays(),
        reviews=Reviews(settings.cache),
        atlas=Atlas(settings.cache),
        uses=uses,
        people=people,
        passkeys=Passkeys(storage, people),
        notices=notices,
        moderation=Moderation(storage),
        tables=tables,
        clocks=Clocks(hub, notices),
        own_data=own_data,
        sweeper=Sweeper(hub, people, own_data, notices, expiry),
        pages=Pages(settings.static),
        public_url=settings.public_url,
    )


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    at_hand = app.state
    await at_hand.storage.open()
    at_hand.hub.neighbours.open()
    running = (at_hand.notices, at_hand.clocks, at_hand.sweeper, at_hand.hub.computers)
    beside = [asyncio.create_task(each.run()) for each in running]
    if at_hand.draw_ahead:
        beside.append(asyncio.create_task(at_hand.drawings.draw_all()))
    try:
        yield
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        for each in (at_hand.reviews, at_hand.atlas, at_hand.hub, at_hand.notices, at_hand.storage):
            await each.close()

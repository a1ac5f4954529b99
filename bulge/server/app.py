"""The server, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bulge import __version__
from bulge.server.clocks import Clocks
from bulge.server.complaints import HANDLERS
from bulge.server.drawings import Drawings
from bulge.server.expiry import NEVER, Sweeper
from bulge.server.guard import Guard
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.moderation import Moderation
from bulge.server.notices import Notices
from bulge.server.own_data import OwnData
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
from bulge.server.routes_people import people_router, visitor
from bulge.server.routes_reviews import reviews_router
from bulge.server.routes_server import health, metrics, server_info
from bulge.server.routes_tables import tables_router
from bulge.server.settings import SMALL_BODY, Settings
from bulge.server.small_maps import SmallMaps
from bulge.server.storage import Storage
from bulge.server.tables import Tables
from bulge.server.uses import Uses


def create_app(settings: Settings | None = None) -> Litestar:
    settings = settings or Settings()
    library = Library(settings.overrides)
    storage = Storage(settings.database)
    hub = Hub(storage, library, most_open=settings.most_open, thinking_cores=settings.thinking_cores)
    drawings = Drawings(settings.cache, library)
    replays = Replays()
    reviews = Reviews(settings.cache)
    atlas = Atlas(settings.cache)
    uses = Uses(storage, settings.quotas, only_here=not settings.public_url)
    hub.thought = uses.thought
    people = People(storage, settings.quotas.accounts)
    passkeys = Passkeys(storage, people)
    notices = Notices(storage, settings)
    moderation = Moderation(storage)
    tables = Tables(hub, notices, uses, SmallMaps(drawings, library))
    clocks = Clocks(hub, notices)
    own_data = OwnData(storage, people, tables)
    sweeper = Sweeper(hub, people, own_data, notices, settings.expiry if settings.public_url else NEVER)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        await storage.open()
        hub.neighbours.open()
        beside = [asyncio.create_task(each.run()) for each in (notices, clocks, sweeper)]
        if settings.draw_ahead:
            beside.append(asyncio.create_task(drawings.draw_all()))
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await reviews.close()
            await atlas.close()
            await hub.close()
            await notices.close()
            await storage.close()

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
        dependencies={
            "library": Provide(lambda: library, sync_to_thread=False),
            "hub": Provide(lambda: hub, sync_to_thread=False),
            "drawings": Provide(lambda: drawings, sync_to_thread=False),
            "replays": Provide(lambda: replays, sync_to_thread=False),
            "atlas": Provide(lambda: atlas, sync_to_thread=False),
            "reviews": Provide(lambda: reviews, sync_to_thread=False),
            "people": Provide(lambda: people, sync_to_thread=False),
            "own_data": Provide(lambda: own_data, sync_to_thread=False),
            "passkeys": Provide(lambda: passkeys, sync_to_thread=False),
            "tables": Provide(lambda: tables, sync_to_thread=False),
            "notices": Provide(lambda: notices, sync_to_thread=False),
            "moderation": Provide(lambda: moderation, sync_to_thread=False),
            "sweeper": Provide(lambda: sweeper, sync_to_thread=False),
            "uses": Provide(lambda: uses, sync_to_thread=False),
            "who": Provide(visitor),
        },
        lifespan=[running],
        state=State(
            {
                "pages": Pages(settings.static),
                "hub": hub,
                "uses": uses,
                "sweeper": sweeper,
                "notices": notices,
                "clocks": clocks,
                "moderation": moderation,
                "public_url": settings.public_url,
            }
        ),
        exception_handlers=HANDLERS,
        request_max_body_size=SMALL_BODY,
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=5, exclude=[r"map\.(svg|png)"]),
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
    app.asgi_handler = Guard(app.asgi_handler, settings.names, settings.public_url)
    return app

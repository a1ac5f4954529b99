"""The atlas as pages of the server: written once by a process of its own, from the results that were shipped."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from litestar import MediaType, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter

from bulge.core.errors import BulgeError
from bulge.core.journal import Journal
from bulge.lab.atlas.models import PAGE
from bulge.server.complaints import REFUSALS
from bulge.server.errors import Unknown
from bulge.server.programs import run

MADE_FROM = ("lab/atlas", "lab/atlas/results", "lab/report")
"""The atlas is written anew when something in these folders has changed."""
WAIT = """<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="icon.svg"><title>Atlas</title><main><h1>The atlas is being drawn</h1>
<p>This takes some seconds, and only once. The page comes by itself.</p></main></html>
"""


class Atlas:
    def __init__(self, cache: Path) -> None:
        self._cache = cache / "atlas"
        self._writing: asyncio.Task[None] | None = None
        self._failed = False
        self._read: dict[str, bytes] = {}

    async def file(self, name: str) -> bytes | None:
        """A file of the atlas; None while it is being written. Whoever asks first sets that going."""
        if name in self._read:
            return self._read[name]
        folder = self._cache / await asyncio.to_thread(_fingerprint)
        if not (folder / PAGE).exists():
            if self._failed:
                raise BulgeError("the atlas could not be drawn; the server's log says why")
            if self._writing is None:
                self._writing = asyncio.create_task(self._write(folder))
            return None
        if "/" in name or not (folder / name).is_file():
            raise Unknown("there is nothing here")
        self._read[name] = await asyncio.to_thread((folder / name).read_bytes)
        return self._read[name]

    async def _write(self, folder: Path) -> None:
        try:
            self._failed = not await run("drawing the atlas", "bulge.lab.atlas.make", str(folder))
        finally:
            self._writing = None

    async def close(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)


@cache
def _fingerprint() -> str:
    hashed = hashlib.sha256()
    for folder in MADE_FROM:
        place = files("bulge") / folder
        for file in sorted(place.iterdir(), key=lambda file: file.name) if place.is_dir() else ():
            if file.is_file():
                hashed.update(file.read_bytes())
    return hashed.hexdigest()[:24]


@get("/atlas", include_in_schema=False)
async def atlas_page(atlas: NamedDependency[Atlas]) -> Response[bytes]:
    """One battle, several models."""
    page = await atlas.file(PAGE)
    caching = {"Cache-Control": "no-store" if page is None else "no-cache"}
    return Response(WAIT.encode() if page is None else page, media_type=MediaType.HTML, headers=caching)


@get("/atlas/{name:str}", include_in_schema=False)
async def atlas_file(
    name: Annotated[str, PathParameter(max_length=100)], atlas: NamedDependency[Atlas]
) -> Response[bytes]:
    """Its figures and pictures."""
    found = await atlas.file(name)
    if found is None:
        raise Unknown("the atlas is still being drawn")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(found, media_type=kind, headers={"Cache-Control": "no-cache"})


@get(
    "/{game:str}/{name:str}",
    responses={200: ResponseSpec(Journal, generate_examples=False), **REFUSALS},
    sync_to_thread=True,
)
def kept(
    game: Annotated[str, PathParameter(max_length=64)], name: Annotated[str, PathParameter(max_length=64)]
) -> Response[str]:
    """A game of the atlas as a journal, to be imported and replayed: by its number, or as the page calls it."""
    from bulge.lab.atlas.shipped import kept_games  # what draws is heavy, and few servers are asked for it

    found = kept_games().get((game, name))
    if found is None:
        raise Unknown("the atlas keeps no such game")
    return Response(found, media_type=MediaType.JSON)


atlas_router = Router("/api/atlas", route_handlers=[kept], tags=["games"])

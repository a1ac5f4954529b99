"""Drawn maps, kept on the disk: each is drawn once, and again only when its data or the drawing has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

import bulge
from bulge.core.errors import BulgeError
from bulge.server.errors import Unknown
from bulge.server.library import Library
from bulge.server.programs import run

log = logging.getLogger("bulge.server")

AT_ONCE = 2
"""So many maps are drawn at the same time, before anybody asks for them."""
DONE = 100
LAST_FILE = "board.json"
SHIPPED = Path(__file__).parent / "maps"
"""Maps that came with the program; whatever does not fit its data is drawn anew."""


class Drawings:
    def __init__(self, folder: Path, library: Library) -> None:
        self._folder = folder
        self._library = library
        self._locks: dict[str, asyncio.Lock] = {}
        self._percents: dict[str, int] = {}
        """How far drawings that are under way have come."""
        self._boards: dict[str, dict[str, Any]] = {}
        self._looks: dict[tuple[str, str], bytes] = {}

    async def file(self, game: str, name: str) -> bytes:
        """One of the files of a game's drawing."""
        folder = await self._drawn(game)
        try:
            return await asyncio.to_thread((folder / name).read_bytes)
        except FileNotFoundError:
            raise Unknown("there is no such piece of the map") from None

    async def board(self, game: str) -> dict[str, Any]:
        """The size of the drawing, and where spaces and roads lie on it."""
        if game not in self._boards:
            self._boards[game] = json.loads(await self.file(game, "board.json"))
        return self._boards[game]

    async def look(self, game: str, overrides: str = "") -> bytes:
        """How a game looks (`Look`), as it is sent. Overrides change counters and charts, never the map."""
        key = (game, overrides)
        if key not in self._looks:
            if len(self._looks) > 32:
                self._looks.clear()
            board = await self.board(game)
            self._looks[key] = await asyncio.to_thread(
                lambda: msgspec.json.encode(self._library.game(game, overrides).look(board))
            )
        return self._looks[key]

    async def draw_all(self) -> None:
        """The small maps first, so that nobody waits long for a picture; what somebody asks for waits for none."""
        brushes = asyncio.Semaphore(AT_ONCE)

        async def in_turn(game: str) -> None:
            async with brushes:
                await self._drawn(game)

        drawn = map(in_turn, sorted(self._library.ids(), key=_size))
        for outcome in await asyncio.gather(*drawn, return_exceptions=True):
            if isinstance(outcome, Exception):
                log.error("%s", outcome)

    async def percent(self, game: str) -> int:
        """How far the drawing of a game has come."""
        return DONE if (await self._place(game) / LAST_FILE).exists() else self._percents.get(game, 0)

    async def _place(self, game: str) -> Path:
        self._library.game(game)  # refuses what is no game, before its name becomes part of a path
        name = await asyncio.to_thread(folder_name, game)
        return SHIPPED / name if (SHIPPED / name / LAST_FILE).exists() else self._folder / "maps" / name

    async def _drawn(self, game: str) -> Path:
        """The folder of a game's drawing; it is drawn first if need be, by a process of its own."""
        folder = await self._place(game)
        async with self._locks.setdefault(game, asyncio.Lock()):
            if not (folder / LAST_FILE).exists():
                await self._draw(game, folder)
        return folder

    async def _draw(self, game: str, folder: Path) -> None:
        def tell(percent: int) -> None:
            self._percents[game] = min(percent, DONE - 1)

        try:
            drawn = await run(f"drawing {game}", "bulge.server.draw", game, str(folder), tell=tell)
        finally:
            self._percents.pop(game, None)
        if not drawn:
            raise BulgeError(f"the map of {game} could not be drawn")


def _size(game: str) -> int:
    return len(_map_of(game))


def _map_of(game: str) -> bytes:
    return (files(f"bulge.games.{game}") / "map.json").read_bytes()


@cache
def folder_name(game: str) -> str:
    """A game's name with a fingerprint of all that its drawing depends on."""
    hashed = hashlib.sha256(_map_of(game))
    geo = Path(bulge.__file__).parent / "geo"
    for path in sorted([*geo.glob("*.py"), *geo.glob("drawing/*.py"), *geo.glob("data/*")]):
        hashed.update(path.read_bytes())
    for name in ("draw.py", "tiles.py"):
        hashed.update((Path(__file__).parent / name).read_bytes())
    return f"{game}-{hashed.hexdigest()[:16]}"

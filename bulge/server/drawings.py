"""Drawn maps, kept on the disk: each is drawn once, and again only when its data or the drawing has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import bulge
from bulge.core.errors import BulgeError
from bulge.core.look import Look
from bulge.server.errors import Unknown
from bulge.server.library import Library

log = logging.getLogger("bulge.server")


class Drawings:
    def __init__(self, folder: Path, library: Library) -> None:
        self._folder = folder
        self._library = library
        self._locks: dict[str, asyncio.Lock] = {}
        self._boards: dict[str, dict[str, Any]] = {}
        self._looks: dict[tuple[str, str], Look] = {}

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

    async def look(self, game: str, overrides: str = "") -> Look:
        """How a game looks. Overrides change counters and charts, never the map."""
        key = (game, overrides)
        if key not in self._looks:
            if len(self._looks) > 32:
                self._looks.clear()
            self._looks[key] = self._library.game(game, overrides).look(await self.board(game))
        return self._looks[key]

    async def draw_all(self) -> None:
        for game in self._library.ids():
            try:
                await self._drawn(game)
            except BulgeError as error:
                log.error("%s", error)

    async def _drawn(self, game: str) -> Path:
        """The folder of a game's drawing; it is drawn first if need be, by a process of its own."""
        self._library.game(game)  # refuses what is no game, before its name becomes part of a path
        folder = self._folder / "maps" / f"{game}-{await asyncio.to_thread(_fingerprint, game)}"
        async with self._locks.setdefault(game, asyncio.Lock()):
            if not (folder / "board.json").exists():
                await _draw(game, folder)
        return folder


async def _draw(game: str, folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bulge.server.draw", game, str(folder), stderr=asyncio.subprocess.PIPE
    )
    try:
        _, complaint = await process.communicate()
    except BaseException:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    if process.returncode:
        log.error("drawing %s failed: %s", game, complaint.decode(errors="replace"))
        raise BulgeError(f"the map of {game} could not be drawn")


@cache
def _fingerprint(game: str) -> str:
    """Of all that a drawing depends on."""
    hashed = hashlib.sha256((files(f"bulge.games.{game}") / "map.json").read_bytes())
    geo = Path(bulge.__file__).parent / "geo"
    for path in sorted([*geo.glob("*.py"), *geo.glob("drawing/*.py"), *geo.glob("data/*")]):
        hashed.update(path.read_bytes())
    hashed.update((Path(__file__).parent / "draw.py").read_bytes())
    return hashed.hexdigest()[:16]

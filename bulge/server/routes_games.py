"""What can be played: games, how they look, their maps and rules."""

from __future__ import annotations

import gzip
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from bulge.core.game import Scenario
from bulge.core.look import Look
from bulge.server.computer import LEVELS, USUAL_LEVEL
from bulge.server.drawings import Drawings
from bulge.server.library import Library

FOR_A_WHILE = "private, max-age=600"


class GameInfo(msgspec.Struct, frozen=True):
    id: str
    title: str
    words: str
    sides: tuple[str, ...]
    players: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    levels: tuple[str, ...]
    usual_level: str


class RuleInfo(msgspec.Struct, frozen=True):
    number: str
    title: str
    words: str


class BoardInfo(msgspec.Struct, frozen=True):
    roads: dict[str, list[float]]


GameId = Annotated[str, PathParameter(max_length=64)]


@get("/", sync_to_thread=False)
def games(library: NamedDependency[Library]) -> list[GameInfo]:
    """The games, with their scenarios and the levels of computer players."""
    loaded = [library.game(id_, library.overrides) for id_ in library.ids()]
    return [
        GameInfo(game.id, game.title, game.words, game.sides, game.players, tuple(game.scenarios.values()),
                 LEVELS, USUAL_LEVEL)
        for game in loaded
    ]  # fmt: skip


@get("/{game:str}/look")
async def look(game: GameId, drawings: NamedDependency[Drawings], library: NamedDependency[Library]) -> Look:
    """The board, the counters' faces, charts, the sequence of play."""
    return await drawings.look(game, library.overrides)


@get("/{game:str}/board")
async def board(game: GameId, drawings: NamedDependency[Drawings]) -> BoardInfo:
    """Roads as they are drawn, by hexside, as x and y by turns."""
    return BoardInfo((await drawings.board(game)).get("roads", {}))


@get("/{game:str}/map.svg", media_type="image/svg+xml")
async def map_svg(
    request: Request[Any, Any, Any],
    game: GameId,
    drawings: NamedDependency[Drawings],
    fonts: Annotated[bool, QueryParameter()] = True,
) -> Response[bytes]:
    """The drawn map; without its fonts for a page that has them."""
    packed = await drawings.file(game, "map.svg.gz" if fonts else "map-without-fonts.svg.gz")
    headers = {"Cache-Control": FOR_A_WHILE, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="image/svg+xml", headers=headers | {"Content-Encoding": "gzip"})
    return Response(gzip.decompress(packed), media_type="image/svg+xml", headers=headers)


@get("/{game:str}/map.png", media_type="image/png")
async def map_png(game: GameId, drawings: NamedDependency[Drawings]) -> Response[bytes]:
    """A small picture of the map."""
    picture = await drawings.file(game, "map.png")
    return Response(picture, media_type="image/png", headers={"Cache-Control": FOR_A_WHILE})


@get("/{game:str}/rules", sync_to_thread=False)
def rules(game: GameId, library: NamedDependency[Library]) -> list[RuleInfo]:
    """Every rule by its number, with one line in our own words."""
    book = library.game(game).rulebook
    return [RuleInfo(rule.number, rule.title, rule.words) for rule in book.rules.values()]


games_router = Router("/api/games", route_handlers=[games, look, board, map_svg, map_png, rules], tags=["games"])

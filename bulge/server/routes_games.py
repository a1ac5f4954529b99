"""What can be played: games, how they look, their maps and rules."""

from __future__ import annotations

import asyncio
import base64
import gzip
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from bulge.core.game import Scenario
from bulge.core.look import Look
from bulge.core.options import GameOption
from bulge.players.strengths import Strength, strengths_of
from bulge.server.complaints import REFUSALS
from bulge.server.computer import levels_of, usual_level
from bulge.server.drawings import DONE, Drawings
from bulge.server.library import Library
from bulge.server.tiles import SHRUNK, TILE, tile_name

PART = 1 << 18
"""Bytes of an unpacked map that are sent at a time."""
FOR_A_WHILE = "private, max-age=600"


class GameInfo(msgspec.Struct, frozen=True):
    id: str
    title: str
    words: str
    sides: tuple[str, ...]
    players: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    options: tuple[GameOption, ...]
    levels: tuple[str, ...]
    usual_level: str
    strengths: tuple[Strength, ...]
    """Of those that were ranked, the best first."""
    guided: tuple[str, ...]
    """Sides for which there is a guided first game."""


class RuleInfo(msgspec.Struct, frozen=True):
    number: str
    title: str
    words: str
    cases: tuple[str, ...]
    """The numbers of the rules that stand under it."""


class TilesInfo(msgspec.Struct, frozen=True):
    size: int
    """Pixels along the side of a tile."""
    shrunk: tuple[int, ...]
    """How many units of the drawing a pixel stands for, from the coarsest tiles to the finest."""


class BoardInfo(msgspec.Struct, frozen=True):
    roads: dict[str, list[float]]
    tiles: TilesInfo


class DrawingInfo(msgspec.Struct, frozen=True):
    game: str
    title: str
    percent: int


BLANK = base64.b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAdQ8rI3uv+BiOh/AAA=")
"""A picture of one pixel, of the colour of paper."""

TO_LEARN_ON = 1_000
"""A game of at most so many choices is one to learn on."""

Count = Annotated[int, PathParameter(ge=0, le=1000)]
GameId = Annotated[str, PathParameter(max_length=64)]


@get("/", sync_to_thread=False, responses=REFUSALS)
def games(library: NamedDependency[Library]) -> list[GameInfo]:
    """The games, with their scenarios and the levels of computer players; first the one to learn on."""
    loaded = [library.game(id_, library.overrides) for id_ in library.ids()]
    loaded.sort(key=lambda game: game.most_choices > TO_LEARN_ON)
    return [
        GameInfo(
            id=game.id,
            title=game.title,
            words=game.words,
            sides=game.sides,
            players=game.players,
            scenarios=tuple(game.scenarios.values()),
            options=tuple(game.options),
            levels=levels_of(game),
            usual_level=usual_level(game),
            strengths=strengths_of(game.id),
            guided=tuple(dict.fromkeys(lesson.side for lesson in game.learning.lessons)),
        )
        for game in loaded
    ]


@get("/{game:str}/look", responses={200: ResponseSpec(Look, generate_examples=False), **REFUSALS})
async def look(
    game: GameId, drawings: NamedDependency[Drawings], library: NamedDependency[Library]
) -> Response[bytes]:
    """The board, the counters' faces, charts, the sequence of play."""
    return Response(await drawings.look(game, library.overrides), media_type=MediaType.JSON)


@get("/{game:str}/board", responses=REFUSALS)
async def board(game: GameId, drawings: NamedDependency[Drawings]) -> BoardInfo:
    """Roads as they are drawn, by hexside, as x and y by turns; and which tiles there are."""
    return BoardInfo((await drawings.board(game)).get("roads", {}), TilesInfo(TILE, SHRUNK))


@get("/{game:str}/tiles/{shrunk:int}/{column:int}/{row:int}", media_type="image/webp", responses=REFUSALS)
async def tile(
    game: GameId, shrunk: Count, column: Count, row: Count, drawings: NamedDependency[Drawings]
) -> Response[bytes]:
    """A square piece of the drawn map as a picture."""
    picture = await drawings.file(game, tile_name(shrunk, column, row))
    return Response(picture, media_type="image/webp", headers={"Cache-Control": FOR_A_WHILE})


@get("/{game:str}/map.svg", media_type="image/svg+xml", responses=REFUSALS)
async def map_svg(
    request: Request[Any, Any, Any],
    game: GameId,
    drawings: NamedDependency[Drawings],
    fonts: Annotated[bool, QueryParameter()] = True,
) -> Response[bytes] | Stream:
    """The drawn map; without its fonts for a page that has them."""
    packed = await drawings.file(game, "map.svg.gz" if fonts else "map-without-fonts.svg.gz")
    headers = {"Cache-Control": FOR_A_WHILE, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="image/svg+xml", headers=headers | {"Content-Encoding": "gzip"})
    return Stream(_unpacked(packed), media_type="image/svg+xml", headers=headers)


async def _unpacked(packed: bytes) -> AsyncIterator[bytes]:
    """In parts: several megabytes at once would hold up the answers to all others."""
    with gzip.open(BytesIO(packed)) as file:
        while part := await asyncio.to_thread(file.read, PART):
            yield part


@get("/{game:str}/map.webp", media_type="image/webp", responses=REFUSALS)
async def map_picture(game: GameId, drawings: NamedDependency[Drawings]) -> Response[bytes]:
    """A small picture of the map; while it is still being drawn, a blank one at once: nobody waits for it."""
    drawn = await drawings.percent(game) == DONE
    picture = await drawings.file(game, "map.webp") if drawn else BLANK
    caching = FOR_A_WHILE if drawn else "no-store"
    return Response(picture, media_type="image/webp", headers={"Cache-Control": caching})


@get("/drawings", responses=REFUSALS)
async def drawings_under_way(
    drawings: NamedDependency[Drawings], library: NamedDependency[Library]
) -> list[DrawingInfo]:
    """How far the map of each game is drawn; 100 when it can be looked at."""
    return [DrawingInfo(id_, library.game(id_).title, await drawings.percent(id_)) for id_ in library.ids()]


@get("/{game:str}/rules", sync_to_thread=False, responses=REFUSALS)
def rules(game: GameId, library: NamedDependency[Library]) -> list[RuleInfo]:
    """Every rule by its number, with one line in our own words."""
    book = library.game(game).rulebook
    return [
        RuleInfo(rule.number, rule.title, rule.words, tuple(case.number for case in book.cases(rule.number)))
        for rule in book.rules.values()
    ]


games_router = Router(
    "/api/games",
    route_handlers=[games, look, board, tile, map_svg, map_picture, rules, drawings_under_way],
    tags=["games"],
)

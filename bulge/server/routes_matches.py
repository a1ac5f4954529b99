"""Matches: make one, import one, list one's own, look at one, take its journal away."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, Response, Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter

from bulge.core import journal as journals
from bulge.core.chance import new_seed, seed_meant
from bulge.core.errors import BulgeError
from bulge.core.journal import Journal
from bulge.core.look import Look
from bulge.core.match import Match
from bulge.server.complaints import REFUSALS
from bulge.server.drawings import Drawings
from bulge.server.expiry import Sweeper, delete_own
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.live import Live
from bulge.server.play import Action, Play
from bulge.server.replays import Replays
from bulge.server.seats import HOST, Seat, digest
from bulge.server.settings import LARGE_BODY
from bulge.server.telling import Telling, tell
from bulge.server.uses import Guest, Uses
from bulge.server.views import State, past_state, state_of

Word = Annotated[str, msgspec.Meta(max_length=200)]
MatchId = Annotated[str, PathParameter(max_length=64)]
Number = Annotated[int, PathParameter(ge=0, le=1_000_000)]
"""Of choices."""
Token = Annotated[str | None, HeaderParameter(name="X-Token", max_length=200)]
"""A seat's secret; in a header, since addresses are written down on their way."""
Events = Annotated[Literal["all", "new"], QueryParameter()]
"""All of the log, or its newest part."""
Visitor = NamedDependency[Guest]
MOST_TOKENS = 200


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    game: Word
    scenario: Word | None = None
    options: Annotated[dict[Word, Word], msgspec.Meta(max_length=50)] = {}
    seed: Word | None = None
    seats: Annotated[dict[Word, Word], msgspec.Meta(max_length=20)] = {}


class Admission(msgspec.Struct):
    """Keys to a match: the host's, and one for each human side."""

    id: str
    host: str
    tokens: dict[str, str]


class Summary(msgspec.Struct):
    id: str
    game: str
    title: str
    turn: int
    to_play: str | None
    over: bool
    kept: bool
    """Whether it never expires."""
    expires: datetime | None
    """When it is deleted, if nobody plays on or keeps it."""


class Keeping(msgspec.Struct, forbid_unknown_fields=True):
    kept: bool


class Kept(msgspec.Struct):
    kept: bool


class Deleted(msgspec.Struct):
    deleted: bool = True


def admission(id_: str, tokens: dict[str, str]) -> Admission:
    return Admission(id_, tokens[HOST], {role: token for role, token in tokens.items() if role != HOST})


@post("/", responses=REFUSALS)
async def create(
    data: JSONBody[NewMatch],
    hub: NamedDependency[Hub],
    library: NamedDependency[Library],
    guest: Visitor,
    uses: NamedDependency[Uses],
) -> Admission:
    """Make a match. The same seed gives the same dice; without one, nobody knows them."""
    game = library.game(data.game, library.overrides)
    players = hub.players_of(data.game, data.scenario, data.seats)
    seed = seed_meant(data.seed) if data.seed else new_seed()
    match: Match[Any] = Match(game, data.scenario, data.options, seed=seed)
    await uses.new_match(guest)
    made = await hub.create(match, players, library.overrides, known_dice=bool(data.seed), maker=guest.maker)
    return admission(*made)


@post("/import", request_max_body_size=LARGE_BODY, responses=REFUSALS)
async def import_journal(
    request: Request[Any, Any, Any],
    hub: NamedDependency[Hub],
    library: NamedDependency[Library],
    guest: Visitor,
    uses: NamedDependency[Uses],
) -> Admission:
    """Go on with a saved match: a journal, or `{"journal": journal, "seats": {side: level}}`."""
    body = await request.body()
    await uses.new_match(guest, imported=True)  # before it is read: to refuse a file is work too
    journal, seats, standing = await hub.referee.check(body)
    players = hub.players_of(journal.game, journal.scenario, seats)
    match = await asyncio.to_thread(_begun, library, journal)
    actions = [Action("choose", id_) for id_ in journal.choices]
    made = await hub.create(
        match, players, journal.overrides, actions, standing, known_dice=True, maker=guest.maker
    )
    return admission(*made)


def _begun(library: Library, journal: Journal) -> Match[Any]:
    game = library.game(journal.game, journal.overrides)
    return Match(game, journal.scenario, journal.options, seed=journal.seed)


@get("/", responses=REFUSALS)
async def matches(
    hub: NamedDependency[Hub],
    library: NamedDependency[Library],
    guest: Visitor,
    tokens: Annotated[str, HeaderParameter(name="X-Tokens", max_length=16_000)] = "",
) -> list[Summary]:
    """The matches that these tokens (separated by commas) open, the newest first."""
    asked = [digest(token.strip()) for token in tokens.split(",")[:MOST_TOKENS] if token.strip()]
    async with hub.telling.own(guest.address):
        rows = await hub.storage.with_tokens(asked) if asked else []
    known = [row for row in rows if row.game in library.ids()]
    return [
        Summary(
            row.id,
            row.game,
            library.game(row.game).title,
            row.turn,
            row.to_play,
            row.over,
            row.kept,
            row.expires,
        )
        for row in known
    ]


@put("/{match_id:str}/kept", responses=REFUSALS)
async def keep(
    match_id: MatchId,
    data: JSONBody[Keeping],
    hub: NamedDependency[Hub],
    sweeper: NamedDependency[Sweeper],
    uses: NamedDependency[Uses],
    guest: Visitor,
    token: Token = None,
) -> Kept:
    """Whether a match is to stay, though nobody plays it any more."""
    _, seat = await hub.enter(match_id, token, guest)
    await sweeper.keep(match_id, seat, data.kept, uses.quotas.kept)
    return Kept(data.kept)


@delete("/{match_id:str}", status_code=200, responses=REFUSALS)
async def delete_match(
    match_id: MatchId, hub: NamedDependency[Hub], sweeper: NamedDependency[Sweeper], token: Token = None
) -> Deleted:
    """Delete a match that one has made and that nobody else plays."""
    await delete_own(sweeper, hub, match_id, token)
    return Deleted()


@get("/{match_id:str}", responses=REFUSALS)
async def state(
    match_id: MatchId,
    hub: NamedDependency[Hub],
    guest: Visitor,
    token: Token = None,
    events: Events = "all",
) -> State:
    """A match as its token may see it."""
    live, seat = await hub.enter(match_id, token, guest)
    async with hub.line(live, guest), live.lock:
        play = await hub.stories.play_of(live)
        return state_of(
            play,
            seat,
            rev=live.rev,
            thinking=live.thinking,
            note=live.note,
            known_dice=live.known_dice,
            table=live.table,
            whole_log=events == "all",
            **live.presence,
        )


@get("/{match_id:str}/look", responses=REFUSALS)
async def match_look(
    match_id: MatchId,
    hub: NamedDependency[Hub],
    drawings: NamedDependency[Drawings],
    guest: Visitor,
    token: Token = None,
) -> Look:
    """As the look of the game, with the overrides of this match."""
    live, _ = await hub.enter(match_id, token, guest)
    async with live.lock:
        game = (await hub.stories.play_of(live)).game.id
    return await drawings.look(game, live.overrides)


@get("/{match_id:str}/journal", responses={200: ResponseSpec(Journal, generate_examples=False), **REFUSALS})
async def journal(
    match_id: MatchId,
    hub: NamedDependency[Hub],
    guest: Visitor,
    token: Token = None,
    before: Annotated[bool, QueryParameter()] = False,
) -> Response[str]:
    """The match as a file. Before the end only the host gets it with its seed, if all sit at one table.

    With `before`, as it stood before a change of rules or data cut it short.
    """
    live, seat = await hub.enter(match_id, token, guest)
    async with live.lock:
        match = (await hub.stories.play_of(live)).match
        over, sealed = is_over(live, match), _sealed(live, seat, match)
        if sealed and match.game.has_secrets(match.position):
            raise BulgeError("the journal tells each side's secrets: it is given out once the game is over")
        if not over and not sealed:
            await hub.tell_dice(live)
        written = journal_now(match, live, sealed=sealed)
        if before:
            written = journals.before_a_change(written, await hub.stories.left_behind(live))
        text = journals.encode(written)
    name = f"{match.game.id}-{live.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=MediaType.JSON, headers=headers)


def is_over(live: Live, match: Match[Any]) -> bool:
    """Whether the rules or the people have brought it to its end."""
    return match.result is not None or (live.table is not None and live.table.ending is not None)


def _sealed(live: Live, seat: Seat, match: Match[Any]) -> bool:
    """Whether its dice must stay unknown to this seat: it goes on, and others sit elsewhere."""
    return not is_over(live, match) and (live.apart or not seat.is_host)


def _so_far(play: Play, n: int) -> Play:
    """The match, if so many choices have been made in it."""
    if n > play.n:
        raise BulgeError(f"only {play.n} choices have been made")
    return play


@post("/{match_id:str}/branch/{n:int}", responses=REFUSALS)
async def branch(
    match_id: MatchId,
    n: Number,
    hub: NamedDependency[Hub],
    guest: Visitor,
    uses: NamedDependency[Uses],
    token: Token = None,
) -> Admission:
    """A new match that begins with the first n choices of this one, and its dice."""
    live, seat = await hub.enter(match_id, token, guest)
    async with live.lock:
        match = _so_far(await hub.stories.play_of(live), n).match
        if _sealed(live, seat, match):
            raise BulgeError("others play this match elsewhere: take it up from the middle once it is over")
        if not is_over(live, match):
            await hub.tell_dice(live)
        choices, players = match.ids[:n], dict(live.players)
    await uses.new_match(guest)
    again = await asyncio.to_thread(_played_again, match, choices)
    actions = [Action("choose", id_) for id_ in choices]
    made = await hub.create(again, players, live.overrides, actions, known_dice=True, maker=guest.maker)
    return admission(*made)


def _played_again(match: Match[Any], choices: list[str]) -> Match[Any]:
    again: Match[Any] = Match(
        match.game, match.start.scenario, match.start.options, seed=match.seed, keep_log=False
    )
    for id_ in choices:
        again.answer(id_)
    return again


def _shared(live: Live) -> dict[str, Any]:
    return {"known_dice": live.known_dice, "table": live.table}


def journal_now(match: Match[Any], live: Live, *, sealed: bool) -> Journal:
    table = live.table
    if table is None:
        return journals.journal_of(match, live.overrides, sealed=sealed)
    return journals.journal_of(
        match, live.overrides, sealed=sealed, parts=table.parts, commitments=table.commitments
    )


@get("/{match_id:str}/replay/{n:int}", responses=REFUSALS)
async def replay(
    match_id: MatchId,
    n: Number,
    hub: NamedDependency[Hub],
    replays: NamedDependency[Replays],
    guest: Visitor,
    token: Token = None,
    events: Events = "all",
) -> State:
    """The match after n choices, to look at only."""
    live, seat = await hub.enter(match_id, token, guest)
    async with replays.turns.of(guest.address), live.lock:
        play = _so_far(await hub.stories.play_of(live), n)
        position = await asyncio.to_thread(replays.position, live.id, play.match, n)
        return past_state(
            play,
            seat,
            rev=live.rev,
            n=n,
            position=position,
            known_dice=live.known_dice,
            table=live.table,
            whole_log=events == "all",
        )


@get("/{match_id:str}/told/{n:int}", responses=REFUSALS)
async def told(
    match_id: MatchId,
    n: Number,
    hub: NamedDependency[Hub],
    replays: NamedDependency[Replays],
    guest: Visitor,
    token: Token = None,
    overlays: Annotated[str, QueryParameter(max_length=400)] = "",
) -> Telling:
    """What happened after the first n choices, move by move; and what changed in some overlays (`a,b`)."""
    live, seat = await hub.enter(match_id, token, guest)
    async with replays.turns.of(guest.address), live.lock:
        play = _so_far(await hub.stories.play_of(live), n)
        return await asyncio.to_thread(tell, live.id, play, seat, replays, n, [*filter(None, overlays.split(","))])


matches_router = Router(
    "/api/matches",
    route_handlers=[
        create,
        import_journal,
        matches,
        state,
        match_look,
        journal,
        branch,
        replay,
        told,
        keep,
        delete_match,
    ],
    tags=["matches"],
)

"""Tables over HTTP: matches among people who have accounts."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post, put
from litestar.di import NamedDependency
from litestar.params import HeaderParameter, JSONBody, PathParameter

from bulge.core.match import Match
from bulge.server.complaints import REFUSALS
from bulge.server.going_back import WayBack
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.people import Person, somebody
from bulge.server.summaries import TableSummary
from bulge.server.tables import UNKNOWN_SEED, Tables
from bulge.server.terms import Answered, Message, Note, OfferKind, SharedNote, Terms
from bulge.server.uses import Guest, guest_of

Word = Annotated[str, msgspec.Meta(max_length=200)]
Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
TableId = Annotated[str, PathParameter(max_length=64)]
Invitation = Annotated[str | None, HeaderParameter(name="X-Invitation", max_length=200)]
Who = NamedDependency[Person | None]
Visitor = NamedDependency[Guest]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    game: Word
    scenario: Word | None = None
    options: Annotated[dict[Word, Word], msgspec.Meta(max_length=50)] = {}
    seats: Annotated[dict[Word, Word], msgspec.Meta(max_length=20)] = {}
    """Side to `human` or the level of a computer player; whatever is not named is human."""
    terms: Terms = Terms()
    listed: bool = True
    """Whether everybody sees it; otherwise only who has the invitation."""


class NewTableMade(msgspec.Struct):
    id: str
    invitation: str


class Sit(msgspec.Struct, forbid_unknown_fields=True):
    side: Word
    commitment: Hex64
    invitation: Word | None = None


class Reveal(msgspec.Struct, forbid_unknown_fields=True):
    secret: Hex32


class MakeOffer(msgspec.Struct, forbid_unknown_fields=True):
    kind: OfferKind
    to: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """Of who asks to go back: how many choices are to be left."""


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    yes: bool


class Say(msgspec.Struct, forbid_unknown_fields=True):
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class NewNote(msgspec.Struct, forbid_unknown_fields=True):
    words: Annotated[str, msgspec.Meta(max_length=4000)]


class Sharing(msgspec.Struct, forbid_unknown_fields=True):
    shared: bool


class Done(msgspec.Struct):
    done: bool = True


@post("/", responses=REFUSALS)
async def make(
    data: JSONBody[NewTable],
    request: Request[Any, Any, Any],
    who: Who,
    tables: NamedDependency[Tables],
    hub: NamedDependency[Hub],
    library: NamedDependency[Library],
) -> NewTableMade:
    """A table at which people may sit down. Its maker has no more power than anybody else who sits."""
    person = somebody(who)
    players = hub.players_of(data.game, data.scenario, data.seats)
    match: Match[Any] = Match(library.game(data.game), data.scenario, data.options, seed=UNKNOWN_SEED)
    guest = guest_of(request, who)
    id_, invitation = await tables.make(person, guest, match, players, data.terms, listed=data.listed)
    return NewTableMade(id_, invitation)


@get("/", responses=REFUSALS)
async def open_tables(
    who: Who, guest: Visitor, tables: NamedDependency[Tables], hub: NamedDependency[Hub]
) -> list[TableSummary]:
    """Public tables at which somebody may sit down or look on."""
    async with hub.telling.own(guest.address):
        return await tables.open_ones(who)


@get("/mine", responses=REFUSALS)
async def my_tables(
    who: Who, guest: Visitor, tables: NamedDependency[Tables], hub: NamedDependency[Hub]
) -> list[TableSummary]:
    """One's own, those that wait for oneself first."""
    async with hub.telling.own(guest.address):
        return await tables.mine(somebody(who))


@get("/of/{name:str}", responses=REFUSALS)
async def tables_of(
    name: Annotated[str, PathParameter(max_length=80)],
    who: Who,
    guest: Visitor,
    tables: NamedDependency[Tables],
    hub: NamedDependency[Hub],
) -> list[TableSummary]:
    """The public ones of somebody, those that ended too."""
    async with hub.telling.own(guest.address):
        return await tables.of_person(name, who)


@get("/{table_id:str}", responses=REFUSALS)
async def one_table(
    table_id: TableId,
    who: Who,
    tables: NamedDependency[Tables],
    invitation: Invitation = None,
) -> TableSummary:
    """What is to be agreed to by sitting down; a private table is shown to its invitation alone."""
    return await tables.one(table_id, who, invitation)


@post("/{table_id:str}/sit", responses=REFUSALS)
async def sit(table_id: TableId, data: JSONBody[Sit], who: Who, tables: NamedDependency[Tables]) -> Done:
    """Take a free seat, agree to its terms, and commit to a part of the dice."""
    await tables.sit(table_id, somebody(who), data.side, data.commitment, data.invitation)
    return Done()


@post("/{table_id:str}/leave", responses=REFUSALS)
async def leave(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> Done:
    """Give a seat up before the match has begun."""
    await tables.leave(table_id, somebody(who))
    return Done()


@post("/{table_id:str}/reveal", responses=REFUSALS)
async def reveal(table_id: TableId, data: JSONBody[Reveal], who: Who, tables: NamedDependency[Tables]) -> Done:
    """Give one's part of the dice, once all have committed to theirs."""
    await tables.reveal(table_id, somebody(who), data.secret)
    return Done()


@post("/{table_id:str}/offer", responses=REFUSALS)
async def offer(table_id: TableId, data: JSONBody[MakeOffer], who: Who, tables: NamedDependency[Tables]) -> Done:
    """Ask the other side for a draw, to go back to an earlier moment, or for another match."""
    await tables.offer(table_id, somebody(who), data.kind, data.to)
    return Done()


@get("/{table_id:str}/back", responses=REFUSALS)
async def back(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> list[WayBack]:
    """The moments to which one may ask to go back, the latest first."""
    return await tables.ways_back(table_id, somebody(who))


@post("/{table_id:str}/answer", responses=REFUSALS)
async def answer(
    table_id: TableId,
    data: JSONBody[Answer],
    request: Request[Any, Any, Any],
    who: Who,
    tables: NamedDependency[Tables],
) -> Answered:
    """Consent, or refuse; whoever asked may take it back by refusing."""
    return await tables.answer(table_id, somebody(who), guest_of(request, who), data.yes)


@post("/{table_id:str}/resign", responses=REFUSALS)
async def resign(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> Done:
    await tables.resign(table_id, somebody(who))
    return Done()


@post("/{table_id:str}/claim", responses=REFUSALS)
async def claim(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> Done:
    """Claim a match whose other side has let its days pass."""
    await tables.claim(table_id, somebody(who))
    return Done()


@post("/{table_id:str}/talk", responses=REFUSALS)
async def say(
    table_id: TableId,
    data: JSONBody[Say],
    who: Who,
    tables: NamedDependency[Tables],
    invitation: Invitation = None,
) -> Done:
    """To the other players; of who looks on, to the others who do."""
    await tables.beside.say(table_id, somebody(who), invitation, data.words)
    return Done()


@get("/{table_id:str}/talk", responses=REFUSALS)
async def talk(
    table_id: TableId, who: Who, tables: NamedDependency[Tables], invitation: Invitation = None
) -> list[Message]:
    """What the players said, or of who looks on, what the gallery did; once the match is over, both."""
    return await tables.beside.talk(table_id, who, invitation)


@get("/{table_id:str}/notes", responses=REFUSALS)
async def notes(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> list[Note]:
    """One's own notes, by turn; nobody else reads them unless they are shared after the end."""
    return await tables.beside.notes(table_id, somebody(who))


@put("/{table_id:str}/notes/{turn:int}", responses=REFUSALS)
async def note(
    table_id: TableId,
    turn: Annotated[int, PathParameter(ge=0, le=1000)],
    data: JSONBody[NewNote],
    who: Who,
    tables: NamedDependency[Tables],
) -> Done:
    """Write down a note on a turn; an empty one is taken away."""
    await tables.beside.note(table_id, somebody(who), turn, data.words)
    return Done()


@get("/{table_id:str}/shared", responses=REFUSALS)
async def shared_notes(
    table_id: TableId, who: Who, tables: NamedDependency[Tables], invitation: Invitation = None
) -> list[SharedNote]:
    """Notes that their writers shared after the end, for whoever may look on."""
    return await tables.beside.shared_notes(table_id, who, invitation)


@put("/{table_id:str}/shared", responses=REFUSALS)
async def share(table_id: TableId, data: JSONBody[Sharing], who: Who, tables: NamedDependency[Tables]) -> Done:
    """Share one's own notes once the match is over, or no longer."""
    await tables.beside.share(table_id, somebody(who), data.shared)
    return Done()


HANDLERS = [
    make, open_tables, my_tables, tables_of, one_table, sit, leave, reveal, offer, back, answer, resign, claim,
    say, talk, notes, note, shared_notes, share,
]  # fmt: skip

tables_router = Router("/api/tables", route_handlers=HANDLERS, tags=["tables"])

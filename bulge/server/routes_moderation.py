"""A moderator's tools over HTTP."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter

from bulge.server.complaints import REFUSALS
from bulge.server.moderation import Account, Deed, Match, Moderation, Report, check_moderator, kept_from
from bulge.server.people import Person, somebody
from bulge.server.tables import Tables
from bulge.server.terms import Message

Name = Annotated[str, PathParameter(max_length=80)]
TableId = Annotated[str, PathParameter(max_length=64)]
Number = Annotated[int, PathParameter(ge=0, le=1_000_000)]
Invitation = Annotated[str | None, HeaderParameter(name="X-Invitation", max_length=200)]
Who = NamedDependency[Person | None]
Tools = NamedDependency[Moderation]


class Suspension(msgspec.Struct, forbid_unknown_fields=True):
    suspended: bool
    why: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """For the log that moderators read."""


class NewReport(msgspec.Struct, forbid_unknown_fields=True):
    """About somebody, about a match, or about a message there."""

    words: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    about: Annotated[str, msgspec.Meta(max_length=80)] = ""
    match: Annotated[str, msgspec.Meta(max_length=64)] = ""
    message: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class Closing(msgspec.Struct, forbid_unknown_fields=True):
    closed: bool


class Removed(msgspec.Struct):
    removed: bool = True


class Done(msgspec.Struct):
    done: bool = True


@post("/api/reports", responses=REFUSALS, tags=["moderation"])
async def report(data: JSONBody[NewReport], who: Who, moderation: Tools, invitation: Invitation = None) -> Done:
    """Ask the moderators to look at something."""
    person = somebody(who)
    await moderation.report(person, data.about, data.match, data.message, data.words, invitation)
    return Done()


@get("/reports", responses=REFUSALS)
async def reports(
    who: Who, moderation: Tools, closed: Annotated[bool, QueryParameter(name="closed")] = False
) -> list[Report]:
    """What waits for a moderator, or what was looked at before."""
    return await moderation.reports(check_moderator(who), closed=closed)


@post("/reports/{number:int}", responses=REFUSALS)
async def close_report(number: Number, data: JSONBody[Closing], who: Who, moderation: Tools) -> Done:
    """It has been looked at, or must be looked at again."""
    await moderation.close_report(number, data.closed, check_moderator(who))
    return Done()


@get("/people", responses=REFUSALS)
async def accounts(
    who: Who, moderation: Tools, name: Annotated[str, QueryParameter(name="name", max_length=80)] = ""
) -> list[Account]:
    """Those whose names begin so, the newest first."""
    check_moderator(who)
    return await moderation.accounts(name)


@post("/people/{name:str}", responses=REFUSALS)
async def suspend(name: Name, data: JSONBody[Suspension], who: Who, moderation: Tools) -> Account:
    """Shut an account, or open it again."""
    return await moderation.suspend(name, data.suspended, check_moderator(who), data.why)


@get("/tables", responses=REFUSALS)
async def all_tables(
    who: Who, moderation: Tools, name: Annotated[str, QueryParameter(name="name", max_length=80)] = ""
) -> list[Match]:
    """Those of somebody, or all, the newest first, with private ones."""
    check_moderator(who)
    return await moderation.matches(name)


@get("/tables/{table_id:str}/talk", responses=REFUSALS)
async def read_talk(
    table_id: TableId, who: Who, tables: NamedDependency[Tables], moderation: Tools
) -> list[Message]:
    """What was said at a table, for whoever was called to it; that it was read is logged."""
    moderator = check_moderator(who)
    found = await tables.beside.last_talk(table_id, ~kept_from(moderator))
    if found:
        await moderation.log(moderator, f"read what was said at match {table_id}")
    return found


@delete("/tables/{table_id:str}/talk/{number:int}", status_code=200, responses=REFUSALS)
async def silence(table_id: TableId, number: Number, who: Who, moderation: Tools) -> Removed:
    await moderation.silence(table_id, number, check_moderator(who))
    return Removed()


@delete("/tables/{table_id:str}", status_code=200, responses=REFUSALS)
async def close_table(table_id: TableId, who: Who, tables: NamedDependency[Tables], moderation: Tools) -> Removed:
    """Break a match off and take it from the public list; it counts for nobody."""
    moderator = check_moderator(who)
    await tables.close(table_id)
    await moderation.log(moderator, f"broke match {table_id} off")
    return Removed()


@get("/deeds", responses=REFUSALS)
async def deeds(who: Who, moderation: Tools) -> list[Deed]:
    """What moderators did, the newest first."""
    check_moderator(who)
    return await moderation.deeds()


moderation_router = Router(
    "/api/moderation",
    route_handlers=[
        reports,
        close_report,
        accounts,
        suspend,
        all_tables,
        read_talk,
        silence,
        close_table,
        deeds,
    ],
    tags=["moderation"],
)

"""A moderator's tools over HTTP."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter

from bulge.server.errors import REFUSALS
from bulge.server.moderation import Account, Moderation, check_moderator
from bulge.server.people import Person
from bulge.server.tables import Message, Tables

Name = Annotated[str, PathParameter(max_length=80)]
TableId = Annotated[str, PathParameter(max_length=64)]
Who = NamedDependency[Person | None]
Tools = NamedDependency[Moderation]


class Suspension(msgspec.Struct, forbid_unknown_fields=True):
    suspended: bool


class Removed(msgspec.Struct):
    removed: bool = True


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
    return await moderation.suspend(name, data.suspended, check_moderator(who))


@get("/tables/{table_id:str}/talk", responses=REFUSALS)
async def read_talk(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> list[Message]:
    """What was said at a table, for whoever was called to it."""
    check_moderator(who)
    return await tables.all_talk(table_id)


@delete("/tables/{table_id:str}/talk/{number:int}", status_code=200, responses=REFUSALS)
async def silence(
    table_id: TableId, number: Annotated[int, PathParameter(ge=0, le=1_000_000)], who: Who, moderation: Tools
) -> Removed:
    check_moderator(who)
    await moderation.silence(table_id, number)
    return Removed()


@delete("/tables/{table_id:str}", status_code=200, responses=REFUSALS)
async def close_table(table_id: TableId, who: Who, tables: NamedDependency[Tables]) -> Removed:
    """Break a match off and take it from the public list; it counts for nobody."""
    check_moderator(who)
    await tables.close(table_id)
    return Removed()


moderation_router = Router(
    "/api/moderation",
    route_handlers=[accounts, suspend, read_talk, silence, close_table],
    tags=["moderation"],
)

"""By which ways one is told when one is away: chosen, confirmed, tried, closed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Router, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from bulge.server.complaints import REFUSALS
from bulge.server.notices import Channel, Event, Notices
from bulge.server.people import Person, somebody
from bulge.server.quiet import Quiet

ChannelId = Annotated[str, PathParameter(max_length=64)]
Who = NamedDependency[Person | None]
Told = NamedDependency[Notices]


class Ways(msgspec.Struct):
    """How one is told, and how one could be."""

    kinds: list[str]
    push_key: str
    """For a browser that subscribes."""
    channels: list[Channel]
    quiet: Quiet | None
    """The hours in which nothing is told."""


class NewChannel(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["push", "email", "webhook"]
    target: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    """A browser's subscription as JSON, or a webhook's address; e-mail goes to one's own."""


class Code(msgspec.Struct, forbid_unknown_fields=True):
    code: Annotated[str, msgspec.Meta(max_length=16)]


class Choice(msgspec.Struct, forbid_unknown_fields=True):
    events: Annotated[list[Event], msgspec.Meta(max_length=8)]


class QuietHours(msgspec.Struct, forbid_unknown_fields=True):
    quiet: Quiet | None


class Sent(msgspec.Struct):
    sent: bool = True


@get("/", responses=REFUSALS)
async def ways(who: Who, notices: Told) -> Ways:
    person = somebody(who)
    return Ways(
        notices.delivery.kinds,
        await notices.push_key(),
        await notices.channels(person),
        await notices.quiet_of(person.id),
    )


@put("/quiet", responses=REFUSALS)
async def keep_quiet(data: JSONBody[QuietHours], who: Who, notices: Told) -> QuietHours:
    """Hours in which nothing is told, or null for none; what happens then is told together afterwards."""
    await notices.keep_quiet(somebody(who), data.quiet)
    return data


@post("/", responses=REFUSALS)
async def open_channel(data: JSONBody[NewChannel], who: Who, notices: Told) -> Channel:
    """One more way; to an e-mail address a code is sent that must be said back."""
    return await notices.open(somebody(who), data.kind, data.target)


@patch("/{channel_id:str}", responses=REFUSALS)
async def choose_events(channel_id: ChannelId, data: JSONBody[Choice], who: Who, notices: Told) -> Channel:
    """What is told that way."""
    return await notices.choose(somebody(who), channel_id, data.events)


@post("/{channel_id:str}/confirm", responses=REFUSALS)
async def confirm(channel_id: ChannelId, data: JSONBody[Code], who: Who, notices: Told) -> Channel:
    return await notices.confirm(somebody(who), channel_id, data.code)


@post("/{channel_id:str}/test", responses=REFUSALS)
async def test(channel_id: ChannelId, who: Who, notices: Told) -> Sent:
    """Tell something now; whatever goes wrong is the answer."""
    await notices.test(somebody(who), channel_id)
    return Sent()


@delete("/{channel_id:str}", status_code=200, responses=REFUSALS)
async def close_channel(channel_id: ChannelId, who: Who, notices: Told) -> Sent:
    await notices.drop(somebody(who), channel_id)
    return Sent()


notices_router = Router(
    "/api/me/notices",
    route_handlers=[ways, keep_quiet, open_channel, choose_events, confirm, test, close_channel],
    tags=["notices"],
)

"""The WebSocket of a match: every change is told to all who watch, each sees what it may."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter

from bulge.core.errors import BulgeError
from bulge.server import questions
from bulge.server.errors import Full, NotSignedIn, TooOften, Unreachable, WrongToken, words_of
from bulge.server.hub import Hub
from bulge.server.limits import counted
from bulge.server.live import Live
from bulge.server.people import People
from bulge.server.play import Deed
from bulge.server.requests import Change, Choose, Go, Hint, Question, Redo, TakeTogether, Undo, decoder, re_of
from bulge.server.routes_people import COOKIE
from bulge.server.seats import Seat
from bulge.server.settings import SMALL_BODY
from bulge.server.subscriber import Subscriber
from bulge.server.uses import Guest, Uses
from bulge.server.views import StateMessage, state_of

log = logging.getLogger("bulge.server")

FORBIDDEN, TOO_LARGE, TOO_MUCH, TRY_AGAIN = 4403, 1009, 1008, 1013
LOOK_AGAIN = 10.0
"""After so many seconds a page that is only told things shows again that its session stands."""

PROTOCOL, TOKEN = "bulge", "token."

Socket = WebSocket[Any, Any, Any]


@websocket("/api/matches/{match_id:str}/live")
async def live_match(
    socket: Socket,
    match_id: FromPath[str],
    hub: NamedDependency[Hub],
    guest: NamedDependency[Guest],
    uses: NamedDependency[Uses],
    people: NamedDependency[People],
    events: Annotated[str | None, QueryParameter(name="events")] = None,
) -> None:
    offered = socket.scope["subprotocols"]
    await socket.accept(subprotocols=PROTOCOL if PROTOCOL in offered else None)
    token = _token(socket.headers.get("x-token"), offered)
    caller = Caller(guest, token, socket.cookies.get(COOKIE), uses, people)
    try:
        with uses.page(caller.guest):
            await _serve_page(socket, hub, match_id, caller, new_events_only=events == "new")
    except TooOften as error:
        await socket.close(TOO_MUCH, str(error))
    except Unreachable as error:
        await socket.close(TRY_AGAIN, str(error))


@dataclass
class Caller:
    """Whose page it is, by what they came in, and what they have used."""

    guest: Guest
    token: str | None
    cookie: str | None
    uses: Uses
    people: People
    looked: float = field(default_factory=time.monotonic)
    """When their session was last looked up."""

    async def check(self, live: Live, subscriber: Subscriber, patience: float = 0) -> None:
        """A page that stays open gives nobody a seat that was given up, nor outlives its session."""
        if live.table is None:
            return
        role = live.table.role_of(self.guest.account or None, self.token)
        if role is None:
            raise WrongToken
        if role != subscriber.seat.role:
            subscriber.seat = Seat(live.id, role, live.players, live.held)
        if self.guest.account and time.monotonic() - self.looked >= patience:
            if await self.people.of_session(self.cookie) is None:
                raise NotSignedIn
            self.looked = time.monotonic()


def _token(header: str | None, offered: Iterable[str]) -> str | None:
    """A seat's secret. A browser can send no headers with a WebSocket, only protocols that it would speak."""
    named = (name.removeprefix(TOKEN) for name in offered if name.startswith(TOKEN))
    return header or next(named, None)


async def _serve_page(socket: Socket, hub: Hub, match_id: str, caller: Caller, *, new_events_only: bool) -> None:
    try:
        async with hub.telling.own(caller.guest.address):
            live, seat = await hub.enter(match_id, caller.token, caller.guest)
    except WrongToken as error:
        await socket.send_data(msgspec.json.encode({"type": "error", **words_of(error), "re": None}), mode="text")
        await socket.close(FORBIDDEN, str(error))
        return
    subscriber = Subscriber(seat, new_events_only=new_events_only)
    live.subscribers.add(subscriber)
    hub.tell_presence(live)
    sender = asyncio.create_task(_send(socket, hub, live, subscriber, caller))
    listener = asyncio.create_task(_listen(socket, hub, live, subscriber, caller))
    try:
        await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
    finally:
        live.leave(subscriber)
        hub.tell_presence(live)
        sender.cancel()
        listener.cancel()
        ends = await asyncio.gather(sender, listener, return_exceptions=True)
    for end in ends:
        if isinstance(end, tuple):
            with suppress(TimeoutError):  # a page that reads nothing does not read this either
                await asyncio.wait_for(socket.close(*end), 5)
        elif isinstance(end, Unreachable):
            await socket.close(TRY_AGAIN, str(end))
        elif isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect | OSError):
            log.error("a connection failed", exc_info=end)


# ---------------------------------------------------------------------- telling


async def _send(socket: Socket, hub: Hub, live: Live, subscriber: Subscriber, caller: Caller) -> tuple[int, str]:
    """Tell a page what happens, until it must not know any more: then why the line is cut."""
    while True:
        due = await subscriber.next()
        if isinstance(due, bytes):
            await socket.send_data(due, mode="text")
            continue
        try:
            await caller.check(live, subscriber, LOOK_AGAIN)
        except (WrongToken, NotSignedIn) as error:
            return FORBIDDEN, str(error)
        for re in due or (None,):
            async with hub.line(live, caller.guest), live.lock:
                message = await _state(hub, live, subscriber, re)
            await socket.send_data(message, mode="text")


async def _state(hub: Hub, live: Live, subscriber: Subscriber, re: int | str | None) -> bytes:
    play, seat = await hub.stories.play_of(live), subscriber.seat
    told = await live.work(
        state_of,
        play,
        seat,
        rev=live.rev,
        thinking=live.thinking,
        note=live.note,
        known_dice=live.known_dice,
        table=live.table,
        seen=subscriber.seen if subscriber.new_events_only else [],
        whole_log=not subscriber.new_events_only,
        kind=StateMessage,
        shown=live.shown.at(play, live.rev),
        re=re,
        **live.presence,
    )
    subscriber.seen = play.readable(seat.eyes(play.to_play))
    return msgspec.json.encode(told)


# ---------------------------------------------------------------------- listening


async def _listen(socket: Socket, hub: Hub, live: Live, subscriber: Subscriber, caller: Caller) -> tuple[int, str]:
    """Serve requests until the page goes away, or has done what it must not: then why the line is cut."""
    while True:
        text = await socket.receive_data(mode="text")
        if len(text) > SMALL_BODY:
            return TOO_LARGE, "the message is too large"
        if subscriber.overrun:
            return TOO_MUCH, "read the answers before you ask for more"
        try:
            request = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            subscriber.answer({"type": "error", "words": f"not a request: {error}", "re": re_of(text)})
            continue
        try:
            await caller.check(live, subscriber)
            await _serve(hub, live, subscriber, request, caller)
        except (WrongToken, NotSignedIn) as error:
            return FORBIDDEN, str(error)
        except Exception as error:
            if not isinstance(error, BulgeError):
                log.error("a request failed", exc_info=error)
            subscriber.answer({"type": "error", **words_of(error), "re": request.re})


async def _serve(hub: Hub, live: Live, subscriber: Subscriber, request: Change | Question, caller: Caller) -> None:
    seat: Seat = subscriber.seat
    deed = _deed(request)
    if isinstance(request, Hint) or (deed is not None and live.with_computers):
        caller.uses.check_thinking(caller.guest)
    if deed is not None:
        most = caller.uses.quotas.choices
        if most and live.rev >= most:
            choices = counted(most, "choice")
            raise Full(f"a match has {choices} at most, with those that were taken back; take its journal away")
        if live.play and seat.controls(live.play.to_play):
            live.guest = caller.guest
        await hub.change(live, seat, request.n, request.rev, deed)
        subscriber.answer_with_state(request.re)
        return
    assert not isinstance(request, Change)
    found = await questions.answer(hub, live, seat, request, caller.guest, subscriber.seen)
    subscriber.answer({"type": "answer", "re": request.re, "answer": found})


def _deed(request: Change | Question) -> Deed | None:
    match request:
        case Choose(id=id_):
            return Deed("choose", id_)
        case Go(id=id_):
            return Deed("go", id_)
        case TakeTogether():
            return Deed("take_together")
        case Undo():
            return Deed("undo")
        case Redo():
            return Deed("redo")
    return None

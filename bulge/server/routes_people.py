"""Accounts over HTTP. The session is a cookie that no script can read."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response, Router, delete, get, patch, post, put
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from bulge.core.errors import BulgeError
from bulge.server.complaints import REFUSALS
from bulge.server.errors import Unknown
from bulge.server.own_data import OwnData
from bulge.server.passkeys import Home, Passkeys
from bulge.server.people import SESSION_LASTS, People, Person, Record, Session, somebody
from bulge.server.uses import Guest, Use, Uses, address_of, guest_of, is_address

COOKIE = "bulge_session"

Name = Annotated[str, msgspec.Meta(max_length=80)]
Password = Annotated[str, msgspec.Meta(max_length=200)]
Email = Annotated[str, msgspec.Meta(max_length=254, pattern=r"^([^@\s]+@[^@\s]+)?$(?!\n)")]
Words = Annotated[str, msgspec.Meta(max_length=2000)]


class SignUp(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    password: Password
    email: Email = ""


class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    password: Password


class Changes(msgspec.Struct, forbid_unknown_fields=True):
    words: Words | None = None
    email: Email | None = None
    password: Password | None = None
    """The new one; it ends all sessions."""
    old_password: Password = ""
    passkey: dict[str, Any] | None = None
    """Instead of the old password, the answer of a passkey."""
    hidden: bool | None = None
    """Whether others are not to see when one is here."""


class Leave(msgspec.Struct, forbid_unknown_fields=True):
    password: Password = ""
    passkey: dict[str, Any] | None = None
    """Instead of the password, the answer of a passkey."""


class Holiday(msgspec.Struct, forbid_unknown_fields=True):
    days: Annotated[int, msgspec.Meta(ge=0, le=30)]


class Me(msgspec.Struct, frozen=True):
    """Whoever is signed in."""

    name: str
    role: str
    email: str
    words: str
    away_until: datetime | None
    """While on holiday."""
    has_password: bool
    """Otherwise passkeys are the only way in."""
    hidden: bool
    """Whether others do not see when one is here."""


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of somebody."""

    name: str
    words: str
    since: datetime
    records: list[Record]
    away_until: datetime | None
    """While on holiday."""


async def visitor(request: ASGIConnection[Any, Any, Any, Any], people: NamedDependency[People]) -> Person | None:
    """Whoever's session the cookie names."""
    return await people.of_session(request.cookies.get(COOKIE))


def guest(request: ASGIConnection[Any, Any, Any, Any], who: NamedDependency[Person | None]) -> Guest:
    """Whoever asks, as quotas know them."""
    return guest_of(request, who)


def home_of(request: Request[Any, Any, Any]) -> Home:
    """Where this server's passkeys belong, by the address that people reach it by."""
    origin = request.app.state.public_url or f"{request.url.scheme}://{request.url.netloc}"
    name = urlsplit(origin).hostname or ""
    if is_address(name):
        raise BulgeError("passkeys belong to a name: call this server by one, such as localhost, not by a number")
    return Home(name, origin)


async def signed_in(person: Person, people: People, request: Request[Any, Any, Any]) -> Response[Me]:
    """A new session: never the one that somebody came with."""
    token = await people.begin_session(person, request.headers.get("user-agent", ""))
    cookie = Cookie(
        key=COOKIE,
        value=token,
        httponly=True,
        samesite="lax",
        secure=str(request.app.state.public_url).startswith("https:"),
        max_age=int(SESSION_LASTS.total_seconds()),
    )
    return Response(_me(person), cookies=[cookie], status_code=201)


def _me(person: Person) -> Me:
    return Me(
        person.name, person.role, person.email, person.words, person.back, person.has_password, person.hidden
    )


async def _prove(
    person: Person,
    password: str,
    passkey: dict[str, Any] | None,
    request: Request[Any, Any, Any],
    people: People,
    passkeys: Passkeys,
) -> None:
    """Before something that cannot be taken back: whoever is signed in shows once more who they are."""
    if passkey is None:
        await people.check(person.name, password, address_of(request))
    elif (await passkeys.check(home_of(request), passkey)).id != person.id:
        raise BulgeError("this passkey is somebody else's")


@post("/people", responses=REFUSALS)
async def sign_up(
    data: JSONBody[SignUp], request: Request[Any, Any, Any], people: NamedDependency[People]
) -> Response[Me]:
    """A new account, signed in."""
    person = await people.sign_up(data.name, data.password, data.email, address_of(request))
    return await signed_in(person, people, request)


@post("/session", responses=REFUSALS)
async def sign_in(
    data: JSONBody[SignIn], request: Request[Any, Any, Any], people: NamedDependency[People]
) -> Response[Me]:
    person = await people.check(data.name, data.password, address_of(request))
    return await signed_in(person, people, request)


@delete("/session", status_code=200, responses=REFUSALS)
async def sign_out(request: Request[Any, Any, Any], people: NamedDependency[People]) -> Response[dict[str, bool]]:
    if token := request.cookies.get(COOKIE):
        await people.end_session(token)
    return Response({"signed_out": True}, cookies=[Cookie(key=COOKIE, value="", max_age=0, httponly=True)])


@get("/me", responses=REFUSALS)
async def me(who: NamedDependency[Person | None]) -> Me | None:
    """Whoever is signed in, or null."""
    return _me(who) if who else None


@patch("/me", responses=REFUSALS)
async def change_me(
    data: JSONBody[Changes],
    request: Request[Any, Any, Any],
    who: NamedDependency[Person | None],
    people: NamedDependency[People],
    passkeys: NamedDependency[Passkeys],
    own_data: NamedDependency[OwnData],
) -> Me:
    """Change words, e-mail, password or who sees that one is here; a new password needs the old one."""
    person = somebody(who)
    if data.password is not None:
        await _prove(person, data.old_password, data.passkey, request, people, passkeys)
    await people.change(person, words=data.words, email=data.email, password=data.password)
    if data.hidden not in (None, person.hidden):
        await own_data.hide(person, hidden=not person.hidden)
    changed = await people.by_name(person.name)
    return _me(changed or person)


@get("/me/sessions", responses=REFUSALS)
async def my_sessions(
    request: Request[Any, Any, Any], who: NamedDependency[Person | None], people: NamedDependency[People]
) -> list[Session]:
    """Where one is signed in, the latest first."""
    return await people.sessions(somebody(who), request.cookies.get(COOKIE))


@delete("/me/sessions", status_code=200, responses=REFUSALS)
async def end_other_sessions(
    request: Request[Any, Any, Any], who: NamedDependency[Person | None], people: NamedDependency[People]
) -> dict[str, bool]:
    """Sign out everywhere but here."""
    await people.end_others(somebody(who), request.cookies.get(COOKIE))
    return {"ended": True}


@delete("/me/sessions/{session_id:str}", status_code=200, responses=REFUSALS)
async def end_session(
    session_id: Annotated[str, PathParameter(max_length=64)],
    who: NamedDependency[Person | None],
    people: NamedDependency[People],
) -> dict[str, bool]:
    """Sign out in one browser, wherever it is."""
    await people.end_one(somebody(who), session_id)
    return {"ended": True}


@get("/me/uses", responses=REFUSALS)
async def my_uses(
    request: Request[Any, Any, Any], who: NamedDependency[Person | None], uses: NamedDependency[Uses]
) -> list[Use]:
    """What one has used of what an account may use."""
    return await uses.used(guest_of(request, somebody(who)))


@get("/me/export", responses=REFUSALS)
async def export_me(who: NamedDependency[Person | None], own_data: NamedDependency[OwnData]) -> dict[str, Any]:
    """All that is kept about oneself."""
    return await own_data.export(somebody(who))


@delete("/me", status_code=200, responses=REFUSALS)
async def delete_me(
    data: JSONBody[Leave],
    request: Request[Any, Any, Any],
    who: NamedDependency[Person | None],
    people: NamedDependency[People],
    passkeys: NamedDependency[Passkeys],
    own_data: NamedDependency[OwnData],
) -> dict[str, bool]:
    """Delete the account, for good."""
    person = somebody(who)
    await _prove(person, data.password, data.passkey, request, people, passkeys)
    await own_data.forget(person)
    return {"deleted": True}


@get("/people/{name:str}", responses=REFUSALS)
async def profile(name: Annotated[str, PathParameter(max_length=80)], people: NamedDependency[People]) -> Profile:
    person = await people.by_name(name)
    if person is None:
        raise Unknown("nobody here is called so")
    return Profile(person.name, person.words, person.created, await people.records(person.id), person.back)


@put("/me/holiday", responses=REFUSALS)
async def holiday(
    data: JSONBody[Holiday], who: NamedDependency[Person | None], people: NamedDependency[People]
) -> Me:
    """Go on holiday: the clocks of one's matches stand meanwhile. No days: back from it."""
    person = somebody(who)
    await people.go_away(person, data.days)
    changed = await people.by_name(person.name)
    return _me(changed or person)


HANDLERS = [
    sign_up, sign_in, sign_out, me, change_me, my_sessions, end_session, end_other_sessions, my_uses, export_me,
    delete_me, profile, holiday,
]  # fmt: skip

people_router = Router("/api", route_handlers=HANDLERS, tags=["people"])

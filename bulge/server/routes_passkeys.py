"""Passkeys over HTTP: each deed first asks for options, which the browser's device answers."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from bulge.server.complaints import REFUSALS
from bulge.server.passkeys import Json, Passkey, Passkeys
from bulge.server.people import People, Person, somebody
from bulge.server.routes_people import Email, Me, Name, home_of, signed_in
from bulge.server.uses import address_of

PasskeyId = Annotated[str, PathParameter(max_length=64)]
KeyName = Annotated[str, msgspec.Meta(max_length=60)]
Who = NamedDependency[Person | None]
Keys = NamedDependency[Passkeys]


class NewPasskey(msgspec.Struct, forbid_unknown_fields=True):
    credential: Json
    """What the browser's device answered, as JSON."""
    name: KeyName = ""


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    credential: Json


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    name: KeyName


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class NewAccount(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    credential: Json
    email: Email = ""


class Removed(msgspec.Struct):
    removed: bool = True


@post("/me/passkeys/options", responses=REFUSALS)
async def offer_new(request: Request[Any, Any, Any], who: Who, passkeys: Keys) -> dict[str, Any]:
    """What the browser needs to make one (`PublicKeyCredential.parseCreationOptionsFromJSON`)."""
    return await passkeys.offer_to(somebody(who), home_of(request), address_of(request))


@post("/me/passkeys", responses=REFUSALS)
async def add(data: JSONBody[NewPasskey], request: Request[Any, Any, Any], who: Who, passkeys: Keys) -> Passkey:
    return await passkeys.add(somebody(who), home_of(request), data.credential, data.name)


@get("/me/passkeys", responses=REFUSALS)
async def mine(who: Who, passkeys: Keys) -> list[Passkey]:
    return await passkeys.mine(somebody(who))


@patch("/me/passkeys/{passkey_id:str}", responses=REFUSALS)
async def rename(passkey_id: PasskeyId, data: JSONBody[NewName], who: Who, passkeys: Keys) -> Passkey:
    return await passkeys.rename(somebody(who), passkey_id, data.name)


@delete("/me/passkeys/{passkey_id:str}", status_code=200, responses=REFUSALS)
async def remove(passkey_id: PasskeyId, who: Who, passkeys: Keys) -> Removed:
    """Remove one, unless it is the only way in."""
    await passkeys.drop(somebody(who), passkey_id)
    return Removed()


@post("/session/passkey/options", responses=REFUSALS)
async def offer_sign_in(request: Request[Any, Any, Any], passkeys: Keys) -> dict[str, Any]:
    """What the browser needs to ask for one; the same for everybody."""
    return await passkeys.offer_sign_in(home_of(request), address_of(request))


@post("/session/passkey", responses=REFUSALS)
async def sign_in(
    data: JSONBody[Answer], request: Request[Any, Any, Any], passkeys: Keys, people: NamedDependency[People]
) -> Response[Me]:
    person = await passkeys.check(home_of(request), data.credential)
    return await signed_in(person, people, request)


@post("/people/passkey/options", responses=REFUSALS)
async def offer_account(data: JSONBody[Wish], request: Request[Any, Any, Any], passkeys: Keys) -> dict[str, Any]:
    """What the browser needs to make the passkey of a new account of that name."""
    return await passkeys.offer_account(data.name, home_of(request), address_of(request))


@post("/people/passkey", responses=REFUSALS)
async def new_account(
    data: JSONBody[NewAccount], request: Request[Any, Any, Any], passkeys: Keys, people: NamedDependency[People]
) -> Response[Me]:
    """A new account without a password, signed in."""
    home = home_of(request)
    person = await passkeys.add_account(data.name, data.email, home, data.credential, address_of(request))
    return await signed_in(person, people, request)


passkeys_router = Router(
    "/api",
    route_handlers=[offer_new, add, mine, rename, remove, offer_sign_in, sign_in, offer_account, new_account],
    tags=["passkeys"],
)

"""Passkeys (WebAuthn): a key in somebody's device signs them in, and no password is needed."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bulge.core.errors import BulgeError
from bulge.server.errors import Unknown
from bulge.server.limits import Limit
from bulge.server.people import People, Person, checked_name, key_of
from bulge.server.people_rows import ChallengeRow, PasskeyRow
from bulge.server.seats import digest
from bulge.server.storage import Storage

T = TypeVar("T")
Json = dict[str, Any]
"""As browsers write options and answers (`PublicKeyCredential.toJSON`)."""

CHALLENGE_LASTS = timedelta(minutes=5)
MOST_PASSKEYS = 10
UNKNOWN = "this passkey opens no account here"
SIGN_IN = "sign in"


class Home(NamedTuple):
    """Where a passkey belongs: the server's name, and the address of its pages."""

    name: str
    origin: str


class Made(msgspec.Struct, frozen=True):
    """What a device tells of a new passkey: its name there, its public half, how often it has signed."""

    credential: str
    public: str
    count: int


class Passkey(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: datetime
    used: datetime | None


class Passkeys:
    def __init__(self, storage: Storage, people: People) -> None:
        self._storage, self._people = storage, people
        self._asking = Limit("60 questions to passkeys in ten minutes are allowed to one address", 60, 600)

    # ------------------------------------------------------------------ a new one

    async def offer_to(self, person: Person, home: Home, address: str) -> Json:
        """What a browser needs to make a new passkey for somebody."""
        kept = await self._rows(person.id)
        if len(kept) >= MOST_PASSKEYS:
            raise BulgeError(f"{MOST_PASSKEYS} passkeys are enough; remove one first")
        return await self._creation(person.id, person.name, home, address, [row.credential for row in kept])

    async def add(self, person: Person, home: Home, answer: Json, name: str) -> Passkey:
        return await self._keep(person, await self._made(person.id, home, answer), name)

    async def _keep(self, person: Person, made: Made, name: str = "") -> Passkey:
        row = {
            "id": secrets.token_hex(8), "person": person.id, **msgspec.structs.asdict(made),
            "name": name.strip() or "passkey", "created": datetime.now(UTC), "used": None,
        }  # fmt: skip
        try:
            await self._storage.write(insert(PasskeyRow).values(row))
        except IntegrityError:
            raise BulgeError("this passkey is known already") from None
        return _passkey(await self._one(person, str(row["id"])))

    async def offer_account(self, name: str, home: Home, address: str) -> Json:
        """What a browser needs to make the passkey of a new account."""
        name = checked_name(name)
        if await self._people.by_name(name) is not None:
            raise BulgeError(f"somebody is called {name} already; choose another name")
        return await self._creation(f"new {key_of(name)}", name, home, address, [])

    async def add_account(self, name: str, email: str, home: Home, answer: Json, address: str) -> Person:
        """A new account that needs no password."""
        name = checked_name(name)
        made = await self._made(f"new {key_of(name)}", home, answer)
        person = await self._people.sign_up(name, None, email, address)
        await self._keep(person, made)
        return person

    async def _creation(self, purpose: str, name: str, home: Home, address: str, known: list[str]) -> Json:
        from webauthn import base64url_to_bytes, generate_registration_options
        from webauthn.helpers import options_to_json_dict, structs

        challenge = await self._challenge(purpose, address)
        options = generate_registration_options(
            rp_id=home.name,
            rp_name="bulge",
            user_name=name,
            challenge=challenge,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(credential)) for credential in known
            ],
        )
        found: Json = options_to_json_dict(options)
        return found

    async def _made(self, purpose: str, home: Home, answer: Json) -> Made:
        """What is kept of a new passkey, if it is one."""
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        challenge = await self._redeem(purpose, answer)
        found = _checked(
            lambda: verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=home.name,
                expected_origin=home.origin,
                require_user_verification=True,
            )
        )
        public = bytes_to_base64url(found.credential_public_key)
        return Made(bytes_to_base64url(found.credential_id), public, found.sign_count)

    # ------------------------------------------------------------------ signing in

    async def offer_sign_in(self, home: Home, address: str) -> Json:
        """What a browser needs to ask for a passkey. It names nobody: the device knows whose it is."""
        from webauthn import generate_authentication_options
        from webauthn.helpers import options_to_json_dict, structs

        options = generate_authentication_options(
            rp_id=home.name,
            challenge=await self._challenge(SIGN_IN, address),
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        )
        found: Json = options_to_json_dict(options)
        return found

    async def check(self, home: Home, answer: Json) -> Person:
        """Whoever's passkey has signed."""
        from webauthn import base64url_to_bytes, verify_authentication_response

        challenge = await self._redeem(SIGN_IN, answer)
        named = answer.get("id")
        rows = await self._storage.rows(select(PasskeyRow).where(PasskeyRow.credential == str(named)[:1400]))
        if not rows:
            raise BulgeError(UNKNOWN)
        row: PasskeyRow = rows[0][0]
        found = _checked(
            lambda: verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=home.name,
                expected_origin=home.origin,
                credential_public_key=base64url_to_bytes(row.public),
                credential_current_sign_count=row.count,
                require_user_verification=True,
            )
        )
        used = {"count": found.new_sign_count, "used": datetime.now(UTC)}
        await self._storage.write(update(PasskeyRow).where(PasskeyRow.id == row.id).values(used))
        return await self._people.admitted(row.person)

    # ------------------------------------------------------------------ one's own

    async def mine(self, person: Person) -> list[Passkey]:
        return [_passkey(row) for row in await self._rows(person.id)]

    async def rename(self, person: Person, id_: str, name: str) -> Passkey:
        await self._one(person, id_)
        await self._storage.write(
            update(PasskeyRow).where(PasskeyRow.id == id_).values(name=name.strip() or "passkey")
        )
        return _passkey(await self._one(person, id_))

    async def drop(self, person: Person, id_: str) -> None:
        await self._one(person, id_)
        if not person.has_password and len(await self._rows(person.id)) == 1:
            raise BulgeError("this passkey is your only way in; choose a password first, or add another passkey")
        await self._storage.write(delete(PasskeyRow).where(PasskeyRow.id == id_))

    async def _rows(self, person: str) -> list[PasskeyRow]:
        query = select(PasskeyRow).where(PasskeyRow.person == person).order_by(PasskeyRow.created)
        return [row for (row,) in await self._storage.rows(query)]

    async def _one(self, person: Person, id_: str) -> PasskeyRow:
        found = next((row for row in await self._rows(person.id) if row.id == id_), None)
        if found is None:
            raise Unknown("you have no such passkey")
        return found

    # ------------------------------------------------------------------ challenges

    async def _challenge(self, purpose: str, address: str) -> bytes:
        """Something new to sign, good for one answer within a few minutes."""
        self._asking.take(address)
        challenge = secrets.token_bytes(32)
        row = {"digest": digest(challenge.hex()), "purpose": purpose, "created": datetime.now(UTC)}
        await self._storage.write(insert(ChallengeRow).values(row))
        return challenge

    async def _redeem(self, purpose: str, answer: Json) -> bytes:
        """The challenge that an answer says it signed, if it was given for this and not answered before."""
        from webauthn import base64url_to_bytes

        challenge: bytes = _checked(
            lambda: base64url_to_bytes(
                msgspec.json.decode(base64url_to_bytes(answer["response"]["clientDataJSON"]))["challenge"]
            )
        )
        since = datetime.now(UTC) - CHALLENGE_LASTS
        asked = (ChallengeRow.digest == digest(challenge.hex())) & (ChallengeRow.purpose == purpose)
        if not await self._storage.rows(select(ChallengeRow.digest).where(asked, ChallengeRow.created > since)):
            raise BulgeError("that took too long, or was answered before; try again")
        used = {"digest": digest(f"used {challenge.hex()}"), "purpose": "", "created": datetime.now(UTC)}
        try:
            await self._storage.write(
                insert(ChallengeRow).values(used)
            )  # only one of two that come at once succeeds
        except IntegrityError:
            raise BulgeError("that took too long, or was answered before; try again") from None
        return challenge


def _checked(work: Callable[[], T]) -> T:
    """A stranger's bytes can fail to be an answer in any number of ways."""
    try:
        return work()
    except Exception:
        raise BulgeError("that is not the answer of a passkey to this server") from None


def _passkey(row: PasskeyRow) -> Passkey:
    return Passkey(row.id, row.name, row.created, row.used)

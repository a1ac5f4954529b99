"""Passkeys: made, named, signed in with, removed; and all that a thief could try."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bulge.server import passkeys
from bulge.server.settings import Settings
from tests.server.authenticator import HOME, PLACE, PRESENT, Device
from tests.server.guest import Client, Guest
from tests.server.serving import serving

Json = dict[str, Any]


@pytest.fixture
def client(quick: Settings) -> Iterator[Client]:
    with serving(replace(quick, public_url=HOME), HOME) as found:
        yield found


def register(guest: Guest, device: Device, name: str = "") -> Any:
    options = guest.done("POST", "/me/passkeys/options")
    return guest.ask("POST", "/me/passkeys", {"credential": device.create(options), "name": name})


def options_for(client: Client) -> Json:
    found: Json = client.post("/api/session/passkey/options").json()
    return found


def sign_in(client: Client, credential: Json) -> Any:
    answer = client.post("/api/session/passkey", json={"credential": credential})
    client.cookies.clear()
    return answer


def test_a_passkey_is_made_named_used_and_removed(client: Client, anne: Guest) -> None:
    device = Device()
    made = register(anne, device, " my phone ")
    assert (made.status_code, made.json()["name"]) == (201, "my phone")
    assert anne.done("GET", "/me/passkeys")[0]["used"] is None
    entered = sign_in(client, device.get(options_for(client)))
    assert (entered.status_code, entered.json()["name"]) == (201, "Anne")
    assert "HttpOnly" in entered.headers["set-cookie"]
    (kept,) = anne.done("GET", "/me/passkeys")
    assert kept["used"]
    assert anne.done("PATCH", f"/me/passkeys/{kept['id']}", {"name": "old phone"})["name"] == "old phone"
    assert anne.done("GET", "/me/export")["passkeys"][0]["name"] == "old phone"
    anne.done("DELETE", f"/me/passkeys/{kept['id']}")
    refused = sign_in(client, device.get(options_for(client)))
    assert (refused.status_code, refused.json()["words"]) == (400, "this passkey opens no account here")


def test_an_account_needs_no_password_and_keeps_a_way_in(client: Client) -> None:
    device = Device()
    options = client.post("/api/people/passkey/options", json={"name": "Carla"}).json()
    wish = {"name": "Carla", "credential": device.create(options)}
    made = client.post("/api/people/passkey", json=wish)
    assert (made.status_code, made.json()["has_password"]) == (201, False)
    assert client.post("/api/session", json={"name": "Carla", "password": ""}).status_code == 400
    (kept,) = client.get("/api/me/passkeys").json()
    assert "only way in" in client.delete(f"/api/me/passkeys/{kept['id']}").json()["words"]
    new = {"password": "a long password"}
    assert client.patch("/api/me", json=new).status_code == 400
    proof = device.get(options_for(client))
    assert client.patch("/api/me", json={**new, "passkey": proof}).json()["has_password"]
    assert client.post("/api/session", json={"name": "Carla", **new}).status_code == 201
    assert client.delete(f"/api/me/passkeys/{kept['id']}").status_code == 200


def test_an_account_is_deleted_with_its_own_passkey_only(client: Client, anne: Guest) -> None:
    mine, others = Device(), Device()
    register(anne, mine)
    register(Guest(client, "Bob"), others)
    for device, status in ((others, 400), (mine, 200)):
        answer = anne.ask("DELETE", "/me", {"passkey": device.get(options_for(client))})
        assert answer.status_code == status, answer.text
    assert sign_in(client, mine.get(options_for(client))).status_code == 400


def test_a_name_is_taken_only_once_with_a_passkey_too(client: Client, anne: Guest) -> None:
    taken = client.post("/api/people/passkey/options", json={"name": "ANNE"})
    assert (taken.status_code, "already" in taken.json()["words"]) == (400, True)
    options = client.post("/api/people/passkey/options", json={"name": "Dora"}).json()
    stolen = client.post("/api/people/passkey", json={"name": "Emma", "credential": Device().create(options)})
    assert stolen.status_code == 400, "what was asked for one name makes no other"


def test_an_answer_is_good_once(client: Client, anne: Guest) -> None:
    device = Device()
    register(anne, device)
    answer = device.get(options_for(client))
    assert sign_in(client, answer).status_code == 201
    again = sign_in(client, answer)
    assert (again.status_code, "answered before" in again.json()["words"]) == (400, True)


def test_of_one_answer_sent_many_times_at_once_one_is_good(client: Client, anne: Guest) -> None:
    device = Device()
    register(anne, device)
    answer = device.get(options_for(client))
    with ThreadPoolExecutor(5) as hurry:
        codes = [sent.status_code for sent in hurry.map(lambda _: sign_in(client, answer), range(5))]
    assert sorted(codes) == [201, 400, 400, 400, 400]


def test_an_answer_comes_in_time(client: Client, anne: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    register(anne, device)
    answer = device.get(options_for(client))
    monkeypatch.setattr(passkeys, "CHALLENGE_LASTS", timedelta(0))
    assert "took too long" in sign_in(client, answer).json()["words"]


def test_what_a_thief_could_send_opens_nothing(client: Client, anne: Guest) -> None:
    device = Device()
    register(anne, device)

    def refused(credential: Any) -> bool:
        return int(sign_in(client, credential).status_code) == 400

    other = Device()
    other.id = device.id
    assert refused(other.get(options_for(client))), "another key under her passkey's name"
    elsewhere = Device("https://evil.example")
    elsewhere.id, elsewhere._key = device.id, device._key
    assert refused(elsewhere.get(options_for(client))), "signed for another page"
    assert refused(device.get({**options_for(client), "rpId": "evil.example"})), "signed for another server"
    assert refused(device.get({**options_for(client), "challenge": "AAAA"})), "a challenge of one's own"
    device.flags = PRESENT
    assert refused(device.get(options_for(client))), "nobody has shown the device who they are"
    device.flags |= 4
    assert sign_in(client, device.get(options_for(client))).status_code == 201
    device.count = 0
    assert refused(device.get(options_for(client))), "a copy of the device, which has signed less often"
    making = anne.done("POST", "/me/passkeys/options")
    assert refused(device.get({"rpId": PLACE, "challenge": making["challenge"]})), "a challenge for another end"


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 1},
        {"response": None},
        {"response": {"clientDataJSON": "!"}},
        {"response": {"clientDataJSON": "e30"}},
    ],
)
def test_nonsense_is_refused_in_words(client: Client, anne: Guest, credential: Json) -> None:
    for path, more in (("/session/passkey", {}), ("/me/passkeys", {}), ("/people/passkey", {"name": "Zoe"})):
        answer = anne.ask("POST", path, {"credential": credential, **more})
        assert (answer.status_code, answer.json()["words"][:7]) == (400, "that is")


def test_one_passkey_opens_one_account(client: Client, anne: Guest) -> None:
    device = Device()
    assert register(anne, device).status_code == 201
    again = register(Guest(client, "Bob"), device)
    assert (again.status_code, again.json()["words"]) == (400, "this passkey is known already")


def test_a_shut_account_is_shut_for_its_passkeys_too(client: Client, anne: Guest, quick: Settings) -> None:
    device, moderation = Device(), client.app.state.moderation
    register(anne, device)
    client.blocking_portal.call(moderation.suspend, "Anne", True)
    assert "a moderator has shut" in sign_in(client, device.get(options_for(client))).json()["words"]


def test_others_passkeys_are_nobodys_affair(client: Client, anne: Guest) -> None:
    kept = register(anne, Device()).json()["id"]
    bob = Guest(client, "Bob")
    assert bob.ask("DELETE", f"/me/passkeys/{kept}").status_code == 404
    assert bob.ask("PATCH", f"/me/passkeys/{kept}", {"name": "mine"}).status_code == 404
    assert client.get("/api/me/passkeys").status_code == 401
    assert "anne" not in str(options_for(client)).lower()


def test_a_server_called_by_a_number_says_that_passkeys_need_a_name(quick: Settings) -> None:
    with serving(quick) as client:
        answer = client.post("/api/session/passkey/options")
        assert (answer.status_code, "belong to a name" in answer.json()["words"]) == (400, True)


def test_questions_are_counted(client: Client) -> None:
    answers = [client.post("/api/session/passkey/options").status_code for _ in range(61)]
    assert answers == [201] * 60 + [429]

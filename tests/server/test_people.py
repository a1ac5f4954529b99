"""Accounts: names and passwords, sessions that scripts cannot read, one's own data; and whoever attacks them."""

from __future__ import annotations

from typing import Any

import pytest
from argon2 import PasswordHasher

from bulge.server.errors import TooOften
from bulge.server.limits import Limit
from bulge.server.settings import Settings
from tests.server.guest import Client, Guest
from tests.server.serving import serving

ANNE = {"name": "Anne", "password": "correct horse battery"}


def sign_up(client: Client, name: str = "Anne", password: str = "correct horse battery") -> str:
    answer = client.post("/api/people", json={"name": name, "password": password})
    assert answer.status_code == 201, answer.text
    return answer.cookies["bulge_session"]


def test_an_account_is_made_left_and_entered_again(any_client: Client) -> None:
    assert any_client.get("/api/me").json() is None
    sign_up(any_client)
    assert any_client.get("/api/me").json()["name"] == "Anne"
    any_client.delete("/api/session")
    assert any_client.get("/api/me").json() is None
    assert any_client.post("/api/session", json={**ANNE, "name": "ANNE"}).status_code == 201
    me = {"name": "Anne", "role": "player", "email": "", "words": "", "away_until": None}
    assert any_client.get("/api/me").json() == {**me, "has_password": True, "hidden": False}
    profile = any_client.get("/api/people/anne").json()
    assert set(profile) == {"name", "words", "since", "records", "away_until"}


def test_no_script_reads_the_session_and_no_file_holds_it_or_the_password(client: Client, tmp_path: Any) -> None:
    answer = client.post("/api/people", json=ANNE)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    token = cookie.partition("=")[2].partition(";")[0]
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("matches.sqlite*"))
    assert b"$argon2id$" in stored
    assert token.encode() not in stored
    assert ANNE["password"].encode() not in stored
    assert answer.headers["cache-control"] == "no-store"


def test_guessing_from_a_stolen_file_takes_long(
    client: Client, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("argon2.PasswordHasher", PasswordHasher)
    sign_up(client)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("matches.sqlite*"))
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in stored


def test_behind_a_secure_address_the_cookie_is_sent_only_there(quick: Settings) -> None:
    from dataclasses import replace

    settings = replace(quick, public_url="https://games.example.org")
    with serving(settings, "http://games.example.org") as client:
        assert "Secure" in client.post("/api/people", json=ANNE).headers["set-cookie"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"name": "A", "password": "x" * 12}, "2 to 40"),
        ({"name": "A" * 41, "password": "x" * 12}, "2 to 40"),
        ({"name": "<script>", "password": "x" * 12}, "2 to 40"),
        ({"name": "A\u202enn", "password": "x" * 12}, "2 to 40"),
        ({"name": "somebody who left", "password": "x" * 12}, "nobody"),
        ({"name": "Bob", "password": "short"}, "10 to 200"),
        ({"name": "Bob", "password": "x" * 201}, "200"),
        ({"name": "Bob", "password": "x" * 12, "email": "nonsense"}, "email"),
        ({"name": "Bob", "password": "x" * 12, "role": "administrator"}, "role"),
        ({"name": "Ａnne", "password": "x" * 12}, "called"),
        ({"name": "aNNE", "password": "x" * 12}, "called"),
    ],
)
def test_what_is_no_proper_account_is_refused(client: Client, wish: dict[str, str], words: str) -> None:
    sign_up(client)
    answer = client.post("/api/people", json=wish)
    assert answer.status_code == 400
    assert words in answer.json()["words"]


def test_guessing_is_counted_and_tells_nothing(client: Client) -> None:
    sign_up(client)
    client.delete("/api/session")
    wrong = client.post("/api/session", json={**ANNE, "password": "wrong password"})
    nobody = client.post("/api/session", json={"name": "Nobody", "password": "wrong password"})
    assert (wrong.status_code, wrong.json()) == (nobody.status_code, nobody.json())
    answers = [client.post("/api/session", json={**ANNE, "password": "wrong password"}) for _ in range(12)]
    assert answers[-1].status_code == 429
    assert client.post("/api/session", json=ANNE).status_code == 429, "not even with the right one, for a while"


def test_a_limit_forgets_in_time() -> None:
    now = [0.0]
    limit = Limit("too much", 2, 60, clock=lambda: now[0])
    for _ in range(2):
        limit.check("a")
        limit.count("a")
    with pytest.raises(TooOften, match="too much; try again in 1 min"):
        limit.check("a")
    limit.check("b")
    now[0] = 61
    limit.check("a")


def test_a_new_password_needs_the_old_one_and_ends_all_sessions(client: Client) -> None:
    sign_up(client)
    other = client.post("/api/session", json=ANNE).cookies["bulge_session"]
    new = {"password": "another long password"}
    assert client.patch("/api/me", json=new).status_code == 400
    assert client.patch("/api/me", json={**new, "old_password": ANNE["password"]}).status_code == 200
    client.cookies.set("bulge_session", other)
    assert client.get("/api/me").json() is None
    assert client.post("/api/session", json={"name": "Anne", **new}).status_code == 201


def test_ones_own_data_can_be_taken_away_and_deleted(client: Client) -> None:
    assert client.get("/api/me/export").status_code == 401
    sign_up(client)
    client.patch("/api/me", json={"words": "I play at night.", "email": "anne@example.org"})
    data = client.get("/api/me/export").json()
    assert data["person"]["words"] == "I play at night."
    assert data["person"]["email"] == "anne@example.org"
    assert "argon2" not in str(data)
    assert client.request("DELETE", "/api/me", json={"password": "wrong password"}).status_code == 400
    assert client.request("DELETE", "/api/me", json={"password": ANNE["password"]}).status_code == 200
    assert client.get("/api/me").json() is None
    assert client.get("/api/people/Anne").status_code == 404
    assert client.post("/api/session", json=ANNE).status_code == 400
    sign_up(client)
    assert client.get("/api/me").json()["words"] == ""


def test_ones_sessions_are_listed_and_ended_from_anywhere(client: Client) -> None:
    assert client.get("/api/me/sessions").status_code == 401
    mine = sign_up(client)
    phone, lost = (
        client.post("/api/session", json=ANNE, headers={"User-Agent": agent}).cookies["bulge_session"]
        for agent in ("a phone", "a lost phone")
    )

    def sessions() -> dict[str, dict[str, Any]]:
        come_with(client, mine)
        return {each["agent"]: each for each in client.get("/api/me/sessions").json()}

    assert set(sessions()) == {"testclient", "a phone", "a lost phone"}
    assert [agent for agent, each in sessions().items() if each["here"]] == ["testclient"]
    assert not any(token in str(sessions()) for token in (mine, phone, lost))
    assert client.delete(f"/api/me/sessions/{sessions()['a lost phone']['id']}").status_code == 200
    assert client.delete("/api/me/sessions/ffffffffffffffff").status_code == 404
    for token, name in ((lost, None), (phone, "Anne")):
        come_with(client, token)
        me = client.get("/api/me").json()
        assert (me and me["name"]) == name
    come_with(client, mine)
    assert client.delete("/api/me/sessions").status_code == 200
    assert set(sessions()) == {"testclient"}


def come_with(client: Client, session: str) -> None:
    client.cookies.clear()
    client.cookies.set("bulge_session", session)


def test_nobody_sees_or_ends_anothers_sessions(anne: Guest, bob: Guest) -> None:
    (hers,) = anne.done("GET", "/me/sessions")
    assert hers["id"] not in str(bob.done("GET", "/me/sessions"))
    assert bob.ask("DELETE", f"/me/sessions/{hers['id']}").status_code == 404
    bob.done("DELETE", "/me/sessions")
    assert anne.done("GET", "/me")["name"] == "Anne"


def test_another_page_cannot_sign_anybody_up_or_out(client: Client) -> None:
    sign_up(client)
    stranger = {"Origin": "https://evil.example"}
    assert client.post("/api/people", json={**ANNE, "name": "Bob"}, headers=stranger).status_code == 403
    assert client.delete("/api/session", headers=stranger).status_code == 403
    assert client.get("/api/me").json()["name"] == "Anne"

"""Attacks on accounts, sessions and the service itself: each is refused in words, and nobody else notices."""

from __future__ import annotations

import gzip
import json
import random
import time

import pytest
from litestar.exceptions import WebSocketDisconnect

from bulge.server import subscriber
from bulge.server.errors import TooOften
from bulge.server.limits import MOST_KEPT, Limit
from bulge.server.settings import LARGE_BODY
from bulge.server.uses import network_of
from tests.server.guest import Client, Guest, begun
from tests.server.table import Table

PASSWORD = "a long password"
ANNE = {"name": "Anne", "password": PASSWORD}


# ---------------------------------------------------------------------- sessions


def test_nobody_chooses_anothers_session(client: Client, anne: Guest) -> None:
    """Fixation: a cookie that somebody was given beforehand is worth nothing after signing in."""
    planted = "planted-by-a-stranger"
    answer = client.post("/api/session", json=ANNE, headers={"Cookie": f"bulge_session={planted}"})
    assert answer.cookies["bulge_session"] not in (planted, anne.cookie)
    client.cookies.clear()
    assert client.get("/api/me", headers={"Cookie": f"bulge_session={planted}"}).json() is None


def test_signing_out_ends_the_session_on_the_server_too(client: Client, anne: Guest) -> None:
    anne.done("DELETE", "/session")
    assert anne.done("GET", "/me") is None


def test_a_session_lives_in_its_cookie_alone(client: Client, anne: Guest) -> None:
    for way in ({"Authorization": f"Bearer {anne.cookie}"}, {"X-Token": anne.cookie}):
        assert client.get("/api/me", headers=way).json() is None
    assert client.get("/api/me", params={"bulge_session": anne.cookie}).json() is None


# ---------------------------------------------------------------------- other pages


STRANGERS: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": "http://127.0.0.1:8766"},
    {"Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("stranger", STRANGERS)
def test_another_page_does_nothing_in_ones_name(client: Client, anne: Guest, stranger: dict[str, str]) -> None:
    """A form or a script elsewhere, whose requests the browser sends with one's cookie."""
    headers = {**stranger, "Cookie": f"bulge_session={anne.cookie}", "Content-Type": "text/plain"}
    for method, path, body in (
        ("PATCH", "/api/me", {"words": "hacked"}),
        ("DELETE", "/api/me", {"password": PASSWORD}),
        ("DELETE", "/api/session", {}),
        ("POST", "/api/session", ANNE),
        ("POST", "/api/tables", {"game": "ford"}),
        ("POST", "/api/me/passkeys/options", {}),
        ("POST", "/api/reports", {"words": "x"}),
    ):
        answer = client.request(method, path, content=json.dumps(body), headers=headers)
        assert answer.status_code == 403, (method, path)
        assert "set-cookie" not in answer.headers
    assert anne.done("GET", "/me")["words"] == ""


# ---------------------------------------------------------------------- guessing


def test_guessing_at_many_names_from_one_address_is_counted(client: Client, anne: Guest) -> None:
    names = [f"Nobody {n}" for n in range(12)]
    answers = [client.post("/api/session", json={"name": name, "password": PASSWORD}) for name in names]
    assert [answer.status_code for answer in answers] == [400] * 10 + [429] * 2
    assert "too many wrong passwords; try again in" in answers[-1].json()["words"]


def test_guessing_through_a_change_or_a_deletion_is_counted_too(client: Client, anne: Guest) -> None:
    new = {"password": "another long password"}
    answers = [anne.ask("PATCH", "/me", {**new, "old_password": f"wrong {n}"}).status_code for n in range(5)]
    answers += [anne.ask("DELETE", "/me", {"password": f"wrong {n}"}).status_code for n in range(6)]
    assert answers == [400] * 10 + [429]


def test_a_flood_of_names_does_not_make_the_server_forget_or_grow() -> None:
    limit = Limit("too much", 1, 60, clock=lambda: 0.0)
    for n in range(MOST_KEPT + 100):
        limit.count(str(n))
    assert len(limit._done) == MOST_KEPT
    with pytest.raises(TooOften):
        limit.check(str(MOST_KEPT + 99))


def test_names_that_are_there_and_names_that_are_not_look_alike(client: Client, anne: Guest) -> None:
    for name in ("Anne", "Zoe", "a" * 80, "Anne\u0000", "' or 1=1 --"):
        answer = client.post("/api/session", json={"name": name, "password": "wrong password"})
        assert (answer.status_code, answer.json()["words"]) == (
            400,
            "this name and this password do not belong together",
        )


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("unix", "unix"),
    ],
)
def test_whoever_has_many_addresses_counts_once(address: str, counted: str) -> None:
    assert network_of(address) == counted


# ---------------------------------------------------------------------- what is sent


@pytest.mark.parametrize("sign", ["\u0000", "a\u0000b", "\u202e", "\r\nSet-Cookie: a=b", "😀" * 300])
def test_strange_signs_are_kept_or_refused_but_break_nothing(any_client: Client, sign: str) -> None:
    anne, bob = Guest(any_client, "Anne"), Guest(any_client, "Bob")
    table = begun(anne, bob)
    answers = [
        anne.ask("PATCH", "/me", {"words": sign}),
        anne.ask("PATCH", "/me", {"email": f"a@b.c{sign}"}),
        anne.ask("POST", f"/tables/{table}/talk", {"words": sign}),
        anne.ask("PUT", f"/tables/{table}/notes/1", {"words": sign}),
        anne.ask("POST", "/reports", {"words": sign, "about": "Bob"}),
        anne.ask("POST", "/session", {"name": sign[:80], "password": PASSWORD}),
        anne.ask("POST", "/people", {"name": f"C{sign}"[:80], "password": PASSWORD}),
        anne.ask("GET", f"/people/{sign[:5].encode().hex()}"),
    ]
    assert all(answer.status_code < 500 for answer in answers), [answer.text for answer in answers]
    assert all("a=b" not in str(answer.headers) for answer in answers)
    assert any_client.get("/api/health").status_code == 200


@pytest.mark.parametrize("email", ["a@b.c\n", "a@b.c\r\nBcc: x@y.z", "a b@c", "@", "a@b@c"])
def test_no_address_smuggles_a_header_into_a_letter(client: Client, anne: Guest, email: str) -> None:
    assert anne.ask("PATCH", "/me", {"email": email}).status_code == 400
    assert anne.done("GET", "/me")["email"] == ""


def test_a_commitment_or_a_secret_with_a_tail_is_none(client: Client, anne: Guest) -> None:
    table = anne.done("POST", "/tables", {"game": "ford"})["id"]
    wish = {"side": "Blue", "commitment": "0" * 64 + "\n"}
    assert anne.ask("POST", f"/tables/{table}/sit", wish).status_code == 400
    assert anne.ask("POST", f"/tables/{table}/reveal", {"secret": "0" * 32 + "\n"}).status_code == 400


def test_a_packed_file_is_not_unpacked(client: Client) -> None:
    """A thousand times larger than it looks."""
    bomb = gzip.compress(b"[" * (50 * LARGE_BODY))
    answer = client.post("/api/matches/import", content=bomb, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"journal":' * 20_000, '{"a":' + "9" * 100_000 + "}", '"\\ud800"']
)
def test_files_made_to_break_a_reader_are_refused(client: Client, text: str) -> None:
    answer = client.post("/api/matches/import", content=text, headers={"Content-Type": "application/json"})
    assert (answer.status_code, bool(answer.json()["words"])) == (400, True)


# ---------------------------------------------------------------------- floods


@pytest.fixture(params=[(3, 1_000_000), (10_000, 500)])
def few_answers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few in number, or in bytes."""
    for name, most in zip(("MOST_ANSWERS", "MOST_WAITING"), request.param, strict=True):
        monkeypatch.setattr(subscriber, name, most)


@pytest.mark.usefixtures("few_answers")
def test_a_page_that_asks_and_never_reads_is_cut_off_and_others_play_on(table: Table) -> None:
    key = {"X-Token": table.tokens["Red"]}

    def flood() -> None:
        with table.client.websocket_connect(f"/api/matches/{table.id}/live", headers=key) as session:
            for re in range(3000):
                session.send_text(json.dumps({"type": "why", "about": "B1", "n": 0, "re": re}))
            for _ in range(3001):
                session.receive_text(timeout=20)

    with pytest.raises(WebSocketDisconnect) as cut:
        flood()
    assert "read the answers" in cut.value.detail
    with table.page() as page:
        assert page.ask("why", about="B1")["type"] == "answer"


def test_a_flood_of_pages_is_refused_and_leaves_nothing_behind(table: Table) -> None:
    rng, uses = random.Random(1), table.client.app.state.uses
    for _ in range(60):
        key = rng.choice([table.host, "wrong", table.tokens["Red"]])
        with table.client.websocket_connect(f"/api/matches/{table.id}/live", headers={"X-Token": key}) as session:
            session.receive_text(timeout=20)
    deadline = time.monotonic() + 20
    while uses.pages and time.monotonic() < deadline:
        time.sleep(0.01)
    assert uses.pages == 0
    assert table.client.app.state.hub.here(table.id) == {}


# ---------------------------------------------------------------------- one's match among people


def test_nobody_outside_does_anything_at_a_table(client: Client, anne: Guest, bob: Guest) -> None:
    table, eve = begun(anne, bob), Guest(client, "Eve")
    before = anne.state(table)
    for path, body in (
        ("sit", {"side": "Blue", "commitment": "0" * 64}),
        ("leave", {}),
        ("reveal", {"secret": "0" * 32}),
        ("offer", {"kind": "draw"}),
        ("answer", {"yes": True}),
        ("resign", {}),
        ("claim", {}),
    ):
        answer = eve.ask("POST", f"/tables/{table}/{path}", body)
        assert answer.status_code in (400, 403), path
    assert eve.ask("GET", f"/tables/{table}/notes").json() == []
    assert eve.ask("PUT", f"/tables/{table}/shared", {"shared": True}).status_code == 403
    eve.done("POST", f"/tables/{table}/talk", {"words": "boo"})  # to the gallery, which is no player's
    assert eve.ask("PUT", f"/matches/{table}/kept", {"kept": True}).status_code == 403
    assert eve.ask("DELETE", f"/matches/{table}").status_code == 403
    assert anne.ask("DELETE", f"/matches/{table}").status_code in (400, 403)
    with eve.page(table) as page:
        for type_, fields in (("choose", {"id": "B1"}), ("undo", {}), ("hint", {}), ("why", {"about": "B1"})):
            assert page.ask(type_, **fields)["type"] == "error"
    assert {**anne.state(table), "here": None} == {**before, "here": None}

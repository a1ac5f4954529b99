"""Telling people who are away, against real endpoints: a mail server, a push service, a webhook."""

from __future__ import annotations

import asyncio
import base64
import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import http_ece
import pytest
from aiosmtpd.smtp import SMTP
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bulge.server.quiet import Quiet
from bulge.server.settings import Settings
from tests.server.guest import Client, Guest, begun, play
from tests.server.serving import serving

WAIT = 20


class Letters:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.got: queue.Queue[tuple[list[str], str]] = queue.Queue()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.got.put((envelope.rcpt_tos, envelope.content.decode()))
        return "250 OK"


class Endpoint:
    """A web server that keeps what is posted to it, and answers as it is told."""

    def __init__(self) -> None:
        self.got: queue.Queue[tuple[str, dict[str, str], bytes]] = queue.Queue()
        self.status = 201
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.got.put((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(endpoint.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def letters() -> Iterator[tuple[Letters, str]]:
    kept, loop = Letters(), asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: SMTP(kept, loop=loop), "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield kept, f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    server.close()
    loop.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    found = Endpoint()
    yield found
    found.close()


@pytest.fixture
def client(quick: Settings, letters: tuple[Letters, str], endpoint: Endpoint) -> Iterator[Client]:
    settings = replace(
        quick,
        mail=letters[1],
        mail_from="games@example.org",
        deliver_to=(endpoint.place,),
        public_url="https://a.test",
    )
    with serving(settings) as found:
        yield found


def hook(guest: Guest, endpoint: Endpoint) -> str:
    made = guest.done("POST", "/me/notices", {"kind": "webhook", "target": f"http://{endpoint.place}/hook"})
    return str(made["id"])


def test_whoever_is_away_is_told_that_it_is_their_turn(anne: Guest, bob: Guest, endpoint: Endpoint) -> None:
    hook(bob, endpoint)
    table = begun(anne, bob)
    with anne.page(table) as page:
        while page.state["decision"]["side"] == page.state["side"]:
            ends = [
                option["id"] for option in page.state["decision"]["options"] if option["role"].startswith("end")
            ]
            page.ask("choose", id=(ends or page.options)[0])
    _, _, body = endpoint.got.get(timeout=WAIT)
    told = json.loads(body)
    assert told["event"] == "turn"
    assert told["address"] == f"https://a.test/#/match/{table}"
    assert told["text"] == told["content"]
    assert anne.done("GET", "/me/notices")["channels"] == []


def test_nobody_is_told_of_what_they_see_or_did_not_ask_for(anne: Guest, bob: Guest, endpoint: Endpoint) -> None:
    channel = hook(bob, endpoint)
    table = begun(anne, bob)
    with bob.page(table):
        anne.done("POST", f"/tables/{table}/offer", {"kind": "draw"})
        anne.done("POST", f"/tables/{table}/answer", {"yes": False})
    bob.done("PATCH", f"/me/notices/{channel}", {"events": ["talk"]})
    anne.done("POST", f"/tables/{table}/offer", {"kind": "draw"})
    anne.done("POST", f"/tables/{table}/talk", {"words": "one"})
    anne.done("POST", f"/tables/{table}/talk", {"words": "two"})
    anne.done("POST", f"/tables/{table}/resign")
    told = json.loads(endpoint.got.get(timeout=WAIT)[2])
    assert told["text"].splitlines()[1] == "Anne writes: one"
    assert endpoint.got.empty(), "what follows at once is bundled"


def test_an_e_mail_goes_where_its_code_was_said_back(
    client: Client, bob: Guest, anne: Guest, letters: tuple[Letters, str]
) -> None:
    assert anne.ask("POST", "/me/notices", {"kind": "email"}).status_code == 400, "she has given no address"
    anne.done("PATCH", "/me", {"email": "anne@example.org"})
    made = anne.done("POST", "/me/notices", {"kind": "email"})
    to, text = letters[0].got.get(timeout=WAIT)
    assert to == ["anne@example.org"]
    assert not made["confirmed"]
    code = text.split("Subject: ")[1][:6]
    assert anne.ask("POST", f"/me/notices/{made['id']}/confirm", {"code": "nonsense"}).status_code == 400
    assert anne.ask("POST", f"/me/notices/{made['id']}/test").status_code == 400
    assert anne.done("POST", f"/me/notices/{made['id']}/confirm", {"code": code})["confirmed"]
    table = begun(anne, bob)
    to, text = letters[0].got.get(timeout=WAIT)
    assert "Subject: Your turn: The Ford" in text
    assert f"https://a.test/#/match/{table}" in text


def test_a_push_is_sealed_for_one_browser_and_ends_with_it(anne: Guest, bob: Guest, endpoint: Endpoint) -> None:
    key, auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": _base64(point), "auth": _base64(auth)}
    target = json.dumps({"endpoint": f"http://{endpoint.place}/push/1", "expirationTime": None, "keys": keys})
    assert len(anne.done("GET", "/me/notices")["push_key"]) == 87
    made = anne.done("POST", "/me/notices", {"kind": "push", "target": target})
    assert anne.done("POST", "/me/notices", {"kind": "push", "target": target}) == made, "the same browser again"
    table = begun(anne, bob)
    path, headers, body = endpoint.got.get(timeout=WAIT)
    assert path == "/push/1"
    assert headers["authorization"].startswith("vapid ")
    told = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm"))
    assert told["title"] == "Your turn: The Ford"
    assert told["address"].endswith(table)
    endpoint.status = 410
    bob.done("POST", f"/tables/{table}/resign")
    endpoint.got.get(timeout=WAIT)
    while anne.done("GET", "/me/notices")["channels"]:
        pass


def test_a_failure_is_shown_and_a_test_says_what_is_wrong(anne: Guest, bob: Guest, endpoint: Endpoint) -> None:
    channel, endpoint.status = hook(anne, endpoint), 502
    answer = anne.ask("POST", f"/me/notices/{channel}/test")
    assert (answer.status_code, answer.json()["words"]) == (400, "the webhook said 502")
    table = begun(anne, bob)
    while not (seen := anne.done("GET", "/me/notices")["channels"][0])["failure"]:
        pass
    assert seen["failure"] == "the webhook said 502"
    assert bob.ask("POST", f"/me/notices/{channel}/test").status_code == 404, "it is hers alone"
    anne.done("DELETE", f"/me/notices/{channel}")
    assert anne.done("GET", "/me/notices")["channels"] == []
    play(table, anne, bob, choices=1)


@pytest.mark.parametrize(
    "target",
    [
        "http://discord.com/api/webhooks/1", "https://127.0.0.1/x", "https://discord.com.evil.test/", "file:///etc/passwd",
        "https://discord.com:22/", "https://user@discord.com/", "https://[::1", "nothing", "",
    ],
)  # fmt: skip
def test_nobody_makes_the_server_knock_at_other_doors(anne: Guest, target: str) -> None:
    assert anne.ask("POST", "/me/notices", {"kind": "webhook", "target": target}).status_code == 400
    keys = {"p256dh": "x", "auth": "y"}
    body = {"kind": "push", "target": json.dumps({"endpoint": target, "keys": keys})}
    assert anne.ask("POST", "/me/notices", body).status_code == 400
    assert anne.ask("POST", "/me/notices", {"kind": "push", "target": target}).status_code == 400


def test_without_settings_no_mail_is_promised(quick: Settings) -> None:
    with serving(quick) as client:
        anne = Guest(client, "Anne")
        assert "email" not in anne.done("GET", "/me/notices")["kinds"]
        assert anne.ask("POST", "/me/notices", {"kind": "email"}).status_code == 400
        assert client.get("/api/me/notices").status_code == 401


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_in_quiet_hours_nothing_is_told_and_afterwards_all_at_once(
    anne: Guest, bob: Guest, client: Client, endpoint: Endpoint
) -> None:
    hook(bob, endpoint)
    table = begun(anne, bob)
    notices = client.app.state.notices
    notices.clock = lambda: datetime(2026, 7, 1, 21, 30, tzinfo=UTC)
    night = {"begin": "23:00", "end": "07:30", "zone": "Europe/Brussels"}
    assert bob.done("PUT", "/me/notices/quiet", {"quiet": night}) == {"quiet": night}
    assert bob.done("GET", "/me/notices")["quiet"] == night
    anne.done("POST", f"/tables/{table}/offer", {"kind": "draw"})
    anne.done("POST", f"/tables/{table}/resign")
    call = client.blocking_portal.call
    call(notices.close)
    call(notices.tell_held)
    assert endpoint.got.empty()
    notices.clock = lambda: datetime(2026, 7, 2, 5, 31, tzinfo=UTC)
    call(notices.tell_held)
    told = json.loads(endpoint.got.get(timeout=WAIT)[2])["text"].splitlines()
    assert told[0] == "2 things happened"
    assert told[1].startswith("A question to you: The Ford Anne asks you")
    call(notices.tell_held)
    assert endpoint.got.empty(), "each is told once"


def test_whose_clock_runs_short_is_told_once_even_in_quiet_hours(
    anne: Guest, bob: Guest, client: Client, endpoint: Endpoint
) -> None:
    hook(anne, endpoint)
    slow, _ = begun(anne, bob, terms={"days": 4}), begun(anne, bob, terms={"days": 0})
    client.blocking_portal.call(client.app.state.notices.close)
    while not endpoint.got.empty():
        endpoint.got.get()
    anne.done("PUT", "/me/notices/quiet", {"quiet": {"begin": "00:00", "end": "23:59", "zone": "UTC"}})
    clocks, notices = client.app.state.clocks, client.app.state.notices
    begin = datetime.now(UTC)

    def after(days: float) -> list[str]:
        clocks.clock = lambda: begin + timedelta(days=days)
        client.blocking_portal.call(clocks.look)
        client.blocking_portal.call(notices.close)
        found = []
        while not endpoint.got.empty():
            found.append(json.loads(endpoint.got.get()[2])["text"])
        return found

    assert after(2.9) == []
    (told,) = after(3.1)
    assert told.startswith("Your time runs short: The Ford\nYour move is due by ")
    assert told.endswith(f"/#/match/{slow}")
    assert after(3.2) == [], "once for each move"
    with anne.page(slow) as page:
        page.ask("choose", id="B1")
    begin = datetime.now(UTC)
    notices._told.clear()  # ten minutes later
    assert after(2.9) == []
    assert len(after(3.1)) == 1
    anne.done("POST", f"/tables/{slow}/resign")
    assert after(3.9) == []


def test_nobody_is_reminded_of_a_clock_that_stands_or_that_they_look_at(
    anne: Guest, bob: Guest, client: Client, endpoint: Endpoint
) -> None:
    hook(anne, endpoint)
    table = begun(anne, bob, terms={"days": 4})
    client.blocking_portal.call(client.app.state.notices.close)
    while not endpoint.got.empty():
        endpoint.got.get()
    clocks = client.app.state.clocks
    clocks.clock = lambda: datetime.now(UTC) + timedelta(days=3.5)
    with anne.page(table):
        client.blocking_portal.call(clocks.look)
    anne.done("PUT", "/me/holiday", {"days": 7})
    client.blocking_portal.call(clocks.look)
    client.blocking_portal.call(client.app.state.notices.close)
    assert endpoint.got.empty()


@pytest.mark.parametrize(
    ("clock", "until"),
    [
        ("2026-07-01T20:59", None),
        ("2026-07-01T21:00", "2026-07-02T05:00"),
        ("2026-07-02T04:59", "2026-07-02T05:00"),
        ("2026-07-02T05:00", None),
        ("2026-12-01T22:00", "2026-12-02T06:00"),
    ],
)
def test_quiet_hours_go_by_the_clocks_where_somebody_lives(clock: str, until: str | None) -> None:
    quiet = Quiet("23:00", "07:00", "Europe/Brussels")
    found = quiet.until(datetime.fromisoformat(clock).replace(tzinfo=UTC))
    assert found == (datetime.fromisoformat(until).replace(tzinfo=UTC) if until else None)
    noon = Quiet("12:00", "14:00", "UTC")
    assert noon.until(datetime(2026, 1, 1, 13, tzinfo=UTC)) == datetime(2026, 1, 1, 14, tzinfo=UTC)
    assert noon.until(datetime(2026, 1, 1, 14, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    "quiet",
    [
        {"begin": "25:00", "end": "07:00", "zone": "UTC"},
        {"begin": "23:00", "end": "23:00", "zone": "UTC"},
        {"begin": "23:00", "end": "07:00", "zone": "Nowhere/Land"},
        {"begin": "23:00", "end": "07:00", "zone": "../../etc/passwd"},
    ],
)
def test_hours_that_are_none_are_refused(anne: Guest, quiet: dict[str, str]) -> None:
    assert anne.ask("PUT", "/me/notices/quiet", {"quiet": quiet}).status_code == 400
    assert anne.done("PUT", "/me/notices/quiet", {"quiet": None}) == {"quiet": None}

"""What a hostile stranger found who attacked a running server: each was open once, and is shut."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from httpx import ASGITransport, AsyncClient
from litestar.exceptions import WebSocketDisconnect

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.core.table import Event
from bulge.games import load_game
from bulge.lab.atlas import shipped
from bulge.lab.atlas.models import PAGE
from bulge.server import people as accounts
from bulge.server import questions
from bulge.server.app import create_app
from bulge.server.delivery import Delivery, Notice, Undelivered, new_push_key
from bulge.server.errors import TooOften
from bulge.server.people import People, checked_name
from bulge.server.play import Play, replay
from bulge.server.quotas import Quota, Quotas
from bulge.server.replays import Replays, _Past
from bulge.server.routes_atlas import _fingerprint
from bulge.server.seats import HOST, Seat
from bulge.server.settings import Settings
from bulge.server.storage import Storage
from bulge.server.tables import UNKNOWN_SEED, Tables
from bulge.server.telling import tell
from bulge.server.turns import Turns
from bulge.server.uses import Guest as Visitor
from bulge.server.uses import Uses
from tests.helpers import SEED
from tests.server.guest import Client, Guest, begun
from tests.server.serving import serving
from tests.server.table import Table

REFUSED = 4403


# ---------------------------------------------------------------------- many at once


class NoRows:
    """A database in which nobody is, and which takes a moment to say so."""

    async def rows(self, _: Any) -> list[Any]:
        await asyncio.sleep(0)
        return []


class QuickPasswords:
    def fits(self, *_: Any) -> bool:
        return False


def test_guesses_at_once_count_as_guesses_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty sent together were all judged, since each was counted only when it had been."""
    monkeypatch.setattr(accounts, "Passwords", QuickPasswords)
    people = People(NoRows())  # type: ignore[arg-type]

    async def guess() -> list[Any]:
        tries = (people.check("Anne", f"a wrong password {n}", "192.0.2.1") for n in range(60))
        return await asyncio.gather(*tries, return_exceptions=True)

    refused = [isinstance(end, TooOften) for end in asyncio.run(guess())]
    assert refused.count(False) <= 11, "ten, and one more that was judged beside the tenth"
    assert refused.count(True) >= 49


def test_matches_at_once_count_as_matches_one_after_another() -> None:
    quota = Quota(matches=2, imports=0, pages=0, thinking=0, storage=1)
    uses = Uses(_Full(), Quotas(account=quota, address=quota))  # type: ignore[arg-type]

    async def make() -> list[Any]:
        tries = (uses.new_match(Visitor("192.0.2.1", "anne")) for _ in range(6))
        return await asyncio.gather(*tries, return_exceptions=True)

    ends = asyncio.run(make())
    assert ends.count(None) == 2
    assert sum(isinstance(end, TooOften) for end in ends) == 4


def test_words_at_once_count_as_words_one_after_another(quick: Settings) -> None:
    """Of messages sent together all were kept, and of notes as many as one liked."""

    async def flood() -> list[int]:
        app = create_app(replace(quick, quotas=Quotas(messages=5)))
        transport = ASGITransport(cast("Any", app))
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1/api/") as anne:
            await anne.post("people", json={"name": "Anne", "password": "a long password"})
            table = (await anne.post("tables", json={"game": "ford"})).json()["id"]
            await anne.post(f"tables/{table}/sit", json={"side": "Blue", "commitment": "ab" * 32})
            kept = []
            for method, path in (
                ("POST", f"tables/{table}/talk"),
                ("PUT", f"tables/{table}/notes/1"),
                ("POST", "reports"),
            ):
                sent = (anne.request(method, path, json={"words": "x"}) for _ in range(15))
                kept.append(sum(answer.status_code < 300 for answer in await asyncio.gather(*sent)))
            return kept

    assert asyncio.run(flood()) == [5, 5, 10]


class _Full(NoRows):
    async def rows(self, _: Any) -> list[Any]:
        await asyncio.sleep(0)
        return [(0,)]


def test_a_long_list_of_tables_asks_the_database_as_often_as_a_short_one(
    client: Client, anne: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 200 tables it asked 600 times and took a second, for whoever asked."""
    asked: list[Any] = []
    rows = Storage.rows

    async def counted(storage: Storage, query: Any) -> Any:
        asked.append(query)
        return await rows(storage, query)

    monkeypatch.setattr(Storage, "rows", counted)
    counts = []
    for tables in (1, 5):
        while len(client.get("/api/tables").json()) < tables:
            anne.done("POST", "/tables", {"game": "ford"})
        asked.clear()
        assert len(client.get("/api/tables").json()) == tables
        counts.append(len(asked))
    assert counts[0] == counts[1]


# ---------------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize("path", ["matches/", "people", "session", "tables", "reports"])
@pytest.mark.parametrize(
    "body", [b"[" * 60_000, b'{"a":' * 10_000, b'"\xed\xa0\x80"', b'{"game":"f\xffrd"}', b'{"\xc3":1}']
)
def test_what_cannot_be_read_is_no_fault_of_the_server(client: Client, path: str, body: bytes) -> None:
    """Each was answered with 500 and wrote two kilobytes into the log, for whoever sent it."""
    gc.collect()  # what other tests left must not be cleared away in the depth of reading this
    answer = client.post(f"/api/{path}", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text


def test_a_request_that_is_broken_off_is_no_fault_of_the_server(
    quick: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """Three hundred half-sent ones wrote half a megabyte into the log; so did whoever lost the line."""
    app = create_app(quick)
    sent: list[Any] = []
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(parts)

    async def send(message: Any) -> None:
        sent.append(message)

    async def break_off() -> None:
        async with app.lifespan():
            await app(scope, receive, send)

    scope: Any = {
        "type": "http",
        "method": "POST",
        "path": "/api/matches/import",
        "raw_path": b"/api/matches/import",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("192.0.2.1", 1),
        "state": {},
    }
    asyncio.run(break_off())
    assert [message.get("status") for message in sent][:1] == [400]
    assert not caplog.records


# ---------------------------------------------------------------------- what takes the processor


def test_what_could_be_is_worked_out_for_one_at_a_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred pages that asked it without end made everybody wait for seconds: each had a thread."""
    at_work, most = 0, 0

    def work() -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        time.sleep(0.05)
        at_work -= 1

    monkeypatch.setattr(questions, "imagined_for", lambda *_: work)
    table = Table.make(client, {"game": "ford"})
    with table.page() as one, table.page() as two, table.page() as three:
        pages = (one, two, three)
        for page in pages:
            page.send("dangers")
        for page in pages:
            page.ask("dangers")
    assert most == 1


# ---------------------------------------------------------------------- looking back


def test_who_looks_before_the_beginning_gives_nobody_a_past_with_other_dice() -> None:
    """The match as it stood before its dice were agreed on was kept, and played on for all who looked back."""
    waiting, begun_since = (Match(load_game("ford"), seed=seed) for seed in (UNKNOWN_SEED, SEED))
    replays, rng = Replays(), random.Random(7)
    replays.position("a match", waiting, 0)
    while begun_since.decision is not None:
        begun_since.choose(rng.choice(list(begun_since.asked().options)))
    assert replays.position("a match", begun_since, len(begun_since.ids)) == begun_since.position


def test_whoever_looks_back_is_not_driven_out_between_two_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one match more than are kept, five who looked back at once played it all again for every frame."""
    one, other, rng = Match(load_game("ford"), seed=SEED), Match(load_game("ford"), seed=SEED), random.Random(7)
    play, replays, began, scene = Play(one), Replays(), _Past.__init__, type(one.game).scene
    while play.n < 30:
        play.choose(one.game.id_of(one.asked(), rng.choice(list(one.asked().options))))
    played: list[Match[Any]] = []

    def counted(past: _Past, match: Match[Any]) -> None:
        played.append(match)
        began(past, match)

    def interrupted(*asked: Any) -> Any:
        replays.position("the other", other, 0)
        return scene(*asked)

    monkeypatch.setattr("bulge.server.replays.KEPT", 1)
    monkeypatch.setattr(_Past, "__init__", counted)
    monkeypatch.setattr(type(one.game), "scene", interrupted)
    assert tell("the one", play, Seat("the one", HOST, {}), replays, 0).frames
    assert played == [one, other]


def test_whoever_looks_back_without_end_waits_behind_themselves() -> None:
    """Forty requests that one sent at once had every thread, and all others waited until they were done."""
    done: list[str] = []

    async def look(replays: Replays, who: str) -> None:
        async with replays.turns.of(who):
            await asyncio.sleep(0)
            done.append(who)

    async def look_at_once() -> None:
        replays = Replays()
        await asyncio.gather(*(look(replays, who) for who in ["many"] * 40 + ["one"]))

    asyncio.run(look_at_once())
    assert done.index("one") <= 1
    assert len(done) == 41


def test_matches_that_are_not_in_memory_are_played_again_one_at_a_time(
    quick: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six who opened long matches in turn, more than are kept, made everybody wait for a second."""
    at_work, most = 0, 0

    def counted(*asked: Any) -> Any:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        time.sleep(0.02)
        at_work -= 1
        return replay(*asked)

    async def open_at_once() -> list[int]:
        app = create_app(replace(quick, most_open=1))
        transport = ASGITransport(cast("Any", app))
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1/api/") as client:
            made = [(await client.post("matches", json={"game": "ford"})).json() for _ in range(6)]
            asked = (client.get(f"matches/{one['id']}", headers={"X-Token": one["host"]}) for one in made)
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    monkeypatch.setattr("bulge.server.stories.replay", counted)
    assert asyncio.run(open_at_once()) == [200] * 6
    assert most == 1


def test_whoever_asks_for_long_lists_without_end_has_one_made_at_a_time(
    quick: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty lists that one asked for at once were all in the making, and others waited for each step of each."""
    at_work, most, open_ones = 0, 0, Tables.open_ones

    async def counted(*asked: Any) -> Any:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        try:
            return await open_ones(*asked)
        finally:
            at_work -= 1

    async def ask_at_once() -> list[int]:
        app = create_app(quick)
        transport = ASGITransport(cast("Any", app))
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1/api/") as client:
            return [
                answer.status_code for answer in await asyncio.gather(*(client.get("tables") for _ in range(40)))
            ]

    monkeypatch.setattr(Tables, "open_ones", counted)
    assert asyncio.run(ask_at_once()) == [200] * 40
    assert most == 1


def test_who_asks_on_many_pages_waits_behind_themselves(client: Client) -> None:
    """Twenty pages that asked without end made all others wait for seconds."""
    table, hub = Table.make(client, {"game": "ford"}), client.app.state.hub

    async def in_line(who: str, *, strange: bool) -> bool:
        live = await hub.open(table.id)
        live.strange = strange
        async with hub.line(live, Visitor("192.0.2.1")):
            another = asyncio.create_task(_enter(hub.line(live, Visitor(who))))
            await asyncio.wait([another], timeout=0.05)
            waits = not another.done()
        await another
        return waits

    call = client.blocking_portal.call
    assert call(partial(in_line, "192.0.2.1", strange=False))
    assert not call(partial(in_line, "192.0.2.2", strange=False))
    assert not call(partial(in_line, "192.0.2.1", strange=True)), "a process beside takes long and holds up nobody"


async def _enter(line: AbstractAsyncContextManager[None]) -> None:
    async with line:
        pass


def test_nobody_waits_behind_anothers_line() -> None:
    async def ask() -> None:
        turns = Turns()
        async with turns.own("many"), turns.own("one"):
            assert not turns._one.locked()

    asyncio.run(ask())


def test_games_that_came_with_the_program_are_read_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """All results of the atlas were unpacked for each: whoever asked without end made others wait."""
    shipped.kept_games.cache_clear()
    read: list[int] = []
    all_shipped = shipped.all_shipped

    def counted() -> list[shipped.Shipped]:
        read.append(1)
        return all_shipped()

    monkeypatch.setattr(shipped, "all_shipped", counted)
    for number in range(3):
        assert client.get(f"/api/atlas/the_bulge/{number}").status_code == 404
    assert read == [1]


def test_lines_of_a_log_are_nothing_to_look_through_for_rubbish() -> None:
    """With the lines of many long matches in memory, a look for rubbish held all answers up."""
    assert not gc.is_tracked(Event("1.1", "a line", units=(1, 2)))


def test_a_computer_never_thinks_for_whoever_only_looks_on(client: Client, anne: Guest, bob: Guest) -> None:
    """Who had used up their thinking and came first, or tried to choose, left the players' computer waiting."""
    table, mallory, hub = begun(anne, bob), Guest(client, "Mallory"), client.app.state.hub
    hub._lives.clear()
    with mallory.page(table) as page:
        assert page.ask("choose", id="B1")["type"] == "error"
        assert hub._lives[table].guest is None
        anne.state(table)
        first = hub._lives[table].guest
        assert first is not None
        assert page.ask("choose", id="B1")["type"] == "error"
        assert hub._lives[table].guest == first


# ---------------------------------------------------------------------- pages that stay open


def test_whoever_gave_a_seat_up_plays_it_no_more_through_an_open_page(
    client: Client, anne: Guest, bob: Guest
) -> None:
    mallory = Guest(client, "Mallory")
    table = str(anne.done("POST", "/tables", {"game": "ford", "scenario": "cards"})["id"])
    one, other = anne.state(table)["table"]["people"]
    assert bob.sit(table, other).status_code == 201
    assert mallory.sit(table, one).status_code == 201
    with mallory.page(table) as page:
        mallory.done("POST", f"/tables/{table}/leave")
        for guest, side in ((bob, other), (anne, one)):
            assert guest.sit(table, side).status_code == 201
        for guest in (bob, anne):
            assert guest.reveal(table).status_code == 201
        state = anne.state(table)
        assert state["decision"]["mine"]
        answer = page.ask("choose", id=state["decision"]["options"][0]["id"], rev=state["rev"])
        assert answer["type"] == "error"
        assert anne.state(table)["n"] == 0
        assert page.state["side"] is None
        assert not any(hand["cards"] for hand in page.state["scene"]["hands"])


@pytest.mark.parametrize("how", ["signs out", "has a new password", "was shut out"])
def test_a_page_ends_with_its_session(client: Client, anne: Guest, bob: Guest, how: str) -> None:
    table = begun(anne, bob)
    with anne.page(table) as page:
        choice = page.options[0]
        if how == "signs out":
            anne.done("DELETE", "/session")
        elif how == "has a new password":
            anne.done("PATCH", "/me", {"password": "another password", "old_password": "a long password"})
        else:
            with client.portal() as portal:
                portal.call(client.app.state.moderation.suspend, "Anne", True)
        with pytest.raises(WebSocketDisconnect) as cut:
            page.ask("choose", id=choice)
        assert cut.value.code == REFUSED
    assert bob.state(table)["n"] == 0


# ---------------------------------------------------------------------- talk, names, addresses


def test_what_was_said_in_private_stays_private_when_the_match_is_over(
    client: Client, anne: Guest, bob: Guest
) -> None:
    made = anne.done("POST", "/tables", {"game": "ford", "listed": False})
    table, invitation = made["id"], {"X-Invitation": made["invitation"]}
    for guest, side in ((anne, "Blue"), (bob, "Red")):
        assert guest.sit(table, side, invitation=made["invitation"]).status_code == 201
    for guest in (anne, bob):
        guest.reveal(table)
    anne.done("POST", f"/tables/{table}/talk", {"words": "my number is 12345"})
    anne.done("POST", f"/tables/{table}/resign")
    mallory = Guest(client, "Mallory")
    assert mallory.ask("GET", f"/tables/{table}/talk").status_code == 403
    assert client.get(f"/api/tables/{table}/talk").status_code == 403
    assert bob.done("GET", f"/tables/{table}/talk")[0]["words"] == "my number is 12345"
    assert client.get(f"/api/tables/{table}/talk", headers=invitation).status_code == 200


@pytest.mark.parametrize(
    "name", ["\u3164\u3164", "Anne\u3164", "Anne\uffa0", "..", "- -", "\u0410nne", "Ann\u0435"]
)
def test_nobody_has_a_name_that_looks_like_none_or_like_anothers(name: str) -> None:
    with pytest.raises(BulgeError):
        checked_name(name)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Anne  of   Green", "Anne of Green"),
        ("Анна", "Анна"),
        ("Ελένη", "Ελένη"),
        ("山田", "山田"),
        ("Anne 2", "Anne 2"),
    ],
)
def test_names_of_every_alphabet_are_kept(name: str, kept: str) -> None:
    assert checked_name(name) == kept


@pytest.mark.parametrize("path", ["/\tx", "/\nx", "/\x7f", "/\x00"])
def test_an_address_with_signs_that_no_address_has_is_refused(client: Client, anne: Guest, path: str) -> None:
    body = {"kind": "webhook", "target": f"https://discord.com{path}"}
    assert anne.ask("POST", "/me/notices", body).status_code == 400


def test_a_subscription_whose_keys_are_none_is_told_and_breaks_nothing(quick: Settings) -> None:
    delivery = Delivery(quick)
    delivery.push_key = new_push_key()
    target = '{"endpoint":"https://x.notify.windows.com/y","keys":{"p256dh":"!!","auth":""}}'
    with pytest.raises(Undelivered):
        asyncio.run(delivery.send("push", target, Notice("test", "a", "b", "c")))


def test_a_name_too_long_for_a_file_is_refused(quick: Settings, tmp_path: Path) -> None:
    drawn = tmp_path / "cache" / "atlas" / _fingerprint()
    drawn.mkdir(parents=True)
    (drawn / PAGE).write_text("the atlas")
    with serving(replace(quick, cache=tmp_path / "cache")) as client:
        assert client.get("/atlas").text == "the atlas"
        assert client.get("/atlas/" + "a" * 5000).status_code == 400

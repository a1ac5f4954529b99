"""What nobody uses is deleted, after notice; what somebody keeps or plays stays. The clock is the test's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import event, update

from bulge.server.app import create_app
from bulge.server.computer import Thinkers
from bulge.server.expiry import Sweeper
from bulge.server.quotas import Expiry, Quotas
from bulge.server.settings import Settings
from bulge.server.storage import MatchRow
from tests.server.guest import Client, Guest, begun
from tests.server.serving import serving
from tests.server.table import Table
from tests.server.test_notices import WAIT, Endpoint

EXPIRY = Expiry(unplayed=10, matches=100, accounts=400, notice=5)


class Time:
    """Days from now on, as the server's sweeper sees them."""

    def __init__(self, client: Client) -> None:
        self.sweeper: Sweeper = client.app.state.sweeper
        assert self.sweeper.expiry.matches == 0, "a server for this machine alone keeps all"
        self.sweeper.expiry = EXPIRY
        self._portal, self._start = client.blocking_portal, datetime.now(UTC)

    def after(self, days: float) -> None:
        """Let so many days have passed, and the sweeper look around."""
        self.sweeper.clock = lambda: self._start + timedelta(days=days)
        self._portal.call(self.sweeper.sweep)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    found = Endpoint()
    yield found
    found.close()


@pytest.fixture
def client(settings: Settings, endpoint: Endpoint) -> Iterator[Client]:
    changed = replace(settings, deliver_to=(endpoint.place,), quotas=Quotas(kept=1))
    with serving(changed) as found:
        yield found


@pytest.fixture
def time(client: Client) -> Time:
    return Time(client)


def listed(client: Client, *tables: Table) -> dict[str, Any]:
    tokens = ",".join(table.host for table in tables)
    return {each["id"]: each for each in client.get("/api/matches", headers={"X-Tokens": tokens}).json()}


def test_matches_go_when_nobody_plays_them_and_say_so_before(client: Client, time: Time) -> None:
    unplayed, played = (Table.make(client, {"game": "ford", "seed": "a test"}) for _ in range(2))
    with played.page() as page:
        page.ask("choose", id="B1")
    time.after(4)
    assert [each["expires"] for each in listed(client, unplayed, played).values()] == [None, None]
    time.after(6)
    soon = datetime.fromisoformat(listed(client, unplayed)[unplayed.id]["expires"])
    assert soon.date() == (datetime.now(UTC) + timedelta(days=11)).date()
    time.after(10.5)
    assert unplayed.id in listed(client, unplayed), "everybody has the whole notice"
    time.after(12)
    assert set(listed(client, unplayed, played)) == {played.id}
    assert client.get(f"/api/matches/{unplayed.id}", headers={"X-Token": unplayed.host}).status_code == 403
    time.after(96)
    time.after(102)
    assert not listed(client, played)


def test_whoever_plays_on_or_comes_late_loses_nothing(client: Client, time: Time) -> None:
    table = Table.make(client, {"game": "ford", "seed": "a test"})
    time.after(500)
    assert table.id in listed(client, table), "a server that was off for a year tells first"
    with table.page() as page:
        page.ask("choose", id="B1")
        time.after(600)
        assert table.id in listed(client, table), "nothing goes while somebody has it open"
    time.after(50)
    assert listed(client, table)[table.id]["expires"] is None, "it was played meanwhile"


def test_what_is_kept_stays_and_only_so_much_of_it(client: Client, time: Time) -> None:
    mine, other = (Table.make(client, {"game": "ford"}) for _ in range(2))
    time.after(6)
    assert keep(mine, kept=True).json() == {"kept": True}
    assert listed(client, mine)[mine.id]["expires"] is None
    refused = keep(other, kept=True)
    assert (refused.status_code, "1 match may be kept" in refused.json()["words"]) == (403, True)
    assert keep(mine, kept=True, token="wrong").status_code == 403
    for days in (20, 40, 1000, 1010):
        time.after(days)
    assert set(listed(client, mine, other)) == {mine.id}
    assert keep(mine, kept=False).json() == {"kept": False}
    time.after(1011)
    time.after(1017)
    assert not listed(client, mine)


def keep(table: Table, *, kept: bool, token: str = "") -> Any:
    path, key = f"/api/matches/{table.id}/kept", {"X-Token": token or table.host}
    return table.client.put(path, json={"kept": kept}, headers=key)


def test_people_are_told_before_their_match_goes(client: Client, time: Time, endpoint: Endpoint) -> None:
    anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
    channel = bob.done("POST", "/me/notices", {"kind": "webhook", "target": f"http://{endpoint.place}/hook"})["id"]
    bob.done("PATCH", f"/me/notices/{channel}", {"events": []})
    table = begun(anne, bob)
    anne.done("POST", f"/tables/{table}/talk", {"words": "where are you?"})
    anne.done("PUT", f"/tables/{table}/notes/1", {"words": "attack"})
    forgotten = update(MatchRow).where(MatchRow.id == table).values(game="no longer played here")
    client.blocking_portal.call(client.app.state.hub.storage.write, forgotten)
    time.after(6)
    told = json.loads(endpoint.got.get(timeout=WAIT)[2])
    assert told["event"] == "expiry"
    assert "It is deleted in 5 days, unless" in told["text"]
    assert told["text"].startswith("Soon deleted: no longer played here")
    assert bob.done("GET", "/tables/mine")[0]["expires"]
    time.after(12)
    assert bob.done("GET", "/tables/mine") == []
    assert bob.done("GET", "/me/export")["seats"] == []


def test_an_account_that_nobody_uses_goes_after_notice(client: Client, time: Time, endpoint: Endpoint) -> None:
    anne, _ = Guest(client, "Anne"), Guest(client, "Bob")
    anne.done("POST", "/me/notices", {"kind": "webhook", "target": f"http://{endpoint.place}/hook"})
    time.after(390)
    time.after(396)
    told = json.loads(endpoint.got.get(timeout=WAIT)[2])
    assert "The account Anne is deleted in 5 days, unless you sign in." in told["text"]
    client.post("/api/session", json={"name": "Bob", "password": "a long password"})
    time.after(402)
    assert client.get("/api/people/Anne").status_code == 404
    assert client.get("/api/people/Bob").status_code == 200, "whoever signs in stays"


def test_one_deletes_ones_own_match_but_not_one_that_others_play(client: Client) -> None:
    alone, shared = (Table.make(client, {"game": "ford"}) for _ in range(2))
    shared.state(shared.tokens["Red"])
    for table, token, status in (
        (shared, shared.host, 400),
        (shared, shared.tokens["Red"], 403),
        (alone, "wrong", 403),
        (alone, alone.host, 200),
        (alone, alone.host, 403),
    ):
        answer = client.delete(f"/api/matches/{table.id}", headers={"X-Token": token})
        assert answer.status_code == status, answer.text
    assert set(listed(client, alone, shared)) == {shared.id}


def test_of_four_who_delete_a_match_at_once_while_a_computer_thinks_one_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each found it busy with the others, and all were refused."""

    async def think_for_ever(*_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()

    async def delete_at_once() -> list[int]:
        app = create_app(settings)
        transport = ASGITransport(cast("Any", app))
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1/api/") as client:
            made = (await client.post("matches", json={"game": "ford", "seats": {"Blue": "recruit"}})).json()
            match, token = f"matches/{made['id']}", {"X-Token": made["host"]}
            thinking = (await client.get(match, headers=token)).json()["thinking"]
            assert thinking == "Blue"
            answers = await asyncio.gather(*(client.delete(match, headers=token) for _ in range(4)))
            assert made["id"] not in app.state.hub._lives
            return sorted(answer.status_code for answer in answers)

    monkeypatch.setattr(Thinkers, "choose", think_for_ever)
    assert asyncio.run(delete_at_once()) == [200, 403, 403, 403]


def test_a_match_that_is_open_stays_and_its_computer_goes_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.make(client, {"game": "ford", "seats": {"Red": "random"}, "seed": "a test"})
    with table.page() as page:
        answer = client.delete(f"/api/matches/{table.id}", headers={"X-Token": table.host})
        assert (answer.status_code, "close its pages first" in answer.json()["words"]) == (400, True)
        while page.state["decision"] and page.state["decision"]["mine"]:
            page.ask("choose", id=page.options[0])
        page.until(page.state["n"] + 1)


@pytest.mark.parametrize("table", ["bulge_token", "bulge_match"])
def test_a_match_is_deleted_whole_or_not_at_all(client: Client, table: str) -> None:
    """Whoever was stopped in the middle of it left a match without its choices, or without a way in."""
    match = Table.make(client, {"game": "ford", "seed": "a test"})
    with match.page() as page:
        page.ask("choose", id="B1")
    before = match.journal()

    def stop(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(f"DELETE FROM {table}"):
            raise KilledHere

    engine = client.app.state.hub.storage._engine.sync_engine
    event.listen(engine, "before_cursor_execute", stop)
    with pytest.raises(KilledHere):
        client.blocking_portal.call(client.app.state.sweeper.delete, match.id)
    event.remove(engine, "before_cursor_execute", stop)
    client.app.state.hub._lives.clear()
    assert match.journal() == before
    assert client.blocking_portal.call(client.app.state.sweeper.delete, match.id)
    assert not listed(client, match)


class KilledHere(Exception):
    """Stands for the end of a server in the middle of its work."""


def test_servers_of_one_database_look_around_in_turn(client: Client, time: Time) -> None:
    call = client.blocking_portal.call
    assert call(time.sweeper._is_my_turn)
    assert not call(time.sweeper._is_my_turn)
    time.sweeper.clock = lambda: datetime.now(UTC) + timedelta(hours=2)
    assert call(time.sweeper._is_my_turn)


def test_notice_shorter_than_a_day_or_longer_than_half_the_time_is_refused() -> None:
    for values in ({"notice": 0}, {"notice": 20, "unplayed": 30}, {"unplayed": 1, "notice": 1}):
        with pytest.raises(msgspec.ValidationError, match="notice is given"):
            msgspec.convert(values, Expiry)
    assert msgspec.convert({"unplayed": 0, "matches": 0, "accounts": 0, "notice": 1}, Expiry).matches == 0

"""Nobody uses up a server: each quota refuses in words that say what is allowed, and when again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.computer import Question, Thinkers, Thought
from bulge.server.errors import TooOften
from bulge.server.limits import Limit
from bulge.server.people_rows import PersonRow
from bulge.server.quotas import Quota, Quotas
from bulge.server.settings import Settings
from bulge.server.uses import Guest, Uses
from bulge.server.worker import GivenUp
from tests.server.guest import Client, begun
from tests.server.guest import Guest as Somebody
from tests.server.serving import serving
from tests.server.table import Table

FREE = Quota(matches=0, imports=0, pages=0, thinking=0, storage=0)
ANNE, BOB, NOBODY = Guest("192.0.2.1", "anne"), Guest("192.0.2.1", "bob"), Guest("192.0.2.1")


@contextmanager
def server(settings: Settings, quotas: Quotas) -> Iterator[Client]:
    with serving(replace(settings, quotas=quotas)) as client:
        yield client


def make(uses: Uses, guest: Guest, **how: bool) -> None:
    asyncio.run(uses.new_match(guest, **how))


def uses_of(quotas: Quotas, now: list[float], **more: Any) -> Uses:
    return Uses(None, quotas, clock=lambda: now[0], **more)  # type: ignore[arg-type]


def test_an_hour_later_one_may_again_and_is_told_so() -> None:
    now = [0.0]
    uses = uses_of(Quotas(account=replace_of(FREE, matches=2), address=FREE), now)
    make(uses, ANNE)
    now[0] = 1200
    make(uses, ANNE)
    with pytest.raises(TooOften, match="2 new matches an hour are allowed to one account; try again in 40 min"):
        make(uses, ANNE)
    make(uses, BOB)
    now[0] = 3601
    make(uses, ANNE)


def replace_of(quota: Quota, **values: int) -> Quota:
    return msgspec.structs.replace(quota, **values)


def test_all_accounts_of_one_address_have_a_quota_together() -> None:
    uses = uses_of(Quotas(account=FREE, address=replace_of(FREE, matches=3, imports=1)), [0.0])
    make(uses, ANNE, imported=True)
    with pytest.raises(TooOften, match="1 file an hour is allowed to one address; try again in 60 min"):
        make(uses, BOB, imported=True)
    make(uses, BOB)
    make(uses, NOBODY)
    with pytest.raises(TooOften, match="3 new matches"):
        make(uses, BOB)
    make(uses, Guest("192.0.2.2", "bob"))


def test_thinking_is_counted_in_seconds() -> None:
    now = [0.0]
    uses = uses_of(Quotas(account=replace_of(FREE, thinking=600), address=FREE), now)
    for _ in range(1000):
        uses.check_thinking(ANNE)
        uses.thought(ANNE, 0.5)
        now[0] += 1
    uses.thought(ANNE, 100.5)
    with pytest.raises(TooOften, match="think for 10 min an hour for one account; try again in"):
        uses.check_thinking(ANNE)
    uses.check_thinking(BOB)
    now[0] = 10_000
    uses.check_thinking(ANNE)


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 s"), (59, "59 s"), (60, "1 min"), (90, "90 s"), (1800, "30 min")]
)
def test_thinking_of_less_than_a_minute_is_told_in_seconds(seconds: int, words: str) -> None:
    """`0 min an hour` was said of it."""
    uses = uses_of(Quotas(account=replace_of(FREE, thinking=seconds), address=FREE), [0.0])
    uses.thought(ANNE, seconds)
    with pytest.raises(TooOften, match=f"think for {words} an hour for one account; try again in 60 min"):
        uses.check_thinking(ANNE)


@pytest.mark.parametrize(
    ("left", "words"), [(0.2, "1 s"), (12.0, "12 s"), (59.5, "1 min"), (61, "2 min"), (120, "2 min")]
)
def test_whoever_must_wait_is_told_for_how_long_and_it_is_enough(left: float, words: str) -> None:
    now = [0.0]
    limit = Limit("once an hour", 1, 3600, lambda: now[0])
    limit.take("anne")
    now[0] = 3600 - left
    with pytest.raises(TooOften, match=f"once an hour; try again in {words}$") as refused:
        limit.check("anne")
    assert refused.value.seconds == pytest.approx(left, abs=1)
    now[0] += refused.value.seconds + 0.001
    limit.check("anne")


@pytest.mark.parametrize(
    ("most", "words"), [(1, "1 new match an hour is allowed to"), (2, "2 new matches an hour are allowed to")]
)
def test_one_of_a_kind_is_told_as_one(most: int, words: str) -> None:
    uses = uses_of(Quotas(account=replace_of(FREE, matches=most), address=FREE), [0.0])
    for _ in range(most):
        make(uses, ANNE)
    with pytest.raises(TooOften, match=words):
        make(uses, ANNE)


def test_whoever_plays_on_this_machine_alone_has_no_limits() -> None:
    strict = Quotas(account=Quota(matches=1), address=Quota(matches=1))
    home, away = uses_of(strict, [0.0], only_here=True), uses_of(strict, [0.0])
    for _ in range(3):
        make(home, Guest("127.0.0.1"))
        make(home, Guest("::1"))
    away.quotas = Quotas(account=FREE, address=FREE)
    make(away, Guest("127.0.0.1"))
    with pytest.raises(TooOften):
        make(away, Guest("127.0.0.1"))


def test_over_http_each_refusal_is_a_429_in_words(quick: Settings) -> None:
    with server(quick, Quotas(address=Quota(matches=3, imports=1))) as client:
        table = Table.make(client, {"game": "ford"})
        journal = table.journal()
        assert client.post("/api/matches/import", json=journal).status_code == 201
        again = client.post("/api/matches/import", json=journal)
        assert again.status_code == 429
        assert 0 < int(again.headers["Retry-After"]) <= 3600
        # when again stands there too; here time passes while the first file is judged by another process
        assert again.json()["words"].startswith("1 file an hour is allowed to one address; try again in ")
        assert client.post(f"/api/matches/{table.id}/branch/0", headers={"X-Token": table.host}).status_code == 201
        for path in ("/api/matches", f"/api/matches/{table.id}/branch/0"):
            more = client.post(path, json={"game": "ford"}, headers={"X-Token": table.host})
            assert more.status_code == 429
            assert "3 new matches an hour" in more.json()["words"]


def test_everybody_can_read_how_much_they_have_used(quick: Settings) -> None:
    with server(quick, Quotas(account=Quota(matches=7))) as client:
        anne, bob = Somebody(client, "Anne"), Somebody(client, "Bob")
        table = begun(anne, bob)
        anne.done("PUT", f"/matches/{table}/kept", {"kept": True})
        client.app.state.uses.thought(Guest("testclient", _account(client, anne)), 12.34)
        with anne.page(table):
            used = {use["what"]: (use["used"], use["allowed"]) for use in anne.done("GET", "/me/uses")}
        assert used == {
            "matches": (1, 7), "imports": (0, 30), "pages": (1, 50), "thinking": (12.3, 1800),
            "storage": (0, 50), "tables": (1, 50), "kept": (1, 20),
        }  # fmt: skip
        theirs = {use["what"]: use["used"] for use in bob.done("GET", "/me/uses")}
        assert (theirs["matches"], theirs["tables"], theirs["kept"]) == (0, 1, 0)
        assert client.get("/api/me/uses").status_code == 401


def _account(client: Client, guest: Somebody) -> str:
    found = client.blocking_portal.call(client.app.state.hub.storage.rows, select(PersonRow.id, PersonRow.name))
    return str(next(id_ for id_, name in found if name == guest.name))


def test_what_is_stored_is_counted_for_whoever_made_it(client: Client) -> None:
    table, uses = Table.make(client, {"game": "ford"}), client.app.state.uses
    kept = client.blocking_portal.call(uses.stored, Guest("testclient"))
    assert kept > 0
    with table.page() as page:
        page.ask("choose", id="B1")
    assert client.blocking_portal.call(uses.stored, Guest("testclient")) > kept
    assert client.blocking_portal.call(uses.stored, Guest("elsewhere")) == 0


def test_storage_is_refused_when_it_is_full(quick: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bulge.server.uses.MEGABYTE", 10)
    with server(quick, Quotas(address=Quota(storage=1), account=Quota(storage=1))) as client:
        Table.make(client, {"game": "ford"})
        more = client.post("/api/matches", json={"game": "ford"})
        assert more.status_code == 403
        assert more.json()["words"].startswith("1 MB is allowed to one address, all of it full; delete a match")


def test_talk_and_notes_fill_the_storage_too(quick: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(quick, Quotas(account=Quota(storage=1))) as client:
        anne, bob = Somebody(client, "Anne"), Somebody(client, "Bob")
        table = begun(anne, bob)
        monkeypatch.setattr("bulge.server.uses.MEGABYTE", 10)
        for method, path in (("PUT", "notes/1"), ("POST", "talk")):
            refused = anne.ask(method, f"/tables/{table}/{path}", {"words": "more"})
            assert refused.status_code == 403, path
            assert "1 MB is allowed to one account" in refused.json()["words"]


def test_only_so_many_matches_are_under_way_and_those_that_ended_do_not_count(quick: Settings) -> None:
    with server(quick, Quotas(tables=1)) as client:
        anne, bob = Somebody(client, "Anne"), Somebody(client, "Bob")
        table = begun(anne, bob)
        refused = anne.ask("POST", "/tables", {"game": "ford"})
        assert refused.status_code == 403
        assert "1 match under way is allowed to one account; end one first" in refused.json()["words"]
        anne.done("POST", f"/tables/{table}/resign")
        assert anne.ask("POST", "/tables", {"game": "ford"}).status_code == 201


def test_a_match_has_only_so_many_choices(quick: Settings) -> None:
    with server(quick, Quotas(choices=3)) as client:
        table = Table.make(client, {"game": "ford", "seed": "a test"})
        with table.page() as page:
            for type_, fields in (("choose", {"id": "B1"}), ("undo", {}), ("redo", {})):
                assert page.ask(type_, **fields)["type"] == "state"
            assert "3 choices at most" in page.ask("undo")["words"]


def test_for_whom_the_computer_has_thought_enough_it_thinks_no_more_for_an_hour(quick: Settings) -> None:
    with server(quick, Quotas()) as client:
        table = Table.make(client, {"game": "ford", "seats": {"Red": "random"}, "seed": "a test"})
        alone = Table.make(client, {"game": "ford", "seed": "a test"})
        with table.page() as page, alone.page() as other:
            uses: Uses = client.app.state.uses
            uses.thought(Guest("testclient"), 3600)
            for type_, fields in (("choose", {"id": page.options[0]}), ("hint", {})):
                assert "computer players think for 60 min an hour" in page.ask(type_, **fields)["words"]
            assert page.state["n"] == 0
            assert other.ask("choose", id="B1")["type"] == "state", "people among themselves play on"


class Musing:
    """Takes the first option, and says that it took a second; or stops in mid-thought after three minutes."""

    asked = 0
    stops = False

    async def ask(self, question: Question, *, urgency: int, note: Callable[[Future[Thought]], None]) -> Thought:
        asked: Future[Thought] = Future()
        if self.stops:
            asked.set_exception(GivenUp("the computer player stopped in mid-thought", 180))
        else:
            match = Match.unpacked(load_game(question.game), question.match)
            decision = match.asked()
            asked.set_result(Thought(match.game.id_of(decision, decision.options[0]), "the first", 1.0))
        note(asked)
        return asked.result()


@pytest.fixture
def musing(monkeypatch: pytest.MonkeyPatch) -> Musing:
    found = Musing()
    monkeypatch.setattr(Thinkers, "_thinker", lambda self, seat: found)
    return found


def thinking_of(client: Client) -> float:
    uses: Uses = client.app.state.uses
    return uses._thought["address"].used("testclient")


@pytest.mark.usefixtures("musing")
@pytest.mark.parametrize("computers", [{"Blue": "recruit", "Red": "recruit"}, {"Blue": "recruit"}])
def test_computers_that_play_before_anybody_has_chosen_think_for_whoever_looks(
    quick: Settings, computers: dict[str, str]
) -> None:
    """Blue moves first, and has more than two choices to make."""
    with server(quick, Quotas(address=Quota(thinking=2))) as client:
        table = Table.make(client, {"game": "ford", "seats": computers, "seed": "a test"})
        with table.page() as page:
            while "computer players think for" not in (page.state["note"] or ""):
                page._next()
            assert (page.state["n"], page.state["thinking"]) == (2, None)
            assert thinking_of(client) == 2
            client.app.state.uses._thought["address"].forget("testclient")  # as if an hour had passed
            client.blocking_portal.call(client.app.state.hub.beat)
            page.until(4)


def test_a_thought_of_which_nothing_comes_was_thought_all_the_same(quick: Settings, musing: Musing) -> None:
    with server(quick, Quotas()) as client:
        table = Table.make(client, {"game": "ford", "seats": {"Red": "recruit"}, "seed": "a test"})
        musing.stops = True
        with table.page() as page:
            assert "stopped in mid-thought" in page.ask("hint")["words"]
            assert thinking_of(client) == 180
        another = Table.make(client, {"game": "ford", "seats": {"Blue": "recruit"}, "seed": "a test"})
        with another.page() as page:
            while not page.state["note"]:
                page._next()
            assert thinking_of(client) == 360


@pytest.mark.parametrize("text", ["[quotas]\nmatches = 3", "[quotas.account]\npages = -1", "[expiry]\nyears = 1"])
def test_a_misspelt_quota_is_refused(text: str, tmp_path: Any) -> None:
    from bulge.cli.serve_settings import read_settings

    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BulgeError, match=r"settings\.toml"):
        read_settings(file)
    file.write_text("[quotas]\ntables = 3\n[quotas.account]\npages = 5\n[expiry]\nmatches = 30")
    told = read_settings(file)
    assert (told.quotas.tables, told.quotas.account.pages, told.expiry.matches) == (3, 5, 30)
    assert told.quotas.address.pages == Quotas().address.pages

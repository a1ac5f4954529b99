"""A long log comes in pages: the newest with a state, what is earlier when it is asked for."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.errors import BulgeError
from bulge.games import load_game
from bulge.server.hub import Hub
from bulge.server.log_pages import log_page
from tests.server.guest import Client
from tests.server.table import Json, Page, Table

NEW = "?events=new"


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few lines each, so that a short game has several."""
    monkeypatch.setattr("bulge.server.views.NEWEST", 1000)
    monkeypatch.setattr("bulge.server.log_pages.EARLIER", 1500)


def whole_log(page: Page) -> list[Json]:
    """What a page finds that asks until it has all."""
    first, events = page.state["events_from"] + page.state["skipped"], page.state["events"]
    while first:
        answer = page.ask("log", before=first)["answer"]
        assert len(answer["events"]) == first - answer["first"] > 0
        first, events = answer["first"], answer["events"] + events
    return list(events)


def test_pages_fit_together_whatever_is_done_and_undone(table: Table) -> None:
    rng, skipped = random.Random(7), 0
    with table.page(more=NEW) as page:
        while page.options and page.state["n"] < 60:
            undoes = page.state["undo"] and rng.random() < 0.3
            page.ask("undo") if undoes else page.ask("choose", id=rng.choice(page.options))
            with table.page(more=NEW) as late:
                skipped = late.state["skipped"]
                assert whole_log(late) == table.state()["events"]
    assert skipped > 10


@pytest.mark.parametrize("scenario", ["bridge", "cards"])
def test_each_side_at_a_hot_seat_gets_its_own_log_and_nothing_of_the_other(client: Client, scenario: str) -> None:
    table = Table.make(client, {"game": "ford", "scenario": scenario, "seed": "a test"})
    hub: Hub = client.app.state.hub
    rng, hidden = random.Random(3), 0
    with table.page(more=NEW) as page:
        while page.options and page.state["n"] < 80:
            live = hub._lives[table.id]
            assert live.play is not None
            side = page.state["side"]
            log = live.play.match.log
            mine = [event.words for event in log if event.side in (None, side)]
            assert [line["words"] for line in whole_log(page)] == mine
            hidden = max(hidden, len(log) - len(mine))
            page.ask("choose", id=rng.choice(page.options))
    assert hidden > 2


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (0, "ask for those before a number from 1 to"),
        (10_000, "not 10000"),
        (-1, "not a request"),
        ("x", "not a request"),
        (None, "not a request"),
        (1.5, "not a request"),
    ],
)
def test_broken_numbers_are_refused_in_words(table: Table, before: Any, said: str) -> None:
    with table.page(more=NEW) as page:
        page.ask("choose", id=page.options[0])
        answer = page.ask("log", before=before)
    assert answer["type"] == "error"
    assert said in answer["words"]


def test_of_an_empty_log_nothing_can_be_had() -> None:
    with pytest.raises(BulgeError, match="the log has 0 lines: none can be had"):
        log_page(load_game("ford"), [], 1, reasons=True)


def test_pages_are_had_while_others_go_on_and_of_another_log_than_the_page_knows_only_afresh(table: Table) -> None:
    with table.page(more=NEW) as page:
        page.ask("choose", id=page.options[0])
        assert page.ask("log", before=1, rev=0)["type"] == "answer"
        (subscriber,) = table.client.app.state.hub._lives[table.id].subscribers
        subscriber.seen = []
        assert page.ask("log", before=1, rev=0)["type"] == "error"
        assert page.ask("log", before=1, n=0)["type"] == "error"
        assert page.ask("log", before=1)["type"] == "answer"


def test_a_past_state_has_its_newest_lines(table: Table) -> None:
    rng = random.Random(7)
    with table.page(more=NEW) as page:
        for _ in range(40):
            page.ask("choose", id=rng.choice(page.options))
    key = {"X-Token": table.host}
    address = f"/api/matches/{table.id}/replay/30"
    whole = table.client.get(address, headers=key).json()
    brief = table.client.get(address + NEW, headers=key).json()
    assert whole["skipped"] == 0
    assert brief["skipped"] > 0
    assert brief["events"] == whole["events"][brief["skipped"] :]
    refused = table.client.get(f"{address}?events=old", headers=key)
    assert (refused.status_code, "events" in refused.json()["words"]) == (400, True)

"""Whoever makes a match among people has no more power in it than others: no dice, no moves, no secrets."""

from __future__ import annotations

import json
import random

import pytest

from bulge.core import journal as journals
from bulge.core.errors import BadJournal
from tests.server.guest import Client
from tests.server.table import Table, play_apart, play_on


@pytest.fixture
def friends(client: Client) -> Table:
    """A match of The Ford; Blue was made by the host, Red was opened by a friend."""
    table = Table.make(client, {"game": "ford"})
    table.state(table.tokens["Blue"])
    table.state(table.tokens["Red"])
    return table


def test_in_a_game_with_secrets_nobody_gets_the_journal_before_the_end(friends: Table) -> None:
    for token in (friends.host, *friends.tokens.values()):
        answer = friends.client.get(f"/api/matches/{friends.id}/journal", headers={"X-Token": token})
        assert answer.status_code == 400
        assert "seed" not in answer.text


def test_nobody_gets_the_seed_before_the_end(client: Client) -> None:
    friends = Table.make(client, {"game": "the_bulge"})
    for token in friends.tokens.values():
        friends.state(token)
    for token in (friends.host, *friends.tokens.values()):
        answer = friends.client.get(f"/api/matches/{friends.id}/journal", headers={"X-Token": token})
        assert answer.status_code == 200
        assert answer.json()["seed"] == ""
        assert answer.json()["commitment"] == friends.state()["commitment"]
        with pytest.raises(BadJournal, match="it has no seed"):
            journals.decode(answer.content)
        assert friends.client.post("/api/matches/import", content=answer.content).status_code == 400


def test_after_the_end_everybody_gets_it_and_can_verify(friends: Table) -> None:
    play_apart(friends, random.Random(5))
    for token in (friends.host, *friends.tokens.values()):
        text = friends.client.get(f"/api/matches/{friends.id}/journal", headers={"X-Token": token}).content
        assert journals.decode(text).seed
        assert friends.client.post("/api/matches/import", content=text).status_code == 201


def test_the_host_neither_moves_for_a_friend_nor_reads_his_chit(friends: Table) -> None:
    state = friends.state()
    assert state["side"] is None
    assert not state["decision"]["mine"]
    assert state["held"] == ["Blue", "Red"]
    assert not [mark for mark in state["scene"]["marks"] if "counts" in mark["words"]]
    with friends.page() as page:
        for type_, fields in (("choose", {"id": "B1"}), ("undo", {}), ("hint", {}), ("why", {"about": "B1"})):
            assert page.ask(type_, **fields)["type"] == "error"


def test_the_host_loses_a_side_at_the_moment_when_a_friend_sits_down(client: Client) -> None:
    table = Table.make(client, {"game": "ford"})
    with table.page() as host:
        assert host.state["decision"]["mine"]
        with table.page(table.tokens["Blue"]):
            pass
        assert host.ask("choose", id="B1")["type"] == "error"
        assert table.state()["side"] == "Red"


def test_whoever_joins_is_told_that_the_host_may_know_the_dice(client: Client) -> None:
    chosen = Table.make(client, {"game": "ford", "seed": "mine"})
    assert chosen.state(chosen.tokens["Red"])["known_dice"]
    taken = Table.make(client, {"game": "ford"})
    assert not taken.state()["known_dice"]
    assert taken.journal()["seed"]
    assert taken.state(taken.tokens["Red"])["known_dice"]
    brought = Table(client, **client.post("/api/matches/import", json=fresh_journal(client)).json())
    assert brought.state(brought.tokens["Red"])["known_dice"]


def fresh_journal(client: Client) -> object:
    table = Table.make(client, {"game": "ford"})
    with table.page() as page:
        play_on(page, random.Random(1), 5)
    return json.loads(json.dumps(table.journal()))


def test_alone_against_the_computer_all_is_as_it_was(client: Client) -> None:
    table = Table.make(client, {"game": "ford", "seats": {"Red": "random"}})
    assert table.state(table.tokens["Blue"])["side"] == "Blue"
    assert table.state()["decision"]["mine"]
    assert table.journal()["seed"]

"""What goes over the wire stays small, even where a whole map is offered."""

from __future__ import annotations

import random
import zlib
from collections import Counter

import msgspec
import pytest

from bulge.games import load_game
from bulge.server.views import MANY
from tests.games.test_looks import look_of
from tests.server.guest import Client
from tests.server.table import Table

MOST = 12_000
"""Bytes of a state."""
NEW = "?events=new"
A_LONG_LOG = 500
"""Choices, after which not all of it comes with a state."""
A_FEW_TURNS = 1000
"""Choices, after which the whole log would be too much."""
LAYING = "24.3.1"
"""A Traffic marker may lie in any hex: no other question offers so much."""


def test_a_question_about_every_hex_is_small_on_the_wire(client: Client) -> None:
    table = Table.make(client, {"game": "ardennes_44", "scenario": "S4"})
    state = table.state(table.tokens["Allied"])
    decision = state["decision"]
    assert len(decision["bare"]) > 2700
    assert [option["id"] for option in decision["options"]] == ["done"]
    assert _packed(msgspec.json.encode(state)) < MOST


@pytest.mark.parametrize("scenario", ["S1", "S4"])
def test_every_kind_of_question_is_small_on_the_wire(client: Client, scenario: str) -> None:
    """As a page gets them on which both sides are played, with what is new in the log."""
    rng, heaviest, opened = random.Random(scenario), Counter[str](), Counter[str]()
    table = Table.make(client, {"game": "ardennes_44", "scenario": scenario, "seed": "0" * 32})
    with table.page(more=NEW) as page:
        while page.state["n"] < A_FEW_TURNS:
            rule = page.state["decision"]["rule"]
            if page.state["n"] > A_LONG_LOG and rule not in opened:
                opened[rule] = _opening(table)
            heaviest[rule] = max(heaviest[rule], _packed(page.received[-1].encode()))
            page.ask("choose", id=rng.choice(page.options))
    assert {LAYING} < opened.keys() < heaviest.keys()
    assert len(heaviest) > 15
    assert {rule: size for rule, size in (heaviest | opened).items() if size >= MOST} == {}


def test_what_is_not_sent_of_a_long_log_comes_page_by_page(client: Client) -> None:
    rng = random.Random("S1")
    table = Table.make(client, {"game": "ardennes_44", "scenario": "S1", "seed": "0" * 32})
    with table.page(more=NEW) as page:
        while page.state["n"] < A_FEW_TURNS:
            page.ask("choose", id=rng.choice(page.options))
    with table.page(more=NEW) as late:
        first, events, pages = late.state["skipped"], late.state["events"], 0
        while first:
            answer = late.ask("log", before=first)["answer"]
            assert _packed(late.received[-1].encode()) < MOST
            first, events, pages = answer["first"], answer["events"] + events, pages + 1
    assert pages > 1
    assert events == table.state()["events"]


def _opening(table: Table) -> int:
    """Bytes of the larger of the two states that a page gets which is opened now."""
    answer = table.client.get(f"/api/matches/{table.id}{NEW}", headers={"X-Token": table.host})
    with table.page(more=NEW) as late:
        assert late.state["skipped"] == answer.json()["skipped"] > 0
        return max(_packed(late.received[-1].encode()), _packed(answer.content))


@pytest.mark.parametrize("id_", ["the_bulge", "ardennes_offensive", "ardennes_44", "enemy_action"])
def test_the_words_of_a_bare_space_follow_from_the_look(id_: str) -> None:
    game = load_game(id_)
    spaces = look_of(game).spaces
    assert len(spaces) >= MANY
    for space in spaces:
        named = f"{space.id} {space.name}" if space.name and space.name != space.id else space.id
        assert game.space_words(game.board.at(space.id)) == named


def _packed(message: bytes) -> int:
    """How many bytes it has, packed as hard as the server packs its answers."""
    return len(zlib.compress(message, 5))

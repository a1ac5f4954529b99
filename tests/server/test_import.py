"""Journals in and out."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from bulge.core import journal as journals
from bulge.core.data import Overrides
from bulge.core.journal import Journal
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.quotas import Quota, Quotas
from bulge.server.settings import Settings
from tests.server.guest import Client
from tests.server.serving import serving
from tests.server.table import Table, play_on


def played(client: Client, game: str, choices: int) -> Table:
    table = Table.make(client, {"game": game})
    with table.page() as page:
        play_on(page, random.Random(1), choices)
    return table


@pytest.mark.parametrize(("game", "choices"), [("ford", 1000), ("ford", 20), ("the_bulge", 60)])
def test_a_journal_comes_back_as_it_went(any_client: Client, game: str, choices: int) -> None:
    table = played(any_client, game, choices)
    answer = any_client.get(f"/api/matches/{table.id}/journal", headers={"X-Token": table.host})
    assert "attachment" in answer.headers["content-disposition"]
    assert not journals.verify(load_game(game), journals.decode(answer.content)).faults
    again = Table(any_client, **any_client.post("/api/matches/import", content=answer.content).json())
    assert again.id != table.id
    assert again.journal() == table.journal()
    before, after = table.state(), again.state()
    for key in ("n", "scene", "decision", "events", "commitment", "result"):
        assert after[key] == before[key], key


def test_an_imported_match_may_be_played_against_the_computer(client: Client) -> None:
    journal = played(client, "ford", 8).journal()
    made = client.post("/api/matches/import", json={"journal": journal, "seats": {"Red": "random"}})
    table = Table(client, **made.json())
    assert set(table.tokens) == {"Blue"}
    assert table.state()["seats"] == {"Blue": "human", "Red": "random"}


def test_an_imported_match_looks_as_its_overrides_say(client: Client) -> None:
    overrides = "[ford.units.B1]\nstrength = 9"
    match: Match[Any] = Match(load_game("ford", Overrides(overrides)))
    text = journals.encode(journals.journal_of(match, overrides))
    table = Table(client, **client.post("/api/matches/import", content=text).json())
    of_match, of_game = (
        client.get(path, headers={"X-Token": table.host}).json()["faces"][0]["values"]
        for path in (f"/api/matches/{table.id}/look", "/api/games/ford/look")
    )
    assert of_match[-1] == "9"
    assert of_game[-1] == "3"


def broken(journal: dict[str, Any]) -> list[bytes]:
    """Files that must be refused: damaged, altered, or forged with a proper check."""
    text = json.dumps(journal).encode()
    changed = {**journal, "choices": [*journal["choices"][:-1], "0101"]}
    return [
        b"",
        b"{}",
        b"null",
        b"\xff\xfe",
        text[:-20],
        text[: len(text) // 2],
        b"[" * 100_000,
        json.dumps({**journal, "seed": "0" * 32}).encode(),
        json.dumps({**journal, "version": 2}).encode(),
        json.dumps({**journal, "more": 1}).encode(),
        json.dumps(changed).encode(),
        forged(changed),
        forged({**journal, "choices": journal["choices"][:-1]}),
        forged({**journal, "choices": journal["choices"] * 500}),
        forged({**journal, "game": "chess"}),
        forged({**journal, "game": "../../ford"}),
        forged({**journal, "scenario": "nope"}),
        forged({**journal, "overrides": "not toml ["}),
        forged({**journal, "overrides": "[ford.units.B1]\nhex = '9999'"}),
        forged({**journal, "overrides": "[ford.units.B1]\nside = 'Green'"}),
        forged({**journal, "seed": "zz"}),
        forged({**journal, "seed": " " * 1_000_000 + journal["seed"]}),  # no quota counts the length of a seed
        json.dumps({"journal": journal, "seats": {"Red": "genius"}}).encode(),
        json.dumps({"journal": journal, "seats": [1]}).encode(),
        json.dumps({"journal": 5}).encode(),
    ]


def forged(fields: dict[str, Any]) -> bytes:
    """A journal whose check fits: only the rules can tell that it is wrong."""
    journal = Journal(**fields)
    journal.check = journals._check_of(journal)
    return journals.encode(journal).encode()


def test_a_broken_file_is_refused_and_changes_nothing(client: Client) -> None:
    table = played(client, "ford", 12)
    journal = table.journal()  # whoever takes it knows the dice from now on, and the state says so
    before, listed = table.state(), client.get("/api/matches", headers={"X-Tokens": table.host}).json()
    for content in broken(journal):
        answer = client.post("/api/matches/import", content=content)
        assert answer.status_code in (400, 404), content[:200]
        assert answer.json()["words"], content[:200]
        assert "Traceback" not in answer.text
    assert table.state() == before
    assert client.get("/api/matches", headers={"X-Tokens": table.host}).json() == listed


def test_a_refused_file_counts_as_one_and_nothing_of_it_is_read_where_others_wait(
    quick: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four megabytes of nonsense take long to refuse: for one who sends them without end, all others waited."""

    def read_here(*_: object) -> None:
        raise AssertionError("others wait meanwhile")

    monkeypatch.setattr(journals, "decode", read_here)
    limited = replace(quick, quotas=Quotas(address=Quota(imports=2)))
    with serving(limited) as client:
        answers = [client.post("/api/matches/import", content=b'{"format": "bulge journal"}') for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert "has version None" in answers[0].json()["words"]
    assert "2 files an hour" in answers[2].json()["words"]


def test_a_match_is_taken_up_from_the_middle(client: Client) -> None:
    table = played(client, "ford", 8)
    answer = client.post(f"/api/matches/{table.id}/branch/4", headers={"X-Token": table.host})
    assert answer.status_code == 201, answer.text
    fresh = answer.json()
    journal = client.get(f"/api/matches/{fresh['id']}/journal", headers={"X-Token": fresh["host"]}).json()
    assert journal["choices"] == table.journal()["choices"][:4]
    assert journal["seed"] == table.journal()["seed"]
    state = client.get(f"/api/matches/{table.id}", headers={"X-Token": table.host}).json()
    assert state["known_dice"], "whoever tries what may come knows the dice to come"


def test_nobody_tries_out_a_match_that_others_still_play(client: Client) -> None:
    table = played(client, "ford", 8)
    answer = client.post(f"/api/matches/{table.id}/branch/4", headers={"X-Token": table.tokens["Red"]})
    assert answer.status_code == 400
    assert "once it is over" in answer.json()["words"]
    far = client.post(f"/api/matches/{table.id}/branch/900", headers={"X-Token": table.host})
    assert far.status_code == 400

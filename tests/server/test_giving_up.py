"""A match that a player gives up: it is over, stays so, and can be looked back on."""

from __future__ import annotations

import random

import pytest

from bulge.core.chance import commitment
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.play import Action, Play, replay
from bulge.server.settings import Settings
from tests.helpers import SEED
from tests.server.guest import Client, Guest, begun
from tests.server.serving import serving
from tests.server.table import Table, play_on


def test_whoever_is_to_play_gives_up_and_the_other_side_has_won(any_client: Client) -> None:
    table = Table.make(any_client, {"game": "ford"})
    with table.page() as page:
        play_on(page, random.Random(1), 4)
        side, choices = page.state["decision"]["side"], page.state["n"]
        assert page.ask("give_up")["type"] == "state"
        state = page.state
    assert (state["decision"], state["undo"], state["redo"], state["n"]) == (None, False, False, choices)
    assert state["result"]["winner"] == {"Blue": "Red", "Red": "Blue"}[side]
    assert state["result"]["words"] == f"{side} gave the game up."
    assert commitment(state["seed"]) == state["commitment"]
    assert [match["over"] for match in _listed(table)] == [True]


def _listed(table: Table) -> list[dict[str, object]]:
    found: list[dict[str, object]] = table.client.get("/api/matches", headers={"X-Tokens": table.host}).json()
    return found


def test_it_stays_over_when_it_is_read_again(settings: Settings) -> None:
    with serving(settings) as client:
        table = Table.make(client, {"game": "ford"})
        with table.page() as page:
            page.ask("give_up")
            before = page.state
    with serving(settings) as client:
        again = Table(client, table.id, table.host, table.tokens).state()
        assert (again["result"], again["decision"]) == (before["result"], None)
        with Table(client, table.id, table.host, table.tokens).page() as page:
            for type_, fields in (("choose", {"id": "B1"}), ("undo", {}), ("give_up", {})):
                assert "the game is over" in page.ask(type_, **fields)["words"]


def test_nobody_gives_up_for_another_or_twice_or_about_an_old_state(client: Client) -> None:
    table = Table.make(client, {"game": "ford"})
    with table.page(table.tokens["Red"]) as red, table.page(table.tokens["Blue"]) as blue:
        assert "Blue" in red.ask("give_up")["words"]
        assert "gone on" in blue.ask("give_up", n=1)["words"]
        assert red.state["result"] is blue.state["result"] is None


def test_at_a_table_of_people_one_resigns(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    mover = anne if anne.state(table)["decision"] else bob
    with mover.page(table) as page:
        assert "one resigns" in page.ask("give_up")["words"]
    assert anne.state(table)["result"] is None


@pytest.mark.parametrize(
    ("game", "scenario", "side", "winner"),
    [
        ("the_bulge", "campaign", "German", "Allied"),
        ("enemy_action", "initial_assault", "Allied", "German"),
        ("bastogne", "siege", "US", "German"),
        ("bastogne", "sectors", "US North", "German"),
    ],
)
def test_where_rules_play_a_side_they_have_won(game: str, scenario: str, side: str, winner: str) -> None:
    actions = [Action("give_up", side=side)]
    play, note = replay(lambda: Match(load_game(game), scenario, seed=SEED), actions)
    assert note is None
    assert play.result is not None
    assert (play.result.winner, play.to_play, play.standing.over) == (winner, None, True)


def test_another_server_that_follows_knows_it_too() -> None:
    here, there = (Play(Match(load_game("ford"), seed=SEED)) for _ in range(2))
    there.follow([*here.choose("B1"), *here.give_up()])
    assert there.given_up == here.given_up
    assert there.to_play is None


def test_it_can_be_looked_back_on(client: Client) -> None:
    table = Table.make(client, {"game": "ford"})
    address, seat = f"/api/matches/{table.id}/review", {"X-Token": table.host}
    with table.page() as page:
        play_on(page, random.Random(1), 4)
        assert client.get(address, headers=seat).status_code == 400
        page.ask("give_up")
    answer = client.get(address, headers=seat)
    assert (answer.status_code, answer.json()["state"]) == (200, "making")

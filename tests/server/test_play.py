"""Whole matches through the server's front door."""

from __future__ import annotations

import random
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from bulge.core import journal as journals
from bulge.core.chance import commitment, seed_meant
from bulge.games import load_game
from bulge.server.settings import Settings
from tests.server.serving import serving
from tests.server.table import Page, Table, play_on

Client = TestClient[Litestar]


def test_a_whole_match_of_the_ford_is_played_by_two_pages(any_client: Client) -> None:
    table = Table.make(any_client, {"game": "ford"})
    rng = random.Random(1)
    with table.page(table.tokens["Blue"]) as blue, table.page(table.tokens["Red"]) as red:
        pages = {"Blue": blue, "Red": red}
        while blue.state["decision"]:
            mine = pages[blue.state["decision"]["side"]]
            other = blue if mine is red else red
            mine.until(blue.state["n"])
            assert mine.state["decision"]["mine"]
            assert mine.ask("choose", id=rng.choice(mine.options))["type"] == "state"
            other.until(mine.state["n"])
            blue.until(red.state["n"])
        red.until(blue.state["n"])
    state = red.state
    assert state["result"]["winner"] in ("Blue", "Red")
    assert commitment(state["seed"]) == state["commitment"]
    journal = journals.decode(journals.encode(journals.decode(any_client.get(
        f"/api/matches/{table.id}/journal", headers={"X-Token": table.tokens["Red"]}
    ).text)))  # fmt: skip
    assert not journals.verify(load_game("ford"), journal).faults


def test_a_side_gets_the_journal_only_when_the_game_is_over(table: Table) -> None:
    answer = table.client.get(f"/api/matches/{table.id}/journal", headers={"X-Token": table.tokens["Red"]})
    assert answer.status_code == 400
    assert "once the game is over" in answer.json()["words"]


@pytest.mark.parametrize("typed", ["ABCDEF00" * 4, "abcdef00" * 4, "any words"])
def test_what_is_typed_as_a_seed_gives_the_dice_that_it_gives_in_the_terminal(client: Client, typed: str) -> None:
    table = Table.make(client, {"game": "ford", "seed": typed})
    assert table.state()["commitment"] == commitment(seed_meant(typed))


def test_the_host_plays_both_sides_at_a_hot_seat(table: Table) -> None:
    with table.page() as page:
        play_on(page, random.Random(2))
        assert page.state["result"]
        assert page.state["decision"] is None


def test_a_reconnected_page_sees_all_that_was_done(any_client: Client) -> None:
    table = Table.make(any_client, {"game": "ford"})
    with table.page() as page:
        play_on(page, random.Random(3), 12)
        before = page.state
    with table.page() as page:
        again = page.state
    assert _shown(again) == _shown(before)


def test_a_match_goes_on_after_a_restart(settings: Settings) -> None:
    with serving(settings) as client:
        table = Table.make(client, {"game": "ford"})
        with table.page() as page:
            play_on(page, random.Random(4), 15)
            while page.state["undo"]:
                page.ask("undo")
            before = page.state
    with serving(settings) as client:
        again = Table(client, table.id, table.host, table.tokens)
        with again.page() as page:
            assert _shown(page.state) == _shown(before)
            play_on(page, random.Random(5))
            assert page.state["result"]


def test_what_was_undone_can_be_made_again_after_a_restart(quick: Settings) -> None:
    with serving(quick) as client:
        table = Table.make(client, {"game": "the_bulge"})
        with table.page() as page:
            page.ask("choose", id="done")
            page.ask("choose", id=page.options[0])
            ids = table.journal()["choices"]
            page.ask("undo")
            assert page.state["redo"]
    with serving(quick) as client:
        again = Table(client, table.id, table.host, table.tokens)
        with again.page() as page:
            assert page.state["n"] == len(ids) - 1
            page.ask("redo")
            assert again.journal()["choices"] == ids


def test_the_computer_plays_its_side_and_says_that_it_thinks(client: Client) -> None:
    table = Table.make(client, {"game": "ford", "seats": {"Red": "random"}})
    assert set(table.tokens) == {"Blue"}
    thought = set()
    with table.page(table.tokens["Blue"]) as page:
        rng = random.Random(6)
        while page.state["result"] is None:
            if page.options:
                page.ask("choose", id=rng.choice(page.options))
            else:
                thought.add(page.state["thinking"])
                page._next()
        thought.add(page.state["thinking"])
    assert thought >= {"Red"}


def test_two_computers_play_to_the_end_by_themselves(client: Client) -> None:
    table = Table.make(client, {"game": "ford", "seats": {"Red": "random", "Blue": "random"}})
    with table.page() as page:
        while page.state["result"] is None:
            page._next()


def test_events_come_once_to_a_page_that_asks_for_new_ones_only(table: Table) -> None:
    rng = random.Random(7)
    with table.page(more="?events=new") as page:
        events: list[Any] = []
        for _ in range(60):
            events = events[: page.state["events_from"]] + page.state["events"]
            if not page.options:
                break
            if page.state["undo"] and rng.random() < 0.3:
                page.ask("undo")
            else:
                page.ask("choose", id=rng.choice(page.options))
        assert events == table.state()["events"]


def test_undo_stops_at_a_die_and_at_the_other_side(table: Table) -> None:
    with table.page() as page:
        assert page.ask("undo")["type"] == "error"
        page.ask("choose", id="B1")
        assert page.state["undo"]
        page.ask("undo")
        assert page.state["n"] == 0
        assert page.state["redo"]
        page.ask("redo")
        assert page.state["n"] == 1
        rng = random.Random(8)
        while page.state["decision"]["side"] == "Blue":
            page.ask("choose", id=rng.choice(page.options))
        assert not page.state["undo"]
        assert "nothing to undo" in page.ask("undo")["words"]


def test_events_say_when_and_by_whom(table: Table) -> None:
    with table.page() as page:
        play_on(page, random.Random(9))
    events = page.state["events"]
    assert events[0]["at"] == 0
    assert events[0]["by"] is None
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert {event["by"] for event in events[1:]} >= {"Blue", "Red"}


def test_replay_shows_the_match_as_it_was(table: Table) -> None:
    scenes = {}
    with table.page() as page:
        rng = random.Random(10)
        scenes[0] = page.state["scene"]
        while page.options:
            page.ask("choose", id=rng.choice(page.options))
            scenes[page.state["n"]] = page.state["scene"]
        last = page.state["n"]
    for n in (last, 0, last // 2, last - 1):
        past = table.client.get(f"/api/matches/{table.id}/replay/{n}", headers={"X-Token": table.host}).json()
        assert past["n"] == n
        assert past["decision"] is None
        assert past["scene"]["pieces"] == scenes[n]["pieces"]
        assert all(event["at"] <= n for event in past["events"])
    beyond = table.client.get(f"/api/matches/{table.id}/replay/{last + 1}", headers={"X-Token": table.host})
    assert beyond.status_code == 400


def test_what_was_taken_meanwhile_is_told(client: Client) -> None:
    """Only of overlays that were asked for, and only what changed."""
    table = Table.make(client, {"game": "the_bulge", "seed": "taken"})
    with table.page() as page:
        before = page.ask("overlays", ids=["control_german"])["answer"]["control_german"]
        play_on(page, random.Random(12), 150)
        now = page.ask("overlays", ids=["control_german"])["answer"]["control_german"]
    address, host = f"/api/matches/{table.id}/told/0", {"X-Token": table.host}
    assert client.get(address, headers=host).json()["changes"] == {}
    told = client.get(f"{address}?overlays=control_german,no_such", headers=host).json()["changes"]
    assert set(told) == {"control_german"}
    assert set(told["control_german"]["new"]) == set(now) - set(before) != set()
    assert set(told["control_german"]["gone"]) == set(before) - set(now)


def test_tokens_list_their_matches(client: Client) -> None:
    tables = [Table.make(client, {"game": game}) for game in ("ford", "the_bulge")]
    tokens = ",".join((tables[0].tokens["Red"], tables[1].host, "nonsense"))
    listed = client.get("/api/matches", headers={"X-Tokens": tokens}).json()
    assert {one["id"] for one in listed} == {table.id for table in tables}
    assert client.get("/api/matches").json() == []


@pytest.mark.parametrize("game", ["ford", "the_bulge"])
def test_questions_are_answered(client: Client, game: str) -> None:
    table = Table.make(client, {"game": game})
    asked: set[str] = set()
    with table.page() as page:
        rng = random.Random(11)
        for number in range(60):
            if not page.options:
                break
            for name, value in _ask_everything(page, rng, hint=number % 5 == 0).items():
                if value:
                    asked.add(name)
            page.ask("choose", id=rng.choice(page.options))
    assert asked >= {"why", "preview", "reach", "trace", "threat", "dangers", "overlays", "hint"}


def _ask_everything(page: Page, rng: random.Random, *, hint: bool) -> dict[str, Any]:
    """All but a hint, which takes longer than the rest together, is asked every time."""
    unit = rng.choice(page.state["scene"]["pieces"])["unit"]
    answers = {
        "why": page.ask("why", about=unit),
        "preview": page.ask("preview", id=rng.choice(page.options)),
        "reach": page.ask("reach"),
        "trace": page.ask("trace", unit=unit),
        "threat": page.ask("threat", unit=unit),
        "dangers": page.ask("dangers", places=["0303", "0807"]),
        "overlays": page.ask("overlays", ids=["zones_blue", "zones_german", "control_us", "no_such"]),
    }
    if hint:
        answers["hint"] = page.ask("hint")
        assert answers["hint"]["answer"]["id"] in page.options
    assert all(answer["type"] == "answer" for answer in answers.values()), answers
    return {name: answer["answer"] for name, answer in answers.items()}


def test_one_answer_makes_several_choices(client: Client) -> None:
    table = Table.make(client, {"game": "the_bulge", "seed": "together"})
    with table.page() as page:
        page.ask("choose", id="done")
        page.ask("choose", id="done")
        assert page.state["decision"]["together"] is None
        assert "made by itself" in page.ask("together")["words"]
        able: list[str] = []
        for target in page.options:
            page.ask("choose", id=target)
            able = [option["id"] for option in page.state["decision"]["options"] if option["units"]]
            if len(able) > 1:
                break
            page.ask("undo")
        before = page.state["n"]
        assert page.state["decision"]["together"] == {"words": "take all who may join", "rolls": False}
        page.ask("together")
        assert set(page.state["decision"]["about"]["units"]) <= set(able)
        assert page.state["n"] == before + len(page.state["decision"]["about"]["units"]) > before + 1
        assert not any(option["units"] for option in page.state["decision"]["options"])


def test_going_farther_makes_several_choices(client: Client) -> None:
    table = Table.make(client, {"game": "the_bulge", "seed": "far"})
    with table.page() as page:
        page.ask("choose", id="done")
        assert page.state["scene"]["step"] == "german_movement"
        for unit in page.options:
            page.ask("choose", id=unit)
            reach = page.ask("reach")["answer"]
            far = [space for space, path in reach["paths"].items() if len(path) > 2]
            if far:
                break
            page.ask("undo")
        before = page.state["n"]
        page.ask("go", id=far[0])
        assert page.state["n"] == before + len(reach["paths"][far[0]]) - 1
        where = {piece["unit"]: piece["space"] for piece in page.state["scene"]["pieces"]}
        assert where[unit] == far[0]


def test_what_happened_is_told_move_by_move(client: Client) -> None:
    table = Table.make(client, {"game": "ford"})
    rng = random.Random(5)
    with table.page() as page:
        start = {piece["unit"]: piece["space"] for piece in page.state["scene"]["pieces"]}
        while page.options and page.state["n"] < 25:
            page.ask("choose", id=rng.choice(page.options))
        end = {piece["unit"]: piece["space"] for piece in page.state["scene"]["pieces"]}
        events = len(page.state["events"])
    told = client.get(f"/api/matches/{table.id}/told/0", headers={"X-Token": table.host}).json()
    where = {piece["unit"]: piece["space"] for piece in told["pieces"]}
    assert where == start
    for frame in told["frames"]:
        where |= {piece["unit"]: piece["space"] for piece in frame["moved"]}
        for unit in frame["gone"]:
            del where[unit]
    assert where == end
    assert 0 < sum(len(frame["events"]) for frame in told["frames"]) <= events
    refused = client.get(f"/api/matches/{table.id}/told/99", headers={"X-Token": table.host})
    assert refused.status_code == 400


def _shown(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in ("type", "re", "thinking")}

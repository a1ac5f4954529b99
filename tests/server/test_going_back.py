"""Going back at a table of people: what is finished stands, unless the other side consents."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bulge.core import journal as journals
from bulge.games import load_game
from bulge.server.hub import Hub
from bulge.server.live import Live
from bulge.server.settings import Settings
from bulge.server.terms import Ending
from tests.server.guest import Guest, begun, play
from tests.server.serving import serving

Json = dict[str, Any]


def moved(guest: Guest, table: str, *ids: str) -> Json:
    """Choose one after the other; the state after that."""
    with guest.page(table) as page:
        for id_ in ids:
            answer = page.ask("choose", id=id_)
            assert answer["type"] == "state", answer
        return page.state


def asked(guest: Guest, table: str, **more: int) -> Any:
    return guest.ask("POST", f"/tables/{table}/offer", {"kind": "undo", **more})


def ways(guest: Guest, table: str) -> list[Json]:
    found: list[Json] = guest.done("GET", f"/tables/{table}/back")
    return found


@pytest.mark.parametrize("undo", ["ask", "never"])
def test_what_is_only_half_done_may_be_taken_back_without_asking(anne: Guest, bob: Guest, undo: str) -> None:
    table = begun(anne, bob, terms={"undo": undo})
    with anne.page(table) as page:
        assert not page.state["undo"]
        page.ask("choose", id="B1")
        assert page.state["undo"]
        assert page.ask("undo")["type"] == "state"
        assert (page.state["n"], page.state["undo"]) == (0, False)
        assert page.ask("redo")["type"] == "state"
        page.ask("choose", id="0102")
        assert page.state["decision"]["top"]
        assert "consent" in page.ask("undo")["words"] or undo == "never"
        assert page.state["n"] == 2


@pytest.mark.rule("the_bulge", "9.2")
def test_the_other_side_may_allow_a_whole_move_to_be_changed(anne: Guest, bob: Guest) -> None:
    table = begun(bob, anne, "the_bulge")  # Anne is German
    n = moved(anne, table, "pass" if "pass" in options(anne, table) else "done")["n"]
    state = walk(anne, table)
    assert state["n"] > n + 1
    assert ways(anne, table)[0]["to"] == n
    assert asked(anne, table, to=n).status_code == 201
    offer = bob.state(table)["table"]["offer"]
    assert (offer["kind"], offer["side"], offer["to"]) == ("undo", "German", n)
    assert "moves" in offer["undone"][0]
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    assert anne.state(table)["n"] == n


def options(guest: Guest, table: str) -> list[str]:
    decision = guest.state(table)["decision"]
    return [*decision["bare"], *(option["id"] for option in decision["options"])]


def walk(guest: Guest, table: str) -> Json:
    """Move a unit as far as a few steps lead."""
    with guest.page(table) as page:
        first = next(id_ for id_ in page.options if id_ not in page.state["decision"]["bare"])
        page.ask("choose", id=first)
        for _ in range(2):
            steps = [option["id"] for option in page.state["decision"]["options"] if option["spaces"]]
            if page.state["decision"]["top"] or not steps:
                break
            page.ask("choose", id=steps[0])
        if not page.state["decision"]["top"]:
            page.ask("choose", id="stop")
        return page.state


@pytest.mark.rule("the_bulge", "5.1")
def test_the_other_side_may_allow_an_attack_to_be_taken_back_and_its_die_stays_what_it_is(
    anne: Guest, bob: Guest
) -> None:
    table, attack = begun(bob, anne, "the_bulge"), ("0304", "277VG", "-2..-1")
    before = moved(anne, table, *attack)
    assert dice(before)
    assert asked(anne, table, to=0).status_code == 201
    assert any("die" in words or "attack" in words for words in bob.state(table)["table"]["offer"]["undone"])
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    assert (anne.state(table)["n"], dice(anne.state(table))) == (0, [])
    again = moved(anne, table, *attack)
    assert (again["scene"], dice(again)) == (before["scene"], dice(before))


def dice(state: Json) -> list[Any]:
    return [event["dice"] for event in state["events"] if event["dice"]]


@pytest.mark.rule("the_bulge", "5.1")
def test_the_other_side_may_give_a_turn_back_that_was_ended_too_early(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    until_passed(anne, table)
    assert bob.state(table)["decision"]["side"] == "Red"
    assert asked(anne, table, to=0).status_code == 201
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    state = anne.state(table)
    assert (state["n"], state["decision"]["side"], state["cut"]) == (0, "Blue", False)


def until_passed(guest: Guest, table: str) -> None:
    """Choose at random until it is the other side's turn."""
    rng = random.Random(5)
    with guest.page(table) as page:
        side = page.state["side"]
        while page.state["decision"]["side"] == side:
            assert page.ask("choose", id=rng.choice(sorted(page.options)))["type"] == "state"


def test_what_cannot_be_taken_back_is_not_asked_for(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    assert "nothing of yours" in asked(anne, table).json()["words"]
    assert ways(anne, table) == []
    until_passed(anne, table)
    assert "nothing of yours" in asked(bob, table).json()["words"]
    play(table, anne, bob, choices=1)  # Red's
    refused = asked(anne, table)
    assert refused.status_code == 400
    assert "since the other side's last choice" in refused.json()["words"]
    assert asked(bob, table, to=5000).status_code == 400
    assert asked(bob, table, to=0).status_code == 400, "Anne's choices are hers"
    assert bob.state(table)["table"]["offer"] is None


def test_what_has_ended_while_somebody_consented_stays_as_it_ended(
    anne: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(anne, bob)
    moved(anne, table, "B1", "0102")
    assert asked(anne, table).status_code == 201
    go_back = Hub.go_back

    async def too_late(hub: Hub, live: Live, side: str, to: int) -> None:
        assert live.table is not None
        live.table.ending = Ending("resigned", "Red", "Blue resigned.")
        await go_back(hub, live, side, to)

    monkeypatch.setattr(Hub, "go_back", too_late)
    n = bob.state(table)["n"]
    refused = bob.ask("POST", f"/tables/{table}/answer", {"yes": True})
    assert (refused.status_code, refused.json()["words"]) == (400, "the match is over: Blue resigned.")
    assert bob.state(table)["n"] == n


def test_a_draw_goes_nowhere(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    refused = anne.ask("POST", f"/tables/{table}/offer", {"kind": "draw", "to": 0})
    assert refused.status_code == 400


def test_what_was_taken_back_stays_so_when_the_server_begins_anew(quick: Settings, tmp_path: Path) -> None:
    with serving(quick) as client:
        anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
        table = begun(anne, bob)
        until_passed(anne, table)
        asked(anne, table, to=0)
        bob.done("POST", f"/tables/{table}/answer", {"yes": True})
        before = moved(anne, table, "B1")
    with serving(quick) as client:
        anne.client = bob.client = client
        after = anne.state(table)
        assert (after["n"], after["rev"], after["scene"], after["cut"]) == (
            1, before["rev"], before["scene"], False,
        )  # fmt: skip
        play(table, anne, bob, choices=30)
        bob.ask("POST", f"/tables/{table}/resign")
        text = client.get(f"/api/matches/{table}/journal").text
    journal = journals.decode(text)
    assert journals.verify(load_game("ford"), journal).faults == []

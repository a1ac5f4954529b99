"""Matches among people: found, agreed on, played with dice that nobody knows, ended; and attacks on all that."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bulge.core import journal as journals
from bulge.core.chance import commitment, new_seed, shared_seed
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.hub import Hub
from bulge.server.live import Live
from bulge.server.people_rows import TableRow
from bulge.server.settings import Settings
from tests.cli.conftest import Bulge, bulge, home
from tests.server.guest import Client, Guest, begun, play
from tests.server.serving import serving

__all__ = ["bulge", "home"]  # fixtures of the command line

Json = dict[str, Any]


def test_two_find_each_other_agree_play_and_verify_the_dice(
    anne: Guest, bob: Guest, bulge: Bulge, tmp_path: Path
) -> None:
    table = begun(anne, bob)
    state = anne.state(table)
    assert state["side"] == "Blue"
    assert state["decision"]["mine"]
    assert set(state["table"]["commitments"]) == {"server", "Blue", "Red"}
    assert anne.done("GET", "/tables/mine")[0]["my_turn"]
    assert not bob.done("GET", "/tables/mine")[0]["my_turn"]
    play(table, anne, bob)
    ended = bob.state(table)
    assert ended["table"]["ending"]["how"] == "rules"
    text = bob.ask("GET", f"/matches/{table}/journal").content
    journal = journals.decode(text)
    assert journal.seed == ended["seed"] == shared_seed(journal.parts)
    assert journal.parts["Blue"] == anne.secret
    assert journal.commitments == state["table"]["commitments"]
    assert not journals.verify(load_game("ford"), journal).faults
    (tmp_path / "game.json").write_bytes(text)
    outcome = bulge("verify", str(tmp_path / "game.json"))
    assert outcome.code == 0
    assert f"Part of Blue: {anne.secret}" in outcome.out
    records = {guest.name: guest.done("GET", f"/people/{guest.name}")["records"][0] for guest in (anne, bob)}
    won = [record for record in records.values() if record["won"]]
    assert len(won) == 1
    assert sum(record["won"] + record["lost"] for record in records.values()) == 2
    assert won[0]["rating"] > 1500


@pytest.mark.parametrize("change", ["parts", "commitments", "seed"])
def test_dice_that_were_not_agreed_on_are_found_out(change: str) -> None:
    parts = {"server": new_seed(), "Blue": new_seed(), "Red": new_seed()}
    match: Match[Any] = Match(load_game("ford"), seed=shared_seed(parts))
    given = {name: commitment(part) for name, part in parts.items()}
    assert not journals.verify(
        load_game("ford"), journals.journal_of(match, parts=parts, commitments=given)
    ).faults
    if change == "parts":
        parts["Red"] = new_seed()
    if change == "commitments":
        del given["Blue"]
    if change == "seed":
        match = Match(load_game("ford"), seed=new_seed())
    forged = journals.decode(journals.encode(journals.journal_of(match, parts=parts, commitments=given)))
    assert journals.verify(load_game("ford"), forged).faults


def test_nobody_reads_or_chooses_the_dice(anne: Guest, bob: Guest, client: Client) -> None:
    assert anne.ask("POST", "/tables", {"game": "ford", "seed": "mine"}).status_code == 400
    table = str(anne.done("POST", "/tables", {"game": "ford"})["id"])
    anne.sit(table, "Blue")
    assert anne.reveal(table).status_code == 400, "before the other has committed"
    bob.secret = anne.secret
    assert bob.sit(table, "Red").status_code == 400, "a copied commitment would cancel the other's part"
    bob.secret = new_seed()
    assert bob.sit(table, "Red").status_code == 201
    seen = [json.dumps(guest.state(table)) for guest in (anne, bob)]
    anne.reveal(table)
    seen += [json.dumps(guest.state(table)) for guest in (anne, bob)]
    assert not any(anne.secret in text or bob.secret in text for text in seen)
    assert bob.sit(table, "Red").status_code == 400, "nobody commits anew once a part is known"
    kept, bob.secret = bob.secret, new_seed()
    assert bob.reveal(table).status_code == 400, "not what he committed to"
    bob.secret = kept
    assert bob.reveal(table).status_code == 201
    for guest in (anne, bob):
        assert guest.ask("GET", f"/matches/{table}/journal").status_code == 400
        assert guest.state(table)["seed"] is None
    bulge_table = begun(anne, bob, "the_bulge")
    sealed = anne.done("GET", f"/matches/{bulge_table}/journal")
    assert sealed["seed"] == ""
    assert "parts" not in sealed


def test_whoever_makes_a_table_has_no_power_over_the_others(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    with bob.page(table) as page:
        for type_, fields in (("choose", {"id": "B1"}), ("undo", {}), ("hint", {}), ("why", {"about": "B1"})):
            assert page.ask(type_, **fields)["type"] == "error"
    with anne.page(table) as page:
        assert page.ask("hint")["type"] == "error", "played without hints, as agreed"
        assert page.ask("undo")["type"] == "error"
    assert bob.sit(table, "Blue").status_code == 400
    assert bob.ask("POST", f"/tables/{table}/leave").status_code == 400


def test_strangers_sit_nowhere_and_see_what_onlookers_may(anne: Guest, bob: Guest, client: Client) -> None:
    table = begun(anne, bob)
    carl = Guest(client, "Carl")
    seen = carl.state(table)
    assert seen["side"] is None
    assert not seen["decision"]["mine"]
    assert not [mark for mark in seen["scene"]["marks"] if "counts" in mark["words"]]
    assert client.get(f"/api/matches/{table}").status_code == 200, "looking on needs no account"
    for path, body in (
        ("resign", None), ("claim", None), ("offer", {"kind": "draw"}), ("answer", {"yes": True}),
        ("reveal", {"secret": carl.secret}), ("leave", None),
    ):  # fmt: skip
        assert carl.ask("POST", f"/tables/{table}/{path}", body).status_code == 403, path
        assert client.post(f"/api/tables/{table}/{path}", json=body).status_code == 401, path
    with carl.page(table) as page:
        assert page.ask("choose", id="B1")["type"] == "error"


def test_a_private_table_opens_to_its_invitation_alone(anne: Guest, bob: Guest, client: Client) -> None:
    made = anne.done("POST", "/tables", {"game": "ford", "listed": False})
    assert made["id"] not in str(bob.done("GET", "/tables"))
    assert bob.ask("GET", f"/matches/{made['id']}").status_code == 403
    assert bob.sit(made["id"], "Red").status_code == 403
    assert bob.sit(made["id"], "Red", invitation="wrong").status_code == 403
    assert bob.sit(made["id"], "Red", invitation=made["invitation"]).status_code == 201
    assert bob.sit(made["id"], "Blue").status_code == 201, "a seat can be changed"
    assert anne.sit(made["id"], "Blue", invitation=made["invitation"]).status_code == 400
    assert anne.sit(made["id"], "Red", invitation=made["invitation"]).status_code == 201
    assert bob.ask("POST", f"/tables/{made['id']}/leave").status_code == 201
    assert anne.sit(made["id"], "Blue", invitation=made["invitation"]).status_code == 201


def test_draw_resignation_and_going_back_need_who_they_need(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    play(table, anne, bob, choices=1)
    before = anne.state(table)["n"]
    anne.done("POST", f"/tables/{table}/offer", {"kind": "undo"})
    assert anne.ask("POST", f"/tables/{table}/answer", {"yes": True}).status_code == 400
    assert anne.state(table)["n"] == before
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    assert anne.state(table)["n"] == before - 1
    bob.done("POST", f"/tables/{table}/offer", {"kind": "draw"})
    assert anne.state(table)["table"]["offer"] == {
        "kind": "draw",
        "side": "Red",
        "to": None,
        "undone": [],
        "agreed": [],
    }
    anne.done("POST", f"/tables/{table}/answer", {"yes": False})
    assert anne.state(table)["result"] is None
    bob.done("POST", f"/tables/{table}/resign")
    ended = anne.state(table)
    assert ended["result"]["winner"] == "Blue"
    assert ended["decision"] is None
    assert ended["seed"]
    assert anne.ask("POST", f"/tables/{table}/resign").status_code == 400
    with anne.page(table) as page:
        assert page.ask("choose", id="B1")["type"] == "error"


def test_talk_and_notes(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    anne.done("POST", f"/tables/{table}/talk", {"words": "Good luck! <b>"})
    assert [line["words"] for line in bob.done("GET", f"/tables/{table}/talk")] == ["Good luck! <b>"]
    assert bob.state(table)["table"]["talk"] == 1
    anne.done("PUT", f"/tables/{table}/notes/1", {"words": "watch the ford"})
    anne.done("PUT", f"/tables/{table}/notes/1", {"words": "watch the bridge"})
    assert anne.done("GET", f"/tables/{table}/notes") == [
        {"turn": 1, "words": "watch the bridge", "shared": False}
    ]
    assert bob.done("GET", f"/tables/{table}/notes") == []
    assert bob.ask("POST", f"/tables/{table}/talk", {"words": "x" * 1001}).status_code == 400
    codes = [bob.ask("POST", f"/tables/{table}/talk", {"words": "x"}).status_code for _ in range(31)]
    assert codes[-1] == 429


def test_the_flag_falls_for_whoever_lets_the_days_pass(quick: Settings) -> None:
    with serving(quick) as client:
        anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
        table = begun(anne, bob, terms={"days": 2})
        assert anne.state(table)["table"]["deadline"]
        assert bob.ask("POST", f"/tables/{table}/claim").status_code == 400
        long_ago = datetime.now(UTC) - timedelta(days=3)
        storage = client.app.state.hub.storage
        client.blocking_portal.call(storage.write, update(TableRow).values(touched=long_ago))
        client.app.state.hub._lives.clear()
        assert anne.ask("POST", f"/tables/{table}/claim").status_code == 400, "it is her own time"
        bob.done("POST", f"/tables/{table}/claim")
        assert anne.state(table)["table"]["ending"]["how"] == "flag"


def test_nobody_is_flagged_who_chose_while_the_other_claimed(
    client: Client, anne: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, hub = begun(anne, bob, terms={"days": 2}), client.app.state.hub
    touch = partial(hub.storage.write, update(TableRow).values(touched=datetime.now(UTC)))
    client.blocking_portal.call(
        hub.storage.write, update(TableRow).values(touched=datetime.now(UTC) - timedelta(days=3))
    )
    plain = Hub.alone

    @asynccontextmanager
    async def after_a_choice(self: Hub, live: Live) -> AsyncIterator[None]:
        await touch()  # a choice is stored while whoever claims waits for the match
        async with plain(self, live):
            yield

    monkeypatch.setattr(Hub, "alone", after_a_choice)
    assert bob.ask("POST", f"/tables/{table}/claim").status_code == 400
    assert anne.state(table)["table"]["ending"] is None


def test_a_rematch_swaps_the_sides_and_begins_with_new_dice(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob, listed=True)
    assert bob.ask("POST", f"/tables/{table}/offer", {"kind": "rematch"}).status_code == 400
    bob.done("POST", f"/tables/{table}/resign")
    bob.done("POST", f"/tables/{table}/offer", {"kind": "rematch"})
    again = anne.done("POST", f"/tables/{table}/answer", {"yes": True})["table"]
    assert anne.state(again)["table"]["people"] == {"Blue": "Bob", "Red": "Anne"}
    anne.secret, bob.secret = new_seed(), new_seed()
    for guest, side in ((anne, "Red"), (bob, "Blue")):
        assert guest.sit(again, side).status_code == 201
    assert [guest.reveal(again).status_code for guest in (anne, bob)] == [201, 201]
    assert bob.state(again)["decision"]["mine"]
    assert anne.state(table)["table"]["next"] == again, "whoever asked finds it too"
    assert bob.ask("POST", f"/tables/{table}/offer", {"kind": "rematch"}).status_code == 400, "one is enough"


def test_the_list_says_what_happened_last_and_who_is_here(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    play(table, anne, bob, choices=6)
    with anne.page(table) as page:
        (seen,) = bob.done("GET", "/tables/mine")
        assert seen["here"] == ["Blue"]
        assert seen["last"] in [event["words"] for event in page.state["events"]]
        with bob.page(table) as other:
            assert other.state["here"] == {"Blue": 1, "Red": 1}
            while page.state["here"] != other.state["here"]:
                page._next()
        while "Red" in page.state["here"]:
            page._next()
        left = datetime.fromisoformat(page.state["left"]["Red"])
        assert datetime.now(UTC) - left < timedelta(hours=1)
    assert [each["id"] for each in anne.done("GET", "/tables/of/bob")] == [table]


def test_what_happened_last_is_a_move_and_not_what_the_rules_did_after_it(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    with anne.page(table) as page:
        for id_ in ("B1", "0102", "done"):
            page.ask("choose", id=id_)
        while page.state["decision"]["side"] == "Blue":
            page.ask("choose", id="done")
        assert "chit" in page.state["events"][-1]["words"]
    (mine,) = bob.done("GET", "/tables/mine")
    assert (mine["my_turn"], mine["last"]) == (True, "1st Blue moves 0202 - 0102.")


def test_whoever_is_invited_reads_the_terms_and_may_look_on(anne: Guest, bob: Guest, client: Client) -> None:
    made = anne.done("POST", "/tables", {"game": "ford", "listed": False, "terms": {"hints": True}})
    address, invited = f"/api/tables/{made['id']}", {"X-Invitation": made["invitation"]}
    assert client.get(address).status_code == 403
    assert client.get(address, headers={"X-Invitation": "wrong"}).status_code == 403
    assert client.get(address, headers=invited).json()["terms"]["hints"]
    anne.sit(made["id"], "Blue", invitation=made["invitation"])
    looking_on = client.get(f"/api/matches/{made['id']}", headers={"X-Token": made["invitation"]})
    assert looking_on.json()["side"] is None
    assert client.get(f"/api/matches/{made['id']}", headers={"X-Token": "wrong"}).status_code == 403
    assert bob.done("GET", "/tables/of/Anne") == [], "a private match is nobody else's affair"


def test_a_seat_given_up_opens_the_dice_again(anne: Guest, bob: Guest) -> None:
    table = str(anne.done("POST", "/tables", {"game": "ford"})["id"])
    assert anne.sit(table, "Blue").status_code == 201
    assert bob.sit(table, "Red").status_code == 201
    assert anne.reveal(table).status_code == 201
    bob.done("POST", f"/tables/{table}/leave")
    assert anne.state(table)["table"]["wanted"] == "commit", "her part is known; with another she needs a new one"
    bob.secret = new_seed()
    assert bob.sit(table, "Red").status_code == 201
    assert anne.reveal(table).status_code == 400
    anne.secret = new_seed()
    assert anne.sit(table, "Blue").status_code == 201
    assert [guest.reveal(table).status_code for guest in (anne, bob)] == [201, 201]
    assert anne.state(table)["table"]["begun"]


def test_a_table_that_all_have_left_is_listed_no_more(anne: Guest) -> None:
    table = str(anne.done("POST", "/tables", {"game": "ford"})["id"])
    anne.sit(table, "Blue")
    anne.done("POST", f"/tables/{table}/leave")
    assert anne.done("GET", "/tables") == []


def test_breaking_off_needs_both_and_counts_for_nobody(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    anne.done("POST", f"/tables/{table}/offer", {"kind": "abandon"})
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    assert anne.state(table)["table"]["ending"]["how"] == "abandoned"
    assert anne.done("GET", "/people/Anne")["records"] == []


def test_a_record_says_how_one_does_as_each_side(anne: Guest, bob: Guest) -> None:
    lost, drawn, won = begun(anne, bob), begun(anne, bob), begun(bob, anne)
    anne.done("POST", f"/tables/{lost}/resign")
    anne.done("POST", f"/tables/{drawn}/offer", {"kind": "draw"})
    bob.done("POST", f"/tables/{drawn}/answer", {"yes": True})
    bob.done("POST", f"/tables/{won}/resign")
    (record,) = anne.done("GET", "/people/Anne")["records"]
    assert [record[name] for name in ("won", "drawn", "lost")] == [1, 1, 1]
    blue, red = record["sides"]
    assert [blue[name] for name in ("side", "won", "drawn", "lost")] == ["Blue", 0, 1, 1]
    assert [red[name] for name in ("side", "won", "drawn", "lost")] == ["Red", 1, 0, 0]
    assert 0 <= blue["low"] < 0.01 < 0.6 < blue["high"] < 0.7
    assert 0.2 < red["low"] < 0.3 < 0.99 < red["high"] <= 1
    assert anne.done("GET", "/me/export")["records"] == [record]
    anne.done("DELETE", "/me", {"password": "a long password"})
    assert bob.done("GET", "/people/Bob")["records"][0]["sides"][0]["side"] == "Blue"


def test_a_holiday_stops_the_clock_and_cannot_be_had_again_at_once(quick: Settings) -> None:
    with serving(quick) as client:
        anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
        table = begun(anne, bob, terms={"days": 2})
        before = datetime.fromisoformat(anne.done("GET", "/tables/mine")[0]["deadline"])
        assert anne.ask("PUT", "/me/holiday", {"days": 31}).status_code == 400
        assert anne.done("PUT", "/me/holiday", {"days": 10})["away_until"]
        assert bob.done("GET", "/people/Anne")["away_until"]
        after = datetime.fromisoformat(bob.done("GET", "/tables/mine")[0]["deadline"])
        assert timedelta(days=9) < after - before <= timedelta(days=10)
        three_days = datetime.now(UTC) - timedelta(days=3)
        storage = client.app.state.hub.storage
        client.blocking_portal.call(storage.write, update(TableRow).values(touched=three_days))
        client.app.state.hub._lives.clear()
        assert bob.ask("POST", f"/tables/{table}/claim").status_code == 201, "the time had run out before"
        assert anne.done("PUT", "/me/holiday", {"days": 0})["away_until"] is None
        assert anne.ask("PUT", "/me/holiday", {"days": 1}).status_code == 400, "not so soon again"

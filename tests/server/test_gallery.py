"""What onlookers say among themselves, and notes that are shared after the end: who reads them, and when."""

from __future__ import annotations

from typing import Any

import pytest

from bulge.server.settings import Settings
from tests.cli.conftest import Bulge, bulge, home
from tests.server.guest import Client, Guest, begun

__all__ = ["bulge", "home"]  # fixtures of the command line


@pytest.fixture
def carl(client: Client) -> Guest:
    return Guest(client, "Carl")


@pytest.fixture
def dora(client: Client) -> Guest:
    return Guest(client, "Dora")


def said(guest: Guest, table: str) -> list[tuple[str, bool]]:
    return [(line["words"], line["gallery"]) for line in guest.done("GET", f"/tables/{table}/talk")]


def say(guest: Guest, table: str, words: str) -> None:
    guest.done("POST", f"/tables/{table}/talk", {"words": words})


def write(guest: Guest, table: str, turn: int, words: str) -> None:
    guest.done("PUT", f"/tables/{table}/notes/{turn}", {"words": words})


def share(guest: Guest, table: str, shared: bool = True) -> Any:
    return guest.ask("PUT", f"/tables/{table}/shared", {"shared": shared})


def private(anne: Guest, bob: Guest, **more: Any) -> tuple[str, dict[str, str]]:
    """A match that has begun and whose invitation opens it, and what its link sends."""
    made = anne.done("POST", "/tables", {"game": "ford", "listed": False, **more})
    for guest, side in ((anne, "Blue"), (bob, "Red")):
        guest.sit(made["id"], side, invitation=made["invitation"])
    for guest in (anne, bob):
        guest.reveal(made["id"])
    return made["id"], {"X-Invitation": made["invitation"]}


# ---------------------------------------------------------------------- the gallery


def test_the_gallery_and_the_players_read_their_own_until_the_end(
    anne: Guest, bob: Guest, carl: Guest, dora: Guest
) -> None:
    table = begun(anne, bob)
    say(anne, table, "Good luck!")
    say(carl, table, "Blue is lost. <b>")
    assert said(dora, table) == [("Blue is lost. <b>", True)]
    for guest in (anne, bob):
        assert said(guest, table) == [("Good luck!", False)]
        assert guest.state(table)["table"]["talk"] == 1
    assert dora.state(table)["table"]["talk"] == 1
    anne.done("POST", f"/tables/{table}/resign")
    for guest in (anne, bob, carl, dora):
        assert said(guest, table) == [("Good luck!", False), ("Blue is lost. <b>", True)]
        assert guest.state(table)["table"]["talk"] == 2
    say(dora, table, "Well played.")
    assert said(anne, table)[-1] == ("Well played.", True)


def test_no_page_journal_or_export_of_a_player_holds_the_gallery_in_mid_game(
    anne: Guest, bob: Guest, carl: Guest
) -> None:
    table = begun(anne, bob, "the_bulge")
    with anne.page(table) as hers:
        say(carl, table, "the left is weak")
        say(bob, table, "hello")
        while hers.state["table"]["talk"] == 0:
            hers.ask("undo")  # refused; the news comes before or after the answer
        assert hers.state["table"]["talk"] == 1
        assert "the left is weak" not in "".join(hers.received)
    for path in (f"/matches/{table}", f"/matches/{table}/journal", f"/tables/{table}", "/me/export"):
        assert "the left is weak" not in anne.ask("GET", path).text, path
    carls = carl.done("GET", "/me/export")["talk"]
    assert [(line["words"], line["gallery"]) for line in carls] == [("the left is weak", True)]


def test_who_has_no_account_neither_writes_nor_reads_in_mid_game(
    client: Client, anne: Guest, bob: Guest, carl: Guest
) -> None:
    table = begun(anne, bob)
    say(carl, table, "Blue is lost.")
    talk = f"/api/tables/{table}/talk"
    assert client.post(talk, json={"words": "hello"}).status_code == 401
    assert client.get(talk).status_code == 401, "a player who signs out is such a stranger"
    anne.done("POST", f"/tables/{table}/resign")
    assert client.post(talk, json={"words": "hello"}).status_code == 401
    assert [line["words"] for line in client.get(talk).json()] == ["Blue is lost."]


def test_nobody_talks_who_may_not_look_on_or_before_there_is_anything_to_see(
    client: Client, anne: Guest, bob: Guest, carl: Guest
) -> None:
    waiting = str(anne.done("POST", "/tables", {"game": "ford"})["id"])
    assert carl.ask("POST", f"/tables/{waiting}/talk", {"words": "hello"}).status_code == 400
    shut, _ = private(anne, bob, listed=True, terms={"watch": False})
    table, invited = private(anne, bob)
    for closed in (shut, table):
        assert carl.ask("POST", f"/tables/{closed}/talk", {"words": "hello"}).status_code == 403
        assert carl.ask("GET", f"/tables/{closed}/talk").status_code == 403
    headers = {"Cookie": f"bulge_session={carl.cookie}", **invited}
    assert client.post(f"/api/tables/{table}/talk", json={"words": "hi"}, headers=headers).status_code == 201
    assert len(client.get(f"/api/tables/{table}/talk", headers=headers).json()) == 1
    about = {"words": "look", "match": table, "message": 1}
    assert carl.ask("POST", "/reports", about).status_code == 404
    assert client.post("/api/reports", json=about, headers=headers).status_code == 201


def test_the_gallery_has_the_limits_and_moderators_of_the_players(
    anne: Guest, bob: Guest, carl: Guest, dora: Guest, quick: Settings, bulge: Bulge
) -> None:
    table = begun(anne, bob)
    say(carl, table, "something foul")
    assert carl.ask("POST", f"/tables/{table}/talk", {"words": "x" * 1001}).status_code == 400
    dora.done("POST", "/reports", {"words": "look", "about": "Carl", "match": table, "message": 1})
    bulge("people", "Dora", "--role", "moderator", "--database", quick.database)
    assert dora.done("GET", "/moderation/reports")[0]["said"] == "something foul"
    assert dora.done("GET", f"/moderation/tables/{table}/talk")[0]["gallery"]
    dora.done("DELETE", f"/moderation/tables/{table}/talk/1")
    assert "foul" not in str(said(carl, table))
    codes = [carl.ask("POST", f"/tables/{table}/talk", {"words": "x"}).status_code for _ in range(31)]
    assert codes[-1] == 429


def test_a_moderator_who_plays_reads_the_gallery_when_the_others_do(
    anne: Guest, bob: Guest, carl: Guest, dora: Guest, quick: Settings, bulge: Bulge
) -> None:
    table = begun(anne, bob)
    say(anne, table, "hello")
    say(carl, table, "the left is weak")
    about = {"words": "look", "match": table, "message": 2}
    carl.done("POST", "/reports", about)
    assert bob.ask("POST", "/reports", about).status_code == 404, "of what one may not read nothing is known"
    for name in ("Anne", "Dora"):
        bulge("people", name, "--role", "moderator", "--database", quick.database)
    talk = f"/moderation/tables/{table}/talk"
    assert [line["words"] for line in anne.done("GET", talk)] == ["hello"]
    assert [line["words"] for line in dora.done("GET", talk)] == ["hello", "the left is weak"]
    assert [guest.done("GET", "/moderation/reports")[0]["said"] for guest in (anne, dora)] == [
        "",
        "the left is weak",
    ]
    bob.done("POST", f"/tables/{table}/resign")
    assert [line["words"] for line in anne.done("GET", talk)] == ["hello", "the left is weak"]
    assert anne.done("GET", "/moderation/reports")[0]["said"] == "the left is weak"


def test_a_flood_from_the_gallery_neither_grows_every_page_nor_drowns_the_players(
    anne: Guest, bob: Guest, carl: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bulge.server.beside.MOST_READ", 2)
    table = begun(anne, bob)
    say(anne, table, "hello")
    for n in range(4):
        say(carl, table, f"flood {n}")
    anne.done("POST", f"/tables/{table}/resign")
    assert said(bob, table) == [("hello", False), ("flood 2", True), ("flood 3", True)]


def test_signs_that_nobody_sees_are_said_and_noted_by_nobody(anne: Guest, bob: Guest, carl: Guest) -> None:
    table = begun(anne, bob)
    for words in ("\0", "a\0b", "\x1b[2J", "\u202eabc", "a\u2066b", "\x7f"):
        for guest in (anne, carl):
            refused = guest.ask("POST", f"/tables/{table}/talk", {"words": words})
            assert (refused.status_code, "tabs and new lines" in refused.text) == (400, True)
        assert anne.ask("PUT", f"/tables/{table}/notes/1", {"words": words}).status_code == 400


def test_who_says_nothing_is_told_so_and_every_script_is_heard(anne: Guest, bob: Guest, carl: Guest) -> None:
    table = begun(anne, bob)
    for blank in (" ", "\t\n", "\u2028", "\u200b"):
        assert carl.ask("POST", f"/tables/{table}/talk", {"words": blank}).status_code == 400
    kept = ["two\nlines", "שלום\u200f!", "مرحبا", "👩\u200d🌾", "<b>&amp;"]
    for words in kept:
        say(carl, table, words)
    assert [words for words, _ in said(carl, table)] == kept


def test_what_somebody_said_in_the_gallery_goes_with_the_account(anne: Guest, bob: Guest, carl: Guest) -> None:
    table = begun(anne, bob)
    say(carl, table, "Blue is lost.")
    carl.done("DELETE", "/me", {"password": "a long password"})
    anne.done("POST", f"/tables/{table}/resign")
    assert said(anne, table) == [("", True)]


# ---------------------------------------------------------------------- shared notes


def test_notes_are_shared_after_the_end_alone(client: Client, anne: Guest, bob: Guest, carl: Guest) -> None:
    table = begun(anne, bob)
    write(anne, table, 1, "hold the bridge")
    write(bob, table, 1, "take the bridge")
    refused = share(anne, table)
    assert (refused.status_code, refused.json()["words"]) == (
        400,
        "notes can be shared when the match is over, not before",
    )
    shared = f"/tables/{table}/shared"
    for guest in (anne, bob, carl):
        assert guest.done("GET", shared) == []
    anne.done("POST", f"/tables/{table}/resign")
    assert bob.done("GET", shared) == [], "the end alone shares nothing"
    assert share(carl, table).status_code == 403
    assert client.put(f"/api{shared}", json={"shared": True}).status_code == 401
    assert share(anne, table).status_code == 200
    hers = [{"name": "Anne", "turn": 1, "words": "hold the bridge"}]
    for guest in (anne, bob, carl):
        assert guest.done("GET", shared) == hers
    assert client.get(f"/api{shared}").json() == hers, "looking on needs no account"
    assert anne.done("GET", f"/tables/{table}/notes") == [{"turn": 1, "words": "hold the bridge", "shared": True}]
    assert bob.done("GET", f"/tables/{table}/notes")[0]["shared"] is False


def test_a_note_is_its_writers_alone_by_every_way_until_it_is_shared(anne: Guest, bob: Guest, carl: Guest) -> None:
    table = begun(anne, bob)
    write(anne, table, 1, "hold the bridge")
    with bob.page(table) as his, carl.page(table) as onlookers:
        anne.done("POST", f"/tables/{table}/resign")
        for page in (his, onlookers):
            while page.state["result"] is None:
                page.ask("undo")
            assert "hold the bridge" not in "".join(page.received)
    paths = [f"/matches/{table}", f"/matches/{table}/journal", f"/tables/{table}", "/me/export"]
    paths += [f"/tables/{table}/{each}" for each in ("notes", "shared", "talk")]
    for guest in (bob, carl):
        for path in paths:
            assert "hold the bridge" not in guest.ask("GET", path).text, path
    assert anne.done("GET", "/me/export")["notes"] == [
        {"match": table, "turn": 1, "words": "hold the bridge", "shared": False}
    ]
    share(anne, table)
    assert "hold the bridge" not in bob.ask("GET", "/me/export").text
    assert "hold the bridge" not in bob.ask("GET", f"/matches/{table}/journal").text


def test_what_is_shared_can_be_taken_back_changed_and_deleted(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    write(anne, table, 1, "hold the bridge")
    anne.done("POST", f"/tables/{table}/resign")
    shared = f"/tables/{table}/shared"
    share(anne, table)
    share(anne, table, False)
    assert bob.done("GET", shared) == []
    share(anne, table)
    write(anne, table, 1, "what was I thinking")
    assert bob.done("GET", shared) == [], "what is written anew is shared anew, or not"
    share(anne, table)
    assert len(bob.done("GET", shared)) == 1
    anne.done("DELETE", "/me", {"password": "a long password"})
    assert bob.done("GET", shared) == []


def test_the_shared_notes_of_a_private_match_stay_private(
    client: Client, anne: Guest, bob: Guest, carl: Guest
) -> None:
    table, invited = private(anne, bob)
    write(anne, table, 1, "hold the bridge")
    anne.done("POST", f"/tables/{table}/resign")
    share(anne, table)
    assert carl.ask("GET", f"/tables/{table}/shared").status_code == 403
    assert len(client.get(f"/api/tables/{table}/shared", headers=invited).json()) == 1

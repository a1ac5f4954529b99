"""More than two at a table, or people who share a side: all must consent, and nobody is rated against a friend."""

from __future__ import annotations

import pytest

from tests.server.guest import Client, Guest

COMPUTERS = {"US South": "random", "US West": "random", "US Fires": "random"}


@pytest.fixture
def cleo(client: Client) -> Guest:
    return Guest(client, "Cleo")


def sectors(*guests: Guest) -> str:
    """They share the command of Bastogne; the computer plays the sectors that are left."""
    sides = ("US", "US North", "US East")[: len(guests)]
    seats = {**COMPUTERS, **({} if "US East" in sides else {"US East": "random"})}
    wish = {"game": "bastogne", "scenario": "sectors", "seats": seats}
    table = str(guests[0].done("POST", "/tables", wish)["id"])
    for guest, side in zip(guests, sides, strict=True):
        assert guest.sit(table, side).status_code == 201
    for guest in guests:
        assert guest.reveal(table).status_code == 201
    return table


def test_all_others_must_consent(anne: Guest, bob: Guest, cleo: Guest) -> None:
    table = sectors(anne, bob, cleo)
    anne.done("POST", f"/tables/{table}/offer", {"kind": "abandon"})
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    waiting = cleo.state(table)["table"]
    assert waiting["ending"] is None
    assert waiting["offer"]["agreed"] == ["US North"]
    assert bob.ask("POST", f"/tables/{table}/answer", {"yes": True}).status_code == 400, "he has said so"
    cleo.done("POST", f"/tables/{table}/answer", {"yes": True})
    assert cleo.state(table)["table"]["ending"]["how"] == "abandoned"


def test_one_refusal_is_enough(anne: Guest, bob: Guest, cleo: Guest) -> None:
    table = sectors(anne, bob, cleo)
    anne.done("POST", f"/tables/{table}/offer", {"kind": "abandon"})
    bob.done("POST", f"/tables/{table}/answer", {"yes": True})
    cleo.done("POST", f"/tables/{table}/answer", {"yes": False})
    assert anne.state(table)["table"]["offer"] is None


def test_nobody_wins_against_a_friend(anne: Guest, bob: Guest) -> None:
    table = sectors(anne, bob)
    bob.done("POST", f"/tables/{table}/resign")
    assert anne.state(table)["table"]["ending"]["winner"] is None
    assert anne.done("GET", "/people/Anne")["records"] == []

"""Who is here is seen by others, unless somebody does not want to be."""

from __future__ import annotations

import pytest

from bulge.server.hub import Hub
from tests.server.guest import Client, Guest, begun


def hide(guest: Guest, *, hidden: bool) -> None:
    assert guest.done("PATCH", "/me", {"hidden": hidden})["hidden"] is hidden


def test_who_hides_is_not_seen_at_the_table_in_lists_or_by_onlookers(
    client: Client, anne: Guest, bob: Guest
) -> None:
    table, cleo = begun(anne, bob), Guest(client, "Cleo")
    with anne.page(table), bob.page(table):
        assert set(bob.state(table)["here"]) == {"Blue", "Red"}
        hide(anne, hidden=True)
        for guest in (bob, cleo):
            state = guest.state(table)
            assert set(state["here"]) == {"Red"}
            assert state["table"]["hidden"] == ["Blue"]
        listed = [bob.done("GET", "/tables/mine")[0], cleo.done("GET", "/tables")[0]]
        listed += [cleo.done("GET", f"/tables/{table}"), cleo.done("GET", "/tables/of/Anne")[0]]
        assert [(each["here"], each["hidden"]) for each in listed] == [(["Red"], ["Blue"])] * 4
        hide(anne, hidden=False)
        assert set(cleo.state(table)["here"]) == {"Blue", "Red"}


def test_nobody_is_told_when_somebody_comes_or_goes_who_hides(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    hide(anne, hidden=True)
    with bob.page(table) as page:
        page.ask("hint")
        before = len(page.received)
        with anne.page(table):
            pass
        page.ask("hint")
        assert [text for text in page.received[before:] if '"type":"state"' in text] == []
    assert "Blue" not in bob.state(table)["left"]


def test_who_hides_while_here_is_not_heard_to_go(anne: Guest, bob: Guest) -> None:
    """Nothing in the message told it, but that there was one did."""
    table = begun(anne, bob)
    with bob.page(table) as page:
        with anne.page(table):
            page.until_here("Blue", "Red")
            hide(anne, hidden=True)
            page.until_here("Red")
            page.ask("hint")
            before = len(page.received)
        page.ask("hint")
        assert [text for text in page.received[before:] if '"type":"state"' in text] == []


def test_a_visit_that_was_hidden_is_not_told_afterwards(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    hide(anne, hidden=True)
    with anne.page(table):
        pass
    hide(anne, hidden=False)
    assert "Blue" not in bob.state(table)["left"]
    with anne.page(table):
        pass
    assert "Blue" in bob.state(table)["left"]


def test_an_open_page_sees_at_once_that_somebody_hides(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    with anne.page(table), bob.page(table) as page:
        hide(anne, hidden=True)
        page.until_here("Red")
        assert page.state["table"]["hidden"] == ["Blue"]


def test_who_hides_has_none_of_their_old_matches_opened_for_it(
    anne: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a thousand that were over, each was read: half a minute of the server's time, as often as asked."""
    over = begun(anne, bob)
    anne.done("POST", f"/tables/{over}/resign")
    with monkeypatch.context() as patched:
        patched.setattr(Hub, "open", None)
        hide(anne, hidden=True)
    assert bob.state(over)["table"]["hidden"] == ["Blue"]


def test_the_wish_is_exported_and_forgotten(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    hide(anne, hidden=True)
    assert anne.done("GET", "/me/export")["person"]["hidden"] is True
    anne.done("DELETE", "/me", {"password": "a long password"})
    assert bob.state(table)["table"]["hidden"] == []

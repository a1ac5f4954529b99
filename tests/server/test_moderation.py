"""A moderator's tools, who may use them, and roles by the command line."""

from __future__ import annotations

import pytest

from bulge.server.settings import Settings
from tests.cli.conftest import Bulge, bulge, home
from tests.server.conftest import Client
from tests.server.test_tables import Guest, begun

__all__ = ["bulge", "home"]  # fixtures of the command line


@pytest.fixture
def anne(client: Client) -> Guest:
    return Guest(client, "Anne")


@pytest.fixture
def bob(client: Client) -> Guest:
    return Guest(client, "Bob")


def test_roles_are_given_by_whoever_runs_the_server(
    client: Client, anne: Guest, bob: Guest, quick: Settings, bulge: Bulge
) -> None:
    assert anne.ask("GET", "/moderation/people").status_code == 403
    assert client.get("/api/moderation/people").status_code == 401
    told = bulge("people", "anne", "--role", "moderator", "--database", quick.database)
    assert told.code == 0, told.err
    assert told.out.startswith("Anne: moderator, since ")
    assert bulge("people", "anne", "--role", "king", "--database", quick.database).code == 2
    assert bulge("people", "nobody", "--suspend", "--database", quick.database).code == 2
    assert [each["name"] for each in anne.done("GET", "/moderation/people?name=b")] == ["Bob"]
    carl = Guest(client, "Carl")
    bulge("people", "Carl", "--role", "administrator", "--database", quick.database)
    assert anne.ask("POST", "/moderation/people/Carl", {"suspended": True}).status_code == 403
    assert carl.done("POST", "/moderation/people/Anne", {"suspended": True})["suspended"]


def test_a_shut_account_opens_nothing_until_it_is_opened_again(
    client: Client, anne: Guest, bob: Guest, quick: Settings, bulge: Bulge
) -> None:
    bulge("people", "Anne", "--role", "moderator", "--database", quick.database)
    anne.done("POST", "/moderation/people/Bob", {"suspended": True})
    assert bob.done("GET", "/me") is None
    answer = client.post("/api/session", json={"name": "Bob", "password": "a long password"})
    assert (answer.status_code, answer.json()["words"].partition(";")[0]) == (
        400,
        "a moderator has shut this account",
    )
    anne.done("POST", "/moderation/people/Bob", {"suspended": False})
    assert client.post("/api/session", json={"name": "Bob", "password": "a long password"}).status_code == 201


def test_words_and_tables_are_taken_away(
    client: Client, anne: Guest, bob: Guest, quick: Settings, bulge: Bulge
) -> None:
    mia = Guest(client, "Mia")
    bulge("people", "Mia", "--role", "moderator", "--database", quick.database)
    table = begun(anne, bob)
    anne.done("POST", f"/tables/{table}/talk", {"words": "something foul"})
    assert bob.ask("DELETE", f"/moderation/tables/{table}/talk/1").status_code == 403
    assert mia.done("GET", f"/moderation/tables/{table}/talk")[0]["words"] == "something foul"
    mia.done("DELETE", f"/moderation/tables/{table}/talk/1")
    assert mia.ask("DELETE", f"/moderation/tables/{table}/talk/2").status_code == 404
    assert "foul" not in str(bob.done("GET", f"/tables/{table}/talk"))
    mia.done("DELETE", f"/moderation/tables/{table}")
    assert anne.state(table)["table"]["ending"]["how"] == "abandoned"
    assert mia.done("GET", "/tables") == []
    assert mia.ask("DELETE", "/moderation/tables/nothing").status_code == 404

"""A moderator's tools, who may use them, and roles by the command line."""

from __future__ import annotations

import pytest

from bulge.server.settings import Settings
from tests.cli.conftest import Bulge, bulge, home
from tests.server.guest import Client, Guest, begun

__all__ = ["bulge", "home"]  # fixtures of the command line


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


@pytest.fixture
def mia(client: Client) -> Guest:
    """A moderator."""
    found = Guest(client, "Mia")
    client.blocking_portal.call(client.app.state.moderation.give_role, "Mia", "moderator")
    return found


def test_a_report_reaches_the_moderators_and_what_they_do_is_logged(anne: Guest, bob: Guest, mia: Guest) -> None:
    table = begun(anne, bob)
    bob.done("POST", f"/tables/{table}/talk", {"words": "something foul"})
    wish = {"words": "He is rude.", "about": "Bob", "match": table, "message": 1}
    anne.done("POST", "/reports", wish)
    (told,) = mia.done("GET", "/moderation/reports")
    assert (told["by"], told["about"], told["match"], told["said"]) == ("Anne", "Bob", table, "something foul")
    mia.done("GET", f"/moderation/tables/{table}/talk")
    mia.done("DELETE", f"/moderation/tables/{table}/talk/1")
    mia.done("POST", "/moderation/people/Bob", {"suspended": True, "why": "rude"})
    mia.done("DELETE", f"/moderation/tables/{table}")
    mia.done("POST", f"/moderation/reports/{told['number']}", {"closed": True})
    assert mia.done("GET", "/moderation/reports") == []
    (kept,) = mia.done("GET", "/moderation/reports?closed=true")
    assert kept["said"] == "(taken away by a moderator)"
    assert [(deed["by"], deed["words"]) for deed in mia.done("GET", "/moderation/deeds")] == [
        ("Mia", f"closed report {told['number']}"),
        ("Mia", f"broke match {table} off"),
        ("Mia", "shut the account Bob: rude"),
        ("Mia", f"took away message 1 of Bob at match {table}"),
        ("Mia", f"read what was said at match {table}"),
        ("whoever runs the server", "made Mia moderator"),
    ]
    (found,) = mia.done("GET", "/moderation/tables?name=bob")
    assert (found["id"], found["over"], found["listed"], found["talk"]) == (table, True, False, 1)
    assert found["people"] == {"Blue": "Anne", "Red": "Bob"}
    assert mia.done("GET", "/moderation/tables?name=Mia") == []


def test_players_report_only_what_they_may_see_and_not_without_end(anne: Guest, bob: Guest, mia: Guest) -> None:
    private = anne.done("POST", "/tables", {"game": "ford", "listed": False})["id"]
    for wish in (
        {"words": "x", "about": "Nobody"},
        {"words": "x", "match": private},
        {"words": "x", "match": "none"},
        {"words": "x", "message": 3},
    ):
        assert bob.ask("POST", "/reports", wish).status_code == 404, wish
    assert bob.ask("POST", "/reports", {"words": ""}).status_code == 400
    assert bob.client.post("/api/reports", json={"words": "x"}).status_code == 401
    answers = [bob.ask("POST", "/reports", {"words": f"{n}"}).status_code for n in range(11)]
    assert answers == [201] * 10 + [429]
    assert len(mia.done("GET", "/moderation/reports")) == 10


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/reports", None),
        ("POST", "/reports/1", {"closed": True}),
        ("GET", "/people", None),
        ("POST", "/people/Anne", {"suspended": True}),
        ("GET", "/tables", None),
        ("GET", "/tables/x/talk", None),
        ("DELETE", "/tables/x/talk/1", None),
        ("DELETE", "/tables/x", None),
        ("GET", "/deeds", None),
    ],
)
def test_the_tools_are_for_moderators_alone(
    client: Client, bob: Guest, method: str, path: str, body: dict[str, bool] | None
) -> None:
    assert client.request(method, f"/api/moderation{path}", json=body).status_code == 401
    assert bob.ask(method, f"/moderation{path}", body).status_code == 403

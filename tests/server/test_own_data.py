"""All that is kept about somebody can be taken away; who goes leaves nothing behind, and nobody waiting."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from bulge.server.settings import Settings
from tests.server.guest import Guest, begun
from tests.server.serving import serving

PASSWORD = {"password": "a long password"}
QUIET = {"begin": "23:00", "end": "07:00", "zone": "Europe/Brussels"}


def leave(guest: Guest) -> None:
    guest.done("DELETE", "/me", PASSWORD)


def test_a_seat_of_somebody_who_left_is_free_again_before_the_match(anne: Guest, bob: Guest) -> None:
    table = str(anne.done("POST", "/tables", {"game": "ford"})["id"])
    anne.sit(table, "Blue")
    bob.sit(table, "Red")
    leave(anne)
    assert bob.done("GET", f"/tables/{table}")["people"] == {"Blue": None, "Red": "Bob"}
    assert bob.sit(table, "Blue").status_code == 201


def test_a_match_of_somebody_who_left_is_won_by_whoever_stays(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    leave(anne)
    ending = bob.state(table)["table"]["ending"]
    assert (ending["how"], ending["winner"]) == ("resigned", "Red")
    assert bob.done("GET", "/people/Bob")["records"][0]["won"] == 1


def test_no_open_match_and_no_row_names_somebody_who_left(quick: Settings, tmp_path: Path) -> None:
    file = tmp_path / "left.sqlite"
    settings = Settings(database=f"sqlite+aiosqlite:///{file}", cache=quick.cache, static=quick.static)
    with serving(settings) as client:
        anne, bob = Guest(client, "Annegret"), Guest(client, "Bob")
        table = begun(anne, bob)
        fill(anne, table)
        anne.done("POST", f"/tables/{table}/resign")
        leave(anne)
        assert bob.state(table)["table"]["people"]["Blue"] == "somebody who left"
    left = [str(row) for row in rows(file)]
    assert left
    for word in ("Annegret", "annegret@example.org", "Brussels", "nights", "a note", "hello", "look at that"):
        assert not [row for row in left if word in row], word


def fill(anne: Guest, table: str) -> None:
    anne.done("PATCH", "/me", {"words": "I play at nights.", "email": "annegret@example.org"})
    anne.done("PUT", "/me/notices/quiet", {"quiet": QUIET})
    anne.done("PUT", "/me/holiday", {"days": 3})
    anne.done("POST", f"/tables/{table}/talk", {"words": "hello"})
    anne.done("PUT", f"/tables/{table}/notes/1", {"words": "a note"})
    anne.done("POST", "/reports", {"words": "look at that", "about": "Bob"})


def rows(file: Path) -> list[Any]:
    with sqlite3.connect(file) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        return [row for name in names for row in database.execute(f"select * from {name}")]


def test_what_is_taken_away_is_all_that_is_kept(anne: Guest, bob: Guest) -> None:
    table = begun(anne, bob)
    fill(anne, table)
    anne.done("POST", "/me/notices", {"kind": "webhook", "target": "https://discord.com/api/webhooks/1/x"})
    anne.done("POST", "/matches", {"game": "ford"})
    kept = anne.done("GET", "/me/export")
    assert kept["quiet"] == QUIET
    assert kept["seen"].startswith("20")
    assert kept["person"]["away_until"]
    assert kept["channels"][0]["events"] == ["clock", "turn", "asked", "ended"]
    assert {match["game"] for match in kept["made"]} == {"ford"}
    assert table in [match["id"] for match in kept["made"]]
    assert len(kept["made"]) == 2
    assert kept["seats"] == [{"match": table, "side": "Blue"}]
    assert (kept["talk"][0]["words"], kept["notes"][0]["words"]) == ("hello", "a note")
    assert kept["reports"][0]["words"] == "look at that"

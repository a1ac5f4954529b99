"""People with accounts, as tests meet them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient

from bulge.core.chance import commitment, new_seed
from tests.server.table import Page

Client = TestClient[Litestar]
Json = dict[str, Any]


class Guest:
    """Somebody with a browser of their own."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name
        self.secret = new_seed()
        answer = client.post("/api/people", json={"name": name, "password": "a long password"})
        assert answer.status_code == 201, answer.text
        self.cookie = answer.cookies["bulge_session"]
        client.cookies.clear()

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:
        headers = {"Cookie": f"bulge_session={self.cookie}"}
        return self.client.request(method, f"/api{path}", json=body, headers=headers)

    def done(self, method: str, path: str, body: Json | None = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def sit(self, table: str, side: str, **more: Any) -> Any:
        return self.ask(
            "POST", f"/tables/{table}/sit", {"side": side, "commitment": commitment(self.secret), **more}
        )

    def reveal(self, table: str) -> Any:
        return self.ask("POST", f"/tables/{table}/reveal", {"secret": self.secret})

    def state(self, table: str) -> Json:
        found: Json = self.done("GET", f"/matches/{table}")
        return found

    @contextmanager
    def page(self, table: str) -> Iterator[Page]:
        headers = {"Cookie": f"bulge_session={self.cookie}"}
        with self.client.websocket_connect(f"/api/matches/{table}/live", headers=headers) as session:
            yield Page(session)


def begun(anne: Guest, bob: Guest, game: str = "ford", **more: Any) -> str:
    """Anne makes a table and takes its first side, Bob finds it and takes the other; both give to the dice."""
    table = str(anne.done("POST", "/tables", {"game": game, **more})["id"])
    one, other = bob.state(table)["table"]["people"]
    assert anne.sit(table, one).status_code == 201
    assert bob.sit(table, other).status_code == 201
    assert anne.reveal(table).status_code == 201
    assert not anne.state(table)["table"]["begun"]
    assert bob.reveal(table).status_code == 201
    return table


def play(table: str, *guests: Guest, choices: int = 10_000) -> None:
    rng = random.Random(7)
    sides = {guest.state(table)["side"]: guest for guest in guests}
    for _ in range(choices):
        now = guests[0].state(table)
        if now["decision"] is None:
            return
        with sides[now["decision"]["side"]].page(table) as page:
            answer = page.ask("choose", id=rng.choice(page.options))
            assert answer["type"] == "state", answer

"""A match on a test client: its tokens, and pages that are open on it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient
from litestar.testing.websocket_test_session import WebSocketTestSession

Json = dict[str, Any]


class Page:
    """One open page: sends requests, waits for their answers, and keeps every byte it was sent."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self._session = session
        self._numbers = count(1)
        self.received: list[str] = []
        self.state: Json = self._next()

    def _next(self) -> Json:
        text = self._session.receive_text(timeout=60)
        self.received.append(text)
        message: Json = json.loads(text)
        if message["type"] == "state":
            self.state = message
        return message

    def send(self, type_: str, **fields: Any) -> int:
        re = next(self._numbers)
        body = {"type": type_, "re": re, "n": self.state["n"], "rev": self.state["rev"], **fields}
        self._session.send_text(json.dumps(body))
        return re

    def ask(self, type_: str, **fields: Any) -> Json:
        """Send a request and wait for what answers it."""
        re = self.send(type_, **fields)
        while (message := self._next()).get("re") != re:
            pass
        return message

    def raw(self, text: str) -> Json:
        """Send any text, and wait for the complaint."""
        self._session.send_text(text)
        while (message := self._next())["type"] != "error":
            pass
        return message

    def until(self, n: int) -> None:
        """Wait until so many choices have been made, whoever made them."""
        while self.state["n"] < n:
            self._next()

    def until_rev(self, rev: int) -> None:
        """Wait until so many things were done, undoing included."""
        while self.state["rev"] < rev:
            self._next()

    def until_here(self, *sides: str) -> None:
        """Wait until these sides, and no others, are seen at the board."""
        while set(self.state["here"]) != set(sides):
            self._next()

    @property
    def options(self) -> list[str]:
        decision = self.state["decision"]
        return [*decision["bare"], *(option["id"] for option in decision["options"])] if decision else []


@dataclass
class Table:
    client: TestClient[Litestar]
    id: str
    host: str
    tokens: dict[str, str]
    pages: list[Page] = field(default_factory=list)

    @classmethod
    def make(cls, client: TestClient[Litestar], wish: Json) -> Table:
        answer = client.post("/api/matches", json=wish)
        assert answer.status_code == 201, answer.text
        return cls(client, **answer.json())

    @contextmanager
    def page(self, token: str | None = None, more: str = "") -> Iterator[Page]:
        address = f"/api/matches/{self.id}/live{more}"
        with self.client.websocket_connect(address, headers={"X-Token": token or self.host}) as session:
            yield Page(session)

    def state(self, token: str | None = None) -> Json:
        answer = self.client.get(f"/api/matches/{self.id}", headers={"X-Token": token or self.host})
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def journal(self) -> Json:
        found: Json = self.client.get(f"/api/matches/{self.id}/journal", headers={"X-Token": self.host}).json()
        return found


def play_on(page: Page, rng: random.Random, choices: int = 10_000) -> None:
    """Choose at random through a page, until the game is over or so many choices are made."""
    for _ in range(choices):
        if not page.options:
            return
        answer = page.ask("choose", id=rng.choice(page.options))
        assert answer["type"] == "state", answer


def play_apart(table: Table, rng: random.Random) -> None:
    """Two sides choose at random, each on a page of its own, until the game is over."""
    (one, token), (_, other_token) = table.tokens.items()
    with table.page(token) as first, table.page(other_token) as second:
        while first.state["decision"]:
            page = first if first.state["decision"]["side"] == one else second
            page.until(first.state["n"])
            page.ask("choose", id=rng.choice(page.options))
            first.until(page.state["n"])

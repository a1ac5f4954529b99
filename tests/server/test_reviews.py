"""Reviews in the browser: made once, beside the server's work, and for no game that still goes on."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bulge.core.chance import seed_of
from bulge.core.journal import Journal, journal_of
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.chances import weights_of
from bulge.players.levels import player_for
from bulge.players.reviewed import Ended
from bulge.server import reviews as reviewing
from bulge.server.errors import TooOften
from bulge.server.library import Library
from bulge.server.look_back import look_back
from bulge.server.quotas import Quota, Quotas
from bulge.server.reviews import Reviewed, Reviews, ToReview
from bulge.server.settings import Settings
from bulge.server.uses import Guest as Visitor
from bulge.server.uses import Uses
from tests.server.guest import Client, Guest, begun, play
from tests.server.serving import serving
from tests.server.table import Table


def played(seed: str = "1") -> Journal:
    game = load_game("ford")
    match: Match[Any] = Match(game, seed=seed_of(seed))
    players = {side: player_for("greedy", game, side, seed, by_the_clock=False) for side in game.players}
    while match.decision is not None:
        match.choose(players[match.decision.side].choose(match))
    return journal_of(match)


@pytest.fixture
def client(sqlite: str, tmp_path: Path, quick: Settings) -> Iterator[Client]:
    """Reviews are kept in the cache: here nothing has been reviewed before."""
    settings = Settings(sqlite, tmp_path / "cache", quick.static)
    with serving(settings) as found:
        yield found


def made(client: Client, journal: Journal) -> Table:
    answer = client.post("/api/matches/import", json=msgspec.to_builtins(journal))
    assert answer.status_code == 201, answer.text
    return Table(client, **answer.json())


def asked(table: Table, token: str = "") -> Any:
    return table.client.get(f"/api/matches/{table.id}/review", headers={"X-Token": token or table.host})


def until_made(ask: Callable[[], Any]) -> Any:
    """Ask until it is made."""
    until = time.monotonic() + 60
    while (answer := ask().json())["state"] == "making":
        assert 0 <= answer["percent"] < 100
        assert time.monotonic() < until, "the review never came"
        time.sleep(0.05)
    return answer


def test_a_game_that_is_over_is_reviewed_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table = made(client, played())
    assert asked(table).json()["state"] == "making"
    found = until_made(lambda: asked(table))
    assert found["state"] == "made"
    assert found["made_by"].startswith("bulge sim ford")
    review, course = found["reviewed"]["review"], found["reviewed"]["course"]
    assert (review["first"], review["winner"]) == ("Blue", "Red")
    assert {moment["side"] for moment in review["moments"]} == {"Blue", "Red"}
    assert len(course["turns"]) == len(course["losses"]["Red"]) == 4
    assert course["country"] is None

    async def never(*_: object) -> None:
        raise AssertionError("it was made before")

    monkeypatch.setattr(reviewing.Reviews, "_make", never)
    assert asked(table).json() == found


def test_looking_back_counts_as_thinking_for_whoever_asks_first(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of a game that is over is quickly made, and to look back on it takes minutes."""
    uses, thought = client.app.state.uses, []
    monkeypatch.setattr(uses, "thought", lambda guest, seconds: thought.append((guest.address, seconds > 0)))
    table = made(client, played())
    until_made(lambda: asked(table))
    while not thought:  # its process ends a moment after it has written what it found
        time.sleep(0.01)
    assert thought == [("testclient", True)]
    assert asked(table).json()["state"] == "made"
    assert len(thought) == 1, "it was made before"

    def refused(_: object) -> None:
        raise TooOften("computer players think for 30 min an hour")

    monkeypatch.setattr(uses, "check_thinking", refused)
    assert asked(table).json()["state"] == "made", "reading what is there costs nothing"
    another = made(client, played("2"))
    assert asked(another).status_code == 429


class AtReviews:
    """Several who ask for reviews, each of which is said to take so many seconds once it may."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, quotas: Quotas) -> None:
        self.may, self.made = asyncio.Event(), 0

        async def make(_: Reviews, *asked: Any) -> None:
            await self.may.wait()
            asked[-1](seconds)
            self.made += 1

        monkeypatch.setattr(Reviews, "_make", make)
        self.reviews, self.uses = Reviews(folder), Uses(None, quotas)  # type: ignore[arg-type]
        self._journal = played()

    async def ask(self, address: str, number: int) -> str:
        journal = msgspec.structs.replace(self._journal, dice=number)
        asker = Visitor(address)
        return (await self.reviews.of(load_game("ford"), journal, None, self.uses, asker)).state

    async def until_all_are_made(self) -> None:
        self.may.set()
        while self.reviews._under_way:
            await asyncio.sleep(0)


def test_nobody_fills_the_queue_of_reviews_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd() -> None:
        there = AtReviews(tmp_path, monkeypatch, 1, Quotas())
        assert [await there.ask("192.0.2.1", number) for number in (1, 2, 1, 2)] == ["making"] * 4
        with pytest.raises(TooOften, match="2 reviews at a time are made for one address"):
            await there.ask("192.0.2.1", 3)
        assert await there.ask("192.0.2.2", 3) == "making"
        await there.until_all_are_made()
        assert there.made == 3
        assert await there.ask("192.0.2.1", 4) == "making"
        await there.reviews.close()

    asyncio.run(crowd())


def test_a_review_is_not_made_for_whom_the_one_before_it_used_up_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crowd() -> None:
        there = AtReviews(tmp_path, monkeypatch, 60, Quotas(address=Quota(thinking=60)))
        assert [await there.ask("192.0.2.1", number) for number in (1, 2)] == ["making"] * 2
        await there.until_all_are_made()
        assert there.made == 1
        with pytest.raises(TooOften, match="computer players think for 1 min an hour"):
            await there.ask("192.0.2.1", 2)
        assert await there.ask("192.0.2.2", 2) == "making"
        await there.reviews.close()

    asyncio.run(crowd())


@pytest.mark.parametrize(
    "changed",
    ["players/planner.py", "players/knowledge/ford/__init__.py", "lab/record.py", "core/match.py",
     "games/hexes/situation.py", "games/ford/combat.py", "games/ford/units.csv"],
)  # fmt: skip
def test_a_review_is_made_anew_when_what_it_comes_from_has_changed(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = weights_of("ford", next(iter(load_game("ford").scenarios)))
    assert weights is not None
    forget_code()
    before = reviewing._name(b"", "ford", weights)
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * path.match(f"bulge/{changed}"))
    assert reviewing._name(b"", "ford", weights) == before, "it is read once, since that takes a while"
    forget_code()
    assert reviewing._name(b"", "ford", weights) != before
    forget_code()


def forget_code() -> None:
    """As when the server is started again."""
    Library.edition.cache_clear()
    reviewing._code.cache_clear()


def test_no_game_is_reviewed_that_goes_on(client: Client) -> None:
    journal = played()
    half = Match(load_game("ford"), seed=journal.seed)
    for id_ in journal.choices[:20]:
        half.answer(id_)
    table = made(client, journal_of(half))
    for token in (table.host, *table.tokens.values()):
        answer = asked(table, token)
        assert answer.status_code == 400
        assert "when it is over" in answer.json()["words"]
    assert client.get(f"/api/matches/{table.id}/review").status_code == 403


def test_people_at_a_table_look_back_only_once_it_has_ended(client: Client) -> None:
    anne, bob = Guest(client, "Anne"), Guest(client, "Bob")
    table = begun(anne, bob)
    play(table, anne, bob, choices=6)
    for guest in (anne, bob):
        assert guest.ask("GET", f"/matches/{table}/review").status_code == 400
    bob.done("POST", f"/tables/{table}/resign")
    assert anne.ask("GET", f"/matches/{table}/review").json()["state"] == "making"
    found = until_made(lambda: anne.ask("GET", f"/matches/{table}/review"))
    assert found["state"] == "made", found
    assert found["reviewed"]["review"]["winner"] is not None
    assert found["reviewed"]["review"]["result"]


def test_a_game_of_which_nothing_was_learned_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "weights_of", lambda game, scenario: None)
    table = made(client, played())
    answer = asked(table).json()
    assert answer["state"] == "none"
    assert "nobody has learned yet" in answer["words"]


def test_a_review_that_fails_is_not_tried_for_ever(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    table = made(client, played())
    answer = until_made(lambda: asked(table))
    assert answer["state"] == "failed"
    assert answer["words"]


def test_looking_back_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = look_back(ToReview(played(), Ended("Blue", "not used: the rules ended it")))
    assert isinstance(found, Reviewed)
    said = [int(line) for line in capsys.readouterr().out.split()]
    assert said == sorted(set(said))
    assert said[-1] == 99
    assert found.review.result != "not used: the rules ended it"

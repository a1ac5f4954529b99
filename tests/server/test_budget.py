"""A stranger's file, a crowd of matches, computers among themselves: nobody else waits for them."""

from __future__ import annotations

import asyncio
import json
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bulge.core import journal as journals
from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.computer import NOBODY_WAITS, PEOPLE_WAIT
from bulge.server.errors import Busy
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.live import LOOKING
from bulge.server.referee import MOST_WAITING, Referee
from bulge.server.settings import Settings
from bulge.server.stage import Stage
from bulge.server.storage import Storage
from bulge.server.uses import Guest
from bulge.server.worker import GivenUp, Worker, answer_all
from tests.server.guest import Client
from tests.server.serving import serving
from tests.server.table import Table
from tests.server.test_import import forged


def journal_with(game: str, overrides: str) -> bytes:
    """A journal whose check fits, of a match that was never begun."""
    plain = journals.journal_of(Match(load_game(game), seed="0" * 32))
    fields = {name: getattr(plain, name) for name in plain.__struct_fields__}
    return forged({**fields, "overrides": overrides})


@pytest.mark.parametrize(
    ("game", "overrides"),
    [
        ("bastogne", "[bastogne.weather.good]\nsupply_dice = 10000000000"),
        ("bastogne", "[bastogne.events.fog_of_war]\nchits = 1000000000"),
        ("bastogne", '[bastogne.dice.placement]\nfaces = ["again"]'),
        ("ford", ".".join("a" * 40_000) + " = 1"),
        ("ford", "\n".join(f"ford.units.B1.k{n} = 1" for n in range(100_000))),
        ("ford", "a = " + "[" * 90_000),
    ],
)
def test_a_file_that_would_freeze_the_server_is_refused(client: Client, game: str, overrides: str) -> None:
    answer = client.post("/api/matches/import", content=journal_with(game, overrides))
    assert answer.status_code == 400
    assert len(answer.json()["words"]) < 1000
    assert client.get("/api/games").status_code == 200


# ---------------------------------------------------------------------- limits of a process


def _obey(line: Connection) -> None:
    answer_all(line, _carry_out, "it failed", memory=1024**3)


def _carry_out(order: tuple[str, float]) -> tuple[str]:
    what, amount = order
    if what == "sleep":
        time.sleep(amount)
    if what == "eat":
        bytearray(int(amount))
    return (what,)


def test_what_takes_too_long_or_too_much_is_given_up_and_the_next_is_answered() -> None:
    worker = Worker(_obey, name="obedient", gone="it is gone", seconds=3)

    async def try_all() -> None:
        assert await worker.ask(("nothing", 0)) == ("nothing",)
        with pytest.raises(BulgeError, match="more memory than it may"):
            await worker.ask(("eat", 4 * 1024**3))
        with pytest.raises(GivenUp, match="longer than 3 seconds") as given_up:
            await worker.ask(("sleep", 600))
        assert given_up.value.seconds > 0, "who asked for it is told how long it was worked on"
        assert await worker.ask(("nothing", 0)) == ("nothing",)

    try:
        asyncio.run(try_all())
    finally:
        worker.close()


def test_people_go_first_and_then_who_asked_first() -> None:
    worker = Worker(_obey, name="obedient", gone="it is gone")
    order: list[str] = []

    async def ask(name: str, urgency: int) -> None:
        await worker.ask((name, 0), urgency=urgency)
        order.append(name)

    async def crowd() -> None:
        first = asyncio.create_task(worker.ask(("sleep", 0.5)))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(ask(f"computer {n}", NOBODY_WAITS)) for n in range(10)]
        await asyncio.sleep(0)
        given_up = asyncio.create_task(ask("nobody", PEOPLE_WAIT))
        waiting += [asyncio.create_task(ask(f"person {n}", PEOPLE_WAIT)) for n in range(2)]
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(first, *waiting)

    try:
        asyncio.run(crowd())
    finally:
        worker.close()
    assert order == ["person 0", "person 1", *(f"computer {n}" for n in range(10))]


def test_a_crowd_of_files_is_refused_beyond_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = Referee()
    referee._worker.asked = MOST_WAITING
    with pytest.raises(Busy, match="try again"):
        asyncio.run(referee.check(b"{}"))
    referee.close()


# ---------------------------------------------------------------------- rules that a stranger's data steer


@pytest.fixture
def strange(client: Client) -> Table:
    """A match that was imported with data of a stranger's."""
    overrides = "[ford.units.B1]\nstrength = 9"
    match: Match[Any] = Match(load_game("ford", Overrides(overrides)))
    text = journals.encode(journals.journal_of(match, overrides))
    return Table(client, **client.post("/api/matches/import", content=text).json())


def test_a_match_with_a_strangers_data_is_played_like_any_other(strange: Table) -> None:
    with strange.page() as page:
        assert page.ask("choose", id="nonsense")["rule"]
        assert page.ask("why", about="B1")["answer"]["words"] == "it can be chosen"
        assert page.ask("choose", id="B1")["n"] == 1
        assert page.ask("reach")["answer"] is not None
        assert page.ask("undo")["n"] == 0
        assert page.ask("redo")["n"] == 1


def test_what_a_strangers_data_make_endless_is_refused_and_the_server_goes_on(strange: Table) -> None:
    hub = strange.client.app.state.hub
    hub.stage.close()
    hub.stage = Stage(seconds=0)
    with strange.page() as page:
        answer = page.ask("choose", id="B1")
        assert answer["type"] == "error"
        assert "longer than 0 seconds" in answer["words"]
    assert strange.state()["n"] == 0
    plain = Table.make(strange.client, {"game": "ford"})
    with plain.page() as page:
        assert page.ask("choose", id="B1")["n"] == 1


def test_a_computer_player_that_cannot_think_gives_up_in_words(client: Client) -> None:
    async def fail(*_: Any) -> None:
        raise BulgeError("this takes longer than 180 seconds; it was given up")

    client.app.state.hub.computers.thinkers.choose = fail
    table = Table.make(client, {"game": "ford", "seats": {"Blue": "random"}})
    with table.page() as page:
        while not page.state["note"]:
            page._next()
        assert "gave up: this takes longer" in page.state["note"]
        assert page.state["thinking"] is None
        assert page.ask("why", about="B1")["type"] == "error", "it is still the computer's turn"


# ---------------------------------------------------------------------- many matches


def test_one_more_match_than_fits_in_memory_is_opened_all_the_same(quick: Settings) -> None:
    few = Settings(database=quick.database, cache=quick.cache, static=quick.static, most_open=2)
    with serving(few) as client:
        tables = [Table.make(client, {"game": "ford"}) for _ in range(2)]
        with tables[0].page() as one, tables[1].page() as two:
            third = Table.make(client, {"game": "ford"})
            assert third.state()["n"] == 0
            with third.page() as three:
                three.ask("choose", id=three.options[0])
            assert third.state()["n"] == 1
            assert one.ask("why", about="B1")["type"] == two.ask("why", about="B1")["type"] == "answer"


def test_computers_among_themselves_pause_when_nobody_looks(tmp_path: Path) -> None:
    async def look_away() -> tuple[int, int, int]:
        storage = Storage(f"sqlite+aiosqlite:///{tmp_path / 'matches.sqlite'}")
        await storage.open()
        hub, somebody = Hub(storage, Library()), Guest("192.0.2.1")
        try:
            match: Match[Any] = Match(load_game("ford"), seed="1" * 32)
            id_, tokens = await hub.create(match, {"Blue": "random", "Red": "random"})
            live, _ = await hub.enter(id_, tokens["*"], somebody)
            live.looked -= LOOKING
            await _still(live)
            paused = live.rev
            await asyncio.sleep(0.2)
            still = live.rev
            await hub.enter(id_, tokens["*"], somebody)
            for _ in range(500):
                await asyncio.sleep(0.01)
                if live.rev > still:
                    break
            return paused, still, live.rev
        finally:
            await hub.close()
            await storage.close()

    paused, still, resumed = asyncio.run(look_away())
    assert paused == still < resumed


async def _still(live: Any) -> None:
    for _ in range(500):
        if live.computer is None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it plays on although nobody looks")


def test_overrides_in_a_journal_still_work(client: Client) -> None:
    text = "[ford.units.B1]\nstrength = 5"
    match: Match[Any] = Match(load_game("ford", Overrides(text)))
    body = json.loads(journals.encode(journals.journal_of(match, text)))
    assert client.post("/api/matches/import", json=body).status_code == 201

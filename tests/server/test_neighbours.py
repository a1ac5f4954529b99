"""Two servers on one PostgreSQL: what happens at one is told at the other, and nobody overwrites another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bulge.core.match import Match
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.neighbours import Neighbours
from bulge.server.settings import Settings
from bulge.server.storage import Storage
from tests.server.databases import Databases
from tests.server.guest import Client, Guest
from tests.server.serving import serving
from tests.server.table import Json, Page, Table


@contextmanager
def server(settings: Settings) -> Iterator[Client]:
    with serving(settings) as found:
        yield found


@pytest.fixture
def shared(quick: Settings, databases: Databases) -> Settings:
    return replace(quick, database=databases.fresh_postgresql())


@pytest.fixture
def two(shared: Settings) -> Iterator[tuple[Client, Client]]:
    with server(shared) as one, server(shared) as other:
        yield one, other


def wait(page: Page, for_: Callable[[Json], bool]) -> Json:
    """Read states until one is as it is waited for."""
    while not for_(page.state):
        page._next()
    return page.state


def test_a_choice_made_at_one_server_is_seen_at_the_other(two: tuple[Client, Client]) -> None:
    here = Table.make(two[0], {"game": "ford"})
    there = Table(two[1], here.id, here.host, here.tokens)
    with here.page() as one, there.page() as other:
        one.ask("choose", id="B1")
        other.until(1)
        other.ask("undo")
        wait(one, lambda state: state["rev"] == 2)
        assert one.state["n"] == 0
        other.ask("choose", id="B2")
        other.ask("choose", id=other.options[0])
        one.until(2)
        assert one.state["decision"] == other.state["decision"]
        assert one.state["events"] == other.state["events"]
    assert here.journal() == there.journal()


def test_who_is_behind_is_refused_and_reads_again(shared: Settings) -> None:
    """Without a line between them, as while it is cut: the rows alone keep a match in order."""

    async def race() -> tuple[list[type[object]], list[str]]:
        storages = [Storage(shared.database), Storage(shared.database)]
        for storage in storages:
            await storage.open()
        hubs = [Hub(storage, Library()) for storage in storages]
        game = hubs[0].library.game("ford")
        id_, tokens = await hubs[0].create(Match(game), dict.fromkeys(game.players, "human"))
        entered = [await hub.enter(id_, tokens["*"]) for hub in hubs]
        doing = [
            hub.change(live, seat, 0, 0, lambda play: play.choose("B1"))
            for hub, (live, seat) in zip(hubs, entered, strict=True)
        ]
        outcomes = await asyncio.gather(*doing, return_exceptions=True)
        words = [str(outcome) for outcome in outcomes if outcome]
        for hub, (live, _) in zip(hubs, entered, strict=True):
            async with live.lock:
                assert (await hub.stories.play_of(live)).n == 1
            await hub.close()
        for storage in storages:
            await storage.close()
        return [type(outcome) for outcome in outcomes], words

    kinds, words = asyncio.run(race())
    assert len([kind for kind in kinds if kind is type(None)]) == 1
    assert len(words) == 1
    assert words[0]


def test_people_meet_at_a_table_of_two_servers(two: tuple[Client, Client]) -> None:
    anne, bob = Guest(two[0], "Anne"), Guest(two[1], "Bob")
    table = anne.done("POST", "/tables", {"game": "ford"})["id"]
    assert anne.sit(table, "Blue").status_code == 201
    with anne.page(table) as hers:
        assert bob.sit(table, "Red").status_code == 201
        wait(hers, lambda state: state["table"]["people"]["Red"] == "Bob")
        with bob.page(table) as his:
            wait(hers, lambda state: state["here"] == {"Blue": 1, "Red": 1})
            wait(his, lambda state: state["here"] == {"Blue": 1, "Red": 1})
            assert anne.reveal(table).status_code == 201
            assert bob.reveal(table).status_code == 201
            wait(hers, lambda state: state["decision"] is not None)
            hers.ask("choose", id="B1")
            his.until(1)
            assert his.state["commitment"] == hers.state["commitment"]
            bob.done("POST", f"/tables/{table}/talk", {"words": "well met"})
            wait(hers, lambda state: state["table"]["talk"] == 1)
        wait(hers, lambda state: state["here"] == {"Blue": 1})
        bob.done("POST", f"/tables/{table}/resign")
        wait(hers, lambda state: state["result"] is not None)
        assert hers.state["result"]["winner"] == "Blue"


def test_of_two_who_want_one_seat_one_sits(two: tuple[Client, Client]) -> None:
    guests = [Guest(two[number % 2], f"Guest {number}") for number in range(4)]
    table = guests[0].done("POST", "/tables", {"game": "ford"})["id"]
    with ThreadPoolExecutor(len(guests)) as hurry:
        answers = list(hurry.map(lambda guest: guest.sit(table, "Red"), guests))
    seated = [guest for guest, answer in zip(guests, answers, strict=True) if answer.status_code == 201]
    assert len(seated) == 1
    assert all("sits there already" in answer.text for answer in answers if answer.status_code != 201)
    for client in two:
        assert client.get(f"/api/tables/{table}").json()["people"]["Red"] == seated[0].name


class Ear:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, list[str]]] = []

    def changed_elsewhere(self, matches: Collection[str]) -> None:
        self.heard.append(("changed", list(matches)))

    def presence_elsewhere(self, matches: Collection[str]) -> None:
        self.heard.append(("presence", list(matches)))

    def everything_may_have_changed(self) -> None:
        self.heard.append(("everything", []))

    def pages(self) -> dict[str, dict[str, int]]:
        return {"m": {"Blue": 1}}

    def beat(self) -> None:
        pass


def test_who_was_at_a_server_that_was_killed_is_forgotten_and_a_cut_line_is_mended(shared: Settings) -> None:
    async def live() -> None:
        storages = [Storage(shared.database), Storage(shared.database)]
        ears = [Ear(), Ear()]
        one, other = (Neighbours(storage, ear, 0.1) for storage, ear in zip(storages, ears, strict=True))
        one.open()
        await one.listening.wait()
        other.open()
        await until(lambda: one.here("m") == {"Blue": 1} and other.here("m") == {"Blue": 1})
        one._line.terminate()
        await until(lambda: ears[0].heard.count(("everything", [])) == 2)
        other.tell_change("m")
        await until(lambda: ("changed", ["m"]) in ears[0].heard)
        assert other._running is not None
        other._running.cancel()  # it says nothing more
        await until(lambda: not one.here("m"))
        assert ears[0].heard[-1] == ("presence", ["m"])
        await one.close()
        for storage in storages:
            await storage.close()

    asyncio.run(live())


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


def test_one_server_thinks_for_a_match(two: tuple[Client, Client]) -> None:
    """Both have it open; what the computer plays is told at both, and nobody thinks in vain."""
    here = Table.make(two[0], {"game": "ford", "seats": {"Red": "random", "Blue": "random"}})
    there = Table(two[1], here.id, here.host, here.tokens)
    with here.page() as one, there.page() as other:
        wait(one, lambda state: state["result"] is not None)
        wait(other, lambda state: state["result"] is not None)
        assert one.state["rev"] == other.state["rev"] == one.state["n"]

"""Computer players think elsewhere: their processes may die, and die with the server."""

from __future__ import annotations

import asyncio
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.side_by_side import Company
from bulge.server import computer
from bulge.server.computer import LEVELS, RANDOM, Thinkers, levels_of
from bulge.server.library import Library
from bulge.server.worker import answer_all
from tests.players.test_side_by_side import helper_of


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    found = Thinkers(1)
    yield found
    found.close()


def _ford() -> Match[Any]:
    match: Match[Any] = Match(load_game("ford"), seed="0" * 32)
    return match.copy_for(match.asked().side, random.Random(1))


def _offered(match: Match[Any]) -> list[str]:
    return [match.game.id_of(match.asked(), choice) for choice in match.asked().options]


def _pid(thinkers: Thinkers) -> int:
    process = thinkers._thinkers[0]._process
    assert process is not None
    assert process.pid is not None
    return process.pid


@pytest.mark.parametrize("level", [RANDOM, "recruit"])
def test_a_thought_is_something_that_is_offered(thinkers: Thinkers, level: str) -> None:
    match = _ford()
    thought = asyncio.run(thinkers.choose(match, level, "a seat", ""))
    assert thought.id in _offered(match)


def test_a_process_that_dies_is_replaced(thinkers: Thinkers) -> None:
    match = _ford()
    asyncio.run(thinkers.choose(match, "recruit", "a seat", ""))
    killed = _pid(thinkers)
    os.kill(killed, signal.SIGKILL)
    assert asyncio.run(thinkers.choose(match, "recruit", "a seat", "")).id in _offered(match)
    assert _pid(thinkers) != killed


def test_a_player_that_fails_says_so_and_the_next_question_is_answered(thinkers: Thinkers) -> None:
    match = _ford()
    with pytest.raises(BulgeError, match="there is no player 'nobody'"):
        asyncio.run(thinkers.choose(match, "nobody", "a seat", ""))
    assert asyncio.run(thinkers.choose(match, "recruit", "a seat", "")).id in _offered(match)


def test_whoever_thinks_is_not_waited_for_at_the_end() -> None:
    thinkers = Thinkers(1)

    async def leave_in_the_middle() -> None:
        match: Match[Any] = Match(load_game("the_bulge"), seed="0" * 32)
        twin = match.copy_for(match.asked().side, random.Random(1))
        thinking = asyncio.create_task(thinkers.choose(twin, "veteran", "a seat", ""))
        while thinkers._thinkers[0]._process is None:
            await asyncio.sleep(0.01)
        thinkers.close()
        with pytest.raises(BulgeError, match="stopped"):
            await thinking

    asyncio.run(leave_in_the_middle())
    assert thinkers._thinkers[0]._process is None


def test_a_thought_for_which_nobody_waits_any_more_was_thought_all_the_same(thinkers: Thinkers) -> None:
    """A match that is deleted in the middle of it does not end the thought."""
    spent: list[float] = []

    async def leave_in_the_middle() -> None:
        thinking = asyncio.create_task(thinkers.choose(_ford(), "recruit", "a seat", "", spent=spent.append))
        while thinkers._thinkers[0]._process is None:
            await asyncio.sleep(0.01)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        await thinkers.choose(_ford(), "recruit", "another seat", "")

    asyncio.run(leave_in_the_middle())
    assert len(spent) == 1


def test_whoever_thinks_alone_has_all_cores_and_several_share_them() -> None:
    """How many think is counted once each, however much each of them still has to answer."""
    thinkers = Thinkers(2, cores=2)
    counted: list[int] = []

    async def ask_at_once(seats: list[str]) -> None:
        match = _ford()
        asked = [asyncio.create_task(thinkers.choose(match, "recruit", seat, "")) for seat in seats]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        counted.append(thinkers._under_way.value)
        await asyncio.gather(*asked)
        counted.append(thinkers._under_way.value)

    try:
        asyncio.run(ask_at_once(["one"]))
        asyncio.run(ask_at_once(["one", "two"]))
        asyncio.run(ask_at_once(["one", "one"]))
    finally:
        thinkers.close()
    assert counted == [1, 0, 2, 0, 1, 0]


def test_helpers_are_asked_as_long_as_there_are_cores_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the process that thinks: the company asks anew how many cores there are."""
    made: list[Company] = []
    under_way = get_context("spawn").RawValue("i", 1)
    monkeypatch.setattr(computer, "answer_all", lambda _, think, *__, **___: made.append(think.args[1].company))
    computer._think_for_others(4, under_way, Pipe()[0])
    cores = []
    for thinking in (0, 1, 2, 3, 4, 9):
        under_way.value = thinking
        cores.append(made[0]._cores())
    assert cores == [4, 4, 2, 1, 1, 0]


def test_the_time_of_helpers_counts_as_thinking() -> None:
    company, match = Company(lambda: 1), _ford()
    question = computer.Question("a seat", match.asked().side, "recruit", "ford", "", match.packed())

    class Helped(computer._Players):
        def of(self, question: computer.Question, game: Any) -> Any:
            player = super().of(question, game)
            choose = player.choose

            def helped(match: Match[Any]) -> Any:
                company.helped += 1000.0
                return choose(match)

            player.choose = helped  # type: ignore[method-assign]
            return player

    assert computer._think(Library(), Helped(company), question).seconds > 1000


ORPHAN = """
import asyncio, os, signal
from tests.server.test_computer import Thinkers, _ford, _pid
if __name__ == "__main__":
    thinkers = Thinkers(1)
    asyncio.run(thinkers.choose(_ford(), "recruit", "a seat", ""))
    print(_pid(thinkers), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


HELPED = """
import asyncio, os, signal
from bulge.server.worker import Worker
from tests.server.test_computer import begin_helpers
if __name__ == "__main__":
    worker = Worker(begin_helpers, name="helped", gone="it is gone")
    print(*asyncio.run(worker.ask("who helps")), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def begin_helpers(line: Connection) -> None:
    """As a thinker with so much to do that somebody helps it."""
    company = Company(lambda: 2, patience=-1)
    answer_all(line, lambda _: (os.getpid(), helper_of(company)), "it failed")


BUSY = """
import asyncio, os, signal, threading, time
from pathlib import Path
from bulge.server.worker import Worker
from tests.server.test_computer import never_answer
if __name__ == "__main__":
    worker, asked = Worker(never_answer, name="busy", gone="it is gone"), Path(__file__).with_suffix(".asked")
    threading.Thread(target=lambda: asyncio.run(worker.ask(asked)), daemon=True).start()
    while not asked.exists():
        time.sleep(0.01)
    print(worker._process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def never_answer(line: Connection) -> None:
    """As rules do that never come to an end, with the data that a stranger brought."""

    def answer(asked: Path) -> None:
        asked.touch()
        while True:
            pass

    answer_all(line, answer, "it failed")


@pytest.mark.parametrize("script", [ORPHAN, HELPED, BUSY])
def test_a_killed_server_leaves_no_process_behind(tmp_path: Any, script: str) -> None:
    file = tmp_path / "orphan.py"
    file.write_text(script)
    done = subprocess.run(
        [sys.executable, str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert done.returncode == -signal.SIGKILL
    left = [int(process) for process in done.stdout.split()]
    for _ in range(1000):
        if not any(map(_alive, left)):
            return
        time.sleep(0.02)
    raise AssertionError("somebody goes on thinking without the server")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as status:
            return status.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_every_game_says_who_can_play_it() -> None:
    assert levels_of(load_game("the_bulge")) == LEVELS


def test_what_goes_to_the_process_is_the_match_and_never_its_seed() -> None:
    match: Match[Any] = Match(load_game("ford"), seed="c0ffee00" * 4)
    rng = random.Random(3)
    while match.decision and len(match.ids) < 40:
        twin = match.copy_for(match.decision.side, rng)
        sent = pickle.dumps(twin.packed())
        assert b"c0ffee00" not in sent
        assert bytes.fromhex("c0ffee00" * 4) not in sent
        again = Match.unpacked(match.game, pickle.loads(sent))
        assert again.position == twin.position
        assert again.asked().key() == twin.asked().key()
        match.choose(rng.choice(list(match.decision.options)))


@pytest.mark.parametrize("module", ["computer", "referee", "stage"])
def test_a_process_of_its_own_loads_neither_a_server_nor_a_database(module: str) -> None:
    """It begins when somebody waits for it: all that it does not use would make it four times as slow to begin."""
    look = f"import sys, bulge.server.{module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"litestar", "sqlalchemy", "numpy"} & set(loaded)

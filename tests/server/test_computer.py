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
from typing import Any

import pytest

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.computer import LEVELS, RANDOM, Thinkers, levels_of


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


ORPHAN = """
import asyncio, os, signal
from tests.server.test_computer import Thinkers, _ford, _pid
if __name__ == "__main__":
    thinkers = Thinkers(1)
    asyncio.run(thinkers.choose(_ford(), "recruit", "a seat", ""))
    print(_pid(thinkers), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_server_leaves_no_process_behind(tmp_path: Any) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    done = subprocess.run(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert done.returncode == -signal.SIGKILL
    thinker = int(done.stdout)
    for _ in range(1000):
        if not _alive(thinker):
            return
        time.sleep(0.02)
    raise AssertionError("the thinker goes on without its server")


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

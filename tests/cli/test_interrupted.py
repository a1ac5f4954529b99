"""Ctrl-C in the middle of long work: what has come of it so far is said, and how to go on."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bulge.lab.run import here
from bulge.players.arena import play_bouts
from bulge.players.ladder import meet
from tests.cli.conftest import Bulge
from tests.cli.test_main import PROGRAM, environment
from tests.server.test_programs import children_of

INTERRUPTED = 130


def interrupted_after(count: int, play: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """The same work until somebody has had enough of it."""

    def begin(*arguments: Any, **named: Any) -> Iterator[Any]:
        for number, done in enumerate(play(*arguments, **named)):
            if number == count:
                raise KeyboardInterrupt
            yield done

    return begin


def test_a_run_says_what_is_kept(bulge: Bulge, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("sim", "ford", "--games", "12", "--jobs", "1", "--blue", "random", "--out", "run")
    with monkeypatch.context() as interrupting:
        interrupting.setattr("bulge.cli.sim.here", interrupted_after(5, here))
        outcome = bulge(*command)
    assert outcome.code == INTERRUPTED
    assert outcome.lines == ["5 of 12 games are kept; the same command goes on with the others."]
    assert bulge(*command).lines[0] == "5 of 12 games are there already."


def test_an_atlas_says_what_is_kept_of_the_model_that_is_played(
    bulge: Bulge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bulge.lab.run.here", interrupted_after(1, here))
    command = ("atlas", "--play", "--model", "bastogne", "--games", "2", "--player", "random", "--jobs", "1")
    outcome = bulge(*command, "--out", "atlas")
    assert outcome.code == INTERRUPTED
    assert outcome.lines == ["Bastogne: 1 of 2 games are kept; the same command goes on with the others."]


def test_a_match_says_how_it_stands(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bulge.cli.match.play_bouts", interrupted_after(4, play_bouts))
    outcome = bulge("match", "greedy", "random", "ford", "--games", "6", "--jobs", "1")
    assert outcome.code == INTERRUPTED
    assert outcome.lines[0] == "Interrupted after 4 of 6 games; the same command begins anew."
    assert " of 4 games" in outcome.lines[1]


def test_a_match_that_has_hardly_begun_says_so(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bulge.cli.match.play_bouts", interrupted_after(0, play_bouts))
    outcome = bulge("match", "greedy", "random", "ford", "--games", "6", "--jobs", "1")
    assert outcome.code == INTERRUPTED
    assert outcome.lines == ["Interrupted after 0 of 6 games; the same command begins anew."]


def test_a_ladder_gives_the_ratings_so_far(bulge: Bulge, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bulge.cli.ladder.meet", interrupted_after(1, meet))
    command = ("ladder", "ford", "random", "greedy", "--most", "16", "--ahead", "250", "--jobs", "1")
    outcome = bulge(*command, "--out", "ford.json")
    assert outcome.code == INTERRUPTED
    assert outcome.lines[0] == "Interrupted after 8 games; the same command begins anew."
    assert outcome.lines[1].startswith("greedy: ")
    assert outcome.lines[2].startswith("random: 0, 8 games")
    assert not (home / "ford.json").exists()


def deaf(process: int) -> bool:
    """Whether it goes on when somebody asks it to end."""
    status = Path(f"/proc/{process}/status").read_text()
    ignored = int(next(line for line in status.splitlines() if line.startswith("SigIgn")).split()[1], 16)
    return bool(ignored >> signal.SIGTERM - 1 & 1)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="who works beside it cannot be seen there")
def test_a_ladder_that_is_ended_from_outside_ends_in_order(home: Path) -> None:
    """Whoever ends a program by its group, as `timeout` does, ends those who work beside it too."""
    command = [*PROGRAM, "ladder", "the_bulge", "recruit", "greedy", "--jobs", "2"]
    pipe = subprocess.PIPE
    ladder = subprocess.Popen(
        command, cwd=home, env=environment(home), stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )
    while sum(map(deaf, children_of(ladder.pid))) < 3:  # two who play, and one who tidies up after all
        assert ladder.poll() is None
        time.sleep(0.05)
    ladder.terminate()
    os.killpg(ladder.pid, signal.SIGTERM)
    out, err = ladder.communicate(timeout=60)
    assert (ladder.returncode, err) == (INTERRUPTED, "")
    assert out == "Interrupted after 0 games; the same command begins anew.\n"


def test_a_ladder_against_the_rules_says_who_has_played(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    players: list[str] = []

    def play_alone(_game: object, name: str, *_: object) -> bool:
        players.append(name)
        if name == "greedy":
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr("bulge.cli.ladder.play_alone", play_alone)
    outcome = bulge("ladder", "bastogne", "random", "greedy", "--most", "2")
    assert outcome.code == INTERRUPTED
    assert outcome.lines[1:] == ["Interrupted: 1 of 2 players have played; the same command begins anew."]

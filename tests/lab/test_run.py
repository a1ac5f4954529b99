"""Runs: the same results however often they are interrupted and wherever they are played."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from bulge.core.errors import BulgeError
from bulge.core.journal import read, verify
from bulge.games import GAMES, load_game
from bulge.lab import plan as plan_module
from bulge.lab.plan import Laboratory, plan_of
from bulge.lab.run import MOST_DEATHS, Processes, carry_out, here
from bulge.lab.store import PARTS, RESULTS, Folder, read_plan, rows_of
from tests.lab.conftest import FORD, rows, run

linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes as Linux shows them")


@pytest.mark.slow
def test_the_same_plan_gives_the_same_games(ford_run: Path, tmp_path: Path) -> None:
    again = run(tmp_path / "again", "ford", FORD, 30)
    assert rows(again.path) == rows(ford_run)
    other = run(tmp_path / "other", "ford", FORD, 30, seed="2")
    assert rows(other.path) != rows(ford_run)


def test_a_game_does_not_depend_on_those_before_it(ford_run: Path) -> None:
    plan = plan_of(load_game("ford"), FORD, games=30)
    alone = Laboratory(plan).play(17).row
    kept = rows(ford_run)[17]
    assert (alone.seed, alone.winner, alone.losses, alone.front) == (
        kept["seed"],
        kept["winner"],
        kept["losses"],
        kept["front"],
    )


def test_every_game_has_its_row_in_order(ford_run: Path) -> None:
    assert [row["number"] for row in rows(ford_run)] == list(range(30))
    assert len({row["seed"] for row in rows(ford_run)}) == 30
    assert not (ford_run / PARTS).exists()


@pytest.mark.slow
def test_thinking_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    laboratory = Laboratory(plan_of(load_game("ford"), {"Blue": "planner", "Red": "planner"}, games=1))
    in_peace = laboratory.play(0).row
    monkeypatch.setattr("bulge.players.planner.time.thread_time", count(0, 1000).__next__)
    in_a_hurry = laboratory.play(0).row
    in_peace.seconds = in_a_hurry.seconds = 0
    assert in_a_hurry == in_peace


@pytest.mark.slow
def test_two_processes_give_the_same_games_as_one(ford_run: Path, tmp_path: Path) -> None:
    folder = run(tmp_path / "two", "ford", FORD, 30, execute=Processes(2))
    assert rows(folder.path) == rows(ford_run)


def test_an_interrupted_run_goes_on_with_what_is_missing(ford_run: Path, tmp_path: Path) -> None:
    game = load_game("ford")
    folder = Folder(tmp_path / "run", plan_of(game, FORD, games=30), game.sides)
    played: list[int] = []

    def stop_after_ten(one: plan_module.Played) -> None:
        played.append(one.place)
        if len(played) == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out(folder, here, stop_after_ten)
    assert not folder.complete
    assert folder.missing() == list(range(10, 30))
    (folder.path / PARTS / "part-00011.123.tmp").write_bytes(b"half a part")
    (folder.path / "results.123.tmp").write_bytes(b"half of the results")
    carry_out(folder, here, lambda one: played.append(one.place))
    assert played == list(range(30))
    assert rows(folder.path) == rows(ford_run)
    assert sorted(path.name for path in folder.path.iterdir()) == ["results.parquet", "run.json"]


def test_a_folder_that_was_only_just_begun_can_be_used(tmp_path: Path) -> None:
    game = load_game("ford")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.123.tmp").write_bytes(b"{")
    folder = Folder(tmp_path / "run", plan_of(game, FORD, games=2), game.sides)
    carry_out(folder, here, lambda played: None)
    assert len(rows(folder.path)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_ends_like_an_undisturbed_one(ford_run: Path, tmp_path: Path, jobs: str) -> None:
    arguments = ["sim", "ford", "--games", "30", "--red", "random", "--jobs", jobs, "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "bulge.cli.main", *arguments]
    victim = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    _wait_for(lambda: len(list((tmp_path / "run").glob("parts/*.parquet"))) >= 3, victim)
    os.killpg(victim.pid, signal.SIGKILL)
    victim.wait()
    assert not (tmp_path / "run" / RESULTS).exists()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "of 30 games are there already" in done.stdout
    assert rows(tmp_path / "run") == rows(ford_run)


@pytest.mark.slow
@linux
def test_a_killed_run_leaves_no_process_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bulge.cli.main", "sim", "ford", "--games", "3000", "--red", "random"]
    command += ["--jobs", "2", "--out", str(tmp_path / "run")]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_for(lambda: (tmp_path / "run" / PARTS).exists(), running)
    workers = _workers(running.pid)
    assert len(workers) == 2
    running.kill()
    running.wait()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "they play on for nobody"
        time.sleep(0.05)


@pytest.mark.slow
@linux
def test_a_killed_process_loses_no_game(ford_run: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bulge.cli.main", "sim", "ford", "--games", "30", "--red", "random"]
    command += ["--jobs", "2", "--out", str(tmp_path / "run")]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_for(lambda: len(list((tmp_path / "run").glob("parts/*.parquet"))) >= 2, running)
    os.kill(_workers(running.pid)[0], signal.SIGKILL)
    assert running.wait(timeout=120) == 0
    assert rows(tmp_path / "run") == rows(ford_run)


def _wait_for(condition: object, process: subprocess.Popen[bytes]) -> None:
    assert callable(condition)
    while not condition():
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.002)


def _workers(pid: int) -> list[int]:
    """The processes of a run that play, not the one that keeps count of shared memory."""
    children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_processes_that_all_die_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(load_game("ford"), FORD, games=4)
    processes = Processes(1)
    tried = []

    def dies(*_: object) -> plan_module.Played:
        from concurrent.futures.process import BrokenProcessPool

        tried.append(1)
        raise BrokenProcessPool

    monkeypatch.setattr(processes, "_until_one_dies", dies)
    with pytest.raises(BulgeError, match="die before they finish a game"):
        list(processes(plan, range(4)))
    assert len(tried) == MOST_DEATHS


def test_journals_on_request_verify(bulge_run: Path) -> None:
    game = load_game("the_bulge")
    files = sorted((bulge_run / "journals").glob("*.json"))
    assert [file.name for file in files] == [f"campaign-{number:05}.json" for number in range(3)]
    journal = read(files[0])
    assert journal.seed == rows(bulge_run)[0]["seed"]
    assert verify(game, journal).faults == []


def test_no_journals_unless_asked(ford_run: Path) -> None:
    assert sorted(path.name for path in ford_run.iterdir()) == ["results.parquet", "run.json"]


# ---------------------------------------------------------------------- folders


def test_a_folder_takes_no_other_run(ford_run: Path) -> None:
    game = load_game("ford")
    with pytest.raises(BulgeError, match="holds another run: games was 30 and is 31 now"):
        Folder(ford_run, plan_of(game, FORD, games=31), game.sides)
    with pytest.raises(BulgeError, match="players was Blue greedy, Red random and is Blue random, Red random now"):
        Folder(ford_run, plan_of(game, {"Blue": "random", "Red": "random"}, games=30), game.sides)


def test_a_folder_takes_no_run_with_other_rules(ford_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("ford")
    monkeypatch.setattr(plan_module, "made_by", lambda _: "something else")
    with pytest.raises(BulgeError, match="rules, the data or the players have changed"):
        Folder(ford_run, plan_of(game, FORD, games=30), game.sides)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    game = load_game("ford")
    (tmp_path / "letter.txt").write_text("Dear Anna")
    with pytest.raises(BulgeError, match="holds other things than a run"):
        Folder(tmp_path, plan_of(game, FORD, games=3), game.sides)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_run_that_is_not_complete_has_no_results(tmp_path: Path) -> None:
    game = load_game("ford")
    Folder(tmp_path / "run", plan_of(game, FORD, games=3), game.sides)
    with pytest.raises(BulgeError, match="is not complete"):
        list(rows_of(tmp_path / "run"))
    with pytest.raises(BulgeError, match="holds no run"):
        list(rows_of(tmp_path))


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        ("{", "run.json is damaged"),
        ("[]", "run.json is not the plan of a run"),
        ('{"format": "bulge journal", "version": 1}', "run.json is not the plan of a run"),
        ('{"format": "bulge run", "version": 2}', "run.json has version 2; this program reads version 1"),
        ('{"format": "bulge run", "version": 1, "game": "ford"}', "run.json is damaged"),
    ],
)
def test_a_plan_of_another_kind_or_version_is_refused(tmp_path: Path, plan: str, complaint: str) -> None:
    (tmp_path / "run.json").write_text(plan)
    with pytest.raises(BulgeError, match=complaint):
        read_plan(tmp_path)


def in_its_middle(path: Path, change: bytes) -> None:
    """Write over a file, half way through it."""
    content = path.read_bytes()
    half = len(content) // 2
    path.write_bytes(content[:half] + change + content[half + len(change) :])


@pytest.mark.parametrize("damage", ["cut off", "altered", "empty"])
def test_damaged_results_are_named(ford_run: Path, tmp_path: Path, damage: str) -> None:
    results = Path(shutil.copytree(ford_run, tmp_path / "run")) / RESULTS
    if damage == "altered":
        in_its_middle(results, b"x" * 2000)
    else:
        results.write_bytes(results.read_bytes()[: 1000 if damage == "cut off" else 0])
    with pytest.raises(BulgeError, match=r"results.parquet cannot be read, it may be damaged"):
        list(rows_of(tmp_path / "run"))


def test_a_damaged_part_is_named_and_its_games_can_be_played_again(ford_run: Path, tmp_path: Path) -> None:
    game = load_game("ford")
    folder = Folder(tmp_path / "run", plan_of(game, FORD, games=30), game.sides)
    laboratory = Laboratory(folder.plan)
    for part in folder.parts:
        folder.keep(part, [laboratory.play(place) for place in folder.games_of(part)])
    spoilt = folder.path / PARTS / "part-00007.parquet"
    spoilt.write_bytes(b"no table")
    with pytest.raises(BulgeError, match=r"part-00007.parquet cannot be read, it may be damaged.*delete it"):
        carry_out(folder, here, lambda played: None)
    spoilt.unlink()
    carry_out(folder, here, lambda played: None)
    assert rows(folder.path) == rows(ford_run)


@pytest.mark.parametrize(
    ("players", "games", "scenarios", "complaint"),
    [
        ({"Blue": "greedy"}, 3, (), "nobody plays Red"),
        ({"Blue": "greedy", "Red": "genius"}, 3, (), "there is no player 'genius'"),
        (FORD, 0, (), "at least one game"),
        (FORD, 3, ("bridge", "bridge"), "named twice"),
        (FORD, 3, ("moon",), "has no scenario 'moon'"),
    ],
)
def test_a_plan_is_checked_before_the_first_game(
    players: dict[str, str], games: int, scenarios: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(BulgeError, match=complaint):
        plan_of(load_game("ford"), players, games=games, scenarios=scenarios)


def test_the_hash_of_a_run_follows_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    before = plan_module.made_by("ford"), plan_module.made_by("the_bulge")
    assert before[0] != before[1]
    reading = Path.read_bytes

    def changed(path: Path) -> bytes:
        return reading(path) + (b"x" if path.match("ford/units.csv") else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
    assert plan_module.made_by("ford") != before[0]
    assert plan_module.made_by("the_bulge") == before[1]


LOADED = """
import sys
from bulge.games import load_game
from bulge.lab.plan import Laboratory, deciders, plan_of
game = load_game(sys.argv[1])
Laboratory(plan_of(game, dict.fromkeys(deciders(game, game.scenarios), "regular"), games=1))
print(*(module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "bulge"), sep="\\n")
"""


@pytest.mark.parametrize("game", GAMES)
def test_the_hash_of_a_run_follows_every_module_that_its_game_loads(game: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, game], capture_output=True, text=True, check=True)
    loaded = set(map(Path, done.stdout.split("\n")[:-1]))
    root = Path(plan_module.__file__).parents[1]
    only_name_what_is_in_them = {root / "__init__.py", root / "lab" / "__init__.py"}
    assert loaded - only_name_what_is_in_them <= set(plan_module.files_behind(game))


def test_the_hash_of_a_run_does_not_follow_what_was_learned_from_games() -> None:
    behind = plan_module.files_behind("ford")
    assert not [path for path in behind if path.match("weights/ford/*.json") or path.match("strengths/*.json")]

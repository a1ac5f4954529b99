"""The command line itself: overview, help, and one clear line for every mistake."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bulge import __version__
from bulge.cli import common, main
from bulge.cli.common import data_folder
from bulge.core.errors import BulgeError
from bulge.games import GAMES
from tests.cli.conftest import Bulge, files_in

THE_GAMES = "are: " + ", ".join(GAMES)
GOOD_OVERRIDES = "[ford.units.B1]\nstrength = 5\n"


def test_alone_it_gives_an_overview(bulge: Bulge) -> None:
    outcome = bulge()
    assert outcome.code == 0
    assert "bulge play ford" in outcome.out
    assert "  verify " in outcome.out


def test_version(bulge: Bulge) -> None:
    outcome = bulge("--version")
    assert (outcome.code, outcome.out) == (0, f"bulge {__version__}\n")


COMMANDS = {
    "play": "[GAME]", "verify": "FILE", "data": "GAME", "rules": "GAME", "map": "GAME", "fuzz": "GAME",
    "match": "A B GAME", "ladder": "GAME [PLAYER]...", "sim": "GAME", "tune": "GAME DIR...", "review": "FILE",
    "report": "DIR...", "atlas": "", "bench": "[GAME]...", "serve": "", "backup": "FILE", "restore": "FILE",
    "people": "[NAME]",
}  # fmt: skip


def test_every_command_is_listed_here() -> None:
    assert [command.name for command in main.app.registered_commands] == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_without_marks_or_frames(bulge: Bulge, command: str) -> None:
    outcome = bulge(command, "--help")
    assert outcome.code == 0
    assert outcome.lines[0] == f"Usage: bulge {command} [OPTIONS] {COMMANDS[command]}".rstrip()
    assert not set("{╭│─\x1b") & set(outcome.out)
    arguments = outcome.out.partition("\nArguments:\n")[2].partition("\nOptions:\n")[0]
    assert "<" not in arguments


MISTAKES = {
    "unknown command": (["plya"], ["'plya'", "play, verify, data"]),
    "unknown flag before a command": (["--foo"], ["--foo", "--overrides, --version"]),
    "unknown flag of data": (["data", "ford", "--foo"], ["--foo", "--reconstructed, --table"]),
    "unknown flag of play": (["play", "ford", "--foo", "x"], ["--foo", "--blue, --red", "--seed"]),
    "unknown flag without a game": (["play", "--foo", "x"], ["--foo", "--blue"]),
    "unknown short flag": (["play", "ford", "-x"], ["-x", "--blue, --red"]),
    "flag before the game": (["play", "--green", "random", "ford"], ["--green", "--blue, --red"]),
    "overrides in the wrong place": (["data", "ford", "--overrides", "x"], ["comes before the command"]),
    "overrides after play": (["play", "ford", "--overrides", "x"], ["comes before the command"]),
    "missing argument": (["verify"], ["'FILE'", "usage: bulge verify [OPTIONS] FILE"]),
    "missing game": (["data"], ["'GAME'", THE_GAMES]),
    "missing value": (["play", "ford", "--seed"], ["--seed"]),
    "wrong game to play": (["play", "fort"], ["'fort'", THE_GAMES]),
    "wrong game's data": (["data", "fort"], ["'fort'", THE_GAMES]),
    "no game's name": (["play", ""], ["''", THE_GAMES]),
    "wrong scenario": (["play", "ford", "--scenario", "x"], ["'x'", "it has: bridge"]),
    "wrong player": (["play", "ford", "--blue", "robot"], ["'robot'", "human", "random"]),
    "no player": (["play", "ford", "--blue"], ["--blue", "human", "random"]),
    "side without player": (["play", "ford", "--side", "blue"], ["SIDE=PLAYER", "'blue'"]),
    "wrong side": (["play", "ford", "--side", "green=human"], ["--green", "--blue, --red"]),
    "two games": (["play", "ford", "chess"], ["'chess'"]),
    "wrong table": (["data", "ford", "--table", "x"], ["'x'", "units, chits, cards, combat"]),
    "no such file to verify": (["verify", "none.json"], ["none.json", "No such file"]),
    "no such file to load": (["play", "--load", "none.json"], ["none.json", "No such file"]),
    "broken file to verify": (["verify", "broken.json"], ["broken.json", "not a complete JSON file"]),
    "broken file to load": (["play", "--load", "broken.json"], ["broken.json", "not a complete JSON file"]),
    "no such overrides": (["--overrides", "none.toml", "data", "ford"], ["none.toml"]),
    "broken overrides": (["--overrides", "broken.json", "data", "ford"], ["broken.json", "TOML"]),
    "overrides of no table": (["--overrides", "odd.toml", "data", "ford"], ["odd.toml", "'unit'", "units"]),
    "saving into a folder": (["play", "ford", "--save", "."], ["folder"]),
    "saving over something else": (["play", "ford", "--save", "broken.json"], ["not a saved game"]),
    "seed of a saved game": (["play", "--load", "none.json", "--seed", "1"], ["--seed"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_clear_line_and_changes_nothing(
    bulge: Bulge, home: Path, only_the_ford: None, mistake: str
) -> None:
    (home / "broken.json").write_text('{"format": "bulge jou')
    (home / "odd.toml").write_text("[ford.unit.B1]\nstrength = 5\n")
    before = files_in(home)
    arguments, said = MISTAKES[mistake]
    outcome = bulge(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("bulge: ")
    assert outcome.err.count("\n") == 1
    for words in said:
        assert words in outcome.err
    assert files_in(home) == before


def test_an_error_of_many_lines_is_made_one(
    bulge: Bulge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise BulgeError("first\nsecond")

    monkeypatch.setattr(common, "load_game", fail)
    assert bulge("data", "ford").err == "bulge: first second\n"


def test_a_fault_of_ours_is_one_line_too(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(common, "load_game", fail)
    outcome = bulge("data", "ford")
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert "ZeroDivisionError: oh" in outcome.err


def test_overrides_change_the_data(bulge: Bulge, home: Path) -> None:
    (home / "mine.toml").write_text(GOOD_OVERRIDES)
    outcome = bulge("--overrides", "mine.toml", "data", "ford", "--table", "units")
    assert outcome.code == 0
    assert "B1: name 1st Blue, side Blue, strength 5," in outcome.out
    assert "Source: override: mine.toml" in outcome.out


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other systems have other customs")
def test_the_data_folder_follows_xdg(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder() == home / ".local" / "share" / "bulge"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "elsewhere"))
    assert data_folder() == home / "elsewhere" / "bulge"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert data_folder() == home / ".local" / "share" / "bulge"


# ---------------------------------------------------------------------- as a real process

PROGRAM = [sys.executable, "-m", "bulge.cli.main"]
ROOT = Path(main.__file__).parents[2]


def environment(home: Path) -> dict[str, str]:
    """Output is to be buffered, as it is for users: a reader who has gone is then noticed only at the end."""
    return {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:  # where the tests themselves run in the background, a process begun here would be deaf to an interrupt
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=home,
            env=environment(home),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, heard)


def test_a_mistake_in_a_real_process(home: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "fort"], cwd=home, env=environment(home), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"bulge: there is no game 'fort'; there {THE_GAMES}\n"


@pytest.mark.parametrize(
    "command", ["data ford", pytest.param("play ford --blue random --red random", marks=pytest.mark.slow)]
)
def test_a_broken_pipe_is_quiet(home: Path, command: str) -> None:
    process = start(home, *command.split())
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.wait(30)
    process.stderr.close()
    assert process.stdin is not None
    process.stdin.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(n, marks=pytest.mark.slow) for n in (signal.SIGHUP, signal.SIGTERM))]
)
def test_an_interrupted_game_is_saved_and_quiet(home: Path, number: signal.Signals) -> None:
    process = start(home, "play", "ford")
    assert process.stdin is not None
    process.stdin.write("1\n")
    process.stdin.flush()
    assert process.stdout is not None
    for line in process.stdout:
        if "Where does" in line:
            break
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    assert "bulge play --load" in out
    assert len(list(data_folder().rglob("*.json"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_an_interrupt_before_the_first_choice_writes_nothing(home: Path) -> None:
    process = start(home, "play", "ford")
    assert process.stdout is not None
    for line in process.stdout:
        if "done" in line:
            break
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    assert files_in(home) == {}


@pytest.mark.parametrize("encoding", ["ascii:strict", pytest.param("utf-8:strict", marks=pytest.mark.slow)])
def test_no_character_typed_or_shown_ends_a_game(home: Path, encoding: str) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "ford"],
        cwd=home,
        env={**environment(home), "PYTHONIOENCODING": encoding},
        input=b"\xff\xfe\n1\nquit\nno\n",  # a list with halves of points follows the 1
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"0101, clear, cost 2" in done.stdout
    assert b"Goodbye" in done.stdout

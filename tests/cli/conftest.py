"""Runs the command line inside the test's own process, in an empty folder, for a user without files."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from bulge.cli import play as play_module
from bulge.cli.common import data_folder
from bulge.cli.main import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Bulge: TypeAlias = Callable[..., Outcome]
"""`bulge("play", "ford", typed="1\\nquit\\n")`."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is both the user's home and where they are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("BULGE_TRACEBACK", raising=False)
    return tmp_path


@pytest.fixture
def bulge(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bulge:
    def call(*arguments: str, typed: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def only_the_ford(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list to pick from is the same however many games there are."""
    monkeypatch.setattr(play_module, "GAMES", ("ford",))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def saved(home: Path) -> list[Path]:
    """The games in the user's data folder."""
    assert data_folder().is_relative_to(home)
    return sorted(data_folder().rglob("*.json"))


def after(outcome: Outcome, prompt: str) -> list[str]:
    """What was said from this prompt to the next."""
    lines = outcome.lines
    at = lines.index(prompt)
    end = next((n for n in range(at + 1, len(lines)) if re.match(r"(Blue|Red)> ", lines[n])), len(lines))
    return lines[at + 1 : end]

"""Runs of a few games, made once for all tests of the laboratory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from bulge.games import load_game
from bulge.lab.plan import plan_of
from bulge.lab.run import Executor, carry_out, here
from bulge.lab.store import RESULTS, Folder
from tests.cli.conftest import bulge, home

__all__ = ["bulge", "home"]


def run(
    path: Path,
    game: str,
    players: Mapping[str, str],
    games: int,
    *,
    seed: str = "1",
    journals: bool = False,
    execute: Executor = here,
) -> Folder:
    """A complete run in a folder."""
    loaded = load_game(game)
    plan = plan_of(loaded, players, games=games, seed=seed, journals=journals)
    folder = Folder(path, plan, loaded.sides)
    carry_out(folder, execute, lambda played: None)
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    """The results of a run, without how long they took."""
    found: list[dict[str, Any]] = parquet.read_table(path / RESULTS).drop_columns(["seconds"]).to_pylist()
    return found


FORD = {"Blue": "greedy", "Red": "random"}


@pytest.fixture(scope="session")
def ford_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty games of The Ford."""
    return run(tmp_path_factory.mktemp("lab") / "ford", "ford", FORD, 30).path


@pytest.fixture(scope="session")
def bulge_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of The Bulge by players that choose at random, with their journals."""
    players = {"German": "greedy", "Allied": "random"}
    return run(tmp_path_factory.mktemp("lab") / "bulge", "the_bulge", players, 3, journals=True).path

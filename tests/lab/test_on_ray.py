"""The same run on Ray: equal results, on a cluster of two workers of which one is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bulge.core.errors import BulgeError
from bulge.games import load_game
from bulge.lab import on_ray
from bulge.lab.plan import plan_of
from tests.lab.conftest import FORD, rows

pytestmark = pytest.mark.slow

QUIET = {**os.environ, "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_USAGE_STATS_ENABLED": "0"}


def test_two_workers_of_which_one_is_lost_play_the_same_games(ford_run: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.lab.ray_cluster", str(tmp_path / "run"), "30"]
    done = subprocess.run(command, capture_output=True, text=True, env=QUIET, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "lost a worker after 10 games" in done.stdout
    assert "played 30 games" in done.stdout
    assert rows(tmp_path / "run") == rows(ford_run)


def test_the_command_starts_a_cluster_of_its_own(ford_run: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bulge.cli.main", "sim", "ford", "--games", "30", "--red", "random", "--ray"]
    command += ["--jobs", "2", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, env=QUIET, timeout=300)
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path / "run") == rows(ford_run)


@pytest.mark.parametrize(
    ("address", "complaint"),
    [("127.0.0.1:1", "there is no Ray cluster at 127.0.0.1:1"), ("here:there", "wants HOST:PORT or auto")],
)
def test_a_cluster_that_is_not_there_is_said_at_once(address: str, complaint: str) -> None:
    plan = plan_of(load_game("ford"), FORD, games=1)
    with pytest.raises(BulgeError, match=complaint):
        list(on_ray.OnRay(address, 1)(plan, [0]))


def test_a_worker_with_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(load_game("ford"), FORD, games=1)
    monkeypatch.setattr(on_ray, "made_by", lambda _: "something else")
    monkeypatch.setattr(on_ray, "_laboratories", {})
    with pytest.raises(BulgeError, match="another version of bulge"):
        on_ray._play_there(plan, 0)

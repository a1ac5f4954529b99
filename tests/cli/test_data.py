"""`bulge data`: every row with its source, and how many come from where."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bulge.cli import common
from bulge.core.data import DataTable, Row
from tests.cli.conftest import Bulge


class Gun(Row, frozen=True, kw_only=True, rename={"to_hit": "to hit"}):
    calibre: int
    to_hit: int = 0
    ranges: dict[str, int] = {}
    towed: bool = False
    crews: tuple[str, ...] = ()


@pytest.fixture
def guns(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Gun(id="A", source="rulebook 1.2", calibre=75, to_hit=4, ranges={"near": 1, "far": 9}),
        Gun(id="B", source="reconstructed: the counters are not public", calibre=88, towed=True),
        Gun(id="C", source="rulebook 1.3", calibre=50, crews=("x", "y")),
    ]
    game = SimpleNamespace(title="Guns", data=SimpleNamespace(tables={"guns": DataTable("guns", rows)}))
    load: Callable[..., Any] = lambda *_: game  # noqa: E731
    monkeypatch.setattr(common, "load_game", load)


def test_all_tables_of_a_game(bulge: Bulge) -> None:
    outcome = bulge("data", "ford")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Table units: 6 rows" in outcome.lines
    assert "B1: name 1st Blue, side Blue, strength 3, steps 2, hex 0202. Source: ours" in outcome.lines
    assert "Table chits: 6 rows" in outcome.lines
    assert outcome.lines[-2:] == ["All: 29 rows", "From ours: 29"]


def test_one_table(bulge: Bulge) -> None:
    outcome = bulge("data", "ford", "--table", "chits")
    assert "Table chits: 6 rows" in outcome.lines
    assert "Table units: 6 rows" not in outcome.lines
    assert "All: 6 rows" in outcome.lines


def test_a_game_by_its_title(bulge: Bulge) -> None:
    assert bulge("data", "Ford").code == 0


def test_nothing_reconstructed_is_said(bulge: Bulge) -> None:
    assert bulge("data", "ford", "--reconstructed").lines == ["No row is reconstructed."]


@pytest.mark.usefixtures("guns")
def test_only_reconstructed_rows(bulge: Bulge) -> None:
    assert bulge("data", "guns", "--reconstructed").lines == [
        "Table guns: 1 row",
        "B: calibre 88, towed yes. Source: reconstructed: the counters are not public",
        "",
        "All: 1 row",
        "From reconstructed: 1",
    ]


@pytest.mark.usefixtures("guns")
def test_counts_by_source(bulge: Bulge) -> None:
    outcome = bulge("data", "guns")
    assert "A: calibre 75, to hit 4, near 1, far 9. Source: rulebook 1.2" in outcome.lines
    assert "C: calibre 50, crews x and y. Source: rulebook 1.3" in outcome.lines
    assert outcome.lines[-3:] == ["All: 3 rows", "From rulebook: 2", "From reconstructed: 1"]

"""Files of weights: found by scenario, and a damaged one is told of by its name; what they cannot have learned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bulge.core import journal as journals
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players import chances
from bulge.players.chances import estimate, weights_of
from bulge.players.knowledge.the_bulge import OFTEN_LEAVES
from tests.cli.conftest import Bulge

SHIPPED = Path(chances.__file__).parent / "weights" / "ford" / "all.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of the one for The Ford."""
    found = tmp_path / "weights" / "ford"
    found.mkdir(parents=True)
    monkeypatch.setattr(chances, "files", lambda _: tmp_path)
    caches = (chances.weights_of, chances._learned)
    for cached in caches:
        cached.cache_clear()
    yield found
    for cached in caches:
        cached.cache_clear()


def test_weights_are_found_by_scenario_whatever_else_lies_there(folder: Path) -> None:
    (folder / "all.json~").write_text("an editor's")
    (folder / "all.json").write_bytes(SHIPPED.read_bytes())
    found = weights_of("ford", "bridge")
    assert found is not None
    assert found.game == "ford"
    assert weights_of("ford", "another") is None


@pytest.mark.parametrize(
    "text",
    [
        SHIPPED.read_text()[:2000],
        '{"game": "ford"}',
        SHIPPED.read_text().partition('"resampled"')[0] + '"resampled": []}',
    ],
)
def test_damaged_weights_are_told_of_by_their_name(folder: Path, bulge: Bulge, text: str) -> None:
    (folder / "all.json").write_text(text)
    with pytest.raises(BulgeError, match=r"all.json is damaged: "):
        weights_of("ford", "bridge")
    played = Path(__file__).parents[1] / "played" / "ford-random-1.json"
    outcome = bulge("review", str(played))
    assert (outcome.code, outcome.out) == (2, "")
    assert "all.json is damaged" in outcome.err


def test_a_panzer_that_can_leave_the_map_is_as_good_as_won() -> None:
    """On turn 7 of this game 12th SS Panzer drove to the edge, and what had been learned gave it one in three."""
    journal = journals.read(Path(__file__).parent.parent / "played" / "the_bulge-by-hand-2.json")
    game = load_game("the_bulge")
    match: Match[Any] = Match(game, seed=journal.seed, keep_log=False)
    found = []
    for id_ in journal.choices:
        if (match.position.turn, match.position.step) == (7, "allied_combat_2"):
            found.append(estimate(game, "campaign", match.position, "German"))
        match.answer(id_)
    assert all(each is not None and each.low >= OFTEN_LEAVES for each in found)
    assert found

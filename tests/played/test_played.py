"""Whole games kept as journals: every run replays them to the same position, die for die.

A change of the rules that alters what happened in one of them must be meant; then keep the game anew:
`bulge play GAME --load OLD --save NEW`, or play another.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core import journal as journals
from bulge.games import GAMES, load_game

KEPT = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_game_replays_to_the_same_position(path: Path) -> None:
    journal = journals.read(path)
    verdict = journals.verify(load_game(journal.game), journal)
    assert verdict.faults == []
    assert verdict.match.result is not None


def test_games_of_every_playable_game_are_kept() -> None:
    assert {journals.read(path).game for path in KEPT} >= set(GAMES)

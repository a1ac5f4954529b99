"""Several hits answered at once (rule 16.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core import journal as journals
from bulge.core.match import Match
from bulge.games import load_game
from bulge.games.bastogne.losses import Hit

KEPT = Path(__file__).parents[2] / "played/bastogne-greedy-1.json"
GAME = "bastogne"


@pytest.mark.rule(GAME, "16.7")
def test_all_hits_on_a_space_are_shared_out_by_one_answer() -> None:
    """Two hits on five units in Senonchamps: two units are reduced, none is lost."""
    journal = journals.read(KEPT)
    match = Match(load_game(GAME), journal.scenario, journal.options, seed=journal.seed)
    while not isinstance(match.asked().about, Hit):
        match.answer(journal.choices[len(match.ids)])
    question = match.asked().about
    assert isinstance(question, Hit)
    assert question.left == 2
    before, made = list(match.position.steps), len(match.ids)
    for choice in match.in_a_row():
        match.choose(choice)
    assert len(match.ids) == made + 2
    lost = [old - new for old, new in zip(before, match.position.steps, strict=True)]
    assert sum(lost) == 2
    assert all(new for new, gone in zip(match.position.steps, lost, strict=True) if gone), "a unit was lost"
    now = match.asked().about
    assert not isinstance(now, Hit) or now.space != question.space

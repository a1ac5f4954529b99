"""Briefings and guided first turns: what they point at exists, and a step is short."""

from __future__ import annotations

import pytest

from bulge.core.match import Match
from bulge.games import GAMES, load_game

MOST_WORDS = 40


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_a_guided_first_turn_that_fits_it(game_id: str) -> None:
    game = load_game(game_id)
    assert game.learning.lessons
    units = {unit.id for unit in game.units}
    for lesson in game.learning.lessons:
        assert lesson.side in game.players, lesson.title
        assert all(game.board.has(space) for space in lesson.spaces), lesson.title
        assert set(lesson.units) <= units, lesson.title
        assert len(lesson.words.split()) <= MOST_WORDS, f"{lesson.title}: {len(lesson.words.split())} words"
        what, _, name = lesson.until.partition(" ")
        assert what in {"read", "picked", "went", "battle", "rolled", "step", "turn"}, lesson.until
        if what == "step":
            assert name in game.sequence, lesson.until
        if what in {"picked", "went"}:
            assert name in units, lesson.until


@pytest.mark.parametrize("game_id", [id_ for id_ in GAMES if id_ != "ford"])
def test_a_briefing_cites_rules_and_lights_spaces_that_exist(game_id: str) -> None:
    game = load_game(game_id)
    briefing = game.learning.briefing
    assert briefing is not None
    assert {side for side, _ in briefing.wants} == set(game.sides)
    wishes = [*briefing.mistakes, *briefing.victory, *(wish for _, wants in briefing.wants for wish in wants)]
    for wish in wishes:
        assert all(game.board.has(space) for space in wish.spaces), wish.words
        if wish.rule:
            assert game.rulebook[wish.rule]


def test_the_hexes_of_the_bulge_s_first_attack_are_open() -> None:
    match = Match(load_game("the_bulge"), seed="0" * 32)
    open_ = {match.game.id_of(match.asked(), choice) for choice in match.asked().options}
    lit = {space for lesson in match.game.learning.lessons[1:4] for space in lesson.spaces}
    assert lit <= open_

"""What the laboratory counts in Enemy Action, held against the log of the same game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.match import Match
from bulge.games import load_game
from bulge.lab.measures import measures_of
from bulge.lab.record import Recorder
from bulge.lab.report.history import History
from bulge.players.random_player import RandomPlayer


@pytest.fixture(scope="module")
def first_day() -> tuple[Any, Match[Any]]:
    game = load_game("enemy_action")
    recorder = Recorder(game)
    recorder.begin("initial_assault", {})
    match = Match(game, "initial_assault", seed="5" * 32)
    player = RandomPlayer(random.Random(5))
    while match.decision is not None:
        match.choose(player.choose(match))
    return recorder.row(match, 0), match


def test_impulses_cards_and_fights_of_a_day_are_counted(first_day: tuple[Any, Match[Any]]) -> None:
    row, match = first_day
    counts = {count.what: count.by_turn for count in row.counts}
    words = [event.words for event in match.log]
    draws = sum(line.startswith("German card") and "(impulse)" in line for line in words)
    assert counts["German impulses"] == [draws // 2]
    assert counts["Allied commands"] == [sum(line.startswith("The Allies play") for line in words)]
    assert counts["Allied passes"] == [sum(line.startswith("The Allies pass") for line in words)]
    chits = sum(event.rule == "12.41" and event.words.startswith("Chit ") for event in match.log)
    drawn = [by_turn for what, by_turn in counts.items() if what.startswith("Chits in ")]
    assert sum(sum(by_turn) for by_turn in drawn) == chits > 0
    assert all(len(by_turn) == len(row.turns) for by_turn in counts.values())


def test_the_front_of_1944_scores_what_its_towns_are_worth() -> None:
    game: Any = load_game("enemy_action")
    measures = measures_of(game)
    # St. Vith, Ettelbruck, La Roche and St. Hubert: the eight points for towns with which 18.5 begins.
    assert measures.points_for(History(measures.ground).held(22)) == 8
    assert measures.points_for([]) == 0
    assert measures.points_for([game.board.at("1814")]) == game.facts.vp[game.board.at("1814")]

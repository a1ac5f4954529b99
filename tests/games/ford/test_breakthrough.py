"""Breakthroughs in The Ford (rule 8): a battle inside a battle, to any depth."""

from __future__ import annotations

import random

import pytest

from bulge.core.match import Match
from bulge.games.ford.facts import FordPosition
from bulge.games.ford.game import Ford
from tests.games.ford.helpers import FORD, hex_of, ids, start

LINE = "B1 0202, B2 0202, R1 0203, R3 0305"


def through(*answers: str, dice: list[int]) -> Match[FordPosition]:
    """B1 and B2 attack the town; after these answers."""
    begun = ("0203", "B1", "B2", "fight")
    return start(LINE, *begun, *answers, dice=dice, step="blue_fight", breakthrough=True)


@pytest.mark.rule("ford", "8.1")
def test_whoever_advances_may_attack_again_alone() -> None:
    match = through("0204", "B1", dice=[1])
    assert (match.asked().rule, ids(match)) == ("8.1", {"0204", "halt"})
    assert match.position.attacked == 0b11, "it has attacked before, and may again"


@pytest.mark.rule("ford", "8.1")
def test_without_the_option_an_advance_ends_the_battle() -> None:
    match = start(LINE, "0203", "B1", "B2", "fight", "0204", "B1", dice=[1], step="blue_fight")
    assert match.asked().rule == "6.1"
    assert Match(FORD).position.breakthrough is False
    assert Match(FORD, options={"breakthrough": "yes"}).position.breakthrough is True


@pytest.mark.rule("ford", "8.1")
def test_each_hex_is_still_attacked_once_a_turn() -> None:
    match = through("0204", "B1", "0204", "stand", dice=[1, 1])
    assert match.why_not("0204").rule == "6.1"
    match = through("0204", "B1", dice=[1])
    assert match.why_not("0305").words == "1st Blue is not next to it"
    assert match.why_not("0103").words == "no enemy unit is there"


@pytest.mark.rule("ford", "8.2")
def test_when_the_first_has_gone_on_the_next_may_follow() -> None:
    match = through("0204", "B1", "0204", "0105", "B1", dice=[1, 1])
    assert [frame.target for frame in match.position.frames] == [FORD.board.at("0203"), FORD.board.at("0204")]
    assert match.asked().rule == "8.1", "a third battle is open: B1 stands next to R1"
    match.answer("halt")
    assert len(match.position.frames) == 1, "the inner battle is over"
    assert ids(match) == {"B2", "stay"}, "B1 has left the town, so B2 may enter it"
    match.answer("B2")
    assert (hex_of(match, "B1"), hex_of(match, "B2")) == ("0204", "0203")
    assert (match.asked().rule, match.position.frames) == ("6.1", []), "nobody is left to break through"


@pytest.mark.rule("ford", "8.2")
def test_nobody_follows_into_a_hex_that_is_still_held() -> None:
    match = through("0204", "B1", "halt", dice=[1])
    assert (match.asked().rule, match.position.frames) == ("6.1", [])


@pytest.mark.rule("ford", "8.2")
def test_who_is_lost_while_breaking_through_is_followed_too() -> None:
    match = start(
        "B3 0202, B1 0202, R1 0203, R3 0305",
        *("0203", "B3", "B1", "fight", "0204", "B3", "0204"),
        dice=[1, 6],
        step="blue_fight",
        breakthrough=True,
    )
    assert hex_of(match, "B3") == "lost"
    assert ids(match) == {"B1", "stay"}


def depth_three() -> Match[FordPosition]:
    """Three battles, each inside the one before, with the question of a fourth."""
    return start(
        "B1 0202, B2 0202, R1/1 0203, R2 0104",
        *("0203", "B1", "B2", "fight", "0204", "B1", "0204", "0105", "B1", "0105", "stand", "B1"),
        dice=[2, 1, 1],
        step="blue_fight",
        breakthrough=True,
    )


def test_a_prompt_in_the_third_battle_resumes_from_its_own_step() -> None:
    match = depth_three()
    assert len(match.position.frames) == 3
    assert match.asked().rule == "8.1"
    taken = match.position.drawn
    twin = match.copy()
    assert twin.position == match.position
    assert twin.asked().key() == match.asked().key()
    assert twin.position.drawn == taken, "no die is rolled again"
    assert match.packed().choices == [], "and no choice made again"


@pytest.mark.parametrize("scenario", ["bridge", "cards"])
def test_random_games_break_through_to_depth_and_end(scenario: str) -> None:
    deepest, rng = 0, random.Random(8)
    game = Ford()
    for _ in range(120):
        match = Match(game, scenario, {"breakthrough": "yes"}, seed=rng.randbytes(16).hex(), keep_log=False)
        while match.decision is not None:
            options = list(match.decision.options)
            eager = [choice for choice in options if isinstance(choice, int)]
            match.choose(rng.choice(eager if eager and rng.random() < 0.8 else options))
            deepest = max(deepest, len(match.position.frames))
            game.check(match.position)
        assert match.position.frames == []
    assert deepest >= 2

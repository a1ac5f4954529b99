"""Nobody who plays for the computer chooses without end what leads back to where it stood."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.cli.play import _session
from bulge.cli.saving import Keeper
from bulge.core.decision import DONE, Choice, Decision, GameOver, Play, Result
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games import load_game
from bulge.games.enemy_action.allied_cards import BACK
from bulge.lab.plan import Laboratory, Plan
from bulge.players import levels
from bulge.players.arena import Pairing, play_bout
from bulge.players.greedy import GreedyPlayer
from bulge.players.ladder import Terms, play_alone
from bulge.players.onward import OnwardPlayer, onward
from bulge.players.player import NothingToChoose, Player
from bulge.players.random_player import RandomPlayer
from bulge.players.side_by_side import Company
from bulge.server.computer import HINTS, Question, _Players
from tests.helpers import SEED, Toy, ToyPosition

LONG = 200
"""Choices, after which nobody doubts that they go round in a circle."""


class Cards(Toy):
    """What is taken up can be put back; one may also wait, throw a die, or be done."""

    def _act(self, t: Table[ToyPosition]) -> Play:
        offered = ["take_up", "wait", "die", DONE] if t.p.score < 100 else ["take_up", "wait"]
        match (yield Decision("Ann", "What now?", offered, "1", top=True)):
            case "take_up":
                t.p.score += 1
                yield Decision("Ann", "And now?", ["put_back"], "1")
                t.p.score -= 1
            case "die":
                t.roll("1", "for luck")
            case "done":
                raise GameOver(Result("Ann", "Ann ends it.", "1"))
        return "act"


class Stubborn:
    """Says the first of its words that is offered, whatever came of it before."""

    name = "stubborn"

    def __init__(self, *words: Choice) -> None:
        self.words = words

    def choose(self, match: Match[Any]) -> Choice:
        options = match.asked().options
        return next((word for word in self.words if word in options), options[0])

    def why(self) -> str:
        return "it always does"


def chosen(player: Any, match: Match[Any]) -> list[str]:
    """What a player chooses, for so long that nobody doubts any more."""
    while match.decision is not None and len(match.ids) < LONG:
        match.choose(player.choose(match))
    return match.ids


def cards() -> Match[ToyPosition]:
    return Match(Cards(), seed=SEED)


@pytest.mark.parametrize("words", [("take_up", "put_back"), ("wait",)])
def test_a_circle_is_left_by_what_ends_the_matter_before_it_is_gone_round_again_and_again(
    words: tuple[str, ...],
) -> None:
    assert len(chosen(Stubborn(*words), cards())) == LONG, "by itself it never ends"
    player = OnwardPlayer(Stubborn(*words))
    assert chosen(player, cards()) == [*words, *words, "done"]
    assert player.why() == f"{words[0]} has led back to here"


def test_what_a_die_has_changed_is_no_circle() -> None:
    player, match = OnwardPlayer(Stubborn("die")), cards()
    assert chosen(player, match) == ["die"] * LONG
    assert player.why() == "it always does"


def test_where_nothing_leads_on_that_is_said() -> None:
    match = cards()
    match.position.score = 100
    match = Match.at(match.game, match.position, match.table.chance, keep_log=False)
    with pytest.raises(
        NothingToChoose, match=r"stubborn goes round in a circle: .What now\?. was answered in every way"
    ):
        chosen(OnwardPlayer(Stubborn("wait")), match)
    assert len(match.ids) < 10


def test_chance_leaves_a_circle_by_itself() -> None:
    player = RandomPlayer(random.Random(0))
    assert onward(player) is player
    assert isinstance(onward(Stubborn()), OnwardPlayer)


class Fickle(GreedyPlayer):
    """Puts back whatever it took up, as veterans of Enemy Action once did."""

    def choose(self, match: Match[Any]) -> Choice:
        return BACK if BACK in match.asked().options else super().choose(match)


@pytest.fixture
def fickle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels._MAKERS, "greedy", Fickle)


def test_a_card_is_not_taken_up_and_put_back_for_ever() -> None:
    def ended(player: Any) -> bool:
        match = Match(load_game("enemy_action"), "initial_assault", seed=SEED, keep_log=False)
        return len(chosen(player, match)) < LONG

    assert not ended(Fickle(random.Random(0)))
    assert ended(OnwardPlayer(Fickle(random.Random(0))))


@pytest.mark.usefixtures("fickle")
def test_whoever_plays_is_kept_from_circles_but_nobody_who_gives_hints() -> None:
    game = load_game("enemy_action")
    play_alone(game, "greedy", Terms(scenario="initial_assault"), 0)
    plan = Plan("enemy_action", ("initial_assault",), {"Allied": "greedy"}, games=1)
    assert Laboratory(plan).play(0).row.decisions < LONG
    match = Match(game, "initial_assault", seed=SEED)
    assert isinstance(_session(match, {"Allied": "greedy"}, Keeper())._seats["Allied"], OnwardPlayer)
    asked, players = (
        Question("m", "Allied", "greedy", "enemy_action", "", match.packed()),
        _Players(Company(lambda: 1)),
    )
    assert isinstance(players.of(asked, game), OnwardPlayer)
    # People may take back what they were told to do, and ask again.
    assert isinstance(players.of(asked._replace(seat=f"m{HINTS}"), game), Fickle)


def test_whoever_meets_another_is_kept_from_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []

    def note(player: Player) -> Player:
        kept.append(player.name)
        return player

    monkeypatch.setattr("bulge.players.arena.onward", note)
    play_bout(load_game("ford"), Pairing(("random", "greedy")), 0)
    assert kept == ["random", "greedy"]

"""Options that a game declares: checked before the set-up, filled with their defaults, kept in the journal."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import decode, encode, journal_of, verify
from bulge.core.match import Match
from bulge.core.options import GameOption, check_options, read_options, with_defaults
from bulge.games import GAMES, load_game
from bulge.games.ford.facts import FordPosition
from bulge.games.ford.game import Ford
from tests.helpers import SEED

FOG = GameOption(id="fog", title="Fog", words="Nobody sees far.", rule="1.1")
DICE = GameOption(
    id="dice", title="Dice", words="Which dice.", rule="1.1", values=(("d6", "six"), ("d10", "ten")), default="d6",
    scenarios=("long",),
)  # fmt: skip


class Foggy(Ford):
    options = (*Ford.options, FOG)

    def set_up(self, scenario: str, options: Mapping[str, str]) -> FordPosition:
        p = super().set_up(scenario, options)
        p.turn = 4 if options["fog"] == "yes" else 1
        return p


def test_every_option_of_the_scenario_gets_a_value() -> None:
    assert with_defaults((FOG, DICE), "long", {}) == {"fog": "no", "dice": "d6"}
    assert with_defaults((FOG, DICE), "short", {"fog": "yes"}) == {"fog": "yes"}


def test_a_default_must_be_one_of_the_values() -> None:
    with pytest.raises(BulgeError) as raised:
        GameOption(id="fog", title="Fog", words="Nobody sees far.", rule="1.1", default="maybe")
    assert str(raised.value) == "option 'fog' cannot be 'maybe'; it can be: no, yes"


@pytest.mark.parametrize(
    ("scenario", "given", "words"),
    [
        ("long", {"nonsense": "yes"}, "no option 'nonsense'; it has: fog, dice"),
        ("short", {"dice": "d6"}, "scenario 'short' has no option 'dice'; it has: fog"),
        ("long", {"dice": "d8"}, "option 'dice' cannot be 'd8'; it can be: d6, d10"),
    ],
)
def test_unknown_options_and_values_are_refused(scenario: str, given: dict[str, str], words: str) -> None:
    with pytest.raises(BulgeError, match=words):
        check_options((FOG, DICE), scenario, given)


@pytest.mark.parametrize("id_", GAMES)
def test_no_game_accepts_nonsense(id_: str) -> None:
    with pytest.raises(BulgeError, match="no option 'nonsense'"):
        Match(load_game(id_), options={"nonsense": "yes"}, seed=SEED)


def test_a_journal_carries_what_was_agreed() -> None:
    game: Game[FordPosition] = Foggy()
    match = Match(game, options={"fog": "yes"}, seed=SEED)
    assert match.position.turn == 4
    assert Match(game, seed=SEED).position.turn == 1
    journal = decode(encode(journal_of(match)))
    assert journal.options == {"fog": "yes"}
    assert not verify(game, journal).faults


def test_options_as_typed() -> None:
    assert read_options(["fog=yes", "dice=d10"]) == {"fog": "yes", "dice": "d10"}
    for wrong in ("fog", "=yes", "fog="):
        with pytest.raises(BulgeError, match="NAME=VALUE"):
            read_options([wrong])


@pytest.mark.parametrize("second", ["fog=no", "fog=yes"])
def test_an_option_is_named_once(second: str) -> None:
    with pytest.raises(BulgeError, match="option 'fog' is named twice: yes, "):
        read_options(["fog=yes", second])

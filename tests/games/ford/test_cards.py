"""The cards of The Ford (rule 9): hands that the other does not see, hexsides to choose, a deck to look into."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.chance import Scripted
from bulge.core.decision import Kind
from bulge.core.deck import Deck
from bulge.core.match import Match
from bulge.games.ford.cards import deck_of
from bulge.games.ford.facts import BLUE, RED, FordPosition
from tests.games.ford.helpers import FORD, costs, hex_of, ids, names, start

CARDS = [card.id for card in FORD.cards]


def numbers(words: str) -> list[int]:
    return sorted(CARDS.index(id_) for id_ in words.split())


def dealt(
    units: str, *answers: str, blue: str = "", red: str = "", pile: str = "", **more: Any
) -> Match[FordPosition]:
    """A match in which each side holds these cards and knows no others."""
    known = [0] * len(CARDS)
    for seat, hand in enumerate((blue, red)):
        for card in numbers(hand):
            known[card] = 1 << seat
    hands: dict[str, Any] = {
        "blue_hand": numbers(blue),
        "red_hand": numbers(red),
        "pile": numbers(pile),
        "known": known,
    }
    return start(units, *answers, **hands, **more)


def new_match(dice: list[int] | None = None) -> Match[FordPosition]:
    return Match(FORD, "cards", chance=Scripted(dice or [1, 1, 1, 1, 1, 1]))


@pytest.mark.rule("ford", "9.1")
def test_each_side_draws_up_to_three_cards_that_only_it_sees() -> None:
    match = new_match()
    assert match.position.cup == []
    assert [CARDS[card] for card in match.position.blue_hand] == ["mortars-1", "mortars-2", "mortars-3"]
    assert match.position.red_hand == []
    seen, watched = FORD.view(match.position, RED), FORD.view(match.position, None)
    assert seen["cards"]["hands"][BLUE] == watched["cards"]["hands"][BLUE] == [None, None, None]
    assert FORD.view(match.position, BLUE)["cards"]["hands"][BLUE] == [0, 1, 2]
    assert [event.cards for event in match.log if event.cards] == [(0,), (1,), (2,)]
    assert {event.side for event in match.log if event.cards} == {BLUE}


@pytest.mark.rule("ford", "9.1")
def test_the_discards_are_shuffled_in_when_the_deck_is_out() -> None:
    match = dealt(
        "B1 0202, R1 0203",
        blue="guns-2",
        step="blue_support",
        discards=numbers("guns-1 march-1"),
        dice=[1, 1],
    )
    assert {CARDS[card] for card in match.position.blue_hand} == {"guns-2", "guns-1", "march-1"}
    assert match.position.discards == []
    match = dealt("B1 0202, R1 0203", blue="guns-2", step="blue_support")
    assert match.position.blue_hand == numbers("guns-2"), "there is nothing left to draw"


@pytest.mark.rule("ford", "9.2")
def test_cards_are_played_before_moving_and_support_is_not() -> None:
    match = dealt("B1 0202, R1 0203", blue="guns-1 march-1 scouts-1", pile="guns-2", step="blue_cards")
    assert match.asked().kind is Kind.CARD
    assert ids(match) == {"march-1", "scouts-1", "done"}
    assert match.why_not("guns-1").words == "Guns is played in combat"
    assert match.why_not("pontoon-1").words == "it is not in your hand"
    assert match.why_not("0202").words == "a card is to be chosen now, not a hex"
    match.answer("done")
    assert match.position.step == "blue_move"
    assert dealt("B1 0202, R1 0203", step="blue_cards").position.step == "blue_move", "no cards, no question"


@pytest.mark.rule("ford", "9.3")
@pytest.mark.parametrize(
    ("blue", "red", "column"),
    [
        ("hold", "hold", "1..2"),
        ("guns-1", "hold", ">=3"),
        ("hold", "mortars-1", "1..2"),
        ("hold", "guns-2", "column 0"),
        ("guns-1", "guns-2", "1..2"),
    ],
)
def test_attacker_and_then_defender_may_support_with_a_card(blue: str, red: str, column: str) -> None:
    match = dealt(
        "B1 0304, R3 0204, R1 0105",
        *("0204", "B1", "fight"),
        blue="guns-1 pontoon-1",
        red="guns-2 mortars-1",
        step="blue_fight",
        dice=[6],
    )
    assert (match.asked().side, ids(match)) == (BLUE, {"guns-1", "hold"})
    match.answer(blue)
    assert (match.asked().side, ids(match)) == (RED, {"guns-2", "mortars-1", "hold"})
    match.answer(red)
    assert next(event.words for event in match.log if event.dice).endswith(column)
    assert [CARDS[card] for card in match.position.discards] == [card for card in (blue, red) if card != "hold"]


@pytest.mark.rule("ford", "9.3")
def test_whoever_has_cards_is_asked_even_if_none_helps() -> None:
    match = dealt(
        "B1 0304, R3 0204, R1 0105", "0204", "B1", "fight", blue="march-1", red="", step="blue_fight", dice=[2]
    )
    assert (match.asked().side, ids(match)) == (BLUE, {"hold"})
    match.answer("hold")
    assert match.asked().rule == "6.5", "Red has no cards and is not asked for one"


@pytest.mark.rule("ford", "9.4")
def test_a_pontoon_bridges_a_hexside_next_to_an_own_unit() -> None:
    match = dealt("B1 0202, R1 0204", "pontoon-1", blue="pontoon-1", step="blue_cards")
    assert match.asked().kind is Kind.SIDE
    assert ids(match) == {"0103/0202", "0202/0303"}
    assert match.why_not("0202/0203").words == "there is a bridge already"
    assert match.why_not("0102/0103").words == "none of your units stands next to it"
    assert match.why_not("0201/0202").words == "the river does not run there"
    option = match.options()[0]
    assert option.sides == (option.id,)
    match.answer("0202/0303")
    assert match.position.blue_hand == match.position.discards == [], "the card is out of the game"
    match.answer("B1")
    assert costs(match)["0303"] == "2", "woods, and no river to cross"
    assert costs(match)["0103"] == "2", "clear, and the river"
    assert "0303" in names(FORD.facts.zone(match.position, BLUE))


@pytest.mark.rule("ford", "9.4")
def test_a_pontoon_needs_a_unit_by_the_river() -> None:
    match = dealt("B1 0101, R1 0204", blue="pontoon-1", step="blue_cards")
    assert ids(match) == {"done"}
    assert match.why_not("pontoon-1").rule == "9.4"


@pytest.mark.rule("ford", "9.5")
def test_a_forced_march_is_one_point_more_this_turn() -> None:
    match = dealt("B1 0101, R1 0105", "march-1", "B1", blue="march-1", step="blue_cards")
    assert costs(match)["0305"] == "4"
    match.answer("0101")
    match.answer("done")
    assert match.position.march == 0
    assert "0305" not in costs(start("B1 0101, R1 0105", "B1"))


@pytest.mark.rule("ford", "9.6")
def test_scouts_look_at_the_next_two_cards_and_throw_one_away() -> None:
    pile = "guns-1 guns-2 mortars-1"
    match = dealt("B1 0202, R1 0203", "scouts-1", blue="scouts-1", pile=pile, step="blue_cards", dice=[1, 1])
    assert ids(match) == {"guns-1", "mortars-1", "hold"}
    assert FORD.view(match.position, RED)["cards"]["ahead"] == [None, None]
    match.answer("mortars-1")
    assert [CARDS[card] for card in match.position.discards] == ["scouts-1", "mortars-1"]
    assert [CARDS[card] for card in match.position.ahead] == ["guns-1"]
    assert match.position.step == "blue_move", "the hand is empty"


def test_a_copy_for_a_side_deals_the_other_hand_anew() -> None:
    match = new_match([3, 5, 2, 7, 1, 4])
    match.answer("done")
    match.answer("done")
    match.answer("done")
    assert match.asked().side == RED
    rng = random.Random(5)
    hands = set()
    for _ in range(40):
        twin = match.copy_for(RED, rng)
        assert twin.position.red_hand == match.position.red_hand
        hands.add(tuple(twin.position.blue_hand))
        deck: Deck = deck_of(twin.position)
        assert deck.seen_by(RED) == deck_of(match.position).seen_by(RED)
    assert len(hands) > 10
    assert hex_of(match, "B1") == "0202"

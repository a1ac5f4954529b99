"""Decks, hands and discards: every card in one place, nobody sees what he may not, deals anew are fair."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.chance import Keyed
from bulge.core.deck import Deck, deal_out, move, pour, put
from bulge.core.errors import BulgeError
from bulge.core.table import Table
from tests.helpers import SEED, Toy, ToyPosition, complaint, examples

SEATS = ("Ann", "Bob")
CARDS = 9


def table() -> Table[ToyPosition]:
    return Table(Toy(), ToyPosition(step="act"), Keyed(SEED))


def new_deck(cards: int = CARDS) -> Deck:
    return Deck(SEATS, list(range(cards)), [0] * cards, {seat: [] for seat in SEATS})


def places(deck: Deck) -> list[list[int]]:
    return [deck.pile, deck.ahead, deck.discards, *deck.hands.values()]


class Player:
    """Does anything that can be done with a deck, as it comes."""

    def __init__(self, data: st.DataObject, deck: Deck) -> None:
        self.data, self.deck, self.t, self.out = data, deck, table(), 0

    def act(self) -> None:
        deck, side = self.deck, self.data.draw(st.sampled_from(SEATS))
        doings: list[Any] = [deck.shuffle_discards_in, lambda: deck.look(self.t, side, self._count())]
        if deck.left:
            doings += [lambda: deck.draw(self.t, side), lambda: deck.turn_up(self.t)]
        if deck.hands[side]:
            card = self.data.draw(st.sampled_from(deck.hands[side]))
            doings += [
                lambda: deck.discard(card, side),
                lambda: deck.give(card, side, "Bob" if side == "Ann" else "Ann"),
                lambda: deck.lay_on_top(card, side),
                lambda: self._take_out(card, side),
            ]
        self.data.draw(st.sampled_from(doings))()

    def _take_out(self, card: int, side: str) -> None:
        self.deck.take_out(card, side)
        self.out += 1

    def _count(self) -> int:
        return self.data.draw(st.integers(1, 3))


def played(data: st.DataObject) -> Player:
    player = Player(data, new_deck())
    for _ in range(data.draw(st.integers(0, 15))):
        player.act()
    return player


@examples(150)
@given(st.data())
def test_every_card_is_in_one_place_and_piles_have_no_order(data: st.DataObject) -> None:
    player = played(data)
    deck = player.deck
    lying = [card for place in places(deck) for card in place]
    assert len(lying) == len(set(lying)) == CARDS - player.out
    assert deck.pile == sorted(deck.pile)
    assert deck.left == len(deck.pile) + len(deck.ahead)


@examples(150)
@given(st.data(), st.integers(0, 99))
def test_nobody_sees_a_difference_when_hidden_cards_are_dealt_anew(data: st.DataObject, seed: int) -> None:
    deck = played(data).deck
    for side in SEATS:
        seen, by_all = deck.seen_by(side), deck.seen_by(None)
        before = [len(place) for place in places(deck)]
        deck.deal_anew(side, random.Random(seed))
        assert deck.seen_by(side) == seen
        assert deck.seen_by(None) == by_all
        assert [len(place) for place in places(deck)] == before
        lying = [card for place in places(deck) for card in place]
        assert len(lying) == len(set(lying))


@examples(100)
@given(st.data())
def test_a_side_sees_its_own_hand_the_discards_and_what_it_has_looked_at(data: st.DataObject) -> None:
    player = played(data)
    deck = player.deck
    for side in SEATS:
        seen = deck.seen_by(side)
        assert seen["hands"][side] == deck.hands[side]
        assert seen["discards"] == deck.discards
        assert seen["pile"] == len(deck.pile)
        assert set(deck.pile) <= set(seen["unseen"])
        top = deck.look(player.t, side, 2)
        assert deck.seen_by(side)["ahead"][:2] == top


def test_a_card_that_was_seen_on_top_is_still_known_in_another_hand() -> None:
    deck, t = new_deck(), table()
    (top,) = deck.look(t, "Ann")
    assert deck.seen_by("Bob")["ahead"] == [None]
    assert deck.draw(t, "Bob") == top
    assert deck.seen_by("Ann")["hands"]["Bob"] == [top]
    assert deck.seen_by(None)["hands"]["Bob"] == [None]
    for seed in range(20):
        deck.deal_anew("Ann", random.Random(seed))
        assert deck.hands["Bob"] == [top]


def test_what_is_shuffled_in_is_forgotten() -> None:
    deck, t = new_deck(), table()
    deck.look(t, "Ann", 3)
    deck.discard(deck.draw(t, "Bob"), "Bob")
    deck.shuffle_discards_in()
    assert deck.pile == list(range(CARDS))
    assert not deck.ahead
    assert not deck.discards
    assert deck.seen_by("Ann")["unseen"] == deck.pile


def test_a_deal_anew_is_fair() -> None:
    """Each card that Ann cannot place lies in Bob's hand, on top and in the pile as often as the others."""
    deck, t = new_deck(5), table()
    deck.draw(t, "Ann")
    deck.draw(t, "Bob")
    (top,) = deck.look(t, "Bob")
    rng = random.Random(7)
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(6000):
        deck.deal_anew("Ann", rng)
        found[deck.hands["Bob"][0], deck.ahead[0]] += 1
        assert deck.knows("Bob", deck.ahead[0]), "what Bob has looked at he still knows"
    assert top not in deck.hands["Ann"]
    assert len(found) == 4 * 3
    assert max(found.values()) < 1.3 * min(found.values())


@examples(100)
@given(st.data(), st.integers(0, 99))
def test_where_cards_truly_lie_makes_no_difference_to_a_deal_anew(data: st.DataObject, seed: int) -> None:
    """Else whoever thinks by a seed would think otherwise of what looks the same to him."""
    deck = played(data).deck
    for side in SEATS:
        seen = deck.seen_by(side)
        deck.deal_anew(side, random.Random(seed))
        once = [list(place) for place in places(deck)], list(deck.known)
        for other in range(5):  # as if it had lain otherwise
            deck.deal_anew(side, random.Random(100 + other))
            assert deck.seen_by(side) == seen
            deck.deal_anew(side, random.Random(seed))
            assert ([list(place) for place in places(deck)], list(deck.known)) == once


def test_piles_dealt_out_by_a_seed_do_not_follow_from_how_they_lay() -> None:
    one, other = ([1, 2], [3, 4, 5]), ([3, 5], [1, 2, 4])
    for piles in (one, other):
        deal_out(random.Random(7), *piles)
    assert one == other


def test_draws_are_chance_and_looking_ends_undo() -> None:
    t, deck = table(), new_deck()
    t.sealed = False
    deck.look(t, "Ann")
    assert t.sealed
    t.sealed = False
    deck.draw(t, "Bob")
    assert t.sealed, "a card that lies on top is news to whoever draws it"
    order = [deck.turn_up(t) for _ in range(deck.left)]
    assert order != sorted(order)
    assert deck.discards == order


def test_an_empty_deck_says_so() -> None:
    deck = new_deck(1)
    deck.turn_up(table())
    with pytest.raises(BulgeError) as raised:
        deck.draw(table(), "Ann")
    assert "empty" in complaint(raised)
    assert deck.look(table(), "Ann", 3) == []


def test_plain_piles() -> None:
    one, other = [1, 4, 7], [2, 5]
    move(4, one, other)
    put(3, one)
    assert (one, other) == ([1, 3, 7], [2, 4, 5])
    pour(one, other)
    assert (one, other) == ([], [1, 2, 3, 4, 5, 7])
    hidden = [9, 11]
    deal_out(random.Random(1), other, hidden)
    assert (len(other), len(hidden)) == (6, 2)
    assert sorted(other + hidden) == [1, 2, 3, 4, 5, 7, 9, 11]
    assert other == sorted(other)

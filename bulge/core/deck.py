"""Cards: decks to draw from, hands, discards, and who knows where which card is.

A card is a number, an index into the game's `cards`; a place that holds cards is a flat list of them in the
position, under a name that the game gives it. A `Deck` is those lists taken together for as long as a rule needs
them. A pile has no order: which card comes is drawn when it is drawn, so that a deck nobody has looked into hides
nothing. Only cards that somebody has looked at, or laid on top, lie in an order: those are `ahead`.

For each card the position keeps who knows where it is (`known`, a set of seats). From that follow, for any game,
what a side may see (`seen_by`) and how hidden cards might as well lie (`deal_anew`).
"""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bulge.core.errors import BulgeError

if TYPE_CHECKING:
    from bulge.core.table import Table

NOBODY = 0


def put(card: int, pile: list[int]) -> None:
    """Into a pile. Piles are kept sorted: their order then says nothing, and equal piles are equal lists."""
    insort(pile, card)


def move(card: int, from_: list[int], to: list[int]) -> None:
    """From one pile to another."""
    from_.remove(card)
    insort(to, card)


def pour(from_: list[int], into: list[int]) -> None:
    """All of one pile into another."""
    into += from_
    into.sort()
    from_.clear()


def deal_out(rng: random.Random, *piles: list[int]) -> None:
    """Exchange cards between piles at random, so that each keeps its size: piles that somebody cannot see into.

    Where they truly lie makes no difference, not even to a player who thinks by a seed.
    """
    cards = sorted(card for pile in piles for card in pile)
    rng.shuffle(cards)
    for pile in piles:
        pile[:] = sorted(cards.pop() for _ in pile)


@dataclass(slots=True)
class Deck:
    """A deck and the hands drawn from it, over lists of the position. What a rule does here is done there."""

    seats: Sequence[str]
    """The sides that may know something, in the order of the bits of `known`."""
    pile: list[int]
    """Cards still to be drawn, in no order."""
    known: list[int]
    """For each card of the game, who knows where it is."""
    hands: dict[str, list[int]] = field(default_factory=dict)
    discards: list[int] = field(default_factory=list)
    """Face up, the last on top."""
    ahead: list[int] = field(default_factory=list)
    """Cards that will be drawn before any of the pile, the next one first."""

    # ------------------------------------------------------------------ drawing

    @property
    def left(self) -> int:
        """How many cards can still be drawn."""
        return len(self.pile) + len(self.ahead)

    def draw(self, t: Table[Any], side: str) -> int:
        """The next card into a side's hand."""
        card = self._next(t)
        self._learn(card, side)
        put(card, self.hands[side])
        return card

    def turn_up(self, t: Table[Any]) -> int:
        """The next card, for all to see, onto the discards."""
        card = self._next(t)
        self._show(card)
        self.discards.append(card)
        return card

    def look(self, t: Table[Any], side: str, count: int = 1) -> list[int]:
        """The next cards, seen by one side and left where they are; fewer, if there are fewer."""
        while len(self.ahead) < count and self.pile:
            self.ahead.append(t.draw(self.pile))
        for card in self.ahead[:count]:
            self._learn(card, side)
        t.reveal()
        return self.ahead[:count]

    def _next(self, t: Table[Any]) -> int:
        if not self.left:
            raise BulgeError("the deck is empty: a rule must look at what is left before it draws")
        if self.ahead:
            t.reveal()
            return self.ahead.pop(0)
        return t.draw(self.pile)

    # ------------------------------------------------------------------ away from where they are

    def discard(self, card: int, side: str) -> None:
        """From a hand onto the discards, for all to see."""
        self.take_out(card, side)
        self.discards.append(card)

    def take_out(self, card: int, side: str) -> None:
        """Out of a hand and out of play, for all to see."""
        self.hands[side].remove(card)
        self._show(card)

    def throw_away(self, card: int) -> None:
        """One that was looked at off the deck onto the discards, for all to see."""
        self.ahead.remove(card)
        self._show(card)
        self.discards.append(card)

    def give(self, card: int, from_: str, to: str) -> None:
        """From one hand into another; who knew of it still does."""
        move(card, self.hands[from_], self.hands[to])
        self._learn(card, to)

    def shuffle_in(self, cards: Iterable[int] = ()) -> None:
        """These cards into the pile, and the pile shuffled: nobody knows any longer what comes next."""
        for card in [*cards, *self.ahead]:
            self.known[card] = NOBODY
            put(card, self.pile)
        self.ahead.clear()

    def shuffle_discards_in(self) -> None:
        """All discards back into the pile."""
        self.shuffle_in(self.discards)
        self.discards.clear()

    def lay_on_top(self, card: int, side: str) -> None:
        """From a hand onto the deck: its owner knows what will be drawn next."""
        self.hands[side].remove(card)
        self.ahead.insert(0, card)

    # ------------------------------------------------------------------ who knows what

    def _learn(self, card: int, side: str) -> None:
        self.known[card] |= 1 << self.seats.index(side)

    def _show(self, card: int) -> None:
        """Every side knows, and so does whoever watches: his is the bit above those of the seats."""
        self.known[card] = (2 << len(self.seats)) - 1

    def knows(self, side: str | None, card: int) -> bool:
        """Whether a side knows where a card is; a spectator (None) knows what has been shown to all."""
        return bool(self.known[card] >> (len(self.seats) if side is None else self.seats.index(side)) & 1)

    def seen_by(self, side: str | None) -> dict[str, Any]:
        """All of it as a side sees it: card numbers, and None for the back of a card.

        `unseen` are the cards that it cannot place: in the pile, ahead, or in somebody's hand.
        """
        hidden = [*self.pile, *self.ahead, *(card for hand in self.hands.values() for card in hand)]
        return {
            "pile": len(self.pile),
            "ahead": self._faces(side, self.ahead),
            "hands": {owner: self._faces(side, hand) for owner, hand in self.hands.items()},
            "discards": list(self.discards),
            "unseen": sorted(card for card in hidden if not self.knows(side, card)),
        }

    def _faces(self, side: str | None, cards: list[int]) -> list[int | None]:
        """The cards that a side knows, and then the backs of the others; in order, where there is one."""
        if cards is self.ahead:
            return [card if self.knows(side, card) else None for card in cards]
        known = [card for card in cards if self.knows(side, card)]
        return [*known, *(None for _ in range(len(cards) - len(known)))]

    def deal_anew(self, side: str, rng: random.Random) -> None:
        """Change cards that a side cannot place for each other, as they might as well lie.

        What others know they know of the card in that place, whichever it is. Where cards truly lie makes no
        difference, as in `deal_out`: nor, where they are in no order, which of them others know.
        """
        places: list[tuple[list[int], int]] = []
        known: list[int] = []
        for pile in (self.pile, self.ahead, *self.hands.values()):
            hidden = [at for at, card in enumerate(pile) if not self.knows(side, card)]
            seats = [self.known[pile[at]] for at in hidden]
            places += [(pile, at) for at in hidden]
            known += seats if pile is self.ahead else sorted(seats)
        cards = sorted(pile[at] for pile, at in places)
        rng.shuffle(cards)
        for (pile, at), card, who in zip(places, cards, known, strict=True):
            pile[at] = card
            self.known[card] = who
        for pile in (self.pile, *self.hands.values()):
            pile.sort()

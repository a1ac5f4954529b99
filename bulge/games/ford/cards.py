"""The cards of The Ford (rule 9): one deck, two hands that the other side does not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.deck import Deck
from bulge.core.question import Barred, Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ford.facts import BLUE, POINT, RED, SIDES, Facts, FordPosition

HAND, SEEN_BY_SCOUTS = 3, 2
HOLD = "hold"
WHEN = {"support": "in combat", "pontoon": "before moving", "march": "before moving", "scouts": "before moving"}


def deck_of(p: FordPosition) -> Deck:
    hands = {BLUE: p.blue_hand, RED: p.red_hand}
    return Deck(SIDES, p.pile, p.known, hands, p.discards, p.ahead)


@rule("9.1")
def fill_hand(facts: Facts, t: Table[FordPosition], side: str) -> None:
    """Draw up to three cards; the discards are shuffled in when the deck is out."""
    deck = deck_of(t.p)
    while len(deck.hands[side]) < HAND:
        if not deck.left:
            if not deck.discards:
                return
            deck.shuffle_discards_in()
            t.say("9.1", "The discards are shuffled into the deck.")
        card = deck.draw(t, side)
        t.say("9.1", f"{side} draws a card.")
        t.say("9.1", f"It is {facts.cards[card].name}.", side=side, cards=(card,))


# ---------------------------------------------------------------------- before moving (9.2)


@rule("9.2")
def cards_step(facts: Facts, t: Table[FordPosition], side: str, then: str) -> Play:
    """Play cards that help before one moves, one after the other: after each, this step again."""
    p, question = t.p, WhatToPlay(facts, side, "9.2", ("pontoon", "march", "scouts"))
    hand = deck_of(p).hands[side]
    if not hand:
        return then
    open_ = members(open_to(union(hand), question.shut(p)))
    prompt = "Play a card, or go on to move"
    card = yield Decision(side, prompt, [*open_, DONE], "9.2", Kind.CARD, top=True, about=question)
    if card == DONE:
        return then
    match facts.cards[card].kind:
        case "pontoon":
            yield from _pontoon(facts, t, side, card)
        case "scouts":
            return _scouts(facts, t, side, card)
        case "march":
            _march(facts, t, side, card)
    return p.step


@dataclass(frozen=True, slots=True)
class WhatToPlay(Question):
    """Which card of the hand is played, of some kinds."""

    facts: Facts
    side: str
    rule: str
    kinds: tuple[str, ...]

    def shut(self, p: FordPosition) -> Iterator[Bar]:
        cards, by_kind = self.facts.cards, self.facts.cards_by_kind
        hand = union(deck_of(p).hands[self.side])
        yield Bar(~hand, self.rule, "it is not in your hand")
        of_others = sum(held for kind, held in by_kind.items() if kind not in self.kinds)
        yield Bar(of_others, self.rule, lambda card: f"{cards[card].name} is played {WHEN[cards[card].kind]}")
        pontoons = by_kind.get("pontoon", 0)
        if hand & pontoons and not river_sides(self.facts, p, self.side):
            yield Bar(pontoons, "9.4", "none of your units stands by the river where there is no bridge")

    def bars(self, t: Table[FordPosition], decision: Decision) -> Iterator[Bar]:
        return self.shut(t.p)

    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, rolls=isinstance(choice, int))


@rule("9.4")
def _pontoon(facts: Facts, t: Table[FordPosition], side: str, card: int) -> Play:
    """A bridge of boats, for the rest of the game; the card is out of it."""
    p, about = t.p, Barred(partial(no_bridge_there, facts, t.p, side))
    deck_of(p).take_out(card, side)
    t.reveal()
    t.say("9.4", f"{side} plays {facts.cards[card].name}.", cards=(card,))
    sides = members(river_sides(facts, p, side))
    built = yield Decision(side, "Where is the bridge built?", sides, "9.4", Kind.SIDE, about=about)
    p.pontoons |= 1 << built
    hexes = facts.board.side_hexes(built)
    t.say("9.4", f"{side} bridges {facts.board.side_name(built)}.", spaces=hexes)


def river_sides(facts: Facts, p: FordPosition, side: str) -> int:
    """Hexsides where a bridge can be built: of the river, without one, next to an own unit."""
    return facts.unbridged(p).of(facts.occupied(p, side)).numbers


def no_bridge_there(facts: Facts, p: FordPosition, side: str) -> Iterator[Bar]:
    """Hexsides where no bridge can be built."""
    yield Bar(~facts.river.numbers, "9.4", "the river does not run there")
    yield Bar(~facts.unbridged(p).numbers, "9.4", "there is a bridge already")
    yield Bar(~river_sides(facts, p, side), "9.4", "none of your units stands next to it")


@rule("9.5")
def _march(facts: Facts, t: Table[FordPosition], side: str, card: int) -> None:
    deck_of(t.p).discard(card, side)
    t.reveal()
    t.p.march += POINT
    t.say("9.5", f"{side} plays {facts.cards[card].name}: a point more for each unit.", cards=(card,))


@rule("9.6")
def _scouts(facts: Facts, t: Table[FordPosition], side: str, card: int) -> str:
    """Look at what comes next. That is known from now on, so what is done with it is a step of its own."""
    deck = deck_of(t.p)
    deck.discard(card, side)
    t.say("9.6", f"{side} plays {facts.cards[card].name}.", cards=(card,))
    seen = deck.look(t, side, SEEN_BY_SCOUTS)
    return f"{side.lower()}_scouts" if seen else t.p.step


@rule("9.6")
def scouts_step(facts: Facts, t: Table[FordPosition], side: str, then: str) -> Play:
    """Throw one of the cards away that the scouts have seen."""
    deck = deck_of(t.p)
    options: list[Choice] = [*deck.ahead[:SEEN_BY_SCOUTS], HOLD]
    card = yield Decision(side, "Throw one of these away?", options, "9.6", Kind.CARD, top=True)
    if card != HOLD:
        deck.throw_away(card)
        t.reveal()
        t.say("9.6", f"{side} throws {facts.cards[card].name} away.", cards=(card,))
    return then


# ---------------------------------------------------------------------- in combat (9.3)


@rule("9.3")
def support_card(facts: Facts, t: Table[FordPosition], side: str) -> Play:
    """One card of support, if its owner likes; the answer is how far it moves the attack.

    Whoever has cards is asked, even if none of them helps: else the other side would know that.
    """
    p, question = t.p, WhatToPlay(facts, side, "9.3", ("support",))
    hand = deck_of(p).hands[side]
    if not hand:
        return 0
    open_ = members(open_to(union(hand), question.shut(p)))
    prompt = "Support this attack with a card?"
    card = yield Decision(side, prompt, [*open_, HOLD], "9.3", Kind.CARD, about=question)
    if card == HOLD:
        return 0
    deck_of(p).discard(card, side)
    t.reveal()
    row = facts.cards[card]
    t.say("9.3", f"{side} plays {row.name}, which counts {row.shift}.", cards=(card,))
    return row.shift

"""The Ford as a game: its sequence of play, what each side may see, and how it explains itself."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from bulge.core.data import Overrides
from bulge.core.decision import GameOver, Play, Result
from bulge.core.game import Card, Game, PhaseName, Scenario, Unit
from bulge.core.look import Look, Scene
from bulge.core.options import YES, GameOption
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ford import look
from bulge.games.ford.cards import cards_step, deck_of, fill_hand, scouts_step
from bulge.games.ford.combat import combat_step
from bulge.games.ford.facts import BLUE, GONE, NO_CHIT, RED, SIDES, Facts, FordPosition, other
from bulge.games.ford.movement import movement_step
from bulge.games.ford.pursuit import advance_step, breakthrough_step

LAST_TURN = 4


class Ford(Game[FordPosition]):
    id: ClassVar[str] = "ford"
    title: ClassVar[str] = "The Ford"
    words: ClassVar[str] = (
        "A small game of our own to learn on: fourteen hexes, six units, one bridge. Blue has four turns to take "
        "the town across the river. Ten minutes."
    )
    sides: ClassVar[tuple[str, ...]] = SIDES
    players: ClassVar[tuple[str, ...]] = SIDES
    most_choices: ClassVar[int] = 400
    supply_rule: ClassVar[str] = "5.1"
    options: Sequence[GameOption] = (
        GameOption(
            id="breakthrough",
            title="Breakthroughs",
            words="A unit that advances may attack again at once, and so on.",
            rule="8.1",
        ),
    )
    position_type = FordPosition

    def __init__(self, overrides: Overrides | None = None) -> None:
        self.facts = facts = Facts(overrides)
        self.data, self.map, self.board = facts.data, facts.map, facts.board
        self.units = [Unit(row.id, row.name, row.side) for row in facts.units]
        self.cards = [Card(row.id, row.name) for row in facts.cards]
        self.scenarios = {
            "bridge": Scenario("bridge", "The bridge", "Blue attacks across the river; four turns."),
            "cards": Scenario("cards", "The bridge, with cards", "The same with a hand of cards for each side."),
        }
        self.sequence = {
            "blue_support": partial(self._support, side=BLUE, then="blue_move"),
            "blue_cards": partial(cards_step, facts, side=BLUE, then="blue_move"),
            "blue_scouts": partial(scouts_step, facts, side=BLUE, then="blue_cards"),
            "blue_move": partial(self._movement, side=BLUE, then="blue_fight"),
            "blue_fight": partial(self._combat, side=BLUE, then="red_support"),
            "red_support": partial(self._support, side=RED, then="red_move"),
            "red_cards": partial(cards_step, facts, side=RED, then="red_move"),
            "red_scouts": partial(scouts_step, facts, side=RED, then="red_cards"),
            "red_move": partial(self._movement, side=RED, then="red_fight"),
            "red_fight": partial(self._combat, side=RED, then="turn_end"),
            "advance": partial(advance_step, facts),
            "breakthrough": partial(breakthrough_step, facts),
            "turn_end": self._turn_end,
        }

    def set_up(self, scenario: str, options: Mapping[str, str]) -> FordPosition:
        facts, with_cards = self.facts, scenario == "cards"
        return FordPosition(
            step="blue_support",
            where=[facts.board.at(row.hex) for row in facts.units],
            steps=[row.steps for row in facts.units],
            cup=[] if with_cards else list(range(len(facts.chits))),
            held=[NO_CHIT, NO_CHIT],
            breakthrough=options["breakthrough"] == YES,
            pile=list(range(len(facts.cards))) if with_cards else [],
            known=[0] * len(facts.cards) if with_cards else [],
        )

    # ------------------------------------------------------------------ the sequence of play (2.1)

    @rule("7.1")
    def _support(self, t: Table[FordPosition], side: str, then: str) -> str:
        if t.p.known:
            fill_hand(self.facts, t, side)
            return f"{side.lower()}_cards"
        seat = SIDES.index(side)
        if t.p.held[seat] == NO_CHIT and t.p.cup:
            chit = t.p.held[seat] = t.draw(t.p.cup)
            t.say("7.1", f"{side} draws a support chit.")
            t.say("7.1", f"Your chit counts {self.facts.chits[chit]}.", side=side)
        return then

    @rule("2.1")
    def _movement(self, t: Table[FordPosition], side: str, then: str) -> Play:
        yield from movement_step(self.facts, t, side)
        return then

    def _combat(self, t: Table[FordPosition], side: str, then: str) -> Play:
        after = yield from combat_step(self.facts, t, side, then)
        if after == then and not self.facts.side_units(t.p, RED):
            raise GameOver(Result(BLUE, "Every Red unit is lost.", "1.1"))
        return after

    def _turn_end(self, t: Table[FordPosition]) -> str:
        if t.p.turn == LAST_TURN:
            held = bool(self.facts.occupied(t.p, BLUE) & self.facts.town)
            words = "Blue holds the town." if held else "Blue does not hold the town."
            raise GameOver(Result(BLUE if held else RED, words, "1.1"))
        t.p.turn += 1
        t.say("2.1", f"Turn {t.p.turn} begins.", kind="turn")
        return "blue_support"

    # ------------------------------------------------------------------ invariants and hidden things

    def check(self, p: FordPosition) -> None:
        facts = self.facts
        assert not facts.occupied(p, BLUE) & facts.occupied(p, RED), "both sides in one hex (4.4)"
        assert all(p.where.count(hex_) <= 2 for hex_ in p.where if hex_ != GONE), "overstacked (4.2)"
        assert all((at == GONE) == (left == 0) for at, left in zip(p.where, p.steps, strict=True)), "ghost unit"
        chits = [*p.cup, *(chit for chit in p.held if chit != NO_CHIT)]
        assert len(chits) == len(set(chits)), "a chit in two places (7.1)"
        cards = [*p.pile, *p.ahead, *p.discards, *p.blue_hand, *p.red_hand]
        assert len(cards) == len(set(cards)), "a card in two places (9.1)"
        assert 1 <= p.turn <= LAST_TURN

    def view(self, p: FordPosition, side: str | None) -> dict[str, Any]:
        """A side sees its own chit or cards; of the rest, only which are still unseen (7.1, 9.1)."""
        view = super().view(p, side)
        for hidden in ("pile", "ahead", "blue_hand", "red_hand", "known"):
            del view[hidden]
        if p.known:
            view["cards"] = deck_of(p).seen_by(side)
        unseen = list(p.cup)
        for seat, owner in enumerate(SIDES):
            if owner != side and p.held[seat] != NO_CHIT:
                unseen.append(p.held[seat])
                view["held"][seat] = "hidden"
        view["cup"] = {"chits": len(p.cup), "unseen": sorted(self.facts.chits[chit] for chit in unseen)}
        return view

    def deal_anew(self, p: FordPosition, side: str, rng: random.Random) -> None:
        if p.known:
            deck_of(p).deal_anew(side, rng)
        seat = SIDES.index(other(side))
        if p.held[seat] == NO_CHIT:
            return
        pool = sorted([*p.cup, p.held[seat]])  # so that nothing hidden, not even an order, has a say in it
        rng.shuffle(pool)
        p.held[seat] = pool.pop()
        p.cup = pool

    # ------------------------------------------------------------------ words

    def unit_words(self, p: FordPosition, unit: int) -> str:
        row = self.facts.units[unit]
        if p.where[unit] == GONE:
            return f"{row.name}, lost"
        strength = self.facts.strength(p, unit)
        return f"{row.name}, strength {strength}, in {self.space_words(p.where[unit])}"

    # ------------------------------------------------------------------ looks

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        return look.look(self, self.facts, LAST_TURN, drawing)

    def scene(self, p: FordPosition, side: str | None) -> Scene:
        return look.scene(self.facts, p, side)

    def overlays(self, p: FordPosition, side: str | None) -> dict[str, tuple[str, ...]]:
        return look.overlays(self.facts, p)

    def as_if(self, p: FordPosition, side: str, phase: PhaseName, unit: int, at: int) -> FordPosition:
        twin = p.copy()
        twin.step = f"{side.lower()}_{'move' if phase == 'movement' else 'fight'}"
        twin.moved = twin.march = twin.attacked = twin.assaulted = 0
        twin.frames = []
        twin.where[unit] = at
        return twin

    def supply_line(self, p: FordPosition, unit: int) -> tuple[str, ...]:
        return look.supply_line(self.facts, p, unit)

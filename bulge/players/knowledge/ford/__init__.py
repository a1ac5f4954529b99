"""What players know of The Ford: the town is everything, and units are what takes and holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from bulge.core.decision import Choice, Decision, Kind
from bulge.core.game import Game
from bulge.core.spaces import lowest
from bulge.games.ford.combat import FIGHT
from bulge.games.ford.facts import BLUE, RED, Facts, FordPosition, other
from bulge.games.ford.game import LAST_TURN, Ford
from bulge.players.knowledge import Spread

TOWN_WORTH, NEARNESS, STEP = 6.0, 0.4, 1.0
LAST_WORD = 12.0
"""What it counts to hold the town, or to keep Blue out, once Blue has moved and fought for the last time."""
CHIT_WORTH = 0.6
CARD_WORTH = {"support": 0.5, "pontoon": 0.2, "march": 0.2, "scouts": 0.1}
"""Of a card in hand; support counts for each point of it."""


class FordKnowledge:
    move_rule: ClassVar[str] = "4.5"
    attack_rules: ClassVar[tuple[str, ...]] = ("6.1",)
    launch: ClassVar[str] = FIGHT
    at_once: ClassVar[tuple[str, ...]] = ()

    def __init__(self, game: Ford) -> None:
        self.game, self.facts = game, game.facts
        self.town = lowest(game.facts.town)

    def value(self, p: FordPosition, side: str) -> float:
        blue = sum(self.features(p).values())
        own = (blue if side == BLUE else -blue) + self._hand(p, side)
        return own + CHIT_WORTH * self.facts.chits[held] if (held := p.held[(BLUE, RED).index(side)]) >= 0 else own

    def features(self, p: FordPosition) -> dict[str, float]:
        """Steps, who holds the town (more so as time runs out), who is near it, and supply: what both can see."""
        facts = self.facts
        found = dict.fromkeys(("material", "nearness", "supply"), 0.0)
        for owner, sign in ((BLUE, 1.0), (RED, -1.0)):
            supplied = facts.supply(p, owner).spaces
            for unit in facts.side_units(p, owner):
                hex_ = p.where[unit]
                found["material"] += sign * (facts.strength(p, unit) + STEP * p.steps[unit])
                found["nearness"] -= sign * NEARNESS * facts.board.distance(hex_, self.town)
                found["supply"] -= sign * 0.5 * (not supplied >> hex_ & 1)
        holders = {owner for owner in (BLUE, RED) if facts.occupied(p, owner) & facts.town}
        found["town"] = TOWN_WORTH * p.turn / LAST_TURN * ((BLUE in holders) - (RED in holders))
        found["last_word"] = LAST_WORD * (1 if BLUE in holders else -1) if _blue_is_done(p) else 0.0
        found["alone"] = 0.0 if facts.side_units(p, RED) else 100.0
        return found

    def _hand(self, p: FordPosition, side: str) -> float:
        rows = (self.facts.cards[card] for card in (p.blue_hand if side == BLUE else p.red_hand))
        return sum(CARD_WORTH[row.kind] * max(1, row.shift) for row in rows)

    def spread(self, p: FordPosition) -> Spread:
        return Spread()

    def fields(self, p: FordPosition, side: str) -> FordFields:
        return FordFields(self.facts, p, side, self.town)

    def place(self, p: FordPosition, unit: int, way: Sequence[Choice]) -> None:
        if way:
            p.where[unit] = int(way[-1])

    def room(self, p: FordPosition, unit: int, hex_: int) -> bool:
        return sum(at == hex_ and mate != unit for mate, at in enumerate(p.where)) < 2

    def ways_to_win(self, p: FordPosition, unit: int) -> int:
        return 0

    def worth_passing(self, p: FordPosition, unit: int) -> int:
        return 0

    def enemies(self, p: FordPosition, side: str) -> int:
        return self.facts.occupied(p, other(side))

    def where(self, p: FordPosition, unit: int) -> int:
        return p.where[unit]

    def words_of(self, hex_: int) -> str:
        return self.game.space_words(hex_)

    def worth(self, p: FordPosition, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        in_town = bool(self.facts.town >> target & 1)
        if result == "A1":
            return -2.0
        if result == "D1":
            return 2.0 + (2.0 if in_town else 0.0)
        if result == "DR":
            return 1.0 + (2.0 if in_town and side == BLUE else 0.0)
        return 0.0

    def prior(self, p: FordPosition, decision: Decision, choice: Choice) -> float | None:
        """Who attacks has use for cards before he moves; bridges are best built near the town."""
        if decision.rule == "9.2":
            useful = isinstance(choice, int) and (
                decision.side == BLUE or self.facts.cards[choice].kind == "scouts"
            )
            return float(useful)
        if decision.kind is Kind.SIDE and isinstance(choice, int):
            hexes = self.facts.board.side_hexes(choice)
            return -float(min(self.facts.board.distance(hex_, self.town) for hex_ in hexes))
        return None


def _blue_is_done(p: FordPosition) -> bool:
    return p.turn == LAST_TURN and p.step.startswith("red")


class FordFields:
    """Towards the town; behind cover; next to an enemy only together."""

    def __init__(self, facts: Facts, p: FordPosition, side: str, town: int) -> None:
        self.facts, self.p, self.side, self.town = facts, p, side, town
        self.enemy_zone = facts.zone(p, other(side))
        self.sent: dict[int, int] = {}

    def score(self, unit: int, hex_: int, manner: str) -> float:
        facts = self.facts
        score = -NEARNESS * 2 * facts.board.distance(hex_, self.town)
        if hex_ == self.town:
            score += 3.0 / (1 + self.sent.get(hex_, 0))
        if facts.woods >> hex_ & 1:
            score += 0.5
        if self.enemy_zone >> hex_ & 1:
            score += 0.3 if self.side == BLUE else -0.3
        return score

    def send(self, unit: int, hex_: int) -> None:
        self.sent[hex_] = self.sent.get(hex_, 0) + 1

    def reason(self, unit: int, hex_: int) -> str:
        if hex_ == self.town:
            return "hold the town" if self.side == RED else "take the town"
        return "towards the town" if self.side == BLUE else "cover the town"


def make(game: Game[Any]) -> FordKnowledge:
    assert isinstance(game, Ford)
    return FordKnowledge(game)

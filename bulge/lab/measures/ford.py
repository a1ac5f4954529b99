"""What the laboratory writes down about The Ford."""

from __future__ import annotations

from typing import Any

from bulge.core.game import Game
from bulge.core.spaces import lowest
from bulge.core.table import Event
from bulge.games.ford.facts import BLUE, RED, FordPosition
from bulge.games.ford.game import Ford
from bulge.lab.measures import Measures, Roll, rolled

COMBAT = {"blue_fight": BLUE, "red_fight": RED}
COMBAT_ROLL = "6.4"


class GameMeasures(Measures[FordPosition]):
    good = ("DR", "D1")
    result_words = {
        "A1": "attacker loses",
        "NE": "no effect",
        "DR": "defender retreats",
        "D1": "defender loses",
    }

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, Ford)
        self.facts = game.facts
        self.attacker = BLUE
        self.towns = {"The town": lowest(game.facts.town)}

    def points(self, p: FordPosition) -> int:
        """One if Blue stands in the town."""
        return (self.facts.occupied(p, BLUE) & self.facts.town).bit_count()

    def occupied(self, p: FordPosition, side: str) -> int:
        return self.facts.occupied(p, side)

    def rolls(self, p: FordPosition, step: str, event: Event) -> list[Roll]:
        side = COMBAT.get(step)
        return rolled(side, self.facts.crt, event) if side and event.rule == COMBAT_ROLL else []

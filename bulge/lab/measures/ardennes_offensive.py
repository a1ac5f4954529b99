"""What the laboratory writes down about The Ardennes Offensive."""

from __future__ import annotations

from typing import Any

from bulge.core.game import Game
from bulge.core.table import Event
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.ardennes_offensive.victory import lost, points
from bulge.lab.measures import Measures, Roll, key_towns, rolled

COMBAT = {"german_combat": GERMAN, "allied_combat": ALLIED}
COMBAT_ROLL = "10.0"
DECEMBER = 31


class GameMeasures(Measures[ArdennesPosition]):
    good = ("Dr1", "Dr2", "Dr3", "Ex", "De")
    result_words = {
        "Ae": "attackers eliminated",
        "Ar3": "attackers retreat three",
        "Ar2": "attackers retreat two",
        "Ar1": "attackers retreat one",
        "Dr1": "defenders retreat one",
        "Dr2": "defenders retreat two",
        "Dr3": "defenders retreat three",
        "Ex": "exchange",
        "De": "defenders eliminated",
    }
    loss_words = "units"

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, ArdennesOffensive)
        self.facts = game.facts
        self.attacker = GERMAN
        self.towns = key_towns(self.ground)

    def day(self, turn: int) -> int:
        """January goes on counting: New Year's Day is the 32nd."""
        return 15 + turn

    def turn_name(self, turn: int) -> str:
        day = self.day(turn)
        return f"{day} Dec" if day <= DECEMBER else f"{day - DECEMBER} Jan"

    def points(self, p: ArdennesPosition) -> int:
        return points(self.facts, Situation(self.facts, p))[GERMAN]

    def losses(self, p: ArdennesPosition, start: ArdennesPosition) -> dict[str, int]:
        return {side: lost(self.facts, p, side) for side in self.game.sides}

    def start(self, p: ArdennesPosition) -> int:
        return self.ground.area("german_control")

    def occupied(self, p: ArdennesPosition, side: str) -> int:
        return Situation(self.facts, p).occupied[side]

    def rolls(self, p: ArdennesPosition, step: str, event: Event) -> list[Roll]:
        """The Germans use the better of the two tables until a die takes it from them, before their turn."""
        side = COMBAT.get(step)
        if side is None or event.rule != COMBAT_ROLL:
            return []
        return rolled(
            side, self.facts.initial if side == GERMAN and not p.standard else self.facts.standard, event
        )

"""What the laboratory writes down about Ardennes '44."""

from __future__ import annotations

from typing import Any

from bulge.core.game import Game
from bulge.core.table import Event
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import GONE, SURRENDERED
from bulge.games.ardennes_44.game import Ardennes44Game
from bulge.games.ardennes_44.look import turn_name
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.victory import points
from bulge.lab.measures import Measures, Roll, key_towns, rolled

COMBAT = {
    "german_combat": GERMAN,
    "german_night_combat": GERMAN,
    "allied_combat": ALLIED,
    "allied_night_combat": ALLIED,
}
COMBAT_ROLL = "14.4"


class GameMeasures(Measures[Ardennes44]):
    good = ("DR2", "DR3", "DR4", "DS", "EX")
    result_words = {
        "A1": "attacker loses a step",
        "A1/ENG": "attacker loses a step, defender engaged",
        "ENG": "defender engaged",
        "FF": "fire fight",
        "FF(+1)": "fire fight, one worse",
        "EX": "exchange",
        "DR2": "defender retreats two",
        "DR3": "defender retreats three, broken",
        "DR4": "defender retreats four, broken",
        "DS": "defender shattered",
    }
    loss_words = "steps"

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, Ardennes44Game)
        self.facts = game.facts
        self.attacker = GERMAN
        self.towns = key_towns(self.ground)

    def day(self, turn: int) -> int:
        return 16 + (turn - 1) // 2

    def turn_name(self, turn: int) -> str:
        return turn_name(turn)

    def points(self, p: Ardennes44) -> int:
        return points(self.facts, p)

    def losses(self, p: Ardennes44, start: Ardennes44) -> dict[str, int]:
        """Steps lost: of units that are gone, and of reduced ones."""
        facts, found = self.facts, dict.fromkeys(self.game.sides, 0)
        for unit, row in enumerate(facts.rows):
            if row.entry != "pool":
                gone = p.where[unit] in (GONE, SURRENDERED)
                found[row.side] += row.steps if gone else p.reduced >> unit & 1 and row.steps > 1
        return found

    def start(self, p: Ardennes44) -> int:
        return self.ground.area("german_control")

    def occupied(self, p: Ardennes44, side: str) -> int:
        return Situation(self.facts, p).occupied[side]

    def rolls(self, p: Ardennes44, step: str, event: Event) -> list[Roll]:
        side = COMBAT.get(step)
        return rolled(side, self.facts.combat, event) if side is not None and event.rule == COMBAT_ROLL else []

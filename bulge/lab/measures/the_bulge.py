"""What the laboratory writes down about The Bulge."""

from __future__ import annotations

from typing import Any

from bulge.core.game import Game
from bulge.core.table import Event
from bulge.games.the_bulge.facts import ALLIED, GERMAN
from bulge.games.the_bulge.game import TheBulge
from bulge.games.the_bulge.position import BulgePosition
from bulge.lab.measures import Measures, Roll, rolled

COMBAT = {
    "german_combat_1": GERMAN,
    "german_combat_2": GERMAN,
    "allied_combat_1": ALLIED,
    "allied_combat_2": ALLIED,
}
COMBAT_ROLL = "13.8"


class GameMeasures(Measures[BulgePosition]):
    good = ("DR", "BB", "DE")
    result_words = {
        "AE": "attackers lose",
        "AS": "attack stalls",
        "DR": "defenders retreat",
        "BB": "bloodbath",
        "DE": "defenders lose",
    }

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, TheBulge)
        self.bulge = game
        self.attacker = GERMAN
        self.towns = {game.facts.places[hex_]: hex_ for hex_ in game.facts.town_points}

    def day(self, turn: int) -> int:
        return 15 + turn

    def points(self, p: BulgePosition) -> int:
        return self.bulge.points(p)

    def start(self, p: BulgePosition) -> int:
        return p.german

    def held(self, p: BulgePosition, before: int) -> int:
        return p.german

    def rolls(self, p: BulgePosition, step: str, event: Event) -> list[Roll]:
        side = COMBAT.get(step)
        return rolled(side, self.bulge.facts.crt, event) if side and event.rule == COMBAT_ROLL else []

"""What the laboratory writes down about Bastogne."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bulge.core.game import Game
from bulge.core.table import Event
from bulge.games.bastogne.facts import GERMAN, US
from bulge.games.bastogne.game import Bastogne
from bulge.games.bastogne.position import BastognePosition
from bulge.lab.measures import Measures, Roll

FIRE = {"us_fire": US, "german_fire": GERMAN}
FIRE_ROLL, COLUMNS = "16.2", ("open", "defensive")


class GameMeasures(Measures[BastognePosition]):
    good = ("retreat", "hit")
    result_words = {"none": "no effect", "retreat": "a unit retreats", "hit": "a step lost"}
    points_words = "Third Army's way to Bastogne"

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, Bastogne)
        self.facts = facts = game.facts
        self.attacker = GERMAN
        self.towns = {place: space for place, space in self.ground.places().items() if facts.spaces >> space & 1}

    def day(self, turn: int) -> int:
        return 18 + turn

    def points(self, p: BastognePosition) -> int:
        return p.patton

    def start(self, p: BastognePosition) -> int:
        """The Germans come from the staging areas at the ends of the roads."""
        return self.facts.staging_areas

    def held(self, p: BastognePosition, before: int) -> int:
        return p.german | self.facts.staging_areas

    def rolls(self, p: BastognePosition, step: str, event: Event) -> list[Roll]:
        """Fire rolls a die for each factor; each die is read on its own."""
        side, column = FIRE.get(step), event.words.rpartition("dice, ")[2].removesuffix(" column")
        if side is None or event.rule != FIRE_ROLL or column not in COLUMNS:
            return []
        table = self.facts.dice[f"fire_{column}"]
        faces = Counter(table.result(die) for die in range(1, event.sides + 1))
        chances = {result: count / event.sides for result, count in faces.items()}
        return [Roll(side, table.result(die), chances) for die in event.dice]

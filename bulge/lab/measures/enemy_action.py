"""What the laboratory writes down about Enemy Action: Ardennes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from bulge.core.game import Game
from bulge.core.table import Event
from bulge.games.enemy_action.facts import GERMAN
from bulge.games.enemy_action.game import EnemyAction
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.victory import lost_units, points
from bulge.lab.measures import KEY_TOWNS, Measures, Roll

MARGINAL = re.compile(r"The marginal attack goes in on (\d+) dice of 10")


class GameMeasures(Measures[EnemyActionPosition]):
    """Combat itself is chits, not dice: what dice decide is whether a marginal German attack goes in."""

    good = ("attack",)
    result_words = {"none": "the attack is cancelled", "attack": "the attack goes in"}
    points_words = "German victory points"

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        assert isinstance(game, EnemyAction)
        self.facts = facts = game.facts
        self.attacker = GERMAN
        places = {name: hex_ for hex_, name in facts.map.places.items()}
        self.towns = {name: places[name] for name in KEY_TOWNS if name in places}

    def day(self, turn: int) -> int:
        return 15 + turn

    def points(self, p: EnemyActionPosition) -> int:
        return points(self.facts, p).total

    def start(self, p: EnemyActionPosition) -> int:
        return self.facts.map.area("german_control")

    def held(self, p: EnemyActionPosition, before: int) -> int:
        """Where the Germans stand or own a town, and what they came through without losing it again."""
        s = Situation(self.facts, p)
        ours = s.occupied[GERMAN] | p.german_towns | p.detachments
        return super().held(p, before) | ours

    def counted(self, p: EnemyActionPosition) -> dict[str, int]:
        """Impulses, commands, cards and fights of a day."""
        if p.step == "german_impulse":
            return {"German impulses": 1}
        if p.step == "allied_end":
            return {"Allied commands": int(p.card >= 0), "Allied passes": int(p.card < 0)}
        if p.step == "battle_hits" and p.battle is not None:
            side = p.battle.side
            return {f"{side} attacks": 1, f"Chits in {side} attacks": len(p.battle.chits)}
        if p.step == "day_end":
            return {
                "Allied cards played": p.used.bit_count(),
                "Allied units lost so far": lost_units(self.facts, p),
            }
        return {}

    def points_for(self, held: Collection[int]) -> int:
        return sum(value for hex_, value in self.facts.vp.items() if hex_ in held)

    def rolls(self, p: EnemyActionPosition, step: str, event: Event) -> list[Roll]:
        found = MARGINAL.fullmatch(event.words)
        if found is None or not event.dice:
            return []
        chance = int(found[1]) / 10
        # The line after the die says what it led to; which dice lead to what differs from attack to attack.
        return [Roll(GERMAN, "attack" if p.battle is not None else "none", {"attack": chance, "none": 1 - chance})]

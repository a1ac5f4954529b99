"""Enemy Action: Ardennes (Allied Solo): its rules as code, its map, units and cards as data."""

from bulge.core.data import Overrides
from bulge.games.enemy_action.game import EnemyAction


def make(overrides: Overrides | None = None) -> EnemyAction:
    return EnemyAction(overrides)

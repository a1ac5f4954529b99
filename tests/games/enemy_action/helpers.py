"""Positions to test rules on: a game, a table, and units put where a test wants them."""

from __future__ import annotations

from functools import cache

from bulge.core.chance import Scripted
from bulge.core.table import Table
from bulge.games.enemy_action.facts import DUE
from bulge.games.enemy_action.game import EnemyAction
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.setting_up import set_up, set_up_crisis
from bulge.games.enemy_action.situation import Situation


@cache
def the_game() -> EnemyAction:
    return EnemyAction()


def start(scenario: str = "battle_of_the_bulge", day: int = 16) -> EnemyActionPosition:
    """The printed start, on any day."""
    facts = the_game().facts
    p = set_up(facts, facts.scenarios[scenario])
    p.turn = day - 15
    return p


def crisis() -> EnemyActionPosition:
    facts = the_game().facts
    return set_up_crisis(facts, facts.scenarios["crisis_at_the_meuse"])


def empty(day: int = 16, scenario: str = "battle_of_the_bulge") -> EnemyActionPosition:
    """Nobody on the map."""
    p = start(scenario, day)
    p.where = [DUE] * len(p.where)
    return p


def place(p: EnemyActionPosition, **units: str) -> None:
    """Put units into hexes: place(p, **{"48.12.ISS": "0805"})."""
    for name, hex_ in units.items():
        p.where[unit(name)] = at(hex_)


def unit(name: str) -> int:
    return the_game().facts.unit_of[name]


def at(hex_: str) -> int:
    return the_game().board.at(hex_)


def names(hexes: int) -> set[str]:
    return set(the_game().board.names_of(hexes))


def sit(p: EnemyActionPosition) -> Situation:
    return Situation(the_game().facts, p)


def table(p: EnemyActionPosition, *dice: int) -> Table[EnemyActionPosition]:
    """A table whose dice and draws are given, from here on."""
    p.drawn = 0
    return Table(the_game(), p, Scripted(list(dice)))


def told(t: Table[EnemyActionPosition]) -> str:
    """Everything in the log, to look for words in."""
    return "\n".join(f"{event.rule}: {event.words}" for event in t.events or ())

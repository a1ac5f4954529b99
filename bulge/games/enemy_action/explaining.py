"""Why a German unit stays where it is: what each of the last methods failed on, and what 9.21 holds it for."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.rulebook import rule
from bulge.core.table import Condition, Table
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.methods import METHODS, SPECIAL, closer, infantry_of_methods
from bulge.games.enemy_action.objectives import objective_of
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.restrictions import (
    exposures,
    free_moves,
    frees_allies,
    leaves_guarded,
    restricted_moves,
)
from bulge.games.enemy_action.routes import ends
from bulge.games.enemy_action.situation import Situation

LAST_METHODS = (
    ("10", "follow the arrows", "they do not take all its points"),
    ("11", "closer to the objective", "no such hex is open"),
    ("12", "infiltrate", "it cannot"),
    ("13", "next to an Allied unit", "none is in reach"),
)
"""Their titles, and what was not there if they do not fit."""


@rule("9.2")
def failed(s: Situation, unit: int, methods: int) -> tuple[Condition, ...]:
    """What the first so many methods failed on for a unit, one by one."""
    day, found = day_of(s.p), []
    for method in METHODS[:methods]:
        if day < method.first_day:
            why = f"from {method.first_day} December"
        elif method.infantry and not infantry_of_methods(s.facts, s.p, unit):
            why = "for infantry"
        elif method.name not in SPECIAL and not s.supplied(unit):
            why = "for units in supply"
        else:
            why = method.fails
        found.append(Condition(f"{method.name}, {method.title}", holds=False, effect=why))
    for name, title, why in LAST_METHODS[: max(0, methods - len(METHODS))]:
        found.append(Condition(f"{name}, {title}", holds=False, effect=why))
    return tuple(found)


def tell_what_failed(
    t: Table[EnemyActionPosition], since: int, unit: int, conditions: tuple[Condition, ...]
) -> None:
    """The line that tells of the unit, of those since, says also what came before in vain."""
    if t.events is None:
        return
    for at, event in enumerate(t.events[since:], since):
        if event.units == (unit,) and not event.depth:
            t.events[at] = replace(event, conditions=conditions)
            return


@rule("9.2")
def why_it_stays(s: Situation, unit: int) -> list[str]:
    """In a few words for methods 10 to 13, and the restriction that holds it, if one does."""
    p, start = s.p, s.where[unit]
    free, open_ = free_moves(s, unit), ends(s, restricted_moves(s, unit))
    reasons = ["10, the arrows do not take all its points"]
    if objective_of(s, unit) < 0:
        reasons.append("11, it has no objective")
    elif not closer(s, unit, open_):
        reasons.append("11, no hex closer to its objective is open")
    mates = [
        mate for mate in s.stacks[GERMAN].get(start, []) if mate != unit and (p.active & ~p.moved) >> mate & 1
    ]
    if p.infiltrated:
        reasons.append("12, another unit has infiltrated")
    elif not mates:
        reasons.append("12, no active unit is with it")
    else:
        reasons.append("12, no hex closer is open to it")
    beside = s.next_to_enemy(GERMAN) >> start & 1
    reasons.append("13, it is next to an enemy" if beside else "13, no enemy is in reach")
    held = held_by(s, unit, free.hexes)
    return [*reasons, held] if held else reasons


@rule("9.21")
def held_by(s: Situation, unit: int, hexes: int) -> str:
    """What a restriction holds a unit for; nothing if none closes a hex to it."""
    board, names = s.facts.board, s.facts.board.names_of
    if leaves_guarded(s, unit, hexes):
        guarded = board.next_to(s.where[unit]) & s.facts.vp_hexes & s.occupied[ALLIED]
        return f"held beside {', '.join(names(guarded))} (9.21a)"
    if frees_allies(s, unit, hexes):
        near = s.surrounded_allies & board.within(1 << s.where[unit], 2)
        return f"held to keep {', '.join(names(near))} surrounded (9.21b)"
    exposed = exposures(s, unit, hexes)
    if exposed is not None:
        now = exposed[s.where[unit]]
        bare = 0
        for found in exposed.values():
            bare |= found & ~now
        if bare:
            return f"held to cover {', '.join(names(bare))} (9.21c, d)"
    return ""

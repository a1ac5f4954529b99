"""Plans with a purpose: which formation goes for which objective, kept from turn to turn.

Units that are judged one by one scatter: each goes where somebody is wanted most just now, and turns as soon as
that is elsewhere. A formation that has gone for an objective goes on, unless another is worth much more to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bulge.core.spaces import members
from bulge.players.knowledge import PurposefulKnowledge
from bulge.players.looking import Moves

HALFWAY = 8
"""An objective counts half for whoever will still be so many hexes from it after this move."""
FAR = 60
"""From where nobody comes."""
THERE = 4
"""Whoever is so many hexes from the objective of his formation stays for it, also when the enemy has come up."""
KEPT = 1.6
"""How much more an objective counts for a formation that has gone for it before."""


class Purposes:
    """What the formations of a side go for. A player keeps it for a whole match."""

    def __init__(self) -> None:
        self._kept: dict[str, int] = {}

    def renewed(self, knowledge: PurposefulKnowledge, p: Any, side: str, moves: Moves) -> dict[int, int]:
        """By unit the objective of its formation; those who have none are not named."""
        wanting, free = knowledge.objectives(p, side), knowledge.free_units(p, side)
        marching: dict[str, list[int]] = {}
        strength: dict[str, float] = {}
        for unit in members(free):
            name = knowledge.formation(unit)
            strength[name] = strength.get(name, 0.0) + knowledge.strength(p, unit)
            if unit in moves.ways:
                marching.setdefault(name, []).append(unit)
        self._kept = {name: objective for name, objective in self._kept.items() if objective in wanting}
        own = knowledge.own_objectives(p, side) if wanting else {}
        closeness = {
            name: self._closeness(knowledge, p, _among(wanting, own.get(name, -1)), units, moves)
            for name, units in marching.items()
        }
        self._assign(closeness, wanting, strength)
        objectives = {unit: self._kept.get(knowledge.formation(unit), -1) for unit in moves.ways}
        return {
            unit: objective
            for unit, objective in objectives.items()
            if objective >= 0 and (free >> unit & 1 or self._there(knowledge, p, unit, objective))
        }

    def _there(self, knowledge: PurposefulKnowledge, p: Any, unit: int, objective: int) -> bool:
        return knowledge.far_from(p, objective).get(knowledge.where(p, unit), FAR) <= THERE

    def _assign(
        self, closeness: dict[str, dict[int, float]], wanting: Mapping[int, float], strength: Mapping[str, float]
    ) -> None:
        """One after the other, whoever is worth most where he would go; each leaves less to be wanted there."""
        left, waiting = dict(wanting), set(closeness)
        while claims := [
            (left[objective] ** 0.5 * close, name, objective)
            for name in waiting
            for objective, close in closeness[name].items()
            if left[objective] > 0
        ]:
            _, name, objective = max(claims)
            waiting.remove(name)
            self._kept[name] = objective
            left[objective] = max(0.0, left[objective] - strength[name])

    def _closeness(
        self, knowledge: PurposefulKnowledge, p: Any, objectives: Iterable[int], units: list[int], moves: Moves
    ) -> dict[int, float]:
        """By objective, how soon a formation can be there: 1 at once. More for what it has gone for before."""
        found = {}
        for objective in objectives:
            far = knowledge.far_from(p, objective)
            left = sum(
                min((far.get(hex_, FAR) for hex_ in moves.ways[unit]), default=FAR) / knowledge.pace(unit)
                for unit in units
            )
            found[objective] = HALFWAY / (HALFWAY + left / len(units))
        kept = self._kept.get(knowledge.formation(units[0]), -1)
        return found | ({kept: KEPT * found[kept]} if kept in found else {})


def _among(objectives: Iterable[int], own: int) -> list[int]:
    return [objective for objective in objectives if own >> objective & 1]

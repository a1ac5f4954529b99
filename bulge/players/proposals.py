"""Up to three plans for a phase of moves that truly differ, each with its worth: what a hint offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from bulge.core.match import Match
from bulge.players.chances import estimate
from bulge.players.knowledge import ArmyKnowledge, armies_of, unit_question
from bulge.players.planner import PlannerPlayer
from bulge.players.player import Player
from bulge.players.reviewed import Step
from bulge.players.search import Plan

MOST = 3
LEAST_APART, PART_APART = 2, 0.2
"""Plans differ if so many units, or such a part of them, go elsewhere."""
NAMED = 3


class Proposal(msgspec.Struct, frozen=True):
    """A plan for the units that have not moved yet."""

    worth: float
    """Less than the best plan's by so much, in points of strength, after the same replies of the enemy."""
    chance: float | None
    """Of winning before the enemy's next move, for whoever asked; none where it was not learned."""
    low: float | None
    high: float | None
    words: str
    steps: tuple[Step, ...]


def hint_words(choice: str, why: str) -> str:
    """What is advised, with its reason; a reason that begins with what is advised says both."""
    return why if choice in why.partition(":")[0] else ": ".join(filter(None, (choice, why)))


def proposals(player: Player, match: Match[Any]) -> tuple[Proposal, ...]:
    """What a planner thought over for the phase in which it was asked; the match is a copy for its side."""
    armies = armies_of(match.game)
    if not isinstance(player, PlannerPlayer) or armies is None or unit_question(match, armies) != "move":
        return ()
    return tuple(_proposal(match, armies, worth, plan) for worth, plan in _differing(player, match))


def _differing(player: PlannerPlayer, match: Match[Any]) -> Iterator[tuple[float, Plan]]:
    """The plan that is carried out, and others unlike it and each other, for the units that may still move."""
    movable = set(match.asked().options)
    kept: list[Plan] = []
    for less, whole in player.contenders:
        plan = {unit: way for unit, way in whole.items() if unit in movable}
        if plan and all(_apart(plan, other) for other in kept):
            kept.append(plan)
            yield round(less, 1), plan
        if len(kept) == MOST:
            return


def _apart(one: Plan, other: Plan) -> bool:
    ends = ({unit: way.hex_ for unit, way in plan.items()} for plan in (one, other))
    ours, theirs = ends
    units = ours.keys() | theirs.keys()
    elsewhere = sum(ours.get(unit) != theirs.get(unit) for unit in units)
    return elsewhere >= max(LEAST_APART, PART_APART * len(units))


def _proposal(match: Match[Any], armies: ArmyKnowledge, worth: float, plan: Plan) -> Proposal:
    game, side, p = match.game, match.asked().side, match.position.copy()
    steps, words = [], []
    for unit, way in plan.items():
        stood = armies.where(p, unit)
        armies.place(p, unit, way.path)
        words.append(f"{game.units[unit].name} to {armies.words_of(way.hex_)}")
        if stood >= 0:
            steps.append(Step(game.units[unit].id, game.board.name(stood), game.board.name(way.hex_)))
    found = estimate(game, match.start.scenario, p, side)
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    told = f"{', '.join(words[:NAMED])}{more}"
    if found is None:
        return Proposal(worth, None, None, None, told, tuple(steps))
    chance, low, high = (round(value, 4) for value in found)
    return Proposal(worth, chance, low, high, told, tuple(steps))

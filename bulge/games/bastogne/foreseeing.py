"""What would come next, as far as no die decides it: who could go where, and assault whom at what odds."""

from __future__ import annotations

from bulge.core.chance import Scripted
from bulge.core.foreseen import Blow, Threat
from bulge.core.game import Game
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.bastogne.assault import begin, preview_assault
from bulge.games.bastogne.closing import able_to_assault, close_in_germans
from bulge.games.bastogne.facts import GERMAN, US, Facts
from bulge.games.bastogne.movement import cost_of, move_germans, ways_of
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import german_spaces, germans_in, us_in


def german_threat(game: Game[BastognePosition], facts: Facts, p: BastognePosition, unit: int) -> Threat:
    """Rules 15.7 and 17.2 carried out on a copy, without a die; the guns of both sides, which fire before, may
    change it."""
    t = Table(game, p.copy(), Scripted(()), keep_log=False)
    here = t.p.where[unit]
    move_germans(t, facts)
    there = t.p.where[unit]
    close_in_germans(t, facts)
    goal = t.p.where[unit]
    far = abs(facts.number_of[here] - facts.number_of[there])
    costs = {facts.board.name(there): str(far)} if far else {}
    blows = (_blow(facts, t.p, GERMAN, there, goal),) if goal != there else ()
    return Threat(facts.id_of(unit), costs, blows, "" if costs or blows else "it would stay where it is (15.7)")


def us_threat(facts: Facts, p: BastognePosition, unit: int) -> Threat:
    """Where a unit may move, and which Germans it could then close in on, with all who may join it."""
    if not facts.led_set >> unit & 1 or not p.weather:
        return Threat(facts.id_of(unit), {}, (), "only units and leaders move, in the weather of the day (15.3)")
    ways = ways_of(facts, p, unit)
    blows = []
    for target in members(german_spaces(facts, p)):
        for at in (at for at in (p.where[unit], *ways) if facts.beside.get(target, 0) >> at & 1):
            twin = p.copy()
            twin.done, twin.where[unit] = 0, at
            able = able_to_assault(facts, twin, target)
            if unit in able and facts.us_set >> unit & 1:
                for each in able:
                    twin.where[each] = target
                blows.append(_blow(facts, twin, US, at, target))
                break
    costs = {facts.board.name(end): cost_of(facts, way) for end, way in ways.items()}
    return Threat(facts.id_of(unit), costs, tuple(sorted(blows, key=_edge, reverse=True)))


def _blow(facts: Facts, p: BastognePosition, side: str, from_: int, target: int) -> Blow:
    """The assault of all who have entered a space."""
    attackers = us_in(facts, p, target) if side == US else germans_in(facts, p, target)
    odds = preview_assault(facts, p, begin(facts, p, side, target))
    return Blow(facts.board.name(target), facts.board.name(from_), tuple(map(facts.id_of, attackers)), odds)


def _edge(blow: Blow) -> int:
    return blow.odds.attack - blow.odds.defence

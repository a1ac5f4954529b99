"""What the tests of Ardennes '44 share: positions made by hand, and matches begun in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, other
from bulge.games.ardennes_44.facts import ABSENT, POOL, Facts
from bulge.games.ardennes_44.game import Ardennes44Game
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from tests.games.naming import Naming

ArdennesMatch = Match[Ardennes44]


@cache
def ardennes() -> Ardennes44Game:
    return Ardennes44Game()


def facts() -> Facts:
    return ardennes().facts


NAMING = Naming(facts)
at, hexes, names = NAMING.at, NAMING.hexes, NAMING.names
unit, units = NAMING.unit, NAMING.units


def empty(scenario: str = "S2", turn: int = 3, step: str = "german_movement") -> Ardennes44:
    """A map without units; who holds what is as at the start."""
    where = [POOL if row.entry == "pool" else ABSENT for row in facts().rows]
    return Ardennes44(step=step, scenario=scenario, turn=turn, where=where, german_held=facts().german_ground)


def placed(
    *there: tuple[str, str], scenario: str = "S2", turn: int = 3, step: str = "german_movement"
) -> Ardennes44:
    """Only these units, each in its hex."""
    p = empty(scenario, turn, step)
    for id_, hex_ in there:
        p.where[unit(id_)] = at(hex_)
    return p


def stand(own: Sequence[str], enemies: Sequence[str] = (), side: str = ALLIED) -> Situation:
    """Somebody of each side in these hexes: infantry; `s` after a hex for a silhouette, `a` for artillery."""
    p = empty()
    for owner, wanted in ((side, own), (other(side), enemies)):
        for hex_ in wanted:
            p.where[_somebody(p, owner, hex_[5:])] = at(hex_[:5])
    return Situation(facts(), p)


def _somebody(p: Ardennes44, side: str, kind: str) -> int:
    wanted = {"": facts().infantry, "s": facts().silhouettes, "a": facts().guns}[kind]
    free = (ABSENT,)
    return next(u for u in facts().units_of[side] if wanted >> u & 1 and p.where[u] in free)


def walk(id_: str, start: str, *enemies: tuple[str, str], turn: int = 3, strategic: int = 0) -> Walk:
    """A unit about to move, with these enemies about."""
    p = placed((id_, start), *enemies, turn=turn)
    return Walk(Situation(facts(), p), unit(id_), at(start), strategic=strategic)


def cost(walk_: Walk, *path: str) -> int:
    """What has been spent after these hexes, in half points; -1 if only Tactical Movement gets there."""
    for name in path:
        walk_ = walk_.after(at(name), walk_.next_steps()[at(name)])
    return walk_.spent


def battle(target: str, attackers: Sequence[tuple[str, str]], defenders: Sequence[str], **markers: int) -> Battle:
    """An attack made by hand."""
    p = placed(*attackers, *((id_, target) for id_ in defenders), step="german_combat")
    for name, value in markers.items():
        setattr(p, name, value)
    side = facts().side_of(unit(attackers[0][0]))
    return Battle(Situation(facts(), p), side, at(target), [unit(id_) for id_, _ in attackers])


def begun(p: Ardennes44, *dice: int) -> ArdennesMatch:
    """A match that goes on from a position with these dice."""
    return Match.at(ardennes(), p, Scripted(dice))


def answer(match: ArdennesMatch, *ids: str) -> None:
    for id_ in ids:
        match.answer(id_)

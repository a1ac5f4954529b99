"""Were it a side's turn now: where a unit of it could go, and whom it could attack from there, at what odds.

Nothing here knows a rule. The game is played on from an imagined position (`Game.as_if`) as a player would: the
unit is chosen, its reach is asked for; it is put where it could attack, the attack is made ready, and its odds are
asked for. Nothing is rolled: where a die would fall, the imagining ends. What the rules themselves would do with a
unit that they play, the game says (`Game.foreseen`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from bulge.core.decision import DONE, Kind, Preview
from bulge.core.errors import BulgeError
from bulge.core.foreseen import Blow, Threat
from bulge.core.game import Game, PhaseName
from bulge.core.match import Match
from bulge.core.position import Position
from bulge.core.spaces import union

P = TypeVar("P", bound=Position)

MOST_TRIED = 3
"""An attack on a hex is tried from so many of the hexes around it."""
MOST_NAMED = 12
MOST_PASSED = 20
ROLLS = "a die would say how far it goes"


class Dangers(msgspec.Struct, frozen=True):
    """What threatens a side, were it the others' turn now."""

    blows: tuple[Blow, ...]
    """The strongest attack on each of its hexes, the worst first."""
    reached: dict[str, str]
    """Places where nobody stands, and who could go there first."""


class _ADie(Exception):
    """A die would fall here."""


class _NoDice:
    def raw(self, count: int, size: int) -> int:
        raise _ADie


class Imagined(Generic[P]):
    """A position in which every side is imagined to be on turn."""

    def __init__(self, game: Game[P], p: P) -> None:
        self.game, self.p = game, p

    @cached_property
    def stand(self) -> dict[int, int]:
        """The space of every unit on the board, as anybody can see it."""
        numbers = {unit.id: number for number, unit in enumerate(self.game.units)}
        pieces = self.game.scene(self.p, None).pieces
        return {numbers[piece.unit]: self.game.board.at(piece.space) for piece in pieces if piece.unit in numbers}

    def threat(self, unit: int) -> Threat | None:
        """What a unit on the board could do; None in a game that cannot imagine it."""
        here = self.stand.get(unit)
        if here is not None and (foreseen := self.game.foreseen(self.p, unit)):
            return foreseen
        if here is None or self._as_if(unit, here, Kind.UNIT) is None:
            return None
        costs, words = self._ways(unit)
        side = self.game.units[unit].side
        enemies = sorted({at for other, at in self.stand.items() if self.game.units[other].side != side})
        return Threat(self.game.units[unit].id, costs, self._blows(unit, costs, enemies), words)

    def threats_to(self, space: int) -> list[Threat]:
        """The enemies of whoever stands in a space that could attack it, each with that one attack."""
        units = self.game.units
        sides = {units[unit].side for unit, at in self.stand.items() if at == space}
        enemies = [unit for unit in self.stand if sides and units[unit].side not in sides]
        found = []
        for unit in enemies:
            if foreseen := self.game.foreseen(self.p, unit):
                at = self.game.board.name(space)
                blows = tuple(blow for blow in foreseen.blows if blow.target == at)
                found += [Threat(units[unit].id, {}, blows)] if blows else []
            elif self._as_if(unit, self.stand[unit], Kind.UNIT) is not None:
                blows = self._blows(unit, self._ways(unit)[0], [space])
                found += [Threat(units[unit].id, {}, blows)] if blows else []
        return sorted(found, key=lambda threat: _odds(threat.blows[0]), reverse=True)

    def dangers(self, side: str, places: Iterable[str]) -> Dangers | None:
        """What the enemies of a side could do to it, and which of some places they could enter; None as above."""
        enemies = [unit for unit in self.stand if self.game.units[unit].side != side]
        found = [threat for unit in enemies if (threat := self.threat(unit))]
        if not found:
            return None
        worst: dict[str, Blow] = {}
        for blow in (blow for threat in found for blow in threat.blows):
            if blow.target not in worst or _odds(blow) > _odds(worst[blow.target]):
                worst[blow.target] = blow
        taken = {self.game.board.name(at) for at in self.stand.values()}
        empty = [place for place in places if place not in taken]
        reached = {place: threat.unit for place in empty for threat in reversed(found) if place in threat.costs}
        return Dangers(tuple(sorted(worst.values(), key=_odds, reverse=True)), reached)

    # ------------------------------------------------------------------ going on from here

    def _as_if(self, unit: int, at: int, kind: Kind) -> P | None:
        phase: PhaseName = "movement" if kind is Kind.UNIT else "combat"
        return self.game.as_if(self.p, self.game.units[unit].side, phase, unit, at)

    def _play_to(self, unit: int, at: int, kind: Kind) -> Match[P] | None:
        """On to the phase that asks for units, or for places; what is asked before is passed over."""
        imagined = self._as_if(unit, at, kind)
        if imagined is None:
            return None
        match = Match.at(self.game, imagined, _NoDice(), keep_log=False)
        for _ in range(MOST_PASSED):
            decision = match.decision
            if decision is None or decision.side != self.game.units[unit].side:
                return None
            if decision.top and decision.kind is kind:
                return match
            if DONE not in decision.options:
                return None
            match.choose(DONE)
        return None

    # ------------------------------------------------------------------ where it could go

    def _ways(self, unit: int) -> tuple[dict[str, str], str]:
        """What it costs to get to each place; or none, and why."""
        try:
            match = self._play_to(unit, self.stand[unit], Kind.UNIT)
            if match is None:
                return {}, ""
            if unit not in match.asked().options:
                return {}, match.why_not(self.game.units[unit].id).words
            match.choose(unit)
            ways = self.game.reachable(match.table, match.asked())
        except _ADie:
            return {}, ROLLS
        except BulgeError:
            return {}, ""
        return (ways.costs if ways else {}), ""

    # ------------------------------------------------------------------ whom it could attack

    def _blows(self, unit: int, costs: dict[str, str], targets: Iterable[int]) -> tuple[Blow, ...]:
        board, here = self.game.board, self.stand[unit]
        reached = [board.at(name) for name in costs]
        could = union([here, *reached])
        found = []
        for target in targets:
            near = board.next_to(target) & could
            from_ = [here] if near >> here & 1 else [at for at in reached if near >> at & 1][:MOST_TRIED]
            tried = [blow for at in from_ if (blow := self._blow(unit, at, target))]
            found += [max(tried, key=_odds)] if tried else []
        return tuple(sorted(found, key=_odds, reverse=True))

    def _blow(self, unit: int, at: int, target: int) -> Blow | None:
        game = self.game
        try:
            match = self._play_to(unit, at, Kind.SPACE)
            if match is None or target not in match.asked().options:
                return None
            match.choose(target)
            named, odds = _name_all(match, unit)
        except (_ADie, BulgeError):
            return None
        names = tuple(game.units[each].id for each in named)
        return Blow(game.board.name(target), game.board.name(at), names, odds) if odds else None


def _odds(blow: Blow) -> tuple[float, str]:
    odds = blow.odds
    return odds.attack / max(1, odds.defence) + sum(each.amount for each in odds.modifiers) / 10, blow.target


def _name_all(match: Match[Any], unit: int) -> tuple[list[int], Preview | None]:
    """Name the unit and all who may join it; then what the attack would bring."""
    named: list[int] = []
    odds: Preview | None = None
    for _ in range(MOST_NAMED):
        decision = match.decision
        if decision is None or decision.kind is not Kind.UNIT:
            break
        able = [choice for choice in decision.options if isinstance(choice, int)]
        if not able or not (named or unit in able):
            break
        choice = unit if unit in able else able[0]
        named.append(choice)
        odds = match.preview(choice) or odds
        if len(able) == 1:
            break
        match.choose(choice)
    return named, odds

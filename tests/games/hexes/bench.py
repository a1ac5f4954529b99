"""A workbench for tests of games on hexes: names to numbers, positions made by hand, matches that begin there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from bulge.core.chance import Scripted
from bulge.core.decision import Decision, Kind
from bulge.core.game import Game, not_among
from bulge.core.match import Match
from bulge.core.position import Position
from bulge.games.hexes.roster import GONE

P = TypeVar("P", bound=Position)


class Bench(Generic[P]):
    """One game to try things on."""

    def __init__(self, game: Game[P], start: Callable[[], P]) -> None:
        self.game, self.board, self.start = game, game.board, start
        self._units = {unit.id: number for number, unit in enumerate(game.units)}

    def at(self, name: str) -> int:
        """The hex of this number."""
        return self.board.at(name)

    def hexes(self, *names: str) -> int:
        """The set of these hexes."""
        return self.board.set_of(names)

    def names(self, spaces: int) -> set[str]:
        return set(self.board.names_of(spaces))

    def unit(self, id_: str) -> int:
        return self._units[id_]

    def units(self, *ids: str) -> int:
        """The set of these units."""
        return sum(1 << self._units[id_] for id_ in ids)

    def empty(self, placed: Mapping[str, str], *, turn: int, step: str) -> P:
        """Nobody in play but these units."""
        p: Any = self.start()
        p.where = [GONE] * len(p.where)
        p.turn, p.step = turn, step
        for id_, hex_ in placed.items():
            p.where[self._units[id_]] = self.at(hex_)
        found: P = p
        return found

    def where(self, p: Any, id_: str) -> str | None:
        """The hex of a unit, or None if it is not on the map."""
        hex_ = p.where[self._units[id_]]
        return self.board.name(hex_) if hex_ >= 0 else None

    def play(self, p: P, dice: Sequence[int] = ()) -> Match[P]:
        """A match from this position on, at the beginning of its step, with these dice."""
        return Match.at(self.game, p, Scripted(dice))


def unexplained(match: Match[Any]) -> Iterator[tuple[Decision, str]]:
    """Hexes and units that are not offered now, and about which nothing better than that is said."""
    decision = match.asked()
    for name in asked_about(match):
        if match.why_not(name).words == not_among(decision):
            yield decision, name


def asked_about(match: Match[Any]) -> list[str]:
    """Every hex or unit that is of the kind to be chosen now, and not offered."""
    decision, game = match.asked(), match.game
    if decision.kind is Kind.SPACE:
        everything = game.board.names_of(game.board.all)
    elif decision.kind is Kind.UNIT:
        everything = [unit.id for unit in game.units]
    else:
        return []
    offered = {game.id_of(decision, choice) for choice in decision.options}
    return [name for name in everything if name not in offered]

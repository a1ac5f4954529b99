"""The base of a game on hexes: what it is made of, how it is shown, and what can never be true in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from bulge.core.game import Game, PhaseName, Unit
from bulge.core.hexes import Sides
from bulge.core.look import Chart, Face, Look, Mark, Piece, Scene, Score, TurnLook
from bulge.games.drawn import hex_look
from bulge.games.hexes import scene
from bulge.games.hexes.facts import HexFacts
from bulge.games.hexes.imagining import as_if
from bulge.games.hexes.position import HexPosition
from bulge.games.hexes.sides import SIDES
from bulge.games.hexes.situation import Supplied

F = TypeVar("F", bound=HexFacts)
P = TypeVar("P", bound=HexPosition)
S = TypeVar("S", bound=Supplied)


class HexGame(Game[P], Generic[F, P, S]):
    """Two sides on hexes, with zones, and with supply by road over bridges that enemies interdict."""

    sides: ClassVar[tuple[str, ...]] = SIDES
    players: ClassVar[tuple[str, ...]] = SIDES
    last_turn: ClassVar[int]

    def __init__(self, facts: F) -> None:
        self.facts = facts
        self.data, self.map, self.board = facts.data, facts.map, facts.board
        self.units = [Unit(row.id, row.name, facts.side_of(unit)) for unit, row in enumerate(facts.roster.rows)]

    def situation(self, p: P) -> S:
        """What follows from where the units stand."""
        raise NotImplementedError

    def check(self, p: P) -> None:
        s = self.situation(p)
        one, other = s.occupied.values()
        assert not one & other, "both sides in one hex"
        assert all(s.room(at) >= 0 for at in p.where if at >= 0), "overstacked"
        assert 1 <= p.turn <= self.last_turn

    # ------------------------------------------------------------------ what is printed

    def hex_words(self, name: str) -> str:
        """A hex for somebody who does not see the map."""
        raise NotImplementedError

    def face(self, unit: int) -> Face:
        """A counter."""
        raise NotImplementedError

    def charts(self) -> tuple[Chart, ...]:
        raise NotImplementedError

    def date(self, turn: int) -> str:
        raise NotImplementedError

    def turn_words(self, turn: int) -> str:
        """What begins with a turn."""
        raise NotImplementedError

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        return hex_look(
            self,
            drawing,
            words=self.hex_words,
            faces=map(self.face, range(len(self.units))),
            charts=self.charts(),
            turns=(TurnLook(self.date(turn), self.turn_words(turn)) for turn in range(1, self.last_turn + 1)),
        )

    # ------------------------------------------------------------------ what lies where now

    def steps_left(self, p: P, unit: int) -> int:
        return 1

    def arrives(self, p: P, unit: int) -> int:
        """The turn on which a unit is due."""
        raise NotImplementedError

    def flags(self, s: S) -> dict[str, int]:
        """What counters are marked with, each with the units that are."""
        raise NotImplementedError

    def marks(self, s: S) -> tuple[Mark, ...]:
        """What lies on the map beside the units."""
        raise NotImplementedError

    def scores(self, s: S) -> tuple[Score, ...]:
        raise NotImplementedError

    def layers(self, s: S) -> dict[str, tuple[str, ...]]:
        """Overlays beside zones, supply and interdicted bridges."""
        raise NotImplementedError

    def scene(self, p: P, side: str | None) -> Scene:
        s, name, roster = self.situation(p), self.board.name, self.facts.roster
        flags = scene.flags(self.flags(s))
        return Scene(
            turn=p.turn,
            step=p.step,
            pieces=tuple(
                Piece(row.id, name(p.where[unit]), self.steps_left(p, unit), flags.get(unit, ()))
                for unit, row in enumerate(roster.rows)
                if p.where[unit] >= 0 and roster.bodies[unit]
            ),
            marks=self.marks(s),
            waiting=scene.waiting(roster, p.where, self.last_turn, partial(self.arrives, p)),
            scores=self.scores(s),
        )

    def overlays(self, p: P, side: str | None) -> dict[str, tuple[str, ...]]:
        board, s, passable = self.facts.board, self.situation(p), self.facts.passable
        return {
            **scene.by_side(board, "zones", s.zones),
            **scene.by_side(board, "supply", {side: s.lines(side).spaces & passable for side in self.sides}),
            **scene.by_side(board, "interdicted", {side: s.interdicted(side) for side in self.sides}),
            **self.layers(s),
        }

    def supply_roads(self, s: S, side: str) -> tuple[Sides, int]:
        """The roads by which a side is supplied, and the sources to which they lead."""
        raise NotImplementedError

    def supply_line(self, p: P, unit: int) -> tuple[str, ...]:
        s, side = self.situation(p), self.facts.side_of(unit)
        return scene.supply_line(self.facts.board, s.lines(side), *self.supply_roads(s, side), p.where[unit])

    # ------------------------------------------------------------------ what is imagined

    def step_of(self, side: str, phase: PhaseName) -> str:
        """The step in which a side moves, or attacks."""
        raise NotImplementedError

    def as_if(self, p: P, side: str, phase: PhaseName, unit: int, at: int) -> P:
        """The first side's phases come next turn, once the second side is on turn."""
        first, second = self.sides
        twin = as_if(p, self.step_of(side, phase), unit, at)
        if side == first and p.step.startswith(second.lower()):
            twin.turn = min(self.last_turn, p.turn + 1)
        return twin

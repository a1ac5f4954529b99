"""What a side sees, as arrays of numbers: planes over the board, north up, and a few numbers beside them.

Everything in them comes from the scene and the question that the same side would be shown at the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bulge.core.decision import Decision, Kind
from bulge.core.game import Game
from bulge.core.hexes import COLUMNS_FROM_EAST, HexBoard
from bulge.core.look import Look
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.lab.ground import Ground

Array = NDArray[np.float32]
Cell = tuple[int, int]

STEPS, STRENGTH = 10.0, 20.0
"""What steps and strengths are divided by, to stay near 1."""
QUESTION = ("offered", "units offered", "subject", "units of the subject")
"""Planes about the question that is asked now; empty for whoever is not asked."""


class Planes:
    """The observations of one game: what each plane and each number means stands in `names` and `numbers`."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._cells = _cells(game)
        self.height = 1 + max(row for row, _ in self._cells.values())
        self.width = 1 + max(column for _, column in self._cells.values())
        look = game.look(_flat_drawing(game, self._cells, self.height, self.width))
        self._values = {face.id: tuple(map(_number, face.values)) for face in look.faces}
        self._side = {unit.id: unit.side for unit in game.units}
        self._turns = max(1, len(look.turns))
        fixed, self._fixed = self._ground(Ground(game))
        self.names = (*fixed, *self._live_names(look), *QUESTION)
        self._at = {name: place for place, name in enumerate(self.names)}
        self.numbers = (
            "turn",
            *(f"step {step}" for step in game.sequence),
            *(f"asked {player}" for player in game.everybody),
            *(f"rule {number}" for number in game.rulebook.rules),
        )
        self._number_at = {name: place for place, name in enumerate(self.numbers)}

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.names), self.height, self.width

    def _live_names(self, look: Look) -> Iterable[str]:
        for side in self._game.sides:
            yield from (f"{side} {what}" for what in ("units", "steps", "strength"))
        yield "marks"
        yield from (f"overlay {overlay.id}" for overlay in look.overlays)

    # ------------------------------------------------------------------ what never changes

    def _ground(self, ground: Ground) -> tuple[list[str], Array]:
        """Which spaces there are, terrain and towns, and how many of a hex's sides have a road or a river."""
        planes: dict[str, Array] = {"space": self._empty()}
        for space in self._cells:
            planes["space"][self._cells[space]] = 1
        for name, features in (ground.map.get("hexes") or ground.map.get("spaces", {})).items():
            if not self._game.board.has(name):
                continue
            for key in ("terrain", "kind"):
                if value := features.get(key):
                    planes.setdefault(f"{key} {value}", self._empty())[self._cell(name)] = 1
        for name, features in ground.map.get("sides", {}).items():
            for key, value in features.items():
                for hex_ in name.split("/"):
                    if value and self._game.board.has(hex_):
                        planes.setdefault(f"sides {key}", self._empty())[self._cell(hex_)] += 1 / 6
        return list(planes), np.stack(list(planes.values()))

    def _empty(self) -> Array:
        return np.zeros((self.height, self.width), np.float32)

    def _cell(self, name: str) -> Cell:
        return self._cells[self._game.board.at(name)]

    # ------------------------------------------------------------------ what is seen now

    def planes(self, match: Match[Any], player: str) -> Array:
        """The board as a player sees it now."""
        game, scene = self._game, self._game.scene(match.position, player)
        out = np.zeros(self.shape, np.float32)
        out[: len(self._fixed)] = self._fixed
        where: dict[str, Cell] = {}
        for piece in scene.pieces:
            if not game.board.has(piece.space):
                continue
            cell = where[piece.unit] = self._cell(piece.space)
            side, values = self._side[piece.unit], self._values.get(piece.unit, ())
            out[self._at[f"{side} units"]][cell] += 1
            out[self._at[f"{side} steps"]][cell] += piece.steps / STEPS
            if piece.steps < len(values):
                out[self._at[f"{side} strength"]][cell] += values[piece.steps] / STRENGTH
        self._mark(out, "marks", (mark.space for mark in scene.marks))
        for overlay, names in game.overlays(match.position, player).items():
            self._mark(out, f"overlay {overlay}", (space for name in names for space in name.split("/")))
        if match.decision is not None and match.decision.side == player:
            self._question(out, match, match.decision, where)
        return out

    def _mark(self, out: Array, plane: str, names: Iterable[str]) -> None:
        if (at := self._at.get(plane)) is not None:
            for name in names:
                if self._game.board.has(name):
                    out[at][self._cell(name)] = 1

    def _question(self, out: Array, match: Match[Any], decision: Decision, where: dict[str, Cell]) -> None:
        units = self._game.units
        for choice in decision.options:
            if not isinstance(choice, int):
                continue
            if decision.kind is Kind.SPACE and choice in self._cells:
                out[self._at["offered"]][self._cells[choice]] = 1
            elif decision.kind is Kind.UNIT and 0 <= choice < len(units) and (cell := where.get(units[choice].id)):
                out[self._at["units offered"]][cell] = 1
        if subject := self._game.subject(match.table, decision):
            self._mark(out, "subject", subject.spaces)
            for unit in subject.units:
                if cell := where.get(unit):
                    out[self._at["units of the subject"]][cell] = 1

    def context(self, match: Match[Any], player: str) -> Array:
        """Turn, step of the sequence of play, who is asked, and under which rule."""
        out = np.zeros(len(self.numbers), np.float32)
        out[0] = match.position.turn / self._turns
        told = [f"step {match.position.step}"]
        if match.decision is not None:
            told.append(f"asked {match.decision.side}")
            if match.decision.side == player:
                told.append(f"rule {match.decision.rule}")
        for name in told:
            if (at := self._number_at.get(name)) is not None:
                out[at] = 1
        return out


def _cells(game: Game[Any]) -> dict[int, Cell]:
    """Row and column of each space, north up and west to the left; boxes in rows below the hexes.

    A board without hexes is one row.
    """
    board = game.board
    if not isinstance(board, HexBoard):
        return {space: (0, at) for at, space in enumerate(members(board.all))}
    parsed = {space: board.grid.parse(board.name(space)) for space in members(board.hexes)}
    if board.grid.numbering is COLUMNS_FROM_EAST:
        parsed = {space: (-place, line) for space, (line, place) in parsed.items()}
    north, west = min(row for row, _ in parsed.values()), max(column for _, column in parsed.values())
    cells = {space: (row - north, west - column) for space, (row, column) in parsed.items()}
    rows, columns = (1 + max(cell[axis] for cell in cells.values()) for axis in (0, 1))
    for number, box in enumerate(members(board.boxes)):
        cells[box] = (rows + number // columns, number % columns)
    return cells


def _flat_drawing(game: Game[Any], cells: dict[int, Cell], height: int, width: int) -> dict[str, Any]:
    """A stand-in for the drawn map: a game's look needs to know where spaces lie, and drawing takes seconds."""
    board = game.board
    places = {board.name(space): [float(column), float(row)] for space, (row, column) in cells.items()}
    size = {"hex": 1.0, "pointed": True, "width": float(width), "height": float(height)}
    if not isinstance(board, HexBoard):
        return {"spaces": places, **size}
    boxes = {name: [*places.pop(name), 1.0, 1.0] for name in board.names_of(board.boxes)}
    return {"hexes": places, "boxes": boxes, **size}


def _number(printed: str) -> float:
    try:
        return float(printed)
    except ValueError:
        return 0.0

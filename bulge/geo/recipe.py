"""A game's map recipe: its grid and outline, the anchors of its fit, and what of the geography it shows.

Read from `bulge/games/<game>/map_recipe.toml`. Everything that a game's map needs beyond the geography, the
derivation and the stated facts stands there, and every correction by hand with its reason.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bulge.core.hexes import NUMBERINGS, Grid, Sheet
from bulge.geo.lattice import Cell, Lattice, Side

GAMES = Path(__file__).resolve().parent.parent / "games"

Entry = dict[str, Any]


@dataclass(frozen=True)
class Correction:
    """One change by hand, and why."""

    what: Entry
    why: str


@dataclass(frozen=True)
class Recipe:
    game: str
    data: Entry
    corrections: tuple[Correction, ...] = field(default_factory=tuple)

    @property
    def title(self) -> str:
        return str(self.data["title"])

    @cached_property
    def grid(self) -> Grid:
        grid = self.data["grid"]
        sheets = grid.get("sheets", [{"prefix": "", "shift": 0}])
        return Grid(
            NUMBERINGS[grid["numbering"]], tuple(Sheet(sheet["prefix"], sheet["shift"]) for sheet in sheets)
        )

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(self.grid.numbering)

    @cached_property
    def names(self) -> dict[Cell, str]:
        """Every hex of the board by its line and place; where sheets overlap, the first named wins."""
        out: dict[Cell, str] = {}
        for part in self.data["outline"]:
            prefix = part.get("sheet", "")
            (first, last), (low, high) = part["lines"], part["places"]
            for line in range(first, last + 1):
                for place in range(low, high + 1):
                    name = f"{prefix}{line:02}{place:02}"
                    out.setdefault(self.grid.parse(name), name)
        for name in self.data.get("cut", []):
            out.pop(self.grid.parse(name), None)
        return out

    def cell(self, name: str) -> Cell:
        return self.grid.parse(name)

    def cells(self, names: str) -> tuple[Cell, ...]:
        """The hexes of `2020/2119` (a letter on the first name counts for the others too)."""
        first, *rest = names.split("/")
        letter = first[0] if first[0].isalpha() else ""
        return tuple(self.cell(name if name[0].isalpha() else letter + name) for name in [first, *rest])

    def side(self, names: str) -> Side:
        one, other = self.cells(names)
        if other not in self.lattice.neighbours(one):
            raise ValueError(f"{self.game}: {names} is no hexside")
        return frozenset((one, other))

    def name(self, cell: Cell) -> str:
        return self.names[cell]

    def side_name(self, side: Side) -> str:
        return "/".join(sorted(self.names[cell] for cell in side))

    def table(self, key: str) -> Entry:
        found: Entry = self.data.get(key, {})
        return found

    def tables(self, key: str) -> list[Entry]:
        found: list[Entry] = self.data.get(key, [])
        return found


def load(game: str) -> Recipe:
    data = tomllib.loads((GAMES / game / "map_recipe.toml").read_text(encoding="utf-8"))
    corrections = []
    for entry in data.get("correction", []):
        what = {key: value for key, value in entry.items() if key != "why"}
        if not entry.get("why"):
            raise ValueError(f"{game}: a correction without a reason: {what}")
        corrections.append(Correction(what, entry["why"]))
    return Recipe(game, data, tuple(corrections))

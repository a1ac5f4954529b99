"""The base of a game's facts: its data, its map, and who its counters are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from bulge.core.compiling import compiled
from bulge.core.data import GameData, Overrides
from bulge.core.mapfile import load_map
from bulge.core.movement import StepCosts
from bulge.games.hexes.roster import Counter, Roster


@compiled(allow_interpreted_subclasses=True)
class HexFacts:
    """Everything that is printed, or would be, on the map, the counters and the charts."""

    def __init__(self, game: str, overrides: Overrides | None) -> None:
        folder = files(f"bulge.games.{game}")
        self.data = GameData(game, folder, overrides)
        self.map = load_map(game, folder)
        self.board = self.map.board
        self.passable = self.board.all
        """The hexes in which units can be; a game that has others says so."""

    def steps_into(self, ground: Iterable[tuple[int, int]]) -> StepCosts:
        """What a step costs by the ground alone: each cost with its hexes; several kinds may cost the same."""
        by_cost: dict[int, int] = {}
        for cost, hexes in ground:
            by_cost[cost] = by_cost.get(cost, 0) | hexes
        return StepCosts.by_terrain(self.board, by_cost)

    def _enlist(
        self, rows: Sequence[Counter], camps: Mapping[str, Sequence[str]], markers: Iterable[int] = ()
    ) -> None:
        """Who the counters are, and on whose side; see `Roster`."""
        self.roster = roster = Roster(self.data.game, rows, camps, markers)
        self.units_of, self.sets, self.side_of = roster.units_of, roster.sets, roster.side_of

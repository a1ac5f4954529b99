"""A hex in words, for a text board: what the map file says of it and of its sides."""

from __future__ import annotations

from collections.abc import Mapping

from bulge.core.mapfile import HexMap


def features(hex_: int, sets: Mapping[str, int]) -> list[str]:
    """The names of the sets that a hex is in."""
    return [name for name, hexes in sets.items() if hexes >> hex_ & 1]


def side_words(game_map: HexMap, name: str) -> list[str]:
    """Roads and rivers of a hex, by the neighbour they lead to or part it from."""
    board, sides = game_map.board, game_map.raw["sides"]
    roads, rivers = [], []
    for near in board.neighbours(board.at(name)):
        other = board.name(near)
        features = sides.get(board.side_name(board.side_number(board.at(name), near)), {})
        if features.get("road"):
            roads.append(other)
        if features.get("river"):
            rivers.append(f"{other} (bridge)" if features.get("bridge") else other)
    found = []
    if roads:
        found.append(f"road to {', '.join(sorted(roads))}")
    if name in game_map.raw.get("edges", {}):
        found.append("road off the map")
    if rivers:
        found.append(f"river towards {', '.join(sorted(rivers))}")
    return found

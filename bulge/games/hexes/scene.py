"""What is shown of a game on hexes: counters' flags, who waits, overlays, reach, lines of supply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bulge.core.hexes import HexBoard, Sides
from bulge.core.look import Reachable, Subject, Waiting
from bulge.core.movement import Reach
from bulge.core.spaces import members
from bulge.core.supply import Lines, whole_line
from bulge.games.hexes.roster import DUE, GONE, Roster

LOST = "lost"


def flags(unit: int, sets: Mapping[str, int]) -> tuple[str, ...]:
    """The flags of one counter: the names of the sets that it is in."""
    return tuple(flag for flag, units in sets.items() if units >> unit & 1)


def waiting(
    roster: Roster, where: Sequence[int], last_turn: int, arrives: Callable[[int], int]
) -> tuple[Waiting, ...]:
    """Who is due on which turn, and who is lost."""
    boxes: dict[str, list[str]] = {f"turn {turn}": [] for turn in range(1, last_turn + 1)}
    boxes[LOST] = []
    for unit, row in enumerate(roster.rows):
        if where[unit] == DUE:
            boxes[f"turn {min(last_turn, arrives(unit))}"].append(row.id)
        elif where[unit] == GONE:
            boxes[LOST].append(row.id)
    return tuple(Waiting(box, tuple(units)) for box, units in boxes.items() if units)


# ---------------------------------------------------------------------- overlays


def by_side(board: HexBoard, kind: str, shown: Mapping[str, int | Sides]) -> dict[str, tuple[str, ...]]:
    """One overlay for each side: sets of hexes, or hexsides; `kind` is zones, supply, interdicted, ..."""
    return {f"{kind}_{side.lower()}": _names(board, what) for side, what in shown.items()}


def _names(board: HexBoard, shown: int | Sides) -> tuple[str, ...]:
    return tuple(shown.names() if isinstance(shown, Sides) else board.names_of(shown))


def front(board: HexBoard, held: int) -> tuple[str, ...]:
    """The hexsides between what one side holds and the rest."""
    sides = (
        board.side_number(one, two)
        for one in members(held)
        for two in board.neighbours(one)
        if not held >> two & 1
    )
    return tuple(sorted(board.side_name(side) for side in sides))


# ---------------------------------------------------------------------- questions


def reachable(
    board: HexBoard,
    reach: Reach,
    points: Callable[[int], str],
    *,
    but: int = 0,
    first_mode: str = "",
    words: str = "",
) -> Reachable:
    """Everywhere that a move can end, what it costs, by which way, and where the mode of its first part leads.

    `but` are hexes in which it cannot end, the one where it is among them.
    """
    name = board.name
    costs: dict[str, str] = {}
    paths: dict[str, tuple[str, ...]] = {}
    modes: dict[str, str] = {}
    for cost, level in enumerate(reach.levels):
        for hex_ in members(level & ~but):
            costs[name(hex_)] = points(cost)
            paths[name(hex_)] = tuple(name(step) for step in reach.path(hex_))
            if first_mode and reach.before is not None and reach.start.get(cost, 0) >> hex_ & 1:
                modes[name(hex_)] = first_mode
    return Reachable(costs, paths, modes, words=words)


def subject(board: HexBoard, roster: Roster, spaces: Iterable[int], units: Iterable[int] = ()) -> Subject:
    """What a question points at."""
    return Subject(tuple(board.name(at) for at in spaces), tuple(roster.rows[unit].id for unit in units))


def supply_line(board: HexBoard, lines: Lines, roads: Sides, sources: int, from_: int) -> tuple[str, ...]:
    """A line of supply from a space, overland to a road and along it to a source; empty for who is cut off."""
    return tuple(board.name(hex_) for hex_ in whole_line(lines, roads, sources, from_)) if from_ >= 0 else ()

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


def flags(sets: Mapping[str, int]) -> dict[int, tuple[str, ...]]:
    """The flags of each counter that has any: the names of the sets that it is in."""
    found: dict[int, tuple[str, ...]] = {}
    for flag, units in sets.items():
        for unit in members(units):
            found[unit] = (*found.get(unit, ()), flag)
    return found


def waiting(
    roster: Roster, where: Sequence[int], last_turn: int, arrives: Callable[[int], int]
) -> tuple[Waiting, ...]:
    """Who is due on which turn, and who is lost."""
    due: dict[int, list[str]] = {}
    lost: list[str] = []
    for unit, at in enumerate(where):
        if at == DUE:
            due.setdefault(min(last_turn, arrives(unit)), []).append(roster.rows[unit].id)
        elif at == GONE:
            lost.append(roster.rows[unit].id)
    coming = [Waiting(f"turn {turn}", tuple(units)) for turn, units in sorted(due.items())]
    return (*coming, *([Waiting(LOST, tuple(lost))] if lost else []))


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

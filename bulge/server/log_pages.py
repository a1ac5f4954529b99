"""The log as a page gets it: its newest part with a state, what came before that once it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.table import Condition
from bulge.server.play import LogLine

NEWEST = 36_000
"""Bytes of the log with a state: packed, an eighth of them goes over the wire."""
BESIDE_A_MAP = 8_000
"""So many where a whole map is offered, which itself takes ten of the twelve kilobytes that a state may have."""
EARLIER = 72_000
"""Bytes of the log in the answer to a page that asks for what came before."""


class EventView(msgspec.Struct, frozen=True, gc=False):
    at: int
    """How many choices had been made when it happened."""
    by: str | None
    """The side whose choice led to it."""
    rule: str
    words: str
    dice: tuple[int, ...]
    sides: int
    spaces: tuple[str, ...]
    units: tuple[str, ...]
    cards: tuple[str, ...]
    kind: str
    """`turn`, `phase`, `card`, `move`, `battle`, `draw`, `result`, `retreat`, `loss` or `passed`, if any."""
    why: str
    """What the computer player had in mind whose choice led to it; only where that tells no secret."""
    conditions: tuple[Condition, ...] = ()
    """What it depended on, one by one, where a client can lay that out."""
    depth: int = 0
    """How deep a reason it is for what follows: 1 for what a whole impulse hangs on, 9 for what led to the next
    line alone; 0 for what came of it all."""
    step: str = ""
    """In which step of the sequence of play; `phases` of the look has the names."""


class LogPage(msgspec.Struct, frozen=True):
    """A part of the log from before what a page has of it."""

    first: int
    """How many lines come before these."""
    events: tuple[EventView, ...]


def log_page(game: Game[Any], lines: Sequence[LogLine], before: int, *, reasons: bool) -> LogPage:
    """The lines that come before one of the log, back to where a page is full."""
    if not 1 <= before <= len(lines):
        count = len(lines)
        wanted = f"ask for those before a number from 1 to {count}, not {before}" if lines else "none can be had"
        raise BulgeError(f"the log has {count} lines: {wanted}")
    events = events_of(game, lines[:before], EARLIER, reasons=reasons)
    return LogPage(before - len(events), events)


def events_of(
    game: Game[Any], lines: Sequence[LogLine], room: int | None, *, reasons: bool
) -> tuple[EventView, ...]:
    """These lines; where room is short, as many from the last one back as there are bytes for, one at least."""
    if room is None:
        return tuple(event_view(game, line, reasons=reasons) for line in lines)
    found: list[EventView] = []
    for line in reversed(lines):
        view = event_view(game, line, reasons=reasons)
        room -= len(msgspec.json.encode(view))
        if found and room < 0:
            break
        found.append(view)
    return tuple(reversed(found))


def event_view(game: Game[Any], line: LogLine, *, reasons: bool) -> EventView:
    event = line.event
    return EventView(
        at=line.at,
        by=line.by,
        rule=event.rule,
        words=event.words,
        dice=event.dice,
        sides=event.sides,
        spaces=tuple(game.board.name(space) for space in event.spaces),
        units=tuple(game.units[unit].id for unit in event.units),
        cards=tuple(game.cards[card].id for card in event.cards),
        kind=event.kind,
        why=line.why if reasons else "",
        conditions=event.conditions,
        depth=event.depth,
        step=event.step,
    )

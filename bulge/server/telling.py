"""What happened since some choice, told so that a page can show it move by move."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from bulge.core.look import Piece, Score
from bulge.server.log_pages import EventView, event_view
from bulge.server.play import Play
from bulge.server.replays import Replays
from bulge.server.seats import Seat

MOST_FRAMES = 1200
"""Of a longer time away, the end is told."""


class Frame(msgspec.Struct, frozen=True):
    """What one choice brought about."""

    n: int
    by: str | None
    turn: int
    step: str
    moved: tuple[Piece, ...]
    """Counters that are new, have moved or changed, as they are afterwards."""
    gone: tuple[str, ...]
    events: tuple[EventView, ...]


class Change(msgspec.Struct, frozen=True):
    """What an overlay covers now and did not before, and the other way round."""

    new: tuple[str, ...]
    gone: tuple[str, ...]


class Telling(msgspec.Struct, frozen=True):
    since: int
    pieces: tuple[Piece, ...]
    """What lay where before the first frame."""
    scores: tuple[Score, ...]
    frames: tuple[Frame, ...]
    changes: dict[str, Change]
    """Of the overlays that were asked for, those that changed."""


def tell(
    live_id: str, play: Play, seat: Seat, replays: Replays, since: int, overlays: Collection[str] = ()
) -> Telling:
    """The choices after the first `since`, as this seat may see them."""
    match, game, eyes = play.match, play.game, seat.eyes(play.to_play)
    since = max(since, play.n - MOST_FRAMES)
    lines = play.readable(eyes)
    reasons = play.result is not None or not game.has_secrets(match.position)
    after = replays.positions(live_id, match, play.n)
    old_overlays = game.overlays(after(since), eyes) if overlays else {}
    before = start = game.scene(after(since), eyes)
    frames: list[Frame] = []
    for n in range(since + 1, play.n + 1):
        now = game.scene(after(n), eyes)
        old = {piece.unit: piece for piece in before.pieces}
        new = {piece.unit: piece for piece in now.pieces}
        events = tuple(event_view(game, line, reasons=reasons) for line in lines if line.at == n)
        moved = tuple(piece for unit, piece in new.items() if old.get(unit) != piece)
        gone = tuple(unit for unit in old if unit not in new)
        if moved or gone or events:
            frames.append(Frame(n, play.side_at(n), now.turn, now.step, moved, gone, events))
        before = now
    now_overlays = game.overlays(match.position, eyes) if overlays else {}
    changes = {
        id_: Change(tuple(sorted(is_now - was)), tuple(sorted(was - is_now)))
        for id_ in overlays
        if (was := set(old_overlays.get(id_, ()))) != (is_now := set(now_overlays.get(id_, ())))
    }
    return Telling(since, start.pieces, start.scores, tuple(frames), changes)

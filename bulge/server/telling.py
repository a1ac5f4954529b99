"""What happened since some choice, told so that a page can show it move by move."""

from __future__ import annotations

import msgspec

from bulge.core.look import Piece, Score
from bulge.server.play import Play
from bulge.server.replays import Replays
from bulge.server.seats import Seat
from bulge.server.views import EventView, event_view, readable

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


class Telling(msgspec.Struct, frozen=True):
    since: int
    pieces: tuple[Piece, ...]
    """What lay where before the first frame."""
    scores: tuple[Score, ...]
    frames: tuple[Frame, ...]


def tell(live_id: str, play: Play, seat: Seat, replays: Replays, since: int) -> Telling:
    """The choices after the first `since`, as this seat may see them."""
    match, game, eyes = play.match, play.game, seat.eyes(play.to_play)
    since = max(since, play.n - MOST_FRAMES)
    lines = readable(play.lines(), eyes)
    reasons = match.result is not None or not game.has_secrets(match.position)
    before = start = game.scene(replays.position(live_id, match, since), eyes)
    frames: list[Frame] = []
    for n in range(since + 1, play.n + 1):
        now = game.scene(replays.position(live_id, match, n), eyes)
        old = {piece.unit: piece for piece in before.pieces}
        new = {piece.unit: piece for piece in now.pieces}
        events = tuple(event_view(game, line, reasons=reasons) for line in lines if line.at == n)
        moved = tuple(piece for unit, piece in new.items() if old.get(unit) != piece)
        gone = tuple(unit for unit in old if unit not in new)
        if moved or gone or events:
            frames.append(Frame(n, play.side_at(n), now.turn, now.step, moved, gone, events))
        before = now
    return Telling(since, start.pieces, start.scores, tuple(frames))

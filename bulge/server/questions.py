"""Questions about the present decision, which change nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from bulge.core.errors import BulgeError
from bulge.players.proposals import hint_words
from bulge.server.hub import Hub
from bulge.server.inquiries import check_turn, found_out, imagined_for
from bulge.server.live import Live, check_fresh
from bulge.server.log_pages import log_page
from bulge.server.play import LogLine, Play
from bulge.server.requests import DangersTo, Hint, Log, Question, ThreatOf
from bulge.server.seats import Seat
from bulge.server.uses import Guest
from bulge.server.views import HintView, tells_reasons


async def answer(
    hub: Hub, live: Live, seat: Seat, question: Question, guest: Guest, seen: Sequence[LogLine]
) -> Any:
    """What a page may know that has `seen` these lines of the log."""
    async with hub.line(live, guest), live.lock:
        play = await hub.stories.play_of(live)
        if isinstance(question, Log):
            lines = play.readable(seat.eyes(play.to_play))
            if seen[: question.before] != lines[: question.before]:  # what is only new later on changes nothing
                check_fresh(play, live, question.n, question.rev)
            reasons = tells_reasons(play, live.table)
            return await live.work(log_page, play.game, lines, question.before, reasons=reasons)
        check_fresh(play, live, question.n, question.rev)
        if isinstance(question, Hint):
            twin = await _twin(live, play, seat)
        elif live.strange:
            return await hub.stage.find_out(play, live.overrides, seat, question)
        elif isinstance(question, ThreatOf | DangersTo):
            imagined = imagined_for(play, seat, question)
        else:
            return found_out(play, seat, question)
    if not isinstance(question, Hint):
        async with hub.imagining:
            return await asyncio.to_thread(imagined) if imagined else None
    hint = await hub.computers.thinkers.advise(twin, live.id, live.overrides, partial(hub.thought, guest))
    in_words = twin.game.option(twin.table, twin.asked(), twin.find(hint.id)).words
    return HintView(hint.id, hint_words(in_words, hint.why), hint.plans)


async def _twin(live: Live, play: Play, seat: Seat) -> Any:
    """A copy for whoever gives advice."""
    check_turn(play, seat)
    if live.table is not None and not live.table.terms.hints:
        raise BulgeError("at this table all agreed to play without hints")
    return await asyncio.to_thread(play.match.copy_for, play.match.asked().side, secrets.SystemRandom())

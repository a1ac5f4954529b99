"""Computer players at matches in play: they go on whenever it is their turn, and somebody may be looking."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bulge.core.errors import BulgeError
from bulge.server.computer import NOBODY_WAITS, PEOPLE_WAIT, Thinkers
from bulge.server.errors import Stale, TooOften, Unreachable
from bulge.server.live import Live, check_fresh
from bulge.server.play import Deed, Play
from bulge.server.seats import HUMAN

if TYPE_CHECKING:
    from bulge.server.hub import Hub

log = logging.getLogger("bulge.server")

TRY_AGAIN = 1.0
"""Seconds between two attempts while the database does not answer."""
TELL_EVERY = 0.1
"""Seconds between two states while the computer plays: faster than that, nobody could follow."""
LOOK_AGAIN = 30.0
"""Seconds until it is tried again whether there is thinking left for somebody who had used it up."""


class Computers:
    def __init__(self, hub: Hub, cores: int | None) -> None:
        self._hub = hub
        self.thinkers = Thinkers(cores=cores)

    def close(self) -> None:
        self.thinkers.close()

    async def run(self) -> None:
        """For as long as the server runs: what waits for the hour to pass goes on while somebody looks."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            self._hub.beat()

    def set_going(self, live: Live) -> None:
        """Let the computer play if it is its turn."""
        if self._hub.closing or live.computer is not None or self.to_play(live) is None:
            return
        if not self._may_think(live):
            return
        live.thinking = self.to_play(live)
        live.computer = asyncio.create_task(self._play(live))

    async def stop(self, live: Live) -> None:
        """Let it play no more; with the lock of the match held, it does not begin again either."""
        if live.computer is not None:
            live.computer.cancel()
            await asyncio.gather(live.computer, return_exceptions=True)

    def to_play(self, live: Live) -> str | None:
        if live.table is not None and not live.table.running:
            return None
        if live.among_computers and not live.watched:
            return None  # it pauses until somebody looks again
        if live.given_up == live.rev or live.guest is None:
            return None
        side = live.play.to_play if live.play else None
        return side if side is not None and live.players.get(side, HUMAN) != HUMAN else None

    def _may_think(self, live: Live) -> bool:
        """Whether there is thinking left for whom it thinks; if not, the pages are told."""
        assert live.guest is not None
        try:
            self._hub.check_thinking(live.guest)
        except TooOften as error:
            note = f"the computer player waits: {error}"
            if note != live.note:
                live.note = note
                live.tell_all()
            return False
        return True

    async def _play(self, live: Live) -> None:
        """Play for the computer, unless another server does so already: then what it does is told."""
        here = True
        try:
            here = await self._hub.neighbours.alone(live.id, lambda: self._play_on(live))
        except asyncio.CancelledError:
            raise
        except Unreachable:
            asyncio.get_running_loop().call_later(TRY_AGAIN, self.set_going, live)
        except BulgeError as error:
            self._give_up(live, str(error))
        except Exception:
            log.exception("the computer player of match %s stopped", live.id)
            self._give_up(live, "it failed")
        finally:
            live.computer = None
            if here:
                live.thinking = None
                live.tell_all()

    def _give_up(self, live: Live, words: str) -> None:
        """Its players are told; it does not try again before something has changed."""
        live.given_up, live.note = live.rev, f"the computer player gave up: {words}"

    async def _play_on(self, live: Live) -> None:
        clock, told = asyncio.get_running_loop().time, 0.0
        while (side := self.to_play(live)) is not None and self._may_think(live):
            live.thinking = side
            if clock() - told > TELL_EVERY:
                live.tell_all()
                told = clock()
            await self._one_choice(live, side)

    async def _one_choice(self, live: Live, side: str) -> None:
        async with live.lock:
            play, rev = await self._hub.stories.play_of(live), live.rev
            if play.to_play != side:
                return
            twin = await live.work(play.match.copy_for, side, secrets.SystemRandom())
        urgency = NOBODY_WAITS if live.among_computers else PEOPLE_WAIT
        assert live.guest is not None
        spent = partial(self._hub.thought, live.guest)
        thought = await self.thinkers.choose(twin, live.players[side], live.id, live.overrides, urgency, spent)

        def allowed(play: Play) -> None:
            check_fresh(play, live, play.n, rev)

        with suppress(Stale):
            await self._hub.act(live, Deed("choose", thought.id, thought.why), allowed)
            await self._hub.told_table(live)

"""The stories of matches: played again when a match is wanted, and added to with every change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.server.errors import Unknown
from bulge.server.library import Library
from bulge.server.live import Live
from bulge.server.play import Action, Play, fold, replay, standing_of
from bulge.server.storage import Entry, MatchRow, Storage
from bulge.server.summaries import touch_of
from bulge.server.turns import Turns


class Stories:
    def __init__(self, storage: Storage, library: Library) -> None:
        self._storage, self._library = storage, library
        self._loading = Turns()
        """One match at a time is played again, when it is read from the storage."""
        self.stored = 0
        """Choices stored since the start."""

    async def row(self, id_: str) -> MatchRow:
        row = await self._storage.match(id_)
        if row is None:
            raise Unknown("there is no such match")
        return row

    async def catch_up(self, live: Live, who: str = "") -> None:
        """Read a match from its story, if it is not in memory, or what another server has added to it."""
        if live.play is None:
            await self.load(live, who)
        elif actions := await self._storage.actions(live.id, after=live.rev):
            try:
                live.play.follow(actions)
                live.rev += len(actions)
            except BulgeError:
                await self.load(live, who)

    async def load(self, live: Live, who: str = "") -> None:
        """Play a match again as it is stored; its players are told what stands."""
        async with self._loading.of(who):
            row, actions = await self.row(live.id), await self._storage.actions(live.id)
            played, live.note = await asyncio.to_thread(replay, self.beginning(row), actions)
        live.play, live.left_behind = played, live.note is not None
        if changed := self._library.changed_since(row.game, row.edition):
            stands = live.note or f"all {played.n} choices stand"
            title = self._library.game(row.game).title
            live.note = f"the {changed} of {title} have changed since this was played; {stands}"
        if live.left_behind:
            live.note = f"{live.note}. What was played is kept"
        live.rev = len(actions)

    def beginning(self, row: MatchRow) -> Callable[[], Match[Any]]:
        """How a match began; to be called in the thread that replays it, since to load a game takes a while."""
        return lambda: Match(
            self._library.game(row.game, row.overrides), row.scenario, json.loads(row.options), seed=row.seed
        )

    async def play_of(self, live: Live) -> Play:
        """The match itself; the lock must be held."""
        if live.play is None:
            await self.load(live)
        assert live.play is not None
        return live.play

    async def left_behind(self, live: Live) -> list[str]:
        """The choices that stood before changed rules or data cut them short."""
        actions = await self._storage.actions(live.id)
        cuts = [number for number, action in enumerate(actions) if action.kind == "cut"]
        if not cuts and not live.left_behind:
            raise BulgeError("nothing of this match was left behind by a change of rules or data")
        return [action.choice for action in fold(actions if live.left_behind else actions[: cuts[-1]])[0]]

    async def store(self, live: Live, play: Play, actions: list[Action]) -> None:
        """Add to a story what has been done, before anybody sees it."""
        if live.left_behind:
            kept = play.n - sum(action.kind == "choose" for action in actions)
            actions = [Action("cut", str(kept)), *actions]
        edition = self._library.edition(play.game.id)
        touch = touch_of(live.table, play, actions) if live.table is not None else None
        standing = standing_of(play.match)
        await self._storage.append(Entry(live.id, live.rev + 1, actions, standing, edition, touch))
        if live.table is not None and touch is not None:
            live.table.touch(touch)
        live.rev += len(actions)
        self.stored += len(actions)
        live.note, live.left_behind = None, False

"""Matches in play: one lock a match, who watches it, and every change stored before anybody sees it."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.game import not_your_turn
from bulge.core.match import Match
from bulge.server.computer import levels_of
from bulge.server.computers import Computers
from bulge.server.errors import Stale, Unknown, Unreachable, WrongToken
from bulge.server.going_back import checked_way
from bulge.server.kept_tables import read_table
from bulge.server.library import Library
from bulge.server.live import Live, check_fresh
from bulge.server.neighbours import Neighbours
from bulge.server.play import Action, Deed, Play, Standing, replay, standing_of
from bulge.server.referee import Referee
from bulge.server.seats import HOST, HUMAN, WATCHER, Seat, digest, new_token, role_of
from bulge.server.stage import Stage
from bulge.server.storage import MatchRow, Overtaken, Storage
from bulge.server.stories import Stories
from bulge.server.terms import TableState
from bulge.server.turns import Turns
from bulge.server.uses import Guest

log = logging.getLogger("bulge.server")

Doing = Callable[[Play], list[Action]]


class Hub:
    def __init__(
        self, storage: Storage, library: Library, *, most_open: int = 256, thinking_cores: int | None = None
    ) -> None:
        self.storage = storage
        self.library = library
        self.stories = Stories(storage, library)
        self.computers = Computers(self, thinking_cores)
        self.referee = Referee()
        self.stage = Stage()
        self.imagining = asyncio.Semaphore(1)
        """One question at a time of what could be: several would take the processor from all who play."""
        self.telling = Turns()
        """Pages are opened, and states, answers and lists put together, one after another for each who asks."""
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._most_open = most_open
        self._changes: set[asyncio.Task[None]] = set()
        """Changes that are under way."""
        self.closing = False
        self.check_thinking: Callable[[Guest], None] = lambda _: None
        """Refuses more of it to somebody for whom the computer has thought enough."""
        self.thought: Callable[[Guest, float], None] = lambda _, __: None
        """Told for whom the computer has thought, and for how many seconds."""
        self.neighbours = Neighbours(storage, self)
        self.moved: Callable[[Live], Awaitable[None]] | None = None
        """Told of every choice at a table of people."""

    async def close(self) -> None:
        self.closing = True
        await self.neighbours.close()
        tasks = [live.computer for live in self._lives.values() if live.computer]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._changes, return_exceptions=True)
        self.computers.close()
        self.referee.close()
        self.stage.close()

    def measures(self) -> list[tuple[str, str, int]]:
        """Name, kind and value of what whoever runs a server wants to watch."""
        lives = self._lives.values()
        return [
            ("matches_open", "gauge", len(lives)),
            ("pages_open", "gauge", sum(len(live.subscribers) for live in lives)),
            ("computers_playing", "gauge", sum(live.computer is not None for live in lives)),
            ("thoughts_waiting", "gauge", self.computers.thinkers.waiting),
            ("choices_total", "counter", self.stories.stored),
        ]

    def forget(self, id_: str) -> bool:
        """Let a match out of memory, unless somebody is at it."""
        live = self._lives.get(id_)
        if live is not None and (live.here or not live.idle):
            return False
        self._lives.pop(id_, None)
        return True

    @asynccontextmanager
    async def last_look(self, live: Live) -> AsyncIterator[None]:
        """Nobody is at a match, and no computer, while it is deleted; whoever waited for it finds it gone."""
        async with live.lock:
            _check_there(live)
            if live.here:
                raise BulgeError("somebody has this match open; close its pages first")
            await self.computers.stop(live)
            yield
            live.gone = True
            self._lives.pop(live.id, None)

    async def look_again(self, id_: str) -> None:
        """Names, or what people wish, have changed: who has a table open sees it at once, others when they ask."""
        live = self._lives.get(id_)
        if live is not None:
            async with live.lock:
                await self.table_again(live)
            live.tell_all()
        self.neighbours.tell_change(id_)

    def here(self, id_: str) -> Collection[str]:
        """The sides that have a match open."""
        live = self._lives.get(id_)
        return live.here if live else self.neighbours.here(id_)

    # ------------------------------------------------------------------ new matches

    async def create(
        self,
        match: Match[Any],
        players: Mapping[str, str],
        overrides: str = "",
        actions: list[Action] | None = None,
        standing: Standing | None = None,
        *,
        known_dice: bool = False,
        maker: str = "",
        then: Callable[[str], Awaitable[None]] | None = None,
    ) -> tuple[str, dict[str, str]]:
        """Store a new match, and where its actions lead; the answer is its id, and a token for each role."""
        standing = standing or standing_of(match)
        id_ = secrets.token_hex(8)
        tokens = {role: new_token() for role in (HOST, *(s for s, p in players.items() if p == HUMAN))}
        row = MatchRow(
            id=id_,
            game=match.game.id,
            scenario=match.start.scenario,
            options=json.dumps(match.start.options),
            overrides=overrides,
            seed=match.seed,
            seats=json.dumps(dict(players)),
            created=datetime.now(UTC),
            turn=standing.turn,
            to_play=standing.to_play,
            over=standing.over,
            known_dice=known_dice,
            maker=maker,
            edition=self.library.edition(match.game.id),
        )
        await self.storage.add(row, actions or [], [(role, digest(token)) for role, token in tokens.items()])
        if then is not None:
            await then(id_)
        await self.open(id_)
        return id_, tokens

    def players_of(self, game_id: str, scenario: str | None, wish: Mapping[str, str]) -> dict[str, str]:
        """Who plays each side; whatever is not allowed is refused with what is."""
        game = self.library.game(game_id)
        players = dict.fromkeys(game.players_in(scenario or next(iter(game.scenarios))), HUMAN)
        known = (HUMAN, *levels_of(game))
        for side, player in wish.items():
            if side not in players:
                raise BulgeError(f"{game.title} has no side {side!r} to play; it has: {', '.join(players)}")
            if player not in known:
                raise BulgeError(f"nobody called {player!r} plays {game.title}; there are: {', '.join(known)}")
            players[side] = player
        return players

    # ------------------------------------------------------------------ opening

    async def open(self, id_: str) -> Live:
        """A match by its id, read from the storage if it is not in memory."""
        live = self._lives.get(id_)
        if live is None:
            row = await self.stories.row(id_)
            fresh = Live(id_, row.overrides, json.loads(row.seats), await self.storage.tokens(id_))
            fresh.strange = row.overrides not in ("", self.library.overrides)
            await self._read(fresh, row)
            fresh.elsewhere = self.neighbours.here(id_)
            live = self._lives.setdefault(id_, fresh)
            self._make_room(live)
        self._lives.move_to_end(id_)
        return live

    async def _read(self, live: Live, row: MatchRow) -> None:
        """What is kept of a match beside its story."""
        live.table = await read_table(self.storage, live.id)
        live.held |= set(await self.storage.held(live.id)) - {HOST}
        live.known_dice = row.known_dice

    async def enter(self, id_: str, token: str | None, guest: Guest | None = None) -> tuple[Live, Seat]:
        """Sit down at a match. A wrong match and a wrong token look alike from outside."""
        try:
            live = await self.open(id_)
        except Unknown:
            raise WrongToken from None
        if live.table is not None:
            role = live.table.role_of(guest.account or None if guest else None, token)
        else:
            role = role_of(token, live.tokens) if token else None
        if role is None:
            raise WrongToken
        live.looked = asyncio.get_running_loop().time()
        if guest is not None and role != WATCHER:
            live.come(guest)
        async with live.lock:
            _check_there(live)
            await self.stories.catch_up(live, guest.address if guest else "")
            if role not in (HOST, WATCHER) and role not in live.held and live.table is None:
                await self.storage.hold(live.id, role)
                live.held.add(role)
                self.tell(live)
        self.computers.set_going(live)
        return live, Seat(id_, role, live.players, live.held)

    def line(self, live: Live, guest: Guest) -> AbstractAsyncContextManager[None]:
        """Who asks without end, on however many pages, waits behind themselves.

        Not with a stranger's data: that is worked on in a process beside, which takes longer and holds up nobody.
        """
        return nullcontext() if live.strange else self.telling.own(guest.address)

    async def table_at(self, id_: str) -> tuple[Live, TableState]:
        live = await self.open(id_)
        if live.table is None:
            raise Unknown("there is no such table")
        return live, live.table

    async def table_again(self, live: Live) -> TableState:
        """As it is stored now; the lock must be held by whoever goes on to change it."""
        live.table = await read_table(self.storage, live.id)
        assert live.table is not None
        return live.table

    def _make_room(self, wanted: Live) -> None:
        """Forget matches that nobody is at, but never the one that was just asked for."""
        for id_, live in list(self._lives.items()):
            if len(self._lives) <= self._most_open:
                return
            if live.idle and live is not wanted:
                del self._lives[id_]

    async def tell_dice(self, live: Live) -> None:
        """Somebody takes the seed away; whoever joins later is told. The lock must be held."""
        if not live.known_dice:
            await self.storage.tell_dice(live.id)
            live.known_dice = True
            self.tell(live)

    # ------------------------------------------------------------------ other servers

    def tell(self, live: Live) -> None:
        """Something has changed beside the story: here and at other servers, pages are told."""
        live.tell_all()
        self.neighbours.tell_change(live.id)

    def tell_presence(self, live: Live) -> None:
        """Somebody has come or gone."""
        live.notice()
        self.neighbours.tell_pages(live.id, live.pages)

    @asynccontextmanager
    async def alone(self, live: Live) -> AsyncIterator[None]:
        """Nobody else changes the table of a match meanwhile, here or at another server."""
        async with live.lock, self.storage.alone(live.id):
            yield

    def pages(self) -> dict[str, dict[str, int]]:
        return {live.id: dict(live.pages) for live in self._lives.values() if live.subscribers}

    def changed_elsewhere(self, matches: Collection[str]) -> None:
        for id_ in matches:
            live = self._lives.get(id_)
            if live is None or live.behind:
                continue
            if live.idle:
                del self._lives[id_]  # whoever asks for it next reads it anew
                continue
            live.behind = True
            task = asyncio.create_task(self._follow(live))
            self._changes.add(task)
            task.add_done_callback(self._changes.discard)

    def everything_may_have_changed(self) -> None:
        self.changed_elsewhere(list(self._lives))

    def presence_elsewhere(self, matches: Collection[str]) -> None:
        for live in filter(None, map(self._lives.get, matches)):
            live.elsewhere = self.neighbours.here(live.id)
            live.notice()

    def beat(self) -> None:
        """A server that thought for a match may have ended, or an hour: the computer goes on."""
        for live in self._lives.values():
            if live.subscribers:
                self.computers.set_going(live)

    async def _follow(self, live: Live) -> None:
        """Read what another server has done."""
        try:
            async with live.lock:
                live.behind = False
                row = await self.stories.row(live.id)
                await self._read(live, row)
                if live.play is not None and live.play.match.seed != row.seed:
                    live.play = None  # all have given their part of the dice
                await self.stories.catch_up(live)
        except Unreachable:
            live.play = None  # when the database is back, everything open is read again
        except Exception:
            log.exception("what another server did in match %s could not be read", live.id)
            live.play = None
        if self.computers.to_play(live) is None:
            live.thinking = None
        self.computers.set_going(live)
        live.tell_all()

    # ------------------------------------------------------------------ changes

    async def change(self, live: Live, seat: Seat, n: int, rev: int | None, deed: Doing) -> None:
        """Do something for a person; refused, with nothing changed, unless it is theirs to do now."""

        def allowed(play: Play) -> None:
            check_fresh(play, live, n, rev)
            if live.table is not None:
                live.table.check_running()
            if play.to_play is None:
                raise BulgeError("the game is over; there is nothing left to choose")
            if not seat.controls(play.to_play):
                raise BulgeError(not_your_turn(play.to_play))
            if live.table is not None and deed == Deed("undo"):
                live.table.check_undo(finished=play.match.asked().top)

        await self.act(live, deed, allowed)
        await self.told_table(live)
        self.computers.set_going(live)
        live.tell_all()

    async def told_table(self, live: Live) -> None:
        if live.table is not None and self.moved is not None:
            await self.moved(live)

    async def go_back(self, live: Live, side: str, to: int) -> None:
        """Take back what a side has done since then, dice and phases included; the other side consented."""
        await self._as_a_whole(self._go_back(live, side, to))
        self.computers.set_going(live)
        self.tell(live)

    async def _go_back(self, live: Live, side: str, to: int) -> None:
        async with live.lock:
            if live.table is not None:
                live.table.check_running()  # it may have ended while the other side consented
            checked_way(await self.stories.play_of(live), side, to)
            row, actions = await self.stories.row(live.id), await self.storage.actions(live.id)
            back = Action("back", str(to), side)
            live.play = None  # until it is stored, nobody sees it
            again, _ = await asyncio.to_thread(replay, self.stories.beginning(row), [*actions, back])
            try:
                await self.stories.store(live, again, [back])
            except Overtaken:
                raise Stale from None
            live.play = again

    async def go_on(self, live: Live) -> None:
        """Let the computer play if it is its turn."""
        async with live.lock:
            await self.stories.catch_up(live)
        self.computers.set_going(live)

    async def act(self, live: Live, deed: Doing, allowed: Callable[[Play], None]) -> None:
        await self._as_a_whole(self._do(live, deed, allowed))

    async def _as_a_whole(self, change: Coroutine[Any, Any, None]) -> None:
        """Shielded: whoever asked may go away in the middle, but what is begun is stored or undone as a whole."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        await asyncio.shield(task)

    async def _do(self, live: Live, deed: Doing, allowed: Callable[[Play], None]) -> None:
        async with live.lock:
            play = await self.stories.play_of(live)
            allowed(play)
            before = play.n
            try:
                if live.strange and isinstance(deed, Deed):
                    await self.stage.rehearse(play, live.overrides, deed)
                actions = await live.work(deed, play)
                await self.stories.store(live, play, actions)
            except BulgeError:
                if play.n != before:
                    live.play = None
                raise  # refused by the rules: nothing has changed
            except Overtaken:
                live.play = None
                raise Stale from None
            except BaseException:
                live.play = None  # what is in memory may be more than what is stored: read it again
                raise


def _check_there(live: Live) -> None:
    """Refuse whoever waited while a match was deleted, as if it had never been there."""
    if live.gone:
        raise WrongToken

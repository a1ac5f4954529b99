"""Matches in play: one lock a match, who watches it, and every change stored before anybody sees it."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.game import not_your_turn
from bulge.core.match import Match
from bulge.server.computer import NOBODY_WAITS, PEOPLE_WAIT, Thinkers, levels_of
from bulge.server.errors import Stale, Unknown, WrongToken
from bulge.server.library import Library
from bulge.server.play import Action, Play, Standing, fold, replay, standing_of
from bulge.server.referee import Referee
from bulge.server.seats import HOST, HUMAN, WATCHER, Seat, digest, humans_of, new_token, role_of
from bulge.server.storage import Entry, MatchRow, Overtaken, Storage, Touch
from bulge.server.subscriber import Subscriber
from bulge.server.summaries import last_words
from bulge.server.terms import TableState, read_table

log = logging.getLogger("bulge.server")

TELL_EVERY = 0.1
"""Seconds between two states while the computer plays: faster than that, nobody could follow."""

LOOKING = 20.0
"""Whoever asked for a match is taken to look at it for so many seconds; with an open page, for as long as that."""

Deed = Callable[[Play], list[Action]]


class Live:
    """A match in memory: a cache of its stored story, which can be thrown away at any moment."""

    def __init__(
        self, id_: str, overrides: str, players: Mapping[str, str], tokens: list[tuple[str, str]]
    ) -> None:
        self.id = id_
        self.overrides = overrides
        self.players = players
        self.tokens = tokens
        self.held: set[str] = set()
        """Sides at which somebody has sat down with a link of their own."""
        self.known_dice = False
        self.table: TableState | None = None
        """For a match among people with accounts."""
        self.lock = asyncio.Lock()
        """Held by whoever changes the match or looks at it, so that nothing is seen before it is stored."""
        self.play: Play | None = None
        self.rev = 0
        """How many actions its story has."""
        self.note: str | None = None
        """What its players should know of how it was loaded, until one of them goes on."""
        self.left_behind = False
        """Whether it was loaded only in part: who goes on leaves the rest behind."""
        self.subscribers: set[Subscriber] = set()
        self.looked = -LOOKING
        """When somebody last asked for it, by the loop's clock."""
        self.thinking: str | None = None
        self.computer: asyncio.Task[None] | None = None

    def tell_all(self) -> None:
        for subscriber in self.subscribers:
            subscriber.wake()

    @property
    def apart(self) -> bool:
        """Whether several people play it at different links: then nobody may know its dice before the end."""
        return self.table is not None or (bool(self.held) and len(humans_of(self.players)) > 1)

    @property
    def among_computers(self) -> bool:
        return HUMAN not in self.players.values()

    @property
    def watched(self) -> bool:
        return bool(self.subscribers) or asyncio.get_running_loop().time() - self.looked < LOOKING

    @property
    def here(self) -> Mapping[str, int]:
        """Open pages by their side; an empty name for those who look on."""
        return Counter(subscriber.seat.role for subscriber in self.subscribers)

    @property
    def idle(self) -> bool:
        return not self.subscribers and self.computer is None and not self.lock.locked()


class Hub:
    def __init__(self, storage: Storage, library: Library, *, most_open: int = 256) -> None:
        self.storage = storage
        self.library = library
        self.thinkers = Thinkers()
        self.referee = Referee()
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._most_open = most_open
        self._changes: set[asyncio.Task[None]] = set()
        """Changes that are under way."""
        self._closing = False
        self.pages_from: Counter[str] = Counter()
        """Open pages by the address that they come from."""
        self._stored = 0
        """Choices stored since the start."""
        self.moved: Callable[[Live], Awaitable[None]] | None = None
        """Told of every choice at a table of people."""

    async def close(self) -> None:
        self._closing = True
        tasks = [live.computer for live in self._lives.values() if live.computer]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._changes, return_exceptions=True)
        self.thinkers.close()
        self.referee.close()

    def measures(self) -> list[tuple[str, str, int]]:
        """Name, kind and value of what whoever runs a server wants to watch."""
        lives = self._lives.values()
        return [
            ("matches_open", "gauge", len(lives)),
            ("pages_open", "gauge", sum(len(live.subscribers) for live in lives)),
            ("computers_playing", "gauge", sum(live.computer is not None for live in lives)),
            ("thoughts_waiting", "gauge", self.thinkers.waiting),
            ("choices_total", "counter", self._stored),
        ]

    def here(self, id_: str) -> Collection[str]:
        """The sides that have a match open."""
        live = self._lives.get(id_)
        return live.here if live else ()

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
            row = await self.storage.match(id_)
            if row is None:
                raise Unknown("there is no such match")
            fresh = Live(id_, row.overrides, json.loads(row.seats), await self.storage.tokens(id_))
            fresh.table = await read_table(self.storage, id_)
            fresh.held, fresh.known_dice = set(await self.storage.held(id_)) - {HOST}, row.known_dice
            live = self._lives.setdefault(id_, fresh)
            self._make_room(live)
        self._lives.move_to_end(id_)
        return live

    async def enter(self, id_: str, token: str | None, person: str | None = None) -> tuple[Live, Seat]:
        """Sit down at a match. A wrong match and a wrong token look alike from outside."""
        try:
            live = await self.open(id_)
        except Unknown:
            raise WrongToken from None
        if live.table is not None:
            role = live.table.role_of(person, token)
        else:
            role = role_of(token, live.tokens) if token else None
        if role is None:
            raise WrongToken
        live.looked = asyncio.get_running_loop().time()
        async with live.lock:
            await self._catch_up(live)
            if role not in (HOST, WATCHER) and role not in live.held and live.table is None:
                await self.storage.hold(live.id, role)
                live.held.add(role)
                live.tell_all()
        self._set_going(live)
        return live, Seat(id_, role, live.players, live.held)

    def _make_room(self, wanted: Live) -> None:
        """Forget matches that nobody is at, but never the one that was just asked for."""
        for id_, live in list(self._lives.items()):
            if len(self._lives) <= self._most_open:
                return
            if live.idle and live is not wanted:
                del self._lives[id_]

    async def _catch_up(self, live: Live) -> None:
        """Read a match from its story, if it is not in memory or another server has gone on with it."""
        if live.play is None or await self.storage.count(live.id) != live.rev:
            await self._load(live)

    async def _load(self, live: Live) -> None:
        row, actions = await self.storage.match(live.id), await self.storage.actions(live.id)
        if row is None:
            raise Unknown("there is no such match")
        begin = partial(
            Match, self.library.game(row.game, row.overrides), row.scenario, json.loads(row.options), seed=row.seed
        )
        played, live.note = await asyncio.to_thread(replay, begin, actions)
        live.play, live.left_behind = played, live.note is not None
        if row.edition not in ("", self.library.edition(row.game)):
            stands = live.note or f"all {played.n} choices stand"
            live.note = (
                f"the data of {self.library.game(row.game).title} have changed since this was played; {stands}"
            )
        if live.left_behind:
            live.note = f"{live.note}. What was played is kept"
        live.rev = len(actions)

    async def play_of(self, live: Live) -> Play:
        """The match itself; the lock must be held."""
        if live.play is None:
            await self._load(live)
        assert live.play is not None
        return live.play

    async def tell_dice(self, live: Live) -> None:
        """Somebody takes the seed away; whoever joins later is told. The lock must be held."""
        if not live.known_dice:
            await self.storage.tell_dice(live.id)
            live.known_dice = True

    # ------------------------------------------------------------------ changes

    async def change(self, live: Live, seat: Seat, n: int, rev: int | None, deed: Deed) -> None:
        """Do something for a person; refused, with nothing changed, unless it is theirs to do now."""

        def allowed(play: Play) -> None:
            check_fresh(play, live, n, rev)
            if live.table is not None:
                live.table.check_running()
            if play.to_play is None:
                raise BulgeError("the game is over; there is nothing left to choose")
            if not seat.controls(play.to_play):
                raise BulgeError(not_your_turn(play.to_play))

        await self._change(live, deed, allowed)
        await self._told_table(live)
        self._set_going(live)
        live.tell_all()

    async def _told_table(self, live: Live) -> None:
        if live.table is not None and self.moved is not None:
            await self.moved(live)

    async def undo_for(self, live: Live, side: str) -> None:
        """Take back the last choice of a side, to which the other side consented."""

        def allowed(play: Play) -> None:
            if play.to_play != side:
                raise BulgeError(f"{side} has nothing that can be taken back now")

        await self._change(live, lambda play: play.undo(), allowed)
        live.tell_all()

    async def go_on(self, live: Live) -> None:
        """Let the computer play if it is its turn."""
        async with live.lock:
            await self._catch_up(live)
        self._set_going(live)

    async def _change(self, live: Live, deed: Deed, allowed: Callable[[Play], None]) -> None:
        """Shielded: whoever asked may go away in the middle, but what is begun is stored or undone as a whole."""
        task = asyncio.create_task(self._do(live, deed, allowed))
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        await asyncio.shield(task)

    async def _do(self, live: Live, deed: Deed, allowed: Callable[[Play], None]) -> None:
        async with live.lock:
            play = await self.play_of(live)
            allowed(play)
            before = play.n
            try:
                actions = deed(play)
                await self._store(live, play, actions)
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

    async def _store(self, live: Live, play: Play, actions: list[Action]) -> None:
        if live.left_behind:
            kept = play.n - sum(action.kind == "choose" for action in actions)
            actions = [Action("cut", str(kept)), *actions]
        edition = self.library.edition(play.game.id)
        touch = Touch(datetime.now(UTC), last_words(play)) if live.table is not None else None
        standing = standing_of(play.match)
        await self.storage.append(Entry(live.id, live.rev + 1, actions, standing, edition, touch))
        if live.table is not None and touch is not None:
            live.table.touch(touch)
        live.rev += len(actions)
        self._stored += len(actions)
        live.note, live.left_behind = None, False

    async def left_behind(self, live: Live) -> list[str]:
        """The choices that stood before changed rules or data cut them short."""
        actions = await self.storage.actions(live.id)
        cuts = [number for number, action in enumerate(actions) if action.kind == "cut"]
        if not cuts and not live.left_behind:
            raise BulgeError("nothing of this match was left behind by a change of rules or data")
        return [action.choice for action in fold(actions if live.left_behind else actions[: cuts[-1]])[0]]

    # ------------------------------------------------------------------ computer players

    def _set_going(self, live: Live) -> None:
        """Let the computer play if it is its turn."""
        if self._closing or live.computer is not None or self._computer_to_play(live) is None:
            return
        live.thinking = self._computer_to_play(live)
        live.computer = asyncio.create_task(self._run_computer(live))

    def _computer_to_play(self, live: Live) -> str | None:
        if live.table is not None and not live.table.running:
            return None
        if live.among_computers and not live.watched:
            return None  # it pauses until somebody looks again
        side = live.play.to_play if live.play else None
        return side if side is not None and live.players.get(side, HUMAN) != HUMAN else None

    async def _run_computer(self, live: Live) -> None:
        clock, told = asyncio.get_running_loop().time, 0.0
        try:
            while (side := self._computer_to_play(live)) is not None:
                live.thinking = side
                if clock() - told > TELL_EVERY:
                    live.tell_all()
                    told = clock()
                await self._one_choice(live, side)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("the computer player of match %s stopped", live.id)
        finally:
            live.computer = live.thinking = None
            live.tell_all()

    async def _one_choice(self, live: Live, side: str) -> None:
        async with live.lock:
            play, rev = await self.play_of(live), live.rev
            if play.to_play != side:
                return
            twin = play.match.copy_for(side, secrets.SystemRandom())
        urgency = NOBODY_WAITS if live.among_computers else PEOPLE_WAIT
        thought = await self.thinkers.choose(twin, live.players[side], live.id, live.overrides, urgency)

        def allowed(play: Play) -> None:
            check_fresh(play, live, play.n, rev)

        with suppress(Stale):
            await self._change(live, lambda play: play.choose(thought.id, thought.why), allowed)
            await self._told_table(live)


def check_fresh(play: Play, live: Live, n: int, rev: int | None) -> None:
    """Refuse what was asked about a state that is no longer the present one."""
    if n != play.n or (rev is not None and rev != live.rev):
        raise Stale

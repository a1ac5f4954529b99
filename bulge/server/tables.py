"""Matches among people: made, found, sat down at, agreed on, talked at, ended. Nobody has power over another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, insert, select, update

from bulge.core.chance import commitment, new_seed, seed_bytes
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.server.beside import Beside
from bulge.server.errors import Full, NotSignedIn, WrongToken
from bulge.server.going_back import WayBack, asked_back, ways_back
from bulge.server.hub import Hub
from bulge.server.kept_tables import read_tables
from bulge.server.limits import allowed
from bulge.server.live import Live
from bulge.server.notices import TITLES, Event, Notices
from bulge.server.people import Person, key_of
from bulge.server.people_rows import PersonRow, SeatRow, TableRow
from bulge.server.ratings import rate
from bulge.server.seats import digest, humans_of, new_token
from bulge.server.small_maps import SmallMaps
from bulge.server.storage import MatchRow
from bulge.server.summaries import TableSummary, last_words, summary_of
from bulge.server.terms import Answered, Ending, Offer, OfferKind, TableState, Terms
from bulge.server.uses import Guest, Uses

UNKNOWN_SEED = "00" * 16
"""Until all have given their part of the dice; nothing is rolled before."""


class Tables:
    def __init__(self, hub: Hub, notices: Notices, uses: Uses, maps: SmallMaps) -> None:
        self._hub, self._storage, self._notices, self._uses, self._maps = hub, hub.storage, notices, uses, maps
        hub.moved = self._moved
        self._at, self._again, self.look_again = hub.table_at, hub.table_again, hub.look_again
        self.beside = Beside(hub, uses, self._told)

    # ------------------------------------------------------------------ making and finding

    async def make(
        self,
        person: Person,
        guest: Guest,
        match: Match[Any],
        players: Mapping[str, str],
        terms: Terms,
        *,
        listed: bool,
    ) -> tuple[str, str]:
        """A new table with all its human seats free; the answer is its id, and the word of its invitation."""
        most = self._uses.quotas.tables
        if most and sum(table.ending is None for table in await self.mine(person)) >= most:
            raise Full(f"{allowed(most, 'match', 'matches', more=' under way')} to one account; end one first")
        if len(humans_of(players)) < 2:
            raise BulgeError("a match among people needs two sides for them; alone, nobody needs a table")
        await self._uses.new_match(guest)
        invitation = new_token()

        async def add(id_: str) -> None:
            row = {
                "match": id_, "listed": listed, "begun": False, "terms": msgspec.json.encode(terms).decode(),
                "secret": new_seed(), "invitation": digest(invitation), "touched": datetime.now(UTC), "ending": "",
                "offer": "",
            }  # fmt: skip
            await self._storage.write(insert(TableRow).values(row))
            free = {"match": id_, "person": None, "commitment": "", "secret": ""}
            for side in humans_of(players):
                await self._storage.write(insert(SeatRow).values({**free, "side": side}))

        id_, _ = await self._hub.create(match, players, maker=guest.maker, then=add)
        return id_, invitation

    async def open_ones(self, person: Person | None) -> list[TableSummary]:
        """Public tables at which somebody may sit down or look on."""
        return await self._list(person, TableRow.listed & (TableRow.ending == ""))

    async def mine(self, person: Person) -> list[TableSummary]:
        sat = select(SeatRow.match).where(SeatRow.person == person.id)
        found = await self._list(person, TableRow.match.in_(sat))
        return sorted(found, key=lambda table: (table.ending is not None, not table.my_turn, table.touched))

    async def of_person(self, name: str, person: Person | None) -> list[TableSummary]:
        """The public ones of somebody, those that ended too."""
        sat = (
            select(SeatRow.match)
            .join(PersonRow, PersonRow.id == SeatRow.person)
            .where(PersonRow.key == key_of(name))
        )
        return await self._list(person, TableRow.listed & TableRow.match.in_(sat))

    async def one(self, id_: str, person: Person | None, invitation: str | None) -> TableSummary:
        """For whoever may sit down at it or look on."""
        live, table = await self._at(id_)
        if not (table.listed or table.invites(invitation) or table.side_of(person.id if person else None)):
            raise WrongToken
        row = await self._storage.match(id_)
        assert row is not None
        return summary_of(row, table, person, live.here, await self._maps.of(row.game, table.sketch))

    async def _list(self, person: Person | None, which: ColumnElement[bool]) -> list[TableSummary]:
        query = (
            select(MatchRow)
            .join(TableRow, TableRow.match == MatchRow.id)
            .where(which)
            .order_by(TableRow.touched.desc())
            .limit(200)
        )
        rows = [row for (row,) in await self._storage.rows(query)]
        tables = await read_tables(self._storage, [row.id for row in rows])
        return [
            summary_of(row, table, person, self._hub.here(row.id), await self._maps.of(row.game, table.sketch))
            for row in rows
            if (table := tables.get(row.id))
        ]

    # ------------------------------------------------------------------ sitting down

    async def sit(self, id_: str, person: Person, side: str, committed: str, invitation: str | None) -> None:
        """Take a free seat, or change to one, and commit to a part of the dice that nobody else knows."""
        live, table = await self._at(id_)
        async with self._hub.alone(live):
            table = await self._again(live)
            mine = table.side_of(person.id)
            if not (table.listed or table.invites(invitation) or mine):
                raise WrongToken
            if table.begun or table.ending:
                raise BulgeError("the match has begun; nobody can sit down any more")
            if side not in table.seats:
                raise BulgeError(f"there is no seat {side!r}; there are: {', '.join(table.seats)}")
            if table.seats[side].person not in (None, person.id):
                raise BulgeError(f"{table.seats[side].name} sits there already")
            if any(seat.secret for seat in table.seats.values()):
                raise BulgeError("the dice are being agreed on; nobody can change seats any more")
            if committed in table.commitments.values() and (
                mine is None or table.seats[mine].commitment != committed
            ):
                raise BulgeError("that is what somebody else committed to; choose a part of the dice of your own")
            if mine is not None and mine != side:
                await self._vacate(id_, mine)
            await self._seat(id_, side, person=person.id, commitment=committed)
            await self._again(live)
        self._hub.tell(live)

    async def leave(self, id_: str, person: Person) -> None:
        """Give a seat up before the match has begun."""
        live, table = await self._at(id_)
        async with self._hub.alone(live):
            table = await self._again(live)
            mine = self._mine(table, person)
            if table.begun:
                raise BulgeError("the match has begun: resign instead")
            await self._vacate(id_, mine)
            for side in table.seats:  # with somebody else, all dice are agreed on anew
                await self._seat(id_, side, commitment="", secret="")
            table = await self._again(live)
        if not any(seat.person for seat in table.seats.values()):
            await self._end(live, Ending("abandoned", None, "Nobody sat here any more."))
        self._hub.tell(live)

    async def reveal(self, id_: str, person: Person, secret: str) -> None:
        """Give one's part of the dice, once all have committed to theirs. With the last one the match begins."""
        live, table = await self._at(id_)
        seed_bytes(secret)
        async with self._hub.alone(live):
            table = await self._again(live)
            side = self._mine(table, person)
            if table.begun or not table.all_committed:
                raise BulgeError("this is not the moment: all must sit first, and then each gives its part once")
            if commitment(secret) != table.seats[side].commitment:
                raise BulgeError("that is not what you committed to")
            await self._seat(id_, side, secret=secret)
            table = await self._again(live)
            seed = table.seed()
            if seed is not None:
                await self._storage.write(update(MatchRow).where(MatchRow.id == id_).values(seed=seed))
                await self._set(id_, begun=True, touched=datetime.now(UTC))
                live.play = None
                await self._again(live)
        await self._hub.go_on(live)
        self._hub.tell(live)
        if seed is not None:
            await self._notify(live, "turn", "The match has begun.", to=(await self._to_play(live),))

    # ------------------------------------------------------------------ consent

    async def offer(self, id_: str, person: Person, kind: OfferKind, to: int | None = None) -> None:
        """Ask the other side for a draw, to go back to an earlier moment, or, after the end, for another match."""
        live, table = await self._at(id_)
        async with self._hub.alone(live):
            table = await self._again(live)
            side = self._mine(table, person)
            if kind != "rematch":
                table.check_running()
            elif table.ending is None or table.next:
                raise BulgeError("there is a rematch already" if table.next else "the match is not over yet")
            offer = Offer(kind, side)
            if kind == "undo":
                offer = asked_back(await self._hub.stories.play_of(live), table.terms, side, to)
            elif to is not None:
                raise BulgeError("only who asks to go back says where to")
            await self._set(id_, offer=msgspec.json.encode(offer).decode())
            await self._again(live)
        self._hub.tell(live)
        await self._notify(live, "asked", f"{person.name} asks you for your consent: {kind}.", but=side)

    async def ways_back(self, id_: str, person: Person) -> list[WayBack]:
        """The moments to which somebody may ask to go back."""
        live, table = await self._at(id_)
        side = self._mine(table, person)
        async with live.lock:
            return ways_back(await self._hub.stories.play_of(live), side) if table.running else []

    async def answer(self, id_: str, person: Person, guest: Guest, yes: bool) -> Answered:
        """Consent to what the other side asks for, or refuse it; whoever asked may take it back."""
        live, table = await self._at(id_)
        async with self._hub.alone(live):
            table = await self._again(live)
            side, offer = self._mine(table, person), table.offer
            if offer is None:
                raise BulgeError("nobody asks for anything")
            if yes and side in (offer.side, *offer.agreed):
                raise BulgeError("the other side must consent, not whoever asked or has consented")
            agreed = msgspec.structs.replace(offer, agreed=(*offer.agreed, side))
            settled = not yes or len(agreed.agreed) == len(table.seats) - 1
            await self._set(id_, offer="" if settled else msgspec.json.encode(agreed).decode())
            await self._again(live)
        if not settled:
            self._hub.tell(live)
            return Answered(agreed, None)
        if yes and offer.kind == "draw":
            await self._end(live, Ending("agreed", None, "Both sides agreed to a draw."))
        if yes and offer.kind == "abandon":
            await self._end(live, Ending("abandoned", None, "Both sides agreed to break it off."))
        if yes and offer.kind == "undo":
            assert offer.to is not None
            await self._hub.go_back(live, offer.side, offer.to)
            await self._notify(live, "turn", f"{person.name} lets you go back.", to=(offer.side,))
        again = await self._rematch(live, person, guest) if yes and offer.kind == "rematch" else None
        self._hub.tell(live)
        return Answered(offer, again)

    async def _rematch(self, live: Live, person: Person, guest: Guest) -> str:
        """The same match once more, with sides swapped; each takes the seat anew to commit to new dice."""
        row = await self._storage.match(live.id)
        assert row is not None
        assert live.table is not None
        game = self._hub.library.game(row.game, row.overrides)
        options = msgspec.json.decode(row.options, type=dict[str, str])
        match: Match[Any] = Match(game, row.scenario, options, seed=UNKNOWN_SEED)
        table = live.table
        id_, _ = await self.make(person, guest, match, live.players, table.terms, listed=table.listed)
        sides = list(live.table.seats)
        for side, other in zip(sides, reversed(sides), strict=True):
            await self._seat(id_, other, person=live.table.seats[side].person)
        await self._again(await self._hub.open(id_))
        await self._set(live.id, next=id_)
        await self._again(live)
        return id_

    async def resign(self, id_: str, person: Person) -> None:
        live, table = await self._at(id_)
        side = self._mine(table, person)
        if not table.begun:
            raise BulgeError("the match has not begun: leave your seat instead")
        table.check_running()
        await self._end(live, Ending("resigned", table.other_than(side), f"{side} resigned."))

    async def stand_up(self, id_: str, person: Person) -> None:
        """Somebody goes for good: a seat is free again before the match, and given up in it."""
        live, table = await self._at(id_)
        side = self._mine(table, person)
        if table.running:
            await self._end(live, Ending("resigned", table.other_than(side), f"{side} has left for good."))
        elif table.ending is None:
            await self.leave(id_, person)

    async def claim(self, id_: str, person: Person) -> None:
        """Claim a match whose other side has let its days pass."""
        live, _ = await self._at(id_)
        async with self._hub.alone(live):
            table = await self._again(live)  # they may just have chosen, or gone on holiday
            side = self._mine(table, person)
            table.check_running()
            to_play = (await self._hub.stories.play_of(live)).to_play
            if table.deadline is None or datetime.now(UTC) < table.deadline or to_play in (side, None):
                raise BulgeError("the other side's time has not run out")
            ending = Ending("flag", side, f"{to_play}'s time ran out.")
            await self._put_end(live, table, ending)
        await self._tell_end(live, ending)

    async def close(self, id_: str) -> None:
        """A moderator breaks it off and takes it from the list."""
        live, _ = await self._at(id_)
        await self._set(id_, listed=False)
        await self._end(live, Ending("abandoned", None, "A moderator broke it off."))

    # ------------------------------------------------------------------ inside

    def _mine(self, table: TableState, person: Person | None) -> str:
        if person is None:
            raise NotSignedIn
        return table.seat_of(person.id)

    async def _seat(self, id_: str, side: str, **values: str | None) -> None:
        await self._storage.write(update(SeatRow).where(SeatRow.match == id_, SeatRow.side == side).values(values))

    async def _vacate(self, id_: str, side: str) -> None:
        await self._seat(id_, side, person=None, commitment="", secret="")

    async def _set(self, id_: str, **values: Any) -> None:
        await self._storage.write(update(TableRow).where(TableRow.match == id_).values(values))

    async def _moved(self, live: Live) -> None:
        """After every choice: the rules may have ended it, or another side is to play."""
        async with live.lock:
            play = await self._hub.stories.play_of(live)
            result, by, to_play = play.match.result, play.side_at(play.n), play.to_play
        if result is not None:
            await self._end(live, Ending("rules", result.winner, result.words))
        elif to_play != by:
            await self._notify(live, "turn", last_words(play), to=(to_play,))

    async def _end(self, live: Live, ending: Ending) -> None:
        """Whoever ends it first has ended it; the others' endings change nothing."""
        async with self._hub.alone(live):
            table = await self._again(live)
            if table.ending is not None:
                return
            await self._put_end(live, table, ending)
        await self._tell_end(live, ending)

    async def _put_end(self, live: Live, table: TableState, ending: Ending) -> None:
        game = (await self._hub.stories.play_of(live)).game
        if not table.are_rivals(game.sides) and ending.how != "rules":
            ending = msgspec.structs.replace(ending, winner=None)
        await self._set(live.id, ending=msgspec.json.encode(ending).decode(), offer="")
        await self._storage.write(update(MatchRow).where(MatchRow.id == live.id).values(over=True))
        if table.are_rivals(game.sides):
            await rate(self._storage, game.id, {side: seat.person for side, seat in table.seats.items()}, ending)
        await self._again(live)

    async def _tell_end(self, live: Live, ending: Ending) -> None:
        self._hub.tell(live)
        await self._notify(live, "ended", ending.words)

    async def _told(self, live: Live, side: str, words: str) -> None:
        await self._notify(live, "talk", words, but=side)

    async def _to_play(self, live: Live) -> str | None:
        async with live.lock:
            return (await self._hub.stories.play_of(live)).to_play

    async def _notify(
        self,
        live: Live,
        event: Event,
        words: str,
        *,
        to: Collection[str | None] | None = None,
        but: str | None = None,
    ) -> None:
        """Tell those who do not sit at the board."""
        assert live.table is not None
        sides = [side for side in live.table.seats if (to is None or side in to) and side not in (but, *live.here)]
        people = [person for side in sides if (person := live.table.seats[side].person)]
        if people:
            row = await self._storage.match(live.id)
            assert row is not None
            title = f"{TITLES[event]} {self._hub.library.game(row.game).title}"
            self._notices.tell(people, event, live.id, title, words)

"""A table of people: who sits where, what they agreed to, how far the dice are agreed on, and how it ended."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from bulge.core.chance import commitment, shared_seed
from bulge.core.decision import Result
from bulge.core.errors import BulgeError
from bulge.server.errors import WrongToken
from bulge.server.seats import WATCHER, digest

if TYPE_CHECKING:  # the processes that answer questions have no database, and need not load one
    from bulge.server.people_rows import TableRow
    from bulge.server.storage import Touch

SERVER = "server"
"""Whose part of the dice is no player's."""
OfferKind = Literal["draw", "undo", "abandon", "rematch"]

Wanted = Literal["", "commit", "reveal"]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What everybody agrees to by sitting down."""

    hints: bool = False
    """Whether the computer may be asked for advice."""
    undo: Literal["free", "ask", "never"] = "ask"
    """How one goes back behind what is finished: a move, an attack, a phase."""
    days: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """So many days for a move, after which the other side may claim the match; 0 for no clock."""
    watch: bool = True
    """Whether others may look on. They see what neither side hides."""


class Offer(msgspec.Struct, frozen=True):
    kind: OfferKind
    side: str
    to: int | None = None
    """How many choices would be left, if somebody asks to go back."""
    undone: tuple[str, ...] = ()
    """What would then be undone, as everybody may read it."""
    agreed: tuple[str, ...] = ()
    """Who has consented, where more than two sit: all must."""


class Ending(msgspec.Struct, frozen=True):
    how: Literal["rules", "resigned", "agreed", "flag", "abandoned"]
    winner: str | None
    words: str


class Message(msgspec.Struct, frozen=True):
    number: int
    name: str
    turn: int
    words: str
    at: datetime
    gallery: bool
    """Whether somebody said it who looked on."""


class Answered(msgspec.Struct, frozen=True):
    offer: Offer
    table: str | None
    """The new table, if a rematch was agreed on."""


class Note(msgspec.Struct, frozen=True):
    turn: int
    words: str
    shared: bool
    """Whether others may read it, the match being over."""


class SharedNote(msgspec.Struct, frozen=True):
    name: str
    turn: int
    words: str


class SeatState(msgspec.Struct):
    person: str | None
    name: str | None
    commitment: str
    secret: str
    away_from: datetime | None = None
    away_until: datetime | None = None
    hidden: bool | None = None
    """Whether they do not want to be seen here; null where nobody sits."""

    def stood(self, since: datetime, days: int) -> timedelta:
        """For how long a holiday of theirs stops a clock that was started then."""
        if self.away_from is None or self.away_until is None:
            return timedelta(0)
        begins = max(since, self.away_from)
        if begins > since + timedelta(days=days):
            return timedelta(0)  # it had run out before
        return max(timedelta(0), self.away_until - begins)


class TableView(msgspec.Struct, frozen=True):
    listed: bool
    begun: bool
    terms: Terms
    people: dict[str, str | None]
    """Who sits at each human side; null where somebody may still sit down."""
    commitments: dict[str, str]
    """What the server, and each who sits, published of their part of the dice."""
    wanted: Wanted
    """Whether this page must now commit to its part of the dice, or reveal the one that it committed to."""
    offer: Offer | None
    ending: Ending | None
    touched: datetime
    deadline: datetime | None
    talk: int
    """How many messages there are that this page may read."""
    next: str
    """The table of the rematch, once both agreed to it."""
    away: dict[str, datetime]
    """Who is on holiday, and until when."""
    hidden: list[str]
    """Sides of which nobody is told whether they are here."""


class TableState:
    """As it is kept; read anew whenever somebody changes it."""

    def __init__(self, row: TableRow, seats: Mapping[str, SeatState], talk: Mapping[bool, int]) -> None:
        self.match, self.listed, self.begun = row.match, row.listed, row.begun
        self.terms = msgspec.json.decode(row.terms, type=Terms)
        self.secret, self.invitation, self.touched = row.secret, row.invitation, row.touched
        self.ending = msgspec.json.decode(row.ending, type=Ending) if row.ending else None
        self.offer = msgspec.json.decode(row.offer, type=Offer) if row.offer else None
        self.last, self.sketch, self.next = row.last, row.sketch, row.next
        self.seats = seats
        self._talk = talk
        """How many messages of the players (False) and of the gallery (True) there are."""
        self.told_of_clock = row.warned is not None and row.warned >= row.touched
        """Whether whoever is to move was told that the time runs short."""

    def touch(self, touch: Touch) -> None:
        """Somebody has moved: the clock starts anew, and an offer falls."""
        self.touched, self.last, self.sketch, self.offer = touch.at, touch.last, touch.sketch, None

    # ------------------------------------------------------------------ who

    def side_of(self, person: str | None) -> str | None:
        return next((side for side, seat in self.seats.items() if person and seat.person == person), None)

    def role_of(self, person: str | None, token: str | None) -> str | None:
        """The side of whoever sits here; others look on where that was agreed, and None may not."""
        side = self.side_of(person)
        if side is not None:
            return side
        return WATCHER if self.terms.watch and (self.listed or self.invites(token)) else None

    def seat_of(self, person: str) -> str:
        """The side of whoever sits here; anybody else is refused."""
        side = self.side_of(person)
        if side is None:
            raise WrongToken
        return side

    def hears(self, role: str) -> Collection[bool]:
        """Whose talk one reads: until the end the players (False) their own, and the gallery (True) its own."""
        return (role == WATCHER,) if self.ending is None else (False, True)

    def are_rivals(self, sides: Collection[str]) -> bool:
        """Whether two play against each other, instead of sharing the command of a side."""
        return len(self.seats) == 2 and all(side in sides for side in self.seats)

    def other_than(self, side: str) -> str | None:
        """Who wins when a side gives up: of two, the other."""
        return next((other for other in self.seats if other != side), None) if len(self.seats) == 2 else None

    def invites(self, invitation: str | None) -> bool:
        return bool(invitation) and hmac.compare_digest(digest(invitation or ""), self.invitation)

    @property
    def hidden(self) -> list[str]:
        """Sides of which nobody is told whether they are here."""
        return [side for side, seat in self.seats.items() if seat.hidden]

    @property
    def running(self) -> bool:
        return self.begun and self.ending is None

    def check_running(self) -> None:
        if not self.begun:
            raise BulgeError("the match has not begun: somebody must still sit down, or give a part of the dice")
        if self.ending is not None:
            raise BulgeError(f"the match is over: {self.ending.words}")

    def may_undo(self, *, finished: bool) -> bool:
        """Whether one may go back by oneself: what is only half done is nobody else's business."""
        return self.terms.undo == "free" or not finished

    def check_undo(self, *, finished: bool) -> None:
        if not self.may_undo(finished=finished):
            raise BulgeError(
                "at this table nobody takes back what is finished without the other side's consent: ask for it"
                if self.terms.undo == "ask"
                else "at this table all agreed that what is finished stands"
            )

    # ------------------------------------------------------------------ dice

    @property
    def commitments(self) -> dict[str, str]:
        found = {side: seat.commitment for side, seat in self.seats.items() if seat.commitment}
        return {SERVER: commitment(self.secret), **found}

    @property
    def parts(self) -> dict[str, str]:
        return {SERVER: self.secret, **{side: seat.secret for side, seat in self.seats.items()}}

    @property
    def all_committed(self) -> bool:
        return all(seat.person and seat.commitment for seat in self.seats.values())

    def seed(self) -> str | None:
        """The seed, once every part of it is there."""
        return shared_seed(self.parts) if all(seat.secret for seat in self.seats.values()) else None

    # ------------------------------------------------------------------ views

    @property
    def deadline(self) -> datetime | None:
        """When the time for a move has passed; holidays of those who sit here stop the clock."""
        if not self.terms.days or not self.running:
            return None
        stood = max(seat.stood(self.touched, self.terms.days) for seat in self.seats.values())
        return self.touched + timedelta(days=self.terms.days) + stood

    def wanted_of(self, side: str | None) -> Wanted:
        """What must come from a side's page before the match can begin."""
        seat = self.seats.get(side or "")
        if seat is None or self.begun or self.ending is not None:
            return ""
        if not seat.commitment:
            return "commit"
        return "reveal" if self.all_committed and not seat.secret else ""

    def view(self, role: str) -> TableView:
        return TableView(
            listed=self.listed,
            begun=self.begun,
            terms=self.terms,
            people={side: seat.name for side, seat in self.seats.items()},
            commitments=self.commitments,
            wanted=self.wanted_of(role),
            offer=self.offer,
            ending=self.ending,
            touched=self.touched,
            deadline=self.deadline,
            talk=sum(self._talk.get(gallery, 0) for gallery in self.hears(role)),
            next=self.next,
            away={
                side: seat.away_until
                for side, seat in self.seats.items()
                if seat.away_until is not None and seat.away_until > datetime.now(UTC)
            },
            hidden=self.hidden,
        )

    def result(self) -> Result | None:
        return Result(self.ending.winner, self.ending.words, "") if self.ending else None

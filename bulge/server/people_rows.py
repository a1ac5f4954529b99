"""What is kept of people, and of the tables at which they meet."""

from __future__ import annotations

from datetime import datetime

from advanced_alchemy.base import DefaultBase
from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import BigInteger, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column


class PersonRow(DefaultBase):
    __tablename__ = "bulge_person"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    key: Mapped[str] = mapped_column(String(80), unique=True, index=True)
    """The name without regard to case and form: nobody is called almost like another."""
    password: Mapped[str] = mapped_column(Text)
    """As argon2id leaves it; empty for one who was deleted."""
    role: Mapped[str] = mapped_column(String(16))
    email: Mapped[str] = mapped_column(String(254))
    words: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    suspended: Mapped[bool] = mapped_column(default=False)
    """Whether a moderator has shut the account."""
    away_from: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    away_until: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    """The last holiday, during which clocks stand."""
    seen: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    """When they last signed in."""
    expires: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    """When the account is deleted, once that was told, since nobody uses it."""
    quiet: Mapped[str] = mapped_column(Text, default="")
    """JSON: the hours in which they want to be told nothing."""
    hidden: Mapped[bool] = mapped_column(default=False)
    """Whether others are not to see when they are here."""


class SessionRow(DefaultBase):
    __tablename__ = "bulge_session"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    created: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    agent: Mapped[str] = mapped_column(String(200))


class RatingRow(DefaultBase):
    __tablename__ = "bulge_rating"

    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    mean: Mapped[float]
    spread: Mapped[float]
    won: Mapped[int]
    drawn: Mapped[int]
    lost: Mapped[int]


class SideRow(DefaultBase):
    """How often somebody has won, drawn and lost a game as one of its sides."""

    __tablename__ = "bulge_side"

    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    side: Mapped[str] = mapped_column(String(64), primary_key=True)
    won: Mapped[int]
    drawn: Mapped[int]
    lost: Mapped[int]


class TableRow(DefaultBase):
    """What a match among people has beyond the match itself."""

    __tablename__ = "bulge_table"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    listed: Mapped[bool] = mapped_column(index=True)
    begun: Mapped[bool]
    terms: Mapped[str] = mapped_column(Text)
    """JSON: what all agreed to by sitting down."""
    secret: Mapped[str] = mapped_column(String(64))
    """The server's part of the dice."""
    invitation: Mapped[str] = mapped_column(String(64))
    """The digest of the word that opens a private table."""
    touched: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    """When somebody last moved: the clock runs from here."""
    warned: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)
    """The same of the move whose player was told that it runs short."""
    ending: Mapped[str] = mapped_column(Text)
    """JSON, once it ended otherwise than by the rules."""
    offer: Mapped[str] = mapped_column(Text)
    """JSON, while one side waits for the other's consent."""
    last: Mapped[str] = mapped_column(Text, default="")
    """What happened last, as everybody may read it."""
    sketch: Mapped[str] = mapped_column(Text, default="")
    """JSON: what the small map in lists is drawn from."""
    next: Mapped[str] = mapped_column(String(32), default="")
    """The table of the rematch, if there is one."""


class SeatRow(DefaultBase):
    __tablename__ = "bulge_seat"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    side: Mapped[str] = mapped_column(String(64), primary_key=True)
    person: Mapped[str | None] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    commitment: Mapped[str] = mapped_column(String(64))
    secret: Mapped[str] = mapped_column(String(64))


class TalkRow(DefaultBase):
    __tablename__ = "bulge_talk"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40), index=True)
    turn: Mapped[int]
    words: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    gallery: Mapped[bool] = mapped_column(default=False)
    """Whether somebody said it who looked on: players read it after the end."""


class NoteRow(DefaultBase):
    __tablename__ = "bulge_note"

    match: Mapped[str] = mapped_column(ForeignKey("bulge_match.id"), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), primary_key=True, index=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    words: Mapped[str] = mapped_column(Text)
    shared: Mapped[bool] = mapped_column(default=False)
    """Whether its writer lets others read it, the match being over."""


class ChannelRow(DefaultBase):
    """A way by which somebody wants to be told: a browser, an address, a webhook."""

    __tablename__ = "bulge_channel"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    target: Mapped[str] = mapped_column(Text)
    """An address; for a browser JSON: its endpoint and keys."""
    events: Mapped[str] = mapped_column(String(100))
    """What to tell, separated by spaces."""
    code: Mapped[str] = mapped_column(String(16))
    """What must be said back before anything else is sent there; empty once it was."""
    failure: Mapped[str] = mapped_column(Text)
    """Why the last delivery failed, if it did."""


class HeldRow(DefaultBase):
    """A notice that waits for the end of somebody's quiet hours."""

    __tablename__ = "bulge_held"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    notice: Mapped[str] = mapped_column(Text)
    """JSON."""
    due: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), index=True)


class PasskeyRow(DefaultBase):
    """A key that stays in somebody's device; here is only the half that can check what it signs."""

    __tablename__ = "bulge_passkey"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    credential: Mapped[str] = mapped_column(String(1400), unique=True, index=True)
    """By which the device knows it, in base64url."""
    public: Mapped[str] = mapped_column(Text)
    count: Mapped[int] = mapped_column(BigInteger)
    """How often it has signed, as far as the device counts: one that falls is a copy."""
    name: Mapped[str] = mapped_column(String(60))
    created: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    used: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), default=None)


class ChallengeRow(DefaultBase):
    """What a passkey was asked to sign; each is good for one answer."""

    __tablename__ = "bulge_challenge"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(100))
    created: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), index=True)


class ReportRow(DefaultBase):
    """Somebody asks the moderators to look at something."""

    __tablename__ = "bulge_report"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    by: Mapped[str] = mapped_column(ForeignKey("bulge_person.id"), index=True)
    about: Mapped[str | None] = mapped_column(ForeignKey("bulge_person.id"))
    match: Mapped[str] = mapped_column(String(32), default="")
    message: Mapped[int] = mapped_column(default=0)
    """The number of the message that it is about; 0 for none."""
    words: Mapped[str] = mapped_column(Text)
    closed: Mapped[bool] = mapped_column(default=False, index=True)


class DeedRow(DefaultBase):
    """What a moderator did; never changed."""

    __tablename__ = "bulge_deed"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    by: Mapped[str] = mapped_column(String(40))
    words: Mapped[str] = mapped_column(Text)


class KeptRow(DefaultBase):
    """What the servers of one database share: the key by which browsers know whose notices they get."""

    __tablename__ = "bulge_kept"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[str] = mapped_column(Text)

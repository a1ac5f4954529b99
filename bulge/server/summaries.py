"""Tables as they stand in lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

import msgspec

from bulge.server.people import Person
from bulge.server.play import Action, Play
from bulge.server.small_maps import SmallMap, sketch_of
from bulge.server.storage import MatchRow, Touch
from bulge.server.terms import Ending, Offer, TableState, Terms, Wanted

LOOKED_AT = 60
"""So many lines of the log: what happened last is among them."""


class TableSummary(msgspec.Struct, frozen=True):
    id: str
    game: str
    scenario: str
    options: dict[str, str]
    people: dict[str, str | None]
    terms: Terms
    begun: bool
    to_play: str | None
    turn: int
    mine: str | None
    """The asker's side."""
    my_turn: bool
    listed: bool
    touched: datetime
    deadline: datetime | None
    offer: Offer | None
    ending: Ending | None
    wanted: Wanted
    """What the asker's page must do before the match can begin."""
    last: str
    """What happened last, in words; like offer and map, only for who may look on."""
    kept: bool
    """Whether it never expires."""
    expires: datetime | None
    """When it is deleted, if nobody plays on or keeps it."""
    map: SmallMap | None
    """As it stood when the turn last passed."""
    here: list[str]
    """The sides that have the match open, but for who hides that; an empty name for those who look on."""
    hidden: list[str]
    """Sides of which nobody is told whether they are here."""


def last_words(play: Play) -> str:
    """What happened last, as everybody may read it: a move or a fight rather than what the rules did after it."""
    told = [event for line in play.lines()[-LOOKED_AT:] if (event := line.event).side is None]
    news = [event for event in told if event.kind not in ("turn", "phase")]
    deeds = [event for event in news if event.units or event.dice]
    return next((event.words for event in reversed(deeds or news)), "")


def touch_of(table: TableState, play: Play, actions: Sequence[Action]) -> Touch:
    """The small map is drawn anew when the turn has passed or something was taken back."""
    passed = play.to_play != play.side_at(play.n) or any(action.kind != "choose" for action in actions)
    sketch = sketch_of(play) if passed or not table.sketch else table.sketch
    return Touch(datetime.now(UTC), last_words(play), sketch)


def summary_of(
    row: MatchRow, table: TableState, person: Person | None, here: Collection[str], small: SmallMap | None
) -> TableSummary:
    mine = table.side_of(person.id if person else None)
    sees = mine is not None or table.terms.watch  # otherwise a list would be a way to look on after all
    return TableSummary(
        id=row.id,
        game=row.game,
        scenario=row.scenario,
        options=msgspec.json.decode(row.options, type=dict[str, str]),
        people={side: seat.name for side, seat in table.seats.items()},
        terms=table.terms,
        begun=table.begun,
        to_play=row.to_play if table.running else None,
        turn=row.turn,
        mine=mine,
        my_turn=table.running and mine is not None and row.to_play == mine,
        listed=table.listed,
        touched=table.touched,
        deadline=table.deadline,
        offer=table.offer if sees else None,
        ending=table.ending,
        wanted=table.wanted_of(mine),
        last=table.last if sees else "",
        kept=row.kept,
        expires=row.expires,
        map=small if sees else None,
        here=sorted(set(here) - set(table.hidden)),
        hidden=table.hidden,
    )

"""Ratings: how strong somebody seems to be at one game, and how sure that is (openskill: Weng and Lin)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bulge.server.people_rows import PersonRow, RatingRow, SideRow
from bulge.server.storage import Storage
from bulge.server.terms import Ending

MEAN = 1500.0
SPREAD = MEAN / 6
"""Of somebody who has played nothing yet."""


async def rate(storage: Storage, game: str, people: Mapping[str, str | None], ending: Ending) -> None:
    """Let a match between two people count. One that nobody won counts as drawn."""
    seated = {side: person for side, person in people.items() if person is not None}
    if len(set(seated.values())) != 2 or len(people) != 2 or ending.how == "abandoned":
        return
    await storage.together(lambda session: _rate(session, game, seated, ending.winner))


async def _rate(session: AsyncSession, game: str, people: Mapping[str, str], winner: str | None) -> None:
    from openskill.models import PlackettLuce

    # Whoever ends several matches at once has all of them counted: one after another, whichever server ends them.
    theirs = select(PersonRow.id).where(PersonRow.id.in_(people.values())).order_by(PersonRow.id)
    await session.execute(theirs.with_for_update())
    model = PlackettLuce(mu=MEAN, sigma=SPREAD, beta=SPREAD / 2, tau=SPREAD / 100)
    kept = [await _kept(session, person, game) for person in people.values()]
    ranks: list[float] = [_rank(side, winner) for side in people]
    rated = model.rate([[model.rating(mu=row.mean, sigma=row.spread)] for row in kept], ranks=ranks)
    for side, row, (new,), rank in zip(people, kept, rated, ranks, strict=True):
        row.mean, row.spread = float(new.mu), float(new.sigma)
        for counted in (row, await _kept_as(session, row.person, game, side)):
            counted.won += rank == 1
            counted.drawn += rank == 2
            counted.lost += rank == 3


async def _kept(session: AsyncSession, person: str, game: str) -> RatingRow:
    found = await session.get(RatingRow, (person, game))
    if found is None:
        found = RatingRow(person=person, game=game, mean=MEAN, spread=SPREAD, won=0, drawn=0, lost=0)
        session.add(found)
    return found


async def _kept_as(session: AsyncSession, person: str, game: str, side: str) -> SideRow:
    """How somebody does with one side alone: few games are even, and few play both sides alike."""
    found = await session.get(SideRow, (person, game, side))
    if found is None:
        found = SideRow(person=person, game=game, side=side, won=0, drawn=0, lost=0)
        session.add(found)
    return found


def _rank(side: str, winner: str | None) -> int:
    """First, second (both, when nobody won) or third."""
    return 2 if winner is None else 1 if side == winner else 3

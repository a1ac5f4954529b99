"""Ratings: how strong somebody seems to be at one game, and how sure that is (openskill: Weng and Lin)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, insert, select

from bulge.server.people_rows import RatingRow, SideRow
from bulge.server.storage import Storage
from bulge.server.terms import Ending

MEAN = 1500.0
SPREAD = MEAN / 6
"""Of somebody who has played nothing yet."""


async def rate(storage: Storage, game: str, people: Mapping[str, str | None], ending: Ending) -> None:
    """Let a match between two people count. One that nobody won counts as drawn."""
    (_, one), (_, other) = tuple(people.items()) if len(people) == 2 else (("", None), ("", None))
    if one is None or other is None or one == other or ending.how == "abandoned":
        return
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MEAN, sigma=SPREAD, beta=SPREAD / 2, tau=SPREAD / 100)
    kept = [await _kept(storage, person, game) for person in (one, other)]
    teams = [[model.rating(mu=row.mean, sigma=row.spread)] for row in kept]
    ranks: list[float] = [_rank(side, ending.winner) for side in people]
    rated = model.rate(teams, ranks=ranks)
    for side, row, (new,), rank in zip(people, kept, rated, ranks, strict=True):
        values = {
            "person": row.person, "game": game, "mean": float(new.mu), "spread": float(new.sigma),
            "won": row.won + (rank == 1), "drawn": row.drawn + (rank == 2), "lost": row.lost + (rank == 3),
        }  # fmt: skip
        await storage.write(delete(RatingRow).where(RatingRow.person == row.person, RatingRow.game == game))
        await storage.write(insert(RatingRow).values(values))
        await _count(storage, row.person, game, side, rank)


async def _count(storage: Storage, person: str, game: str, side: str, rank: float) -> None:
    """How somebody does with one side alone: few games are even, and few play both sides alike."""
    same = (SideRow.person == person, SideRow.game == game, SideRow.side == side)
    rows = await storage.rows(select(SideRow.won, SideRow.drawn, SideRow.lost).where(*same))
    won, drawn, lost = rows[0] if rows else (0, 0, 0)
    values = {
        "person": person, "game": game, "side": side,
        "won": won + (rank == 1), "drawn": drawn + (rank == 2), "lost": lost + (rank == 3),
    }  # fmt: skip
    await storage.write(delete(SideRow).where(*same))
    await storage.write(insert(SideRow).values(values))


def _rank(side: str, winner: str | None) -> int:
    """First, second (both, when nobody won) or third."""
    return 2 if winner is None else 1 if side == winner else 3


async def _kept(storage: Storage, person: str, game: str) -> RatingRow:
    rows = await storage.rows(select(RatingRow).where(RatingRow.person == person, RatingRow.game == game))
    if rows:
        found: RatingRow = rows[0][0]
        return found
    return RatingRow(person=person, game=game, mean=MEAN, spread=SPREAD, won=0, drawn=0, lost=0)

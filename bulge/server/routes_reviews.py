"""Looking back on matches that are over."""

from __future__ import annotations

from litestar import Router, get
from litestar.di import NamedDependency

from bulge.core.errors import BulgeError
from bulge.players.review import TOO_EARLY
from bulge.players.reviewed import Ended
from bulge.server.complaints import REFUSALS
from bulge.server.hub import Hub
from bulge.server.reviews import Reviews, ReviewState
from bulge.server.routes_matches import MatchId, Token, Visitor, is_over, journal_now
from bulge.server.uses import Uses


@get("/{match_id:str}/review", responses=REFUSALS)
async def review(
    match_id: MatchId,
    hub: NamedDependency[Hub],
    reviews: NamedDependency[Reviews],
    uses: NamedDependency[Uses],
    guest: Visitor,
    token: Token = None,
) -> ReviewState:
    """Chances through a match that is over, and where it turned. The first who asks sets the work going."""
    live, _ = await hub.enter(match_id, token, guest)
    async with live.lock:
        match = (await hub.stories.play_of(live)).match
        if not is_over(live, match):
            raise BulgeError(TOO_EARLY)
        ending = live.table.ending if live.table is not None and match.result is None else None
        journal = journal_now(match, live, sealed=False)
    ended = Ended(ending.winner, ending.words) if ending else None
    return await reviews.of(match.game, journal, ended, uses, guest)


reviews_router = Router("/api/matches", route_handlers=[review], tags=["matches"])

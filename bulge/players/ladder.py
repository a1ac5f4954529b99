"""The ladder: players meet until it is clear how far apart they are, and get ratings.

Neighbours in the given order meet, each seed twice with sides swapped. A meeting stops as soon as it is clear
that the stronger one is, or is not, a wanted number of points ahead, or when enough games have been played. That
is looked at after every batch, so that of meetings on the very line one in eleven stops for either answer. In a
game for one, players do not meet: each plays the same deals against the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bulge.core.chance import seed_of
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.players.arena import Bout, Pairing, play_bouts, wilson
from bulge.players.elsewhere import contender_for
from bulge.players.onward import onward
from bulge.players.ratings import Meeting, share_of

BATCH = 8
"""So many games are played before it is looked at whether more are needed."""


class Terms(NamedTuple):
    """What a ladder is played for."""

    seed: str = "1"
    scenario: str | None = None
    options: dict[str, str] = {}
    most: int = 60
    """The most games of a meeting."""
    ahead: float = 100.0
    """How many points should lie between neighbours."""


class Standing(NamedTuple):
    """How far a meeting has come."""

    meeting: Meeting
    seconds: tuple[float, float]
    """A player-turn of each, on average."""
    clear: bool
    """Whether it is known that they are, or are not, as far apart as wanted."""


def meet(
    make_game: Callable[[], Game[Any]], names: tuple[str, str], terms: Terms, jobs: int
) -> Iterator[Standing]:
    """How a meeting stands after every batch, until it is clear or long enough."""
    pairing = Pairing(names, terms.seed, terms.scenario, terms.options)
    bouts: list[Bout] = []
    while len(bouts) < terms.most:
        games = min(BATCH, terms.most - len(bouts))
        bouts += play_bouts(make_game, pairing, games, jobs, first=len(bouts))
        standing = _standing(names, bouts, terms.ahead)
        yield standing
        if standing.clear:
            return


def _standing(names: tuple[str, str], bouts: Sequence[Bout], ahead: float) -> Standing:
    scored = sum(0.5 if bout.player_won is None else bout.player_won == 0 for bout in bouts)
    low, high = wilson(scored, len(bouts))
    turns = sum(bout.turns for bout in bouts)
    seconds = (sum(bout.seconds[0] for bout in bouts) / turns, sum(bout.seconds[1] for bout in bouts) / turns)
    wanted = share_of(ahead)
    return Standing(Meeting(*names, scored, len(bouts)), seconds, low > wanted or high < wanted)


class Alone(NamedTuple):
    """How one player fared against the rules."""

    name: str
    won: int
    games: int


def play_alone(game: Game[Any], name: str, terms: Terms, number: int) -> bool:
    """Whether a player wins one deal of a game for one."""
    label = f"{terms.seed}:{number}"
    match: Match[Any] = Match(game, terms.scenario, terms.options, seed=seed_of(label), keep_log=False)
    seats = game.players_in(match.start.scenario)
    players = {side: onward(contender_for(name, game, side, label, by_the_clock=False)) for side in seats}
    while match.decision is not None:
        match.choose(players[match.decision.side].choose(match))
        if len(match.ids) > game.most_choices:
            raise BulgeError(f"game {label} does not end: {len(match.ids)} choices")
    assert match.result is not None
    return match.result.winner in seats

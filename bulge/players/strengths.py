"""How strong the computer players are, as `bulge ladder --out` measured it; a game never ranked has none."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec


class Strength(msgspec.Struct, frozen=True, kw_only=True):
    """One player of a ladder."""

    name: str
    kind: Literal["points", "won"]
    """Points above the weakest of the ladder, or the share of deals won in a game for one."""
    value: float
    low: float
    high: float
    """With 95 % confidence the true value lies between them."""
    games: int
    seconds: float | None = None
    """Of processor time a player-turn, on the machine that played the ladder."""
    scenario: str = ""
    """The one that they met in: in another they may differ more or less."""


class Ranking(msgspec.Struct, frozen=True):
    game: str
    made_by: str
    players: tuple[Strength, ...]
    """The best first."""


@cache
def ranking_of(game: str) -> Ranking | None:
    """The ladder of a game; None if none was played."""
    file = files("bulge.players") / "strengths" / f"{game}.json"
    return msgspec.json.decode(file.read_bytes(), type=Ranking) if file.is_file() else None


def strengths_of(game: str) -> tuple[Strength, ...]:
    ranking = ranking_of(game)
    return ranking.players if ranking else ()

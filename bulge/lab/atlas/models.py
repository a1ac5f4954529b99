"""What the atlas plays, and what each model assumes."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from bulge.core.game import Game

PAGE = "atlas.html"
"""The name of the page's file."""


class Model(msgspec.Struct, frozen=True):
    """One game as a model of the battle."""

    scenario: str
    scale: str
    words: str
    assumes: tuple[tuple[str, str, str], ...]
    """What is assumed about something, and the rule that says so."""
    one_player: bool = False
    """Whether its computer players do not search, so that the stronger levels are one."""


@cache
def models() -> dict[str, Model]:
    text = (files("bulge.lab.atlas") / "models.toml").read_text("utf-8")
    return {id_: msgspec.convert(row, Model) for id_, row in tomllib.loads(text).items()}


def rebuilt(game: Game[Any]) -> tuple[int, int]:
    """How many rows of a game's data are reconstructed, of how many."""
    rows = [row for table in game.data.tables.values() for row in table]
    return sum(row.reconstructed for row in rows), len(rows)

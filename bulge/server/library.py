"""The games that this server offers, loaded once; and those that imported matches bring, with their overrides."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from functools import cache
from importlib.resources import files
from typing import Any

from bulge.core.data import Overrides
from bulge.core.game import Game
from bulge.games import GAMES, load_game
from bulge.server.errors import Unknown

NO_TABLES = ("rulebook.toml", "map_facts.toml", "map_recipe.toml")
"""What a game's folder holds that no match depends on."""
KEPT = 8
"""So many games with overrides are kept loaded."""


class Library:
    def __init__(self, overrides: str = "") -> None:
        self.overrides = overrides
        """Laid over the data of new matches."""
        self._loaded: OrderedDict[tuple[str, str], Game[Any]] = OrderedDict()

    def ids(self) -> tuple[str, ...]:
        return GAMES

    def game(self, id_: str, overrides: str = "") -> Game[Any]:
        """A game by its id, and by the text of the overrides over its data."""
        if id_ not in GAMES:
            raise Unknown(f"there is no game of that name; there are: {', '.join(GAMES)}")
        key = (id_, overrides)
        if key not in self._loaded:
            self._loaded[key] = self._load(id_, overrides)
            altered = [kept for kept in self._loaded if kept[1]]
            for old in altered[:-KEPT]:
                del self._loaded[old]
        self._loaded.move_to_end(key)
        return self._loaded[key]

    @staticmethod
    @cache
    def edition(id_: str) -> str:
        """A fingerprint of a game's data: its tables and its map, whatever its code may be."""
        hashed = hashlib.sha256()
        folder = files(f"bulge.games.{id_}")
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(".csv") or file.name == "map.json" or _is_table(file.name):
                hashed.update(file.name.encode() + b"\0" + file.read_bytes())
        return hashed.hexdigest()[:16]

    def _load(self, id_: str, overrides: str) -> Game[Any]:
        return load_game(id_, Overrides(overrides, "the overrides of this match") if overrides else None)


def _is_table(name: str) -> bool:
    return name.endswith(".toml") and name not in NO_TABLES

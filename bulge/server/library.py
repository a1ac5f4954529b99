"""The games that this server offers, loaded once; and those that imported matches bring, with their overrides."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from bulge.core.data import Overrides
from bulge.core.game import Game
from bulge.games import GAMES, load_game
from bulge.server.errors import Unknown

NO_TABLES = ("rulebook.toml", "map_facts.toml", "map_recipe.toml")
"""What a game's folder holds that no match depends on."""
SHARED_RULES = ("bulge.core", "bulge.games.hexes")
HALF = 8
"""So many signs of an edition are of the data, and as many of the rules."""
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
        """Fingerprints of a game's data (its tables and its map) and of the rules that play it."""
        own = _files(f"bulge.games.{id_}")
        code = [*own, *(file for package in SHARED_RULES for file in _files(package))]
        data = (file for file in own if _is_data(file.name))
        return _digest(data) + _digest(file for file in code if file.name.endswith(".py"))

    @staticmethod
    def changed_since(id_: str, edition: str) -> str:
        """What has changed of a game since this edition of it."""
        now = Library.edition(id_)
        if edition in ("", now):
            return ""
        parts = (("rules", slice(HALF, None)), ("data", slice(HALF)))
        return " and ".join(name for name, part in parts if edition[part] != now[part])

    def _load(self, id_: str, overrides: str) -> Game[Any]:
        return load_game(id_, Overrides(overrides, "the overrides of this match") if overrides else None)


def _files(package: str) -> list[Traversable]:
    return sorted(files(package).iterdir(), key=lambda file: file.name)


def _digest(found: Iterable[Traversable]) -> str:
    hashed = hashlib.sha256()
    for file in found:
        hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()[:HALF]


def _is_data(name: str) -> bool:
    return name.endswith(".csv") or name == "map.json" or (name.endswith(".toml") and name not in NO_TABLES)

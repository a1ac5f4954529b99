"""Hexes and units of a game by name, for tests that are written as a rulebook writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bulge.core.board import NamedSpaces


class Row(Protocol):
    @property
    def id(self) -> str: ...


class Named(Protocol):
    @property
    def board(self) -> NamedSpaces: ...

    @property
    def rows(self) -> Sequence[Row]: ...


class Naming:
    """Names to numbers and back; a game's facts are asked for when a test first needs them."""

    def __init__(self, facts: Callable[[], Named]) -> None:
        self._facts = facts

    def at(self, name: str) -> int:
        """The hex of this number."""
        return self._facts().board.at(name)

    def hexes(self, *names: str) -> int:
        """The set of these hexes."""
        return self._facts().board.set_of(names)

    def names(self, spaces: int) -> set[str]:
        return set(self._facts().board.names_of(spaces))

    def unit(self, id_: str) -> int:
        return next(number for number, row in enumerate(self._facts().rows) if row.id == id_)

    def units(self, *ids: str) -> int:
        """The set of these units."""
        return sum(1 << self.unit(id_) for id_ in ids)

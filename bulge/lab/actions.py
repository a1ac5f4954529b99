"""A fixed number for every choice, as learning machines want it.

The first number is `done`; then come the board's spaces, the game's units and small numbers, each always at its
own place. Words, and moves that are more than a space, have no place of their own: they take the last numbers, in
the order in which the decision lists them. With the question, which is part of the observation, that order says
what they mean.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bulge.core.decision import DONE, Choice, Decision, Kind
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.spaces import members

NUMBERS, OTHERS = 64, 256
"""Numbers from 0 up that have their place; places for all that has none."""


class Actions:
    def __init__(self, game: Game[Any]) -> None:
        self._spaces = {space: 1 + at for at, space in enumerate(members(game.board.all))}
        self._first_unit = 1 + len(self._spaces)
        self._first_number = self._first_unit + len(game.units)
        self._first_other = self._first_number + NUMBERS
        self._units = len(game.units)

    @cached_property
    def count(self) -> int:
        return self._first_other + OTHERS

    def offered(self, decision: Decision) -> dict[int, Choice]:
        """The choices of a decision by their numbers, in rising order."""
        found: dict[int, Choice] = {}
        others: list[Choice] = []
        for choice in decision.options:
            number = self._place_of(decision.kind, choice)
            if number is None:
                others.append(choice)
            else:
                found[number] = choice
        if len(others) > OTHERS:
            raise BulgeError(
                f"{decision!r} has {len(others)} options without a number; there is room for {OTHERS}"
            )
        found |= {self._first_other + at: choice for at, choice in enumerate(others)}
        return dict(sorted(found.items()))

    def _place_of(self, kind: Kind, choice: Choice) -> int | None:
        if choice == DONE:
            return 0
        if isinstance(choice, str):
            return None
        if kind is Kind.SPACE:
            return self._spaces.get(choice)
        if kind is Kind.UNIT and 0 <= choice < self._units:
            return self._first_unit + choice
        if kind is Kind.NUMBER and 0 <= choice < NUMBERS:
            return self._first_number + choice
        return None

    def mask(self, decision: Decision | None) -> NDArray[np.int8]:
        """1 for every number that may be chosen now."""
        mask = np.zeros(self.count, np.int8)
        if decision is not None:
            mask[list(self.offered(decision))] = 1
        return mask

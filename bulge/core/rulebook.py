"""A game's rules by number, each with a short title and one line in our own words; and how code cites them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import TypeVar

import msgspec

from bulge.core.data import read_toml
from bulge.core.errors import BadData

F = TypeVar("F", bound=Callable[..., object])


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: str
    title: str
    words: str
    """One line in our own words; the printed rulebook holds the full text."""
    needs_nothing: str = ""
    """Why the rule needs neither code nor test (an introduction, a list of parts); empty if it does."""


class Rulebook:
    """The numbered rules of one game."""

    def __init__(self, game: str, rules: list[Rule]) -> None:
        self.game = game
        self.rules = {rule.number: rule for rule in rules}
        number, times = Counter(rule.number for rule in rules).most_common(1)[0] if rules else ("", 0)
        if times > 1:
            raise BadData(f"the rulebook of {game} lists rule {number} twice")
        self._under: dict[str, list[Rule]] = {}
        for rule in rules:
            if (section := _section_of(rule.number)) != rule.number:
                self._under.setdefault(section, []).append(rule)

    def __contains__(self, number: str) -> bool:
        return number in self.rules

    def __getitem__(self, number: str) -> Rule:
        try:
            return self.rules[number]
        except KeyError:
            raise BadData(f"the rulebook of {self.game} has no rule {number}") from None

    def cases(self, number: str) -> list[Rule]:
        """What a section is made up of: its subsections or lettered cases, and the errata that correct it."""
        return list(self._under.get(number, ()))

    def cite(self, number: str) -> str:
        """A citation for people: number and title."""
        rule = self.rules.get(number)
        return f"{number} {rule.title}" if rule else number


def _section_of(number: str) -> str:
    """The number that a rule stands under: 9.3 for 9.3K, 9.0 for 9.3, 12.3 for 12.3.1, 9.3K for erratum E9.3K."""
    if number.startswith("E"):
        return number[1:].partition("-")[0]
    if number[-1:].isalpha():
        return number[:-1]
    section = number.rpartition(".")[0]
    return section if "." in section else f"{section}.0"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    rule: list[Rule]


def load_rulebook(game: str, folder: Traversable) -> Rulebook:
    """Read `rulebook.toml` of a game's folder."""
    return Rulebook(game, read_toml(folder, "rulebook.toml", _File).rule)


def rule(*numbers: str) -> Callable[[F], F]:
    """Say that a function is these rules as code. It changes nothing; the ledger reads it from the source."""

    def unchanged(function: F) -> F:
        return function

    return unchanged

"""What a person means by what they type: an option, a unit, a hex."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bulge.core.decision import Option
from bulge.core.game import Game

_MARKS = re.compile(r"[.,:;()_-]")


@dataclass(frozen=True)
class Meant:
    """The places of those that fit, in whatever was asked about. One is an answer; several are too many."""

    places: tuple[int, ...]

    @property
    def one(self) -> int | None:
        return self.places[0] if len(self.places) == 1 else None


def option_meant(game: Game[Any], options: Sequence[Option], text: str) -> Meant:
    """A number in the list; else an id, a name, or a beginning of one that fits nothing else.

    A bare number is always a place in the list. One that starts with 0, or is beyond the list, is a hex's name.
    """
    if text.isascii() and text.isdigit() and text[0] != "0" and int(text) <= len(options):
        return Meant((int(text) - 1,))
    names = {unit.id: unit.name for unit in game.units}
    return _meant([_option_labels(option, names) for option in options], text)


def unit_meant(game: Game[Any], text: str) -> Meant:
    return _meant([(unit.id, unit.name) for unit in game.units], text)


def spaces_meant(game: Game[Any], text: str) -> list[int]:
    """The spaces of this name, or of the place that lies there; a city may fill several."""
    board = game.board
    spaces = [board.at(name) for name in board.names_of(board.all)]
    labels = []
    for space in spaces:
        name, words = board.name(space), game.space_words(space)
        labels.append((name, words, words.removeprefix(name), words.removesuffix(f"({name})")))
    return [spaces[place] for place in _meant(labels, text).places]


def space_meant(game: Game[Any], text: str) -> int | None:
    """The one space that is meant, if it is one."""
    spaces = spaces_meant(game, text)
    return spaces[0] if len(spaces) == 1 else None


def _option_labels(option: Option, unit_names: dict[str, str]) -> tuple[str, ...]:
    rest = option.words.removeprefix(option.id).strip()
    names = [unit_names[unit] for unit in option.units if unit in unit_names]
    return (option.id, option.id.replace("_", " "), option.words, rest, *names)


def _meant(labels: Sequence[tuple[str, ...]], text: str) -> Meant:
    """Those with a label that is the text; else that begins with it; else that has it as words of its own."""
    wanted = _plain(text)
    if not wanted:
        return Meant(())
    plain = [[_plain(label) for label in each] for each in labels]
    for fits in (_is, _begins_with, _has_words):
        found = tuple(place for place, each in enumerate(plain) if any(fits(label, wanted) for label in each))
        if found:
            return Meant(found)
    return Meant(())


@lru_cache(maxsize=20_000)
def _plain(words: str) -> str:
    """Without capitals, accents and marks, which nobody need type: St. Vith is st vith, Liège is liege."""
    letters = unicodedata.normalize("NFKD", words.casefold())
    return " ".join(_MARKS.sub(" ", "".join(each for each in letters if not unicodedata.combining(each))).split())


def _is(label: str, wanted: str) -> bool:
    return label == wanted


def _begins_with(label: str, wanted: str) -> bool:
    return label.startswith(wanted)


def _has_words(label: str, wanted: str) -> bool:
    words, sought = label.split(), wanted.split()
    return any(words[at : at + len(sought)] == sought for at in range(len(words)))

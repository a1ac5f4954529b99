"""What a person means by what they type: an option, a unit, a hex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bulge.core.decision import Option
from bulge.core.game import Game


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


def space_meant(game: Game[Any], text: str) -> int | None:
    """A space by its name, or by the name of the place that lies there."""
    board = game.board
    spaces = [board.at(name) for name in board.names_of(board.all)]
    labels = []
    for space in spaces:
        name, words = board.name(space), game.space_words(space)
        labels.append((name, words, words.removeprefix(name).strip()))
    place = _meant(labels, text).one
    return None if place is None else spaces[place]


def _option_labels(option: Option, unit_names: dict[str, str]) -> tuple[str, ...]:
    rest = option.words.removeprefix(option.id).strip()
    names = [unit_names[unit] for unit in option.units if unit in unit_names]
    return (option.id, option.id.replace("_", " "), option.words, rest, *names)


def _meant(labels: Sequence[tuple[str, ...]], text: str) -> Meant:
    """Those with a label that is the text; else that begins with it; else that has it as words of its own."""
    wanted = " ".join(text.lower().split())
    if not wanted:
        return Meant(())
    plain = [[label.lower() for label in each if label] for each in labels]
    for fits in (_is, _begins_with, _has_words):
        found = tuple(place for place, each in enumerate(plain) if any(fits(label, wanted) for label in each))
        if found:
            return Meant(found)
    return Meant(())


def _is(label: str, wanted: str) -> bool:
    return label == wanted


def _begins_with(label: str, wanted: str) -> bool:
    return label.startswith(wanted)


def _has_words(label: str, wanted: str) -> bool:
    words = label.replace(",", " ").replace(":", " ").split()
    sought = wanted.split()
    return any(words[at : at + len(sought)] == sought for at in range(len(words)))

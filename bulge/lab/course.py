"""The course of one game, by turn and day: losses, how far the attacker had come, and its front beside history."""

from __future__ import annotations

import msgspec


class Town(msgspec.Struct, frozen=True):
    name: str
    x: float
    y: float


class Country(msgspec.Struct, frozen=True):
    """What lies under all maps of the front, as paths of SVG."""

    width: float
    height: float
    rivers: str
    borders: str
    towns: tuple[Town, ...]


class FrontDay(msgspec.Struct, frozen=True):
    """The front on the evening of a day of December."""

    day: int
    held: str
    """The ground behind it, as a path."""
    history: str
    """The line of 1944, as a path."""
    depth: float
    """How far the attacker had come from its start."""
    depth_1944: float


class Course(msgspec.Struct, frozen=True):
    """Lists go by turn."""

    turns: tuple[str, ...]
    """What each turn is called."""
    losses: dict[str, tuple[int, ...]]
    """By side: lost in each turn."""
    loss_words: str
    depth_words: str
    """What depth is measured in."""
    attacker: str
    country: Country | None
    """None where the map is of no real country."""
    fronts: tuple[FrontDay, ...]

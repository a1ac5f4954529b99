"""How a game looks, as data: one client draws all games from this.

`Look` is sent once: the board, the counters' faces, charts, the sequence of play. `Scene` is sent after every
choice: what lies where now. Neither holds anything that the side which gets it may not know.
"""

from __future__ import annotations

import msgspec

from bulge.core.rulebook import Rulebook
from bulge.core.tables import ResultsTable


class SideLook(msgspec.Struct, frozen=True):
    id: str
    name: str
    polarity: str
    """`dark` or `light`: sides are told apart by polarity first, by hue second."""


class SpaceLook(msgspec.Struct, frozen=True):
    """A hex, area, track space or box."""

    id: str
    x: float
    y: float
    """The centre on the drawing, in its units, y down."""
    name: str = ""
    words: str = ""
    """What is there, for a text board: terrain, town, roads."""
    kind: str = "hex"
    """hex, space, box, staging, track."""
    width: float = 0
    height: float = 0
    """Its size on the drawing, where it is no hex; round if it is a `space`."""


class Face(msgspec.Struct, frozen=True):
    """One counter's face."""

    id: str
    name: str
    short: str
    side: str
    style: str
    """Names a colour pair of the client's palette: german_mechanized, german_foot, us, british, ..."""
    symbol: str
    """The NATO branch symbol: armor, mechanized, infantry, airborne, engineers, artillery, air_defence, cavalry,
    armored_cavalry, headquarters, none."""
    size: str = ""
    """II, III, X, XX, XXX."""
    bracketed: bool = False
    band: str = ""
    """Army or corps, for the coloured band."""
    values: tuple[str, ...] = ()
    """What is printed large, by steps left: index 0 is unused, the last is full strength."""
    arrives: str = ""
    """Set-up hex, or turn and edge."""


class Chart(msgspec.Struct, frozen=True):
    """A table to look things up in."""

    id: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The first cell of a row is its heading."""


def results_chart(id_: str, title: str, rule: str, table: ResultsTable) -> Chart:
    """A results table, a row a die."""
    rows = tuple((str(die), *results) for die, results in enumerate(table.rows, start=1))
    return Chart(id_, title, rule, ("Die", *table.columns), rows)


def rules_chart(id_: str, title: str, rule: str, what: str, rulebook: Rulebook, numbers: tuple[str, ...]) -> Chart:
    """What some rules say, in short."""
    rows = tuple((rulebook[number].title, rulebook[number].words, number) for number in numbers)
    return Chart(id_, title, rule, (what, "In short", "Rule"), rows)


class TurnLook(msgspec.Struct, frozen=True):
    label: str
    words: str = ""


class PhaseLook(msgspec.Struct, frozen=True):
    step: str
    """The name of the step in the position."""
    side: str
    name: str


class Overlay(msgspec.Struct, frozen=True):
    """A layer that a player may switch on; its spaces come with each scene."""

    id: str
    name: str
    rule: str


class Look(msgspec.Struct, frozen=True):
    game: str
    title: str
    sides: tuple[SideLook, ...]
    spaces: tuple[SpaceLook, ...]
    hex_width: float
    """Drawing units across the flats of a hex; 0 where there are none."""
    pointy: bool
    """Hexes stand on a point."""
    width: float
    height: float
    faces: tuple[Face, ...]
    charts: tuple[Chart, ...]
    turns: tuple[TurnLook, ...]
    phases: tuple[PhaseLook, ...]
    overlays: tuple[Overlay, ...]


class Piece(msgspec.Struct, frozen=True):
    """A counter on the board."""

    unit: str
    space: str
    steps: int
    flags: tuple[str, ...] = ()
    """moved, attacked, out_of_supply, ...: each has a badge or veil in the client."""


class Mark(msgspec.Struct, frozen=True):
    """Something on the board that is not a unit."""

    kind: str
    space: str
    words: str


class Score(msgspec.Struct, frozen=True):
    label: str
    value: int
    of: int
    rule: str
    words: str = ""
    """What it is made up of."""


class Waiting(msgspec.Struct, frozen=True):
    """Units that are not on the board: due on a turn, or lost."""

    box: str
    """`turn 4`, `lost`, or the name of a box."""
    units: tuple[str, ...]


class Scene(msgspec.Struct, frozen=True):
    turn: int
    step: str
    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]
    waiting: tuple[Waiting, ...]
    scores: tuple[Score, ...]
    overlays: dict[str, tuple[str, ...]]
    """Overlay id to spaces, or to hexsides (`2020/2119`)."""


class Reachable(msgspec.Struct, frozen=True):
    """Where the thing that moves now can go."""

    costs: dict[str, str]
    paths: dict[str, tuple[str, ...]]
    """The way that would be walked, both ends included."""
    modes: dict[str, str] = {}
    """How it gets there, where a game has several ways of moving."""
    notes: dict[str, str] = {}
    """What part of the cost is for, where that is not plain."""
    words: str = ""
    """What the mover has left, and how it moves now."""


class Subject(msgspec.Struct, frozen=True):
    """What a question is about: a battle's target and its attackers so far, a unit on its way and where it is."""

    spaces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

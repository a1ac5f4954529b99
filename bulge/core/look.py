"""How a game looks, as data: one client draws all games from this.

`Look` is sent once: the board, the counters' faces, charts, the sequence of play. `Scene` is sent after every
choice: what lies where now. Neither holds anything that the side which gets it may not know.
"""

from __future__ import annotations

import msgspec

from bulge.core.rulebook import Rulebook
from bulge.core.tables import ResultsTable


class SideLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    polarity: str
    """`dark` or `light`: sides are told apart by polarity first, by hue second."""
    style: str = ""
    """The colours that stand for it, where those of its polarity would not do."""
    people: str = ""
    """Who they are in a sentence (`the Germans`), where the name is not one already."""


class StyleLook(msgspec.Struct, frozen=True):
    """Colours of a counter or card."""

    id: str
    ground: str
    ink: str
    rim: str


class FlagLook(msgspec.Struct, frozen=True):
    """What a flag on a counter says, and how it is shown."""

    id: str
    words: str
    badge: str = ""
    """Lines of a small disc on the counter, as an SVG path between -6 and 6; none, no disc."""
    effect: str = ""
    """`spent` veils the counter; of what is `bad`, one is told before one's turn ends."""


class ResultLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a code of a results table means."""

    id: str
    name: str
    """In a word or two."""
    words: str
    tone: str
    """Whom it hurts, which gives its colour: attacker, none, retreat, both, defender."""


class CardLine(msgspec.Struct, frozen=True):
    words: str
    kind: str = ""
    """`event` in italics; `mark` for what cannot be played but should be known."""
    turns: tuple[int, ...] = ()
    """When it is to be had; on other turns it is struck out. Empty: always."""


class CardUnit(msgspec.Struct, frozen=True):
    """A formation that a card commands: a symbol as on counters, with its name."""

    symbol: str
    words: str


class CardLook(msgspec.Struct, frozen=True):
    """The face of a card."""

    id: str
    name: str
    side: str
    style: str
    value: str = ""
    """Printed in its corner, to be read in a fanned hand."""
    lines: tuple[CardLine, ...] = ()
    foot: str = ""
    """What else it can be used for."""
    number: str = ""
    units: tuple[CardUnit, ...] = ()


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a guided first game: one thing to do on the board."""

    title: str
    words: str
    """At most forty; the last sentence says what to do."""
    side: str
    """Whom it guides."""
    until: str
    """What ends it: `picked UNIT`, `went UNIT`, `battle` (odds are shown), `rolled`, `step NAME`, `turn N`, or
    `read` for a button."""
    spaces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    """What is ringed on the map."""


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a briefing, with the spaces that it lights."""

    words: str
    rule: str = ""
    spaces: tuple[str, ...] = ()


class Briefing(msgspec.Struct, frozen=True):
    """A game on one page: what each side wants, what usually goes wrong, how victory is counted."""

    wants: tuple[tuple[str, tuple[Wish, ...]], ...] = ()
    """By side."""
    mistakes: tuple[Wish, ...] = ()
    victory: tuple[Wish, ...] = ()


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
    """Names one of the look's styles."""
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
    said: tuple[str, ...] = ()
    """The values in words, where there is more to say than that each is a strength."""


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


class TurnNote(msgspec.Struct, frozen=True):
    """What a turn brings."""

    short: str
    """For the track; empty if there is no need for it there."""
    words: str
    rule: str = ""
    kind: str = ""
    """`flag` for a line of victory, `air`, `begins` for a rule that holds from then on."""


class TurnLook(msgspec.Struct, frozen=True):
    label: str
    words: str = ""
    """What begins with it, in every scenario; who is due depends on the match: its scene says so (`Waiting`)."""
    notes: tuple[TurnNote, ...] = ()


class PhaseLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: str
    """The name of the step in the position."""
    side: str
    """Whose it is; empty where it is nobody's."""
    name: str
    also: tuple[str, ...] = ()
    """Further steps that belong to it."""


class Overlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A layer that a player may switch on; its spaces are sent when they are asked for."""

    id: str
    name: str
    rule: str
    group: str = ""
    """Those of one group are switched together, under this name: the same for each side."""
    side: str = ""
    """Whose it is, where it is a side's."""
    pattern: str = "area"
    """How it is drawn: `zones` (hatched; one wants to see the enemy's), `supply` (dotted), `area`, `line`, and
    `barred` for what whoever moves must know of."""
    holds: str = ""
    """The side that holds what it covers: what that side has taken is told after its turn."""


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
    styles: tuple[StyleLook, ...] = ()
    flags: tuple[FlagLook, ...] = ()
    results: tuple[ResultLook, ...] = ()
    cards: tuple[CardLook, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    briefing: Briefing | None = None
    at_night: tuple[str, ...] = ()
    """Steps of the sequence of play in which the map is shown as at night."""


class Piece(msgspec.Struct, frozen=True):
    """A counter on the board."""

    unit: str
    space: str
    steps: int
    flags: tuple[str, ...] = ()
    """moved, attacked, out_of_supply, ...: the look says what each means."""


class Mark(msgspec.Struct, frozen=True):
    """Something on the board that is not a unit."""

    kind: str
    space: str
    words: str
    label: str = ""
    """What stands on the map; without one, the kind."""


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


class Hand(msgspec.Struct, frozen=True):
    """Cards that a side holds, or that lie open before it."""

    side: str
    cards: tuple[str, ...]
    """As far as one may see them."""
    hidden: int = 0
    """How many more there are."""
    name: str = ""


class Deck(msgspec.Struct, frozen=True):
    """A pile to draw from, and what was played from it."""

    id: str
    name: str
    style: str
    left: int
    played: tuple[str, ...] = ()
    """Face up, the last on top."""
    clock: bool = False
    """The turn lasts as long as it does."""


class Scene(msgspec.Struct, frozen=True):
    turn: int
    step: str
    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]
    waiting: tuple[Waiting, ...]
    scores: tuple[Score, ...]
    hands: tuple[Hand, ...] = ()
    decks: tuple[Deck, ...] = ()
    last_turn: int = 0
    """Where a scenario ends before the game's calendar does."""
    first_turn: int = 1
    """Where it begins after the calendar does."""


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

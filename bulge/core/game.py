"""What a game is to the engine: a set-up, a sequence of play, and how its positions are shown and explained."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from bulge.core.board import NamedSpaces
from bulge.core.data import GameData
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Preview, Refusal
from bulge.core.errors import BulgeError
from bulge.core.look import Look, Reachable, Scene, SideLook, SpaceLook, Subject
from bulge.core.position import Position
from bulge.core.rulebook import Rulebook
from bulge.core.table import Table

P = TypeVar("P", bound=Position)

Step = Callable[[Table[P]], Play]
"""A step of the sequence of play: it asks what must be asked and returns the name of the step that follows."""


class Unit(msgspec.Struct, frozen=True):
    """The least that every game's units have in common."""

    id: str
    """Short and stable; journals use it."""
    name: str
    side: str


class Scenario(msgspec.Struct, frozen=True):
    id: str
    title: str
    words: str
    players: tuple[str, ...] = ()
    """Who decides in it, where that differs from the game's `players`: a command that several people share."""


class Game(Generic[P]):
    """The base of every game. A subclass gives the facts as attributes and the rules as steps."""

    id: ClassVar[str]
    title: ClassVar[str]
    words: ClassVar[str]
    """One paragraph for somebody who does not know the game."""
    sides: ClassVar[tuple[str, ...]]
    players: ClassVar[tuple[str, ...]]
    """The sides that people decide for; a solitaire game has fewer of them than sides."""
    most_choices: ClassVar[int]
    """No match, however strange, takes more choices than this."""
    supply_rule: ClassVar[str] = ""
    """The rule by which lines of supply are traced, where a game has them."""
    position_type: type[P]

    board: NamedSpaces
    data: GameData
    units: Sequence[Unit]
    rulebook: Rulebook
    steps: Mapping[str, Step[P]]
    scenarios: Mapping[str, Scenario]

    # ------------------------------------------------------------------ play

    def set_up(self, scenario: str, options: Mapping[str, str]) -> P:
        """The position before anything has happened. What is random in a set-up is a step of play."""
        raise NotImplementedError

    def play(self, t: Table[P]) -> Play:
        """The sequence of play, from wherever the position stands. It ends by a rule that says GameOver."""
        while True:
            t.mark()
            t.p.step = yield from self.steps[t.p.step](t)

    def check(self, p: P) -> None:
        """Raise AssertionError if something is true that the rules can never make true."""

    # ------------------------------------------------------------------ hidden things

    def view(self, p: P, side: str | None) -> dict[str, Any]:
        """The position as a side may see it (None: a spectator). Games with secrets leave them out here."""
        view: dict[str, Any] = msgspec.to_builtins(p)
        return view

    def deal_anew(self, p: P, side: str, rng: random.Random) -> None:
        """Replace all that is hidden from this side by what might as well be true."""

    # ------------------------------------------------------------------ words

    def id_of(self, decision: Decision, choice: Choice) -> str:
        """A choice as journals write it."""
        if isinstance(choice, str):
            return choice
        if decision.kind is Kind.SPACE:
            return self.board.name(choice)
        if decision.kind is Kind.UNIT:
            return self.units[choice].id
        return str(choice)

    def option(self, t: Table[P], decision: Decision, choice: Choice) -> Option:
        """A choice in words, with what it points at."""
        id_ = self.id_of(decision, choice)
        if isinstance(choice, str):
            return Option(id_, id_.replace("_", " "))
        if decision.kind is Kind.SPACE:
            return Option(id_, self.space_words(choice), spaces=(id_,))
        if decision.kind is Kind.UNIT:
            return Option(id_, self.unit_words(t.p, choice), units=(id_,))
        return Option(id_, id_)

    def space_words(self, space: int) -> str:
        return self.board.name(space)

    def unit_words(self, p: P, unit: int) -> str:
        return self.units[unit].name

    # ------------------------------------------------------------------ looks

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        """What is on the table before anybody moves: the board, the counters' faces, charts.

        `drawing` is what the drawn map says of itself (its size, and the centre of each space); without it, a
        game that has a map draws it, which takes seconds. This default has no map: spaces in rows, no counters.
        """
        names = self.board.names_of(self.board.all)
        return Look(
            game=self.id,
            title=self.title,
            sides=tuple(SideLook(side, side, ("dark", "light")[at % 2]) for at, side in enumerate(self.sides)),
            spaces=tuple(
                SpaceLook(name, 60.0 + 120 * (at % 10), 60.0 + 120 * (at // 10), kind="space")
                for at, name in enumerate(names)
            ),
            hex_width=0,
            pointy=False,
            width=1200,
            height=120.0 * (1 + len(names) // 10),
            faces=(),
            charts=(),
            turns=(),
            phases=(),
            overlays=(),
        )

    def scene(self, p: P, side: str | None) -> Scene:
        """What lies where now, as far as this side may see it (None: a spectator). The default: no pieces."""
        return Scene(p.turn, p.step, (), (), (), (), {})

    def reachable(self, t: Table[P], decision: Decision) -> Reachable | None:
        """Everywhere that the thing which moves now can go; None where nothing is on its way."""
        return None

    def subject(self, t: Table[P], decision: Decision) -> Subject | None:
        """What a question is about, for a page that opens in the middle of it."""
        return None

    def supply_line(self, p: P, unit: int) -> tuple[str, ...]:
        """The spaces along which a unit is supplied; empty where it is not, or the game knows no such lines."""
        return ()

    # ------------------------------------------------------------------ explaining

    def preview(self, t: Table[P], decision: Decision, choice: Choice) -> Preview | None:
        """What a choice would lead to, where that can be said."""
        return None

    def way_to(self, t: Table[P], decision: Decision, asked: str) -> list[Choice]:
        """The choices, one after the other, that lead to something farther off (a hex beyond the next one)."""
        return []

    def why_not(self, t: Table[P], decision: Decision, asked: str) -> Refusal:
        """Why something is not among the options. Games answer better; this is what can always be said."""
        return Refusal(decision.rule, f"it is not among the {len(decision.options)} options now")

    def players_in(self, scenario: str) -> tuple[str, ...]:
        """Whoever decides in a scenario."""
        return self.scenario(scenario).players or self.players

    @property
    def everybody(self) -> tuple[str, ...]:
        """Whoever decides in any scenario."""
        return tuple(dict.fromkeys(player for id_ in self.scenarios for player in self.players_in(id_)))

    def scenario(self, id_: str) -> Scenario:
        try:
            return self.scenarios[id_]
        except KeyError:
            known = ", ".join(self.scenarios)
            raise BulgeError(f"{self.title} has no scenario {id_!r}; it has: {known}") from None

"""What a game is to the engine: a set-up, a sequence of play, and how its positions are shown and explained."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from bulge.core.bars import refusal
from bulge.core.board import NamedSpaces
from bulge.core.data import GameData
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Refusal, Together
from bulge.core.errors import BulgeError
from bulge.core.foreseen import Threat
from bulge.core.learning import Learning, load_learning
from bulge.core.look import Look, Reachable, Scene, SideLook, SpaceLook, Subject
from bulge.core.mapfile import HexMap
from bulge.core.options import GameOption, check_options, with_defaults
from bulge.core.position import Position
from bulge.core.question import PLAIN, Question
from bulge.core.rulebook import Rulebook, load_rulebook
from bulge.core.table import Table

P = TypeVar("P", bound=Position)

PhaseName: TypeAlias = Literal["movement", "combat"]

HEMMED_IN = "hemmed in, it can only stay"

Step = Callable[[Table[P]], Play | str]
"""A step of the sequence of play: it asks what must be asked and returns the name of the step that follows. One
that asks nothing is a plain function."""


class Unit(msgspec.Struct, frozen=True):
    """The least that every game's units have in common."""

    id: str
    """Short and stable; journals use it."""
    name: str
    side: str


class Card(msgspec.Struct, frozen=True):
    """The least that every game's cards have in common."""

    id: str
    name: str


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
    tries_rolls: ClassVar[bool] = False
    """Whether each option is tried on a copy to say if it rolls, instead of its question saying so."""
    supply_rule: ClassVar[str] = ""
    """The rule by which lines of supply are traced, where a game has them."""
    position_type: type[P]

    board: NamedSpaces
    data: GameData
    map: HexMap | None = None
    """What its map file says, where it is played on hexes."""
    units: Sequence[Unit]
    sequence: Mapping[str, Step[P]]
    scenarios: Mapping[str, Scenario]
    options: Sequence[GameOption] = ()
    """What may be chosen before a match begins."""
    cards: Sequence[Card] = ()

    @cached_property
    def rulebook(self) -> Rulebook:
        return load_rulebook(self.id, self.data.folder)

    @cached_property
    def learning(self) -> Learning:
        """What it tells newcomers."""
        return load_learning(self.data.folder)

    # ------------------------------------------------------------------ play

    def set_up(self, scenario: str, options: Mapping[str, str]) -> P:
        """The position before anything has happened, with a value for every declared option of the scenario.

        What is random in a set-up is a step of play.
        """
        raise NotImplementedError

    def begin(self, scenario: str, options: Mapping[str, str] | None = None) -> P:
        """The position before anything has happened: as these options have it, and for the rest by default."""
        self.scenario(scenario)
        chosen = options or {}
        check_options(self.options, scenario, chosen)
        return self.set_up(scenario, with_defaults(self.options, scenario, chosen))

    def play(self, t: Table[P]) -> Play:
        """The sequence of play, from wherever the position stands. It ends by a rule that says GameOver."""
        before = ""
        while True:
            t.mark()
            step = self.sequence.get(t.p.step)
            if step is None:
                raise BulgeError(self._leads_nowhere(before, t.p.step))
            before, then = t.p.step, step(t)
            t.p.step = then if isinstance(then, str) else (yield from then)

    def _leads_nowhere(self, before: str, then: str | None) -> str:
        """What whoever writes a game is told of a step that is misspelt or forgotten."""
        from_ = f"step {before!r}" if before else "the set-up"
        what = f"leads to {then!r}, which is no step" if then else "does not say which step follows it"
        return f"{self.title}: {from_} {what}; the steps are: {', '.join(self.sequence)}"

    def check(self, p: P) -> None:
        """Raise AssertionError if something is true that the rules can never make true."""

    # ------------------------------------------------------------------ hidden things

    def view(self, p: P, side: str | None) -> dict[str, Any]:
        """The position as a side may see it (None: a spectator). Games with secrets leave them out here."""
        view: dict[str, Any] = msgspec.to_builtins(p)
        return view

    def has_secrets(self, p: P) -> bool:
        """Whether, in a match that stands so, a side may know anything that another does not."""
        return type(self).view is not Game.view

    def deal_anew(self, p: P, side: str, rng: random.Random) -> None:
        """Replace all that is hidden from this side by what might as well be true."""

    # ------------------------------------------------------------------ words

    def id_of(self, decision: Decision, choice: Choice) -> str:
        """A choice as journals write it."""
        if isinstance(choice, str):
            return choice
        return self.name_of(decision.kind, choice)

    def name_of(self, kind: Kind, number: int) -> str:
        match kind:
            case Kind.SPACE:
                return self.board.name(number)
            case Kind.UNIT:
                return self.units[number].id
            case Kind.CARD:
                return self.cards[number].id
            case Kind.SIDE:
                return self.board.side_name(number)
        return str(number)

    def option(self, t: Table[P], decision: Decision, choice: Choice) -> Option:
        """A choice in words, with what it points at."""
        return question_of(decision).option(t, decision, choice, self._plain_option(t, decision, choice))

    def offered(self, t: Table[P], decision: Decision) -> list[Option]:
        """Every choice in words, and who can only stay as it is."""
        options = [self.option(t, decision, choice) for choice in decision.options]
        if idle := question_of(decision).idle(t, decision):
            for at, choice in enumerate(decision.options):
                if isinstance(choice, int) and idle >> choice & 1:
                    words = f"{options[at].words}: {HEMMED_IN}"
                    options[at] = replace(options[at], words=words, role="idle")
        return options

    def _plain_option(self, t: Table[P], decision: Decision, choice: Choice) -> Option:
        id_, previews = self.id_of(decision, choice), _can_preview(decision)
        if isinstance(choice, str):
            words = id_.replace("_", " ")
            return Option(id_, words, role="end") if choice == DONE else Option(id_, words, has_preview=previews)
        match decision.kind:
            case Kind.SPACE:
                return Option(id_, self.space_words(choice), spaces=(id_,), has_preview=previews)
            case Kind.UNIT:
                return Option(id_, self.unit_words(t.p, choice), units=(id_,), has_preview=previews)
            case Kind.CARD:
                return Option(id_, self.cards[choice].name, cards=(id_,), has_preview=previews)
            case Kind.SIDE:
                return Option(id_, id_, spaces=tuple(id_.split("/")), sides=(id_,), has_preview=previews)
        return Option(id_, id_, has_preview=previews)

    def space_words(self, space: int) -> str:
        return self.map.words(space) if self.map else self.board.name(space)

    def ground_words(self, space: int) -> str:
        """What a space is like, where the map file alone does not say it."""
        return ""

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
        return Scene(p.turn, p.step, (), (), (), ())

    def overlays(self, p: P, side: str | None) -> dict[str, tuple[str, ...]]:
        """The spaces, or hexsides (`2020/2119`), of each overlay of the look, as far as this side may see them."""
        return {}

    def supply_line(self, p: P, unit: int) -> tuple[str, ...]:
        """The spaces along which a unit is supplied; empty where it is not, or the game knows no such lines."""
        return ()

    def needs_no_line(self, p: P, unit: int) -> bool:
        """Whether a rule supplies a unit that has no line."""
        return False

    # ------------------------------------------------------------------ explaining

    def as_if(self, p: P, side: str, phase: PhaseName, unit: int, at: int) -> P | None:
        """The position as it would be if a phase of this side came now, with a unit of it in this space; None in
        a game that has no such phases."""
        return None

    def foreseen(self, p: P, unit: int) -> Threat | None:
        """What a unit could do, were it its turn now, where rules that play a side say so, or why nobody can; None
        where a turn of its side can be imagined."""
        return None

    def reachable(self, t: Table[P], decision: Decision) -> Reachable | None:
        """Everywhere that the thing which moves now can go; None where nothing is on its way."""
        return question_of(decision).reachable(t, decision)

    def subject(self, t: Table[P], decision: Decision) -> Subject | None:
        """What a question is about, for a page that opens in the middle of it."""
        return question_of(decision).subject(t, decision)

    def preview(self, t: Table[P], decision: Decision, choice: Choice) -> Preview | None:
        """What a choice would lead to, where that can be said."""
        return question_of(decision).preview(t, decision, choice)

    def way_to(self, t: Table[P], decision: Decision, asked: str) -> list[Choice]:
        """The choices, one after the other, that lead to something farther off (a hex beyond the next one)."""
        return question_of(decision).way_to(t, decision, asked)

    def together(self, t: Table[P], decision: Decision) -> Together | None:
        """Choices that may be made in a row by one answer; one alone needs no such offer."""
        found = question_of(decision).together(t, decision)
        return found if found and len(found.choices) > 1 else None

    def why_not(self, t: Table[P], decision: Decision, asked: str) -> Refusal:
        """Why something is not among the options."""
        question = question_of(decision)
        if better := question.why_not(t, decision, asked):
            return better
        meant = self.meant_by(asked)
        if decision.kind in meant:
            number = meant[decision.kind]
            idle = question.idle(t, decision) >> number & 1
            said = Refusal(decision.rule, HEMMED_IN) if idle else refusal(question.bars(t, decision), number)
        elif not meant:
            said = question.why_not_word(t, decision, asked) or self._unknown(decision, asked)
        else:
            said = self._of_another_kind(decision, next(iter(meant)))
        return said or Refusal(decision.rule, not_among(decision))

    def meant_by(self, asked: str) -> dict[Kind, int]:
        """What goes by this name: a space, a unit, a hexside, a card."""
        found: dict[Kind, int] = {}
        if self.board.has(asked):
            found[Kind.SPACE] = self.board.at(asked)
        if (unit := self._numbers_of_units.get(asked)) is not None:
            found[Kind.UNIT] = unit
        if "/" in asked and (side := self.board.side_named(asked)) is not None:
            found[Kind.SIDE] = side
        if (card := next((n for n, card in enumerate(self.cards) if card.id == asked), None)) is not None:
            found[Kind.CARD] = card
        return found

    @cached_property
    def _numbers_of_units(self) -> dict[str, int]:
        return {unit.id: number for number, unit in enumerate(self.units)}

    def _unknown(self, decision: Decision, asked: str) -> Refusal | None:
        """Something that nothing in the game is called, and that looks like a space."""
        if decision.kind is Kind.SPACE and asked not in decision.options and asked[:1].isdigit():
            return Refusal(decision.rule, f"there is no {self.board.noun} {asked} on this map")
        return None

    def _of_another_kind(self, decision: Decision, pointed_at: Kind) -> Refusal | None:
        """Something else is to be chosen now. Where only words are offered, the words are said."""
        given = self._kind_words(pointed_at)
        if any(isinstance(choice, int) for choice in decision.options):
            return Refusal(decision.rule, f"{self._kind_words(decision.kind)} is to be chosen now, not {given}")
        choices = " or ".join(str(choice).replace("_", " ") for choice in decision.options)
        return Refusal(decision.rule, f"not {given}, but an answer is wanted now: {choices}")

    def _kind_words(self, kind: Kind) -> str:
        if kind is Kind.SPACE:
            return f"a {self.board.noun}"
        return {Kind.UNIT: "a unit", Kind.SIDE: "a hexside", Kind.CARD: "a card"}.get(kind, "a number")

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


def question_of(decision: Decision) -> Question:
    """What a decision is about."""
    return decision.about if isinstance(decision.about, Question) else PLAIN


def _can_preview(decision: Decision) -> bool:
    return type(question_of(decision)).preview is not Question.preview


def not_among(decision: Decision) -> str:
    """What can be said where nothing better is known."""
    return f"it is not among the {len(decision.options)} options now"


def not_your_turn(to_play: str) -> str:
    """What somebody is told who would choose for another side."""
    return f"it is {to_play} who decides now"

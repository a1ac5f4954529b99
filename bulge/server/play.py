"""A match as the server plays it: the engine's match, and for every choice who made it and what the log said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from bulge.core.chance import commitment
from bulge.core.decision import Choice, Decision, IllegalChoice, Result
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.table import Event

log = logging.getLogger("bulge.server")

ActionKind: TypeAlias = Literal["choose", "undo", "redo", "back", "cut", "give_up"]


@dataclass(frozen=True)
class Action:
    """One row of a match's story. Nothing is ever taken out of the story: an undo is a row of its own."""

    kind: ActionKind
    choice: str = ""
    """The choice made, as journals write it; for `back` and `cut`, how many choices are left."""
    side: str = ""
    why: str = ""
    """What a computer player had in mind."""


@dataclass(frozen=True)
class Standing:
    """Where a match stands, for lists of matches."""

    turn: int
    to_play: str | None
    over: bool


@dataclass(frozen=True)
class LogLine:
    """A line of the log, and where in the match it belongs."""

    event: Event
    at: int
    """How many choices had been made."""
    by: str | None
    """The side whose choice led to it."""
    why: str
    """Why that choice was made, as far as somebody has said so; with the first line that it led to."""


@dataclass(frozen=True)
class Deed:
    """Something to be done in a match, that can be told to another process."""

    kind: Literal["choose", "go", "take_together", "undo", "redo", "give_up"]
    id: str = ""
    why: str = ""

    def __call__(self, play: Play) -> list[Action]:
        match self.kind:
            case "choose":
                return play.choose(self.id, self.why)
            case "go":
                return play.go(self.id)
            case "take_together":
                return play.take_together()
            case "undo":
                return play.undo()
            case "redo":
                return play.redo()
            case "give_up":
                return play.give_up()


GIVE_UP = Deed("give_up")


class Play:
    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self._sides: list[str] = []
        """Who made each choice."""
        self._beginnings: list[bool] = []
        """Whether each choice began something, instead of going on with it."""
        self._logged: list[int] = []
        """How long the log was before each choice."""
        self._whys: list[str] = []
        """What computer players had in mind at each choice."""
        self._lines: list[LogLine] = []
        self._has_secret_lines = False
        """Whether one of them is, or was before it was taken back, for one side's eyes only."""
        self.cut = False
        """Whether a change of rules or data has left choices behind."""
        self.given_up: Result | None = None
        """How it ended, where a player gave it up before the rules ended it."""

    @property
    def game(self) -> Game[Any]:
        return self.match.game

    @cached_property
    def commitment(self) -> str:
        """To the seed: what may be known of it before the end."""
        assert self.match.seed is not None
        return commitment(self.match.seed)

    @property
    def n(self) -> int:
        return len(self.match.ids)

    @property
    def result(self) -> Result | None:
        return self.match.result or self.given_up

    @property
    def to_play(self) -> str | None:
        return self.match.decision.side if self.match.decision and self.given_up is None else None

    @property
    def standing(self) -> Standing:
        return Standing(self.match.position.turn, self.to_play, self.result is not None)

    def side_at(self, n: int) -> str | None:
        """Who made the n-th choice."""
        return self._sides[n - 1] if n else None

    def is_beginning(self, n: int) -> bool:
        """Whether the choice after the first n began something: a move, an attack, the end of a phase."""
        return self._beginnings[n]

    # ------------------------------------------------------------------ going on

    def choose(self, id_: str, why: str = "") -> list[Action]:
        return [self._take(self.match.asked(), self.match.find(id_), why)]

    def go(self, id_: str) -> list[Action]:
        """As `choose`, or several choices in a row towards something farther off, until something interrupts."""
        match, first = self.match, self.match.asked()
        way = self.game.way_to(match.table, first, id_)
        if not way:
            return self.choose(id_)
        taken: list[Action] = []
        for choice in way:
            now = match.decision
            if now is None or choice not in now.options or (now.side, now.kind) != (first.side, first.kind):
                break
            taken.append(self._take(now, choice))
        if not taken:
            raise IllegalChoice(id_, match.why_not(id_))
        return taken

    def take_together(self) -> list[Action]:
        """The choices that one answer makes; at another question it ends."""
        first = self.match.asked()
        if self.game.together(self.match.table, first) is None:
            raise BulgeError("here every choice is made by itself")
        return [self._take(self.match.asked(), choice) for choice in self.match.in_a_row()]

    def _take(self, decision: Decision, choice: Choice, why: str = "") -> Action:
        logged = len(self.match.log)
        self.match.choose(choice)
        self._remember(decision, logged, why)
        return Action("choose", self.match.ids[-1], decision.side, why)

    def undo(self) -> list[Action]:
        side = self.to_play or ""
        self.match.undo()
        for kept in (self._sides, self._beginnings, self._logged, self._whys):
            del kept[self.n :]
        return [Action("undo", side=side)]

    def redo(self) -> list[Action]:
        decision, logged = self.match.asked(), len(self.match.log)
        self.match.redo()
        self._remember(decision, logged)
        return [Action("redo", side=decision.side)]

    def give_up(self) -> list[Action]:
        """Whoever is to play leaves the game to the other side, or to the rules that play against him."""
        side = self.match.asked().side
        self.given_up = given_up(self.match, side)
        return [Action("give_up", side=side)]

    def _remember(self, decision: Decision, logged: int, why: str = "") -> None:
        self._sides.append(decision.side)
        self._beginnings.append(decision.top)
        self._logged.append(logged)
        self._whys.append(why)

    def follow(self, actions: Sequence[Action]) -> None:
        """Do again what was done to this match elsewhere; refused if it does not fit."""
        for action in actions:
            match action.kind:
                case "choose":
                    self.choose(action.choice, action.why)
                case "undo":
                    self.undo()
                case "redo":
                    self.redo()
                case "give_up":
                    self.given_up = given_up(self.match, action.side)
                case "back" | "cut":
                    raise BulgeError("it was cut short")

    # ------------------------------------------------------------------ the log

    def lines(self) -> list[LogLine]:
        """The log; a line that has stayed is the same object as before."""
        log, lines = self.match.log, self._lines
        while lines and (len(lines) > len(log) or lines[-1].event is not log[len(lines) - 1]):
            lines.pop()
        at = lines[-1].at if lines else 0
        for number in range(len(lines), len(log)):
            before = at
            while at < self.n and self._logged[at] <= number:
                at += 1
            why = self._whys[at - 1] if at > before else ""
            lines.append(LogLine(log[number], at, self._sides[at - 1] if at else None, why))
            self._has_secret_lines |= log[number].side is not None
        return lines

    def readable(self, eyes: str | None) -> list[LogLine]:
        """The log as it is now, without what is for another side's eyes only."""
        lines = self.lines()
        if not self._has_secret_lines:
            return lines.copy()
        return [line for line in lines if line.event.side is None or line.event.side == eyes]


def given_up(match: Match[Any], side: str) -> Result:
    """The end of a match that this side gave up, to the other one or to the rules that play against it."""
    game, players = match.game, match.game.players_in(match.start.scenario)
    others = [other for other in game.sides if other not in players] or [each for each in players if each != side]
    return Result(others[0] if len(others) == 1 else None, f"{side} gave the game up.", "")


# ---------------------------------------------------------------------- from the story


def fold(actions: Sequence[Action]) -> tuple[list[Action], list[Action]]:
    """The choices that stand, and those that were undone and may be made again (the next one last)."""
    choices: list[Action] = []
    undone: list[Action] = []
    for action in actions:
        match action.kind:
            case "choose":
                choices.append(action)
                undone.clear()
            case "undo":
                undone.append(choices.pop())
            case "redo":
                choices.append(undone.pop())
            case "back" | "cut":
                del choices[int(action.choice) :]
                undone.clear()
            case "give_up":
                undone.clear()
    return choices, undone


def replay(make: Callable[[], Match[Any]], actions: Sequence[Action]) -> tuple[Play, str | None]:
    """Bring a match back to where its story ends; where the rules no longer allow that, as far as they do."""
    choices, undone = fold(actions)
    play, complaint = _play(make, choices)
    play.cut = complaint is not None or any(action.kind == "cut" for action in actions)
    last = next((action for action in actions if action.kind == "give_up"), None)
    play.given_up = given_up(play.match, last.side) if last is not None else None
    if complaint is not None:
        return play, f"loaded {play.n} of {len(choices)} choices: {complaint}"
    made = 0
    try:
        for action in reversed(undone):
            play.choose(action.choice, action.why)
            made += 1
    except BulgeError:
        pass  # what was undone can then not be made again; nothing that stands is lost
    for _ in range(made):
        play.undo()
    return play, None


def _play(make: Callable[[], Match[Any]], choices: Sequence[Action]) -> tuple[Play, str | None]:
    """A match with as many of these choices as fit the rules, and why the next one does not."""
    play = Play(make())
    for number, action in enumerate(choices):
        try:
            play.choose(action.choice, action.why)
        except BulgeError as error:
            return play, str(error)
        except Exception:  # a fault in the rules must not make a match unreadable: stop before it
            log.exception("choice %d, %r, of a match failed", number + 1, action.choice)
            return _play(make, choices[:number])[0], f"the program fails at choice {number + 1}"
    return play, None

"""A match: a game in play. It is its journal: the set-up, the seed, and the choices made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

import msgspec

from bulge.core.chance import Chance, Keyed, Rekeyed, new_seed
from bulge.core.decision import Choice, Decision, GameOver, IllegalChoice, Kind, Option, Preview, Refusal, Result
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.position import Position
from bulge.core.table import Event, Table

P = TypeVar("P", bound=Position)


class Start(msgspec.Struct, frozen=True):
    """What a match is begun with."""

    scenario: str
    options: dict[str, str] = {}


class Packed(NamedTuple):
    """A match that goes on in another process: its last checkpoint, and what was chosen since."""

    start: Start
    position: bytes
    chance: Chance
    choices: list[Choice]


class Match(Generic[P]):
    """One game in play, by whoever decides. `decision` is what is asked now; None once there is a result."""

    def __init__(
        self,
        game: Game[P],
        scenario: str | None = None,
        options: Mapping[str, str] | None = None,
        *,
        seed: str | None = None,
        chance: Chance | None = None,
        keep_log: bool = True,
    ) -> None:
        self.game = game
        self.start = start = Start(scenario or next(iter(game.scenarios)), dict(options or {}))
        position = game.begin(start.scenario, start.options)
        self.seed = None if chance is not None else seed or new_seed()
        self._begin(position, chance or Keyed(self.seed or ""), keep_log)

    @classmethod
    def at(cls, game: Game[P], position: P, chance: Chance, *, keep_log: bool = True) -> Match[P]:
        """A match that begins in the middle, at any position: for trying things out. It has no journal."""
        match: Match[P] = object.__new__(cls)
        match.game, match.start, match.seed = game, Start(next(iter(game.scenarios))), None
        match._begin(position, chance, keep_log)
        return match

    def _begin(self, position: P, chance: Chance, keep_log: bool) -> None:
        self._choices: list[Choice] = []
        self._kinds: list[Kind] = []
        """What each choice was, if it is a number."""
        self._ids: list[str] = []
        self._seen: list[int] = []
        """How long the log was before each choice."""
        self._floor = 0
        """Undo may not go below this many choices."""
        self._undone: list[Choice] = []
        self._checkpoints: list[tuple[int, P]] = []
        self._run_from(position, chance, keep_log)

    def _run_from(self, position: P, chance: Chance, keep_log: bool) -> None:
        self.result: Result | None = None
        self.decision: Decision | None = None
        self.table = Table(self.game, position, chance, keep_log=keep_log)
        self._flow = self.game.play(self.table)
        self._advance(None)

    # ------------------------------------------------------------------ going on

    @property
    def position(self) -> P:
        return self.table.p

    @property
    def ids(self) -> list[str]:
        """The choices so far, as the journal writes them; put into words once somebody asks."""
        known, name_of = self._ids, self.game.name_of
        if len(known) < len(self._choices):
            made = zip(self._choices[len(known) :], self._kinds[len(known) :], strict=True)
            known += [choice if isinstance(choice, str) else name_of(kind, choice) for choice, kind in made]
        return known

    @property
    def log(self) -> list[Event]:
        return self.table.events or []

    @property
    def dice_taken(self) -> int:
        return self.table.p.drawn

    def choose(self, choice: Choice) -> None:
        """Make a choice. One that is not offered is refused with the rule, and changes nothing."""
        decision = self.decision
        if decision is None:
            raise BulgeError("the game is over; there is nothing left to choose")
        if choice not in decision.options:
            asked = self.game.id_of(decision, choice) if self._has_id(decision, choice) else str(choice)
            raise IllegalChoice(asked, self.why_not(asked))
        self._undone.clear()
        self._take(decision, choice)

    def _take(self, decision: Decision, choice: Choice) -> None:
        self._choices.append(choice)
        self._kinds.append(decision.kind)
        table = self.table
        self._seen.append(len(table.events) if table.events is not None else 0)
        table.sealed = False
        self._advance(choice)
        after = self.decision
        if table.sealed or after is None or after.side != decision.side:
            self._raise_floor()

    def _advance(self, choice: Choice | None) -> None:
        table = self.table
        table.marked = None
        try:
            self.decision = self._flow.send(choice)
        except GameOver as over:
            self.decision, self.result = None, over.result
            return
        if self.decision.top:
            self._keep(table.p.copy())
        elif table.marked is not None:
            self._keep(table.marked)

    def _keep(self, position: P) -> None:
        """Copies go on from the last checkpoint, undo from the last one before a choice. Where no log is kept,
        nobody is likely to undo: then the first and the last one do, and undo makes more choices again."""
        table = self.table
        if table.events is None:
            del self._checkpoints[1:]
        self._checkpoints.append((len(self._choices), position))
        if table.taken:
            table.taken = {number: value for number, value in table.taken.items() if number >= position.drawn}

    def _raise_floor(self) -> None:
        """What came before can no longer be undone: forget the checkpoints that only undo would need."""
        self._floor = len(self._choices)
        del self._checkpoints[:-1]

    def _has_id(self, decision: Decision, choice: Choice) -> bool:
        try:
            self.game.id_of(decision, choice)
        except LookupError:
            return False
        return True

    # ------------------------------------------------------------------ words for people

    def answer(self, id_: str) -> None:
        """Make the choice that journals write like this."""
        self.choose(self.find(id_))

    def go(self, id_: str) -> None:
        """As `answer`, or several choices in a row where something farther off was asked for.

        A way that something interrupts ends there; every choice made is an ordinary one of the journal.
        """
        decision = self.asked()
        way = self.game.way_to(self.table, decision, id_)
        if not way:
            self.answer(id_)
        for choice in way:
            now = self.decision
            if now is None or choice not in now.options or (now.side, now.kind) != (decision.side, decision.kind):
                break
            self.choose(choice)

    def find(self, id_: str) -> Choice:
        """The option that journals write like this; refused with the rule if there is none."""
        decision = self.asked()
        if id_ in decision.options:
            return id_
        for choice in decision.options:
            if self.game.id_of(decision, choice) == id_:
                return choice
        raise IllegalChoice(id_, self.why_not(id_))

    def asked(self) -> Decision:
        if self.decision is None:
            raise BulgeError("the game is over; there is nothing left to choose")
        return self.decision

    def options(self) -> list[Option]:
        decision = self.asked()
        options = self.game.offered(self.table, decision)
        # The last thing that can be named within something may set it going, whatever its question says.
        named = [choice for choice in decision.options if isinstance(choice, int)]
        last = named if len(named) == 1 and not decision.top else []
        return [
            msgspec.structs.replace(option, rolls=self.would_roll(choice))
            if not option.rolls and (self.game.tries_rolls or choice in last)
            else option
            for option, choice in zip(options, decision.options, strict=True)
        ]

    def would_roll(self, choice: Choice) -> bool:
        """Whether a choice, tried on a copy, leads to a die, a draw or a reveal before anything else is asked."""
        twin = self.copy(_UpTo(self.table.chance, self.position.drawn))
        try:
            twin.choose(choice)
        except _OneMore:
            return True
        return twin.table.sealed

    def in_a_row(self) -> Iterator[Choice]:
        """What one answer chooses, one after the other (each made before the next); another question ends it."""
        first = self.asked()
        offer = self.game.together(self.table, first)
        for choice in offer.choices if offer else ():
            now = self.decision
            if now is None or (now.side, now.kind, type(now.about)) != (first.side, first.kind, type(first.about)):
                return
            if choice in now.options:
                yield choice

    def row_rolls(self) -> bool:
        """Whether one of the choices in a row leads to a die, a draw or a reveal."""
        twin = self.copy(_UpTo(self.table.chance, self.position.drawn))
        try:
            for choice in twin.in_a_row():
                twin.choose(choice)
        except _OneMore:
            return True
        return twin.table.sealed

    def preview(self, choice: Choice) -> Preview | None:
        return self.game.preview(self.table, self.asked(), choice)

    def why_not(self, asked: str) -> Refusal:
        return self.game.why_not(self.table, self.asked(), asked)

    # ------------------------------------------------------------------ undo

    @property
    def can_undo(self) -> bool:
        return len(self._choices) > self._floor

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def undo(self) -> None:
        """Take back the last choice, unless a die, a reveal or another side's choice lies in between."""
        if not self.can_undo:
            raise BulgeError(
                "there is nothing to undo: a die was rolled, something was revealed, or another side chose"
                if self._choices
                else "there is nothing to undo: no choice has been made"
            )
        undone = [*self._undone, self._choices[-1]]
        self._rewind(len(self._choices) - 1)
        self._undone = undone

    def redo(self) -> None:
        """Make the choice again that was undone last."""
        if not self._undone:
            raise BulgeError("there is nothing to redo")
        choice = self._undone.pop()
        self._take(self.asked(), choice)

    def _rewind(self, count: int) -> None:
        """Back to the moment after `count` choices, from the last checkpoint before it."""
        while self._checkpoints[-1][0] > count:
            self._checkpoints.pop()
        at, position = self._checkpoints.pop()
        choices = self._choices[at:count]
        events = self.table.events
        seen = self._seen[at]
        del self._ids[at:], self._kinds[at:], self._choices[at:], self._seen[at:]
        floor = self._floor
        self._run_from(position, self.table.chance, events is not None)
        if events is not None:
            # The events of an automatic run-up to the checkpoint's decision are in the old log already.
            self.table.events = events[:seen]
        for choice in choices:
            self._take(self.asked(), choice)
        self._floor = floor

    # ------------------------------------------------------------------ copies

    def copy(self, chance: Chance | None = None) -> Match[P]:
        """A match that goes on from here by itself. It keeps neither log nor the past before it.

        With another `chance`, the numbers taken since the last checkpoint must be the same in it.
        """
        at, position = self._checkpoints[-1]
        return self._resume(position.copy(), chance or self.table.chance, self._choices[at:])

    def packed(self) -> Packed:
        """This match for another process. It holds all that the match knows: pack what was made by `copy_for`."""
        at, position = self._checkpoints[-1]
        return Packed(self.start, position.to_json(), self.table.chance, self._choices[at:])

    @classmethod
    def unpacked(cls, game: Game[P], packed: Packed) -> Match[P]:
        match = cls.at(
            game, msgspec.json.decode(packed.position, type=game.position_type), packed.chance, keep_log=False
        )
        match.start = packed.start
        for choice in packed.choices:
            match.choose(choice)
        return match

    def copy_for(self, side: str, rng: random.Random) -> Match[P]:
        """What a player of this side may search on: hidden things dealt anew, dice to come keyed anew.

        Nothing of the true seed or of the true secrets can be reached from the copy.
        """
        at, position = self._checkpoints[-1]
        taken = {**self.table.taken}
        seen = self.game.view(self.position, side)
        for _ in range(64):
            guess = position.copy()
            self.game.deal_anew(guess, side, rng)
            fresh = Rekeyed(taken, Keyed(rng.randbytes(16).hex()))
            try:
                twin = self._resume(guess, fresh, self._choices[at:])
            except BulgeError:
                continue  # these secrets would not have led here: deal again
            if self._asks_alike(twin, side) and self.game.view(twin.position, side) == seen:
                return twin
        raise BulgeError("no deal of the hidden things fits what this side has seen")

    def _asks_alike(self, twin: Match[P], side: str) -> bool:
        """Whether a copy has come to the same point: over or not, and the same question as far as a side knows."""
        mine, other = self.decision, twin.decision
        if mine is None or other is None:
            return mine is other
        return mine.key() == other.key() if mine.side == side else mine.side == other.side

    def _resume(self, position: P, chance: Chance, choices: list[Choice]) -> Match[P]:
        twin = self.at(self.game, position, chance, keep_log=False)
        twin.start = self.start
        for choice in choices:
            twin.choose(choice)
        return twin


class _OneMore(Exception):
    """A number was asked for that has not been taken yet."""


class _UpTo:
    """Numbers that have been taken, and no others."""

    def __init__(self, chance: Chance, taken: int) -> None:
        self._chance, self._taken = chance, taken

    def raw(self, count: int, size: int) -> int:
        if count >= self._taken:
            raise _OneMore
        return self._chance.raw(count, size)

"""The table at which a game is played: the position, the dice, and the log, as the rules see them."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from bulge.core.chance import Chance
from bulge.core.position import Position

if TYPE_CHECKING:
    from bulge.core.game import Game

P = TypeVar("P", bound=Position)
T = TypeVar("T")
NEAREST = 9
"""The depth of a reason for the next line alone."""


class Condition(msgspec.Struct, frozen=True, gc=False):
    """What something that was drawn depends on (a face of a chit, a line of a list), and whether it holds."""

    words: str
    holds: bool
    effect: str = ""
    """What it gives where it holds."""
    counts: tuple[tuple[str, int], ...] = ()
    """The same in numbers, by the side that it falls on."""


class Event(msgspec.Struct, frozen=True, gc=False):
    """One line of the log: what happened, under which rule, and what it concerned.

    A long match has thousands, and nothing in one leads back to it: no need to look through them for rubbish.
    """

    rule: str
    words: str
    side: str | None = None
    """The only side that may read it; None for everybody."""
    dice: tuple[int, ...] = ()
    sides: int = 0
    """How many faces those dice have; 0 where none was rolled."""
    spaces: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    """Cards that it shows, by their numbers."""
    kind: str = ""
    """What sort of line it is, where a client should know: `turn`, `phase`, `card`, `move`, `battle`, `draw`,
    `aside` (said between draws), `result`, `retreat`, `loss`, or `passed` for what was asked and passed over."""
    conditions: tuple[Condition, ...] = ()
    """What was looked at, one by one: a client can lay them out, those that hold lit."""
    depth: int = 0
    """How deep a reason it is for what follows: 1 for what a whole impulse hangs on, `NEAREST` for what led to the
    very next line alone; 0 for what came of it all. A client draws the chain of reasons from this."""
    step: str = ""
    """The step of the sequence of play in which it happened."""


class Table(Generic[P]):
    """Handed to every rule as `t`."""

    __slots__ = ("chance", "events", "game", "marked", "p", "sealed", "taken")

    def __init__(self, game: Game[P], position: P, chance: Chance, *, keep_log: bool = True) -> None:
        self.game = game
        self.p = position
        self.chance = chance
        self.events: list[Event] | None = [] if keep_log else None
        self.sealed = False
        """Set when something happened that undo may not take back: a die, a draw, a reveal."""
        self.marked: P | None = None
        """The position as it was when the last step began; a match resumes from there."""
        self.taken: dict[int, tuple[int, int]] = {}
        """Random numbers by their count, each with its size: all that were taken since the last checkpoint."""

    def mark(self) -> None:
        """A step begins: from here on, the position alone says what comes next."""
        self.marked = self.p.copy()

    def say(
        self,
        rule: str,
        words: str,
        *,
        side: str | None = None,
        spaces: tuple[int, ...] = (),
        units: tuple[int, ...] = (),
        cards: tuple[int, ...] = (),
        kind: str = "",
        conditions: tuple[Condition, ...] = (),
        depth: int = 0,
    ) -> None:
        """Write a line of the log."""
        if self.events is not None:
            step = self.p.step
            self.events.append(
                Event(rule, words, side, (), 0, spaces, units, cards, kind, conditions, depth, step)
            )

    def say_move(self, rule: str, unit: int, path: Sequence[int], kind: str = "") -> None:
        """Write by which way a unit has gone, if it has gone anywhere."""
        if self.events is not None and len(path) > 1:
            route = " - ".join(self.game.board.name(space) for space in path)
            words = f"{self.game.units[unit].name} moves {route}."
            self.say(rule, words, spaces=tuple(path), units=(unit,), kind=kind)

    @property
    def keeps_log(self) -> bool:
        """False in simulations: then words that take work to make need not be made."""
        return self.events is not None

    def roll(self, rule: str, what_for: str, sides: int = 6, count: int = 1) -> int:
        """Roll dice and add them up. `what_for` goes into the log."""
        return sum(self.roll_each(rule, what_for, sides, count))

    def roll_each(self, rule: str, what_for: str, sides: int = 6, count: int = 1) -> list[int]:
        """Roll several dice that are read one by one."""
        p, chance, taken, dice = self.p, self.chance, self.taken, []
        for number in range(p.drawn, p.drawn + count):
            value = chance.raw(number, sides)
            taken[number] = sides, value
            dice.append(value + 1)
            self.sealed = True
        p.drawn += count
        if self.events is not None:
            self.events.append(Event(rule, what_for, None, tuple(dice), sides, step=self.p.step))
        return dice

    def draw(self, cup: MutableSequence[T]) -> T:
        """Take one at random out of a cup, without putting it back. Say what was drawn with `say`."""
        return cup.pop(self._raw(len(cup)))

    def shuffle(self, deck: MutableSequence[T]) -> None:
        """Bring a deck into a random order."""
        for last in range(len(deck) - 1, 0, -1):
            other = self._raw(last + 1)
            deck[last], deck[other] = deck[other], deck[last]

    def reveal(self) -> None:
        """Something hidden has been shown: what came before cannot be undone."""
        self.sealed = True

    def _raw(self, size: int) -> int:
        count = self.p.drawn
        self.p.drawn = count + 1
        self.sealed = True
        value = self.chance.raw(count, size)
        self.taken[count] = size, value
        return value

"""What several tests share: hexes worked out the plain way, boards to try things on, play, and a toy game."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from bulge.core.board import GraphBoard
from bulge.core.decision import Decision, GameOver, Play, Preview, Result
from bulge.core.errors import BulgeError
from bulge.core.game import Game, P, Scenario
from bulge.core.hexes import COLUMNS_FROM_EAST, ROWS_FROM_EAST, Grid, HexBoard, Numbering, Sides
from bulge.core.match import Match
from bulge.core.position import Position
from bulge.core.rulebook import Rule, Rulebook
from bulge.core.table import Table

QUICK = "BULGE_TEST_QUICKLY" in os.environ
"""Whether this is `./test --quick`: what hypothesis invents is tried by a fifth as many examples there."""


def examples(whole: int) -> settings:
    """How many examples of what hypothesis invents a test is tried by in the whole run."""
    return settings(max_examples=whole // 5 if QUICK else whole)


settings.register_profile("bulge", examples(100), deadline=None, print_blob=True)
settings.load_profile("bulge")

SEED = "000102030405060708090a0b0c0d0e0f"
BOTH_NUMBERINGS = (ROWS_FROM_EAST, COLUMNS_FROM_EAST)


def large_ones_slow(games: Iterable[str]) -> list[Any]:
    """Games as parameters of a test: the quick run tries it with the small ones."""
    small = ("ford", "the_bulge")
    return [pytest.param(game, marks=() if game in small else pytest.mark.slow) for game in games]


# ---------------------------------------------------------------------- hexes, the plain way


def plain_neighbours(numbering: Numbering, name: str) -> set[str]:
    """The six neighbours of a four-digit hex, read off a drawing of the numbering; on the board or not."""
    line, place = int(name[:2]), int(name[2:])
    if numbering is ROWS_FROM_EAST:
        # An even row lies half a hex further west: it touches its own column and the next one of its neighbours.
        touched = (place, place + 1) if line % 2 == 0 else (place - 1, place)
    else:
        # An odd column lies half a hex further north.
        touched = (place, place + 1) if line % 2 == 1 else (place - 1, place)
    beside = [(line, place - 1), (line, place + 1)]
    beside += [(other, at) for other in (line - 1, line + 1) for at in touched]
    return {f"{one:02}{two:02}" for one, two in beside}


def plain_distances(numbering: Numbering, start: str, within: Iterable[str]) -> dict[str, int]:
    """Steps from a hex to each of the others, by flooding `within`."""
    allowed, found, front = set(within), {start: 0}, [start]
    while front:
        after = []
        for name in front:
            for other in plain_neighbours(numbering, name) & allowed - found.keys():
                found[other] = found[name] + 1
                after.append(other)
        front = after
    return found


def hex_board(names: Iterable[str], numbering: Numbering = ROWS_FROM_EAST) -> HexBoard:
    return HexBoard(Grid(numbering), names)


def hex_names(first_line: int, last_line: int, first_place: int, last_place: int) -> list[str]:
    return [
        f"{line:02}{place:02}"
        for line in range(first_line, last_line + 1)
        for place in range(first_place, last_place + 1)
    ]


@st.composite
def hex_boards(draw: st.DrawFn, lines: int = 5, places: int = 5) -> HexBoard:
    """Boards of either numbering with any outline, islands and holes included."""
    numbering = draw(st.sampled_from(BOTH_NUMBERINGS))
    top = draw(st.integers(1, 30))
    left = draw(st.integers(1, 30))
    full = hex_names(top, top + lines - 1, left, left + places - 1)
    holes = draw(st.sets(st.sampled_from(full), max_size=len(full) // 2))
    return hex_board([name for name in full if name not in holes], numbering)


@st.composite
def sets_of(draw: st.DrawFn, board: HexBoard | GraphBoard, most: int | None = None) -> int:
    """Any set of a board's spaces, or one of at most so many; without such a limit, as often large as small."""
    names = board.names_of(board.all)
    some = board.set_of(draw(st.sets(st.sampled_from(names), max_size=most)))
    return board.all & ~some if most is None and draw(st.booleans()) else some


@st.composite
def sides_on(draw: st.DrawFn, board: HexBoard) -> Sides:
    """Any set of hexsides of a board, as often large as small."""
    every = all_side_names(board)
    some = draw(st.sets(st.sampled_from(every))) if every else set()
    return board.sides(set(every) - some if draw(st.booleans()) else some)


def all_side_names(board: HexBoard) -> list[str]:
    return sorted(
        f"{one}/{other}"
        for one in board.names_of(board.hexes)
        for other in plain_neighbours(board.grid.numbering, one)
        if one < other and board.has(other)
    )


def has_side(sides: Sides, one: int, other: int) -> bool:
    """Whether the side between two neighbours is in the set, asked by name."""
    board = sides.board
    return "/".join(sorted((board.name(one), board.name(other)))) in _names_of(board, sides)


@lru_cache(maxsize=64)
def _names_of(board: HexBoard, sides: Sides) -> frozenset[str]:
    """Asked for each step of each way; sides of two boards may be equal."""
    return frozenset(sides.names())


# ---------------------------------------------------------------------- errors


def complaint(raised: pytest.ExceptionInfo[BulgeError]) -> str:
    """The text of an error, which must be one line fit for a person."""
    text = str(raised.value)
    assert text
    assert "\n" not in text
    assert "Traceback" not in text
    return text


# ---------------------------------------------------------------------- play


def answer(match: Match[P], *ids: str) -> Match[P]:
    """Make these choices, one after the other."""
    for id_ in ids:
        match.answer(id_)
    return match


def offered(match: Match[P]) -> set[str]:
    """What may be chosen now, as journals write it."""
    decision = match.asked()
    return {match.game.id_of(decision, choice) for choice in decision.options}


def offered_names(match: Match[P]) -> set[str]:
    """As `offered`, but only units or spaces, without the words."""
    decision = match.asked()
    return {match.game.id_of(decision, choice) for choice in decision.options if not isinstance(choice, str)}


def costs(match: Match[P]) -> dict[str, str]:
    """What each choice that costs movement costs, in points as a person writes them."""
    return {option.id: option.cost for option in match.options() if option.cost is not None}


def refused_by(match: Match[P], asked: str) -> str:
    """The rule by which something is not offered now; it must really not be offered."""
    assert asked not in offered(match), f"{asked} is offered"
    return match.why_not(asked).rule


def foresee(match: Match[P], id_: str) -> Preview:
    """The preview of a choice, which must have one."""
    preview = match.preview(match.find(id_))
    assert preview is not None
    return preview


def run_until(match: Match[P], step: str) -> Match[P]:
    """End phase after phase, doing nothing, until this step."""
    while match.position.step != step:
        match.choose("done")
    return match


def play_on(match: Match[Any], choices: int, rng: random.Random) -> None:
    """Make so many random choices, or as many as the game takes."""
    for _ in range(choices):
        if match.decision is None:
            return
        match.choose(rng.choice(list(match.decision.options)))


class ToyPosition(Position, kw_only=True):
    score: int = 0
    deck: list[int] = []
    hand: list[int] = []
    """Seen by Ann alone."""


class Toy(Game[ToyPosition]):
    """Ann does one thing after another; each option is one way in which a choice can be (or not be) undone."""

    id: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    words: ClassVar[str] = "For tests."
    sides: ClassVar[tuple[str, ...]] = ("Ann", "Bob")
    players: ClassVar[tuple[str, ...]] = ("Ann", "Bob")
    most_choices: ClassVar[int] = 1000
    position_type = ToyPosition

    def __init__(self) -> None:
        self.board = GraphBoard(["here", "there"], [("here", "there")])
        self.units = []
        self.rulebook = Rulebook("toy", [Rule("1", "Everything", "Do anything.")])
        self.scenarios = {
            "plain": Scenario("plain", "Plain", "As it is."),
            "asked": Scenario("asked", "Asked", "Starts inside a step, after a draw."),
        }
        self.sequence = {"act": self._act, "deal": self._deal}

    def set_up(self, scenario: str, options: Mapping[str, str]) -> ToyPosition:
        return ToyPosition(step="act" if scenario == "plain" else "deal", deck=list(range(10)))

    def _act(self, t: Table[ToyPosition]) -> Play:
        acts = ["add", "ask", "die", "draw", "shuffle", "reveal", "hand_over", "deal", "end"]
        act = yield Decision("Ann", "What now?", acts, "1", top=True)
        t.say("1", f"Ann chose {act}.")
        match act:
            case "add":
                t.p.score += 1
            case "ask":
                t.p.score += yield Decision("Ann", "How many?", [2, 3], "1")
                t.say("1", "Ann said how many.")
            case "die":
                t.p.score += t.roll("1", "for luck")
            case "draw":
                t.p.hand.append(t.draw(t.p.deck))
            case "shuffle":
                t.shuffle(t.p.deck)
            case "reveal":
                t.reveal()
            case "hand_over":
                yield Decision("Bob", "Take it?", ["yes"], "1")
            case "deal":
                return "deal"
            case "end":
                raise GameOver(Result("Ann", "Ann ends it.", "1"))
        return "act"

    def _deal(self, t: Table[ToyPosition]) -> Play:
        """A step that draws before its first question, which is therefore not a top-level one."""
        t.p.hand.append(t.draw(t.p.deck))
        t.say("1", "A card is dealt.")
        t.p.score += yield Decision("Ann", "Bid?", [0, 1], "1")
        t.p.score += yield Decision("Ann", "Bid again?", [0, 1], "1")
        return "act"

    def view(self, p: ToyPosition, side: str | None) -> dict[str, Any]:
        view = super().view(p, side)
        view["deck"] = len(p.deck)
        if side != "Ann":
            view["hand"] = len(p.hand)
        return view

    def deal_anew(self, p: ToyPosition, side: str, rng: random.Random) -> None:
        pool = list(p.deck) if side == "Ann" else [*p.deck, *p.hand]
        rng.shuffle(pool)
        if side != "Ann":
            p.hand = [pool.pop() for _ in p.hand]
        p.deck = pool

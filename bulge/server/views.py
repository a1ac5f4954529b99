"""What one seat at the table is shown. Nothing else about a match ever leaves the server."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from fractions import Fraction
from itertools import takewhile
from operator import is_
from typing import Any, TypeVar

import msgspec

from bulge.core.decision import Modifier, Option, Preview, Result
from bulge.core.foreseen import Blow, Threat
from bulge.core.game import Game
from bulge.core.look import Scene, Subject
from bulge.core.position import Position
from bulge.core.threat import Dangers
from bulge.players.proposals import Proposal
from bulge.server.computer import gives_hints
from bulge.server.log_pages import BESIDE_A_MAP, NEWEST, EventView, events_of
from bulge.server.play import LogLine, Play
from bulge.server.seats import Seat
from bulge.server.shown import Shown
from bulge.server.terms import TableState, TableView

T = TypeVar("T")


class InARow(msgspec.Struct, frozen=True):
    words: str
    rolls: bool


class DecisionView(msgspec.Struct, frozen=True):
    side: str
    prompt: str
    rule: str
    mine: bool
    kind: str
    top: bool
    options: tuple[Option, ...]
    """Empty for those who do not decide."""
    bare: tuple[str, ...]
    """Ahead of these options, where there are very many: spaces that are offered with nothing more to say of them
    than the look does."""
    about: Subject | None
    together: InARow | None
    """What one answer can do for this question and the next ones of its kind."""


MANY = 300
"""From so many spaces on, those that have nothing of their own are sent by name: a whole map of them would be ten
times the rest of a state."""


class SpreadView(msgspec.Struct, frozen=True):
    of: str
    chances: tuple[tuple[str, str], ...]


class PreviewView(msgspec.Struct, frozen=True):
    words: str
    attack: int
    defence: int
    modifiers: tuple[Modifier, ...]
    column: str
    chances: tuple[tuple[str, str], ...]
    """Each result with its exact chance, as `1/6`."""
    chart: str
    of: str
    """What the chances are of, where they are numbers and no results of a chart."""
    others: tuple[SpreadView, ...]


class RefusalView(msgspec.Struct, frozen=True):
    rule: str
    words: str


class TraceView(msgspec.Struct, frozen=True):
    """A line of supply, or that there is none."""

    rule: str
    words: str
    spaces: tuple[str, ...]


class HintView(msgspec.Struct, frozen=True):
    id: str
    words: str
    plans: tuple[Proposal, ...] = ()
    """For a phase of moves: up to three plans that differ, the first one is the hint's."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    game: str
    n: int
    """How many choices have been made."""
    rev: int
    """Rises with every change, undo included."""
    side: str | None
    scene: Scene
    decision: DecisionView | None
    events: tuple[EventView, ...]
    events_from: int
    """How many of the events known before stay."""
    skipped: int
    """How many events after those are not sent, since they would be too much: `log` asks for them."""
    undo: bool
    redo: bool
    thinking: str | None
    result: Result | None
    commitment: str
    seed: str | None
    seats: Mapping[str, str]
    note: str | None
    cut: bool
    """Whether a change of rules or data has left choices behind: the journal from before can be had."""
    curtain: bool
    """Several people share this page and have secrets: between two of them, it should show nothing."""
    hints: bool
    """Whether there is somebody to ask for a hint."""
    held: tuple[str, ...] = ()
    """The sides at which somebody has sat down with a link of their own."""
    table: TableView | None = None
    """For a match among people with accounts: who they are, and what they agreed to."""
    here: Mapping[str, int] = {}
    """Open pages by their side, but for who hides that; an empty name for those who look on."""
    left: Mapping[str, datetime] = {}
    """When each side's last page was closed, as far as this server knows."""
    known_dice: bool = False
    """Whether somebody may know the dice to come: whoever chose the seed, or took the journal away."""


class StateMessage(State, frozen=True, kw_only=True, tag_field="type", tag="state"):
    """A state as it comes over the WebSocket."""

    re: int | str | None = None


def state_of(
    play: Play,
    seat: Seat,
    *,
    rev: int,
    thinking: str | None,
    note: str | None,
    known_dice: bool = False,
    table: TableState | None = None,
    seen: list[LogLine] | None = None,
    whole_log: bool = True,
    kind: type[State] = State,
    shown: Shown | None = None,
    **more: Any,
) -> State:
    """The match as this seat may see it now. Log lines that it has `seen` already are left out, and without the
    `whole_log` those from before the newest page.

    With `shown`, it can only be encoded: parts that other pages were sent too are JSON already.
    """
    match, game = play.match, play.game
    eyes = seat.eyes(play.to_play)
    mine = seat.controls(play.to_play)
    lines = play.readable(eyes)
    known = _common(seen or [], lines)
    news, reasons = lines[known:], tells_reasons(play, table)
    events = events_of(game, news, None if whole_log else _room(play, mine), reasons=reasons)
    result = play.result or (table.result() if table else None)
    over, begun = result is not None, table is None or table.begun
    secrets = game.has_secrets(match.position)
    finished = match.decision is None or match.decision.top
    may_undo = table is None or (table.running and table.may_undo(finished=finished))
    part, seen_by = (shown.part, shown.scene) if shown else (_made, _made)
    return kind(
        match=seat.match,
        game=game.id,
        n=play.n,
        rev=rev,
        side=eyes,
        scene=seen_by(eyes, lambda: game.scene(match.position, eyes)),
        decision=part(mine, lambda: _decision(play, mine)) if begun and not over else None,
        events=events,
        events_from=known,
        skipped=len(news) - len(events),
        undo=mine and match.can_undo and may_undo,
        redo=mine and match.can_redo and (table is None or table.running),
        thinking=thinking,
        result=result,
        commitment=play.commitment if begun else "",
        seed=match.seed if over and begun else None,
        seats=seat.players,
        note=note,
        cut=play.cut,
        curtain=secrets and not over and seat.is_shared,
        hints=gives_hints(game) and (table is None or table.terms.hints),
        table=table.view(seat.role) if table else None,
        held=tuple(sorted(seat.held)),
        known_dice=known_dice,
        **more,
    )


def tells_reasons(play: Play, table: TableState | None) -> bool:
    """Whether what computer players had in mind may be told: it could tell what they hide."""
    over = play.result is not None or (table is not None and table.result() is not None)
    return over or not play.game.has_secrets(play.match.position)


def _room(play: Play, mine: bool) -> int:
    decision = play.match.decision
    return BESIDE_A_MAP if mine and decision and len(decision.options) >= MANY else NEWEST


def past_state(
    play: Play,
    seat: Seat,
    *,
    rev: int,
    n: int,
    position: Position,
    known_dice: bool = False,
    table: TableState | None = None,
    whole_log: bool = True,
) -> State:
    """The match after `n` choices, to look at only."""
    eyes, reasons = seat.eyes(play.to_play), tells_reasons(play, table)
    now = state_of(
        play, seat, rev=rev, thinking=None, note=None, known_dice=known_dice, table=table, whole_log=False
    )
    at_end = n == play.n
    lines = [line for line in play.readable(eyes) if line.at <= n]
    events = events_of(play.game, lines, None if whole_log else NEWEST, reasons=reasons)
    return msgspec.structs.replace(
        now,
        n=n,
        scene=play.game.scene(position, eyes),
        decision=None,
        events=events,
        skipped=len(lines) - len(events),
        undo=False,
        redo=False,
        result=now.result if at_end else None,
    )


class BlowView(msgspec.Struct, frozen=True):
    target: str
    from_: str
    units: tuple[str, ...]
    odds: PreviewView


class ThreatView(msgspec.Struct, frozen=True):
    """What a unit could do, were it its side's turn now: as `bulge.core.threat` has it."""

    unit: str
    costs: dict[str, str]
    blows: tuple[BlowView, ...]
    words: str


class ThreatsView(msgspec.Struct, frozen=True):
    could: ThreatView
    by: tuple[ThreatView, ...]
    """Who could attack it."""


class DangersView(msgspec.Struct, frozen=True):
    """What threatens a side: as `bulge.core.threat` has it."""

    blows: tuple[BlowView, ...]
    reached: dict[str, str]
    """Places where nobody stands, and who could go there first."""


def dangers_view(dangers: Dangers) -> DangersView:
    return DangersView(tuple(map(blow_view, dangers.blows)), dangers.reached)


def threat_view(threat: Threat) -> ThreatView:
    return ThreatView(threat.unit, threat.costs, tuple(map(blow_view, threat.blows)), threat.words)


def blow_view(blow: Blow) -> BlowView:
    return BlowView(blow.target, blow.from_, blow.units, odds_view(blow.odds))


def preview_view(preview: Preview | None) -> PreviewView | None:
    return odds_view(preview) if preview else None


def odds_view(preview: Preview) -> PreviewView:
    return PreviewView(
        words=preview.words,
        attack=preview.attack,
        defence=preview.defence,
        modifiers=preview.modifiers,
        column=preview.column,
        chances=_in_words(preview.chances),
        chart=preview.chart,
        of=preview.of,
        others=tuple(SpreadView(spread.of, _in_words(spread.chances)) for spread in preview.others),
    )


def _in_words(chances: tuple[tuple[str, Fraction], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((result, str(chance)) for result, chance in chances)


def _made(_: Hashable, make: Callable[[], T]) -> T:
    return make()


def _decision(play: Play, mine: bool) -> DecisionView | None:
    decision = play.match.decision
    if decision is None:
        return None
    offer = play.game.together(play.match.table, decision) if mine else None
    options = tuple(play.match.options()) if mine else ()
    bare = _bare(play.game, options)
    return DecisionView(
        side=decision.side,
        prompt=decision.prompt,
        rule=decision.rule,
        mine=mine,
        kind=decision.kind.value,
        top=decision.top,
        options=options[bare:],
        bare=tuple(option.id for option in options[:bare]),
        about=play.game.subject(play.match.table, decision) if mine else None,
        together=InARow(offer.words, play.match.row_rolls()) if offer else None,
    )


def _bare(game: Game[Any], options: tuple[Option, ...]) -> int:
    """How many options at the start need not be sent in full."""
    if len(options) < MANY:
        return 0
    says_more = (
        not game.board.has(option.id) or option != Option(option.id, _said_of(game, option.id), (option.id,))
        for option in options
    )
    count = next((at for at, more in enumerate(says_more) if more), len(options))
    return count if count >= MANY else 0


def _said_of(game: Game[Any], space: str) -> str:
    return game.space_words(game.board.at(space))


def _common(old: list[LogLine], new: list[LogLine]) -> int:
    """How many lines from the start are the same ones. Between two, each side may read one of its own."""
    if old == new[: len(old)]:  # as a rule; this compares fastest
        return len(old)
    return sum(takewhile(bool, map(is_, old, new)))

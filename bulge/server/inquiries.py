"""Answers to questions about a position, worked out from the match alone."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from bulge.core.errors import BulgeError
from bulge.core.game import Game, not_your_turn
from bulge.core.position import Position
from bulge.core.threat import Imagined
from bulge.server.play import Play
from bulge.server.requests import DangersTo, Inquiry, Overlays, PreviewOf, Reach, ThreatOf, Trace, Why
from bulge.server.seats import Seat
from bulge.server.views import (
    DangersView,
    RefusalView,
    ThreatsView,
    TraceView,
    dangers_view,
    preview_view,
    threat_view,
)


def found_out(play: Play, seat: Seat, inquiry: Inquiry) -> Any:
    """What a seat may know."""
    match inquiry:
        case Trace():
            return _trace(play, seat, inquiry.unit)
        case Overlays():
            found = play.game.overlays(play.match.position, seat.eyes(play.to_play))
            return {id_: found[id_] for id_ in inquiry.ids if id_ in found}
        case ThreatOf() | DangersTo():
            imagined = imagined_for(play, seat, inquiry)
            return imagined() if imagined else None
    check_turn(play, seat)
    match inquiry:
        case Why():
            return _why(play, inquiry.about)
        case PreviewOf():
            return preview_view(play.match.preview(play.match.find(inquiry.id)))
        case Reach():
            return play.game.reachable(play.match.table, play.match.asked())


def check_turn(play: Play, seat: Seat) -> None:
    if not seat.controls(play.to_play):
        raise BulgeError(not_your_turn(play.to_play) if play.to_play else "the game is over")


def imagined_for(
    play: Play, seat: Seat, inquiry: ThreatOf | DangersTo
) -> Callable[[], ThreatsView | DangersView | None] | None:
    """How to work out what could be done, were it the others' turn now, on a copy that hides what must be hidden;
    None in a game that cannot say."""
    game, eyes = play.game, seat.eyes(play.to_play)
    unit = _seen_unit(play, seat, inquiry.unit) if isinstance(inquiry, ThreatOf) else None
    if type(game).as_if is Game.as_if and type(game).foreseen is Game.foreseen:
        return None
    position = as_seen(game, play.match.position, eyes, secrets.SystemRandom())
    if unit is not None:
        return partial(_imagine, game, position, unit)
    places = inquiry.places if isinstance(inquiry, DangersTo) else ()
    return partial(_dangers, game, position, eyes, places) if eyes else None


def _why(play: Play, about: str) -> RefusalView:
    match, decision = play.match, play.match.asked()
    if any(play.game.id_of(decision, choice) == about for choice in decision.options):
        return RefusalView(decision.rule, "it can be chosen")
    refusal = match.why_not(about)
    return RefusalView(refusal.rule, refusal.words)


def as_seen(game: Game[Any], position: Position, eyes: str | None, rng: Random) -> Position:
    """A copy in which all that these eyes may not see is dealt anew; for a spectator, all that anybody hides."""
    copy = position.copy()
    for side in (eyes,) if eyes else game.sides:
        game.deal_anew(copy, side, rng)
    return copy


def _imagine(game: Game[Any], position: Position, unit: int) -> ThreatsView | None:
    """What a unit could do, were it its turn now, and who could attack it."""
    imagined = Imagined(game, position)
    could, by = imagined.threat(unit), imagined.threats_to(imagined.stand[unit])
    return ThreatsView(threat_view(could), tuple(threat_view(each) for each in by)) if could else None


def _dangers(game: Game[Any], position: Position, side: str, places: tuple[str, ...]) -> DangersView | None:
    found = Imagined(game, position).dangers(side, places)
    return dangers_view(found) if found else None


def _seen_unit(play: Play, seat: Seat, asked: str) -> int:
    """The number of a unit that this seat can see on the board."""
    scene = play.game.scene(play.match.position, seat.eyes(play.to_play))
    unit = next((number for number, unit in enumerate(play.game.units) if unit.id == asked), None)
    if unit is None or asked not in {piece.unit for piece in scene.pieces}:
        raise BulgeError(f"there is no unit {asked!r} on the board")
    return unit


def _trace(play: Play, seat: Seat, asked: str) -> TraceView | None:
    """The line of supply of a unit that this seat can see; None in a game that knows no such lines."""
    game, position = play.game, play.match.position
    unit = _seen_unit(play, seat, asked)
    if not game.supply_rule:
        return None
    spaces = game.supply_line(position, unit)
    rule = game.supply_rule
    far = len(spaces) - 1
    if spaces:
        words = f"{far} {'hex' if far == 1 else 'hexes'} to a source of supply"
    elif game.needs_no_line(position, unit):
        words = "in supply, though no line can be traced"
    else:
        words = "no line of supply can be traced"
    return TraceView(rule, words, spaces)

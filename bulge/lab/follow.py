"""Plays a game again and writes down its course. This draws, so it needs shapely; the course itself does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bulge.core.game import Game
from bulge.core.journal import Journal
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.lab.atlas import ground as land
from bulge.lab.course import Country, Course, FrontDay, Town
from bulge.lab.measures import Measures
from bulge.lab.record import Recorder, Row, mask_of
from bulge.lab.report.history import DAYS, History


def course_of(game: Game[Any], journal: Journal) -> Course:
    """Play a game again and write down how it went. The game object is watched from then on: use a fresh one."""
    recorder = Recorder(game)
    recorder.begin(journal.scenario, journal.options)
    match: Match[Any] = Match(game, journal.scenario, journal.options, seed=journal.seed)
    for id_ in journal.choices:
        match.answer(id_)
    row, measures = recorder.row(match, 0), recorder.measures
    history = History(measures.ground)
    shapes = land.areas(measures.ground) if history.real else {}
    window = land.window_of(shapes) if shapes else land.WHOLE
    return Course(
        turns=tuple(measures.turn_name(turn) for turn in row.turns),
        losses={side: _steps(lost) for side, lost in row.losses.items()},
        loss_words=measures.loss_words,
        depth_words=measures.ground.unit,
        attacker=measures.attacker,
        country=_country(window) if shapes else None,
        fronts=tuple(_fronts(row, measures, history, shapes, window)) if shapes else (),
    )


def _steps(so_far: list[int]) -> tuple[int, ...]:
    return tuple(now - before for before, now in zip([0, *so_far], so_far, strict=False))


def _country(window: land.Window) -> Country:
    paths = land.country(window)
    height = land.ACROSS * window.height / window.width
    towns = tuple(Town(name, round(x), round(y)) for name, x, y in land.towns(window))
    return Country(land.ACROSS, round(height), paths["river"], paths["border"], towns)


def _fronts(
    row: Row, measures: Measures[Any], history: History, shapes: dict[int, land.Shape], window: land.Window
) -> Iterator[FrontDay]:
    """The days of the game whose line of 1944 is known."""
    start = measures.start(measures.game.begin(row.scenario))
    depths = measures.ground.depths(start)
    for day in DAYS:
        ended = [place for place, on in enumerate(row.days) if 0 < on <= day]
        if not ended or day - row.days[ended[-1]] > 1:
            continue
        held = [space for space in members(mask_of(row.front[ended[-1]])) if space in shapes]
        ground = land.joined(shapes[space] for space in held)
        then = max((depths.get(space, 0.0) for space in history.held(day) if not start >> space & 1), default=0.0)
        yield FrontDay(
            day=day,
            held=land.path_of(ground, window),
            history=land.line_of_1944(day, window),
            depth=round(row.deepest[ended[-1]], 1),
            depth_1944=round(then, 1),
        )

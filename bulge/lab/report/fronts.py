"""The front by day: a panel for each day whose historical line we know, and all of them on one sheet."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from bulge.geo.drawing.svg import num, path, rect
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import CLASSES, HATCH, LINE, MEDIAN, PAPER, REAR, Ground
from bulge.lab.report.plot import text
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

FEW = 6
"""A game that is not history shows so many turns at most."""
COLUMNS, GAP, CAPTION, FOOT, HEAD = 3, 26.0, 30.0, 44.0, 64.0
ACROSS = 470.0
"""Of the sheet of all panels: columns, the space between and above them, and a panel's width."""


class Moment(NamedTuple):
    """A turn that is shown, and the day of history that stands beside it."""

    place: int
    day: int | None
    words: str


def moments(sample: Sample) -> list[Moment]:
    """The days whose line we know, as far as the game reaches; otherwise turns at even distances."""
    if not sample.history.real or not any(sample.measures.day(turn) for turn in sample.turns):
        count = len(sample.turns)
        chosen = sorted(
            {round(step * (count - 1) / max(1, min(FEW, count) - 1)) for step in range(min(FEW, count))}
        )
        return [Moment(place, None, f"End of {sample.turn_names[place]}") for place in chosen]
    return [moment for day in DAYS if (moment := _moment(sample, day)) is not None]


def _moment(sample: Sample, day: int) -> Moment | None:
    place = sample.place_of_day(day)
    if place is None:
        return None
    game_day = sample.measures.day(sample.turns[place])
    if day - game_day > 1:
        return None
    if day == DAYS[0]:
        return Moment(place, day, f"Evening of {game_day} December; the line of that dawn")
    if game_day != day:
        return Moment(place, day, f"{game_day} December, the game’s last; the line of the {day}th")
    return Moment(place, day, f"{day} December")


def hero(sample: Sample) -> Moment:
    """The moment that is worth a whole sheet: when the historical bulge was deepest, or the last one."""
    found = moments(sample)
    return next((moment for moment in found if moment.day == 24), found[-1])


def sheet(sample: Sample, ground: Ground, name: str) -> Figure:
    """All panels on one picture, with their key."""
    panels = [ground.panel(sample, moment.place, moment.day, "") for moment in moments(sample)]
    tall = ACROSS * ground.height / ground.width
    columns = min(COLUMNS, len(panels))
    width = columns * (ACROSS + GAP) + GAP
    won = sample.won(sample.attacker)
    title = f"{sample.title}: the {sample.attacker} front in {len(sample.rows):,} games"
    under = f"{sample.subtitle}; {sample.players}; the {sample.attacker} side won {won.share:.0%}"
    body = text(GAP, 34, title, "strong", font_size=24) + text(GAP, 56, under, "soft", font_size=15)
    for number, (moment, panel) in enumerate(zip(moments(sample), panels, strict=True)):
        x = GAP + number % columns * (ACROSS + GAP)
        y = HEAD + number // columns * (tall + CAPTION + GAP / 2) + CAPTION
        view = f"{num(panel.origin[0])} {num(panel.origin[1])} {num(panel.width)} {num(panel.height)}"
        body += text(x, y - 8, moment.words, "strong", font_size=15)
        body += (
            f'<svg class="map" x="{num(x)}" y="{num(y)}" width="{num(ACROSS)}" height="{num(tall)}" '
            f'viewBox="{view}">{panel.body}</svg>'
        )
    rows = -(-len(panels) // columns)
    height = HEAD + rows * (tall + CAPTION + GAP / 2) + FOOT
    body += key(GAP, height - 24, history=sample.history.real)
    words = f"{sample.title}: the {sample.attacker} front by day in {len(sample.rows)} games, beside history"
    return Figure(name, words, body, width, height)


def key(x: float, y: float, *, history: bool) -> str:
    """What colours and lines mean, on one line."""
    names = [f"{low * 100:.0f}–{high * 100:.0f} %" for (low, _), (high, _) in pairwise(CLASSES)]
    names.append(f"over {CLASSES[-1][0] * 100:.0f} % of games")
    fills = [("held from the start", REAR), *zip(names, (colour for _, colour in CLASSES), strict=True)]
    out = ""
    for name, fill in fills:
        out += rect(x, y - 11, 20, 13, fill, stroke="#655C4B")
        if fill == REAR:
            strokes = "".join(f"M{num(x + at)} {num(y + 2)}l7 -13" for at in (1, 6, 11))
            out += path(strokes, stroke=HATCH, stroke_width=2)
        out += text(x + 26, y, name, font_size=14)
        x += 42 + 7.2 * len(name)
    lines = [("half of the games", MEDIAN, "", 3.4)]
    if history:
        lines.append(("history", LINE, "8 5", 3.4))
    for name, colour, dash, wide in lines:
        out += path(f"M{num(x)} {num(y - 5)}h30", stroke=PAPER, stroke_width=8)
        out += path(f"M{num(x)} {num(y - 5)}h30", stroke=colour, stroke_width=wide, stroke_dasharray=dash or None)
        out += text(x + 36, y, name, font_size=14)
        x += 52 + 7.2 * len(name)
    return out

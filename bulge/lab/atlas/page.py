"""The pictures of the atlas: maps of the same day, and charts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from bulge.lab.atlas import ground as land
from bulge.lab.atlas.figures import ModelFigures, last_turn_of
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import REAR, colour_of
from bulge.lab.report.plot import Axes, Rows, disc, line
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

FIRST_SHOWN = 20
LINE = 15.0
"""The height of a label."""
CURVES = ("#6B4E8E", "#8A6116", "#2F5D50", "#1F5F7A", "#8E2F2B")


def model_map(sample: Sample, days: Sequence[int] = DAYS) -> Figure:
    """A model's front on the common ground, a layer for each day whose line of 1944 is known."""
    _, window = _field(sample)
    country = land.country(window)
    body = '<rect class="paper" width="100%" height="100%"/>'
    for day in days:
        body += f'<g data-day="{day}">{_heat(sample, last_turn_of(sample, day))}</g>'
    body += f'<path class="water" d="{country["river"]}"/><path class="frontier" d="{country["border"]}"/>'
    for day in days:
        course = land.line_of_1944(day, window)
        body += (
            f'<g data-day="{day}" class="line-of-1944"><path class="halo" d="{course}"/><path d="{course}"/></g>'
        )
    for name, x, y in land.towns(window):
        body += f'<circle class="town" cx="{x:.0f}" cy="{y:.0f}" r="7"/>'
        body += f'<text class="place" x="{x + 13:.0f}" y="{y + 9:.0f}">{escape(name)}</text>'
    words = f"{sample.title}: ground held by the {sample.attacker} side in {len(sample.rows)} games, by day"
    height = land.ACROSS * window.height / window.width
    name = f"map-{sample.game.id}" + (f"-{days[0]}" if len(days) == 1 else "")
    return Figure(name, words, body, land.ACROSS, height, kind="ground")


@lru_cache(maxsize=16)
def _field(sample: Sample) -> tuple[dict[int, land.Shape], land.Window]:
    """The spaces of a model as areas, and what is shown of the country."""
    shapes = land.areas(sample.measures.ground)
    return land.grown(shapes), land.window_of(shapes)


@lru_cache(maxsize=128)
def _heat(sample: Sample, place: int | None) -> str:
    """The ground held at the end of a turn: the same on the page, on the sheet of all models and on pictures."""
    if place is None:
        return ""
    shapes, window = _field(sample)
    by_colour: dict[str, list[land.Shape]] = {}
    shares = sample.front_shares(place)
    for space, share in shares.items():
        colour = REAR if sample.start >> space & 1 and share >= 0.5 else colour_of(share)
        if colour and space in shapes:
            by_colour.setdefault(colour, []).append(shapes[space])
    half = [shapes[space] for space, share in shares.items() if share >= 0.5 and space in shapes]
    edge = f'<path class="half" d="{land.path_of(land.joined(half), window)}"/>' if half else ""
    return (
        "".join(
            f'<path fill="{colour}" d="{land.path_of(land.joined(some), window)}"/>'
            for colour, some in by_colour.items()
        )
        + edge
    )


def depth_chart(found: Sequence[ModelFigures], names: Sequence[str] = ()) -> Figure:
    """How deep, by day: the middle of the games with the half around it, and the line of 1944."""
    measured = [model for model in found if model.whole]
    days = sorted({day.day for model in measured for day in model.days})
    top = max((day.depth[2] for model in measured for day in model.days), default=1.0)
    history = {day.day: day.history for model in measured for day in model.days if day.history is not None}
    axes = Axes([str(day) for day in days], max(top, *history.values(), 1.0), width=760, height=330, right=170)
    body = axes.frame("kilometres from the start")
    shifts = apart([axes.y(model.days[-1].depth[1]) for model in measured])
    for number, model in enumerate(measured):
        colour = CURVES[number % len(CURVES)]
        points = [(days.index(day.day), day.depth) for day in model.days]
        middle = [(axes.x(at), axes.y(depth[1])) for at, depth in points]
        around = [(axes.x(at), axes.y(depth[2])) for at, depth in points]
        around += [(axes.x(at), axes.y(depth[0])) for at, depth in reversed(points)]
        body += f'<g style="color:{colour}">' + line(around, "own-band") + line(middle, "own-line")
        body += "".join(disc(x, y, "own", 3.4) for x, y in middle)
        at, depth = points[-1]
        name = names[number] if names else model.title
        body += axes.end_label(at, depth[1], name, "own strong", shifts[number]) + "</g>"
    if history:
        course = [(axes.x(days.index(day)), axes.y(deep)) for day, deep in sorted(history.items()) if day in days]
        body += line(course, "history-line")
    words = "How deep the German front had come by day, in the middle game of each model, beside 1944 (dotted)"
    return Figure("depth", words, body, 760, 330)


def apart(heights: Sequence[float], gap: float = LINE) -> list[float]:
    """How far labels at these heights are shifted so that none covers another; their mean stays in place."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    places: list[float] = []
    for number in order:
        places.append(max(heights[number], places[-1] + gap) if places else heights[number])
    pushed = sum(place - heights[number] for number, place in zip(order, places, strict=True)) / max(1, len(order))
    shifts = {number: place - pushed - heights[number] for number, place in zip(order, places, strict=True)}
    return [shifts[number] for number in range(len(heights))]


def win_chart(found: Sequence[ModelFigures]) -> Figure:
    rows = Rows([(model.title, f"{model.games} games, {model.scenario}") for model in found])
    body = rows.frame()
    for number, model in enumerate(found):
        interval = (model.won.low, model.won.high)
        body += rows.share(number, model.won.share, interval, f"{model.won.share:.0%}", "attack")
    return Figure("wins", "How often the attackers won, with 95 % intervals", body, rows.width, rows.height)


def chance_chart(model: ModelFigures) -> Figure:
    """How often the attackers won in the end, by how deep they stood on each evening."""
    days = model.days
    axes = Axes([str(day.day) for day in days], 1.0, width=420, height=230, right=70)
    body = axes.frame("won in the end", percent=True)
    for name, class_, shares in (
        ("deeper", "attack", [day.chances.deep for day in days]),
        ("the rest", "defend", [day.chances.shallow for day in days]),
    ):
        body += axes.band([share.low for share in shares], [share.high for share in shares], class_, 0.14)
        body += axes.curve([share.share for share in shares], f"{class_}-line")
        body += axes.end_label(len(days) - 1, shares[-1].share, name, class_)
    for place, day in enumerate(days):
        if day.chances.history_is_deep is not None:
            share = day.chances.deep if day.chances.history_is_deep else day.chances.shallow
            body += disc(axes.x(place), axes.y(share.share), "history", 5)
    words = f"{model.title}: how often the attackers won in the end, by how deep they stood on each evening"
    return Figure(f"chances-{model.game}", words, body, 420, 230)


def loss_chart(model: ModelFigures) -> Figure:
    """What each side had lost by day, in the middle game."""
    days, sides = model.days, list(model.days[0].losses)[:2]
    top = max((lost for day in days for side in sides for lost in day.losses[side]), default=1.0)
    axes = Axes([str(day.day) for day in days], max(top, 1.0), width=420, height=230, right=70)
    body = axes.frame(model.loss_words)
    for side in sides:
        class_ = "attack" if side == model.attacker else "defend"
        low, half, high = zip(*(day.losses[side] for day in days), strict=True)
        body += axes.band(low, high, class_, 0.14) + axes.curve(half, f"{class_}-line")
        body += axes.end_label(len(days) - 1, half[-1], side, class_)
    return Figure(f"losses-{model.game}", f"{model.title}: losses of each side by day", body, 420, 230)

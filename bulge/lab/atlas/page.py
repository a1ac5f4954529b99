"""The atlas as one page that needs nothing else: maps of the same day side by side, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from shapely.ops import unary_union

from bulge.lab.atlas import ground as land
from bulge.lab.atlas.figures import ModelFigures, last_turn_of
from bulge.lab.atlas.findings import findings
from bulge.lab.atlas.models import models
from bulge.lab.report import parts
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import CLASSES, REAR, colour_of
from bulge.lab.report.plot import Axes, Rows, disc, line
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

FIRST_SHOWN = 20
CURVES = ("#6B4E8E", "#8A6116", "#2F5D50", "#1F5F7A", "#8E2F2B")


def model_map(sample: Sample) -> Figure:
    """A model's front on the common ground, a layer for each day whose line of 1944 is known."""
    shapes = land.areas(sample.measures.ground)
    window = land.window_of(shapes)
    country = land.country(window)
    body = '<rect class="paper" width="100%" height="100%"/>'
    for day in DAYS:
        body += f'<g data-day="{day}">{_heat(sample, day, shapes, window)}</g>'
    body += f'<path class="water" d="{country["river"]}"/><path class="frontier" d="{country["border"]}"/>'
    for day in DAYS:
        course = land.line_of_1944(day, window)
        body += (
            f'<g data-day="{day}" class="line-of-1944"><path class="halo" d="{course}"/><path d="{course}"/></g>'
        )
    for name, x, y in land.towns(window):
        body += f'<circle class="town" cx="{x:.0f}" cy="{y:.0f}" r="7"/>'
        body += f'<text class="place" x="{x + 13:.0f}" y="{y + 9:.0f}">{escape(name)}</text>'
    words = f"{sample.title}: ground held by the {sample.attacker} side in {len(sample.rows)} games, by day"
    height = land.ACROSS * window.height / window.width
    return Figure(f"map-{sample.game.id}", words, body, land.ACROSS, height, kind="ground")


def _heat(sample: Sample, day: int, shapes: Mapping[int, land.Shape], window: land.Window) -> str:
    place = last_turn_of(sample, day)
    if place is None:
        return ""
    by_colour: dict[str, list[land.Shape]] = {}
    for space, share in sample.front_shares(place).items():
        colour = REAR if sample.start >> space & 1 and share >= 0.5 else colour_of(share)
        if colour and space in shapes:
            by_colour.setdefault(colour, []).append(shapes[space].buffer(0.02))
    return "".join(
        f'<path fill="{colour}" d="{land.path_of(unary_union(some), window)}"/>'
        for colour, some in by_colour.items()
    )


def depth_chart(found: Sequence[ModelFigures]) -> Figure:
    """How deep, by day: the middle of the games with the half around it, and the line of 1944."""
    measured = [model for model in found if model.whole]
    days = sorted({day.day for model in measured for day in model.days})
    top = max((day.depth[2] for model in measured for day in model.days), default=1.0)
    history = {day.day: day.history for model in measured for day in model.days if day.history is not None}
    axes = Axes([str(day) for day in days], max(top, *history.values(), 1.0), width=760, height=330, right=170)
    body = axes.frame("kilometres from the start")
    for number, model in enumerate(measured):
        colour = CURVES[number % len(CURVES)]
        points = [(days.index(day.day), day.depth) for day in model.days]
        middle = [(axes.x(at), axes.y(depth[1])) for at, depth in points]
        around = [(axes.x(at), axes.y(depth[2])) for at, depth in points]
        around += [(axes.x(at), axes.y(depth[0])) for at, depth in reversed(points)]
        body += f'<g style="color:{colour}">' + line(around, "own-band") + line(middle, "own-line")
        body += "".join(disc(x, y, "own", 3.4) for x, y in middle)
        at, depth = points[-1]
        body += axes.end_label(at, depth[1], model.title, "own strong", shift=14.0 * (number - 1.5)) + "</g>"
    if history:
        course = [(axes.x(days.index(day)), axes.y(deep)) for day, deep in sorted(history.items()) if day in days]
        body += line(course, "history-line")
    words = "How deep the German front had come by day, in the middle game of each model, beside 1944 (dotted)"
    return Figure("depth", words, body, 760, 330)


def win_chart(found: Sequence[ModelFigures]) -> Figure:
    rows = Rows([(model.title, f"{model.games} games, {model.scenario}") for model in found])
    body = rows.frame()
    for number, model in enumerate(found):
        interval = (model.won.low, model.won.high)
        body += rows.share(number, model.won.share, interval, f"{model.won.share:.0%}", "attack")
    return Figure("wins", "How often the attackers won, with 95 % intervals", body, rows.width, rows.height)


def page(samples: Sequence[Sample], found: Sequence[ModelFigures], downloads: Mapping[str, str]) -> str:
    """The whole page. `downloads` are files beside it: what to call them, and their names."""
    cards = "".join(_card(sample, model) for sample, model in zip(samples, found, strict=True))
    said = "".join(f"<div><h3>{escape(head)}</h3><p>{escape(words)}</p></div>" for head, words in findings(found))
    links = " · ".join(f'<a href="{escape(file)}">{escape(name)}</a>' for name, file in downloads.items())
    games = sum(model.games for model in found)
    script = (files("bulge.lab.atlas") / "page.js").read_text("utf-8")
    style = (files("bulge.lab.atlas") / "page.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>Atlas: one battle, several models</title>'
        f"<style>{parts.css()}{style}</style></head><body>"
        f"<header><h1>One battle, {_number(len(found))} models</h1>"
        '<p class="lead">Each game is an argument about why the offensive stopped. Here they are played out many '
        "times by computer players and laid over the same ground, beside the line of 1944.</p>"
        f'<p class="meta">{games:,} games, every rule of each enforced.</p></header><main>'
        f'{_controls()}<div class="models">{cards}</div>'
        f'<div class="charts"><figure class="card"><h2>How deep, by day</h2>{depth_chart(found).inline()}</figure>'
        f'<figure class="card"><h2>Who wins</h2>{win_chart(found).inline()}'
        "<figcaption>Wins of the attackers, with the range in which the true share lies with 95 % confidence."
        "</figcaption></figure></div>"
        f'<section class="card together"><h2>Reading them together</h2><div class="three">{said}</div></section>'
        f'{_towns(found)}{_made(found)}<p class="note">Figures: {links}</p></main>'
        f"<script>{script}</script></body></html>\n"
    )


def _number(count: int) -> str:
    return ("no", "one", "two", "three", "four", "five")[count] if count < 6 else str(count)


def _controls() -> str:
    stops = "".join(f'<option value="{place}" label="{day}"></option>' for place, day in enumerate(DAYS))
    shades = "".join(
        f'<span><i style="background:{colour}"></i>{least * 100:.0f}</span>' for least, colour in CLASSES
    )
    start = DAYS.index(FIRST_SHOWN)
    return (
        '<form class="card controls" onsubmit="return false">'
        '<button type="button" id="run" aria-label="Play the days">▶</button>'
        f'<output id="day">{FIRST_SHOWN}</output><label for="days">December</label>'
        f'<input id="days" type="range" min="0" max="{len(DAYS) - 1}" value="{start}" list="stops" '
        f'data-days="{",".join(map(str, DAYS))}"><datalist id="stops">{stops}</datalist>'
        '<label><input id="line" type="checkbox" checked> Line of 1944</label>'
        f'<span class="shades" aria-label="Ground held in at least so many of 100 games">'
        f'<span><i style="background:{REAR}"></i>start</span>{shades}</span></form>'
    )


def _card(sample: Sample, model: ModelFigures) -> str:
    about = models()[model.game]
    depths = "".join(
        f'<p class="deep" data-day="{day.day}"><b>{day.depth[1]:.0f}</b> {model.unit} deep'
        f"{_beside_history(day.history)}</p>"
        for day in model.days
        if day.day in DAYS
    )
    assumed = "".join(
        f'<li><b>{escape(what)}</b>: {escape(words)} <span class="note">({escape(rule)})</span></li>'
        for what, words, rule in about.assumes
    )
    rebuilt, rows = model.rebuilt
    return (
        f'<article class="card model">{model_map(sample).inline()}<h2>{escape(model.title)}</h2>'
        f'<p class="note">{escape(about.scale)}</p>{depths}<p>{escape(about.words)}</p>'
        f'<details><summary>What it assumes</summary><ul>{assumed}</ul><p class="note">{rebuilt} of {rows} rows '
        "of its data are rebuilt; the rest is stated by the rulebook.</p></details></article>"
    )


def _beside_history(history: float | None) -> str:
    return f'<span class="note">, {history:.0f} in 1944</span>' if history is not None else ""


def _towns(found: Sequence[ModelFigures]) -> str:
    """Key towns on the last day that each model shares with the line of 1944, one row a town."""
    known = dict.fromkeys(town for model in found for day in model.days for town in day.towns)
    rows = ""
    for town in known:
        held = [{day.day: day.towns[town] for day in model.days if town in day.towns} for model in found]
        if sum(bool(by_day) for by_day in held) < 2:
            continue
        cells = "".join(f'<td class="n">{_first_day(by_day)}</td>' for by_day in held)
        rows += f'<tr><th scope="row">{escape(town)}</th>{cells}</tr>'
    head = "".join(f'<th class="n">{escape(model.title)}</th>' for model in found)
    if not rows:
        return ""
    return (
        "<h2>When towns fall</h2><p>The first evening on which at least half of the games had the town, and the "
        "most that ever had it.</p>"
        f'<div class="scroll"><table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _first_day(by_day: Mapping[int, float]) -> str:
    if not by_day:
        return "·"
    most = max(by_day.values())
    first = next((day for day, share in by_day.items() if share >= 0.5), None)
    return f"{first} ({most:.0%})" if first is not None else f"– ({most:.0%})"


def _made(found: Sequence[ModelFigures]) -> str:
    rows = "".join(f"<li><code>{escape(model.command)}</code></li>" for model in found)
    return (
        "<h2>How this was made</h2><p>Every game follows from its command alone. The same commands give the same "
        f"figures.</p><ul>{rows}</ul>"
        '<p class="note">Both sides are played by the same computer player; a model that a person would play '
        "otherwise is shown as the computer plays it. The lines of 1944 are drawn by hand from general knowledge, "
        "to some three kilometres.</p>"
    )

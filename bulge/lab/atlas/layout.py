"""The page of the atlas, put together from its maps, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files

from bulge.lab.atlas.beside import ahead_section, what_if_section
from bulge.lab.atlas.chapters import Chapter
from bulge.lab.atlas.figures import Day, ModelFigures
from bulge.lab.atlas.findings import findings
from bulge.lab.atlas.models import models
from bulge.lab.atlas.page import FIRST_SHOWN, chance_chart, depth_chart, loss_chart, model_map, win_chart
from bulge.lab.atlas.replay import Place, games_to_replay
from bulge.lab.atlas.shares import Share
from bulge.lab.atlas.west import west_sections
from bulge.lab.report import parts
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import CLASSES, REAR
from bulge.lab.report.style import Figure

SCRIPT = "page.js"


def own_file(name: str) -> str:
    return (files("bulge.lab.atlas") / name).read_text("utf-8")


def page(chapters: Sequence[Chapter], downloads: Mapping[str, str], place: Place) -> str:
    """The whole page. `downloads` are files beside it: what to call them, and their names."""
    plain = [chapter for chapter in chapters if chapter.beside is None]
    found = [chapter.figures for chapter in plain]
    cards = "".join(_card(chapter, place) for chapter in plain)
    said = "".join(f"<div><h3>{escape(head)}</h3><p>{escape(words)}</p></div>" for head, words in findings(found))
    links = " · ".join(
        f'<a href="{escape(place.prefix + file)}">{escape(name)}</a>' for name, file in downloads.items()
    )
    games = sum(model.games for model in found)
    players = sorted({level for chapter in plain for level in chapter.sample.plan.players.values()})
    return (
        f"{_head(place)}<header><h1>One battle, {_number(len(found))}</h1>"
        '<p class="lead">Each game is an argument about why the offensive stopped. Here they are played out many '
        "times by the same computer player and laid over the same ground, beside the line of 1944.</p>"
        f'<p class="meta">{games:,} games, both sides by {escape(" and ".join(players))}, every rule of each '
        f"enforced{_and_ahead(chapters)}.</p></header><main>{_controls()}"
        f'<div class="models" tabindex="0" role="group" aria-label="The models">{cards}</div>'
        f'<div class="charts"><figure class="card"><h2>How deep, by day</h2>{depth_chart(found).inline()}'
        "<figcaption>Kilometres from each model’s start to the farthest ground held in the middle game. Bands: "
        "half of all games. Dotted: 1944.</figcaption></figure>"
        f'<figure class="card"><h2>Who wins</h2>{win_chart(found).inline()}'
        "<figcaption>Wins of the attackers, with the range in which the true share lies with 95 % confidence."
        "</figcaption></figure></div>"
        f'<section class="card together"><h2>Reading them together</h2><div class="three">{said}</div></section>'
        f"{west_sections(chapters)}{ahead_section(chapters, place)}"
        f"{_chances(found)}{_losses(found)}{_towns(found)}{what_if_section(chapters, place)}{_made(chapters)}"
        f'<p class="note links">Figures and pictures: {links}</p></main>'
        f"{_script(place)}</body></html>\n"
    )


def _and_ahead(chapters: Sequence[Chapter]) -> str:
    games = sum(chapter.figures.games for chapter in chapters if chapter.ahead)
    return f"; and {games} more by players that plan ahead" if games else ""


def _head(place: Place) -> str:
    bar = (
        f'<nav class="bar" aria-label="Main"><a class="mark" href="{escape(place.home)}">bulge</a>'
        f'<a href="{escape(place.home)}">Play</a><a href="{escape(place.home)}#/matches">Matches</a>'
        '<a href="" aria-current="page">Atlas</a></nav>'
        if place.home
        else ""
    )
    icon = f'<link rel="icon" href="{escape(place.home)}icon.svg">' if place.home else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>Atlas: one battle, several models</title>'
        f"{icon}"
        f"<style>{parts.css()}{own_file('pictures.css')}{own_file('page.css')}</style></head><body>{bar}"
    )


def _script(place: Place) -> str:
    """A server forbids scripts within a page, so there it is a file of its own."""
    if place.home:
        return f'<script src="{escape(place.prefix + SCRIPT)}"></script>'
    return f"<script>{own_file(SCRIPT)}</script>"


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five")[count] if count < 6 else str(count)
    return f"{words} {'model' if count == 1 else 'models'}"


def _controls() -> str:
    stops = "".join(f'<option value="{place}" label="{day}"></option>' for place, day in enumerate(DAYS))
    shades = "".join(
        f'<span><i style="background:{colour}"></i>{least * 100:.0f}</span>' for least, colour in CLASSES
    )
    start = DAYS.index(FIRST_SHOWN)
    return (
        '<div class="card controls" role="group" aria-label="Which day">'
        '<button type="button" id="run" aria-label="Play the days">▶</button>'
        f'<output id="day">{FIRST_SHOWN}</output><label for="days">December</label>'
        f'<input id="days" type="range" min="0" max="{len(DAYS) - 1}" value="{start}" list="stops" '
        f'data-days="{",".join(map(str, DAYS))}"><datalist id="stops">{stops}</datalist>'
        '<label class="check"><input id="line" type="checkbox" checked> Line of 1944</label>'
        f'<span class="shades" role="img" aria-label="Ground held in at least so many of 100 games">'
        f'<span><i style="background:{REAR}"></i>start</span>{shades}</span></div>'
    )


def _card(chapter: Chapter, place: Place) -> str:
    sample, model = chapter.sample, chapter.figures
    about = models()[model.game]
    depths = "".join(_depth(day, model.unit) for day in model.days if day.day in DAYS)
    assumed = "".join(
        f'<li><b>{escape(what)}</b>: {escape(words)} <span class="note">({escape(rule)})</span></li>'
        for what, words, rule in about.assumes
    )
    rebuilt, rows = model.rebuilt
    return (
        f'<article class="card model" data-model="{model.game}">{model_map(sample).inline()}'
        f'<h2>{escape(model.title)}</h2><p class="note">{escape(about.scale)}</p>{depths}'
        f'<p>{escape(about.words)}</p><button type="button" class="larger">Larger map</button>{_TAKE}'
        f'<details><summary>What it assumes</summary><ul>{assumed}</ul><p class="note">{rebuilt} of {rows} rows '
        "of its data are rebuilt; the rest is stated by the rulebook.</p></details>"
        f"{games_to_replay(chapter, place)}</article>"
    )


_TAKE = "".join(
    f' <button type="button" class="take" value="{kind}" aria-label="This map as {kind.upper()}">{kind.upper()}'
    "</button>"
    for kind in ("svg", "png")
)


def _depth(day: Day, unit: str) -> str:
    low, half, high = day.depth
    history = f", {day.history:.0f} in 1944" if day.history is not None else ""
    return (
        f'<p class="deep" data-day="{day.day}"><b>{half:.0f}</b> {unit} deep '
        f'<span class="note">({low:.0f} to {high:.0f} in half of the games){history}</span></p>'
    )


def _beside(share: Share) -> str:
    return f"{share.share:.0%} <small>({share.low:.0%}–{share.high:.0%})</small>"


def _each(found: Sequence[ModelFigures], chart: Callable[[ModelFigures], Figure]) -> str:
    """A card with its chart for every model of several days."""
    return "".join(
        f'<figure class="card"><h3>{escape(model.title)}</h3>{chart(model).inline()}</figure>'
        for model in found
        if len(model.days) > 1
    )


def _chances(found: Sequence[ModelFigures]) -> str:
    drawn = _each(found, chance_chart)
    return (
        "<h2>Chances of victory by day</h2><p>How often the attackers won in the end: of the half of the games "
        "that stood deeper on that evening, and of the other half, with 95 % intervals. A ring marks the half in "
        f'which the front of 1944 would have been.</p><div class="small-ones">{drawn}</div>'
    )


def _losses(found: Sequence[ModelFigures]) -> str:
    drawn = _each(found, loss_chart)
    return (
        "<h2>Losses by day</h2><p>What each side had lost, as its game counts it, in the middle game; bands hold "
        f'half of all games.</p><div class="small-ones">{drawn}</div>'
    )


def _towns(found: Sequence[ModelFigures]) -> str:
    """The share of games that held a town on each day: one table a day, shown with the slider."""
    shared = dict.fromkeys(town for model in found if model.whole for day in model.days for town in day.towns)
    if not shared:
        return ""
    head = "".join(f'<th scope="col" class="n">{escape(model.title)}</th>' for model in found)
    tables = ""
    for day in DAYS:
        rows = ""
        for town in shared:
            cells = "".join(f'<td class="n">{_held(model, day, town)}</td>' for model in found)
            rows += f'<tr><th scope="row">{escape(town)}</th>{cells}</tr>'
        tables += (
            f'<div class="scroll" tabindex="0" role="group" aria-label="Towns on {day} December" data-day="{day}">'
            f"<table><thead><tr><td>{day} December</td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )
    return (
        "<h2>Key towns by day</h2><p>The share of games in which the attackers held the town that evening, with "
        f"its 95 % interval. The slider above turns the days.</p>{tables}"
    )


def _held(model: ModelFigures, day: int, town: str) -> str:
    then = [each for each in model.days if each.day <= day and town in each.towns]
    return _beside(then[-1].towns[town]) if then and day - then[-1].day <= 1 else "·"


def _made(chapters: Sequence[Chapter]) -> str:
    rows = "".join(
        f"<li><code>{escape(chapter.figures.command)}</code> "
        f'<span class="note">{chapter.figures.games} games; program {chapter.figures.made_by}</span></li>'
        for chapter in chapters
    )
    return (
        "<h2>How this was made</h2><p>Every game follows from its command alone: the same command with the same "
        "program gives the same figures. <code>bulge atlas --play</code> makes the plain runs anew.</p>"
        f"<ul>{rows}</ul>"
        '<p class="note">Both sides are played by the same computer player; a model that a person would play '
        "otherwise is shown as the computer plays it. Depth is kilometres from the model’s own start to the "
        "farthest ground behind the front; a game that was over earlier counts with its last position. Shares "
        "have Wilson’s intervals of 95 %; bands hold half of all games. The lines of 1944 are drawn by hand from "
        "general knowledge, to some three kilometres, for the days on which the slider stops.</p>"
    )

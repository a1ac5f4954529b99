"""The sections of runs that are laid beside the plain ones: by players that plan ahead, and with an if."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bulge.lab.atlas.chapters import Chapter
from bulge.lab.atlas.findings import differences, same_deals
from bulge.lab.atlas.models import models
from bulge.lab.atlas.page import depth_chart, model_map
from bulge.lab.atlas.replay import Place, games_to_replay
from bulge.lab.atlas.runs import players_of
from bulge.lab.atlas.sheet import PLAIN, PLANNED


def ahead_section(chapters: Sequence[Chapter], place: Place) -> str:
    """The same models, options and deals, by players that plan ahead."""
    ahead = [chapter for chapter in chapters if chapter.ahead]
    if not ahead:
        return ""
    said = "".join(_article(chapter, _by(chapter), _ways(chapter), place) for chapter in ahead)
    alone = [
        chapter.figures.title
        for chapter in chapters
        if chapter.beside is None and models()[chapter.figures.game].one_player
    ]
    stands = "".join(
        f" {escape(title)} has one computer player behind all levels, so its run above stands." for title in alone
    )
    return (
        "<h2>When players plan ahead</h2><p>The same models and the same deals, by players that make a plan for "
        "every phase as a whole. What lies within both intervals is called chance."
        f"{stands}{_sheets(ahead, place)}</p>{said}"
    )


def _sheets(ahead: Sequence[Chapter], place: Place) -> str:
    """Where the maps of all models stand on one sheet, without planning and with it."""
    if not any(chapter.figures.whole for chapter in ahead):
        return ""
    without, planned = (escape(f"{place.prefix}{name}.png") for name in (PLAIN, PLANNED))
    return f' All maps on one sheet: <a href="{without}">the plain runs</a>, <a href="{planned}">these</a>.'


def what_if_section(chapters: Sequence[Chapter], place: Place) -> str:
    said = "".join(
        _article(chapter, chapter.figures.what_if, ("without it", "with it"), place)
        for chapter in chapters
        if chapter.beside is not None and not chapter.ahead
    )
    return f"<h2>What if</h2>{said}" if said else ""


def _by(chapter: Chapter) -> str:
    return f"by {players_of(chapter.figures.players)}"


def _ways(chapter: Chapter) -> tuple[str, str]:
    assert chapter.beside is not None
    plain, ahead = (players_of(each.figures.players) for each in (chapter.beside, chapter))
    return f"when {plain} did", f"when {ahead} played"


def _article(chapter: Chapter, heading: str, ways: tuple[str, str], place: Place) -> str:
    assert chapter.beside is not None
    model, base = chapter.figures, chapter.beside.figures
    paired = same_deals(chapter.beside.sample.rows, chapter.sample.rows, model.attacker, ways)
    found = [*differences(base, model), *([paired] if paired else [])]
    lines = "".join(f"<li>{escape(words)}</li>" for words in found)
    names = (_by(chapter.beside), heading) if chapter.ahead else (base.title, heading)
    both = depth_chart([base, model], names).inline() if base.whole and model.whole else ""
    return (
        f'<article class="card what-if"><h3>{escape(model.title)}: {escape(heading)}</h3>'
        f'<div class="pair"><div>{model_map(chapter.sample).inline()}</div><div><ul>{lines}</ul>'
        f'<p class="note">{model.games} games against {base.games}. <code>{escape(model.command)}</code></p>'
        f"{both}{games_to_replay(chapter, place) if chapter.ahead else ''}</div></div></article>"
    )

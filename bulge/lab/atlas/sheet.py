"""All models on one sheet: a column a model, a row a day, the line of 1944 on each map."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.geo.drawing.svg import num
from bulge.lab.atlas.chapters import Chapter
from bulge.lab.atlas.page import model_map
from bulge.lab.atlas.runs import players_of
from bulge.lab.report.plot import text
from bulge.lab.report.style import Figure

PLAIN, PLANNED = "fronts", "fronts-planned"
"""The names of the sheets of plain runs, and of those by players that plan ahead."""
SHEET_DAYS = (18, 20, 22, 24)
KEY = "Darker: held in more games. Solid line: held in half of them. Dashed: 1944. Grey: held from the start."
ACROSS, GAP, HEAD, MARGIN, FOOT = 400.0, 14.0, 62.0, 34.0, 30.0
"""The width of a map, the space around it, the height of what stands above a column, the width of what stands
beside a row, and the height of what stands below."""


def fronts_sheet(chapters: Sequence[Chapter], name: str) -> Figure | None:
    """Of the models of the whole battle; None if there is none."""
    whole = [chapter for chapter in chapters if chapter.figures.whole]
    if not whole:
        return None
    body, y = "".join(_head(chapter, column) for column, chapter in enumerate(whole)), HEAD
    for day in SHEET_DAYS:
        maps = [model_map(chapter.sample, (day,)) for chapter in whole]
        for column, drawn in enumerate(maps):
            height = ACROSS * drawn.height / drawn.width
            body += (
                f'<svg class="ground" x="{num(_left(column))}" y="{num(y)}" width="{num(ACROSS)}" '
                f'height="{num(height)}" viewBox="0 0 {num(drawn.width)} {num(drawn.height)}">{drawn.body}</svg>'
            )
        middle = y + height / 2
        turned = f"rotate(-90 {num(MARGIN - 12)} {num(middle)})"
        body += text(MARGIN - 12, middle, f"{day} December", "strong", "middle", font_size=17, transform=turned)
        y += height + GAP
    words = f"The front of {', '.join(chapter.figures.title for chapter in whole)} by day, beside the line of 1944"
    body += text(MARGIN, y + 14, KEY, "soft", font_size=16)
    return Figure(name, words, body, _left(len(whole)), y + FOOT)


def _left(column: int) -> float:
    return MARGIN + column * (ACROSS + GAP)


def _head(chapter: Chapter, column: int) -> str:
    model = chapter.figures
    under = f"{players_of(model.players)}, {model.games} games; {model.attacker}s won {model.won.share:.0%}"
    return text(_left(column), 26, model.title, "strong", font_size=23) + text(
        _left(column), 49, under, "soft", font_size=16
    )

"""Games of a run to be looked at, where a program serves the page that can replay them."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from bulge.lab.atlas.chapters import Chapter
from bulge.lab.atlas.shipped import game_name
from bulge.lab.report.history import DAYS


class Place(NamedTuple):
    """Where the page is looked at: alone as a file, or served by a program that can also replay games."""

    prefix: str = ""
    """Before the names of the files beside it."""
    home: str = ""
    """The address of the program's first page; games can be replayed there."""


def games_to_replay(chapter: Chapter, place: Place) -> str:
    """From the shallowest game to the deepest, at the evening of the day shown."""
    if not chapter.kept or not place.home:
        return ""
    rows = {row["number"]: row for row in chapter.sample.rows}
    layers = ""
    for day in DAYS:
        items = ""
        for kept in chapter.kept:
            evening = max((on for on in kept.evenings if on <= day), default=None)
            if evening is None or kept.number not in rows:
                continue
            row = rows[kept.number]
            ended = [at for at, on in enumerate(row["days"]) if on <= day]
            deep = row["deepest"][ended[-1]] if ended else 0.0
            winner = row["winner"] or "nobody"
            game = f"{chapter.figures.game}/{game_name(chapter.run, kept.number)}"
            address = f"{place.home}#/game/{game}/{kept.evenings[evening]}"
            items += (
                f'<li><a href="{escape(address)}">{deep:.0f} {chapter.figures.unit} deep</a>, '
                f"{escape(winner)} won</li>"
            )
        layers += f'<ol data-day="{day}">{items}</ol>'
    return f"<details><summary>Games to replay</summary>{layers}</details>"

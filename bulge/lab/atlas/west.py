"""The page's two questions: does the spearhead reach for the Meuse, and does Bastogne become a siege?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import sqrt

from shapely.geometry import LineString

from bulge.geo.geography import geography
from bulge.geo.projection import km
from bulge.lab.atlas import ground as land
from bulge.lab.atlas.chapters import Chapter
from bulge.lab.atlas.figures import Day, ModelFigures
from bulge.lab.atlas.runs import players_of
from bulge.lab.atlas.shares import Share
from bulge.lab.atlas.siege import SIEGE_OF_1944, SIGHT_KM, STATES, TOWN, State
from bulge.lab.atlas.spearhead import NEAR_KM, RIVER, SECTORS, TIP
from bulge.lab.report.history import DAYS
from bulge.lab.report.plot import Axes, box, disc, line, text
from bulge.lab.report.style import Figure

WESTERN = land.Window(*km(49.8, 4.52), *km(50.74, 6.02))
"""From the roads to Bastogne to beyond the river."""
NAMED = ("Liège", "Huy", "Namur", "Dinant", "Givet", TIP, "Bastogne")
LEFT = ("Namur", "Dinant", "Givet")
"""Towns whose names stand west of them, where there is room."""
BESIEGED = 0.3
"""How much of its colour a bar has that stands for sieges."""
ALL_GAMES = 80.0
"""The radius of the mark of a place where the spearheads of all games stood."""


Run = tuple[ModelFigures, list[ModelFigures]]
"""A plain run, and the same by players that plan ahead."""


def with_others(chapters: Sequence[Chapter]) -> list[Run]:
    """The models of the whole battle."""
    return [
        (plain.figures, [other.figures for other in chapters if other.ahead and other.beside is plain])
        for plain in chapters
        if plain.beside is None and plain.figures.whole
    ]


def west_sections(chapters: Sequence[Chapter]) -> str:
    """Both sections."""
    runs = with_others(chapters)
    if not runs:
        return ""
    rows = [each for plain, others in runs for each in (plain, *others)]
    maps = "".join(_card(plain, spearhead_map(plain, others)) for plain, others in runs)
    charts = "".join(_card(plain, siege_chart(plain, others)) for plain, others in runs)
    return (
        "<h2>Does the spearhead reach for the Meuse?</h2><p>Where the deepest ground lay that a game had held by "
        "the evening that the slider shows: the larger the mark, the more games. The dashed line is that of 1944, "
        f'whose spearhead came to {TIP}.</p>{_marks(rows)}<div class="small-ones">{maps}</div>'
        f"{_table(rows, 'The spearhead', REACH)}"
        f'<p class="note">At the Meuse: ground whose middle is within {NEAR_KM:.0f} km of the river, in the band '
        "on the maps, had been held on some evening so far; a game may have come to several sectors. "
        f"A dot: not on that map.</p><h2>Is {TOWN} besieged?</h2>"
        "<p>How the town stood on each evening, in shares of games. It is besieged when it is not the Germans’ "
        f"and they stand in at least seven of eight directions from it, within {SIGHT_KM:.0f} km: on the maps of "
        "all models this makes a siege of the lines of 22, 24 and 26 December, and none of that of the 20th."
        f'</p>{_bars(rows)}<div class="small-ones">{charts}</div>{_table(rows, TOWN, SIEGE)}'
    )


def _card(model: ModelFigures, drawn: Figure) -> str:
    return f'<figure class="card"><h3>{escape(model.title)}</h3>{drawn.inline()}</figure>'


def _several(rows: Sequence[ModelFigures]) -> bool:
    return len({row.title for row in rows}) < len(rows)


def _marks(rows: Sequence[ModelFigures]) -> str:
    ahead = '<i class="tip ahead"></i> players that plan ahead' if _several(rows) else ""
    return f'<p class="note states"><i class="tip plain"></i> the plain run {ahead}</p>'


def _bars(rows: Sequence[ModelFigures]) -> str:
    sides = " Left bars are the plain run, right ones players that plan ahead." if _several(rows) else ""
    return f'<p class="note states"><i class="taken"></i> taken <i class="besieged"></i> besieged.{sides}</p>'


# ---------------------------------------------------------------------- pictures


def spearhead_map(plain: ModelFigures, others: Sequence[ModelFigures], days: Sequence[int] = DAYS) -> Figure:
    """Where the spearheads stood, a layer a day."""
    river = LineString([km(*at) for at in geography().rivers[RIVER].course])
    country = land.country(WESTERN)
    body = '<rect class="paper" width="100%" height="100%"/>'
    body += f'<path class="bank" d="{land.path_of(river.buffer(NEAR_KM), WESTERN)}"/>'
    body += f'<path class="water" d="{country["river"]}"/><path class="frontier" d="{country["border"]}"/>'
    for day in days:
        course = land.line_of_1944(day, WESTERN)
        body += (
            f'<g data-day="{day}"><g class="line-of-1944"><path class="halo" d="{course}"/>'
            f'<path d="{course}"/></g>'
            f"{''.join(_tips(each, day, 'tip ahead') for each in others)}{_tips(plain, day, 'tip plain')}</g>"
        )
    for name in NAMED:
        x, y = land.place(km(*geography().place(name).point), WESTERN)
        aside, anchor = (-20, "end") if name in LEFT else (20, "start")
        body += disc(x, y, "town", 12) + text(x + aside, y + 18, name, "place from-afar", anchor)
    words = f"{plain.title}: where the spearheads stood by day, beside the line of 1944"
    height = land.ACROSS * WESTERN.height / WESTERN.width
    return Figure(f"spearhead-{plain.game}", words, body, land.ACROSS, height, kind="ground")


def _tips(model: ModelFigures, day: int, mark: str) -> str:
    then = _on(model, day)
    if then is None or then.reach is None:
        return ""
    out = ""
    for lat, lon, games in then.reach.tips:
        x, y = land.place(km(lat, lon), WESTERN)
        out += disc(x, y, mark, ALL_GAMES * sqrt(games / model.games))
    return out


def siege_chart(plain: ModelFigures, others: Sequence[ModelFigures]) -> Figure:
    """By day, a bar for each run: taken, upon it besieged; the rest is free."""
    days = [day.day for day in plain.days]
    axes = Axes([str(day) for day in days], 1.0, width=420, height=230, right=16)
    runs = [plain, *others]
    wide = min(22.0, (axes.x(1) - axes.x(0)) * 0.8 / len(runs)) if len(days) > 1 else 22.0
    body = axes.frame("share of games", percent=True)
    for number, run in enumerate(runs):
        for place, day in enumerate(days):
            then = _on(run, day)
            if then is None or then.siege is None:
                continue
            left = axes.x(place) + wide * (number - len(runs) / 2)
            taken, besieged = then.siege.taken.share, then.siege.besieged.share
            for opacity, base, share in ((1.0, 0.0, taken), (BESIEGED, taken, besieged)):
                if share:
                    top = axes.y(base + share)
                    height = axes.y(base) - top
                    body += box(left + 0.5, top, wide - 1, height, "attack", fill_opacity=opacity)
    then_so = [axes.x(place) for place, day in enumerate(days) if day in SIEGE_OF_1944]
    if then_so:
        body += line([(then_so[0] - wide, 20), (then_so[-1] + wide, 20)], "history-line")
        body += text((then_so[0] + then_so[-1]) / 2, 14, "besieged in 1944", "soft", "middle")
    words = f"{plain.title}: the share of games in which {TOWN} was taken, besieged or free, by evening"
    return Figure(f"siege-{plain.game}", words, body, 420, 230)


# ---------------------------------------------------------------------- tables

Column = tuple[str, Callable[[Day], str]]
NOTHING = "·"


def _share(share: Share | None) -> str:
    return f"{share.share:.0%} <small>({share.low:.0%}–{share.high:.0%})</small>" if share else NOTHING


def _from_celles(day: Day) -> str:
    if day.reach is None or not day.reach.tips:
        return NOTHING
    low, half, high = day.reach.from_celles
    return f"{half:.0f} <small>({low:.0f}–{high:.0f})</small>"


def _sector(sector: str) -> Column:
    return sector, lambda day: _share(day.reach.sectors.get(sector) if day.reach else None)


def _state(state: State) -> Column:
    return state, lambda day: _share(day.siege.share(state) if day.siege else None)


REACH: tuple[Column, ...] = (
    (f"km to {TIP}", _from_celles),
    ("at the Meuse", lambda day: _share(day.reach.meuse if day.reach else None)),
    *map(_sector, SECTORS),
)
SIEGE: tuple[Column, ...] = (
    *map(_state, STATES),
    ("besieged so far", lambda day: _share(day.siege.ever if day.siege else None)),
)


def _table(rows: Sequence[ModelFigures], name: str, columns: Sequence[Column]) -> str:
    """A row a run, one table a day, shown with the slider."""
    head = "".join(f'<th scope="col" class="n">{escape(title)}</th>' for title, _ in columns)
    tables = ""
    for day in DAYS:
        body = ""
        for model in rows:
            then = _on(model, day)
            cells = "".join(f'<td class="n">{cell(then) if then else NOTHING}</td>' for _, cell in columns)
            by = f"{players_of(model.players)}, {model.games} games"
            body += f'<tr><th scope="row">{escape(model.title)} <small>{escape(by)}</small></th>{cells}</tr>'
        table = f"<thead><tr><td>{day} December</td>{head}</tr></thead><tbody>{body}</tbody>"
        tables += (
            f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(name)} on {day} December" '
            f'data-day="{day}"><table>{table}</table></div>'
        )
    return tables


def _on(model: ModelFigures, day: int) -> Day | None:
    """How it stood that evening; a game that ends a day earlier is shown with its last."""
    return next((each for each in reversed(model.days) if each.day <= day and day - each.day <= 1), None)

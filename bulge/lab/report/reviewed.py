"""A reviewed game as one page: the curve of chances with its turning points, losses, and the front by day."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bulge.core.game import Game, P
from bulge.lab.course import Country, Course, FrontDay
from bulge.lab.report import parts
from bulge.lab.report.plot import Axes, box, disc, line, text
from bulge.lab.report.style import Figure
from bulge.players.reviewed import Moment, Review, Turning

WIDTH, HEIGHT = 920.0, 320.0
BARS_HEIGHT, BAR = 230.0, 9.0


def curve(review: Review) -> Figure:
    """The chance of the first side from phase to phase, its range, and marks where it turned."""
    axes = Axes(_turn_labels(review.moments), 1.0, height=HEIGHT, width=WIDTH, right=40)
    low, high = [moment.low for moment in review.moments], [moment.high for moment in review.moments]
    half = axes.y(0.5)
    body = axes.frame(f"chance of {review.first}", percent=True)
    body += line([(axes.x(0), half), (axes.x(len(review.moments) - 1), half)], "history-line")
    body += axes.band(low, high, "attack", 0.18)
    body += axes.curve([moment.chance for moment in review.moments], "attack-line")
    for number, turning in enumerate(review.turnings, start=1):
        body += _mark(axes, review.moments, turning, number)
    words = f"Chances of {review.first} through the game, with {len(review.turnings)} turning points"
    return Figure("chances", words, body, WIDTH, HEIGHT)


def _turn_labels(moments: Sequence[Moment]) -> list[str]:
    """The number of each turn, once."""
    return [
        str(moment.turn) if not place or moments[place - 1].turn != moment.turn else ""
        for place, moment in enumerate(moments)
    ]


def _mark(axes: Axes, moments: Sequence[Moment], turning: Turning, number: int) -> str:
    """Luck is a square, play a disc: shape before colour."""
    place = max(at for at, moment in enumerate(moments) if moment.at < turning.at)
    x, y = axes.x(place), axes.y(moments[place].chance)
    shape = box(x - 8, y - 8, 16, 16, "history") if turning.kind == "luck" else disc(x, y, "history", 9)
    return shape + text(x, y + 4.5, str(number), "strong", "middle")


def losses(course: Course) -> Figure:
    """What each side lost in each turn: the attacker to the left of the other."""
    sides = sorted(course.losses, key=lambda side: side != course.attacker)
    top = max((lost for side in sides for lost in course.losses[side]), default=0)
    axes = Axes(course.turns, max(1, top), height=BARS_HEIGHT, width=WIDTH, right=40)
    body = axes.frame(course.loss_words)
    for number, (side, look) in enumerate(zip(sides, ("attack", "bar-line"), strict=False)):
        for turn, lost in enumerate(course.losses[side]):
            x, y = axes.x(turn) + (number - 1) * (BAR + 1), axes.y(lost)
            body += box(x, y, BAR, axes.y(0) - y, look) if lost else ""
    return Figure("losses", f"Losses by turn: {_totals(course)}", body, WIDTH, BARS_HEIGHT)


def _totals(course: Course) -> str:
    return ", ".join(f"{side} {sum(lost)}" for side, lost in course.losses.items())


def _fronts(course: Course) -> str:
    """A small map for each day whose line of 1944 is known."""
    country = course.country
    if country is None or not course.fronts:
        return ""
    maps = "".join(_front(front, country, course.depth_words) for front in course.fronts)
    return f'<h2>The front by day</h2><div class="three panels">{maps}</div>'


def _front(front: FrontDay, country: Country, unit: str) -> str:
    towns = "".join(
        f'<circle cx="{town.x:g}" cy="{town.y:g}" r="8"/><text x="{town.x + 14:g}" y="{town.y + 11:g}">'
        f"{escape(town.name)}</text>"
        for town in country.towns
    )
    words = f"{front.depth:.0f} {unit} deep, {front.depth_1944:.0f} in 1944"
    return (
        f'<figure><figcaption>{front.day} December: {words}</figcaption><svg class="front" role="img" '
        f'aria-label="The front on {front.day} December, {words}" '
        f'viewBox="0 0 {country.width:g} {country.height:g}">'
        f'<path class="held" d="{front.held}"/><path class="border" d="{country.borders}"/>'
        f'<path class="river" d="{country.rivers}"/><path class="halo" d="{front.history}"/>'
        f'<path class="then" d="{front.history}"/>{towns}</svg></figure>'
    )


def page(review: Review, game: Game[P], course: Course) -> str:
    """The whole page, which needs nothing else."""
    title = f"{game.title}: {game.scenario(review.scenario).title}"
    rows = "".join(_row(number, turning) for number, turning in enumerate(review.turnings, start=1))
    table = (
        '<div class="scroll"><table><thead><tr><th></th><th>Turn</th><th>What turned it</th>'
        f'<th class="n">{escape(review.first)}</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}, reviewed</title><style>{parts.css()}</style></head><body>"
        f'<header><h1>{escape(title)}</h1><p class="lead">{escape(review.result)}</p></header><main>'
        f'<figure class="card">{curve(review).inline()}<figcaption>Squares are luck, discs are play. The band '
        "holds four of five fits of the chances.</figcaption></figure>"
        f"<h2>Where it turned</h2>{table if review.turnings else '<p>Nowhere by much.</p>'}"
        f"<h2>Luck and play</h2><p>All dice together gave {escape(review.first)} {review.luck:+.0%}. "
        f"{escape(review.account)}</p>"
        f'<h2>Losses</h2><figure class="card">{losses(course).inline()}<figcaption>By turn; filled bars are '
        f"{escape(course.attacker)}’s. In all: {escape(_totals(course))}.</figcaption></figure>{_fronts(course)}"
        '</main><footer><p class="note">Chances are those of computer players, learned from games between them; '
        "a person may know better.</p></footer></body></html>\n"
    )


def _row(number: int, turning: Turning) -> str:
    better = f'<br><span class="note">The computer: {escape(turning.better)}.</span>' if turning.better else ""
    all_of_it = "<br>".join(map(escape, turning.detail.splitlines()))
    shut = "<details class='note'><summary>All that happened</summary>"
    more = (f"{shut}{all_of_it}</details>" if all_of_it else "") + better
    kind = "Luck" if turning.kind == "luck" else "Play"
    return (
        f"<tr><td><b>{number}</b> {kind}</td><td>{turning.turn}</td><td>{escape(turning.words)}{more}</td>"
        f'<td class="n">{turning.swing:+.0%}</td></tr>'
    )

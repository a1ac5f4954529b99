"""The charts of the report. Each says in words what it shows, for those who do not see it."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.lab.report.history import DAYS
from bulge.lab.report.plot import Axes, Rows, box, disc, line, text
from bulge.lab.report.sample import LEVELS, Sample
from bulge.lab.report.style import Figure

MIDDLE = LEVELS.index(0.5)


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def interval_words(interval: tuple[float, float]) -> str:
    return f"{interval[0] * 100:.0f}–{interval[1] * 100:.0f} %"


def win_rates(samples: Sequence[Sample]) -> Figure:
    """How often the attacker won, a row a scenario."""
    rows = Rows([(f"{sample.title}: {sample.subtitle}", sample.players) for sample in samples])
    body, said = rows.frame(), []
    for place, sample in enumerate(samples):
        won = sample.won(sample.attacker)
        words = f"{percent(won.share)} ({interval_words(won.interval)})"
        body += rows.share(place, won.share, won.interval, words, "attack")
        said.append(f"{sample.title}, {sample.subtitle}: {sample.attacker} won {words} of {won.of} games")
    return Figure("win-rates", "; ".join(said), body, rows.width, rows.height)


def deepest(sample: Sample, name: str) -> Figure:
    """How far the attacker had come, by day: the middle game, half of them, four in five; and history."""
    quantiles = sample.quantiles("deepest")
    known = _historical_depths(sample)
    top = max([levels[-1] for levels in quantiles] + [depth for _, depth in known])
    axes = Axes(sample.turn_names, top * 1.06)
    unit = sample.measures.ground.unit
    low, lower, middle, upper, high = ([levels[level] for levels in quantiles] for level in range(len(LEVELS)))
    body = axes.frame(f"{unit} from the start line")
    body += axes.band(low, high, "attack", 0.16) + axes.band(lower, upper, "attack", 0.26)
    body += axes.curve(middle, "attack-line")
    last = len(middle) - 1
    clash = known and abs(axes.y(known[-1][1]) - axes.y(middle[-1])) < 14
    body += axes.end_label(last, middle[-1], "games", "attack strong", 8 if clash else 0)
    if known:
        body += line([(axes.x(place), axes.y(depth)) for place, depth in known], "history-line")
        body += "".join(disc(axes.x(place), axes.y(depth), "history") for place, depth in known)
        place, depth = known[-1]
        body += axes.end_label(place, depth, "history", "strong", -8 if clash else 0)
    words = f"Deepest advance in {unit}: {middle[-1]:.0f} in the middle game at the end"
    if known:
        words += f"; historically {max(depth for _, depth in known):.0f} at most"
    return Figure(name, words, body, axes.width, axes.height)


def score(sample: Sample, name: str) -> Figure:
    """The score by day, as the advance is drawn; and what the front of 1944 would have scored."""
    quantiles = sample.quantiles("score")
    known = [
        (place, float(points))
        for day in DAYS[1:]
        if (place := sample.place_of_day(day)) is not None
        and sample.measures.day(sample.turns[place]) == day
        and (points := sample.historical_points(day)) is not None
    ]
    axes = Axes(
        sample.turn_names, max([levels[-1] for levels in quantiles] + [p for _, p in known] + [1.0]) * 1.06
    )
    low, lower, middle, upper, high = ([max(0.0, q[level]) for q in quantiles] for level in range(len(LEVELS)))
    body = axes.frame(sample.measures.points_words)
    body += axes.band(low, high, "attack", 0.16) + axes.band(lower, upper, "attack", 0.26)
    body += axes.curve(middle, "attack-line") + axes.end_label(
        len(middle) - 1, middle[-1], "games", "attack strong"
    )
    if known:
        body += line([(axes.x(place), axes.y(points)) for place, points in known], "history-line")
        body += "".join(disc(axes.x(place), axes.y(points), "history") for place, points in known)
        body += axes.end_label(*known[-1], "history", "strong", -8)
    words = f"{sample.measures.points_words}: {middle[-1]:.0f} in the middle game at the end"
    return Figure(name, words, body, axes.width, axes.height)


def _historical_depths(sample: Sample) -> list[tuple[float, float]]:
    """Places on the axis of turns, and how far the front had come then. The line of the 16th is that of dawn."""
    if not sample.history.real:
        return []
    found: list[tuple[float, float]] = []
    for day in DAYS[1:]:
        place = sample.place_of_day(day)
        if place is not None and sample.measures.day(sample.turns[place]) == day:
            found.append((place, sample.historical_depth(day)))
    return found


def losses(sample: Sample, name: str) -> Figure:
    """Steps lost so far, by turn and side."""
    by_side = {side: sample.losses(side) for side in sample.game.sides}
    axes = Axes(sample.turn_names, max(levels[-1] for curve in by_side.values() for levels in curve) * 1.06)
    body, ends = axes.frame(f"{sample.measures.loss_words} lost so far"), []
    for side, curve in by_side.items():
        class_ = "attack" if side == sample.attacker else "defend"
        body += axes.band([q[0] for q in curve], [q[-1] for q in curve], class_, 0.14)
        body += axes.curve([q[MIDDLE] for q in curve], f"{class_}-line")
        ends.append((curve[-1][MIDDLE], side, class_))
    ends.sort()
    close = len(ends) == 2 and abs(axes.y(ends[0][0]) - axes.y(ends[1][0])) < 14
    for number, (value, side, class_) in enumerate(ends):
        shift = (7 if number == 0 else -7) if close else 0
        body += axes.end_label(len(sample.turns) - 1, value, side, f"{class_} strong", shift)
    words = f"Lost by the end of the middle game, in {sample.measures.loss_words}: " + ", ".join(
        f"{side} {value:.0f}" for value, side, _ in ends
    )
    return Figure(name, words, body, axes.width, axes.height)


def points(sample: Sample, name: str) -> Figure:
    """How many games ended with so many points; full bars were won by the attacker."""
    counts = sample.points()
    values = sorted({value for value, _ in counts})
    span = list(range(min(*values, 0), values[-1] + 1)) if len(values) > 1 else values
    tallest = max(counts[value, True] + counts[value, False] for value in span)
    axes = Axes([str(value) for value in span], tallest / len(sample.rows) * 1.08, right=16.0)
    body = axes.frame("share of games", percent=True)
    wide = max(3.0, min(26.0, (axes.x(1) - axes.x(0)) * 0.78)) if len(span) > 1 else 26.0
    for place, value in enumerate(span):
        base = 0.0
        for won, class_ in ((True, "attack"), (False, "bar-line")):
            share = counts[value, won] / len(sample.rows)
            if share:
                y = axes.y(base + share)
                body += box(axes.x(place) - wide / 2, y, wide, axes.y(base) - y, class_)
            base += share
    body += box(axes.width - 190, 4, 12, 12, "attack") + text(
        axes.width - 172, 15, f"won by {sample.attacker}", "soft"
    )
    middle = sorted(row["points"] for row in sample.rows)[len(sample.rows) // 2]
    words = f"{sample.measures.points_words} at the end, from {values[0]} to {values[-1]}, in the middle {middle}"
    return Figure(name, words, body, axes.width, axes.height)


def luck(sample: Sample, name: str) -> Figure | None:
    """How often the attacker won, by fifths of the games from its worst dice to its best."""
    fifths = sample.by_luck()
    if not fifths:
        return None
    axes = Axes([f"{fifth.luck:+.1f}" for fifth in fifths], 1.0, right=24.0)
    body = axes.frame(f"{sample.attacker} wins", percent=True)
    for place, fifth in enumerate(fifths):
        low, high = fifth.won.interval
        x = axes.x(place)
        body += line([(x, axes.y(low)), (x, axes.y(high))], "attack-line")
        body += disc(x, axes.y(fifth.won.share), "attack", 5.5)
        body += text(x + 9, axes.y(fifth.won.share) - 5, percent(fifth.won.share))
    words = (
        f"{sample.attacker} won {percent(fifths[0].won.share)} of the fifth of games with its worst dice and "
        f"{percent(fifths[-1].won.share)} of the fifth with its best"
    )
    return Figure(name, words, body, axes.width, axes.height)

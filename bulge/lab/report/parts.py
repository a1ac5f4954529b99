"""The parts of the page that are not drawn: its style, tables, keys, and what is said in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise

from bulge.geo.drawing.typeface import STYLE as MAP_STYLE
from bulge.geo.drawing.typeface import font_faces
from bulge.lab.report.charts import MIDDLE, interval_words, percent
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import CLASSES, HATCH, MEDIAN, REAR, colour_of
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import DARK, LIGHT, PAPER, Figure, chart_css

MOST_TOWNS, MOST_DAYS = 8, 11
"""More towns are set in two columns, unless there are more days."""


def css() -> str:
    def colours(values: dict[str, str]) -> str:
        return "".join(f"--{name}:{value};" for name, value in values.items())

    own = (files("bulge.lab.report") / "page.css").read_text("utf-8")
    dim = ":is(.map,.ground,img){filter:brightness(.86)}"
    by_choice, by_nature = ":root[data-theme=dark]", ":root:not([data-theme=light])"
    night = f"{{color-scheme:dark;{colours(DARK)}}}"
    return (
        f"{font_faces(counters=False)}\n:root{{color-scheme:light dark;{colours(LIGHT)}}}"
        f"@media screen{{{by_choice}{night}{by_choice} {dim}:root[data-theme=light]{{color-scheme:light}}}}"
        f"@media screen and (prefers-color-scheme:dark){{{by_nature}{night}{by_nature} {dim}}}"
        f"@media print{{:root{{{colours(PAPER)}}}}}"
        f"{MAP_STYLE.replace('svg{', '.map{')}{chart_css()}{own}"
    )


def card(figure: Figure, caption: str) -> str:
    return f'<figure class="card">{figure.inline()}<figcaption>{escape(caption)}</figcaption></figure>'


def key(*, history: bool) -> str:
    ranges = [f"{low:.0%} to {high:.0%}".replace("%", " %") for (low, _), (high, _) in pairwise(CLASSES)]
    ranges.append(f"over {CLASSES[-1][0] * 100:.0f} % of games")
    hatch = f"repeating-linear-gradient(45deg,{REAR} 0 4px,{HATCH} 4px 6px)"
    items = f'<li><i style="background:{hatch}"></i>held from the start</li>'
    items += "".join(
        f'<li><i style="background:{colour}"></i>{words}</li>'
        for (_, colour), words in zip(CLASSES, ranges, strict=True)
    )
    items += f'<li><i class="line halo" style="border-color:{MEDIAN}"></i>half of the games</li>'
    if history:
        items += '<li><i class="line dash" style="border-color:currentColor"></i>the front in 1944</li>'
    return f'<ul class="key">{items}</ul>'


def in_short(samples: Sequence[Sample]) -> str:
    """What a reader in a hurry should know."""
    return " ".join(_one_in_short(sample, len(samples) > 1) for sample in samples[:4])


def _one_in_short(sample: Sample, named: bool) -> str:
    won = sample.won(sample.attacker)
    words = (
        f"the {sample.attacker} side won {percent(won.share)} of {won.of:,} games ({interval_words(won.interval)})"
    )
    middle = sample.quantiles("deepest")[-1][MIDDLE]
    unit = sample.measures.ground.unit
    words += f" and came {middle:.0f} {unit if middle != 1 else unit.removesuffix('es')} far in the middle one"
    farthest = max(sample.historical_depth(day) for day in DAYS)
    if farthest:
        words += f"; the historical bulge was {farthest:.0f} {unit} deep"
    return f"{sample.title}: {words}." if named else f"{words[0].upper()}{words[1:]}."


def win_table(samples: Sequence[Sample]) -> str:
    rows = ""
    for number, sample in enumerate(samples):
        for side in (*sample.game.sides, None):
            won = sample.won(side)
            if side is None and not won.some:
                continue
            by = sample.plan.players.get(side, "the rules") if side else "–"
            link = f"#{number + 1}-{sample.game.id}-{sample.scenario}"
            rows += (
                f'<tr><td><a href="{link}">{escape(f"{sample.title}: {sample.subtitle}")}</a></td>'
                f"<td>{escape(side or 'drawn')}</td><td>{escape(by)}</td>"
                f'<td class="n">{won.some:,} of {won.of:,}</td><td class="n">{percent(won.share)}</td>'
                f'<td class="n">{interval_words(won.interval)}</td></tr>'
            )
    return (
        '<div class="scroll"><table><thead><tr><th>Game</th><th>Side</th><th>Played by</th><th class="n">Won</th>'
        f'<th class="n">Share</th><th class="n">95 % interval</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def towns(sample: Sample) -> str:
    """Key towns by day, from the start line onwards, as a table whose cells are shaded like the map."""
    shares, spaces = sample.town_shares(), sample.measures.towns
    if not shares:
        return ""
    history = {day: sample.history.held(day) for day in DAYS[1:]} if sample.history.real else {}
    head = "".join(f"<th>{escape(name.removesuffix(' Dec'))}</th>" for name in sample.turn_names)
    rows = []
    for town in sorted(shares, key=lambda town: (sample.depths.get(spaces[town], 0.0), town)):
        cells = "".join(
            _town_cell(share, spaces[town] in history.get(sample.measures.day(turn), ()))
            for share, turn in zip(shares[town], sample.turns, strict=True)
        )
        rows.append(f'<tr><th scope="row">{escape(town)}</th>{cells}</tr>')
    two = len(rows) > MOST_TOWNS and len(sample.turns) <= MOST_DAYS
    half = -(-len(rows) // 2) if two else len(rows)
    tables = "".join(
        f'<div class="scroll"><table class="days"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{''.join(part)}</tbody></table></div>"
        for part in (rows[:half], rows[half:])
        if part
    )
    when = (
        "on the evening of each day of December"
        if any(map(sample.measures.day, sample.turns))
        else "after each turn"
    )
    note = (
        f"Percent of games in which the {sample.attacker} side held the town {when}, from the start line onwards."
    )
    if history:
        known = ", ".join(str(day) for day in DAYS[1:-1])
        note += f" Framed: German in 1944, by the front as drawn above (known for the {known} and {DAYS[-1]})."
    kind = "two tight" if two else "tight"
    return f'<h3>Key towns</h3><p class="note">{escape(note)}</p><div class="{kind}">{tables}</div>'


def counts(sample: Sample) -> str:
    """What a day was made of, a row for each thing that is counted."""
    counted = sample.counts()
    if not counted:
        return ""
    head = "".join(f"<th>{escape(name.removesuffix(' Dec'))}</th>" for name in sample.turn_names)
    rows = "".join(
        f'<tr><th scope="row">{escape(what)}</th>'
        + "".join(f'<td class="n">{mean:.1f}</td>' for mean in means)
        + "</tr>"
        for what, means in counted.items()
    )
    return (
        "<h3>What a day is made of</h3>"
        f'<div class="scroll"><table class="days"><thead><tr><th></th>{head}</tr></thead>'
        f'<tbody>{rows}</tbody></table></div><p class="note">On average over the games that were still played.</p>'
    )


def _town_cell(share: float, was: bool) -> str:
    colour = colour_of(share)
    type_ = "#FFFFFF" if share >= 0.75 else "#1C1916"
    frame = f"box-shadow:inset 0 0 0 2.5px {type_ if colour else 'var(--ink)'};" if was else ""
    style = f"background:{colour};color:{type_};{frame}" if colour else frame
    words = f"{share * 100:.0f}" if share else "·"
    said = f' aria-label="{words if share else 0} percent; German in 1944"' if was else ""
    return f"<td{f' style={chr(34)}{style}{chr(34)}' if style else ''}{said}>{words}</td>"


def rolls_table(sample: Sample) -> str:
    rolls = sample.rolls()
    if not rolls:
        return ""
    rows = ""
    for (side, result), (expected, actual) in sorted(rolls.items(), key=lambda item: _order(sample, item[0])):
        words = sample.measures.result_words.get(result, result)
        rows += (
            f"<tr><td>{escape(side)}</td><td>{escape(result)}, {escape(words)}</td>"
            f'<td class="n">{expected:,.0f}</td><td class="n">{actual:,}</td>'
            f'<td class="n">{(actual - expected) / expected * 100 if expected else 0:+.1f} %</td></tr>'
        )
    return (
        '<div class="scroll"><table><thead><tr><th>Attacks by</th><th>Result</th><th class="n">Expected</th>'
        f'<th class="n">Actual</th><th class="n">More</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _order(sample: Sample, key: tuple[str, str]) -> tuple[int, int]:
    results = list(sample.measures.result_words)
    return sample.game.sides.index(key[0]), results.index(key[1]) if key[1] in results else len(results)


def footer(samples: Sequence[Sample]) -> str:
    commands = dict.fromkeys(_command(sample) for sample in samples)
    listed = "".join(f"<li><code>{escape(command)}</code></li>" for command in commands)
    return (
        "<footer><h3>How this was made</h3>"
        "<p>Every game follows from the command alone, and comes out the same on any machine:</p>"
        f"<ul>{listed}</ul>"
        '<p class="note">The fronts of 1944 are drawn by hand from general knowledge, to some three kilometres; '
        "the strength of many units is reconstructed. So the report says how this game, with these data and these "
        "players, goes; not how the battle must have gone. Place names: GeoNames, CC BY 4.0.</p></footer>"
    )


def _command(sample: Sample) -> str:
    plan = sample.plan
    players = " ".join(f"--{side.lower().replace(' ', '-')} {level}" for side, level in plan.players.items())
    scenarios = "".join(f" --scenario {scenario}" for scenario in plan.scenarios)
    overrides = "--overrides FILE " if plan.overrides else ""
    return (
        f"bulge {overrides}sim {plan.game}{scenarios} {players} --games {plan.games} --seed {plan.seed} --out DIR"
    )

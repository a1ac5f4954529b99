"""The page: everything in one HTML file that needs nothing else, to be read on a screen or on paper."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from html import escape

from bulge.lab.report import charts, fronts, parts
from bulge.lab.report.charts import percent
from bulge.lab.report.history import DAYS
from bulge.lab.report.maps import Ground
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

Keep = Callable[[str, bytes], None]
"""Puts a picture beside the page."""
CHART_PIXELS, SHEET_PIXELS, MAP_PIXELS = 1400, 2400, 2900


class Page:
    """Writes the report of some samples."""

    def __init__(self, samples: Sequence[Sample], keep: Keep, say: Callable[[str], None]) -> None:
        self._samples, self._keep, self._say = samples, keep, say
        self._grounds: dict[tuple[str, int], Ground] = {}
        for sample in samples:
            key = sample.game.id, sample.start
            if key not in self._grounds:
                say(f"Drawing the map of {sample.title} ...")
                self._grounds[key] = Ground(sample, f"ground-{len(self._grounds)}")

    @property
    def _compares(self) -> bool:
        """Whether there is more than one map of the real ground."""
        return sum(sample.history.real for sample in self._samples) > 1

    def html(self) -> str:
        body = self._header() + "<main>" + self._overview()
        if self._compares:
            body += self._side_by_side()
        for number, sample in enumerate(self._samples):
            self._say(f"Writing about {sample.title}, {sample.subtitle} ...")
            body += self._chapter(sample, number)
        body += "</main>" + parts.footer(self._samples)
        symbols = "".join(ground.symbols() for ground in self._grounds.values())
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{escape(self._title())}</title>'
            f"<style>{parts.css()}</style></head><body>"
            f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{symbols}</svg>'
            f"{body}</body></html>\n"
        )

    # ------------------------------------------------------------------ the top

    def _title(self) -> str:
        titles = list(dict.fromkeys(sample.title for sample in self._samples))
        return " and ".join([", ".join(titles[:-1]), titles[-1]]) if len(titles) > 1 else titles[0]

    def _header(self) -> str:
        games = sum(len(sample.rows) for sample in self._samples)
        return (
            f"<header><h1>{escape(self._title())}</h1>"
            f'<p class="lead">{escape(parts.in_short(self._samples))}</p>'
            f'<p class="meta">{games:,} games played by computer players, every rule of the game enforced. '
            "A report of the laboratory of bulge.</p></header>"
        )

    def _overview(self) -> str:
        figure = charts.win_rates(self._samples)
        self._keep_chart(figure)
        attackers = list(dict.fromkeys(sample.attacker for sample in self._samples))
        return (
            f'<h2 id="wins">Who wins</h2><p>How often the {escape(" or ".join(attackers))} side won. '
            "The bar is the range in which the true share lies with 95 % confidence (Wilson’s interval): with "
            "more games it shrinks.</p>"
            f'<figure class="card narrow">{figure.inline()}</figure>{parts.win_table(self._samples)}'
        )

    def _side_by_side(self) -> str:
        """The same days on every map, a row a day."""
        out = (
            '<h2 id="side-by-side" class="chapter">Side by side</h2><p>The same days on every map. '
            "A space is the darker the more of the games had it behind the front; the dashed line is "
            "where the front ran in 1944.</p>"
        )
        out += parts.key(history=True)
        columns = "two" if len(self._samples) == 2 else "three"
        days = {moment.day or 0 for sample in self._samples for moment in fronts.moments(sample)}
        for day in sorted(days):
            panels = [
                self._panel(sample, moment, f"{sample.title}: {moment.words}")
                for sample in self._samples
                for moment in fronts.moments(sample)
                if day and moment.day == day
            ]
            if panels:
                out += f'<div class="{columns} panels" style="margin-top:18px">{"".join(panels)}</div>'
        return out

    # ------------------------------------------------------------------ one sample

    def _chapter(self, sample: Sample, number: int) -> str:
        ground = self._grounds[sample.game.id, sample.start]
        name = f"{number + 1}-{sample.game.id}-{sample.scenario}"
        heading = f"{sample.title}: {sample.subtitle}"
        out = f'<h2 id="{name}" class="chapter">{escape(heading)}</h2>'
        meta = f"{sample.players}; {len(sample.rows):,} games, seed {sample.plan.seed}."
        out += f'<p class="meta">{escape(meta)}</p>'
        out += self._fronts(sample, ground, name)
        out += self._advance(sample, name)
        out += parts.towns(sample)
        out += self._days(sample, name)
        out += self._ends(sample, name)
        out += self._luck(sample, name)
        return out

    def _fronts(self, sample: Sample, ground: Ground, name: str) -> str:
        sheet = fronts.sheet(sample, ground, f"{name}-fronts")
        self._keep(f"{sheet.name}.png", sheet.png(SHEET_PIXELS, ground.symbols()))
        moment = fronts.hero(sample)
        drawing = ground.full(sample, moment.place, moment.day)
        self._keep(f"{name}-map.png", ground.png(drawing, MAP_PIXELS))
        out = "<h3>The front, day by day</h3>" if sample.history.real else "<h3>The front, turn by turn</h3>"
        out += (
            f"<p>In how many games each space lay behind the {escape(sample.attacker)} front. A game that was "
            "over earlier counts with its last front.</p>"
        )
        out += parts.key(history=sample.history.real)
        if not (self._compares and sample.history.real):
            panels = [self._panel(sample, each, each.words) for each in fronts.moments(sample)]
            out += f'<div class="two panels" style="margin-top:16px">{"".join(panels)}</div>'
        picture = base64.b64encode(drawing.encode()).decode()
        words = f"The map of {sample.title} with the front of {moment.words}"
        out += (
            f'<figure><img alt="{escape(words)}" src="data:image/svg+xml;base64,{picture}">'
            f"<figcaption>On the map as it is played on: {escape(moment.words)}.</figcaption></figure>"
        )
        return out

    def _panel(self, sample: Sample, moment: fronts.Moment, caption: str) -> str:
        ground = self._grounds[sample.game.id, sample.start]
        figure = ground.panel(sample, moment.place, moment.day, "")
        return f"<figure><figcaption>{escape(caption)}</figcaption>{figure.inline()}</figure>"

    def _advance(self, sample: Sample, name: str) -> str:
        far = charts.deepest(sample, f"{name}-deepest")
        lost = charts.losses(sample, f"{name}-losses")
        history = " Circles: the front of 1944, measured on the same spaces." if sample.history.real else ""
        captions = (
            f"The farthest space behind the {sample.attacker} front. Line: the middle game; dark band: half of "
            f"all games; light band: four in five.{history}",
            f"{sample.measures.loss_words.capitalize()} lost since the start, in the middle game; the bands hold "
            "four games in five.",
        )
        return f"<h3>Advance and losses</h3>{self._pair((far, lost), captions)}"

    def _days(self, sample: Sample, name: str) -> str:
        """The score by day, where history has one to compare it with; and what days are made of."""
        if sample.historical_points(DAYS[-1]) is None:
            return parts.counts(sample)
        figure = charts.score(sample, f"{name}-score")
        self._keep_chart(figure)
        caption = (
            f"{sample.measures.points_words} by day, bands as above. Circles: what the towns behind the front of "
            "1944 would have scored; units lost are not in them."
        )
        return f"<h3>Points by day</h3>{parts.card(figure, caption)}{parts.counts(sample)}"

    def _ends(self, sample: Sample, name: str) -> str:
        figure = charts.points(sample, f"{name}-points")
        rows = "".join(
            f"<tr><td>{escape(ending.winner or 'nobody')}</td><td>{escape(ending.words)}</td>"
            f'<td class="n">{escape(ending.rule)}</td><td class="n">{percent(ending.share.share)}</td>'
            f'<td class="n">{ending.turns:.1f}</td></tr>'
            for ending in sample.endings()
        )
        table = (
            '<div class="scroll"><table><thead><tr><th>Winner</th><th>How</th><th class="n">Rule</th>'
            f'<th class="n">Games</th><th class="n">Turn</th></tr></thead><tbody>{rows}</tbody></table></div>'
        )
        self._keep_chart(figure)
        caption = f"{sample.measures.points_words} when the game ended."
        return (
            f'<h3>How games end</h3><div class="two"><div>{table}<p class="note">In the mean a game took '
            f"{sample.mean('decisions'):,.0f} decisions, {sample.mean('dice'):.0f} dice and "
            f"{sample.mean('seconds'):.1f} seconds.</p></div>{parts.card(figure, caption)}</div>"
        )

    def _luck(self, sample: Sample, name: str) -> str:
        table = parts.rolls_table(sample)
        figure = charts.luck(sample, f"{name}-luck")
        if not table:
            return ""
        out = (
            "<h3>Luck</h3><p>Every attack has a column of the results table, and a column says what dice give on "
            "average. Luck is what they gave above that.</p>"
        )
        if figure is None:
            return out + table
        self._keep_chart(figure)
        caption = (
            f"Games by the luck of the {sample.attacker} side, in fifths from the worst to the best; below, the "
            "mean number of attacks that hurt the defender above expectation, less the enemy’s."
        )
        return f'{out}<div class="two"><div>{table}</div>{parts.card(figure, caption)}</div>'

    def _pair(self, figures: Sequence[Figure], captions: Sequence[str]) -> str:
        for figure in figures:
            self._keep_chart(figure)
        cards = "".join(parts.card(figure, caption) for figure, caption in zip(figures, captions, strict=True))
        return f'<div class="two">{cards}</div>'

    def _keep_chart(self, figure: Figure) -> None:
        self._keep(f"{figure.name}.png", figure.png(CHART_PIXELS))

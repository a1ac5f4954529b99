"""Fitting chances of winning to games whose end is known, and judging them by games that they have not seen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal
from bulge.core.match import Match
from bulge.players.chances import Model, Weights
from bulge.players.knowledge import Knowledge, knowledge_of

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

FOLDS = 5
"""Every fifth deal is kept from a fit, in turn: each is judged by a fit that has not seen it."""
RESAMPLED = 20
"""So often is the fit repeated on games drawn anew, to see how sure it is."""
RIDGE, APART = 3.0, (30.0, 300.0, 3000.0)
"""How strongly weights are drawn to nought, and those of single terms to that of their sum: as much as so many
positions say. Of the latter what foretells unseen games best: the fewer games, the less terms are told apart."""
FEWEST_OF_A_WAY = 10
"""A way to win has chances of its own if so many games were won that way."""


class Sample(NamedTuple):
    """A position at the end of a phase, as a player who thinks ahead would weigh it, and how the game ended."""

    game: int
    scenario: str
    turn: int
    step: str
    features: dict[str, float]
    won: float
    """1 where the first side won, ½ for a draw."""
    way: str = ""
    """The rule by which the first side won: leaving the map is foretold by other things than points are."""
    deal: str = ""
    """The seed: runs of other players may have games with the same dice to come."""

    @property
    def dealt(self) -> int | str:
        """What it shares with games that are not independent of it."""
        return self.deal or self.game


def samples_of(game: Game[Any], journal: Journal, number: int) -> list[Sample]:
    """The ends of all phases of a game."""
    match: Match[Any] = Match(game, journal.scenario, journal.options, seed=journal.seed, keep_log=False)
    watch = _Phases(knowledge_of(game), number, match)
    for id_ in journal.choices:
        match.answer(id_)
        watch.after_choice(match)
    if match.result is None or match.result.winner != journal.winner:
        raise BulgeError("it does not lead to the end that it tells of; the rules may have changed since")
    first = game.players[0]
    won = 0.5 if journal.winner is None else float(journal.winner == first)
    way = match.result.rule if won == 1 else ""
    return [sample._replace(won=won, way=way, deal=journal.seed) for sample in watch.found]


class _Phases:
    """Notes the position before the choice that ends a step."""

    def __init__(self, knowledge: Knowledge, number: int, match: Match[Any]) -> None:
        self._knowledge, self._number, self._scenario = knowledge, number, match.start.scenario
        self._before = match.position.copy()
        self.found: list[Sample] = []

    def after_choice(self, match: Match[Any]) -> None:
        p, before = match.position, self._before
        if (p.step, p.turn) != (before.step, before.turn):
            features = self._knowledge.features(before)
            self.found.append(Sample(self._number, self._scenario, before.turn, before.step, features, 0.0))
        self._before = p.copy() if match.decision is not None and match.decision.top else before


# ---------------------------------------------------------------------- the fit


class Design(NamedTuple):
    """Which columns a model has."""

    terms: tuple[str, ...]
    scenarios: tuple[str, ...]
    """The first of them is what the others are compared with."""
    steps: tuple[str, ...]
    last_turn: int
    apart: float
    """How strongly single terms are drawn to the weight of their sum."""

    def matrix(self, samples: Sequence[Sample]) -> Vector:
        """The terms, and as they grow with time; their sum, and as it grows; which scenario, step, turn."""
        count = len(self.terms)
        values = np.array([[sample.features[term] for term in self.terms] for sample in samples])
        late = np.array([[sample.turn / self.last_turn] for sample in samples])
        whole = values.sum(axis=1, keepdims=True)
        others = self.scenarios[1:]
        when = np.zeros((len(samples), len(others) + len(self.steps) + self.last_turn))
        for row, sample in zip(when, samples, strict=True):
            if sample.scenario in others:
                row[others.index(sample.scenario)] = 1
            row[len(others) + self.steps.index(sample.step)] = 1
            row[len(others) + len(self.steps) + min(sample.turn, self.last_turn) - 1] = 1
        rows: Vector = np.hstack([values.reshape(-1, count), late * values, whole, late * whole, when])
        return rows

    def ridge(self) -> Vector:
        """How strongly each weight is drawn to nought."""
        apart = np.full(2 * len(self.terms), self.apart)
        return np.concatenate([apart, np.full(1 + len(self.scenarios) + len(self.steps) + self.last_turn, RIDGE)])

    def model(self, weights: Vector, otherwise: Model | None) -> Model:
        count, others = len(self.terms), len(self.scenarios) - 1
        steps = others + len(self.steps)
        steady, growing = weights[2 * count : 2 * count + 2]
        terms = zip(self.terms, weights[:count] + steady, weights[count : 2 * count] + growing, strict=True)
        plain = [round(float(weight), 6) for weight in weights[2 * count + 2 :]]
        return Model(
            scenarios=dict(zip(self.scenarios, [0.0, *plain[:others]], strict=True)),
            steps=dict(zip(self.steps, plain[others:steps], strict=True)),
            turns=tuple(plain[steps:]),
            terms={term: (round(float(one), 6), round(float(more), 6)) for term, one, more in terms},
            otherwise=otherwise,
        )


def design_of(samples: Sequence[Sample], apart: float = APART[0]) -> Design:
    terms = tuple(samples[0].features)
    scenarios = tuple(dict.fromkeys(sample.scenario for sample in samples))
    steps = tuple(dict.fromkeys(sample.step for sample in samples))
    return Design(terms, scenarios, steps, max(sample.turn for sample in samples), apart)


class Heads(NamedTuple):
    """What positions look like, and how they ended: what each way to win, one after the other, is fitted to."""

    rows: Vector
    won: tuple[Vector, ...]
    """For each way whether it was won so; the last of them is any other way."""

    def among(self, places: Vector | Sequence[int]) -> Heads:
        return Heads(self.rows[places], tuple(won[places] for won in self.won))

    def fit(self, ridge: Vector) -> list[Vector]:
        """Weights for each way, from the positions that were not won in a way before it."""
        found, left = [], np.full(len(self.rows), fill_value=True)
        for won in self.won:
            found.append(solve(self.rows[left], won[left], ridge))
            left &= won < 1
        return found


def heads_of(design: Design, samples: Sequence[Sample]) -> Heads:
    ways = np.array([sample.way for sample in samples])
    won = np.array([sample.won for sample in samples])
    return Heads(design.matrix(samples), (*((ways == way).astype(float) for way in ways_to_win(samples)), won))


def ways_to_win(samples: Sequence[Sample]) -> list[str]:
    """The ways that enough games were won in, but for the commonest: that one is among all the others."""
    games = Counter(way for _, way in {(sample.game, sample.way) for sample in samples if sample.way})
    return [way for way, count in games.most_common()[:0:-1] if count >= FEWEST_OF_A_WAY]


def chances_of(rows: Vector, weights: Sequence[Vector]) -> Vector:
    """That a position is won in any of the ways."""
    lost: Vector = np.ones(len(rows))
    for each in weights:
        lost = lost * (1 - _sigmoid(rows @ each))
    chances: Vector = 1 - lost
    return chances


def model_of(design: Design, weights: Sequence[Vector]) -> Model:
    model = None
    for each in reversed(weights):
        model = design.model(each, otherwise=model)
    assert model is not None
    return model


def solve(rows: Vector, won: Vector, ridge: Vector) -> Vector:
    """The most likely weights of a logistic model, drawn to nought, by Newton's method."""
    scale = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    scaled, weights = rows / scale, np.zeros(rows.shape[1])
    for _ in range(60):
        chances = _sigmoid(scaled @ weights)
        slope = scaled.T @ (won - chances) - ridge * weights
        curve = (scaled * (chances * (1 - chances))[:, None]).T @ scaled + np.diag(ridge)
        change = np.linalg.solve(curve, slope)
        weights += change
        if np.abs(change).max() < 1e-8:
            break
    fitted: Vector = weights / scale
    return fitted


def _sigmoid(logits: Vector) -> Vector:
    chances: Vector = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances


# ---------------------------------------------------------------------- how good it is


class Judgement(NamedTuple):
    """How well chances foretold games."""

    positions: int
    log_loss: float
    auc: float


def judge(chances: Vector, samples: Sequence[Sample]) -> Judgement:
    won = np.array([sample.won for sample in samples])
    sure = np.clip(chances, 1e-9, 1 - 1e-9)
    loss = float(-(won * np.log(sure) + (1 - won) * np.log(1 - sure)).mean())
    return Judgement(len(samples), loss, auc(chances, won))


def auc(chances: Vector, won: Vector) -> float:
    """How often a won position was given more than a lost one; where both were given the same, half."""
    good, bad = chances[won > 0.5], np.sort(chances[won < 0.5])
    if not len(good) or not len(bad):
        return 0.5
    less, no_more = (np.searchsorted(bad, good, side).mean() for side in ("left", "right"))
    return float((less + no_more) / (2 * len(bad)))


class Band(NamedTuple):
    """Of the positions that were given about so much, how many were won."""

    given: float
    won: float
    positions: int


def calibration(chances: Vector, samples: Sequence[Sample], bands: int = 5) -> Iterator[Band]:
    won = np.array([sample.won for sample in samples])
    places = np.minimum((chances * bands).astype(int), bands - 1)
    for place in range(bands):
        inside = places == place
        if inside.any():
            yield Band(float(chances[inside].mean()), float(won[inside].mean()), int(inside.sum()))


class Tuned(NamedTuple):
    """A fit, and how fits like it did on games that they had not seen, beside the plain value."""

    weights: Weights
    by_turn: dict[int, tuple[Judgement, Judgement]]
    """By turn: the plain value, and the terms."""
    overall: tuple[Judgement, Judgement]
    bands: list[Band]


def tune(game: Game[Any], samples: Sequence[Sample], made_by: str) -> Tuned:
    """Fit the terms to all games; judge such fits, and those to their sum alone, by games they have not seen.

    How far terms are told apart is the one thing that was chosen by the games that it is judged by.
    """
    if len({sample.won for sample in samples}) < 2:
        games = len({sample.game for sample in samples})
        raise BulgeError(f"all {games} games ended alike: there is nothing to learn from them")
    summed = _summed(samples)
    designs = [design_of(samples, apart) for apart in APART]
    tried = [unseen_chances(design, samples) for design in designs]
    best = min(range(len(APART)), key=lambda place: judge(tried[place], samples).log_loss)
    chances = {"value": unseen_chances(design_of(summed), summed), "terms": tried[best]}
    judged = (judge(chances["value"], samples), judge(chances["terms"], samples))
    turns = sorted({sample.turn for sample in samples})
    by_turn = {turn: _judged_on(turn, chances, samples) for turn in turns}
    kept = _weights(game, designs[best], samples, judged[1], made_by)
    return Tuned(kept, by_turn, judged, list(calibration(chances["terms"], samples)))


def unseen_chances(design: Design, samples: Sequence[Sample]) -> Vector:
    """For each position the chance by a fit to the games of the other folds; games of one deal are in one fold."""
    heads, chances = heads_of(design, samples), np.zeros(len(samples))
    deals: dict[int | str, int] = {}
    folds = np.array([deals.setdefault(sample.dealt, len(deals)) % FOLDS for sample in samples])
    for fold in range(FOLDS):
        unseen = folds == fold
        chances[unseen] = chances_of(heads.rows[unseen], heads.among(~unseen).fit(design.ridge()))
    return chances


def _summed(samples: Iterable[Sample]) -> list[Sample]:
    return [sample._replace(features={"value": sum(sample.features.values())}) for sample in samples]


def _judged_on(turn: int, chances: dict[str, Vector], unseen: Sequence[Sample]) -> tuple[Judgement, Judgement]:
    chosen = [place for place, sample in enumerate(unseen) if sample.turn == turn]
    some = [unseen[place] for place in chosen]
    return judge(chances["value"][chosen], some), judge(chances["terms"][chosen], some)


def _weights(
    game: Game[Any], design: Design, samples: Sequence[Sample], judged: Judgement, made_by: str
) -> Weights:
    heads, ridge = heads_of(design, samples), design.ridge()
    return Weights(
        game=game.id,
        made_by=made_by,
        games=len({sample.game for sample in samples}),
        positions=len(samples),
        log_loss=round(judged.log_loss, 4),
        auc=round(judged.auc, 4),
        model=model_of(design, heads.fit(ridge)),
        resampled=tuple(model_of(design, heads.among(some).fit(ridge)) for some in _resampled(samples)),
    )


def _resampled(samples: Sequence[Sample]) -> Iterator[list[int]]:
    """The positions of as many deals as there are, drawn from them with replacement, again and again."""
    by_deal: dict[int | str, list[int]] = {}
    for place, sample in enumerate(samples):
        by_deal.setdefault(sample.dealt, []).append(place)
    rng = random.Random("resampled")
    for _ in range(RESAMPLED):
        yield [place for deal in rng.choices(list(by_deal), k=len(by_deal)) for place in by_deal[deal]]

"""`bulge tune`: a fit that finds what made the games, judged by games that it has not seen."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bulge.cli.tune import _made_by
from bulge.core import journal as journals
from bulge.core.data import Overrides
from bulge.core.journal import journal_of
from bulge.core.match import Match
from bulge.games import load_game
from bulge.lab.plan import deciders, plan_of
from bulge.lab.run import carry_out, here
from bulge.lab.store import Folder
from bulge.lab.tune import (
    FOLDS,
    Sample,
    auc,
    calibration,
    chances_of,
    design_of,
    heads_of,
    judge,
    samples_of,
    tune,
    unseen_chances,
    ways_to_win,
)
from bulge.players.chances import Weights
from tests.cli.conftest import Bulge
from tests.helpers import SEED

FORD = load_game("ford")
B1_OF_FIVE = "[ford.units.B1]\nstrength = 5\n"


def made_up(games: int, seed: int = 1) -> list[Sample]:
    """Games whose winner follows from `men` and, late, from `towns`; `noise` says nothing."""
    rng, samples = random.Random(seed), []
    for game in range(games):
        for turn in range(1, 5):
            men, towns, noise = (rng.gauss(0, 1) for _ in range(3))
            logit = 1.5 * men + 2.0 * towns * turn / 4
            won = float(rng.random() < 1 / (1 + exp(-logit)))
            samples.append(Sample(game, "bridge", turn, "move", {"men": men, "towns": towns, "noise": noise}, won))
    return samples


@pytest.mark.slow
def test_the_fit_finds_what_the_games_were_made_of() -> None:
    tuned = tune(FORD, made_up(3000), "made up")
    steady, growing = zip(*(tuned.weights.model.terms[name] for name in ("men", "towns", "noise")), strict=True)
    assert steady[0] + growing[0] == pytest.approx(1.5, abs=0.3)
    assert steady[1] + growing[1] == pytest.approx(2.0, abs=0.4)
    assert abs(steady[2] + growing[2]) < 0.2
    assert tuned.overall[1].log_loss < tuned.overall[0].log_loss, "the terms tell more than their sum"
    for band in tuned.bands:
        assert band.given == pytest.approx(band.won, abs=0.1)


def test_a_scenario_that_one_side_wins_more_often_adds_to_its_chances() -> None:
    rng = random.Random(2)
    won = {"bridge": 0.3, "cards": 0.8}
    samples = [
        Sample(game, scenario, turn, "move", {"men": 0.0}, float(rng.random() < won[scenario]))
        for game, scenario in enumerate(["bridge", "cards"] * 500)
        for turn in range(1, 5)
    ]
    model = tune(FORD, samples, "").weights.model
    for scenario, part in won.items():
        assert model.chance({"men": 0.0}, scenario, 1, "move") == pytest.approx(part, abs=0.05)


@pytest.mark.parametrize("fold", range(FOLDS))
def test_no_game_is_judged_by_a_fit_that_has_seen_it(fold: int) -> None:
    """Whatever became of the games of a fold, what is said of them stays the same."""
    samples = made_up(100)
    spoilt = [sample._replace(won=1 - sample.won) if sample.game % FOLDS == fold else sample for sample in samples]
    design = design_of(samples)
    same = unseen_chances(design, spoilt) == unseen_chances(design, samples)
    for sample, as_before in zip(samples, same, strict=True):
        assert as_before == (sample.game % FOLDS == fold)


def test_no_game_is_judged_by_a_fit_that_has_seen_another_one_of_its_deal() -> None:
    """Two runs of one seed: the second's games have the dice of the first's."""
    samples = [sample._replace(deal=str(sample.game % 48)) for sample in made_up(96)]
    design = design_of(samples)
    spoilt = [sample._replace(won=1 - sample.won) if sample.deal == "7" else sample for sample in samples]
    same = unseen_chances(design, spoilt) == unseen_chances(design, samples)
    assert all(as_before for sample, as_before in zip(samples, same, strict=True) if sample.deal == "7")
    assert not all(same)


def test_where_single_terms_tell_nothing_only_their_sum_counts() -> None:
    """Forty games in which every term counts alike: apart from each other they only tell of chance."""
    rng = random.Random(4)
    samples = []
    for game in range(40):
        for turn in range(1, 5):
            terms = {f"term {number}": rng.gauss(0, 1) for number in range(12)}
            won = float(rng.random() < 1 / (1 + exp(-sum(terms.values()) / 2)))
            samples.append(Sample(game, "bridge", turn, "move", terms, won))
    steady = [sum(weights) for weights in tune(FORD, samples, "").weights.model.terms.values()]
    design = design_of(samples)
    (loose,) = heads_of(design, samples).fit(design.ridge())
    assert max(steady) - min(steady) < 0.3 * float(np.ptp(loose[:12] + loose[12:24]))


def by_leaving_or_by_points(games: int) -> list[Sample]:
    """Games that are won by leaving the map if `road` is high, and else by `points`."""
    rng, samples = random.Random(5), []
    for game in range(games):
        road, points = rng.gauss(0, 1), rng.gauss(0, 1)
        left = rng.random() < 1 / (1 + exp(3 - 3 * road))
        won = left or rng.random() < 1 / (1 + exp(-3 * points))
        way = "4.2" if left else "4.3" if won else ""
        samples += [
            Sample(game, "campaign", turn, "move", {"road": road, "points": points}, float(won), way)
            for turn in (1, 2)
        ]
    return samples


def test_each_way_to_win_has_chances_of_its_own() -> None:
    samples = by_leaving_or_by_points(600)
    one_way = [sample._replace(way="") for sample in samples]
    apart, together = (tune(FORD, each, "") for each in (samples, one_way))
    assert (ways_to_win(samples), ways_to_win(one_way)) == (["4.2"], [])
    assert apart.overall[1].log_loss < together.overall[1].log_loss - 0.01
    leaving, otherwise = apart.weights.model, apart.weights.model.otherwise
    assert otherwise is not None
    assert otherwise.otherwise is None
    assert sum(leaving.terms["road"]) > 10 * abs(sum(leaving.terms["points"]))
    assert sum(otherwise.terms["points"]) > 10 * abs(sum(otherwise.terms["road"]))
    assert together.weights.model.otherwise is None


def test_a_way_that_hardly_anybody_won_by_has_no_chances_of_its_own() -> None:
    samples = by_leaving_or_by_points(20)
    assert ways_to_win(samples) == []
    assert tune(FORD, samples, "").weights.model.otherwise is None


@pytest.mark.parametrize("samples", [made_up(300), by_leaving_or_by_points(200)], ids=["one way", "two ways"])
def test_the_file_gives_the_same_chances_as_the_fit(samples: list[Sample]) -> None:
    design = design_of(samples)
    weights = tune(FORD, samples, "").weights.model
    heads = heads_of(design, samples)
    (fitted,) = chances_of(heads.rows[:1], heads.fit(design.ridge()))
    one = samples[0]
    found = weights.chance(one.features, one.scenario, one.turn, one.step)
    assert found == pytest.approx(fitted, abs=1e-4)


def test_fits_to_games_drawn_anew_lie_around_the_fit() -> None:
    weights = tune(FORD, made_up(300), "").weights
    men = sorted(sum(model.terms["men"]) for model in weights.resampled)
    assert men[0] < sum(weights.model.terms["men"]) < men[-1]
    assert tune(FORD, made_up(300), "").weights == weights, "the same games give the same file"


def test_auc_counts_pairs_in_the_right_order() -> None:
    chances, won = np.array([0.1, 0.4, 0.35, 0.8]), np.array([0.0, 0.0, 1.0, 1.0])
    assert auc(chances, won) == pytest.approx(0.75)
    assert auc(chances, np.array([1.0, 1.0, 1.0, 1.0])) == 0.5


def test_pairs_that_were_given_the_same_count_half() -> None:
    """Positions of the first turn are often the same in many games: whoever cannot tell them apart guesses."""
    won = np.array([0.0, 1.0, 0.0, 1.0])
    assert auc(np.full(4, 0.4), won) == 0.5
    assert auc(np.array([0.4, 0.4, 0.2, 0.7]), won) == pytest.approx(0.875)


def test_a_guess_has_the_loss_of_a_coin() -> None:
    samples = made_up(50)
    assert judge(np.full(len(samples), 0.5), samples).log_loss == pytest.approx(0.693, abs=1e-3)
    assert [band.positions for band in calibration(np.full(len(samples), 0.5), samples)] == [len(samples)]


def test_positions_are_those_at_the_end_of_a_phase() -> None:
    match = Match(FORD, seed=SEED)
    while match.decision is not None:
        match.choose(match.decision.options[-1])
    samples = samples_of(FORD, journal_of(match), 7)
    assert [sample.step for sample in samples[:4]] == ["blue_move", "blue_fight", "red_move", "red_fight"]
    assert {sample.game for sample in samples} == {7}
    assert match.result is not None
    assert {sample.won for sample in samples} == {float(match.result.winner == "Blue")}


@pytest.mark.slow
def test_the_command_reads_runs_and_writes_weights(bulge: Bulge, home: Path) -> None:
    simulated = bulge("sim", "ford", "--games", "40", "--jobs", "1", "--journals", "--out", "run")
    assert simulated.code == 0, simulated.err
    outcome = bulge("tune", "ford", "run", "--out", "weights.json")
    assert outcome.code == 0, outcome.err
    assert "from 40 games" in outcome.lines[0]
    weights = msgspec.json.decode(Path("weights.json").read_bytes(), type=Weights)
    assert weights.game == "ford"
    assert "bulge sim ford" in weights.made_by


def play_run(path: str, games: int, *, red: str = "greedy", overrides: str = "") -> None:
    """A run of The Ford with its journals."""
    game = load_game("ford", Overrides(overrides, "mine.toml") if overrides else None)
    plan = plan_of(game, {"Blue": "random", "Red": red}, games=games, journals=True, overrides=overrides)
    carry_out(Folder(Path(path), plan, game.sides), here, lambda played: None)


@pytest.mark.slow
def test_runs_that_cannot_teach_anything_are_refused(bulge: Bulge, home: Path) -> None:
    """Nothing is read before it is known that the file can be written, and nothing that is there is lost."""
    play_run("mixed", 22, red="random")
    play_run("onesided", 20)
    play_run("changed", 20, overrides=B1_OF_FIVE)
    Path("weights.json").write_text("kept")
    for words, complaint in [
        (("mixed", "mixed"), "is in these runs twice"),
        (("onesided",), "all 20 games ended alike"),
        (("changed",), "changed was played with overrides of its own"),
        (("mixed", "--out", "mixed"), "mixed is a folder; name a file"),
        (("mixed", "--out", "weights.json/of/ford.json"), "weights.json/of/ford.json cannot be written"),
    ]:
        outcome = bulge("tune", "ford", "--out", "weights.json", *words)
        assert (outcome.code, outcome.out) == (2, ""), words
        assert complaint in outcome.err
        assert len(outcome.err.strip().splitlines()) == 1 + outcome.err.count("Reading games")
    assert Path("weights.json").read_text() == "kept"


def test_the_command_that_made_a_run_is_told_so_that_it_can_be_given_again(home: Path) -> None:
    game = load_game("bastogne")
    sides = dict.fromkeys(deciders(game, ["sectors"]), "greedy")
    Folder(Path("run"), plan_of(game, sides, games=3, scenarios=("sectors",)), game.sides)
    assert "--us greedy --us-north greedy" in _made_by(Path("run"), [])
    cards = plan_of(FORD, {"Blue": "greedy", "Red": "random"}, games=3, options={"breakthrough": "yes"})
    Folder(Path("with options"), cards, FORD.sides)
    assert "--option breakthrough=yes" in _made_by(Path("with options"), [])


def test_the_command_that_made_a_run_names_its_overrides(home: Path) -> None:
    play_run("changed", 1, overrides=B1_OF_FIVE)
    assert _made_by(Path("changed"), ["--overrides", "my own.toml"]).startswith(
        "bulge --overrides 'my own.toml' sim ford --scenario bridge"
    )


def test_weights_of_a_changed_game_say_so(bulge: Bulge, home: Path) -> None:
    Path("mine.toml").write_text(B1_OF_FIVE)
    play_run("changed", 20, red="random", overrides=B1_OF_FIVE)
    outcome = bulge("--overrides", "mine.toml", "tune", "ford", "changed", "--out", "weights.json")
    assert outcome.code == 0, outcome.err
    weights = msgspec.json.decode(Path("weights.json").read_bytes(), type=Weights)
    assert weights.made_by.startswith("bulge --overrides mine.toml sim ford")


def test_only_whole_runs_teach(bulge: Bulge, home: Path) -> None:
    """Weights name the command that made the games: of fewer games it would not have made them."""
    play_run("run", 21, red="random")
    Path("run/journals/bridge-00007.json").unlink()
    outcome = bulge("tune", "ford", "run", "--out", "weights.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert "run has lost 1 of its 21 journals: bridge-00007.json is the first" in outcome.err
    Path("run/results.parquet").unlink()
    outcome = bulge("tune", "ford", "run", "--out", "weights.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the run in run is not complete" in outcome.err
    assert not Path("weights.json").exists()


def test_a_game_that_is_not_over_or_ends_otherwise_now_is_refused(bulge: Bulge, home: Path) -> None:
    play_run("run", 20, red="random")
    file = sorted(Path("run/journals").iterdir())[3]
    whole = journals.read(file)
    match = Match(FORD, whole.scenario, seed=whole.seed)
    for choice in whole.choices[:-1]:
        match.answer(choice)
    half = journal_of(match)
    other = {"Blue": "Red", "Red": "Blue"}[whole.winner or ""]
    wrong = msgspec.structs.replace(whole, winner=other)
    wrong.check = journals._check_of(wrong)
    for journal in (half, wrong):
        journals.save(journal, file)
        outcome = bulge("tune", "ford", "run", "--out", "weights.json")
        assert outcome.code == 2
        assert f"{file}: it does not lead to the end that it tells of" in outcome.err
    assert not Path("weights.json").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(("ford", "nowhere"), "holds no run"), (("the_bulge", "run"), "holds games of ford, not of the_bulge")],
)
def test_mistakes_are_refused(bulge: Bulge, words: tuple[str, ...], complaint: str) -> None:
    bulge("sim", "ford", "--games", "2", "--jobs", "1", "--out", "run")
    outcome = bulge("tune", *words, "--out", "weights.json")
    assert outcome.code == 2
    assert complaint in outcome.err

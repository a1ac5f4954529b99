"""Which runs of the atlas belong together: told from their plans alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bulge.core.errors import BulgeError
from bulge.lab.atlas.chapters import chapters_of, in_place_of, shipped_chapters, shipped_runs
from bulge.lab.atlas.make import SERVED, write
from bulge.lab.atlas.runs import Run, besides
from bulge.lab.atlas.shipped import all_shipped, game_name, kept_games, name_of, ship
from bulge.lab.plan import Plan
from bulge.lab.report.sample import Sample, read_samples
from tests.cli.conftest import Bulge

pytestmark = pytest.mark.slow


def run(
    level: str = "greedy", what_if: str = "", *, game: str = "the_bulge", allied: str = "", **others: Any
) -> Run:
    sides = {"German": level, "Allied": allied or level} if game != "bastogne" else {"US": level}
    plan = Plan(game, ("campaign",), sides, 10, "atlas")
    return Run(msgspec.structs.replace(plan, **others), "campaign", what_if)


# ---------------------------------------------------------------------- which is which


def test_the_run_by_players_that_do_not_plan_ahead_is_the_plain_one_in_whatever_order() -> None:
    assert besides([run("greedy"), run("veteran")]) == [None, 0]
    assert besides([run("regular"), run("random")]) == [1, None]
    assert besides([run("greedy"), run("regular"), run("veteran"), run("greedy", allied="veteran")]) == [
        None,
        0,
        0,
        0,
    ]


def test_a_run_alone_is_plain_whoever_plays_it() -> None:
    assert besides([run("veteran")]) == [None]
    assert besides([run("veteran"), run("greedy", game="enemy_action")]) == [None, None]


def test_number_of_games_journals_and_a_quicker_program_may_differ() -> None:
    assert besides([run(), run("veteran", games=3, journals=True, made_by="another")]) == [None, 0]


@pytest.mark.parametrize(
    ("differs", "name"),
    [({"seed": "2"}, "seed"), ({"options": {"fog": "on"}}, "options"), ({"overrides": "[x]"}, "overrides")],
)
def test_runs_that_differ_in_more_than_players_are_refused(differs: dict[str, Any], name: str) -> None:
    with pytest.raises(BulgeError, match=f"they differ in {name}, and may only in players"):
        besides([run(), run("veteran", **differs)])


def test_an_if_is_laid_beside_the_run_by_the_same_players() -> None:
    assert besides([run(), run("veteran"), run("veteran", "Fog")]) == [None, 0, 1]
    assert besides([run("greedy", "Fog"), run("veteran"), run()]) == [2, 2, None]


def test_an_if_without_a_run_by_the_same_players_is_refused() -> None:
    with pytest.raises(
        BulgeError, match="by the same players to be compared with: there is the_bulge, scenario campaign"
    ):
        besides([run(), run("veteran", "Fog")])
    with pytest.raises(BulgeError, match="there is none of that game"):
        besides([run(game="enemy_action"), run("veteran", "Fog")])


def test_runs_that_cannot_be_told_apart_are_refused() -> None:
    for named, words in (
        ((run(), run(games=20)), "by the same players"),
        ((run(), run("random")), "in none of these runs anybody plans ahead"),
        ((run("regular"), run("veteran")), "which of these is the plain run"),
        ((run(), run("greedy", "Fog"), run("greedy", "Fog", seed="2")), "two runs are called 'Fog'"),
    ):
        with pytest.raises(BulgeError, match=words):
            besides(named)


def test_where_nobody_searches_the_stronger_levels_are_one_player() -> None:
    bastogne = run("veteran", game="bastogne")
    assert not bastogne.plans_ahead
    with pytest.raises(BulgeError, match="by the same players"):
        besides([run(game="bastogne"), bastogne])
    assert besides([run(game="bastogne"), run("general", "Rain", game="bastogne")]) == [None, 0]


def test_two_scenarios_are_two_models() -> None:
    assert besides([run(), run()._replace(scenario="another")]) == [None, None]


# ---------------------------------------------------------------------- names


def test_a_file_says_who_plays_only_where_somebody_plans_ahead() -> None:
    assert name_of(run()) == "the_bulge"
    assert name_of(run("veteran")) == "the_bulge--by-veteran"
    assert name_of(run("greedy", allied="general")) == "the_bulge--by-greedy-german-and-general-allied"
    assert name_of(run("greedy", "Patton, late")) == "the_bulge--patton-late"
    assert name_of(run("regular", "Patton, late")) == "the_bulge--patton-late--by-regular"
    assert name_of(run("veteran", game="bastogne")) == "bastogne"
    assert game_name(run(), 12) == "12"
    assert game_name(run("veteran"), 12) == "by-veteran-12"


# ---------------------------------------------------------------------- from runs to a page


@pytest.fixture
def played(bulge: Bulge, home: Path) -> tuple[Path, Path]:
    """Two games by greedy; and two that are given out as a planner's, which would take long to play."""
    common = ("sim", "the_bulge", "--german", "random", "--games", "3", "--jobs", "1", "--journals", "--seed", "s")
    assert bulge(*common, "--allied", "random", "--out", "plain").code == 0
    assert bulge(*common, "--allied", "greedy", "--out", "other").code == 0
    plan = msgspec.json.decode(Path("other/run.json").read_bytes())
    Path("other/run.json").write_bytes(
        msgspec.json.encode(plan | {"players": {"German": "veteran", "Allied": "veteran"}})
    )
    return Path("plain"), Path("other")


def test_shipping_players_that_plan_ahead_leaves_the_plain_run_alone(
    bulge: Bulge, played: tuple[Path, Path]
) -> None:
    assert bulge("atlas", "--out", "one", "--run", "plain", "--ship", "shipped").code == 0
    before = Path("shipped/the_bulge.json.gz").read_bytes()
    outcome = bulge("atlas", "--out", "two", "--run", "other", "--ship", "shipped")
    assert outcome.code == 0, outcome.err
    assert Path("shipped/the_bulge.json.gz").read_bytes() == before
    assert sorted(file.name for file in Path("shipped").iterdir()) == [
        "the_bulge--by-veteran.json.gz", "the_bulge.json.gz",
    ]  # fmt: skip
    assert [run.plans_ahead for run in (found.run for found in all_shipped(Path("shipped")))] == [False, True]
    plain, ahead = shipped_chapters(Path("shipped"))
    assert ahead.beside is plain
    html = write(Path("served"), [plain, ahead], SERVED).read_text("utf-8")
    assert "When players plan ahead" in html
    assert "The Bulge: by veteran" in html
    assert html.count('<article class="card model"') == 1, "one model, however many play it"
    assert "3 deals that were played both ways" in html
    assert "./#/game/the_bulge/0/" in html
    assert "./#/game/the_bulge/by-veteran-0/" in html
    assert "only when veteran played" in html
    for sheet in ("fronts.png", "fronts-planned.png"):
        assert f'href="atlas/{sheet}"' in html
        assert Path("served", sheet).stat().st_size > 10_000


def test_a_run_that_does_not_fit_is_not_shipped(bulge: Bulge, played: tuple[Path, Path]) -> None:
    assert bulge("atlas", "--out", "one", "--run", "plain", "--ship", "shipped").code == 0
    plan = msgspec.json.decode(Path("other/run.json").read_bytes())
    Path("other/run.json").write_bytes(msgspec.json.encode(plan | {"seed": "t"}))
    outcome = bulge("atlas", "--out", "two", "--run", "other", "--ship", "shipped")
    assert outcome.code == 2
    assert "they differ in seed" in outcome.err
    assert [file.name for file in Path("shipped").iterdir()] == ["the_bulge.json.gz"]
    assert not Path("two/atlas.html").exists()


def test_what_is_shipped_is_a_model_of_the_atlas_with_one_scenario(bulge: Bulge, home: Path) -> None:
    assert (
        bulge(
            "sim", "ford", "--blue", "random", "--red", "random", "--games", "2", "--jobs", "1", "--out", "f"
        ).code
        == 0
    )
    (ford,) = read_samples(Path("f"))
    with pytest.raises(BulgeError, match="the atlas has no model 'ford'"):
        ship([(ford, "")], Path("shipped"))
    plan = msgspec.structs.replace(ford.plan, game="the_bulge", scenarios=("campaign", "another"))
    two = Sample(ford.path, plan, run().plan.load(), "campaign", ford.rows)
    with pytest.raises(BulgeError, match="has one scenario, not campaign, another"):
        ship([(two, "")], Path("shipped"))
    assert not Path("shipped").exists()


def test_own_runs_take_the_place_of_shipped_ones_of_the_same_name() -> None:
    given = shipped_runs()
    patton = next(each for each in given if each[1])
    laid = in_place_of(given, [patton])
    assert len(laid) == len(given)
    assert len(chapters_of(laid)) == len(given)


def test_games_of_shipped_planners_are_kept_under_names_of_their_own() -> None:
    plain_or_ahead = [shipped for shipped in all_shipped() if not shipped.what_if]
    assert len(kept_games()) == sum(len(shipped.kept) for shipped in plain_or_ahead), "none hides another"
    for shipped in plain_or_ahead:
        assert all(
            (shipped.plan.game, game_name(shipped.run, kept.number)) in kept_games() for kept in shipped.kept
        )

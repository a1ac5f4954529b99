"""`bulge atlas`: figures that follow from runs, one ground for all maps, sentences that the figures support."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bulge.core.hexes import HexBoard
from bulge.core.journal import verify
from bulge.core.spaces import members
from bulge.games import GAMES, load_game
from bulge.geo.projection import km
from bulge.lab.atlas import make
from bulge.lab.atlas.chapters import shipped_chapters
from bulge.lab.atlas.figures import Chances, Day, ModelFigures, figures_of
from bulge.lab.atlas.findings import differences, findings, same_deals
from bulge.lab.atlas.ground import WHOLE, areas, grown, joined, line_of_1944, place, towns, window_of
from bulge.lab.atlas.make import SERVED, write
from bulge.lab.atlas.models import PAGE, models, rebuilt
from bulge.lab.atlas.page import apart
from bulge.lab.atlas.shares import Share
from bulge.lab.atlas.shipped import Shipped, all_shipped
from bulge.lab.atlas.siege import Siege
from bulge.lab.atlas.spearhead import Reach
from bulge.lab.ground import Ground
from tests.cli.conftest import Bulge

pytestmark = pytest.mark.slow
PLAYABLE = [id_ for id_ in models() if id_ in GAMES]


@pytest.fixture
def made(bulge: Bulge, home: Path) -> Path:
    outcome = bulge("atlas", "--out", "atlas", "--play", "--games", "3", "--player", "random", "--jobs", "1",
                    "--model", "bastogne", "--model", "the_bulge")  # fmt: skip
    assert outcome.code == 0, outcome.err
    return Path("atlas")


# ---------------------------------------------------------------------- models


@pytest.mark.parametrize("id_", PLAYABLE)
def test_a_model_names_a_scenario_and_rules_that_exist(id_: str) -> None:
    game, model = load_game(id_), models()[id_]
    game.scenario(model.scenario)
    for what, _, number in model.assumes:
        assert number in game.rulebook, f"{what} cites {number}"


@pytest.mark.parametrize("id_", PLAYABLE)
def test_what_is_rebuilt_is_counted(id_: str) -> None:
    some, rows = rebuilt(load_game(id_))
    assert 0 < some < rows


# ---------------------------------------------------------------------- ground


def test_hexes_that_touch_become_one_area_with_few_corners() -> None:
    ground = Ground(load_game("the_bulge"))
    shapes = areas(ground)
    middle = ground.places()["Bastogne"]
    assert isinstance(ground.board, HexBoard)
    shapes = grown(shapes)
    rose = joined(shapes[space] for space in (middle, *members(ground.board.next_to(middle))))
    assert rose.geom_type == "Polygon"
    assert len(rose.exterior.coords) == 18 + 1, "six outer hexes with three free corners each"
    assert not rose.interiors


def test_a_hex_lies_where_its_town_is() -> None:
    ground = Ground(load_game("the_bulge"))
    bastogne = ground.places()["Bastogne"]
    x, y = km(50.0, 5.716)
    shape = areas(ground)[bastogne]
    assert shape.distance(type(shape.centroid)(x, y)) < 3
    assert shape.area == pytest.approx(5.36**2 * 0.866, rel=0.1), "a hex of 5.36 km"


def test_models_of_the_whole_battle_share_one_window() -> None:
    assert window_of(areas(Ground(load_game("the_bulge")))) == WHOLE
    assert window_of(areas(Ground(load_game("ardennes_offensive")))) == WHOLE
    near = window_of(areas(Ground(load_game("bastogne"))))
    assert near.width < WHOLE.width / 3
    assert [name for name, _, _ in towns(near)] == ["Bastogne"]


def test_north_is_up_and_the_line_of_1944_moves_west() -> None:
    assert place((WHOLE.west, WHOLE.north), WHOLE) == (0, 0)
    assert place((WHOLE.east, WHOLE.south), WHOLE)[1] > 0
    first, later = line_of_1944(16, WHOLE), line_of_1944(24, WHOLE)
    assert first != later
    assert later


# ---------------------------------------------------------------------- figures and page


def test_the_page_stands_alone_and_has_every_model(made: Path) -> None:
    html = (made / "atlas.html").read_text("utf-8")
    assert "One battle, two models" in html
    assert html.count('<article class="card model"') == 2
    assert "src=" not in html
    for name in ("figures.csv", "figures.json", "depth.svg", "depth.png", "wins.svg"):
        assert (made / name).stat().st_size > 100
        assert f'href="{name}"' in html


def test_labels_that_would_cover_each_other_are_moved_apart() -> None:
    heights = [100.0, 104.0, 300.0, 101.0]
    moved = [at + shift for at, shift in zip(heights, apart(heights, 15), strict=True)]
    first, second, third, last = sorted(moved)
    assert second - first == pytest.approx(15)
    assert third - second == pytest.approx(15)
    assert last - third > 15
    assert moved[0] < moved[3] < moved[1] < moved[2], "in the order of what they name"
    assert sum(moved) == pytest.approx(sum(heights))
    assert apart([10.0, 50.0], 15) == [0.0, 0.0]


def test_a_picture_that_stands_alone_brings_all_of_its_style(made: Path) -> None:
    pictures = list(made.glob("*.svg"))
    assert {"depth", "wins", "fronts", "spearhead-the_bulge", "siege-the_bulge"} <= {
        file.stem for file in pictures
    }
    for file in pictures:
        drawn = file.read_text("utf-8")
        used = {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()}
        styled = set(
            re.findall(r"\.([a-z][\w-]*)", "".join(re.findall(r"<style>(.*?)</style>", drawn, re.DOTALL)))
        )
        assert used <= styled, f"{file.name} has no style for {used - styled}"


def test_the_figures_are_those_of_the_runs(made: Path) -> None:
    found = msgspec.json.decode((made / "figures.json").read_bytes(), type=list[ModelFigures])
    assert [model.game for model in found] == ["the_bulge", "bastogne"], "in the order of the atlas"
    bulge_ = found[0]
    assert bulge_.games == 3
    assert [day.day for day in bulge_.days] == sorted(day.day for day in bulge_.days)
    assert bulge_.days[0].day == 16
    assert all(day.depth[0] <= day.depth[1] <= day.depth[2] for day in bulge_.days)
    with (made / "figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    depths = [row for row in rows if row["figure"] == "depth"]
    assert len(depths) == sum(len(model.days) for model in found)
    assert tuple(float(depths[0][name]) for name in ("low", "value", "high")) == bulge_.days[0].depth
    held = next(row for row in rows if row["figure"].startswith("held "))
    assert float(held["low"]) <= float(held["value"]) <= float(held["high"]), "a share has its interval"
    last, reached = bulge_.days[-1], [row for row in rows if row["figure"].startswith("had come to the Meuse")]
    assert last.reach is not None
    assert len(reached) == len(bulge_.days) * (1 + len(last.reach.sectors))
    assert {row["game"] for row in rows if row["figure"].startswith("Bastogne ")} == {"the_bulge"}
    assert {row["players"] for row in rows} == {"random"}


def test_the_same_runs_give_the_same_page(made: Path, bulge: Bulge) -> None:
    before = (made / "atlas.html").read_bytes()
    outcome = bulge("atlas", "--out", "again", "--run", "atlas/the_bulge", "--run", "atlas/bastogne")
    assert outcome.code == 0, outcome.err
    assert Path("again/atlas.html").read_bytes() == before


def test_mistakes_are_refused(bulge: Bulge, home: Path) -> None:
    for wrong, words in (
        (("--play", "--model", "chess"), "has no model 'chess'"),
        (("--play", "--run", "somewhere"), "one or the other"),
        (("--what-if", "no folder"), "written as NAME=DIR"),
    ):
        outcome = bulge("atlas", "--out", "atlas", *wrong)
        assert outcome.code == 2
        assert words in outcome.err


# ---------------------------------------------------------------------- shipped results, and what if


def test_shipped_results_give_the_figures_of_the_run(bulge: Bulge, home: Path) -> None:
    run = ("sim", "bastogne", "--us", "random", "--games", "3", "--jobs", "1", "--journals")
    assert bulge(*run, "--out", "run").code == 0
    assert bulge("atlas", "--out", "one", "--run", "run", "--ship", "shipped").code == 0
    (shipped,) = all_shipped(Path("shipped"))
    again = figures_of(shipped.sample())
    written = msgspec.json.decode(Path("one/figures.json").read_bytes(), type=list[ModelFigures])
    assert [again] == written
    assert shipped.version
    assert shipped.plan.seed == "1"
    assert {kept.number for kept in shipped.kept} == {0, 1, 2}
    kept = shipped.kept[0]
    verdict = verify(load_game("bastogne"), kept.journal)
    assert not verdict.faults, "a game that is kept can be played again"
    evenings = list(kept.evenings.values())
    assert evenings == sorted(evenings)
    assert evenings[-1] == len(kept.journal.choices)


def test_a_served_page_leads_to_games_and_has_no_script_of_its_own(bulge: Bulge, home: Path) -> None:
    run = ("sim", "bastogne", "--us", "random", "--games", "2", "--jobs", "1", "--journals", "--out", "run")
    assert bulge(*run).code == 0
    assert bulge("atlas", "--out", "one", "--run", "run", "--ship", "shipped").code == 0
    html = write(Path("served"), shipped_chapters(Path("shipped")), SERVED).read_text("utf-8")
    assert '<script src="atlas/page.js"></script>' in html
    assert "<script>" not in html
    assert "./#/game/bastogne/0/" in html
    assert 'href="atlas/figures.csv"' in html


def test_a_page_is_there_as_a_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever asks a server while it is being written must not be given half of it."""
    monkeypatch.setattr(make, "page", lambda *_: "the whole page")
    written: list[str] = []

    def noted(file: Path, text: str, _: str) -> None:
        written.append(file.name)
        file.write_bytes(text.encode())

    monkeypatch.setattr(Path, "write_text", noted)
    assert write(tmp_path, []).read_text() == "the whole page"
    assert PAGE not in written


def test_a_run_with_an_if_is_laid_over_the_plain_one(bulge: Bulge, home: Path) -> None:
    run = ("sim", "bastogne", "--us", "random", "--games", "3", "--jobs", "1")
    assert bulge(*run, "--out", "plain").code == 0
    assert bulge(*run, "--out", "other", "--seed", "2").code == 0
    outcome = bulge("atlas", "--out", "one", "--run", "plain", "--what-if", "Other dice=other")
    assert outcome.code == 0, outcome.err
    html = Path("one/atlas.html").read_text("utf-8")
    assert "One battle, one models" not in html
    assert "Bastogne: Other dice" in html
    assert "instead of" in html
    rows = list(csv.DictReader(Path("one/figures.csv").read_text("utf-8").splitlines()))
    assert {row["what_if"] for row in rows} == {"", "Other dice"}


def test_what_lies_within_the_intervals_is_called_chance() -> None:
    plain, other = model("One", 50, {"Spa": 0.1}), model("One", 60, {"Spa": 0.9})
    said = differences(plain, other)
    assert "the intervals overlap" in said[0]
    assert "stands 60 km deep (55 to 65 in half of the games) instead of 50 (45 to 55)" in said[1]
    assert said[2] == "Towns held then: Spa 90% instead of 10%."
    assert differences(plain, plain)[2] == "No town then differs beyond chance."


# ---------------------------------------------------------------------- findings


def model(title: str, depth: float, towns_held: dict[str, float], history: float = 80.0) -> ModelFigures:
    held = {town: Share(share, share - 0.05, share + 0.05) for town, share in towns_held.items()}
    chances = Chances(Share(0.5, 0.2, 0.8), Share(0.5, 0.2, 0.8), None)
    days = tuple(Day(day, (depth - 5, depth, depth + 5), history, held, {}, chances, 1.0) for day in (16, 24))
    return ModelFigures(
        game=title, title=title, scenario="", games=10, command="", made_by="", won=Share(0.5, 0.2, 0.8),
        drawn=0.0, attacker="German", days=days, rebuilt=(1, 2), unit="km", loss_words="steps",
    )  # fmt: skip


def said(found: Sequence[ModelFigures]) -> dict[str, str]:
    return dict(findings(found))


def late(one: ModelFigures, **others: object) -> ModelFigures:
    """The same with more on its last day."""
    *days, last = one.days
    return msgspec.structs.replace(one, days=(*days, msgspec.structs.replace(last, **others)))


def reach(meuse: float, **sectors: float) -> Reach:
    def share(of: float) -> Share:
        return Share(of, of - 0.05, of + 0.05)

    by_sector = {sector.replace("_", "–"): share(some) for sector, some in sectors.items()}
    return Reach(((50.2, 5.0, 10),), (5.0, 10.0, 15.0), share(meuse), by_sector)


def siege(free: float, besieged: float, taken: float) -> Siege:
    return Siege(*(Share(share, share - 0.05, share + 0.05) for share in (free, besieged, taken, besieged)))


def test_it_is_said_who_comes_to_the_river_and_where_most() -> None:
    one = late(model("One", 50, {}), reach=reach(0.9, Namur=0.2, Huy_Liège=0.8))
    two = late(model("Two", 50, {}), reach=reach(0.4, Givet_Dinant=0.4, Huy_Liège=0.1))
    none = late(model("None", 50, {}), reach=reach(0.0, Namur=0.0))
    words = said([one, none])["They drive elsewhere"]
    assert "90% of those of One (most at Huy–Liège, 80%) and 0% of those of None." in words
    assert "40% of those of Two (most at Givet–Dinant, 40%)" in said([one, two])["To the Meuse"]
    assert "To the Meuse" in said([none]), "who comes nowhere drives nowhere else"


def test_it_is_said_in_which_models_bastogne_is_besieged() -> None:
    one = late(model("One", 50, {}), siege=siege(0.1, 0.8, 0.1))
    two = late(model("Two", 50, {}), siege=siege(0.2, 0.1, 0.7))
    other = late(model("Three", 50, {}), siege=siege(0.0, 0.2, 0.8))
    words = said([one, two, other])["A siege of Bastogne"]
    assert "it is besieged most often in One (80%); taken most often in Two (70%) and Three (80%)." in words
    assert "No siege of Bastogne" in said([two])
    assert not {head for head in said([model("One", 50, {})]) if "Bastogne" in head}


def test_what_another_run_changes_at_the_river_and_around_the_town_is_named_beyond_chance() -> None:
    plain = late(model("One", 50, {}), reach=reach(0.3, Namur=0.3), siege=siege(0.9, 0.0, 0.1))
    other = late(model("One", 50, {}), reach=reach(0.8, Namur=0.35), siege=siege(0.4, 0.5, 0.1))
    assert differences(plain, other)[3] == (
        "Also by then: at the Meuse 80% instead of 30%; Bastogne free 40% instead of 90%; "
        "Bastogne besieged 50% instead of 0%."
    )
    assert (
        differences(plain, plain)[3] == "Neither at the Meuse nor around Bastogne anything differs beyond chance."
    )


def test_findings_name_what_the_figures_show() -> None:
    one = model("One", 50, {"St. Vith": 0.9, "Spa": 0.1, "Marche": 0.8})
    two = model("Two", 60, {"St. Vith": 0.95, "Spa": 0.05, "Marche": 0.1})
    words = said([one, two])
    assert "St. Vith is German" in words["They agree"]
    assert "Spa is German in few games or none" in words["They agree"]
    assert "most about Marche" in words["They differ"]
    assert "80% of the games of One" in words["They differ"]
    assert "Two comes nearest, with 60 of 80 km" in words["None of them"]


def test_a_model_that_goes_deeper_than_history_is_named() -> None:
    words = said([model("One", 50, {}), model("Two", 90, {})])
    assert words["Deeper than history"] == "by the 24th in half of the games: Two."


def test_a_single_model_agrees_with_nobody() -> None:
    assert set(said([model("One", 50, {"Spa": 0.5})])) == {"None of them"}


def test_deals_that_were_played_both_ways_are_compared_one_by_one() -> None:
    def run(winners: str) -> list[dict[str, str]]:
        return [
            {"seed": str(n), "winner": "German" if sign == "g" else "Allied"} for n, sign in enumerate(winners)
        ]

    words = same_deals(run("aaaaaaag" + "gggg"), run("gggggggg" + "aggg"), "German")
    assert words is not None
    assert words.startswith(
        "Of 12 deals that were played both ways, German won 7 only with it and 1 only without it"
    )
    assert "no more than chance may do (p = 0.07)" in words
    sure = same_deals(run("aaaaaaa"), run("ggggggg"), "German")
    assert sure is not None
    assert "more than chance (p = 0.016)" in sure
    assert same_deals(run("ag"), [{"seed": "other", "winner": "German"}], "German") is None


@pytest.mark.parametrize(
    "shipped", all_shipped(), ids=lambda shipped: f"{shipped.plan.game} {shipped.what_if}".strip()
)
def test_games_that_are_shipped_can_be_played_again(shipped: Shipped) -> None:
    """When rules or data change, the runs of a game must be made anew: nobody could look at its games."""
    shortest = min(shipped.kept, key=lambda kept: len(kept.journal.choices))
    assert not verify(shipped.plan.load(), shortest.journal).faults

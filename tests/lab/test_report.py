"""The report: its numbers, its map of history, and that the page needs nothing but itself."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bulge.games import load_game
from bulge.lab.ground import Ground
from bulge.lab.plan import plan_of
from bulge.lab.report import charts, fronts
from bulge.lab.report.history import DAYS, History
from bulge.lab.report.maps import CLASSES, colour_of
from bulge.lab.report.plot import nice_step
from bulge.lab.report.sample import Sample, Share, quantiles, read_samples
from bulge.lab.report.style import DARK, LIGHT, PAPER
from tests.cli.conftest import Bulge
from tests.lab.conftest import FORD, rows


@pytest.fixture(scope="module")
def ford(ford_run: Path) -> Sample:
    return read_samples(ford_run)[0]


@pytest.fixture(scope="module")
def the_bulge(bulge_run: Path) -> Sample:
    return read_samples(bulge_run)[0]


# ---------------------------------------------------------------------- numbers


def made_up(games: list[dict[str, Any]]) -> Sample:
    game = load_game("ford")
    plain = {"scenario": "bridge", "rule": "1.1", "ending": "It ended.", "points": 0, "rolls": []}
    full = [{**plain, "number": number, **one} for number, one in enumerate(games)]
    return Sample(Path(), plan_of(game, FORD, games=len(full)), game, "bridge", full)


def test_shares_have_wilsons_interval(ford: Sample, ford_run: Path) -> None:
    won = ford.won("Blue")
    assert won == Share(sum(row["winner"] == "Blue" for row in rows(ford_run)), 30)
    low, high = won.interval
    assert low < won.share < high or won.share in (0, 1)
    assert ford.won("Blue").some + ford.won("Red").some + ford.won(None).some == 30


def test_a_game_that_was_over_counts_with_its_last_value() -> None:
    sample = made_up(
        [
            {"winner": "Blue", "turns": [1], "deepest": [4.0], "front": [b"\x01"]},
            {"winner": "Red", "turns": [1, 2, 3], "deepest": [0.0, 1.0, 2.0], "front": [b"", b"", b""]},
        ]
    )
    assert sample.turns == [1, 2, 3]
    assert [levels[charts.MIDDLE] for levels in sample.quantiles("deepest")] == [2.0, 2.5, 3.0]


def testquantiles() -> None:
    assert quantiles([0, 10]) == [1.0, 2.5, 5.0, 7.5, 9.0]
    assert quantiles([3]) == [3.0] * 5
    assert quantiles([5, 1, 3]) == pytest.approx([1.4, 2.0, 3.0, 4.0, 4.6])


def test_the_lucky_win_more_often_where_luck_decides() -> None:
    games = [
        {"winner": "Blue" if luck > 6 else "Red", "luck": {"Blue": luck, "Red": 0.0}, "turns": [1]}
        for luck in range(10)
    ]
    fifths = made_up(games).by_luck()
    assert [fifth.won for fifth in fifths] == [Share(0, 2), Share(0, 2), Share(0, 2), Share(1, 2), Share(2, 2)]
    assert [fifth.luck for fifth in fifths] == [0.5, 2.5, 4.5, 6.5, 8.5]
    assert made_up(games[:9]).by_luck() == [], "too few games for fifths"


def test_luck_is_the_attackers_less_its_enemys() -> None:
    sample = made_up([{"winner": None, "luck": {"Blue": 2.0, "Red": 3.5}, "turns": [1]}])
    assert sample.net_luck(sample.rows[0]) == -1.5


def test_endings_are_grouped_by_winner_and_rule() -> None:
    sample = made_up(
        [
            {"winner": "Blue", "ending": "Blue holds 3 points.", "turns": [1, 2]},
            {"winner": "Blue", "ending": "Blue holds 4 points.", "turns": [1, 2, 3]},
            {"winner": "Red", "ending": "Time is up.", "turns": [1, 2, 3, 4], "rule": "2.2"},
        ]
    )
    first, second = sample.endings()
    assert (first.winner, first.share, first.turns) == ("Blue", Share(2, 3), 2.5)
    assert first.words == "such as: Blue holds 3 points."
    assert (second.rule, second.words, second.turns) == ("2.2", "Time is up.", 4.0)


def test_front_shares_and_towns_add_up(the_bulge: Sample, bulge_run: Path) -> None:
    board = the_bulge.game.board
    shares = the_bulge.front_shares(0)
    hex_ = the_bulge.measures.towns["Echternach"]
    held = [int.from_bytes(row["front"][0], "little") >> hex_ & 1 for row in rows(bulge_run)]
    assert shares[hex_] == sum(held) / 3 == the_bulge.town_shares()["Echternach"][0]
    assert set(shares) == {board.at(name) for name in board.names_of(board.all)}


def test_classes_of_shares() -> None:
    assert colour_of(0.04) is None
    assert [colour_of(least) for least, _ in CLASSES] == [colour for _, colour in CLASSES]
    assert colour_of(1.0) == CLASSES[-1][1]


@pytest.mark.parametrize(
    ("top", "step"), [(1.0, 0.2), (0.29, 0.1), (0.24, 0.05), (84.0, 20.0), (23.0, 5.0), (4.0, 1.0)]
)
def test_grid_lines_are_round(top: float, step: float) -> None:
    assert nice_step(top, 5) == pytest.approx(step)


# ---------------------------------------------------------------------- history


def test_the_historical_front_on_the_games_hexes(the_bulge: Sample) -> None:
    towns = the_bulge.measures.towns
    held = {day: the_bulge.history.held(day) for day in DAYS}
    german = {day: {name for name, hex_ in towns.items() if hex_ in held[day]} for day in DAYS}
    assert not german[16] & {"St. Vith", "Bastogne", "Clervaux", "Houffalize"}
    assert "Clervaux" in german[18]
    assert "Houffalize" in german[20]
    assert "St. Vith" not in german[20]
    assert "St. Vith" in german[24]
    assert all("Bastogne" not in german[day] for day in DAYS), "the pocket held"
    assert not german[24] & {"Dinant", "Namur", "Huy", "Spa"}
    assert len(held[16]) < len(held[18]) < len(held[20]) < len(held[22]) < len(held[24])


def test_the_bulge_was_deepest_before_dinant(the_bulge: Sample) -> None:
    depths = {day: the_bulge.historical_depth(day) for day in DAYS}
    assert max(depths, key=lambda day: depths[day]) == 24
    assert 70 < depths[24] < 100


def test_days_are_shown_as_far_as_the_game_reaches(the_bulge: Sample, ford: Sample) -> None:
    shown = [(moment.place, moment.day) for moment in fronts.moments(the_bulge)]
    longest = len(the_bulge.turns)
    reached = [day for day in DAYS if day - DAYS[0] <= longest]
    assert shown == [(min(day - DAYS[0], longest - 1), day) for day in reached]
    assert [moment.day for moment in fronts.moments(ford)] == [None] * len(ford.turns)


def test_an_invented_country_has_no_history(ford: Sample) -> None:
    assert not ford.history.real
    assert ford.history.held(18) == set()
    assert Ground(load_game("ford")).unit == "hexes"
    assert not History(Ground(load_game("ford"))).real


# ---------------------------------------------------------------------- the page


class Reader(HTMLParser):
    """Collects what a page needs and says."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.uses: list[str] = []
        self.pictures = 0
        self.unnamed = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [value for key, value in attrs if key in ("src", "href") and value and value[0] != "#"]
        self.uses += [value[1:] for key, value in attrs if key == "href" and value and value[0] == "#"]
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag in ("img", "svg") and given.get("aria-hidden") != "true":
            self.pictures += 1
            self.unnamed += not (given.get("alt") or given.get("aria-label"))


@pytest.fixture(scope="module")
def page(ford_run: Path, bulge_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from bulge.cli.main import run

    out = tmp_path_factory.mktemp("report")
    assert run(["report", str(bulge_run), str(ford_run), "--out", str(out)]) == 0
    return out


@pytest.mark.slow
def test_the_page_needs_nothing_but_itself(page: Path) -> None:
    text = (page / "report.html").read_text("utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.addresses
    assert all(address.startswith("data:") for address in reader.addresses)
    assert "@import" not in text
    assert not re.search(r"url\((?!data:|#)", text)
    assert "<script" not in text


@pytest.mark.slow
def test_every_link_and_every_part_of_a_map_is_there(page: Path) -> None:
    reader = Reader()
    reader.feed((page / "report.html").read_text("utf-8"))
    assert set(reader.uses) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))


@pytest.mark.slow
def test_every_picture_says_what_it_shows(page: Path) -> None:
    reader = Reader()
    reader.feed((page / "report.html").read_text("utf-8"))
    assert reader.pictures > 10
    assert reader.unnamed == 0


@pytest.mark.slow
def test_both_games_and_their_numbers_are_on_the_page(page: Path, ford: Sample) -> None:
    text = (page / "report.html").read_text("utf-8")
    assert "<h1>The Bulge and The Ford</h1>" in text
    won = ford.won("Blue")
    assert f"{won.some} of {won.of}" in text
    for heading in (
        "Who wins",
        "The front, day by day",
        "Advance and losses",
        "Key towns",
        "How games end",
        "Luck",
    ):
        assert heading in text
    assert "bulge sim ford --scenario bridge --blue greedy --red random --games 30 --seed 1 --out DIR" in text


@pytest.mark.slow
def test_pictures_lie_beside_the_page(page: Path) -> None:
    names = {path.name for path in page.glob("*.png")}
    assert {"win-rates.png", "1-the_bulge-campaign-fronts.png", "1-the_bulge-campaign-map.png"} <= names
    assert {"2-ford-bridge-luck.png", "2-ford-bridge-deepest.png"} <= names
    assert all((page / name).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" for name in names)


@pytest.mark.slow
def test_where_a_single_run_is_reported(bulge: Bulge, ford_run: Path, home: Path) -> None:
    outcome = bulge("report", str(ford_run), "--out", "mine")
    assert outcome.code == 0
    assert outcome.lines[0].startswith("Wrote mine/report.html (")
    assert (home / "mine" / "report.html").exists()


# ---------------------------------------------------------------------- contrast (WCAG 2, level AA)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK, PAPER], ids=["light", "dark", "paper"])
def test_type_can_be_read_on_its_ground(colours: dict[str, str]) -> None:
    for ground in ("page", "card"):
        for type_ in ("ink", "soft", "attack", "defend", "link"):
            assert contrast(colours[type_], colours[ground]) >= 4.5, (type_, ground)


def test_numbers_can_be_read_on_every_shade(the_bulge: Sample) -> None:
    from bulge.lab.report.parts import _town_cell

    for share in (0.06, 0.3, 0.6, 0.8, 1.0):
        style = re.search(r"background:(#\w+);color:(#\w+)", _town_cell(share, False))
        assert style is not None
        assert contrast(style[1], style[2]) >= 4.5, share


def test_shades_darken_in_grey_too() -> None:
    shades = [luminance(colour) for _, colour in CLASSES]
    assert shades == sorted(shades, reverse=True)
    assert all(earlier / later > 1.25 for earlier, later in pairwise(shades))

"""`bulge ladder`: ratings that follow from scores, meetings that stop when they are clear."""

from __future__ import annotations

import random
import re
from math import comb
from pathlib import Path

import msgspec
import pytest

from bulge.games import load_game
from bulge.players.arena import Bout
from bulge.players.ladder import BATCH, Terms, _standing, meet, play_alone
from bulge.players.ratings import Meeting, rate, share_of
from bulge.players.strengths import Ranking, strengths_of
from tests.cli.conftest import Bulge


def test_a_score_of_three_in_four_is_191_points() -> None:
    ratings = {rating.name: rating for rating in rate([Meeting("strong", "weak", 7500, 10_000)], "weak")}
    assert ratings["strong"].points == pytest.approx(190.8, abs=0.5)
    assert ratings["strong"].low < 191 < ratings["strong"].high
    assert ratings["weak"].points == 0
    assert share_of(190.85) == pytest.approx(0.75, abs=1e-3)


def test_ratings_add_up_along_a_chain_and_are_sorted() -> None:
    chain = [Meeting("b", "a", 64, 100), Meeting("c", "b", 64, 100)]
    ratings = rate(chain, "a")
    assert [rating.name for rating in ratings] == ["c", "b", "a"]
    assert ratings[0].points == pytest.approx(2 * ratings[1].points, rel=0.01)
    assert ratings[0].high - ratings[0].low > ratings[1].high - ratings[1].low, "far from the anchor is less sure"


def test_somebody_who_never_lost_has_a_rating_all_the_same() -> None:
    best = rate([Meeting("strong", "weak", 20, 20)], "weak")[0]
    assert 300 < best.points < 1000
    assert best.low > 0


def test_ratings_find_the_strengths_that_made_the_scores() -> None:
    rng, true = random.Random(5), {"a": 0.0, "b": 120.0, "c": 300.0, "d": 260.0}
    pairs = [("b", "a"), ("c", "b"), ("d", "c"), ("d", "a"), ("c", "a")]
    meetings = [
        Meeting(one, two, sum(rng.random() < share_of(true[one] - true[two]) for _ in range(400)), 400)
        for one, two in pairs
    ]
    for rating in rate(meetings, "a"):
        assert rating.name == "a" or rating.low < true[rating.name] < rating.high


def test_a_meeting_stops_when_it_is_clear() -> None:
    standings = list(meet(lambda: load_game("ford"), ("greedy", "random"), Terms(most=200), 1))
    assert standings[-1].clear
    assert not any(standing.clear for standing in standings[:-1])
    assert standings[-1].meeting.games < 200
    assert standings[-1].meeting.games % BATCH == 0


def test_the_command_prints_ratings(bulge: Bulge) -> None:
    outcome = bulge("ladder", "ford", "random", "greedy", "--most", "16", "--jobs", "1")
    assert outcome.code == 0
    assert re.fullmatch(r"greedy scored [\d.]+ of \d+ against random.*", outcome.lines[0])
    assert re.fullmatch(r"greedy: \d+ \(-?\d+ to \d+\), \d+ games", outcome.lines[1])
    assert re.fullmatch(r"random: 0, \d+ games", outcome.lines[2])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("ford", "greedy"), "two or more different players"),
        (("ford", "greedy", "greedy"), "two or more different players"),
        (("ford", "greedy", "nobody"), "there is no player 'nobody'"),
        (("chess",), "there is no game 'chess'"),
    ],
)
def test_mistakes_are_refused(bulge: Bulge, words: tuple[str, ...], complaint: str) -> None:
    outcome = bulge("ladder", *words)
    assert outcome.code == 2
    assert complaint in outcome.err


def test_in_a_game_for_one_everybody_plays_the_same_deals() -> None:
    game = load_game("bastogne")
    first = play_alone(game, "random", Terms("9"), 0)
    assert play_alone(game, "random", Terms("9"), 0) is first


@pytest.mark.slow
def test_several_who_share_the_command_play_the_same_deals_too(bulge: Bulge) -> None:
    outcome = bulge("ladder", "bastogne", "random", "greedy", "--scenario", "sectors", "--most", "2")
    assert outcome.code == 0, outcome.err
    assert [line.split(" of ")[0][:-1] for line in outcome.lines] == ["random won ", "greedy won "]


def test_ratings_are_written_for_the_lobby(bulge: Bulge, home: Path) -> None:
    ladder = ("ladder", "ford", "random", "greedy", "--most", "16", "--jobs", "1", "--out", "strengths/ford.json")
    assert bulge(*ladder).code == 0
    ranking = msgspec.json.decode(Path("strengths/ford.json").read_bytes(), type=Ranking)
    assert ranking.game == "ford"
    assert ranking.made_by.startswith("bulge ladder ford random greedy --scenario bridge --most 16")
    greedy, weakest = ranking.players
    assert (greedy.name, weakest.name, weakest.value) == ("greedy", "random", 0)
    assert greedy.low < greedy.value < greedy.high
    assert greedy.seconds is not None
    assert greedy.kind == "points"
    assert greedy.scenario == "bridge"


def test_ratings_under_overrides_say_so(bulge: Bulge, home: Path) -> None:
    Path("my own.toml").write_text("[ford.units.B1]\nstrength = 5\n")
    ladder = ("ladder", "ford", "random", "greedy", "--most", "2", "--jobs", "1", "--out", "ford.json")
    assert bulge("--overrides", "my own.toml", *ladder).code == 0
    ranking = msgspec.json.decode(Path("ford.json").read_bytes(), type=Ranking)
    assert ranking.made_by.startswith("bulge --overrides 'my own.toml' ladder ford random greedy")


def test_a_file_that_cannot_be_written_is_refused_before_the_first_game(bulge: Bulge, home: Path) -> None:
    Path("kept.json").write_text("kept")
    Path("folder").mkdir()
    for out, complaint in (
        ("folder", "folder is a folder; name a file"),
        ("kept.json/a.json", "cannot be written"),
    ):
        outcome = bulge("ladder", "ford", "random", "greedy", "--most", "8", "--jobs", "1", "--out", out)
        assert (outcome.code, outcome.out) == (2, "")
        assert complaint in outcome.err
        assert "scored" not in outcome.err
    assert Path("kept.json").read_text() == "kept"


def verdicts(true: float, most: int) -> tuple[float, float]:
    """How likely a meeting ends with `ahead`, and with `not ahead`, for a true share: every course it can take."""
    reached, ahead, behind = {0: 1.0}, 0.0, 0.0
    for games in range(BATCH, most + 1, BATCH):
        after: dict[int, float] = {}
        for won, chance in reached.items():
            for more in range(BATCH + 1):
                part = comb(BATCH, more) * true**more * (1 - true) ** (BATCH - more)
                after[won + more] = after.get(won + more, 0.0) + chance * part
        reached = {}
        for won, chance in after.items():
            bouts = [Bout(number, 0, None, 0 if number < won else 1, {}, 1, (0.0, 0.0)) for number in range(games)]
            if not _standing(("a", "b"), bouts, 100.0).clear:
                reached[won] = chance
            elif won / games > share_of(100):
                ahead += chance
            else:
                behind += chance
    return ahead, behind


def test_looking_again_after_every_batch_misleads_as_often_as_the_docs_say() -> None:
    on_the_line = verdicts(share_of(100), 56)
    assert all(0.07 < wrong < 0.10 for wrong in on_the_line)
    assert verdicts(share_of(0), 56)[0] < 0.01
    assert verdicts(share_of(200), 56)[1] < 0.01


def test_a_game_that_was_never_ranked_has_no_strengths() -> None:
    assert strengths_of("no_such_game") == ()

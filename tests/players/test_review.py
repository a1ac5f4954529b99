"""`bulge review`: chances through a game, and where it turned, by luck or by play."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bulge.core.chance import Chance, seed_of
from bulge.core.decision import Choice
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal, journal_of, save
from bulge.core.match import Match
from bulge.games import load_game
from bulge.lab.follow import course_of
from bulge.lab.report.reviewed import page
from bulge.players import chances
from bulge.players import review as reviewing
from bulge.players.chances import Model, Weights, estimate
from bulge.players.judged import made
from bulge.players.knowledge import armies_of, knowledge_of, unit_question
from bulge.players.levels import player_for
from bulge.players.looking import OneFace
from bulge.players.review import LEAST_SWING, MOST_TURNINGS, QUICK, _differing, _Looking, review
from bulge.players.reviewed import Ended, Step
from tests.cli.conftest import Bulge

SHIPPED = chances.weights_of("ford", "bridge")
PLAYED = Path(__file__).parents[1] / "played"
TERMS = dict.fromkeys(("material", "nearness", "supply", "town", "alone"), (0.4, 0.2))
MODEL = Model({"bridge": 0.0}, {}, (0.0,) * 4, TERMS)
LOWER = Model({"bridge": 0.0}, {}, (-0.5,) * 4, TERMS)
HIGHER = Model({"bridge": 0.0}, {}, (0.5,) * 4, TERMS)
LEARNED = Weights(
    game="ford",
    made_by="a test",
    games=1,
    positions=1,
    log_loss=0.5,
    auc=0.8,
    model=MODEL,
    resampled=(LOWER, HIGHER),
)


@pytest.fixture(autouse=True)
def learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Ford as if it had been learned; nothing else has been."""
    know(monkeypatch, {"ford": LEARNED})


def know(monkeypatch: pytest.MonkeyPatch, weights: dict[str, Weights]) -> None:
    for module in (chances, reviewing):
        monkeypatch.setattr(module, "weights_of", lambda game, _: weights.get(game))


@pytest.fixture(scope="module")
def ford() -> Game[Any]:
    return load_game("ford")


def played(game: Game[Any], *levels: str, seed: str = "1", most: int = 10**9) -> Journal:
    match = Match(game, seed=seed_of(seed))
    players = {side: player_for(level, game, side, seed) for side, level in zip(game.players, levels, strict=True)}
    while match.decision is not None and len(match.ids) < most:
        match.choose(players[match.decision.side].choose(match))
    return journal_of(match)


def test_chances_go_with_the_side_and_have_a_range(ford: Game[Any]) -> None:
    p = Match(ford, seed=seed_of("1")).position
    blue, red = estimate(ford, "bridge", p, "Blue"), estimate(ford, "bridge", p, "Red")
    assert blue is not None
    assert red is not None
    assert blue.chance + red.chance == pytest.approx(1)
    assert blue.low < blue.chance < blue.high
    assert (red.low, red.high) == pytest.approx((1 - blue.high, 1 - blue.low))


def test_a_scenario_of_which_nothing_was_learned_has_no_chances_and_says_so(
    ford: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = played(ford, "greedy", "greedy")
    monkeypatch.undo()
    assert chances.weights_of("ford", "another") is None
    know(monkeypatch, {})
    with pytest.raises(
        BulgeError, match=r"nobody has learned yet what a position of The Ford, .* is worth"
    ) as raised:
        review(ford, journal)
    assert str(raised.value).endswith("its file belongs in bulge/players/weights/ford")


def test_a_review_has_a_moment_for_every_phase_and_turns_in_order(ford: Game[Any]) -> None:
    journal = played(ford, "greedy", "random")
    looked: list[int] = []
    found = review(ford, journal, each=looked.append)
    assert looked == list(range(1, len(journal.choices) + 1))
    phases = [(moment.turn, moment.step) for moment in found.moments]
    assert len(phases) == len(set(phases))
    assert all(moment.low <= moment.chance <= moment.high for moment in found.moments)
    assert len(found.turnings) <= MOST_TURNINGS
    assert [turning.at for turning in found.turnings] == sorted(turning.at for turning in found.turnings)
    assert all(abs(turning.swing) >= LEAST_SWING for turning in found.turnings)


def test_the_account_leads_from_the_first_chance_to_the_result(ford: Game[Any]) -> None:
    found = review(ford, played(ford, "greedy", "random"))
    blue, red = (found.strokes[side] - found.play[side] for side in ("Blue", "Red"))
    end = float(found.winner == "Blue")
    assert found.moments[0].chance + found.luck + blue - red + found.rest == pytest.approx(end)
    assert f"Not explained by dice or moves: {found.rest:+.0%} for Blue." in found.account


def test_who_comes_on_is_told_of_as_well_as_who_moves() -> None:
    begun, played, planned = {"A": "0101", "B": "0102"}, {"A": "0103", "B": "0102", "C": "0201"}, {"A": "0104"}
    assert _differing(begun, played, planned) == (Step("A", "0101", "0103"), Step("C", "0201", "0201"))
    assert _differing(begun, planned, played) == (Step("A", "0101", "0104"),)


def test_chances_are_read_as_at_the_end_of_a_phase(ford: Game[Any]) -> None:
    """They were learned there: what begins counts as the end of what was before, and so does what a die did."""
    journal, knowledge = played(ford, "greedy", "random"), knowledge_of(ford)

    def ending(p: Any, turn: int, step: str) -> float:
        as_if = p.copy()
        as_if.turn, as_if.step = turn, step
        return MODEL.chance(knowledge.features(as_if), "bridge", turn, step)

    moments = {(moment.turn, moment.step): moment.chance for moment in review(ford, journal).moments}
    match = Match(ford, seed=journal.seed)
    for id_ in journal.choices[:40]:
        turn, step = match.position.turn, match.position.step
        match.answer(id_)
        p = match.position
        if (p.turn, p.step) != (turn, step):
            assert moments[p.turn, p.step] == pytest.approx(ending(p, turn, step), abs=1e-4)
            looking = reviewing._Looking(ford, journal, QUICK, None)
            looking.phase = turn, step
            assert looking._chance(match) == pytest.approx(ending(p, turn, step))


def test_luck_is_told_from_play_and_whose_it_is(ford: Game[Any]) -> None:
    found = [review(ford, played(ford, "greedy", "random", seed=str(seed))) for seed in range(6)]
    turnings = [turning for one in found for turning in one.turnings]
    luck = [turning for turning in turnings if turning.kind == "luck"]
    play = [turning for turning in turnings if turning.kind == "play"]
    assert luck
    assert any("gives" in turning.words for turning in luck), "a die is told in the words of the log"
    assert play
    assert all(turning.better for turning in play)
    assert all((turning.swing < 0) == (turning.side == "Blue") for turning in play), "bad moves cost their side"
    blue, red = (sum(one.play[side] for one in found) for side in ("Blue", "Red"))
    assert red > blue, "whoever moves at random gives more away"


class Noted:
    """Numbers as they come, with their sizes by their count."""

    def __init__(self, chance: Chance) -> None:
        self.chance, self.sizes = chance, dict[int, int]()

    def raw(self, count: int, size: int) -> int:
        self.sizes[count] = size
        return self.chance.raw(count, size)


def first_draw(game: Game[Any], wanted: Callable[[list[int]], bool]) -> tuple[Match[Any], Choice, list[int]]:
    """A moment of play at random before a choice that takes such numbers, told by their sizes."""
    for seed in range(20):
        match, rng = Match(game, "cards", seed=seed_of(str(seed))), random.Random(seed)
        while match.decision is not None:
            choice, ahead = rng.choice(match.decision.options), match.copy()
            noted = ahead.table.chance = Noted(ahead.table.chance)
            ahead.choose(choice)
            sizes = [size for count, size in sorted(noted.sizes.items()) if count >= match.position.drawn]
            if wanted(sizes):
                return match, choice, sizes
            match.choose(choice)
    raise LookupError


def swings(match: Match[Any], choice: Choice, count: int, size: int) -> list[float]:
    """The luck of each face that one of these numbers can have, where that number alone tells the chance."""
    found = []
    for face in range(size):
        looking = reviewing._Looking(match.game, journal_of(match), QUICK, None)
        looking._chance = lambda match: match.table.chance.raw(count, size) / size  # type: ignore[method-assign]
        looking.match = match.copy()
        looking.match.table.chance = OneFace(face, count, looking.match.table.chance)
        looking._note_luck(0, choice)
        found.append(looking.luck)
    return found


def test_luck_is_nought_over_all_that_could_be_drawn(ford: Game[Any]) -> None:
    """One card of a deck that has more cards than a die has faces."""
    match, choice, sizes = first_draw(ford, lambda sizes: len(sizes) == 1 and sizes[0] > 6)
    luck = swings(match, choice, match.position.drawn, sizes[0])
    assert sum(luck) == pytest.approx(0)
    assert luck[-1] - luck[0] == pytest.approx(1 - 1 / sizes[0])


def test_all_that_one_choice_draws_is_luck(ford: Game[Any]) -> None:
    """Of several cards drawn at once the second decides: nought over all of them, as far as a sample can tell."""
    match, choice, sizes = first_draw(ford, lambda sizes: len(sizes) > 1 and sizes[1] > 2)
    luck = swings(match, choice, match.position.drawn + 1, sizes[1])
    assert luck[-1] - luck[0] == pytest.approx(1 - 1 / sizes[1])
    assert abs(sum(luck) / len(luck)) < 0.06


def test_attacks_are_judged_before_the_die_falls(ford: Game[Any]) -> None:
    found = [review(ford, played(ford, "random", "random", seed=str(seed))) for seed in (0, 7)]
    play = [turning for one in found for turning in one.turnings if turning.kind == "play"]
    bad = [turning for turning in play if " attacked " in turning.words]
    missed = [turning for turning in play if " did not attack " in turning.words]
    assert bad
    assert missed
    for turning in bad + missed:
        assert "column" in turning.words, "with the odds"
        assert turning.spaces
        assert (turning.swing < 0) == (turning.side == "Blue"), "it cost whoever decided"


def test_a_word_that_rolls_is_no_attack(ford: Game[Any]) -> None:
    """Ending the fight draws the enemy's chit."""
    match = Match(ford, seed=seed_of("1"))
    match.answer("done")
    armies = armies_of(ford)
    assert armies is not None
    assert unit_question(match, armies) == "attack"
    after = match.copy()
    after.answer("done")
    assert after.position.drawn > match.position.drawn
    assert made(match, ["done"], armies, lambda _: "done", lambda _: 0.0) is None


def kept(name: str) -> Journal:
    return msgspec.json.decode((PLAYED / name).read_bytes(), type=Journal)


def test_a_bad_answer_to_the_enemy_is_play(ford: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Red retreats from the town at the first attack, though it could have stood."""
    assert SHIPPED is not None
    know(monkeypatch, {"ford": SHIPPED})
    answered = [
        turning for turning in review(ford, kept("ford-by-hand-1.json")).turnings if turning.better == "stand"
    ]
    assert [(turning.turn, turning.side) for turning in answered] == [(1, "Red")]
    assert answered[0].words.startswith("Red answered: 0204. On average that gave away")
    assert answered[0].swing > LEAST_SWING


def test_who_is_made_to_run_short_of_supply_is_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """On turn 8 the Führer Escort Brigade could leave the map, and a shortage holds it (7.11)."""
    monkeypatch.undo()
    game, journal = load_game("the_bulge"), kept("the_bulge-by-hand-1.json")
    looking = _Looking(game, journal, QUICK, None)
    match = looking.match = Match(game, journal.scenario, journal.options, seed=journal.seed)
    for id_ in journal.choices:
        if (match.position.turn, match.position.step, id_) == (8, "shortages", "FE"):
            break
        match.answer(id_)
    looking.phase = 8, "shortages"
    escort, *others = looking.weighing.likeliest(match)
    assert game.units[int(escort)].name == "Führer Escort Brigade"
    looking._note_answer(0, escort)
    assert not looking.turnings
    looking._note_answer(0, others[0])
    (turned,) = looking.turnings
    assert turned.words.startswith("Allied chose: 12th SS Panzer Division")
    assert "Führer Escort Brigade" in turned.better
    assert turned.swing > LEAST_SWING


def test_a_plan_says_where_units_would_have_gone(ford: Game[Any]) -> None:
    """Red did not move at all on the first turn."""
    found = review(ford, kept("ford-by-hand-2.json"))
    moved = [turning.better for turning in found.turnings if "moved nobody" in turning.words]
    assert moved
    assert all(" to 0" in better for better in moved), "where, and not how they would be asked"


def test_where_the_rules_play_the_enemy_moves_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is not the same as no mistake."""
    monkeypatch.undo()
    game = load_game("bastogne")
    journal = played(game, "random", seed="1", most=40)
    found = review(game, journal, ended=Ended("German", "Given up."))
    assert found.play == found.strokes == {}
    assert "not judged" in found.account


def test_an_empty_board_is_not_a_lost_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the US units are set up nobody holds Bastogne; what a game begins with is the set-up."""
    monkeypatch.undo()
    game = load_game("bastogne")
    journal = played(game, "greedy", seed="1", most=36)
    first, second = review(game, journal, ended=Ended("German", "Given up.")).moments[:2]
    assert (first.step, first.at) == ("deploy", 0)
    assert (first.chance, first.low, first.high) == (second.chance, second.low, second.high)
    assert first.chance > 0.2


def test_a_game_that_people_ended_before_the_first_choice_is_told_all_the_same(ford: Game[Any]) -> None:
    journal = played(ford, "random", "random", most=0)
    found = review(ford, journal, ended=Ended("Red", "Blue gave up."))
    (moment,) = found.moments
    assert (moment.at, moment.turn, moment.side) == (0, 1, "Blue")
    assert found.rest == pytest.approx(-moment.chance)
    assert f"{-moment.chance:+.0%} for Blue" in found.account
    assert "Blue gave up." in page(found, ford, course_of(load_game("ford"), journal))


def test_the_same_game_gives_the_same_review(ford: Game[Any]) -> None:
    journal = played(ford, "random", "greedy", seed="3")
    assert review(ford, journal) == review(ford, journal)


def test_a_game_that_goes_on_is_not_reviewed(ford: Game[Any]) -> None:
    with pytest.raises(BulgeError, match="when it is over"):
        review(ford, played(ford, "greedy", "greedy", most=8))


def test_a_journal_that_does_not_lead_to_its_end_is_refused(ford: Game[Any]) -> None:
    whole = kept("ford-by-hand-2.json")
    for choices, complaint in (
        (whole.choices[:-5], "when it is over"),
        ([*whole.choices[:10], "0909", *whole.choices[11:]], "cannot be reviewed: loaded 10 of 73 choices"),
        ([*whole.choices, "done"], "cannot be reviewed: loaded 73 of 74 choices"),
    ):
        with pytest.raises(BulgeError, match=complaint):
            review(ford, msgspec.structs.replace(whole, choices=choices))


def test_a_game_of_which_nothing_was_learned_is_refused() -> None:
    game = load_game("the_bulge")
    with pytest.raises(BulgeError, match="bulge tune"):
        review(game, journal_of(Match(game, seed=seed_of("1"))))


def test_the_command_and_its_page(bulge: Bulge, home: Path, ford: Game[Any]) -> None:
    journal = played(ford, "greedy", "random", seed="2")
    save(journal, Path("game.json"))
    outcome = bulge("review", "game.json", "--html", "review.html")
    assert outcome.code == 0, outcome.err
    assert outcome.lines[1].startswith("Chances of Blue, from turn to turn: ")
    html = Path("review.html").read_text("utf-8")
    course = course_of(load_game("ford"), journal)
    assert html == page(review(ford, journal), ford, course)
    assert f"In all: {', '.join(f'{side} {sum(lost)}' for side, lost in course.losses.items())}." in html
    assert "The front by day" not in html, "The Ford is nowhere"
    assert "Where it turned" in html
    assert "src=" not in html.replace("data:", ""), "the page needs nothing else"


def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    bulge: Bulge, home: Path, ford: Game[Any]
) -> None:
    save(played(ford, "greedy", "random", seed="2"), Path("game.json"))
    outcome = bulge("review", "game.json", "--html", str(home))
    assert (outcome.code, outcome.out) == (2, "")
    assert "is a folder; name a file" in outcome.err


def test_the_page_of_a_real_battle_has_its_front_beside_that_of_1944(ford: Game[Any]) -> None:
    journal = kept("the_bulge-random-1.json")
    course = course_of(load_game("the_bulge"), journal)
    html = page(review(ford, played(ford, "random", "random")), ford, course)
    assert course.fronts
    for front in course.fronts:
        assert f"{front.day} December: {front.depth:.0f} km deep, {front.depth_1944:.0f} in 1944" in html
        assert front.held in html
        assert front.history in html

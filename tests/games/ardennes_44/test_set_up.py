"""The German set-up says why: whose unit, which area, stacking with whom."""

from __future__ import annotations

import pytest

from bulge.core.bars import open_to
from bulge.core.decision import DONE
from bulge.core.game import not_among
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.setting_up import no_start, set_up_area
from tests.games.ardennes_44.helpers import ArdennesMatch, answer, ardennes, at, facts, unit

GAME = "ardennes_44"


def setting_up(unit_id: str = "") -> ArdennesMatch:
    """The set-up of six turns, perhaps with a unit in hand."""
    match: ArdennesMatch = Match(ardennes(), "S2", seed="00" * 16)
    if unit_id:
        answer(match, unit_id)
    return match


@pytest.mark.rule(GAME, "S1.3", "13.1", "26.1")
@pytest.mark.parametrize(
    ("asked", "number", "words"),
    [
        ("99/394", "S1.3", "99th Division 394 infantry is Allied: it starts in the hex that the scenario names"),
        ("560/1130", "13.1", "560 VG 1130 infantry is a reinforcement of turn 3"),
        ("9SS/19", "S1.3", "9 SS 19 mechanized infantry takes no part in this scenario"),
        ("BD-GE-inf-1", "26.1", "German battalion 1 is made only when a unit breaks down"),
    ],
)
def test_whoever_does_not_start_says_why(asked: str, number: str, words: str) -> None:
    refusal = setting_up().why_not(asked)
    assert (refusal.rule, refusal.words) == (number, words)


@pytest.mark.rule(GAME, "S1.3")
def test_a_hex_asked_about_before_a_unit_says_whose_it_is() -> None:
    match = setting_up()
    assert match.why_not("E1814").words == "name a unit first: E1814 is in the area of 26 VG, XLVII Corps"
    assert match.why_not("E3030").words == "name a unit first: E3030 Petit-Coo is in no German area"


@pytest.mark.rule(GAME, "S1.3", "8.1")
@pytest.mark.parametrize(
    ("moved", "asked", "words"),
    [
        ("26/77", "E3029", "no German unit starts there: it is in no German area"),
        ("26/77", "E1330", "it is in the area of 12 VG, and 26 VG 77 infantry starts in that of 26 VG"),
        ("1SS/501", "E1330", "it is in the area of 12 VG, and 1 SS 501 tanks starts in that of 1 SS"),
        ("ISS/388", "E1814", "it is in the area of 26 VG, and ISS 388 artillery starts in those of I SS Corps"),
        ("26/78", "E1913", "26 VG 78 infantry starts outside the Wooded Rough of its area"),
    ],
)
def test_a_hex_where_a_unit_does_not_start_says_whose_it_is(moved: str, asked: str, words: str) -> None:
    refusal = setting_up(moved).why_not(asked)
    assert (refusal.rule, refusal.words) == ("S1.3", words)


@pytest.mark.rule(GAME, "S1.3", "8.1")
def test_a_hex_that_is_taken_names_who_is_there() -> None:
    match = setting_up("26/77")
    p = match.position
    assert (
        match.why_not(ardennes().board.name(p.where[unit("26/77")])).words == "26 VG 77 infantry is there already"
    )
    p.where[unit("26/39F")] = p.where[unit("26/78")] = at("E1815")
    refusal = match.why_not("E1815")
    assert (refusal.rule, refusal.words) == (
        "8.1", "no room beside 26 VG 39F infantry, 26 VG 78 infantry: 6 Stacking Points, and 3 are allowed",
    )  # fmt: skip
    p.where[unit("99/394")] = at("E1914")
    assert match.why_not("E1914").words == "99th Division 394 infantry is there, of the Allies"


@pytest.mark.rule(GAME, "8.1")
def test_guns_and_silhouettes_have_limits_of_their_own() -> None:
    match = setting_up("XLVII/766")
    match.position.where[unit("XLVII/15Wf")] = at("E1814")
    assert (
        match.why_not("E1814").words
        == "no room beside 26 VG Fus infantry, XLVII 15 Werfer: 2 artillery units, and 1 is allowed"
    )


@pytest.mark.rule(GAME, "S1.3", "8.1")
def test_whoever_can_start_nowhere_else_is_not_offered_and_says_why() -> None:
    match = setting_up("26/78")
    p = match.position
    regiments = [each for each in facts().units_of[GERMAN] if p.where[each] >= 0 and facts().points(each, 0) == 3]
    for regiment, hex_ in zip(regiments, members(facts().area_hexes["26VG"]), strict=False):
        p.where[regiment] = hex_
    answer(match, match.game.id_of(match.asked(), match.asked().options[0]))
    assert unit("26/77") not in match.asked().options
    assert match.why_not("26/77").words == "26 VG 77 infantry can start nowhere else: its area has no room for it"
    assert unit("1SS/501") in match.asked().options


@pytest.mark.rule(GAME, "S1.3", "8.1")
@pytest.mark.parametrize("scenario", ["S1", "S2", "S3"])
def test_everybody_who_is_offered_has_somewhere_else_to_start(scenario: str) -> None:
    match: ArdennesMatch = Match(ardennes(), scenario, seed="00" * 16)
    offered = match.asked().options[:-1]
    for each in facts().units_of[GERMAN]:
        if match.position.where[each] >= 0:
            hexes = set_up_area(facts(), each)
            elsewhere = open_to(hexes, no_start(facts(), match.position, each))
            assert bool(elsewhere) == (each in offered), facts().rows[each].name


def test_nothing_asked_in_the_set_up_is_answered_generally() -> None:
    for moved in ("", "26/77", "XLVII/766", "1SS/1"):
        match = setting_up(moved)
        game, decision = match.game, match.asked()
        offered = {game.id_of(decision, choice) for choice in decision.options}
        names = [*game.board.names_of(game.board.all), *(each.id for each in game.units)]
        said = {match.why_not(name).words for name in names if name not in offered}
        assert not said & {not_among(decision), "it lies outside the area of the unit"}
    answer(setting_up(), DONE)

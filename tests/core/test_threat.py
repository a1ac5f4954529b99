"""What a unit could do, were it its side's turn now."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.match import Match
from bulge.core.threat import ROLLS, Imagined
from bulge.games import load_game

SEED = "0" * 32


def at_start(game_id: str) -> Imagined[Any]:
    match = Match(load_game(game_id), seed=SEED)
    return Imagined(match.game, match.position)


def number(imagined: Imagined[Any], id_: str) -> int:
    return next(at for at, unit in enumerate(imagined.game.units) if unit.id == id_)


def test_an_enemy_s_reach_is_what_it_would_be_offered_on_its_turn() -> None:
    match = Match(load_game("ford"), seed=SEED)
    imagined = Imagined(match.game, match.position.copy())
    red = number(imagined, "R1")
    found = imagined.threat(red)
    match.answer("done")
    match.answer("done")
    match.answer("R1")
    offered = match.game.reachable(match.table, match.asked())
    assert offered is not None
    assert found is not None
    assert found.costs == offered.costs


def test_the_odds_are_those_of_the_battle() -> None:
    """3rd Parachute stands beside 0503, and nobody moves before the combat after movement."""
    match = Match(load_game("the_bulge"), seed=SEED)
    imagined = Imagined(match.game, match.position.copy())
    found = imagined.threat(number(imagined, "3FJ"))
    assert found is not None
    blow = next(each for each in found.blows if each.target == "0503")
    for choice in ("done", "done", "0503"):
        match.answer(choice)
    for unit in blow.units[:-1]:
        match.answer(unit)
    assert match.preview(match.find(blow.units[-1])) == blow.odds


def test_whoever_could_attack_a_space_is_found() -> None:
    imagined = at_start("the_bulge")
    space = imagined.game.board.at("0503")
    found = imagined.threats_to(space)
    assert {"3FJ", "12SS"} <= {threat.unit for threat in found}
    assert all(threat.blows[0].target == "0503" for threat in found)
    assert imagined.threats_to(imagined.game.board.at("0110")) == [], "nobody stands there"


def test_dangers_are_the_worst_of_all_threats() -> None:
    imagined = at_start("the_bulge")
    found = imagined.dangers("Allied", ["0807", "0503", "1412"])
    assert found is not None
    targets = [blow.target for blow in found.blows]
    assert len(targets) == len(set(targets)) > 3
    attackers = {number(imagined, unit) for blow in found.blows for unit in blow.units}
    assert {imagined.game.units[unit].side for unit in attackers} == {"German"}
    space = imagined.game.board.at("0503")
    assert next(blow for blow in found.blows if blow.target == "0503") == imagined.threats_to(space)[0].blows[0]
    assert "0503" not in found.reached, "somebody stands there"
    for place, unit in found.reached.items():
        threat = imagined.threat(number(imagined, unit))
        assert threat is not None
        assert place in threat.costs


def test_nothing_is_changed_and_nothing_rolled() -> None:
    match = Match(load_game("the_bulge"), seed=SEED)
    rng = random.Random(3)
    for _ in range(80):
        match.choose(rng.choice(list(match.asked().options)))
    before = match.position.copy()
    imagined = Imagined(match.game, match.position)
    words = {threat.words for unit in imagined.stand if (threat := imagined.threat(unit))}
    assert match.position == before
    assert ROLLS in words, "units out of supply roll for their points"


@pytest.mark.parametrize("game_id", ["ardennes_offensive", "ardennes_44"])
def test_other_games_on_hexes_can_tell(game_id: str) -> None:
    imagined = at_start(game_id)
    found = [threat for unit in imagined.stand if (threat := imagined.threat(unit))]
    assert any(threat.costs for threat in found)
    assert any(threat.blows for threat in found)


def test_where_cards_decide_who_moves_it_is_said() -> None:
    imagined = at_start("enemy_action")
    words = {threat.words for unit in imagined.stand if (threat := imagined.threat(unit))}
    assert words == {
        "who moves and attacks is decided by the next German card (9.0)",
        "who moves and attacks is decided by the card that you play (6.0)",
    }
    dangers = imagined.dangers("Allied", [])
    assert dangers
    assert (dangers.blows, dangers.reached) == ((), {})

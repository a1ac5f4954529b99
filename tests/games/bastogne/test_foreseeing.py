"""What would come next in Bastogne: Germans by the rules that play them, Americans by what they may do."""

from __future__ import annotations

import pytest

from bulge.core.foreseen import Threat
from bulge.core.threat import Imagined
from tests.games.bastogne.helpers import at, bastogne, position, siege, unit


def threat(imagined: Imagined, id_: str) -> Threat:  # type: ignore[type-arg]
    found = imagined.threat(unit(id_))
    assert found
    return found


@pytest.mark.rule("bastogne", "15.7", "17.2")
def test_germans_march_and_close_in_as_they_would_on_their_turn() -> None:
    p = position({"1-501": "N2", "I-901": "N5", "II-901": "N5"}, morale=12)
    before = p.copy()
    found = threat(Imagined(bastogne(), p), "I-901")
    assert found.costs == {"N3": "2"}
    [blow] = found.blows
    assert (blow.target, blow.from_, set(blow.units)) == ("N2", "N3", {"I-901", "II-901"})
    assert (blow.odds.attack, blow.odds.defence) == (6, 3)
    assert p == before, "only a copy has marched"


@pytest.mark.rule("bastogne", "9.5", "15.6")
def test_who_would_not_march_is_said_to_stay() -> None:
    p = position({"1-501": "N1", "I-901": "N5"}, morale=12)
    p.assault = 0
    found = threat(Imagined(bastogne(), p), "I-901")
    assert (found.costs, found.blows, found.words) == ({}, (), "it would stay where it is (15.7)")


def test_what_threatens_a_space_and_the_side_is_found_from_it() -> None:
    imagined = Imagined(bastogne(), position({"1-501": "N2", "I-901": "N5"}, morale=12))
    assert [each.unit for each in imagined.threats_to(at("N2"))] == ["I-901"]
    dangers = imagined.dangers("US", ["N1"])
    assert dangers
    assert [blow.target for blow in dangers.blows] == ["N2"]


def test_americans_go_where_they_would_be_offered_to_and_assault_at_the_odds_of_the_assault() -> None:
    p = position({"1-501": "N2", "I-901": "N3"}, step="us_movement")
    found = threat(Imagined(bastogne(), p.copy()), "1-501")
    match = siege(p)
    match.answer("1-501")
    offered = match.game.reachable(match.table, match.asked())
    assert offered
    assert found.costs == offered.costs
    [blow] = found.blows
    assert (blow.target, blow.units) == ("N3", ("1-501",))

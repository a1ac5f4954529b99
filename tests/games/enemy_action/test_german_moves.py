"""The thirteen movement methods, as the illustrations of 9.2 walk through them, and 9.21 to 9.25."""

from __future__ import annotations

import pytest

from bulge.core.table import Table
from bulge.games.enemy_action.arrows import arrows_from, follow_arrows
from bulge.games.enemy_action.facts import mask
from bulge.games.enemy_action.german_moves import begin_moves, german_moves
from bulge.games.enemy_action.methods import surrounds
from bulge.games.enemy_action.movement import moves_of
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.restrictions import frees_allies, restricted_moves
from bulge.games.enemy_action.routes import route
from tests.games.enemy_action.helpers import at, empty, names, place, sit, table, the_game, told, unit

GAME = "enemy_action"


def move_all(p: EnemyActionPosition, units: list[str], *dice: int) -> Table[EnemyActionPosition]:
    """The whole movement step of an activation of these units."""
    facts = the_game().facts
    t = table(p, *dice)
    p.active = mask(map(unit, units))
    step = begin_moves(t, facts)
    while step == "german_moves":
        step = german_moves(t, facts)
    assert step == "german_detachments"
    return t


def illustration_b() -> tuple[EnemyActionPosition, dict[int, str]]:
    """18 December; the German units by the selector that the illustration gives them."""
    facts, p = the_game().facts, empty(18)
    places = {2: "1308", 3: "1310", 4: "1710", 6: "1709", 8: "1508", 10: "1609"}
    panzers = sorted(
        (u for u in facts.german_units if facts.rows[u].division in ("2P", "Lehr")),
        key=lambda u: facts.selectors[u][p.steps[u]],
    )
    named = dict(zip(places, panzers, strict=True))
    for number, hex_ in places.items():
        p.where[named[number]] = at(hex_)
    place(p, **{"112.28.VIII": "1510", "110.28.VIII": "1712", "CCR.9A.VIII": "1411", "109.28.VIII": "1312"})
    place(p, **{"CCB.9A.VIII": "1512", "424.106.XVIII": "1111"})
    place(p, **{"16.116P.LVIII": "1210", "60.116P.LVIII": "1210", "156.116P.LVIII": "1210"})
    p.dispersed = mask([unit("112.28.VIII"), unit("110.28.VIII")])
    p.objective[1], p.facing[1], p.table[1] = at("1412"), "W", 1
    p.german_towns |= facts.board.set_of(["1709", "1108", "0706", "0709", "0711", "2007", "1911"])
    p.command = facts.german.of["G46"]
    return p, {u: f"{number:02}" for number, u in named.items()}


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "9.22")
@pytest.mark.rule(GAME, "9.3")
def test_illustration_b_unit_10_surrounds_1510_from_1611() -> None:
    p, named = illustration_b()
    tenth = next(u for u, number in named.items() if number == "10")
    s = sit(p)
    assert not s.is_surrounded(at("1510"))
    found = surrounds(s, restricted_moves(s, tenth))
    assert {"1410", "1610", "1611"} <= names(mask(found))
    t = move_all(p, [the_game().facts.rows[u].id for u in named])
    assert p.where[tenth] == at("1611")
    assert "(method 3) surrounds 1510" in told(t)


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "9.24")
@pytest.mark.rule(GAME, "15.1")
def test_illustration_b_units_04_and_08_come_closer_as_far_as_the_surround_lets_them() -> None:
    """Where 02, 03 and 06 end depends on pieces that only the picture shows."""
    p, named = illustration_b()
    t = move_all(p, [the_game().facts.rows[u].id for u in named])
    board = the_game().board
    ends = {number: board.name(p.where[u]) for u, number in named.items()}
    assert (ends["04"], ends["08"], ends["10"]) == ("1511", "1409", "1611"), told(t)
    assert {"1508", "1710"} <= names(p.detachments)
    assert sit(p).is_surrounded(at("1510"))


@pytest.mark.rule(GAME, "9.21")
def test_illustration_b_unit_03_is_pinned_until_1410_is_taken() -> None:
    p, named = illustration_b()
    by_number = {number: u for u, number in named.items()}
    p.where[by_number["10"]] = at("1611")
    assert frees_allies(sit(p), by_number["03"], 1 << at("1311"))
    p.where[by_number["02"]] = at("1410")
    assert not frees_allies(sit(p), by_number["03"], 1 << at("1311"))


@pytest.mark.rule(GAME, "2.1")
@pytest.mark.rule(GAME, "9.2")
def test_arrows_of_the_examples() -> None:
    """12.8 examples 2B and 2C: primary before secondary; an arrow marked B needs its bridge."""
    p = empty(18)
    second = unit("2.2P.XLVII")
    s = sit(p)
    assert [the_game().board.name(h) for h in arrows_from(s, second, at("1516"))] == ["1415", "1517"]
    facts = the_game().facts
    assert next(the_game().board.name(h) for h in arrows_from(s, second, at("1616"))) == "1517"
    p.blown |= 1 << facts.river_side(at("1616"), at("1517"))
    assert [the_game().board.name(h) for h in arrows_from(sit(p), second, at("1616"))] == ["1717"]


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "15.1")
def test_detachments_stay_along_the_way_of_15_1() -> None:
    """15.1 A: from 1006 by arrows to 0809 for six points, detachments in 1006, 1008 and 0909."""
    p = empty(17)
    p.german_towns = the_game().facts.towns  # so that nothing behind the unit needs guarding (9.21)
    place(p, **{"Peiper.1SS.ISS": "1006", "424.106.XVIII": "1110"})
    p.objective[0], p.facing[0], p.table[0] = at("0711"), "W", 1
    t = table(p)
    assert follow_arrows(t, sit(p), unit("Peiper.1SS.ISS"))
    walked = told(t)
    assert "1007 – 1008 – 0909 – 0809" in walked
    assert {"1006", "1008", "0909"} <= names(p.detachments)


@pytest.mark.rule(GAME, "15.1")
def test_a_unit_takes_the_route_of_most_hold_value() -> None:
    """15.1 B: from 0808 to 0910 by 0909."""
    p = empty(17)
    place(p, **{"1.1SS.ISS": "0808"})
    s = sit(p)
    way = route(s, moves_of(s, unit("1.1SS.ISS")), at("0910"))
    assert [the_game().board.name(h) for h in way] == ["0808", "0909", "0910"]


@pytest.mark.rule(GAME, "9.23")
@pytest.mark.rule(GAME, "9.13")
def test_units_of_a_corps_with_its_own_objective_go_for_the_enemy_near_it() -> None:
    p = empty(17)
    place(p, **{"18.LXVI": "1104", "424.106.XVIII": "1107"})
    p.corps_objective[1] = at("1106")
    p.objective[1], p.facing[1], p.table[1] = at("1412"), "W", 1
    t = move_all(p, ["18.LXVI"])
    assert the_game().board.adjacent(p.where[unit("18.LXVI")], at("1107"))
    assert "goes for" in told(t)


@pytest.mark.rule(GAME, "9.25")
def test_a_unit_without_supply_falls_back_towards_it() -> None:
    p = empty(20)
    place(p, **{"2.2P.XLVII": "1219", "327.101.VIII": "1218", "502.101.VIII": "1118", "333.84.VII": "1318"})
    place(p, **{"334.84.VII": "1119"})
    p.low = 1 << unit("2.2P.XLVII")
    p.objective[1], p.facing[1], p.table[1] = at("1126"), "W", 3
    t = move_all(p, ["2.2P.XLVII"])
    assert "is out of supply and falls back towards it" in told(t)
    assert p.where[unit("2.2P.XLVII")] != at("1219")


@pytest.mark.rule(GAME, "9.24")
def test_beside_an_enemy_a_free_hex_goes_before_a_held_one() -> None:
    p = empty(17)
    place(p, **{"48.12.ISS": "0806", "27.12.ISS": "0906", "16.1.V": "0807"})
    p.objective[0], p.facing[0], p.table[0] = at("0807"), "W", 1
    t = move_all(p, ["27.12.ISS"])
    assert p.where[unit("27.12.ISS")] != at("0806"), told(t)


@pytest.mark.rule(GAME, "9.2")
def test_a_move_tells_what_the_methods_before_it_failed_on() -> None:
    p, named = illustration_b()
    t = move_all(p, [the_game().facts.rows[u].id for u in named])
    moves = [event for event in t.events or () if "(method 3)" in event.words]
    assert [test.words for test in moves[0].conditions] == [
        "1a, exit the map",
        "1b, next to the Meuse",
        "1c, enter an empty VP hex",
        "2, closer and next to a VP hex",
    ]
    assert not any(test.holds for test in moves[0].conditions)
    assert (moves[0].kind, moves[0].depth) == ("move", 0)

"""What an independent reading of the German procedure found: each fault as a small position."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.core.movement import Limits
from bulge.core.spaces import members
from bulge.games.enemy_action.advance import go_in
from bulge.games.enemy_action.allied_cards import single_units
from bulge.games.enemy_action.arrows import arrows_ahead, follow_arrows
from bulge.games.enemy_action.facts import ALLIED, GERMAN, mask
from bulge.games.enemy_action.german_attack import Plan, attack_goes_in
from bulge.games.enemy_action.german_moves import begin_moves, german_moves
from bulge.games.enemy_action.last_methods import infiltrate
from bulge.games.enemy_action.methods import cause_surround
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.restrictions import (
    exposing_steps,
    free_moves,
    freeing_steps,
    only_through,
    out_of_new_towns,
    restricted_moves,
)
from bulge.games.enemy_action.walking import walk
from tests.games.enemy_action.helpers import at, empty, place, sit, start, table, the_game, told, unit

GAME = "enemy_action"


def walked(p: EnemyActionPosition, name: str) -> str:
    """Where method 10 takes a unit."""
    assert follow_arrows(table(p), sit(p), unit(name))
    return the_game().board.name(p.where[unit(name)])


@pytest.mark.rule(GAME, "9.21")
def test_a_town_that_is_taken_on_the_way_is_not_left_open() -> None:
    p = empty(16)
    place(p, **{"3.2P.XLVII": "1708"})
    panzers = unit("3.2P.XLVII")
    assert restricted_moves(sit(p), panzers).hexes >> at("1709") & 1
    limits = Limits(bars=exposing_steps(sit(p), panzers, free_moves(sit(p), panzers).hexes))
    assert limits.barred(at("1709"), at("1710"))


@pytest.mark.rule(GAME, "9.21")
def test_an_extended_move_is_bound_by_the_restrictions_too() -> None:
    """Hotton lies beyond the first points of a regiment in Manhay; it stops there rather than leave it open."""
    p = empty(18)
    place(p, **{"89.12.ISS": "1014", "48.12.ISS": "1014"})
    p.german_towns |= the_game().board.set_of(["1014", "1118"])
    p.german_bridges = the_game().facts.bridges
    footsore = unit("89.12.ISS")
    assert arrows_ahead(sit(p), footsore) & ~free_moves(sit(p), footsore).hexes & ~(1 << at("1014"))
    assert walked(p, "89.12.ISS") == "1118"


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "10.8")
def test_an_extended_move_enters_the_hex_in_which_a_roadblock_stops_it() -> None:
    p = empty(17)
    p.german_towns = the_game().facts.towns
    place(p, **{"150.ISS": "0805"})
    p.roadblocks = 1 << at("0408")
    assert walked(p, "150.ISS") == "0509"


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "9.3")
def test_whoever_surrounds_from_afar_closes_up_even_beside_another_surrounded_enemy() -> None:
    board, p = the_game().facts.board, empty(18)
    middle = at("1616")
    place(p, **{"502.101.VIII": "1616"})
    near = [board.neighbour(middle, direction) for direction in range(6)]
    for name, hex_ in (("3.2P.XLVII", near[0]), ("2.2P.XLVII", near[2])):
        p.where[unit(name)] = hex_
    p.where[unit("901.Lehr.XLVII")] = far = board.neighbour(near[4], 4)
    p.german_towns = the_game().facts.towns
    p.objective[1], p.facing[1], p.table[1] = at("1219"), "W", 1
    p.surrounded = 1 << middle
    s = sit(p)
    assert s.is_surrounded(middle)
    assert cause_surround(table(p), s, unit("901.Lehr.XLVII"))
    assert p.where[unit("901.Lehr.XLVII")] != far
    assert board.adjacent(p.where[unit("901.Lehr.XLVII")], middle)
    assert sit(p).is_surrounded(middle)


@pytest.mark.rule(GAME, "9.23")
@pytest.mark.rule(GAME, "9.24")
def test_a_unit_with_a_corps_objective_does_not_turn_away_from_its_target() -> None:
    facts, p = the_game().facts, empty(22)
    place(
        p,
        **{"29.3PG.LXVII": "0604", "8.3PG.LXVII": "0505", "39.9.V": "0405", "47.9.V": "0506", "393.99.V": "0606"},
    )
    p.corps_objective[0] = at("0506")
    t = table(p)
    p.active = mask([unit("29.3PG.LXVII")])
    step = begin_moves(t, facts)
    while step == "german_moves" and not p.moved:
        step = german_moves(t, facts)
    assert p.where[unit("29.3PG.LXVII")] == at("0505")


@pytest.mark.rule(GAME, "13.1")
def test_only_a_supply_head_counts_across_an_unbridged_river() -> None:
    facts = the_game().facts
    lines = sit(empty()).lines(ALLIED)
    roadless = facts.friendly_edge[ALLIED] & ~lines.heads
    beyond = facts.rivers.across(roadless) & ~facts.rivers.across(lines.heads)
    assert members(beyond)
    assert not lines.over_river & beyond


@pytest.mark.rule(GAME, "15.1")
def test_a_hex_without_a_printed_hold_value_keeps_no_detachment() -> None:
    facts, p = the_game().facts, empty(18)
    assert not facts.hold_hexes & facts.board.set_of(["1007", "1310"])
    place(p, **{"3.2P.XLVII": "1310"})
    walk(table(p), facts, unit("3.2P.XLVII"), [at("1310"), at("1311")], "10.0", "goes")
    assert not p.detachments


@pytest.mark.rule(GAME, "9.5")
@pytest.mark.rule(GAME, "12.31")
def test_the_support_cards_tactic_is_weighed_with_the_reserves_in_their_places() -> None:
    """Infantry Infiltration does nothing for an attack that a reserve unit makes a flank attack."""
    facts, p = the_game().facts, empty(20)
    place(p, **{"276.LXXX": "1309", "110.28.VIII": "1310"})
    p.support = next(
        card for card, row in enumerate(facts.german.rows) if row.tactics == ("infantry_infiltration",)
    )
    units, reserve = (unit("276.LXXX"),), unit("320.212.LXXX")
    plan = Plan(at("1310"), units, {}, (), Fraction(2), 4, 2, ())
    for reserves, lesser in (({}, True), ({reserve: at("1311")}, False)):
        t = table(p, 10)
        attack_goes_in(t, sit(p), units[0], plan._replace(reserves=reserves))
        assert ("the support card's tactic" in told(t)) == lesser


@pytest.mark.rule(GAME, "9.21")
def test_a_surround_that_arises_on_the_way_is_not_left_again() -> None:
    board, p = the_game().facts.board, empty(18)
    middle = at("1616")
    place(p, **{"502.101.VIII": "1616"})
    near = [board.neighbour(middle, direction) for direction in range(6)]
    for name, hex_ in (("3.2P.XLVII", near[0]), ("2.2P.XLVII", near[2])):
        p.where[unit(name)] = hex_
    p.where[unit("901.Lehr.XLVII")] = far = board.neighbour(board.neighbour(near[4], 4), 4)
    closing = board.neighbour(near[4], 4)
    bars = freeing_steps(sit(p), unit("901.Lehr.XLVII"), 1 << closing | board.next_to(closing))
    assert any(before >> closing & 1 and after >> far & 1 for before, after in bars)


@pytest.mark.rule(GAME, "12.83")
def test_whoever_advanced_through_a_hex_no_longer_counts_in_it() -> None:
    """12.8 (2) B: the second unit goes into 1516 without a die, since the first has gone on."""
    facts, p = the_game().facts, empty(18)
    place(p, **{"3.2P.XLVII": "1515", "2.2P.XLVII": "1515"})
    p.battle = Battle(GERMAN, at("1516"), mask(map(unit, ("3.2P.XLVII", "2.2P.XLVII"))), 0, eliminated=True)
    t = table(p)
    go_in(t, facts, unit("3.2P.XLVII"), [at("1515"), at("1516")], "advances")
    go_in(t, facts, unit("3.2P.XLVII"), [at("1516"), at("1415")], "advances a second hex")
    assert p.battle.into == (at("1415"),)


@pytest.mark.rule(GAME, "6.3")
def test_a_dispersed_unit_may_be_activated_alone_to_rally() -> None:
    facts, p = the_game().facts, start(day=17)
    lost = next(one for one in single_units(facts, p))
    p.dispersed = 1 << lost
    assert lost in single_units(facts, p)


@pytest.mark.rule(GAME, "9.2")
def test_infantry_infiltrates_across_an_unbridged_river() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"352.LXXXV": "2108", "15.5F.LXXXV": "2108", "CCA.9A.VIII": "2110"})
    assert facts.river_side(at("2108"), at("2109")) >= 0
    p.objective[2], p.facing[2], p.table[2] = at("2513"), "W", 1
    p.active = mask(map(unit, ("352.LXXXV", "15.5F.LXXXV")))
    p.german_towns = facts.towns
    assert infiltrate(table(p), sit(p), unit("352.LXXXV"))
    assert p.where[unit("352.LXXXV")] != at("2108")


@pytest.mark.rule(GAME, "9.21")
def test_a_town_taken_in_passing_is_not_opened_a_hex_later() -> None:
    """From 1710 the panzers still shut Clervaux off; one hex on they would leave it open behind them."""
    p = empty(17)
    place(p, **{"3.2P.XLVII": "1808", "77.26.XLVII": "1708"})
    s, panzers = sit(p), unit("3.2P.XLVII")
    hexes = free_moves(s, panzers).hexes
    limits = Limits(bars=tuple(out_of_new_towns(s, panzers, hexes)))
    assert not limits.barred(at("1709"), at("1710"))
    assert limits.barred(at("1710"), at("1711"))
    through = only_through(s, panzers, at("1709"), hexes)
    assert through >> at("1710") & 1
    assert not through >> at("1608") & 1, "whoever goes round the town has not taken it"

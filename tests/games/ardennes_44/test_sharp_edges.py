"""Rules at the point where they begin or end to bind: one factor, one hex, one turn more or less."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.advance import breakthrough_group
from bulge.games.ardennes_44.artillery import guns_in_range
from bulge.games.ardennes_44.bridges import can_build, sappers
from bulge.games.ardennes_44.columns import strategic_points
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import GONE
from bulge.games.ardennes_44.formations import may_attack_together
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.holding import may_dig
from bulge.games.ardennes_44.losses import break_
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.mover import Mover
from bulge.games.ardennes_44.night import places_for, replaceable
from bulge.games.ardennes_44.retreats import settle
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply, road_bound
from bulge.games.ardennes_44.surrender import threshold
from bulge.games.ardennes_44.traffic import hexes_for_marker
from bulge.games.ardennes_44.victory import german_controlled
from tests.games.ardennes_44.helpers import (
    ArdennesMatch,
    answer,
    at,
    battle,
    begun,
    cost,
    empty,
    facts,
    hexes,
    placed,
    unit,
    units,
    walk,
)  # fmt: skip

GAME = "ardennes_44"
ROAD = "E2623"


@pytest.mark.rule(GAME, "9.2.1")
def test_leaving_an_enemy_zone_costs_a_point_and_entering_one_nothing() -> None:
    free, held = walk("2Pz/304", "E2305"), walk("2Pz/304", "E2305", ("99/394", "E2205"))
    assert cost(held, "E2306") == cost(free, "E2306") + POINT
    assert cost(walk("2Pz/304", "E2306", ("99/394", "E2205")), "E2305") == cost(free, "E2306")


@pytest.mark.rule(GAME, "11.2")
def test_extended_movement_does_not_end_next_to_an_enemy_even_out_of_its_zone() -> None:
    mover = walk("12/48", "E2306", ("99/394", "E2304")).mover
    assert not mover.may_end_in(at("E2305"), (mover.allowed.points + 1, False))
    assert mover.may_end_in(at("E2305"), (mover.allowed.points, False))


@pytest.mark.rule(GAME, "12.2")
def test_nobody_ends_with_a_column_nor_a_column_beside_another_on_its_road() -> None:
    p = placed(("2Pz/2Rec", "E3001"), ("12/48", "E2406"), ("14Cav/18", "E3008"), scenario="S1", turn=4)
    p.columns = units("2Pz/2Rec")
    assert not Mover(Situation(facts(), p), unit("12/48")).has_room(at("E3001"))
    beside = next(
        hex_ for hex_, _ in facts().ground.around(at("E3001")) if facts().ground.roads.between(at("E3001"), hex_)
    )
    apart = next(
        hex_
        for hex_, _ in facts().ground.around(at("E3001"))
        if not facts().ground.roads.between(at("E3001"), hex_)
    )
    column = Mover(Situation(facts(), p), unit("Lehr/130Rec"), strategic=28)
    assert not column.has_room(beside)
    assert column.has_room(apart), "another road"


def forming_up(*others: tuple[str, str]) -> ArdennesMatch:
    """14th Cavalry is asked where it goes, with these others about."""
    match = begun(placed(("14Cav/18", ROAD), *others, scenario="S1", turn=4, step="allied_movement"))
    answer(match, "14Cav/18")
    return match


def offered(match: ArdennesMatch) -> set[str]:
    return {option.id for option in match.options()}


@pytest.mark.rule(GAME, "12.2")
def test_no_column_forms_in_a_stack_and_stays_there() -> None:
    for others, stays in (((), True), ((("4/8/2", ROAD),), False)):
        match = forming_up(*others)
        answer(match, "strategic")
        assert ("stop" in offered(match)) == stays


@pytest.mark.rule(GAME, "12.2")
def test_strategic_movement_is_offered_only_to_who_may_halt_somewhere() -> None:
    board, here = facts().board, at(ROAD)
    s = forming_up(("4/8/2", ROAD)).position
    onward = Walk(Situation(facts(), s), unit("14Cav/18"), here, strategic=28).next_steps()
    beyond = [
        board.name(next(hex_ for hex_ in board.neighbours(ahead) if board.distance(hex_, here) == 2))
        for ahead in onward
    ]
    enemies = tuple(zip(("12/48", "12/89", "12/27F", "277/989"), dict.fromkeys(beyond), strict=False))
    assert len(enemies) == len(set(beyond))
    assert "strategic" in offered(forming_up(*enemies))
    assert "strategic" not in offered(forming_up(("4/8/2", ROAD), *enemies))


@pytest.mark.rule(GAME, "12.2")
def test_a_column_never_drives_next_to_an_enemy() -> None:
    board = facts().board
    p = placed(("14Cav/18", "E3001"), scenario="S1", turn=4, step="allied_movement")
    ahead = next(iter(Walk(Situation(facts(), p), unit("14Cav/18"), at("E3001"), strategic=28).next_steps()))
    beyond = next(hex_ for hex_ in board.neighbours(ahead) if board.distance(hex_, at("E3001")) == 2)
    p.where[unit("12/48")] = beyond
    way = Walk(Situation(facts(), p), unit("14Cav/18"), at("E3001"), strategic=28)
    assert ahead not in way.next_steps()
    assert strategic_points(Situation(facts(), p), unit("14Cav/18"))
    p.turn = 1
    assert not strategic_points(Situation(facts(), p), unit("14Cav/18")), "29.1.3"


@pytest.mark.rule(GAME, "12.6")
def test_a_column_that_was_attacked_is_none_any_more() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"), step="german_combat")
    p.columns = units("99/394")
    match = begun(p, 6)
    answer(match, "E2405", "12/48", "attack")
    assert not match.position.columns


@pytest.mark.rule(GAME, "23.3")
def test_the_overland_part_is_four_hexes_and_no_more() -> None:
    supply = Supply(Situation(facts(), empty("S1")), GERMAN)
    near = supply.leading_to(hexes("E2406"))
    assert near == facts().board.within(hexes("E2406"), 4)


@pytest.mark.rule(GAME, "23.3", "30.1.2")
def test_roads_stop_at_vacant_enemy_towns_and_victory_hexes_need_a_road() -> None:
    p = empty("S1")
    p.german_held = facts().german_ground | hexes("E3313")
    s = Situation(facts(), p)
    town = next(hex_ for hex_ in facts().board.names_of(facts().ground.settled & ~p.german_held))
    assert not road_bound(s, GERMAN) >> at(town) & 1
    p.where[unit("99/394")] = at("E3414")
    cut = empty("S1")
    cut.german_held = hexes("E3313")
    for number, near in zip(facts().units_of[ALLIED], facts().board.neighbours(at("E3313")), strict=False):
        cut.where[number] = near
    assert not german_controlled(Situation(facts(), cut)), "held, but no road leads there"


@pytest.mark.rule(GAME, "17.5")
def test_who_retreated_on_to_friends_adds_nothing_to_their_defence() -> None:
    alone = battle("E2405", [("12/48", "E2406")], ["99/394"])
    joined = battle("E2405", [("12/48", "E2406")], ["99/394", "4/8/2"], joined=units("4/8/2"))
    assert joined.defence() == alone.defence()
    joined.s.p.breakers = units("12/48")
    assert joined.defence() > alone.defence(), "but in Breakthrough Combat it does"
    p = placed(("99/394", "E2405"), ("99/393", "E2403"), ("4/8/2", "E2303"), step="german_combat")
    table = begun(p).table
    settle(table, facts(), unit("99/394"), (at("E2405"), at("E2404"), at("E2403")))
    assert p.joined == units("99/394")
    settle(table, facts(), unit("4/8/2"), (at("E2303"), at("E2302")))
    assert p.joined == units("99/394"), "nobody was there"


@pytest.mark.rule(GAME, "7.8")
def test_no_bridge_is_built_under_an_enemy_zone_that_nobody_negates() -> None:
    bridge = facts().bridge("E2016/E2115")
    p = placed(("99/394", "E2215"), turn=3)
    s = Situation(facts(), p)
    assert s.zone(ALLIED) >> at("E2115") & 1
    assert not can_build(s, GERMAN, bridge, -1)
    p.where[unit("12/48")] = at("E2115")
    assert can_build(Situation(facts(), p), GERMAN, bridge, -1)


@pytest.mark.rule(GAME, "7.6", "18.5")
@pytest.mark.parametrize(("marker", "able"), [("broken", False), ("columns", False), ("disrupted", True)])
def test_who_may_blow_a_bridge(marker: str, able: bool) -> None:
    p = placed(("99/394", "E2016"), turn=3)
    setattr(p, marker, units("99/394"))
    assert bool(sappers(Situation(facts(), p), ALLIED, facts().bridge("E2016/E2115"))) == able


@pytest.mark.rule(GAME, "24.4")
def test_markers_keep_a_hex_apart() -> None:
    p = empty("S1")
    p.greif[0] = at("E2406")
    open_ = hexes_for_marker(facts(), p, GERMAN)
    assert not open_ & (hexes("E2406") | facts().board.next_to(at("E2406")))
    assert open_ & facts().board.ring(hexes("E2406"), 2) == facts().board.ring(hexes("E2406"), 2)


@pytest.mark.rule(GAME, "25.2.2", "25.2.5")
def test_where_a_lost_unit_returns_and_which_tanks_do_not() -> None:
    p = placed(("4/8/2", "E2103"), scenario="S1", turn=4, step="allied_replacements")
    p.armour_to_place = True
    heavy = [row for row in facts().rows if row.side == GERMAN and row.type == "tank" and row.tq == 5]
    light = [row for row in facts().rows if row.side == GERMAN and row.type == "tank" and row.tq == 4]
    able = replaceable(facts(), p, GERMAN)
    assert heavy
    assert not any(able >> unit(row.id) & 1 for row in heavy)
    assert light
    assert all(able >> unit(row.id) & 1 for row in light)
    p.where[unit("4/12/1")] = GONE
    home = places_for(Situation(facts(), p), unit("4/12/1"))
    assert home
    one = facts().board.names_of(home)[0]
    p.where[unit("12/48")] = facts().board.neighbours(at(one))[0]
    assert not places_for(Situation(facts(), p), unit("4/12/1")) >> at(one) & 1, "an enemy is next to it"


@pytest.mark.rule(GAME, "23.8")
def test_a_group_is_green_only_if_all_are() -> None:
    by_morale = {row.morale: number for number, row in enumerate(facts().rows)}
    green, veteran, elite = by_morale["green"], by_morale["veteran"], by_morale["elite"]
    assert threshold(facts(), [green]) == 3
    assert threshold(facts(), [green, veteran]) == threshold(facts(), [veteran]) == 4
    assert threshold(facts(), [green, veteran, elite]) == 5


@pytest.mark.rule(GAME, "27.1", "18.2")
def test_engineers_do_not_survive_being_broken() -> None:
    p = placed(("Eng/44", "E2406"), ("99/394", "E2404"), step="german_combat")
    table = begun(p).table
    for id_ in ("Eng/44", "99/394"):
        break_(table, facts(), unit(id_), "18.2")
    assert p.where[unit("Eng/44")] == GONE
    assert p.broken == units("99/394")


@pytest.mark.rule(GAME, "22.3")
def test_a_gun_under_a_prime_mover_is_silent() -> None:
    found = battle("E2405", [("12/48", "E2406")], ["99/394"])
    p = found.s.p
    p.where[unit("ISS/388")] = at("E2407")
    assert guns_in_range(found, GERMAN) == [unit("ISS/388")]
    p.movers = units("ISS/388")
    assert not guns_in_range(found, GERMAN)


@pytest.mark.rule(GAME, "19.5")
def test_no_breakthrough_without_supply() -> None:
    p = placed(("2Pz/304", "E2405"), ("2Pz/2", "E2405"), step="german_combat")
    p.advanced = {unit("2Pz/304"): 1, unit("2Pz/2"): 1}
    p.unsupplied = units("2Pz/2")
    assert breakthrough_group(facts(), p) == units("2Pz/304")


@pytest.mark.rule(GAME, "14.3.2")
def test_a_formation_takes_in_one_unit_and_no_second() -> None:
    p = placed(
        ("12/48", "E2406"), ("12/89", "E2406"), ("277/989", "E2406"), ("3FJ/5", "E2406"), ("26/77", "E2406")
    )
    s = Situation(facts(), p)
    four = [unit(id_) for id_ in ("12/48", "277/989", "3FJ/5", "26/77")]
    assert may_attack_together(s, four), "two formations and one attached to each"
    p.where[unit("212/316")] = at("E2406")
    assert not may_attack_together(Situation(facts(), p), [*four, unit("212/316")])


@pytest.mark.rule(GAME, "25.2.4")
def test_who_got_a_replacement_moves_one_hex() -> None:
    p = placed(("12/48", "E2406"), turn=5)
    p.replaced = units("12/48")
    way = Walk(Situation(facts(), p), unit("12/48"), at("E2406"))
    way.step(at("E2405"))
    assert not way.options()


@pytest.mark.rule(GAME, "15.8.2")
@pytest.mark.parametrize(
    ("marker", "digs"),
    [
        *((marker, False) for marker in ("engaged", "unsupplied", "columns", "disrupted")),
        *((marker, True) for marker in ("night_marked", "replaced")),
    ],
)
def test_which_markers_keep_a_unit_from_digging_in(marker: str, digs: bool) -> None:
    p = placed(("99/394", "E2406"), turn=4, step="allied_movement")
    setattr(p, marker, units("99/394"))
    assert may_dig(Situation(facts(), p), unit("99/394")) == digs


@pytest.mark.rule(GAME, "20.3")
@pytest.mark.parametrize(("die", "may_stop"), [(3, True), (4, False)])
def test_who_is_disrupted_while_disengaging_does_not_stop_in_a_zone(die: int, may_stop: bool) -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"), ("99/393", "E2407"), step="german_combat")
    p.engaged = units("12/48")
    p.disrupted = units("99/394", "99/393")  # zones without bonds
    match = begun(p, die)
    answer(match, "disengage", "12/48")
    assert ("one_hex" in match.asked().options) == may_stop
    if not may_stop:
        while match.asked().rule == "20.3":
            match.choose(match.asked().options[0])
        assert facts().board.distance(match.position.where[unit("12/48")], at("E2406")) == 2
        assert match.position.disrupted >> unit("12/48") & 1

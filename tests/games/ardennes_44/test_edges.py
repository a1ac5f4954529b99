"""Beyond the edges of the map: exits, boxes, Blocking Positions; and ways easily lost (rules 11 and 13)."""

from __future__ import annotations

import pytest

from bulge.core.spaces import members
from bulge.games.ardennes_44.advance import Advance, advance
from bulge.games.ardennes_44.arrivals import due, entry_cost, ways_on
from bulge.games.ardennes_44.artillery import guns_in_range
from bulge.games.ardennes_44.columns import may_load, strategic_points
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import ABSENT, DUE
from bulge.games.ardennes_44.fighting import apply
from bulge.games.ardennes_44.formations import may_attack_together
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.mover import Mover
from bulge.games.ardennes_44.night import may_mark
from bulge.games.ardennes_44.reach import ways
from bulge.games.ardennes_44.sectors import elsewhere, entry_hexes, open_entries
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import (
    answer,
    at,
    battle,
    begun,
    empty,
    facts,
    hexes,
    placed,
    unit,
    units,
    walk,
)

GAME = "ardennes_44"
FULL = ("26/101", "26/104", "26/328")
ALLIED_GUNS = members(facts().guns & facts().of_side[ALLIED])


# ---------------------------------------------------------------------- ways that are easily lost


@pytest.mark.rule(GAME, "11.3")
def test_two_tactical_hexes_are_found_though_the_first_is_cheaper_by_another_way() -> None:
    reached = ways(walk("12SS/560", "E0936"))
    assert reached[at("E0938")].path == (at("E0936"), at("E0937"), at("E0938"))


@pytest.mark.rule(GAME, "18.3")
def test_a_disrupted_unit_with_only_crowded_hexes_to_flee_to_may_enter_a_zone() -> None:
    around = facts().board.ring(hexes("E2406"), 2) | hexes("E2405")
    allies = [number for number in facts().units_of[ALLIED] if facts().infantry >> number & 1]
    p = placed(("3PG/8", "E2406"), ("3PG/29", "E2407"))
    for ally, hex_ in zip(allies, members(around), strict=False):
        p.where[ally] = hex_
        p.disrupted |= 1 << ally  # they keep their zones and form no bonds
    p.disrupted |= units("3PG/8")
    way = Walk(Situation(facts(), p), unit("3PG/8"), at("E2406"))
    assert facts().board.next_to(at("E2406")) & ~way.mover.shunned & ~hexes("E2405") == hexes("E2407")
    assert not way.must_go
    assert len(way.options()) == 4, "its friends leave it no room, so that zones are open to it"


# ---------------------------------------------------------------------- leaving the map


@pytest.mark.rule(GAME, "11.2", "11.9.1")
def test_extended_movement_leads_off_the_map() -> None:
    way = walk("78/309", "E1740")
    for name in ("E1841", "E1842"):
        way.step(at(name))
    assert way.spent > way.mover.allowed.points - POINT, "the last point is one of Extended Movement"
    assert way.may_leave_map()


@pytest.mark.rule(GAME, "11.9.3")
def test_germans_pay_the_road_to_leave_and_shut_that_entry() -> None:
    p = placed(("2Pz/304", "W3621"), scenario="S1", turn=9)
    match = begun(p)
    answer(match, "2Pz/304", "leave_the_map")
    q = match.position
    assert q.exit_hexes == hexes("W3621")
    q.where[unit("43/129")] = at("West box")
    assert at("W3621") not in entry_hexes(Situation(facts(), q), unit("43/129"))
    assert at("W3613") in entry_hexes(Situation(facts(), q), unit("43/129"))
    way = Walk(Situation(facts(), p), unit("2Pz/304"), at("W3621"))
    way.spent = way.mover.allowed.points - facts().road_off_map(unit("2Pz/304"), at("W3621"))
    way.tactical = False
    assert way.may_leave_map()
    way.spent += 1
    assert not way.may_leave_map()


@pytest.mark.rule(GAME, "11.9.1", "12.1")
def test_a_column_leaves_by_road_only() -> None:
    roadless = next(hex_ for hex_ in facts().fields["EW"].boxes if not facts().road_ends >> hex_ & 1)
    for hex_, leaves in ((roadless, False), (at("E3001"), True)):
        p = empty("S1", turn=4, step="allied_movement")
        p.where[unit("14Cav/18")] = hex_
        assert Walk(Situation(facts(), p), unit("14Cav/18"), hex_, strategic=28).may_leave_map() == leaves


@pytest.mark.rule(GAME, "7.7", "8.3")
def test_a_unit_that_the_bridge_of_ouren_stops_in_a_full_hex_goes_back() -> None:
    p = placed(("26/77", "E2019"), ("2Pz/304", "E2020"), turn=3)
    p.columns = units("2Pz/304")
    match = begun(p, 1)
    answer(match, "26/77", "E2020", "E2119")
    assert match.position.where[unit("26/77")] == at("E2019")
    assert match.position.blown >> facts().bridge("E2020/E2119") & 1
    way = Advance(Situation(facts(), p), unit("26/77"), "bonus", at("E2020"))
    assert at("E2020") in way.next_steps(), "so may an advance lead through it"


@pytest.mark.rule(GAME, "11.8", "12.4.4", "13.1")
def test_trucks_come_on_by_a_forest_road_as_vehicles_do() -> None:
    p = empty("S1", turn=6, step="allied_movement")
    p.where[unit("82/505")] = DUE
    s = Situation(facts(), p)
    assert facts().ground.forest_road_hexes >> at("W1603") & 1
    assert entry_cost(Mover(s, unit("82/505"), strategic=12 * POINT), at("W1603")) == 2 * POINT
    assert entry_cost(Mover(s, unit("82/505")), at("W1603")) == POINT


@pytest.mark.rule(GAME, "27.3.1", "29.1.2", "29.4")
@pytest.mark.parametrize(
    ("id_", "start", "asked", "turn", "number"),
    [("51/153", "W0941", "E4041", 20, "27.3.1"), ("12/48", "E1330", "E1331", 1, "29.1.2")],
)
def test_closed_ground_is_refused_by_the_rule_that_closes_it(
    id_: str, start: str, asked: str, turn: int, number: str
) -> None:
    side = facts().side_of(unit(id_)).lower()
    match = begun(placed((id_, start), scenario="S1", turn=turn, step=f"{side}_movement"))
    answer(match, id_)
    assert match.why_not(asked).rule == number


@pytest.mark.rule(GAME, "11.9.1", "8.3")
def test_the_way_off_the_map_leads_through_a_full_hex() -> None:
    edge, beside = "W1503", "W1403"
    p = placed(("4/8/2", beside), *((id_, edge) for id_ in FULL), scenario="S1", step="allied_movement")
    way = Walk(Situation(facts(), p), unit("4/8/2"), at(beside))
    one_point_left = way.mover.allowed.points + way.mover.allowed.extended - POINT, False
    assert not way.mover.has_room(at(edge))
    assert way.after(at(edge), one_point_left).may_leave_map()
    assert way.options({at(edge): one_point_left}) == [at(edge)]


@pytest.mark.rule(GAME, "11.9.1")
def test_an_advance_leads_off_a_friendly_edge_for_one_of_its_hexes() -> None:
    p = placed(("4/8/2", "E1002"), scenario="S1", step="allied_combat")
    for kind, steps, leaves in (
        ("regular", 0, False),
        ("regular", 1, False),
        ("bonus", 1, True),
        ("limited", 1, False),
    ):
        way = Advance(Situation(facts(), p), unit("4/8/2"), kind, at("E1001"))
        for _ in range(steps):
            way.step(at("E1001"))
        assert way.may_leave_map() == leaves, (kind, steps)
    p.where[unit("4/8/2")] = at("E1001")
    assert Advance(Situation(facts(), p), unit("4/8/2"), "regular", at("E1002")).may_leave_map()
    p.where[unit("4/8/2")], p.where[unit("12/48")] = ABSENT, at("E1001")
    assert not Advance(Situation(facts(), p), unit("12/48"), "bonus", at("E1002")).may_leave_map()
    leaving = placed(("4/8/2", "E1001"), scenario="S1")
    playing = advance(begun(leaving).table, facts(), ALLIED, units("4/8/2"), "regular", 0)
    next(playing)
    playing.send(unit("4/8/2"))
    with pytest.raises(StopIteration):
        playing.send("leave_the_map")
    assert leaving.where[unit("4/8/2")] == at("Southeast box")


@pytest.mark.rule(GAME, "16.6")
def test_the_attacker_says_which_stack_has_the_advantage() -> None:
    found = battle("E2405", [("12/48", "E2406"), ("12/89", "E2305")], ["99/394"])
    found.s.p.attackers = units("12/48", "12/89")
    playing = apply(begun(found.s.p).table, found, "ENG+")
    asked = next(playing)
    assert (asked.rule, set(asked.options)) == ("16.6", {at("E2406"), at("E2305")})
    with pytest.raises(StopIteration):
        playing.send(at("E2305"))
    assert [(mark.units, mark.hex_) for mark in found.s.p.advantages] == [(units("12/89"), at("E2305"))]


# ---------------------------------------------------------------------- boxes and Blocking Positions


@pytest.mark.rule(GAME, "13.1", "13.5", "13.6")
def test_a_unit_in_a_box_may_go_to_every_blocking_position_of_its_sector_and_to_the_next_boxes() -> None:
    p = empty("S1", step="allied_movement")
    p.where[unit("4/8/2")] = at("Southeast box")
    s = Situation(facts(), p)
    blocks = [f"Block {name}" for name in ("E1001", "E1701", "E2101", "E2401", "E3001")]
    assert elsewhere(s, unit("4/8/2")) == [*(at(name) for name in blocks), at("Southwest box")]
    assert facts().board.names_of(sum(1 << hex_ for hex_ in ways_on(s, unit("4/8/2")))) == sorted(
        ("E1001", "E1701", "E2101", "E2401", "E3001"), key=at
    )
    p.where[unit("4/8/2")] = at("Block E1001")
    s = Situation(facts(), p)
    assert elsewhere(s, unit("4/8/2")) == [at("Southeast box")]
    assert ways_on(s, unit("4/8/2")) == [at("E1001")]


@pytest.mark.rule(GAME, "13.1", "13.5", "22.1")
def test_boxes_are_pointed_at_and_guns_that_go_there_have_fired() -> None:
    p = empty("S1", step="allied_movement")
    gun = next(
        row.id for number, row in enumerate(facts().rows) if facts().guns >> number & 1 and row.side == ALLIED
    )
    p.where[unit(gun)] = at("Southeast box")
    match = begun(p)
    answer(match, gun)
    option = next(option for option in match.options() if option.id == "Block E1701")
    assert option.spaces == ("Block E1701",)
    answer(match, "Block E1701")
    assert match.position.where[unit(gun)] == at("Block E1701")
    assert match.position.fired >> unit(gun) & 1


@pytest.mark.rule(GAME, "12.4.3")
def test_trucks_are_loaded_in_an_off_map_box_and_driven_the_turn_after() -> None:
    p = empty("S1", turn=4, step="allied_movement")
    p.where[unit("4/8/2")] = at("Southeast box")
    s = Situation(facts(), p)
    assert may_load(s, unit("4/8/2"))
    assert not strategic_points(s, unit("4/8/2"))
    match = begun(p)
    answer(match, "4/8/2", "get_on_trucks")
    assert match.position.columns == units("4/8/2")
    p = empty("S1", turn=5, step="allied_movement")
    p.where[unit("4/8/2")], p.columns = at("Southeast box"), units("4/8/2")
    assert strategic_points(Situation(facts(), p), unit("4/8/2")) == 12 * POINT
    p.where[unit("4/8/2")], p.columns = at("Block E1001"), 0
    assert not may_load(Situation(facts(), p), unit("4/8/2")), "a Blocking Position is no Off Map Box"


@pytest.mark.rule(GAME, "25.3.1", "25.3.5")
def test_a_unit_marked_in_a_box_stays_by_day_and_comes_on_at_night() -> None:
    p = empty("S1", turn=4, step="allied_movement")
    p.where[unit("4/8/2")] = p.where[unit("4/12/1")] = at("Southeast box")
    assert may_mark(Situation(facts(), p), unit("4/8/2"))
    match = begun(p)
    answer(match, "4/8/2", "mark_for_night")
    q = match.position
    assert q.night_marked == units("4/8/2"), "a box has no stacks"
    assert due(Situation(facts(), q), ALLIED) == [unit("4/12/1")]
    q.night = True
    assert due(Situation(facts(), q), ALLIED) == [unit("4/8/2")]


@pytest.mark.rule(GAME, "27.3.1")
def test_british_units_keep_to_their_side_of_the_meuse_beyond_the_map_too() -> None:
    p = empty("S1", turn=12, step="allied_movement")
    p.where[unit("43/129")] = at("Northwest box")
    s = Situation(facts(), p)
    assert not elsewhere(s, unit("43/129"))
    west = facts().map.area("west_of_meuse")
    assert open_entries(s, unit("43/129"))
    assert all(west >> hex_ & 1 for hex_ in open_entries(s, unit("43/129")))


@pytest.mark.rule(GAME, "13.8.1", "14.3.2", "22.4")
def test_from_a_blocking_position_units_are_attached_and_guns_of_the_sector_fire() -> None:
    p = placed(("212/316", "E1001"), scenario="S1", step="allied_combat")
    guns = [
        number for number, row in enumerate(facts().rows) if facts().guns >> number & 1 and row.side == ALLIED
    ][:3]
    for gun, name in zip(guns, ("Block E1001", "Southeast box", "Southwest box"), strict=True):
        p.where[gun] = at(name)
    ids = ("4/8/2", "99/394", "28/110/1")
    for id_ in ids:
        p.where[unit(id_)] = at("Block E1001")
    s = Situation(facts(), p)
    assert may_attack_together(s, [unit(id_) for id_ in ids]), "the third is attached to one that it is with"
    battle = Battle(s, ALLIED, at("E1001"), [unit(ids[0])])
    assert guns_in_range(battle, ALLIED) == guns[:2]
    p.where[unit("99/393")] = at("E1102")
    on_map = Battle(Situation(facts(), p), ALLIED, at("E1001"), [unit("99/393")])
    assert not guns_in_range(on_map, ALLIED), "they support no attack that is made on the map alone"


@pytest.mark.rule(GAME, "13.8.4")
def test_the_first_hex_of_an_advance_from_beyond_is_the_entry_hex() -> None:
    p = empty("S1", step="allied_combat")
    p.where[unit("99/394")] = at("Block E1001")
    way = Advance(Situation(facts(), p), unit("99/394"), "bonus", at("E1001"))
    assert way.next_steps() == [at("E1001")]
    way.step(at("E1001"))
    assert way.next_steps()


@pytest.mark.rule(GAME, "13.1", "13.4")
def test_what_order_boxes_are_offered_in_is_always_the_same() -> None:
    p = empty("S1", turn=8, step="allied_movement")
    both = next(row for row in facts().rows if set(row.entry) >= {"C", "D"} and row.side == ALLIED)
    p.where[unit(both.id)] = DUE
    found = elsewhere(Situation(facts(), p), unit(both.id))
    assert found[:2] == [at("Southeast box"), at("Southwest box")]


@pytest.mark.rule(GAME, "13.1")
def test_germans_come_on_only_where_there_is_room_or_a_way_on() -> None:
    p = placed(("3PG/8", "E0139"), turn=8)
    p.where[unit("3PG/29")] = DUE
    assert due(Situation(facts(), p), GERMAN) == [unit("3PG/29")], "it can go on past the full hex"

"""Movement, rivers, bridges, roadblocks, strategic moves, the British (rules 10, 14)."""

from __future__ import annotations

import pytest

from bulge.core.bars import refusal
from bulge.core.spaces import members
from bulge.games.enemy_action.allied_activation import goal_bars, mover_bars
from bulge.games.enemy_action.allied_events import bridge_sites, roadblock_hexes
from bulge.games.enemy_action.facts import ALLIED, GERMAN, mask
from bulge.games.enemy_action.german_activation import remove_roadblocks, seize_bridges
from bulge.games.enemy_action.movement import allied_moves, moves_of, strategic_reach
from bulge.games.enemy_action.reserves import entry_hexes, hexes_for, is_strategic
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import walk
from tests.games.enemy_action.helpers import at, empty, names, place, sit, start, table, the_game, told, unit

GAME = "enemy_action"


@pytest.mark.rule(GAME, "10.2")
@pytest.mark.rule(GAME, "10.0")
def test_what_steps_cost_on_foot_mechanized_and_by_road() -> None:
    facts = the_game().facts
    intact = facts.bridges
    for kind, costs in {
        "foot": {"clear": 1, "broken": 1, "woods": 1, "forest": 2},
        "mechanized": {"clear": 1, "broken": 2, "woods": 3, "forest": 4},
    }.items():
        steps = facts.costs(kind, intact)
        for terrain, cost in costs.items():
            found = False
            for hex_ in members(facts.by_terrain[terrain]):
                for near in the_game().board.neighbours(hex_):
                    side = facts.river_side(near, hex_)
                    if side < 0 and not facts.roads.between(near, hex_):
                        assert steps.cost(near, hex_) == cost
                        found = True
            assert found
    one, two = next(iter(facts.open_roads(intact)))
    assert facts.costs("mechanized", intact).cost(one, two) == 1


@pytest.mark.rule(GAME, "10.1")
@pytest.mark.rule(GAME, "11.1")
def test_a_zone_stops_costs_a_point_to_leave_and_bars_the_next_zone() -> None:
    p = empty(18)
    place(p, **{"16.1.V": "0808", "48.12.ISS": "0806"})
    s = sit(p)
    moves = moves_of(s, unit("16.1.V"), short_step=False)
    zone = s.zones[GERMAN]
    assert zone >> at("0807") & 1
    assert moves.hexes >> at("0807") & 1
    place(p, **{"16.1.V": "0807"})
    s = sit(p)
    moves = moves_of(s, unit("16.1.V"), short_step=False)
    limits = moves.reach.limits
    assert all(
        limits.barred(at("0807"), hex_) for hex_ in members(the_game().board.next_to(at("0807")) & s.zones[GERMAN])
    )
    assert moves.reach.cost(at("0808")) == 2


@pytest.mark.rule(GAME, "10.3")
@pytest.mark.rule(GAME, "10.31")
def test_an_unbridged_river_takes_the_whole_move_and_one_unit_a_side() -> None:
    facts, p = the_game().facts, empty(16)
    one, two = at("0214"), at("0314")
    p.where[unit("48.12.ISS")] = one
    moves = moves_of(sit(p), unit("48.12.ISS"))
    assert moves.fords >> two & 1
    assert moves.cost(two) == facts.moves[unit("48.12.ISS")]
    assert moves.way(two) == [one, two]
    walk(table(p), facts, unit("48.12.ISS"), [one, two], "10.31", "crosses")
    p.where[unit("27.12.ISS")] = one
    assert not moves_of(sit(p), unit("27.12.ISS")).fords >> two & 1


@pytest.mark.rule(GAME, "10.32")
def test_only_one_unit_crosses_a_bridge_into_an_enemy_zone() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"1.1SS.ISS": "0711", "2.1SS.ISS": "0711", "504.82.XVIII": "0912"})
    bridge = facts.river_side(at("0711"), at("0811"))
    assert sit(p).zones[ALLIED] >> at("0811") & 1
    walk(table(p), facts, unit("1.1SS.ISS"), [at("0711"), at("0811")], "10.32", "crosses")
    assert p.bridged == 1 << bridge
    assert not moves_of(sit(p), unit("2.1SS.ISS")).reach.spaces >> at("0811") & 1


@pytest.mark.rule(GAME, "10.5")
def test_the_road_east_from_2413_of_the_illustration() -> None:
    """Nine points on foot; eight road hexes lead to 2308, before the German bridge of Ettelbruck."""
    facts, p = the_game().facts, empty(20)
    place(p, **{"22.4.XII": "2413"})
    p.german_towns |= 1 << at("2208")
    p.german_bridges |= 1 << facts.river_side(at("2308"), at("2208"))
    found = strategic_reach(sit(p), unit("22.4.XII"))
    assert found is not None
    assert len(found.levels) - 1 == 9
    assert found.cost(at("2308")) == 8
    assert not found.spaces >> at("2208") & 1
    assert [at("2312")] == [h for h in members(facts.roads.across(1 << at("2313"))) if h != at("2413")]


@pytest.mark.rule(GAME, "10.6")
@pytest.mark.rule(GAME, "10.4")
def test_why_a_hex_is_no_end_of_an_allied_move() -> None:
    p = empty(18)
    place(p, **{"16.1.V": "0709", "48.12.ISS": "0706", "26.1.V": "0809", "18.1.V": "0809", "39.9.V": "0809"})
    p.active = 1 << unit("16.1.V")
    s = sit(p)
    moves = allied_moves(s, unit("16.1.V"))
    bars = goal_bars(s, moves)
    refused = {name: refusal(bars, at(name)) for name in ("0709", "0706", "0809", "2508")}
    assert [found.rule if found else "" for found in refused.values()] == ["10.0", "10.1", "10.4", "10.0"]
    assert "48th Grenadier Regiment" in (refused["0706"].words if refused["0706"] else "")
    inactive = refusal(mover_bars(the_game().facts, p), unit("26.1.V"))
    assert inactive is not None
    assert inactive.rule == "6.0"


@pytest.mark.rule(GAME, "4.12")
@pytest.mark.rule(GAME, "4.1")
def test_on_16_december_allied_foot_goes_one_hex() -> None:
    p = start()
    foot, armor = unit("112.28.VIII"), unit("CCA.9A.VIII")
    assert moves_of(sit(p), foot).hexes & ~the_game().board.next_to(p.where[foot]) == 0
    p.where[armor] = at("2311")
    assert moves_of(sit(p), armor).hexes & ~the_game().board.next_to(p.where[armor])
    assert not bridge_sites(the_game().facts, p, "blow")
    p.turn = 2
    assert bridge_sites(the_game().facts, p, "blow")


@pytest.mark.rule(GAME, "10.8")
def test_roadblocks_are_not_entered_and_stop_whoever_comes_along_their_road() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"Peiper.1SS.ISS": "0808"})
    block = at("0711")
    p.roadblocks = 1 << block
    beside = facts.open_roads(intact_bridges(facts, p)).across(1 << block)
    moves = moves_of(sit(p), unit("Peiper.1SS.ISS"))
    assert not moves.hexes >> block & 1
    assert moves.reach.limits.stop & beside == beside
    p.where[unit("Peiper.1SS.ISS")] = members(beside)[0]
    p.active = 1 << unit("Peiper.1SS.ISS")
    remove_roadblocks(table(p), facts)
    assert not p.roadblocks


@pytest.mark.rule(GAME, "10.8")
def test_manteuffel_keeps_roadblocks_four_hexes_away() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"2.2P.XLVII": "1709"})
    before = roadblock_hexes(facts, p)
    p.manteuffel = True
    after = roadblock_hexes(facts, p)
    near = facts.board.within(1 << at("1709"), 4)
    assert before & near
    assert not after & near
    assert after == before & ~near


@pytest.mark.rule(GAME, "10.7")
@pytest.mark.rule(GAME, "7.41")
def test_the_british_stay_west_of_the_meuse_until_germans_reach_it() -> None:
    facts, p = the_game().facts, empty(22)
    name = next(facts.rows[u].id for u in facts.corps_units["XXX"] if facts.rows[u].id != "29A.XXX")
    place(p, **{name: "1127"})
    east = facts.board.all & ~facts.west_of_meuse
    assert not moves_of(sit(p), unit(name)).hexes & east
    p.at_meuse = True
    assert moves_of(sit(p), unit(name)).hexes & east
    p.at_meuse, p.turn = False, 11
    assert moves_of(sit(p), unit(name)).hexes & east
    p.turn = 7
    assert not entry_hexes(sit(p), unit(name)) & east
    place(p, **{name: "0127"})
    assert entry_hexes(sit(empty(22)), unit("29A.XXX")) >> at("1126") & 1


@pytest.mark.rule(GAME, "7.1")
@pytest.mark.rule(GAME, "7.11")
def test_reserves_come_near_their_division_and_clear_of_the_enemy() -> None:
    """7.1 illustrations A and C on the printed start, within our map's roads."""
    p = start()
    s = sit(p)
    germans = s.occupied[GERMAN]
    board, facts = the_game().board, the_game().facts
    fourth = entry_hexes(s, unit("8.4.XII"))
    assert {"2505", "2603", "2605"} <= names(fourth)
    division = mask({p.where[u] for u in facts.allied_units if facts.division_of[u] == "4" and p.where[u] >= 0})
    assert not fourth & ~board.within(division, 3)
    ninth = entry_hexes(s, unit("CCB.9A.VIII"))
    assert is_strategic(facts, p, unit("CCB.9A.VIII"))
    assert not ninth & board.within(germans, 2) & ~facts.edge
    assert not is_strategic(facts, p, unit("8.4.XII"))
    p.turn = 2
    assert is_strategic(facts, p, unit("8.4.XII"))


@pytest.mark.rule(GAME, "7.2")
def test_units_of_a_division_come_into_one_hex() -> None:
    p = start(day=19)
    place(p, **{"CCA.3A.VII": "0513", "333.84.VII": "0514"})
    p.placed = 1 << unit("CCA.3A.VII")
    assert names(hexes_for(sit(p), unit("CCB.3A.VII"))) <= {"0513"}


@pytest.mark.rule(GAME, "14.2")
@pytest.mark.rule(GAME, "14.21")
def test_bridges_at_the_start_and_how_they_change_hands() -> None:
    facts, p = the_game().facts, start()
    assert facts.bridges_blown.bit_count() == 4
    assert facts.bridges_german.bit_count() == 7
    p = empty(18)
    place(p, **{"1.1SS.ISS": "0711"})
    p.active = 1 << unit("1.1SS.ISS")
    bridge = facts.river_side(at("0711"), at("0811"))
    place(p, **{"504.82.XVIII": "0811"})
    seize_bridges(table(p), facts, GERMAN)
    assert not p.german_bridges >> bridge & 1
    place(p, **{"504.82.XVIII": "0912"})
    t = table(p)
    seize_bridges(t, facts, GERMAN)
    assert p.german_bridges >> bridge & 1
    assert "0711/0811" in told(t)


@pytest.mark.rule(GAME, "14.22")
@pytest.mark.rule(GAME, "14.23")
def test_a_new_bridge_joins_no_roads() -> None:
    facts, p = the_game().facts, empty(18)
    bare = next(s for s in range(len(facts.river_sides)) if not facts.bridges >> s & 1)
    one, two = facts.river_sides[bare]
    p.built = 1 << bare
    assert facts.costs("foot", intact_bridges(facts, p)).cost(one, two) is not None
    assert not facts.open_roads(intact_bridges(facts, p)).between(one, two)


@pytest.mark.rule(GAME, "14.1")
@pytest.mark.rule(GAME, "17.1")
def test_whoever_enters_a_town_last_owns_it() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"1.1SS.ISS": "0808"})
    walk(table(p), facts, unit("1.1SS.ISS"), [at("0808"), at("0709")], "10.0", "goes")
    assert p.german_towns >> at("0709") & 1
    place(p, **{"1.1SS.ISS": "0808", "119.30.XVIII": "0609"})
    walk(table(p), facts, unit("119.30.XVIII"), [at("0609"), at("0709")], "10.0", "goes")
    assert not p.german_towns >> at("0709") & 1


@pytest.mark.rule(GAME, "13.52")
def test_captured_fuel_serves_the_first_free_day_from_the_20th() -> None:
    facts, p = the_game().facts, empty(17)
    place(p, **{"1.1SS.ISS": "0705"})
    p.depots = 1 << at("0706")
    walk(table(p), facts, unit("1.1SS.ISS"), [at("0705"), at("0706")], "10.0", "goes")
    assert not p.depots
    assert p.fuel_days == 1 << 20

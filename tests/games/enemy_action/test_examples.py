"""Worked examples of the rulebook that no other test covers, as facts and figures."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.enemy_action.allied_losses import DISPERSE, allied_defence, allied_losers
from bulge.games.enemy_action.arrows import follow_arrows
from bulge.games.enemy_action.chits import Truths, face_of, hits_of, most_chits
from bulge.games.enemy_action.choosing import pick
from bulge.games.enemy_action.days import card_phase
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, mask
from bulge.games.enemy_action.losses import german_attackers, hold_chance
from bulge.games.enemy_action.methods import closer
from bulge.games.enemy_action.movement import may_move, moves_of
from bulge.games.enemy_action.objectives import tie_breakers
from bulge.games.enemy_action.position import Battle
from bulge.games.enemy_action.reserves import hexes_for, is_strategic
from bulge.games.enemy_action.routes import route
from bulge.games.enemy_action.setting_up import carry_out
from bulge.games.enemy_action.strengths import attack_strength
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.tactics import draw_tactics, is_flank, the_battle
from bulge.games.enemy_action.walking import walk
from tests.games.enemy_action.helpers import at, empty, names, place, sit, start, table, the_game, unit
from tests.games.enemy_action.test_combat import chit_face

GAME = "enemy_action"


@pytest.mark.rule(GAME, "2.31")
def test_card_05_has_no_artillery_barrage_here() -> None:
    facts = the_game().facts
    row = facts.allied[facts.allied.of["A05"]]
    assert "artillery_barrage" not in {command.event for command in row.commands}


@pytest.mark.rule(GAME, "3.0")
def test_of_two_set_up_cards_the_one_drawn_last_shows_its_picture_and_the_other_its_second_note() -> None:
    ids = [row.id for row in the_game().facts.set_up_cards]
    t = table(start())
    carry_out(t, the_game().facts, [ids.index("ISS-C"), ids.index("ISS-B")])
    said = [event.words.split(":")[0] for event in t.events or ()]
    assert list(dict.fromkeys(said)) == ["Set-up card ISS-C, picture", "Set-up card ISS-B, note 2C"]


@pytest.mark.rule(GAME, "5.0")
def test_the_pile_of_17_december_has_nine_cards_while_four_rest() -> None:
    """Twelve supplementals, less the four in yesterday's pile: eight, of which five are drawn; four primaries."""
    facts, p = the_game().facts, start(day=16)
    due = facts.allied.until(16)
    rested = mask(members(due & ~facts.allied.primary)[:4])
    p.used, p.available = due & facts.allied.primary | rested, due & ~facts.allied.primary & ~rested
    p.hand = p.allied_pile = 0
    p.turn = 2
    fresh = facts.allied.due(17) & ~facts.allied.primary
    assert (p.available | fresh).bit_count() == 8
    card_phase(table(p, *[1] * 20), facts)
    assert (p.hand | p.allied_pile).bit_count() == 9
    assert p.hand.bit_count() == 5


@pytest.mark.rule(GAME, "8.13")
def test_of_two_equal_centres_the_seventh_army_takes_the_one_farther_from_2508() -> None:
    distance = the_game().facts.distance
    assert distance(at("2204"), at("2508")) > distance(at("2106"), at("2508"))


@pytest.mark.rule(GAME, "7.11")
def test_reserves_of_16_december_are_strategic_from_the_17th() -> None:
    facts, p = the_game().facts, start(day=16)
    late = unit("26.1.V")
    assert not is_strategic(facts, p, late)
    p.turn = 2
    assert is_strategic(facts, p, late)


@pytest.mark.rule(GAME, "7.2")
def test_a_whole_airborne_division_comes_into_two_adjacent_hexes() -> None:
    facts, p = the_game().facts, start(day=18)
    division = [one for one in facts.allied_units if facts.rows[one].division == "101"]
    assert len(division) == 4
    for one in division:
        p.where[one] = BOX
    hexes = set()
    for one in division:
        hex_ = members(hexes_for(sit(p), one))[0]
        p.where[one], p.placed = hex_, p.placed | 1 << one
        hexes.add(hex_)
    assert len(hexes) == 2
    assert the_game().board.adjacent(*hexes)


@pytest.mark.rule(GAME, "8.2")
@pytest.mark.rule(GAME, "12.33")
def test_army_group_b_as_a_tactic_first_releases_reserves_and_then_serves() -> None:
    facts, p = the_game().facts, start(day=19)
    p.pile, p.discards = 1 << facts.german.of["G61"], 0
    t = table(p, 1)
    assert draw_tactics(t, facts) == ("artillery", "assault_coordination")
    assert p.where[unit("8.3F.ISS")] == BOX  # due on the 17th
    rules = [event.rule for event in t.events or ()]
    assert rules.index("8.2") < rules.index("12.3")


@pytest.mark.rule(GAME, "12.34")
def test_every_attack_of_an_army_card_has_a_tactic_of_ones_choice_and_a_chit_for_it() -> None:
    p = empty(20)
    place(p, **{"26.1.V": "0806", "16.1.V": "0806", "48.12.ISS": "0805"})
    p.active, p.army_card = mask(map(unit, ("26.1.V", "16.1.V"))), True
    p.pile = p.discards = p.hand = 0
    p.step = "allied_attacks"
    match = Match.at(the_game(), p, Scripted([1] * 20))
    for choice in (at("0805"), unit("26.1.V"), unit("16.1.V"), "attack"):
        match.choose(choice)
    before = most_chits(sit(match.position), the_battle(match.position))[0]
    assert "bonus" in match.asked().options
    match.choose("bonus")
    match.choose("artillery")
    assert most_chits(sit(match.position), the_battle(match.position))[0] == before + 1
    assert "bonus" not in match.asked().options


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.parametrize(
    ("name", "objective", "from_", "to", "nearer"),
    [
        ("1.1SS.ISS", "1014", "0810", "0811", True),
        ("1.1SS.ISS", "1014", "0709", "0711", True),
        ("2.2P.XLVII", "1412", "1309", "1410", True),
        ("2.2P.XLVII", "1412", "1709", "1610", True),
        ("2.2P.XLVII", "1412", "1508", "1409", True),
        ("2.2P.XLVII", "1412", "1310", "1110", False),
    ],
)
def test_closer_to_the_objective_in_the_illustrations(
    name: str, objective: str, from_: str, to: str, nearer: bool
) -> None:
    p = empty(18)
    place(p, **{name: from_})
    army = 0 if name.endswith("ISS") else 1
    p.objective[army], p.facing[army], p.table[army] = at(objective), "W", 1
    assert bool(closer(sit(p), unit(name), 1 << at(to))) == nearer


@pytest.mark.rule(GAME, "9.22")
@pytest.mark.parametrize(("candidates", "best"), [(["1410", "1610", "1611"], "1611"), (["1311", "1410"], "1311")])
def test_ties_go_by_the_markers_compass_direction(candidates: list[str], best: str) -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"2.2P.XLVII": "1609"})
    p.objective[1], p.facing[1], p.table[1] = at("1412"), "W", 1
    hexes = facts.board.set_of(candidates)
    assert pick(None, facts, hexes, tie_breakers(sit(p), unit("2.2P.XLVII"))) == at(best)


@pytest.mark.rule(GAME, "9.2")
@pytest.mark.parametrize(("name", "from_", "to"), [("2.2P.XLVII", "1709", "1611"), ("2.2P.XLVII", "1508", "1310")])
def test_the_arrows_of_illustration_b_take_all_five_points(name: str, from_: str, to: str) -> None:
    p = empty(16)
    p.german_towns = the_game().facts.towns  # so that nothing behind the unit needs guarding (9.21)
    place(p, **{name: from_, "110.28.VIII": "1712"})
    p.dispersed = 1 << unit("110.28.VIII")
    assert the_game().facts.moves[unit(name)] == 5
    assert follow_arrows(table(p), sit(p), unit(name))
    assert p.where[unit(name)] == at(to)


@pytest.mark.rule(GAME, "9.3")
@pytest.mark.rule(GAME, "12.9")
def test_dispersed_units_of_an_active_formation_do_not_move() -> None:
    """Illustration A: the 12th SS is active with the 1st, but dispersed."""
    facts, p = the_game().facts, start(day=18)
    first, twelfth = (
        [one for one in facts.german_units if facts.rows[one].division == name] for name in ("1SS", "12SS")
    )
    for one in (*first, *twelfth):
        p.where[one] = at("0903")
    p.dispersed = mask(twelfth)
    assert [one for one in (*first, *twelfth) if may_move(facts, p, one)] == first


@pytest.mark.rule(GAME, "9.3")
def test_the_infantry_in_1713_reaches_the_far_side_of_bastogne() -> None:
    p = empty(20)
    place(p, **{"39.26.XLVII": "1713", "502.101.VIII": "1814"})
    reached = moves_of(sit(p), unit("39.26.XLVII")).hexes
    assert reached & the_game().board.set_of(["1614", "1615", "1715"])


@pytest.mark.rule(GAME, "10.5")
def test_the_road_into_2312_is_a_dead_end() -> None:
    facts = the_game().facts
    joined = [facts.board.name(hex_) for hex_ in members(facts.roads.across(1 << at("2312")))]
    assert len(joined) == 1


@pytest.mark.rule(GAME, "10.8")
def test_beside_a_roadblock_only_a_hex_with_a_road_into_it_stops_a_unit() -> None:
    facts, p = the_game().facts, empty(18)
    block = at("0711")
    place(p, **{"Peiper.1SS.ISS": "0909"})
    p.roadblocks = 1 << block
    beside = facts.board.next_to(block)
    with_road = facts.open_roads(intact_bridges(facts, p)).across(1 << block)
    stop = moves_of(sit(p), unit("Peiper.1SS.ISS")).reach.limits.stop
    assert with_road
    assert with_road & ~beside == 0
    assert stop & beside == with_road


@pytest.mark.rule(GAME, "15.1")
def test_by_0909_to_0910_one_detachment_is_left_and_one_stays() -> None:
    """15.1 B: there is a marker in 0909 already; 0808 gets one."""
    p = empty(17)
    p.german_towns = the_game().facts.towns
    place(p, **{"1.1SS.ISS": "0808"})
    p.detachments = 1 << at("0909")
    t, s = table(p), sit(p)
    moves = moves_of(s, unit("1.1SS.ISS"))
    assert moves.cost(at("0910")) == 5
    walk(t, the_game().facts, unit("1.1SS.ISS"), route(s, moves, at("0910")), "9.2", "goes")
    assert names(p.detachments) == {"0808", "0909"}


@pytest.mark.rule(GAME, "12.41")
def test_there_is_no_flank_attack_on_a_town() -> None:
    town = at("1412")
    around = set(members(the_game().board.next_to(town)))
    assert len(around) >= 3
    assert not is_flank(sit(empty()), around, town)


@pytest.mark.rule(GAME, "2.22")
def test_the_sample_chit_lies_on_its_front_in_a_city() -> None:
    facts, p = the_game().facts, empty(18)
    city = next(iter(members(facts.cities)))
    p.where[unit("16.1.V")] = city
    battle = Battle(GERMAN, city, 1 << unit("48.12.ISS"), 1 << unit("16.1.V"))
    faces = chit_face("front", "terrain:woods/forest/city", attacker=1), chit_face("back", "terrain:clear")
    faces = replace(faces[0], priority=True), faces[1]
    found = face_of(Truths(sit(p), battle, due=2), faces)
    assert found is not None
    assert found.face == "front"


@pytest.mark.rule(GAME, "12.41")
def test_seven_across_a_river_count_three() -> None:
    facts, p = the_game().facts, empty(20)
    here, there = at("1511"), at("1411")
    assert facts.river_side(here, there) >= 0
    pair = next(
        (one, two) for one in facts.allied_units for two in facts.allied_units
        if one < two and sit(p).strength(one) + sit(p).strength(two) == 7
    )  # fmt: skip
    for one in pair:
        p.where[one] = here
    assert attack_strength(sit(p), pair, there) == 3


@pytest.mark.rule(GAME, "12.41")
@pytest.mark.parametrize(
    ("units", "combined"),
    [
        (["CCA.7A.XVIII"], True),
        (["243.XLVII"], False),
        (["243.XLVII", "39.26.XLVII"], True),
        (["243.XLVII", "901.Lehr.XLVII"], True),
        (["39.26.XLVII"], False),
    ],
)
def test_combined_arms_of_the_picture(units: list[str], combined: bool) -> None:
    """Armor with infantry of any kind, or a combined arms unit alone."""
    p = empty(20)
    truths = Truths(sit(p), Battle(GERMAN, at("1814"), mask(map(unit, units)), 0), due=2)
    assert truths._arms_of([unit(name) for name in units], ())[1] == combined


@pytest.mark.rule(GAME, "12.5")
@pytest.mark.parametrize(("count", "attacker", "defender"), [(4, 1, 3), (5, 1, 2)])
def test_the_fifth_chit_takes_a_hit_off(count: int, attacker: int, defender: int) -> None:
    less = {"defender": -1}
    chits = ({"defender": 2}, {"attacker": 1, "defender": 1}, {"defender": 1}, less, less)
    faces = [chit_face("front", "large", **hits) for hits in chits]
    found = [hits_of(face, GERMAN) for face in faces[:count]]
    assert (sum(hits.attacker for hits in found), sum(hits.defender for hits in found)) == (attacker, defender)


@pytest.mark.rule(GAME, "12.52")
def test_two_steps_that_fell_back_into_hold_value_three_stand_on_eight() -> None:
    facts, p = the_game().facts, empty(20)
    three = next(hex_ for hex_, value in facts.hold.items() if value == 3 and facts.wall >> hex_ & 1)
    p.where[unit("16.116P.LVIII")] = three
    battle = Battle(ALLIED, at("1210"), 0, 1 << unit("16.116P.LVIII"), retreat=(three,))
    assert sit(p).traces(GERMAN, three, reserve=True)
    assert hold_chance(sit(p), battle, 2)[0] == 8


@pytest.mark.rule(GAME, "12.54")
def test_six_hits_on_two_steps_spare_the_attackers_two_of_four() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"110.28.VIII": "1310", "3.2P.XLVII": "1309", "2.2P.XLVII": "1309"})
    attackers = mask(map(unit, ("3.2P.XLVII", "2.2P.XLVII")))
    p.battle = Battle(GERMAN, at("1310"), attackers, 0, defender_hits=6 - 2, attacker_hits=4, eliminated=True)
    assert not list(allied_defence(table(p), facts))
    assert p.battle.spared == 2
    before = sum(p.steps[one] for one in members(attackers))
    german_attackers(table(p, 1), facts)
    assert before - sum(p.steps[one] for one in members(attackers)) == 2


@pytest.mark.rule(GAME, "12.51")
def test_the_second_hit_on_allied_attackers_is_a_step_of_another_unit_or_a_dispersal() -> None:
    p = empty(20)
    crew = ["26.1.V", "16.1.V", "18.1.V", "504.82.XVIII", "395.99.V"]
    for name, hex_ in zip(crew, ["0806", "0806", "0806", "0905", "0905"], strict=True):
        place(p, **{name: hex_})
    place(p, **{"48.12.ISS": "0805"})
    units = mask(map(unit, crew))
    p.battle = Battle(ALLIED, at("0805"), units, 1 << unit("48.12.ISS"), attacker_hits=2)
    p.step = "battle_attackers"
    match = Match.at(the_game(), p, Scripted([1]))
    assert DISPERSE not in match.asked().options
    match.choose(unit("26.1.V"))
    assert DISPERSE in match.asked().options
    assert unit("26.1.V") not in match.asked().options
    battle = match.position.battle
    assert battle is not None
    fresh = allied_losers(match.position, replace(battle, hit=units & ~(1 << unit("395.99.V"))), units)
    assert fresh == [unit("395.99.V")]


@pytest.mark.rule(GAME, "12.83")
@pytest.mark.parametrize(
    ("route", "already", "most"), [("1", 0, 10), ("1", 1, 6), ("2", 0, 7), ("2", 1, 3), ("3", 0, 0)]
)
def test_the_dice_of_german_advances(route: str, already: int, most: int) -> None:
    row = the_game().facts.advance[route]
    assert (row.already_0, row.already_1, row.already_2)[already] == most
    assert row.already_2 == 0


@pytest.mark.rule(GAME, "15.51")
def test_detachments_are_checked_from_the_east_and_the_north() -> None:
    facts = the_game().facts
    places = sorted(
        map(at, ["0711", "0909", "0709", "1108"]), key=lambda hex_: (-facts.east[hex_], facts.row[hex_])
    )
    assert [facts.board.name(hex_) for hex_ in places] == ["1108", "0709", "0909", "0711"]


@pytest.mark.rule(GAME, "15.5")
@pytest.mark.parametrize(("parent", "near"), [("1108", {"1008"}), ("0909", {"0911"}), ("0711", {"0610"})])
def test_hold_values_within_two_hexes_of_the_illustration(parent: str, near: set[str]) -> None:
    facts = the_game().facts
    assert near <= set(facts.board.names_of(facts.board.within(1 << at(parent), 2) & facts.hold_hexes))

"""The arithmetic of attacks, results, retreats and advances (rules 14 to 22)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.advance import Advance, breakthrough_group, one_group
from bulge.games.ardennes_44.artillery import defensive_support, flippable, guns_in_range, offensive_guns
from bulge.games.ardennes_44.combat import column_after, column_name, halved, rung
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.disengagement import disengagement_modifier
from bulge.games.ardennes_44.facts import GONE
from bulge.games.ardennes_44.fighting import determined_defense, fire_fight_modifier, leads
from bulge.games.ardennes_44.formations import may_attack_together
from bulge.games.ardennes_44.results import OUTCOMES, outcome
from bulge.games.ardennes_44.retreats import Ways, forbidden
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import answer, at, battle, begun, facts, hexes, placed, unit, units

GAME = "ardennes_44"


# ---------------------------------------------------------------------- odds (14)


@pytest.mark.rule(GAME, "14.4", "14.5")
@pytest.mark.parametrize(
    ("attack", "defence", "shift", "column"),
    [
        *((15, 4, 0, "3-1"), (9, 1, -1, "7-1"), (24, 3, 0, "7-1"), (3, 2, 0, "3-2"), (4, 3, 0, "1-1")),
        *((1, 1, 0, "1-1"), (2, 1, 0, "2-1"), (1, 3, 0, "1-3"), (4, 15, 1, "1-3"), (1, 2, 0, "1-2")),
    ],
)
def test_odds_are_rounded_down_and_shifted_before_the_limits(
    attack: int, defence: int, shift: int, column: str
) -> None:
    assert column_name(facts(), column_after(facts(), rung(attack, defence), shift)) == column


@pytest.mark.rule(GAME, "14.4", "14.5")
def test_four_against_fifteen_is_below_the_table() -> None:
    assert rung(4, 15) == -1
    assert column_after(facts(), rung(4, 15), 0) == -1


@pytest.mark.rule(GAME, "14.3", "14.3.1", "14.3.2")
def test_two_formations_with_an_attached_unit_each() -> None:
    there = (("2Pz/2", "E2315"), ("Lehr/130/PzV", "E2315"), ("26/77", "E2214"), ("Lehr/130Rec", "E2214"))
    s = Situation(facts(), placed(*there))
    four = [unit(id_) for id_, _ in there]
    assert may_attack_together(s, four)
    apart = placed(*there[:3], ("Lehr/130Rec", "E2415"), ("2Pz/304", "E2216"))
    assert not may_attack_together(Situation(facts(), apart), [*four, unit("2Pz/304")])


@pytest.mark.rule(GAME, "8.4", "27.3.3")
def test_british_and_americans_do_not_attack_together() -> None:
    s = Situation(facts(), placed(("43/129", "W2723"), ("84/334", "W2723"), scenario="S1"))
    assert not may_attack_together(s, [unit("43/129"), unit("84/334")])


@pytest.mark.rule(GAME, "34.0")
def test_eighteen_factors_are_the_most_where_that_is_played() -> None:
    attackers = (("1SS/1", "E2305"), ("12SS/25", "E2306"), ("12SS/26", "E2405"), ("3PG/8", "E2407"))
    found = battle("E2406", attackers, ["99/394"])
    total = found.attack()
    assert total > 18
    found.s.p.factor_limit = True
    assert found.attack() == 18
    assert column_name(facts(), column_after(facts(), rung(18, 6), 0)) == "3-1"


# ---------------------------------------------------------------------- modifiers (15)


@pytest.mark.rule(GAME, "15.1")
@pytest.mark.parametrize(
    ("hex_", "ids", "defence"),
    [("E2416", ["99/394"], 9), ("E3038", ["99/395/3"], 4), ("E2416", ["2/741"], 4), ("E2416", ["V/406"], 2)],
)
def test_the_bonus_of_a_hex(hex_: str, ids: list[str], defence: int) -> None:
    near = facts().board.name(facts().board.neighbours(at(hex_))[0])
    assert battle(hex_, [("12/48", near)], ids).defence() == defence


@pytest.mark.rule(GAME, "12.5", "15.9")
def test_columns_defend_with_half_and_no_bonus() -> None:
    near = facts().board.name(facts().board.neighbours(at("E2416"))[0])
    assert battle("E2416", [("12/48", near)], ["99/394"], columns=units("99/394")).defence() == 3


@pytest.mark.rule(GAME, "15.8", "15.8.1")
def test_an_improved_position_gives_two_where_terrain_gives_less() -> None:
    attackers = [("12/48", "E2305")]
    assert battle("E2406", attackers, ["99/394"]).defence() == 6
    assert battle("E2406", attackers, ["99/394"], improved=hexes("E2406")).defence() == 8
    assert all(facts().ground.terrain[kind].bonus >= 2 for kind in ("village", "town", "city"))


@pytest.mark.rule(GAME, "15.2", "23.4")
def test_halving_is_by_unit_and_rounds_up() -> None:
    assert halved(5) + halved(5) == 6
    assert halved(1) == 1
    both = battle("E2406", [("12/48", "E2305"), ("12/89", "E2405")], ["99/394"])
    assert both.attack() == 10
    both.s.p.unsupplied = units("12/48", "12/89")
    assert both.attack() == 6


@pytest.mark.rule(GAME, "15.3", "15.5", "15.5.1", "15.5.2")
@pytest.mark.parametrize(
    ("from_", "target", "is_halved"),
    [("E1812", "E1813", True), ("E1813", "E1812", False), ("E1912", "E1812", True), ("E1908", "E2008", True)],
)
def test_rivers_and_valleys_halve(from_: str, target: str, is_halved: bool) -> None:
    found = battle(target, [("12/48", from_)], ["99/395/3"])
    assert found.is_halved(unit("12/48")) == is_halved


@pytest.mark.rule(GAME, "15.4", "15.7")
def test_vehicles_are_halved_where_they_could_not_go() -> None:
    assert battle("E1432", [("2Pz/2Rec", "E1532")], ["99/395/3"]).is_halved(unit("2Pz/2Rec"))
    assert not battle("E1432", [("12/48", "E1532")], ["99/395/3"]).is_halved(unit("12/48"))


@pytest.mark.rule(GAME, "27.4")
def test_brummbaer_and_sturmtiger_double_against_built_up_hexes() -> None:
    near = facts().board.name(facts().board.neighbours(at("E2416"))[0])
    town = battle("E2416", [("217", near)], ["99/394"])
    open_ = battle("E2406", [("217", "E2305")], ["99/394"])
    assert town.attack_of(unit("217")) == (6 if not town.is_halved(unit("217")) else 3)
    assert open_.attack_of(unit("217")) == 3


# ---------------------------------------------------------------------- tanks (21)


@pytest.mark.rule(GAME, "21.1", "21.2", "21.3")
@pytest.mark.parametrize(
    ("attackers", "defenders", "shift"),
    [
        (["2Pz/3/PzV"], ["99/394", "2/741"], 1),
        (["12/48"], ["9Arm/CCB"], -1),
        (["12/48"], ["99/394", "2/741"], -1),
        (["2Pz/38"], ["99/394", "2/741"], 0),
        (["2Pz/3/PzV"], ["99/394", "9Arm/811"], 0),
        (["2Pz/3/PzIV"], ["99/394"], 1),
        (["12/48"], ["2/741"], 0),
    ],
)
def test_the_armor_shift(attackers: list[str], defenders: list[str], shift: int) -> None:
    assert battle("E2406", [(id_, "E2305") for id_ in attackers], defenders).armour_shift() == shift


@pytest.mark.rule(GAME, "21.3")
def test_tanks_that_cannot_cross_gain_nothing_but_deny_the_defender() -> None:
    found = battle("E1709", [("2Pz/3/PzV", "E1609")], ["99/394", "2/741"])
    assert not facts().ground.vehicles_cross(0).between(at("E1609"), at("E1709"))
    assert found.armour_shift() == 0


@pytest.mark.rule(GAME, "21.2")
def test_flak_only_prevents() -> None:
    assert battle("E2406", [("2/741", "E2305")], ["12/48", "18/10+"]).armour_shift() == 0
    assert battle("E2406", [("18/10+", "E2305")], ["99/394"]).armour_shift() == 0


@pytest.mark.rule(GAME, "15.1", "15.2", "15.3")
def test_a_preview_says_why_strengths_are_not_those_that_are_printed() -> None:
    river = battle("E1833", [("12/48", "E1832"), ("12/89", "E1832")], ["99/394"], unsupplied=units("12/48"))
    lines = {line.words: (line.amount, line.rule) for line in river.strengths_explained()}
    assert lines["attack halved: 12 VG 48 infantry"] == (-2, "15.2")
    assert lines["defence bonus of the hex"] == (river.bonus(), "15.1")
    printed = sum(facts().attack(unit, 0) for unit in river.attackers)
    assert river.attack() == printed + sum(amount for words, (amount, _) in lines.items() if "attack" in words)


@pytest.mark.rule(GAME, "18.3", "18.4")
def test_a_disrupted_defender_gives_a_column_and_keeps_the_rest() -> None:
    found = battle("E2406", [("12/48", "E2305")], ["99/394"], disrupted=units("99/394"))
    assert [(m.amount, m.rule) for m in found.all_shifts()] == [(1, "18.3")]
    assert found.defence() == 6
    assert found.s.zone(ALLIED) >> at("E2305") & 1


# ---------------------------------------------------------------------- results (16)


@pytest.mark.rule(GAME, "16.1", "16.2.2", "16.7.3")
def test_every_result_of_every_table_is_known() -> None:
    for row in facts().combat.rows:
        assert set(row) <= set(OUTCOMES)
    for table in ("fire_fight", "determined_defense"):
        assert set(facts().dice[table].results) <= set(OUTCOMES)
    assert outcome("DS").breakthrough
    assert not outcome("DS").may_stand
    assert outcome("D1").may_stand


@pytest.mark.rule(GAME, "16.2", "16.2.1", "21.3")
def test_the_lead_unit_modifies_the_fire_fight() -> None:
    equal = battle("E2406", [("2Pz/3/PzIV", "E2305"), ("12/48", "E2305")], ["99/394", "2/741"])
    assert fire_fight_modifier(equal, unit("2Pz/3/PzIV")) == -1
    assert not equal.shifting_tanks()
    assert fire_fight_modifier(equal, unit("12/48")) == 0
    assert fire_fight_modifier(equal, unit("62/164")) == 1
    river = battle("E1709", [("2Pz/3/PzV", "E1609"), ("12/48", "E1609")], ["99/394"])
    assert leads(river) == [unit("12/48")]


@pytest.mark.rule(GAME, "14.1", "16.1", "16.3", "19.1.2", "16.7.1")
def test_a_battle_from_first_to_last() -> None:
    """Ten factors against two: 5-1, a 4 is DR2; the battalion gives way, and the attacker advances a hex."""
    p = placed(("12/48", "E2305"), ("12/89", "E2305"), ("99/395/3", "E2406"), step="german_combat", turn=3)
    p.where[unit("12/89")] = at("E2405")
    match = begun(p, 4)
    answer(match, "E2406", "12/48", "12/89", "attack", "give_way")
    while match.asked().rule == "17.1":
        match.choose(match.asked().options[0])
    assert match.position.disrupted >> unit("99/395/3") & 1
    assert facts().board.distance(match.position.where[unit("99/395/3")], at("E2406")) == 2
    answer(match, "12/48", "E2406")
    assert match.position.where[unit("12/48")] == at("E2406")


@pytest.mark.rule(GAME, "16.7", "16.7.2", "16.7.3")
def test_determined_defense_at_clervaux() -> None:
    """A town gives three: a four becomes a one, the tank battalion loses a step, and nobody retreats."""
    near = facts().board.name(facts().board.neighbours(at("E2416"))[0])
    found = battle("E2416", [("1SS/1", near)], ["99/395/3", "28/707"])
    match = begun(found.s.p, 4)
    assert found.bonus() == 3
    standing = determined_defense(match.table, found, [])
    assert next(standing).options == [unit("99/395/3"), unit("28/707"), "give_way"]
    with pytest.raises(StopIteration) as stopped:
        standing.send(unit("28/707"))
    assert stopped.value.value == outcome("Yes (-1 step)")
    assert match.position.reduced == units("28/707")


@pytest.mark.rule(GAME, "16.4")
def test_a_large_unit_leaves_a_remnant() -> None:
    p = placed(("12/48", "E2305"), ("99/394", "E2304"), step="allied_combat", turn=3)
    p.reduced = units("99/394")
    p.where[unit("12/48")] = at("E2305")
    match = begun(p, 6)
    answer(match, "E2305", "99/394", "attack")
    lost = match.position.where[unit("99/394")] < 0
    assert lost == (match.position.where[unit("Rem-US-inf-1")] == at("E2304"))


# ---------------------------------------------------------------------- retreats (17)


@pytest.mark.rule(GAME, "17.1", "17.2")
def test_a_retreat_goes_the_full_distance_clear_of_zones() -> None:
    s = Situation(facts(), placed(("99/395/3", "E2304"), ("12/48", "E2204")))
    paths = Ways(s, unit("99/395/3")).best(2)
    assert paths
    for path in paths:
        assert facts().board.distance(path[-1], at("E2304")) == 2
        assert not s.zone(GERMAN) >> path[1] & 1


@pytest.mark.rule(GAME, "17.1")
def test_distance_comes_before_zones() -> None:
    """Every neighbour is in an enemy zone, so the first hex is; the retreat still ends two hexes off."""
    enemies = (("12/48", "E2104"), ("12/89", "E2506"), ("12/27F", "E2502"))
    s = Situation(facts(), placed(("99/395/3", "E2304"), *enemies))
    for path in Ways(s, unit("99/395/3")).best(2):
        assert facts().board.distance(path[-1], at("E2304")) == 2


@pytest.mark.rule(GAME, "17.5", "17.7", "18.3", "18.5", "23.4", "27.1")
def test_who_cannot_retreat_is_lost() -> None:
    p = placed(("99/395/3", "E2304"), ("ISS/388", "E2204"), ("Eng/44", "E2404"))
    assert forbidden(facts(), p, unit("ISS/388"), 2) == "17.7"
    assert forbidden(facts(), p, unit("Eng/44"), 3) == "27.1"
    assert forbidden(facts(), p, unit("Eng/44"), 2) == ""
    for marker, length, number in (("broken", 2, "18.5"), ("disrupted", 3, "18.3"), ("unsupplied", 3, "23.4")):
        setattr(p, marker, units("99/395/3"))
        assert forbidden(facts(), p, unit("99/395/3"), length) == number
        setattr(p, marker, 0)
    p.joined = units("99/395/3")
    assert forbidden(facts(), p, unit("99/395/3"), 2) == "17.5"


# ---------------------------------------------------------------------- advance (19)


@pytest.mark.rule(GAME, "19.1", "19.1.2", "19.1.3")
@pytest.mark.parametrize(
    ("id_", "kind", "most"), [("12/48", "regular", 1), ("12/48", "bonus", 2), ("12/48", "limited", 1)]
)
def test_how_far_an_advance_goes(id_: str, kind: str, most: int) -> None:
    s = Situation(facts(), placed((id_, "E2305")))
    way, far = Advance(s, unit(id_), kind, at("E2304")), 0
    while nexts := way.next_steps():
        way.step(at("E2304") if at("E2304") in nexts else nexts[0])
        far += 1
    assert far == most


@pytest.mark.rule(GAME, "19.1.3")
def test_the_road_bonus_is_one_hex_along_a_road() -> None:
    ground = facts().ground
    start = at("E3001")
    way = Advance(Situation(facts(), placed(("2Pz/304", "E3001"))), unit("2Pz/304"), "regular", start)
    steps = [hex_ for hex_ in way.next_steps() if ground.primary.between(start, hex_)]
    way.step(steps[0])
    assert way.next_steps()
    assert all(ground.roads.between(steps[0], hex_) for hex_ in way.next_steps())
    short = Advance(Situation(facts(), placed(("2Pz/304", "E3001"))), unit("2Pz/304"), "regular", start)
    short.s.p.unsupplied = units("2Pz/304")
    again = Advance(short.s, unit("2Pz/304"), "regular", start)
    again.step(steps[0])
    assert not again.next_steps(), "19.5: not without supply"


@pytest.mark.rule(GAME, "19.3.2")
def test_no_advance_from_one_zone_into_another_of_the_same_enemy() -> None:
    s = Situation(facts(), placed(("12/48", "E2506"), ("99/395/3", "E2305")))
    way = Advance(s, unit("12/48"), "bonus", at("E2406"))
    way.step(at("E2406"))
    assert at("E2405") not in way.next_steps()
    assert at("E2407") in way.next_steps()


@pytest.mark.rule(GAME, "19.4", "19.4.1", "19.5")
def test_who_may_break_through() -> None:
    p = placed(("12/48", "E2304"), ("2Pz/304", "E2304"), ("2Pz/2", "E2404"))
    p.advanced = {unit("12/48"): 2, unit("2Pz/304"): 3, unit("2Pz/2"): 1}
    assert breakthrough_group(facts(), p) == units("2Pz/304", "2Pz/2")
    assert not one_group(facts(), p, [unit("2Pz/304"), unit("2Pz/2")])
    p.unsupplied = units("2Pz/2")
    assert breakthrough_group(facts(), p) == units("2Pz/304")


@pytest.mark.rule(GAME, "19.4.2", "19.4.3", "19.4.4")
def test_a_breakthrough_breeds_another_as_long_as_each_attack_shatters() -> None:
    """Thirteen factors against two are 6-1, and tanks make that 7-1: a 1 shatters, three times running."""
    group = (("1SS/1", "E0902"), ("1SS/1/PzV", "E0902"))
    p = placed(*group, ("Eng/44", "E1002"), ("Eng/254", "E1102"), ("Eng/291", "E1202"), step="german_combat")
    match = begun(p, 1, 1, 1)
    for target in ("E1002", "E1102", "E1202"):
        answer(match, target, "1SS/1", "1SS/1/PzV", "attack")
        for id_, _ in group:
            answer(match, id_, target)
            if match.asked().rule == "19.1":
                answer(match, "stop")
        assert {match.position.where[unit(id_)] for id_, _ in group} == {at(target)}
    assert match.position.where[unit("Eng/291")] == GONE
    assert not match.position.breakers
    first, *then = [event.words for event in match.log if event.kind == "battle"]
    assert "Breakthrough" not in first
    assert [words.partition(":")[0] for words in then] == [
        f"Breakthrough, attack {n} of the chain" for n in (2, 3)
    ]


# ---------------------------------------------------------------------- disengagement and rally (18, 20)


@pytest.mark.rule(GAME, "20.2", "21.5")
def test_tanks_and_recon_get_away_more_easily() -> None:
    assert disengagement_modifier(facts(), unit("99/394")) == 0
    assert disengagement_modifier(facts(), unit("2/741")) == -1
    assert disengagement_modifier(facts(), unit("106/422")) == 1


@pytest.mark.rule(GAME, "20.1", "20.3", "20.5")
def test_a_unit_disengages_one_hex_or_two() -> None:
    p = placed(("99/395/3", "E2304"), ("12/48", "E2305"), step="allied_combat")
    p.engaged = units("99/395/3")
    match = begun(p, 2)
    answer(match, "disengage", "99/395/3", "one_hex", "E2303")
    assert match.position.where[unit("99/395/3")] == at("E2303")
    assert not match.position.engaged & units("99/395/3")


@pytest.mark.rule(GAME, "20.4")
def test_who_was_not_engaged_enters_no_zone() -> None:
    s = Situation(facts(), placed(("99/395/3", "E2304"), ("12/48", "E2305")))
    for path in Ways(s, unit("99/395/3"), no_zones=True).paths(1):
        assert not s.zone(GERMAN) >> path[-1] & 1


@pytest.mark.rule(GAME, "18.1", "18.5", "18.6")
@pytest.mark.parametrize(("die", "rallies"), [(2, True), (3, False)])
def test_rally_next_to_an_enemy_takes_a_die(die: int, rallies: bool) -> None:
    p = placed(("99/394", "E2304"), ("99/393", "E3304"), ("12/48", "E2305"), step="allied_rally")
    p.disrupted, p.broken = units("99/394"), units("99/393")
    after = begun(p, die).position
    assert bool(after.disrupted >> unit("99/394") & 1) != rallies
    assert after.disrupted >> unit("99/393") & 1
    assert not after.broken


# ---------------------------------------------------------------------- artillery (5, 22)


@pytest.mark.rule(GAME, "22.4")
def test_range_counts_the_target_and_not_the_gun() -> None:
    assert facts().board.distance(at("E1935"), at("E1735")) == 2
    found = battle("E1735", [("12/48", "E1635")], ["99/394"])
    found.s.p.where[unit("V/406")] = at("E1935")
    assert guns_in_range(found, ALLIED) == [unit("V/406")]


@pytest.mark.rule(GAME, "22.5", "22.6", "22.9", "22.3")
@pytest.mark.parametrize("marker", ["fired", "engaged", "disrupted", "movers"])
def test_guns_that_cannot_fire(marker: str) -> None:
    found = battle("E1735", [("12/48", "E1635")], ["99/394"], **{marker: units("V/406")})
    found.s.p.where[unit("V/406")] = at("E1935")
    assert guns_in_range(found, ALLIED) == []


@pytest.mark.rule(GAME, "22.6", "22.7", "29.2.2")
def test_guns_support_their_own_colour_and_on_turn_one_their_corps() -> None:
    found = battle("E1430", [("12/48", "E1330")], ["99/394"])
    found.s.p.where[unit("ISS/388")] = found.s.p.where[unit("LXVII/405")] = at("E1231")
    assert offensive_guns(found) == [unit("LXVII/405"), unit("ISS/388")]
    found.s.p.turn = 1
    assert offensive_guns(found) == [unit("ISS/388")]


@pytest.mark.rule(GAME, "22.8", "29.2.1")
def test_on_the_first_turn_two_allied_guns_fire() -> None:
    found = battle("E1736", [("326/751", "E1637")], ["99/395/3"])
    found.s.p.turn = 1
    found.s.p.where[unit("V/187")] = found.s.p.where[unit("VIII/333")] = at("E1937")
    match = begun(found.s.p)
    asked = next(defensive_support(match.table, found))
    assert asked.options == [unit("V/187"), "no_guns"]


@pytest.mark.rule(GAME, "5.1", "5.2", "5.3", "5.4")
def test_how_many_guns_are_made_ready() -> None:
    guns = ("ISS/388", "ISS/402", "ISS/4Wf", "ISS/9Wf", "XLVII/766", "LXVI/16Wf", "LXXX/408")
    for turn, flips in ((2, 6), (3, 3)):
        p = placed(*((gun, f"E11{28 + at_}") for at_, gun in enumerate(guns)), step="german_artillery", turn=turn)
        p.fired, p.movers = units(*guns), units("ISS/388")
        match = begun(p)
        assert match.position.flips == flips
        assert not match.position.movers
    p.engaged, p.unsupplied = units("ISS/402"), units("ISS/4Wf")
    able = flippable(facts(), p, GERMAN)
    assert unit("ISS/402") in able
    assert unit("ISS/4Wf") not in able

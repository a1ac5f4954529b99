"""Attack checks, chits, hits, losses, retreats and advances (rules 9.5, 12)."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from bulge.core.spaces import members
from bulge.games.enemy_action.advance import chance, second_hexes
from bulge.games.enemy_action.allied_losses import allied_losers
from bulge.games.enemy_action.battle import battle_cards, called_units, is_overwhelming
from bulge.games.enemy_action.chits import (
    Truths,
    count_hits,
    draw_chits,
    face_of,
    hits_of,
    least_chits,
    most_chits,
)
from bulge.games.enemy_action.facts import ALLIED, GERMAN, mask
from bulge.games.enemy_action.german_attack import Plan, cancelled
from bulge.games.enemy_action.losses import german_attackers, german_defence, hold_chance
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.retreats import german_retreat_hex, open_retreats
from bulge.games.enemy_action.rows import ChitRow
from bulge.games.enemy_action.strengths import attack_strength, situational_defence
from bulge.games.enemy_action.tactics import is_flank
from tests.games.enemy_action.helpers import at, empty, names, place, sit, table, the_game, told, unit

GAME = "enemy_action"


def plan(target: str, attack: int, defence: int) -> Plan:
    return Plan(at(target), (), {}, (), Fraction(attack, defence), attack, defence, ())


def going(p: EnemyActionPosition, made: Plan, units: list[int], less: int = 0) -> list[int]:
    """The dice on which a marginal attack goes in."""
    s = sit(p)
    return [die for die in range(1, 11) if not cancelled(s, made, units, die - less)]


def a_battle(
    p: EnemyActionPosition, side: str, target: str, attackers: list[str], defenders: list[str], **more: object
) -> Battle:
    battle = Battle(side, at(target), mask(map(unit, attackers)), mask(map(unit, defenders)))
    p.battle = battle = replace(battle, **more)
    return battle


# ---------------------------------------------------------------------- the attack check (9.5)


@pytest.mark.rule(GAME, "9.5")
def test_example_a_eleven_to_five_against_vielsalm() -> None:
    p = empty(18)
    place(p, **{"CCR.9A.VIII": "1111", "424.106.XVIII": "1112", "3.2P.XLVII": "1110", "2.2P.XLVII": "1210"})
    held = unit("CCR.9A.VIII")
    s = sit(p)
    defence, why = situational_defence(s, at("1111"))
    assert defence == s.strength(held) + 2
    assert set(why) == {"forest +1", "supplied neighbour +1"}
    units = [unit("3.2P.XLVII"), unit("2.2P.XLVII")]
    assert going(p, plan("1111", 11, 5), units, less=1) == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule(GAME, "9.5")
@pytest.mark.rule(GAME, "12.41")
def test_example_b_eight_across_a_river_count_four() -> None:
    p = empty(18)
    place(p, **{"2.2P.XLVII": "1511", "901.Lehr.XLVII": "1511"})
    assert the_game().facts.river_side(at("1511"), at("1411")) >= 0
    s = sit(p)
    units = [unit("2.2P.XLVII"), unit("901.Lehr.XLVII")]
    assert sum(map(s.strength, units)) == 8
    assert attack_strength(s, units, at("1411")) == 4


@pytest.mark.rule(GAME, "9.5")
def test_example_b_a_dispersed_defender_counts_one_less() -> None:
    p = empty(18)
    place(p, **{"112.28.VIII": "1510"})
    p.dispersed = 1 << unit("112.28.VIII")
    full = sit(p).strength(unit("112.28.VIII"))
    defence, why = situational_defence(sit(p), at("1510"))
    assert "dispersed or short of supply -1" in why
    assert defence <= full - 1


@pytest.mark.rule(GAME, "9.5")
@pytest.mark.rule(GAME, "9.53")
def test_example_c_seven_to_two_from_one_hex_is_cancelled_on_3_7_and_10() -> None:
    p = empty(18)
    place(p, **{"901.Lehr.XLVII": "1611", "902.Lehr.XLVII": "1611", "110.28.VIII": "1712"})
    units = [unit("901.Lehr.XLVII"), unit("902.Lehr.XLVII")]
    assert going(p, plan("1712", 7, 2), units) == [1, 2, 4, 5, 6, 8, 9]


@pytest.mark.rule(GAME, "9.5")
def test_a_die_of_nought_or_less_always_attacks() -> None:
    p = empty(18)
    place(p, **{"901.Lehr.XLVII": "1611", "110.28.VIII": "1712"})
    assert not cancelled(sit(p), plan("1712", 1, 1), [unit("901.Lehr.XLVII")], 0)


# ---------------------------------------------------------------------- chits (12.4, 12.41)


@pytest.mark.rule(GAME, "12.4")
def test_the_illustration_of_the_chit_draw() -> None:
    """Five units, one with brackets, one elite, two tactics, against three steps: three to seven chits."""
    facts, p = the_game().facts, empty(18)
    attackers = ["26.1.V", "16.1.V", "18.1.V", "504.82.XVIII", "395.99.V"]
    for name, hex_ in zip(attackers, ["0806", "0806", "0806", "0905", "0905"], strict=True):
        place(p, **{name: hex_})
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805"})
    p.steps[unit("27.12.ISS")] = 1
    p.steps[unit("395.99.V")] = 1
    assert facts.brackets[unit("395.99.V")][1]
    battle = a_battle(p, ALLIED, "0805", attackers, ["48.12.ISS", "27.12.ISS"])
    battle = replace(battle, attack_tactics=("artillery", "tank_battalion"))
    s = sit(p)
    big = sum(p.steps[unit(name)] >= 3 for name in attackers)
    elite = s.elite(map(unit, attackers))
    assert least_chits(s, battle) == 3
    assert most_chits(s, battle)[0] == 4 + 2 + int(elite) + big


@pytest.mark.rule(GAME, "12.4")
def test_never_fewer_chits_than_the_defenders_steps() -> None:
    p = empty(18)
    place(p, **{"272.LXVII": "0404", "102 Cav.V": "0405"})
    battle = a_battle(p, ALLIED, "0404", ["102 Cav.V"], ["272.LXVII"], defence_tactics=("screen",))
    assert most_chits(sit(p), battle)[0] == 4


@pytest.mark.rule(GAME, "12.41")
@pytest.mark.parametrize(
    ("attack", "defence", "test"),
    [(9, 3, "ratio>=3"), (5, 4, "ratio>1"), (5, 3, "ratio<2"), (16, 2, "ratio>=8"), (7, 5, "ratio<1.5")],
)
def test_ratios_of_the_examples(attack: int, defence: int, test: str) -> None:
    p = empty(18)
    place(p, **{"48.12.ISS": "0805", "16.1.V": "0806"})
    truths = Truths(sit(p), a_battle(p, GERMAN, "0806", ["48.12.ISS"], ["16.1.V"]), due=2)
    truths.ratio = Fraction(attack, defence)
    assert truths.holds(test)


@pytest.mark.rule(GAME, "2.22")
@pytest.mark.rule(GAME, "12.41")
@pytest.mark.parametrize(
    ("terrain", "face"), [("woods", "front"), ("forest", "front"), ("clear", "back"), ("broken", None)]
)
def test_the_sample_chit(terrain: str, face: str | None) -> None:
    facts, p = the_game().facts, empty(18)
    hex_ = next(h for h in members(facts.by_terrain[terrain] & ~facts.towns & ~facts.wall))
    p.where[unit("16.1.V")] = hex_
    p.where[unit("48.12.ISS")] = the_game().board.neighbours(hex_)[0]
    battle = a_battle(p, GERMAN, the_game().board.name(hex_), ["48.12.ISS"], ["16.1.V"])
    faces = (
        chit_face("front", "terrain:woods/forest/city"),
        chit_face("back", "terrain:clear"),
    )
    found = face_of(Truths(sit(p), battle, due=2), faces)
    assert (found.face if found else None) == face


def chit_face(face: str, situation: str, **hits: int) -> ChitRow:
    fields = {"attacker": 0, "defender": 0, "german": 0, "us": 0} | hits
    row = {"id": "test", "source": "ours", "chit": 1, "face": face, "blue": False, "priority": False}
    return msgspec.convert(row | {"situation": situation} | fields, ChitRow)


@pytest.mark.rule(GAME, "12.41")
def test_trois_ponts_is_both_town_and_forest() -> None:
    p = empty(18)
    place(p, **{"504.82.XVIII": "0812", "1.1SS.ISS": "0811"})
    battle = a_battle(p, GERMAN, "0812", ["1.1SS.ISS"], ["504.82.XVIII"])
    truths = Truths(sit(p), battle, due=2)
    assert truths.holds("terrain:forest/town/city")
    assert truths.holds("terrain:woods/forest")
    assert not truths.holds("flank")


@pytest.mark.rule(GAME, "12.41")
@pytest.mark.parametrize(
    ("places", "flank"),
    [(["1309", "1311", "1410"], True), (["1309"], False), (["1309", "1311"], True), (["1309", "1409"], False)],
)
def test_flank_attacks(places: list[str], flank: bool) -> None:
    assert is_flank(sit(empty()), {at(name) for name in places}, at("1310")) == flank


@pytest.mark.rule(GAME, "12.5")
def test_hits_of_a_nation_fall_on_it_whichever_side_it_is_on() -> None:
    german = chit_face("front", "large", german=1)
    plain = chit_face("front", "large", defender=1)
    attacking = [hits_of(face, GERMAN) for face in (german, plain, plain, plain)]
    assert (sum(h.attacker for h in attacking), sum(h.defender for h in attacking)) == (1, 3)
    defending = [hits_of(face, ALLIED) for face in (german, plain, plain, plain)]
    assert (sum(h.attacker for h in defending), sum(h.defender for h in defending)) == (0, 4)


@pytest.mark.rule(GAME, "12.42")
def test_a_blue_chit_brings_back_the_chits_of_earlier_combats() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"48.12.ISS": "0805", "16.1.V": "0806"})
    battle = a_battle(p, GERMAN, "0806", ["48.12.ISS"], ["16.1.V"], due=1)
    blue = next(at_ for at_, faces in enumerate(facts.chits) if faces[0].blue)
    p.cup &= ~0b1110 | 1 << blue
    out = (1 << 60) - 1 & ~p.cup
    assert out
    battle = draw_chits(table(p, members(p.cup).index(blue) + 1), facts, battle, 1)
    assert battle.chits == (blue,)
    assert p.cup == (1 << 60) - 1 & ~(1 << blue)


@pytest.mark.rule(GAME, "12.5")
@pytest.mark.rule(GAME, "14.3")
@pytest.mark.rule(GAME, "14.34")
def test_a_position_takes_one_hit_and_is_gone() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805", "89.12.ISS": "0805", "395.99.V": "0806"})
    p.positions = 1 << at("0806")
    attackers = ["48.12.ISS", "27.12.ISS", "89.12.ISS"]
    battle = a_battle(p, GERMAN, "0806", attackers, ["395.99.V"], due=1)
    hitting = next(
        number for number, faces in enumerate(facts.chits)
        if (face := face_of(Truths(sit(p), battle, due=1), faces)) and hits_of(face, GERMAN).defender == 1
    )  # fmt: skip
    battle = count_hits(table(p), facts, replace(battle, chits=(hitting,)))
    assert battle.defender_hits == 0
    assert not p.positions


@pytest.mark.rule(GAME, "12.36")
def test_an_overwhelming_attack_needs_nine_to_one_and_seven_chits() -> None:
    p = empty(18)
    crowd = ["272.LXVII", "326.LXVII", "18.LXVI", "62.LXVI"]
    for name, hex_ in zip(crowd, ["0805", "0706", "0807", "0907"], strict=True):
        place(p, **{name: hex_})
    place(p, **{"14 Cav.XVIII": "0806"})
    p.steps[unit("14 Cav.XVIII")] = 1
    battle = a_battle(p, GERMAN, "0806", crowd, ["14 Cav.XVIII"])
    assert is_overwhelming(sit(p), battle)
    t = table(p)
    assert battle_cards(t, the_game().facts) == "battle_reserves"
    assert "no tactics are drawn" in told(t)
    assert not is_overwhelming(sit(p), a_battle(p, GERMAN, "0806", crowd[:1], ["14 Cav.XVIII"]))


@pytest.mark.rule(GAME, "12.22")
def test_which_cards_match_the_defenders_of_the_example() -> None:
    facts = the_game().facts
    defenders = [unit("12.12SS.ISS"), unit("5.3F.ISS")]
    found = {
        row.id for number, row in enumerate(facts.german.rows)
        if any(u in called_units(facts, number, defenders) for u in defenders)
    }  # fmt: skip
    assert found == {"G35", "G36", "G37", "G39", "G41", "G61"}


# ---------------------------------------------------------------------- losses and retreats (12.5 to 12.7)


@pytest.mark.rule(GAME, "12.52")
@pytest.mark.rule(GAME, "12.7")
@pytest.mark.rule(GAME, "12.75")
def test_the_illustration_of_the_german_retreat_from_1210() -> None:
    """Three hits on four steps: 7 and 9 are more than 5 and 7: two hexes back, a step, dispersed in 1309."""
    p = empty(20)
    place(p, **{"16.116P.LVIII": "1210", "60.116P.LVIII": "1210", "CCA.7A.XVIII": "1111", "CCR.7A.XVIII": "1211"})
    place(p, **{"504.82.XVIII": "1109"})
    p.german_towns |= the_game().board.set_of(["1709", "1412", "1911"])
    p.blown, p.german_bridges = 0, the_game().facts.bridges
    battle = a_battle(
        p, ALLIED, "1210", ["CCA.7A.XVIII", "CCR.7A.XVIII"], ["16.116P.LVIII", "60.116P.LVIII"], defender_hits=3
    )
    s = sit(p)
    assert hold_chance(s, battle, 4)[0] == 5
    assert names(open_retreats(s, battle).hexes) == {"1310"}
    t = table(p, 7, 9)
    german_defence(t, the_game().facts)
    assert p.where[unit("16.116P.LVIII")] == at("1309")
    assert p.where[unit("60.116P.LVIII")] == at("1309")
    assert p.dispersed == mask([unit("16.116P.LVIII"), unit("60.116P.LVIII")])
    assert p.steps[unit("16.116P.LVIII")] + p.steps[unit("60.116P.LVIII")] == 3
    assert "priority A" in told(t)


@pytest.mark.rule(GAME, "12.7")
def test_germans_do_not_retreat_beside_an_arrow_and_go_east() -> None:
    p = empty(20)
    place(p, **{"16.116P.LVIII": "1310"})
    battle = a_battle(p, ALLIED, "1210", [], ["16.116P.LVIII"], retreat=(at("1310"),))
    hexes = the_game().board.set_of(["1309", "1409", "1410"])
    assert german_retreat_hex(table(p), sit(p), battle, hexes) == at("1309")


@pytest.mark.rule(GAME, "12.52")
def test_as_many_hits_as_steps_drive_germans_back() -> None:
    p = empty(20)
    place(p, **{"16.116P.LVIII": "1210", "CCA.7A.XVIII": "1111"})
    a_battle(p, ALLIED, "1210", ["CCA.7A.XVIII"], ["16.116P.LVIII"], defender_hits=2)
    t = table(p, 10)
    german_defence(t, the_game().facts)
    assert "priority B" in told(t)
    assert p.steps[unit("16.116P.LVIII")] == 2


@pytest.mark.rule(GAME, "12.53")
@pytest.mark.rule(GAME, "12.54")
def test_spared_hits_and_dispersal_of_german_attackers() -> None:
    p = empty(18)
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805", "89.12.ISS": "0805"})
    attackers = ["48.12.ISS", "27.12.ISS", "89.12.ISS"]
    a_battle(p, GERMAN, "0806", attackers, [], attacker_hits=4, spared=2, eliminated=True)
    german_attackers(table(p, 10), the_game().facts)
    steps = sum(p.steps[unit(name)] for name in attackers)
    assert steps == 5  # four hits, two spared: one step, then the die of 10 disperses
    assert p.dispersed == mask(map(unit, attackers))


@pytest.mark.rule(GAME, "12.61")
def test_allied_losses_are_spread_over_hexes_and_units() -> None:
    p = empty(18)
    place(p, **{"26.1.V": "0806", "16.1.V": "0806", "18.1.V": "0905"})
    battle = a_battle(p, ALLIED, "0805", ["26.1.V", "16.1.V", "18.1.V"], [])
    assert len(allied_losers(p, battle, battle.attackers)) == 3
    battle = replace(battle, hit=1 << unit("26.1.V"), hit_hexes=1 << at("0806"))
    assert allied_losers(p, battle, battle.attackers) == [unit("18.1.V")]
    battle = replace(battle, hit=battle.hit | 1 << unit("18.1.V"), hit_hexes=battle.hit_hexes | 1 << at("0905"))
    assert allied_losers(p, battle, battle.attackers) == [unit("16.1.V")]


@pytest.mark.rule(GAME, "12.71")
def test_allies_do_not_retreat_into_the_westwall_or_german_towns() -> None:
    p = empty(18)
    place(p, **{"395.99.V": "0505", "326.LXVII": "0405"})
    battle = a_battle(p, GERMAN, "0505", ["326.LXVII"], ["395.99.V"], defender_hits=1)
    assert not open_retreats(sit(p), battle).hexes & the_game().facts.wall


# ---------------------------------------------------------------------- advances (12.8)


@pytest.mark.rule(GAME, "12.81")
@pytest.mark.rule(GAME, "12.8")
def test_the_second_hex_of_example_1a() -> None:
    """From 1325 on to 1224 or 1424: not over the river, and not into roadless forest."""
    p = empty(24)
    place(p, **{"CCA.2A.VII": "1326"})
    battle = a_battle(p, ALLIED, "1325", ["CCA.2A.VII"], [], eliminated=True)
    found = names(second_hexes(sit(p), battle, unit("CCA.2A.VII"), at("1326")))
    assert {"1224", "1424"} <= found
    assert not {"1225", "1324"} & found


@pytest.mark.rule(GAME, "12.83")
def test_the_table_of_german_advances() -> None:
    """12.8 example 2: along an arrow at once, as the second unit on 1 to 6, as the third never."""
    p = empty(24)
    place(p, **{"2.2P.XLVII": "1516"})
    p.objective[1], p.facing[1], p.table[1] = at("1126"), "W", 3
    for already, most in ((0, 10), (1, 6), (2, 0)):
        a_battle(p, GERMAN, "1415", ["2.2P.XLVII"], [], into=(at("1415"),) * already)
        assert chance(sit(p), unit("2.2P.XLVII"), at("1516"), at("1415"))[0] == most


@pytest.mark.rule(GAME, "12.41")
def test_a_drawn_chit_is_told_with_both_faces_and_which_lies_up() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805", "395.99.V": "0806"})
    battle = a_battle(p, GERMAN, "0806", ["48.12.ISS", "27.12.ISS"], ["395.99.V"], due=1)
    chit = next(n for n, faces in enumerate(facts.chits) if faces[0].situation == "5pza_attack" or n == 53)
    t = table(p, members(p.cup).index(chit) + 1)
    draw_chits(t, facts, battle, 1)
    line = next(event for event in t.events or () if event.kind == "draw")
    assert [one.words for one in line.conditions] == ["Allied attack", "5th Panzer Army attack"]
    assert [one.holds for one in line.conditions] == [False, False]
    assert line.conditions[1].effect == "D+1"
    assert line.conditions[1].counts == ((GERMAN, 0), (ALLIED, 1))

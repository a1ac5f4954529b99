"""What divisions of Ardennes '44 go for together: what each town wants of them, and who is free to go."""

from __future__ import annotations

from random import Random

import pytest

from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, GONE
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.knowledge.ardennes_44.defence import AlliedFields
from bulge.players.knowledge.ardennes_44.missions import is_firm
from bulge.players.looking import Moves, Way
from bulge.players.search import Search
from tests.games.ardennes_44.helpers import ardennes, at, facts, placed, unit

PANZERS, CCR = "2Pz/3/PzV", "7Arm/CCR"
ST_VITH, MALMEDY, BASTOGNE, SPA = at("E2125"), at("E2531"), at("E3313"), "E3034"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def standing(*there: tuple[str, str], held: tuple[str, ...] = ()) -> Ardennes44:
    p = placed(*there, scenario="S1", step="allied_movement")
    for hex_ in held:
        p.german_held |= 1 << at(hex_)
    return p


def test_crossroads_want_more_than_other_towns_as_far_from_the_enemy(knowledge: Ardennes44Knowledge) -> None:
    wanting = knowledge.objectives(standing((PANZERS, "E2228"), (CCR, SPA)), ALLIED)
    assert wanting[ST_VITH] > 2 * wanting[MALMEDY] > 0


def test_a_town_wants_less_the_farther_the_enemy_is(knowledge: Ardennes44Knowledge) -> None:
    near, far = (
        knowledge.objectives(standing((PANZERS, hex_), (CCR, SPA)), ALLIED) for hex_ in ("E2124", "E1618")
    )
    assert near[ST_VITH] > far[ST_VITH] > 0
    assert BASTOGNE not in near


def test_who_stands_in_the_line_around_a_town_counts_for_it(knowledge: Ardennes44Knowledge) -> None:
    alone = knowledge.objectives(standing((PANZERS, "E2124"), (CCR, SPA)), ALLIED)
    helped = knowledge.objectives(standing((PANZERS, "E2124"), (CCR, SPA), ("106/424(-)", "E2326")), ALLIED)
    assert alone[ST_VITH] - helped[ST_VITH] == 4


def test_a_lost_town_is_given_up_when_nobody_is_left_near_it(knowledge: Ardennes44Knowledge) -> None:
    lost = ((PANZERS, "E2125"), (CCR, SPA))
    assert ST_VITH not in knowledge.objectives(standing(*lost, held=("E2125",)), ALLIED)
    assert ST_VITH in knowledge.objectives(standing(*lost, ("9Arm/CCB", "E2326"), held=("E2125",)), ALLIED)


def test_who_faces_the_enemy_is_not_free_and_independent_units_have_no_mission(
    knowledge: Ardennes44Knowledge,
) -> None:
    p = standing((PANZERS, "E2124"), (CCR, SPA), ("106/424(-)", "E2326"), ("2Rgr", SPA))
    p.turn = 10
    free = knowledge.free_units(p, ALLIED)
    assert [free >> unit(id_) & 1 for id_ in (CCR, "106/424(-)", "2Rgr")] == [1, 0, 0]


def test_armour_near_the_enemy_is_free_until_he_stands_before_it(knowledge: Ardennes44Knowledge) -> None:
    """9th Armored's CCB at Faymonville could not go to St. Vith, since Germans were four hexes off."""
    free = knowledge.free_units(standing((PANZERS, "E2124"), ("9Arm/CCB", "E2326"), (CCR, "E2224")), ALLIED)
    assert [free >> unit(id_) & 1 for id_ in ("9Arm/CCB", CCR)] == [1, 0]


def test_commands_that_begin_far_apart_march_on_their_own(knowledge: Ardennes44Knowledge) -> None:
    """Those of 9th Armored, from Faymonville to the Sauer; not those of 7th Armored, which come together."""
    ninth, seventh = (
        {knowledge.formation(unit(f"{division}/{command}")) for command in commands}
        for division, commands in (("9Arm", ("CCA(-)", "CCB", "CCR")), ("7Arm", ("CCA", "CCB", "CCR")))
    )
    assert (len(ninth), len(seventh)) == (3, 1)


def test_a_town_wants_more_the_more_germans_are_near_it(knowledge: Ardennes44Knowledge) -> None:
    """Malmedy before both SS divisions; Monschau, which is on nobody's way, before the infantry there."""
    monschau = at("E1837")
    one, more = (
        (("1SS/1", "E2329"), (CCR, SPA)),
        (("1SS/2(-)", "E2330"), ("12SS/25", "E2231"), ("12SS/26", "E2232")),
    )
    wanting = [knowledge.objectives(standing(*there), ALLIED) for there in (one, (*one, *more))]
    assert wanting[0][MALMEDY] < wanting[1][MALMEDY]
    assert monschau not in wanting[0]
    infantry = (("326/751", "E1638"), ("326/752", "E1737"), ("326/753", "E1738"))
    assert knowledge.objectives(standing(*one, *infantry), ALLIED)[monschau] > 0


def test_the_ridge_of_elsenborn_is_held_in_the_campaign_and_nothing_before_it(
    knowledge: Ardennes44Knowledge,
) -> None:
    """Büllingen drew whoever was free, and Elsenborn, which is no victory hex, nobody."""
    there = (("1SS/1", "E1630"), ("12SS/25", "E1631"), ("12/48", "E1532"), ("12/89", "E1629"), (CCR, SPA))
    wanting = knowledge.objectives(standing(*there), ALLIED)
    assert at("E1731") not in wanting
    assert max(wanting[hex_] for hex_ in (at("E1833"), at("E1931")) if hex_ in wanting) > 20
    campaign, short = (
        placed(*there, ("2/23", "E1933"), scenario=scenario, step="allied_movement") for scenario in ("S1", "S2")
    )
    for p, bullingen, elsenborn in ((campaign, False, True), (short, True, False)):
        fields = knowledge.fields(p, ALLIED)
        assert isinstance(fields, AlliedFields)
        assert [at(hex_) in fields.garrison for hex_ in ("E1731", "E1833")] == [bullingen, elsenborn]


def test_v_corps_holds_the_shoulder_and_others_the_rest(knowledge: Ardennes44Knowledge) -> None:
    """2nd Division stayed at Wahlerscheid, 7th Armored went to Monschau, and 1st Division to St. Vith."""
    sectors = knowledge.own_objectives(standing((PANZERS, "E2026")), ALLIED)
    for id_, elsenborn, monschau, st_vith in (
        ("2/9", 1, 0, 0),
        ("1/26", 1, 0, 0),
        ("9/47", 0, 1, 0),
        (CCR, 0, 0, 1),
        ("30/117", 0, 0, 0),
        ("82/504", 0, 0, 0),
    ):
        own = sectors[knowledge.formation(unit(id_))]
        assert [own >> hex_ & 1 for hex_ in (at("E1833"), at("E1837"), ST_VITH)] == [elsenborn, monschau, st_vith]


def test_each_division_has_its_part_of_the_front(knowledge: Ardennes44Knowledge) -> None:
    """Both airborne divisions and Third Army stood around Bastogne, 30th Division at St. Vith, 84th at Namur."""
    own, marche, huy = knowledge.own_objectives(standing((PANZERS, "E2026")), ALLIED), at("W1423"), at("W1835")
    for id_, towns in (
        ("30/117", (MALMEDY,)),
        ("82/504", ()),
        ("84/334", (marche,)),
        ("75/290", (huy,)),
        ("43/129", ()),
        ("26/104", ()),
        ("101/501", (MALMEDY, ST_VITH, BASTOGNE, marche, huy)),
        ("4Arm/CCA", (MALMEDY, ST_VITH, BASTOGNE, marche, huy)),
    ):
        theirs = own[knowledge.formation(unit(id_))]
        assert tuple(hex_ for hex_ in (MALMEDY, ST_VITH, BASTOGNE, marche, huy) if theirs >> hex_ & 1) == towns


def test_the_british_hold_nothing_beyond_the_meuse(knowledge: Ardennes44Knowledge) -> None:
    """43rd Division stood across the river from Huy: nobody else was wanted, and Panzer Lehr drove in."""
    huy, panzers = at("W1835"), (PANZERS, "W1733")
    nobody, british, americans = (
        knowledge.objectives(standing(panzers, ("Lehr/901", "W1733"), *there), ALLIED)[huy]
        for there in ((), (("43/129", "W1836"),), (("84/334", "W1834"),))
    )
    assert british == nobody > americans


def test_infantry_in_column_drives_on_past_germans(knowledge: Ardennes44Knowledge) -> None:
    """82nd Airborne came up to Bastogne on trucks, and stayed there since Germans were within four hexes."""
    p = standing((PANZERS, "E3016"), ("82/504", "E3313"), ("82/505", "E3313"))
    p.columns |= 1 << unit("82/504")
    free = knowledge.free_units(p, ALLIED)
    assert [free >> unit(id_) & 1 for id_ in ("82/504", "82/505")] == [1, 0]


def test_armour_takes_towns_of_the_west_once_it_is_there(knowledge: Ardennes44Knowledge) -> None:
    """Panzer divisions drove past Rochefort and St. Hubert to the Meuse, and never held six hexes of the west."""
    own = []
    for turn in (8, 9):
        p = standing((PANZERS, "W1216"))
        p.turn = turn
        own.append(knowledge.own_objectives(p, GERMAN)[knowledge.formation(unit(PANZERS))])
    assert [towns >> at("W1314") & 1 for towns in own] == [0, 1]


def test_crossroads_come_before_a_town_that_is_threatened_as_much(knowledge: Ardennes44Knowledge) -> None:
    """With Germans enough before both, Malmedy wanted as much as St. Vith, and lay nearer."""
    near_malmedy = (
        *(("1SS/1", "E2330"), ("1SS/2(-)", "E2330"), ("12SS/25", "E2231"), ("12SS/26", "E2232")),
        *(("3FJ/5", "E2431"), ("3FJ/8", "E2430"), ("12/48", "E2331"), ("12/89", "E2332"), ("1SS/501", "E2331")),
    )
    near_st_vith = (("116/60", "E2024"), ("62/164", "E2025"), ("62/183", "E1925"), ("62/190", "E2026"))
    wanting = knowledge.objectives(standing(*near_malmedy, *near_st_vith, (CCR, SPA)), ALLIED)
    assert wanting[ST_VITH] > 1.5 * wanting[MALMEDY] > 0


def test_armour_leaves_st_vith_to_infantry_in_the_first_days(knowledge: Ardennes44Knowledge) -> None:
    """116th Panzer turned north and took it on the morning of the 17th, instead of driving on Houffalize."""
    p = standing(("116/60", "E1923"), ("106/424/1", "E2125"))
    drawn = []
    for p.turn in (2, 8):
        own = knowledge.own_objectives(p, GERMAN)[knowledge.formation(unit("116/60"))]
        assert own
        drawn.append(own >> ST_VITH & 1)
    assert drawn == [0, 1]


def test_reinforcements_are_reckoned_with_two_turns_before_they_come(knowledge: Ardennes44Knowledge) -> None:
    """One airborne regiment comes on turn 6, the tanks of 9th SS on turn 7; not who is lost."""
    p = standing((PANZERS, "E2124"))
    coming = ((ALLIED, "82/504"), (GERMAN, "9SS/9/PzV"))
    reckoned = []
    for p.turn, state in ((3, DUE), (4, DUE), (6, DUE), (6, GONE)):
        for _, id_ in coming:
            p.where[unit(id_)] = state
        reckoned.append([knowledge.free_units(p, side) >> unit(id_) & 1 for side, id_ in coming])
    assert reckoned == [[0, 0], [1, 0], [1, 1], [0, 0]]


def test_german_armour_goes_for_what_lies_on_the_way_and_is_not_taken(knowledge: Ardennes44Knowledge) -> None:
    p = standing((PANZERS, "E1917"), ("26/77", "E2015"), ("9Arm/CCB", "E2125"), held=("E2531",))
    wanting, free = knowledge.objectives(p, GERMAN), knowledge.free_units(p, GERMAN)
    assert MALMEDY not in wanting
    assert 0 < wanting[ST_VITH] < wanting[BASTOGNE], "it is held, so that others are better"
    assert [free >> unit(id_) & 1 for id_ in (PANZERS, "26/77")] == [1, 0]


def test_german_armour_looks_at_the_next_towns_of_its_own_way(knowledge: Ardennes44Knowledge) -> None:
    """From Clervaux by Bastogne, not to St. Vith, which lies as near; past Bastogne once it is held firmly."""
    held = ("E2416", "E2518")
    before, after = (
        knowledge.own_objectives(standing((PANZERS, "E2416"), *there, held=held), GERMAN)[
            knowledge.formation(unit(PANZERS))
        ]
        for there in ((), (("101/501", "E3313"), ("101/502", "E3313"), ("101/506", "E3414"), ("101/327", "E3414")))
    )
    assert [before >> hex_ & 1 for hex_ in (BASTOGNE, ST_VITH, at("E1837"))] == [1, 0, 0]
    assert after
    assert not after >> BASTOGNE & 1


def test_german_armour_passes_crossroads_that_hold_with_what_is_around() -> None:
    """Engineers held Bastogne, and 10th Armored what is around it: two panzer divisions stayed there for days."""
    engineers = ("Eng/44", "E3313")
    around = (("10Arm/CCA", "E3314"), ("10Arm/CCB", "E3312"), ("101/501", "E3413"), ("101/502", "E3413"))
    for there, firm in (((engineers,), False), ((engineers, *around), True)):
        assert is_firm(facts(), Situation(facts(), standing(*there)), BASTOGNE) == firm


def test_german_armour_is_drawn_by_its_own_objective_alone(knowledge: Ardennes44Knowledge) -> None:
    p = standing((PANZERS, "E2319"), ("9Arm/CCB", "E2826"))
    gains = []
    missions: list[dict[int, int]] = [{}, {unit(PANZERS): BASTOGNE}]
    for objectives in missions:
        fields = knowledge.fields(p, GERMAN)
        fields.pursue(objectives)
        gains.append(fields.score(unit(PANZERS), ST_VITH, "") - fields.score(unit(PANZERS), at("E2715"), ""))
    assert gains[1] < 0 < gains[0]


def test_where_all_towns_are_points_nobody_has_objectives(knowledge: Ardennes44Knowledge) -> None:
    """Divisions that went for St. Vith and Bastogne left the other towns of S2 to the Germans."""
    there = ((PANZERS, "E2026"), (CCR, SPA))
    for scenario, some in (("S1", True), ("S2", False)):
        p = placed(*there, scenario=scenario, step="allied_movement")
        assert [bool(knowledge.objectives(p, side)) for side in (GERMAN, ALLIED)] == [some, some]


def test_an_objective_draws_past_a_town_that_lies_nearer(knowledge: Ardennes44Knowledge) -> None:
    """A combat command on its way from Spa: without it to Malmedy, which nobody holds; with it beside St. Vith."""
    p = standing((PANZERS, "E2026"), (CCR, SPA))
    scores: dict[str, dict[str, float]] = {}
    missions: dict[str, dict[int, int]] = {"none": {}, "St. Vith": {unit(CCR): ST_VITH}}
    for name, objectives in missions.items():
        fields = knowledge.fields(p, ALLIED)
        fields.pursue(objectives)
        scores[name] = {hex_: fields.score(unit(CCR), at(hex_), "") for hex_ in ("E2531", "E2226")}
    assert scores["none"]["E2531"] > scores["none"]["E2226"]
    assert scores["St. Vith"]["E2531"] < scores["St. Vith"]["E2226"]


def test_who_is_on_the_way_does_not_stop_to_bar_another_way(knowledge: Ardennes44Knowledge) -> None:
    """Two combat commands of 7th Armored stood at Malmedy, while St. Vith, their objective, fell."""
    ccb = "7Arm/CCB"
    germans = (("1SS/1/PzV", "E2029"), ("1SS/1", "E2029"), ("62/164", "E2025"))
    fields = knowledge.fields(standing(*germans, (ccb, "E2433"), ("106/424/1", "E2125")), ALLIED)
    fields.pursue({unit(ccb): ST_VITH})
    beside, malmedy = (fields.score(unit(ccb), at(hex_), "") for hex_ in ("E2226", "E2531"))
    assert beside > malmedy + 2


def test_a_town_draws_those_most_whose_objective_it_is(knowledge: Ardennes44Knowledge) -> None:
    """Regiments sent to Monschau stood beside it, and cavalry in it."""
    there = (("326/751", "E1737"), ("272/981", "E1838"), ("326/752", "E1638"), ("78/309", "E1937"))
    gains = []
    for objectives in ({unit("78/309"): at("E1837")}, {unit("78/309"): at("E1937")}):
        fields = knowledge.fields(standing(*there), ALLIED)
        assert isinstance(fields, AlliedFields)
        fields.pursue(objectives)
        gains.append(fields._drawn(unit("78/309"), at("E1837"), 2.0))
    assert gains[0] > 1.3 * gains[1]


def test_a_whole_plan_is_worth_more_the_nearer_it_brings_a_formation_to_its_objective(
    knowledge: Ardennes44Knowledge,
) -> None:
    """The same two plans, with and without an objective: only the objective makes them differ more."""
    p = standing((PANZERS, "E2026"), (CCR, SPA))
    gains = []
    missions: list[dict[int, int]] = [{}, {unit(CCR): ST_VITH}]
    for objectives in missions:
        fields = knowledge.fields(p, ALLIED)
        fields.pursue(objectives)
        search = Search(knowledge, p, ALLIED, Moves(), fields, Random(1), lambda: False, 0.0, ardennes().board)
        ways = [Way(unit(CCR), at(hex_), None, (at(hex_),)) for hex_ in ("E2226", SPA)]
        near, far = (search.value({way.unit: way}) for way in ways)
        gains.append(near - far)
    assert gains[1] > gains[0] + 0.2

"""Where Germans of Ardennes '44 go in the campaign: nobody alone, each division to its towns, around Bastogne."""

from __future__ import annotations

from random import Random

import pytest

from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.position import Ardennes44
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.knowledge.ardennes_44.offence import GermanFields
from bulge.players.looking import Moves, Way
from bulge.players.search import Search
from tests.games.ardennes_44.helpers import ardennes, at, placed, unit

PANZERS, ROCKETS, INFANTRY, PARATROOPS = "2Pz/3/PzV", "LXVI/16Wf", "326/752", "5FJ/13"
WILTZ = "E2712"
GARRISON = (("101/501", "E3313"), ("101/502", "E3313"), ("101/506", "E3414"), ("101/327", "E3414"))


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def campaign(*there: tuple[str, str], held: tuple[str, ...] = (), turn: int = 9) -> Ardennes44:
    p = placed(*there, scenario="S1", turn=turn)
    for hex_ in held:
        p.german_held |= 1 << at(hex_)
    return p


def fields(knowledge: Ardennes44Knowledge, p: Ardennes44) -> GermanFields:
    found = knowledge.fields(p, GERMAN)
    assert isinstance(found, GermanFields)
    return found


def score(knowledge: Ardennes44Knowledge, p: Ardennes44, id_: str, hex_: str) -> float:
    return fields(knowledge, p).score(unit(id_), at(hex_), "")


def alone(knowledge: Ardennes44Knowledge, id_: str, hex_: str) -> float:
    """What it counts against a hex that a unit would be alone there."""
    of_one = fields(knowledge, campaign((id_, "E2416"), ("2Pz/304", "E2416"), ("99/393", "E1105")))
    there = of_one.score(unit(id_), at(hex_), "")
    of_one.company |= 1 << at(hex_)
    return of_one.score(unit(id_), at(hex_), "") - there


def test_neither_infantry_nor_guns_go_ahead_alone_when_spearheads_do(knowledge: Ardennes44Knowledge) -> None:
    """A regiment on trucks was in Liège on the 20th, and rocket launchers stood before Dinant."""
    spearhead, infantry, guns = (alone(knowledge, id_, "E3713") for id_ in (PANZERS, INFANTRY, ROCKETS))
    assert infantry - spearhead == guns - spearhead == pytest.approx(5.0)


def test_the_farther_one_would_be_alone_the_worse_it_is(knowledge: Ardennes44Knowledge) -> None:
    """The reconnaissance battalion of 116th Panzer drove twelve hexes ahead of everybody, into Huy."""
    near, far = (alone(knowledge, PANZERS, hex_) for hex_ in ("E2916", "E3713"))
    assert 4 < near < far - 5


@pytest.mark.parametrize(("company", "counts"), [("2Pz/304", True), (ROCKETS, False), ("vdH", False)])
def test_guns_and_who_is_cut_off_are_no_company(
    knowledge: Ardennes44Knowledge, company: str, counts: bool
) -> None:
    """Guns followed guns, and regiments von der Heydte's battalion, far behind the Allied front."""
    there, around = ("E2440", ("E2339", "E2539", "E2441")) if company == "vdH" else ("E1624", ())
    allied = zip(("78/309", "78/310(-)", "99/393"), around or ("E1105",), strict=False)
    p = campaign((INFANTRY, "E1341"), (company, there), *allied)
    assert bool(fields(knowledge, p).company >> at(there) & 1) == counts


def test_a_division_does_not_run_ahead_together(knowledge: Ardennes44Knowledge) -> None:
    """Each battalion was company for the next: 1st SS stood at Werbomont on the 18th and in Huy on the 20th."""
    p = campaign((PANZERS, "E2416"), ("2Pz/304", "E2416"), ("99/393", "E1105"))
    ahead = fields(knowledge, p)
    before = ahead.score(unit(PANZERS), at("E3713"), "")
    ahead.send(unit("2Pz/304"), at("E3712"))
    assert ahead.score(unit(PANZERS), at("E3713"), "") <= before


def test_seventh_army_guards_the_flank(knowledge: Ardennes44Knowledge) -> None:
    """5th Parachute went from Wiltz to Bastogne, and 4th Armored drove there through Martelange on the 21st."""
    p = campaign((PARATROOPS, "E3009"), ("26/77", "E3009"), ("99/393", "E1105"), held=(WILTZ, "E3009"))
    for id_, south in ((PARATROOPS, True), ("26/77", False)):
        to_flank = score(knowledge, p, id_, "E3207") - score(knowledge, p, id_, "E3211")
        assert (to_flank > 0) == south


def test_the_last_in_a_town_of_the_flank_stays(knowledge: Ardennes44Knowledge) -> None:
    """Wiltz was taken and left, and engineers took it back the next morning."""
    p = campaign((PARATROOPS, WILTZ), ("5FJ/14", WILTZ), ("99/393", "E1105"), held=(WILTZ,))
    of_both, onward = fields(knowledge, p), at("E2910")
    first, second = unit(PARATROOPS), unit("5FJ/14")
    assert of_both.score(first, at(WILTZ), "") > of_both.score(first, onward, "")
    of_both.send(first, at(WILTZ))
    assert of_both.score(second, at(WILTZ), "") < of_both.score(second, onward, "")


def test_the_last_in_a_town_of_the_west_stays(knowledge: Ardennes44Knowledge) -> None:
    """Huy and Ciney were taken, left and lost again, though six such towns win."""
    p = campaign((PANZERS, "W2125"), ("2Pz/304", "W2125"), ("99/393", "E1105"), held=("W2125",), turn=16)
    of_both, onward = fields(knowledge, p), at("W2324")
    first, second = unit(PANZERS), unit("2Pz/304")
    of_both.pursue(dict.fromkeys((first, second), at("W2723")))
    assert of_both.score(first, at("W2125"), "") > of_both.score(first, onward, "")
    of_both.send(first, at("W2125"))
    assert of_both.score(second, at("W2125"), "") < of_both.score(second, onward, "")


def test_armour_masses_less_against_who_stands_beside_its_way(knowledge: Ardennes44Knowledge) -> None:
    """Half of 1st and 12th SS fought for Elsenborn, though their objective was Malmedy and the way lay open."""
    there = fields(knowledge, campaign(("1SS/1", "E1731"), ("2/23", "E1833"), turn=4))
    contact = []
    for objective in ("E1833", "E2531"):
        there.pursue({unit("1SS/1"): at(objective)})
        near, there.near = there.near, 0
        without = there.score(unit("1SS/1"), at("E1832"), "")
        there.near = near
        contact.append(there.score(unit("1SS/1"), at("E1832"), "") - without)
    assert contact[0] > contact[1] + 0.5 > 0.5


def test_armour_is_on_its_march_until_it_is_near_what_it_goes_for(knowledge: Ardennes44Knowledge) -> None:
    far, near, without, ally = (unit(id_) for id_ in (PANZERS, "2Pz/304", INFANTRY, "3Arm/CCA"))
    p = campaign((PANZERS, WILTZ), ("2Pz/304", "W2324"), (INFANTRY, WILTZ), ("3Arm/CCA", "E3821"))
    for side, units, marching in ((GERMAN, (far, near), {far}), (ALLIED, (ally,), set())):
        of_side = knowledge.fields(p, side)
        of_side.pursue(dict.fromkeys(units, at("W2723")))
        assert of_side.marching([*units, without]) == marching


@pytest.mark.parametrize("marching", [False, True])
def test_armour_on_its_march_leaves_towns_beside_its_way_to_others(
    knowledge: Ardennes44Knowledge, marching: bool
) -> None:
    """Planners fought for every town of the east with it: of the six towns that win they held two at most."""
    p = campaign((PANZERS, "E2415"), ("2Pz/304", "E2415"), ("99/393", "E1105"))
    there, panzers = fields(knowledge, p), unit(PANZERS)
    if marching:
        there.pursue({panzers: at("W2723")})
    ways = {at(hex_): Way(panzers, at(hex_), None, (at(hex_),)) for hex_ in ("E2416", "E2514")}
    moves = Moves({panzers: ways})
    search = Search(knowledge, p, GERMAN, moves, there, Random(1), lambda: False, 0.0, ardennes().board)
    onward = {panzers: ways[at("E2514")]}
    assert search.standing_still(onward) == (onward if marching else {})
    assert (search.improve(onward, 40, 4)[1] == onward) == marching
    assert all(search.shaken(onward) == onward for _ in range(20)) == marching


def test_infantry_shuts_the_roads_of_crossroads_that_hold(knowledge: Ardennes44Knowledge) -> None:
    """Bastogne was fought for from the north and east, and never cut off."""
    p = campaign(("26/77", "E3214"), ("26/78", "E3112"), *GARRISON)
    before = fields(knowledge, p)
    assert before.lifelines
    cut = next(hex_ for hex_ in ("E3412", "E3511", "E3512") if before.lifelines >> at(hex_) & 1)
    weaker = campaign(("26/77", "E3214"), ("26/78", "E3112"), ("Eng/44", "E3313"))
    assert not fields(knowledge, weaker).lifelines, "a weak garrison is attacked"
    left = before.lifelines
    before.send(unit("26/78"), at(cut))
    assert before.lifelines != left, "the next road"


def test_who_shuts_a_road_stays_there(knowledge: Ardennes44Knowledge) -> None:
    """Whoever had cut Bastogne off saw no road left to cut, and left."""
    p = campaign(("26/77", "E3214"), ("26/78", "E3112"), *GARRISON)
    cut = next(hex_ for hex_ in ("E3412", "E3511", "E3512") if fields(knowledge, p).lifelines >> at(hex_) & 1)
    p.where[unit("26/78")] = at(cut)
    there = fields(knowledge, p)
    assert there._shuts(unit("26/78"), at(cut))
    assert not there._shuts(unit("26/77"), at(cut))


def test_two_divisions_have_room_on_one_road(knowledge: Ardennes44Knowledge) -> None:
    """Clervaux wanted no more than 2nd Panzer, so that Panzer Lehr had nowhere to go and went to St. Vith."""
    p = campaign((PANZERS, "E1917"), ("28/110/1", "E2416"), turn=2)
    second = sum(knowledge.strength(p, u) for u in ardennes().facts.units_of[GERMAN] if _in(u, "2Pz"))
    assert knowledge.objectives(p, GERMAN)[at("E2416")] > second


def _in(number: int, division: str) -> bool:
    return ardennes().facts.rows[number].division == division

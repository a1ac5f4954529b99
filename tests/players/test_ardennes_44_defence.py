"""Where players of Ardennes '44 stand: Allies in a line, across roads and in towns, Germans on their way west."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bulge.core.decision import Decision, Kind
from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.position import Ardennes44
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.knowledge.ardennes_44.defence import AlliedFields
from bulge.players.knowledge.ardennes_44.fields import on_the_way
from tests.games.ardennes_44.helpers import ardennes, at, facts, placed, unit

PANZERS, GRENADIERS, CCR = "2Pz/3/PzV", "12/48", "7Arm/CCR"
ST_VITH, MONSCHAU = "E2125", "E1837"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def score(knowledge: Ardennes44Knowledge, p: Ardennes44, id_: str, hex_: str, side: str = ALLIED) -> float:
    return knowledge.fields(p, side).score(unit(id_), at(hex_), "")


def allied(*there: tuple[str, str], scenario: str = "S1") -> Ardennes44:
    return placed(*there, scenario=scenario, step="allied_movement")


def test_who_holds_the_line_stays_in_it(knowledge: Ardennes44Knowledge) -> None:
    """Between two friends, in an Improved Position, nobody leaves for the town behind: it is shut by the line."""
    line = (("99/394", "E1430"), ("99/393", "E1432"), ("99/395(-)", "E1434"))
    p = allied(*line, ("277/989", "E1331"), ("277/990", "E1332"), scenario="S2")
    p.improved = 1 << at("E1432")
    assert score(knowledge, p, "99/393", "E1432") > score(knowledge, p, "99/393", "E1731")


def test_a_place_that_is_cut_off_counts_less(knowledge: Ardennes44Knowledge) -> None:
    """The same place with three enemies next to it, and with six."""
    around = [facts().board.name(hex_) for hex_ in members(facts().board.next_to(at("E1535")))]
    germans = ("12/48", "12/27F", "12/89", "277/989", "277/990", "277/991")
    faced, shut = (
        allied(("2/9", "E1535"), *zip(germans[:count], around[:count], strict=True)) for count in (3, 6)
    )
    assert score(knowledge, shut, "2/9", "E1535") < score(knowledge, faced, "2/9", "E1535") - 2


@pytest.mark.parametrize(
    ("town", "beside", "onward", "german"),
    [("E1833", "E1832", "E1931", "E1730"), ("W2234", "W2233", "W1835", "W1633")],
)
def test_the_last_on_the_ridge_and_at_the_meuse_stays(
    knowledge: Ardennes44Knowledge, town: str, beside: str, onward: str, german: str
) -> None:
    """2nd Division left Elsenborn for Bütgenbach, and 75th Division Andenne for Huy: Germans walked in."""
    posted, other = (
        score(knowledge, allied((GRENADIERS, german), ("2/23", hex_)), "2/23", hex_) for hex_ in (town, beside)
    )
    assert posted > other + 6
    last = allied((GRENADIERS, german), ("2/23", town))
    assert score(knowledge, last, "2/23", town) > score(knowledge, last, "2/23", onward)


def test_the_meuse_is_guarded_before_a_column_can_be_there(knowledge: Ardennes44Knowledge) -> None:
    """Reserves passed Huy until Germans were twelve hexes from it, which is less than they drive in a turn."""
    p = allied((PANZERS, "E3725"), ("2/9", "W2234"))
    fields = knowledge.fields(p, ALLIED)
    assert isinstance(fields, AlliedFields)
    assert 12 < fields.off[at("W1835")] <= 20
    assert fields.garrison[at("W1835")] > fields.garrison[at("W3019")]


def test_friends_on_both_flanks_count_more_than_one_and_one_more_than_none(knowledge: Ardennes44Knowledge) -> None:
    german, mine = ("277/990", "E1331"), ("99/393", "E1933")
    friends = (("99/394", "E1430"), ("99/395(-)", "E1434"))
    alone, one, both = (
        score(knowledge, allied(german, mine, *friends[:count]), "99/393", "E1432") for count in range(3)
    )
    assert alone < one < both


def test_who_has_no_orders_yet_is_counted_where_he_stands(knowledge: Ardennes44Knowledge) -> None:
    """A town with a garrison draws less than an empty one."""
    german, mine = (PANZERS, "E1825"), ("106/422", "E2227")
    empty = score(knowledge, allied(german, mine), "106/422", ST_VITH)
    full = score(knowledge, allied(german, mine, ("2/9", ST_VITH), ("2/38", ST_VITH)), "106/422", ST_VITH)
    assert full < empty - 2


def test_crossroads_want_more_than_other_towns(knowledge: Ardennes44Knowledge) -> None:
    """Who comes after a regiment is still wanted in St. Vith, and beside it, but not in Stavelot."""
    wanted = []
    for town, german in ((ST_VITH, "E1925"), ("E2830", "E2630")):
        after_one, after_three = (
            score(
                knowledge,
                allied((PANZERS, german), (CCR, "E2440"), *zip(garrison, [town] * 3, strict=False)),
                CCR,
                town,
            )
            for garrison in (["2/9"], ["2/9", "2/38", "99/393"])
        )
        wanted.append(after_one - after_three)
    assert wanted[0] > wanted[1] + 2
    beside = [
        allied((PANZERS, "E1925"), (CCR, "E2440"), *there) for there in ([], [("2/9", ST_VITH), ("2/38", ST_VITH)])
    ]
    calm = [score(knowledge, p, CCR, "E2225") - score(knowledge, p, CCR, "E2327") for p in beside]
    assert calm[0] > calm[1] + 0.5


def test_reserves_do_not_stay_in_towns_far_behind(knowledge: Ardennes44Knowledge) -> None:
    """Neufchâteau wants a regiment and more when Germans come near, and next to nobody when they are far off."""
    town = at("W1106")
    far, near = (
        knowledge.fields(allied((PANZERS, german), ("101/501", "W1106")), ALLIED) for german in ("E2416", "W1110")
    )
    assert isinstance(far, AlliedFields)
    assert isinstance(near, AlliedFields)
    assert far.garrison[town] < 3 < 15 < near.garrison[town]


def test_who_is_strong_is_drawn_to_crossroads_more_than_engineers(knowledge: Ardennes44Knowledge) -> None:
    """Once somebody is there: they would fill the town, and leave no room for those who can hold it."""
    both = allied((PANZERS, "E1925"), ("101/501", "E2227"), ("Eng/81", "E2227"), ("2/9", ST_VITH))
    drawn = [
        score(knowledge, both, id_, ST_VITH) - score(knowledge, both, id_, "E2327")
        for id_ in ("101/501", "Eng/81")
    ]
    assert drawn[0] > drawn[1] + 3


def test_who_stands_beside_a_road_that_columns_could_take_bars_it(knowledge: Ardennes44Knowledge) -> None:
    """As long as nobody else has barred it nearer to the Germans."""
    open_ = allied((PANZERS, "E2416"), (CCR, "E3826"), scenario="S2")
    barred = allied((PANZERS, "E2416"), (CCR, "E3826"), ("99/393", "E2515"), scenario="S2")
    road, off = "E2815", "E2821"
    gain = [score(knowledge, p, CCR, road) - score(knowledge, p, CCR, off) for p in (open_, barred)]
    assert gain[0] > gain[1] + 1


def advances(knowledge: Ardennes44Knowledge, p: Ardennes44, here: str, to: str) -> bool:
    """Whether Allies who may advance do."""
    about = SimpleNamespace(way=SimpleNamespace(here=at(here)))
    decision = Decision(ALLIED, "", [at(to), "stop"], "19.1", Kind.SPACE, about=about)
    go, stop = (knowledge.prior(p, decision, choice) for choice in decision.options)
    assert go is not None
    assert stop is not None
    return go > stop


def test_allies_do_not_leave_good_ground_to_advance_but_take_back_towns(knowledge: Ardennes44Knowledge) -> None:
    p = allied(("2/9", "E1832"))
    p.improved = 1 << at("E1832")
    p.german_held |= 1 << at("E1731")
    assert not advances(knowledge, p, "E1832", "E1732")
    assert advances(knowledge, p, "E1832", "E1731")


def test_who_retreats_keeps_away_from_enemies(knowledge: Ardennes44Knowledge) -> None:
    next_to, hexes = facts().board.next_to, [at("E1833"), at("E1932")]
    enemy = members(next_to(hexes[0]) & ~next_to(hexes[1]) & ~next_to(at("E1832")) & ~(1 << at("E1832")))[0]
    p = allied(("2/9", "E1832"), (GRENADIERS, facts().board.name(enemy)))
    assert len({facts().ground.hex_bonus(hex_) for hex_ in hexes}) == 1
    decision = Decision(ALLIED, "", hexes, "17.1", Kind.SPACE)
    near, off = (knowledge.prior(p, decision, hex_) for hex_ in hexes)
    assert near is not None
    assert off is not None
    assert near < off


def test_the_way_to_the_meuse_leads_by_the_towns_of_history() -> None:
    """Malmedy and Stavelot for the I SS, St. Vith for the LXVI, Bastogne for the XLVII; not Monschau or Eupen."""
    towns = on_the_way(facts())
    for hex_ in ("E2531", "E2830", ST_VITH, "E3313", "E3414", "W2723", "W1835"):
        assert towns >> at(hex_) & 1, hex_
    for hex_ in (MONSCHAU, "E2440", "E3038", "E2103"):
        assert not towns >> at(hex_) & 1, hex_


def test_in_the_campaign_monschau_draws_infantry_but_no_tanks(knowledge: Ardennes44Knowledge) -> None:
    def drawn(id_: str, scenario: str) -> float:
        p = placed((id_, "E1538"), ("99/393", "E2440"), scenario=scenario)
        return score(knowledge, p, id_, MONSCHAU, GERMAN) - score(knowledge, p, id_, "E1738", GERMAN)

    assert drawn(GRENADIERS, "S1") > 4
    assert drawn(PANZERS, "S1") < 2
    assert drawn(PANZERS, "S2") > 4


def test_germans_do_not_drive_on_alone(knowledge: Ardennes44Knowledge) -> None:
    alone = placed((PANZERS, "E2416"), ("99/393", "E1105"), scenario="S1")
    together = placed((PANZERS, "E2416"), ("2Pz/304", "E3712"), ("99/393", "E1105"), scenario="S1")
    far = [score(knowledge, p, PANZERS, "E3713", GERMAN) for p in (alone, together)]
    assert far[0] < far[1] - 3


def test_nobody_drives_far_ahead_in_the_first_days_of_the_campaign(knowledge: Ardennes44Knowledge) -> None:
    """A battalion of 116th Panzer stood in Houffalize on the 17th, and the tanks of 1st SS in Huy on the 18th."""
    lost = []
    for turn in (4, 5):
        alone = placed((PANZERS, "E2416"), ("99/393", "E1105"), scenario="S1", turn=turn)
        together = placed((PANZERS, "E2416"), ("2Pz/304", "E3712"), ("99/393", "E1105"), scenario="S1", turn=turn)
        one, other = (score(knowledge, p, PANZERS, "E3713", GERMAN) for p in (alone, together))
        lost.append(other - one)
    assert lost[0] > lost[1] + 4


def test_guns_do_not_drive_ahead_either(knowledge: Ardennes44Knowledge) -> None:
    """A brigade of rocket launchers stood beyond the Meuse, three hexes from the British."""
    p = placed(("LXVI/16Wf", "E1225"), (PANZERS, "E2416"), ("99/393", "E3713"), scenario="S1")
    beside, ahead = (score(knowledge, p, "LXVI/16Wf", hex_, GERMAN) for hex_ in ("E2616", "E3716"))
    assert ahead < beside


def test_tanks_stand_with_infantry_and_hold_no_town_alone(knowledge: Ardennes44Knowledge) -> None:
    """741st Tank Battalion held Büllingen, and was lost there before infantry that could have used it."""
    german, mine = ("12/48", "E1730"), ("2/741", "E2033")
    alone = allied(german, mine)
    together = allied(german, mine, ("2/23", "E1931"))
    drawn = [
        score(knowledge, p, "2/741", "E1931") - score(knowledge, p, "2/741", "E1933") for p in (alone, together)
    ]
    infantry = score(knowledge, allied(german, ("2/23", "E2033")), "2/23", "E1931")
    assert infantry > score(knowledge, alone, "2/741", "E1931") + 3
    assert drawn[1] > drawn[0]


def test_battalions_make_room_at_crossroads_for_whoever_can_hold_them(knowledge: Ardennes44Knowledge) -> None:
    """They filled St. Vith, so that the combat command sent there stood beside it; not for anybody weaker."""
    battalions = ("106/424/1", "106/423/2")
    p = allied(
        ("62/164", "E1925"), *((id_, ST_VITH) for id_ in battalions), ("9Arm/CCB", "E2326"), ("2Rgr", "E2326")
    )
    stay, leave = (unit(id_) for id_ in battalions), unit("9Arm/CCB")
    there = {at(ST_VITH): None, at("E2225"): None}
    ways = dict.fromkeys((*stay, leave, unit("2Rgr")), there)
    for comer, making_room in (("9Arm/CCB", True), ("2Rgr", False)):
        fields = knowledge.fields(p, ALLIED)
        assert isinstance(fields, AlliedFields)
        fields.pursue({unit(comer): at(ST_VITH)})
        before = fields.score(unit(battalions[0]), at(ST_VITH), "")
        order = fields.in_turn(ways)
        assert bool(fields.making_room) == making_room
        assert sorted(order) == sorted(ways)
        after = fields.score(unit(battalions[0]), at(ST_VITH), "")
        assert (after < before - 1) == making_room
        if making_room:
            assert order.index(leave) == len(fields.making_room)


def test_a_way_to_the_meuse_is_barred_before_anything_else(knowledge: Ardennes44Knowledge) -> None:
    """Nobody stood at Werbomont when 1st SS drove from Coo to Huy in one turn."""
    p = allied((PANZERS, "E2930"), ("99Nor", "E3426"))
    assert score(knowledge, p, "99Nor", "E3429") > score(knowledge, p, "99Nor", "E3326") + 6

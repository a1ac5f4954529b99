"""Rules 13.15 to 13.22: stalls, losses, retreats and what may be done instead, bloodbaths, advances."""

from __future__ import annotations

import pytest

from bulge.games.the_bulge.battle import defence_strength
from bulge.games.the_bulge.combat import DECLINE, LOSE_STEP, towards_supply
from bulge.games.the_bulge.facts import ALLIED, GERMAN
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    at,
    bulge,
    decline,
    facts,
    fight,
    hexes,
    name_attack,
    names,
    place,
    play,
    position,
    situation,
    unit,
    where,
)
from tests.helpers import answer, offered, refused_by, run_until

MIDDLE = "0619"
EAST, WEST = "0618", "0620"
NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST = "0519", "0520", "0719", "0720"
BEHIND = {NORTH_WEST, WEST, SOUTH_WEST}
"""Where defenders of the middle may go when they are attacked from the east alone."""


def set_up(step: str = "german_combat_1", **at_hex: str) -> BulgePosition:
    """Units by hex, `_0619="30ID 1ID"`; a unit with `-` behind it is reduced."""
    p = position(turn=3, step=step)
    for hex_, ids in at_hex.items():
        for id_ in ids.split():
            place(p, id_.rstrip("-"), hex_[1:], steps=1 if id_.endswith("-") else None)
    return p


def steps(match: BulgeMatch, *ids: str) -> list[int]:
    return [match.position.steps[unit(id_)] for id_ in ids]


def over(match: BulgeMatch) -> bool:
    """The battle is settled: the next attack is asked for."""
    return match.asked().rule == "13.1"


# ---------------------------------------------------------------------- 13.15 AS, 13.16 AE


@pytest.mark.rule("the_bulge", "13.15")
def test_a_stall_changes_nothing() -> None:
    p = set_up(_0618="1SS", _0619="30ID")
    before = p.where.copy(), p.steps.copy()
    match = fight(p, MIDDLE, ["1SS"], "AS")
    assert over(match)
    assert (match.position.where, match.position.steps) == before


@pytest.mark.rule("the_bulge", "13.16")
def test_every_attacker_loses_a_step_and_nobody_else_does() -> None:
    match = fight(set_up(_0618="1SS 2SS-", _0519="26VG 62VG", _0619="30ID"), MIDDLE, ["1SS", "2SS", "26VG"], "AE")
    assert over(match)
    assert steps(match, "1SS", "2SS", "26VG", "62VG", "30ID") == [1, 0, 1, 2, 2]
    assert where(match.position, "2SS") is None
    assert where(match.position, "1SS") == EAST


@pytest.mark.rule("the_bulge", "13.16", "14.7")
@pytest.mark.parametrize("result", ["AE", "BB"])
def test_artillery_that_fired_in_support_loses_nothing(result: str) -> None:
    dice = [6 if result == "AE" else 1]
    match = play(set_up(_0618="2SS-", _0617="388VAK", _0619="110" if result == "BB" else "30ID"), dice)
    answer(match, MIDDLE, "2SS", "388VAK")
    answer(match, str(match.asked().options[0]))
    assert steps(match, "388VAK", "2SS") == [1, 0]
    assert where(match.position, "388VAK") == "0617"


# ---------------------------------------------------------------------- 13.17 where to retreat


@pytest.mark.rule("the_bulge", "13.17")
def test_a_retreat_goes_one_hex_out_of_enemy_zones_at_its_owners_choice() -> None:
    match = answer(fight(set_up(_0618="1SS", _0619="30ID"), MIDDLE, ["1SS"], "DR"), "retreat")
    assert match.asked().side == ALLIED
    assert offered(match) == BEHIND
    assert refused_by(match, NORTH_EAST) == "13.17"
    assert refused_by(match, "0621") == "13.17"
    answer(match, WEST)
    assert where(match.position, "30ID") == WEST
    assert not match.position.german & hexes(WEST)


@pytest.mark.rule("the_bulge", "13.17", "8.4")
@pytest.mark.parametrize(
    ("friend", "open_"),
    [
        ("110", BEHIND | {NORTH_EAST}),  # a friend negates the zone in its hex
        ("1ID", BEHIND | {NORTH_EAST}),
        ("43Br", BEHIND),  # US and British units do not stack
        ("1ID 5ID", BEHIND),  # no room
    ],
)
def test_a_friend_opens_a_hex_in_an_enemy_zone_if_there_is_room(friend: str, open_: set[str]) -> None:
    p = set_up(_0618="1SS", _0619="30ID", _0519=friend)
    assert offered(answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")) == open_


@pytest.mark.rule("the_bulge", "13.17")
@pytest.mark.parametrize("full", [NORTH_WEST, WEST, SOUTH_WEST])
def test_no_retreat_into_a_full_hex(full: str) -> None:
    p = set_up(_0618="1SS", _0619="30ID", **{f"_{full}": "1ID 5ID"})
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == BEHIND - {full}
    assert refused_by(match, full) == "13.17"


@pytest.mark.rule("the_bulge", "13.17")
def test_only_the_way_that_is_open_needs_no_question() -> None:
    p = set_up(_0618="1SS", _0521="2SS", _0619="110")
    match = fight(p, MIDDLE, ["1SS"], "DR")
    assert where(match.position, "110") == SOUTH_WEST


SOUTHERN_SOURCES_SHUT = {
    "_0401": "422",
    "_0701": "423",
    "_1001": "424",
    "_1301": "112",
    "_1601": "109",
    "_1901": "110",
}
"""What is left is the north-east corner."""


@pytest.mark.rule("the_bulge", "13.17", "7.10")
@pytest.mark.parametrize(
    ("attacker", "elsewhere", "open_"),
    [
        (NORTH_WEST, {}, {EAST, SOUTH_EAST}),  # each is nearer to some source in the east
        (NORTH_WEST, SOUTHERN_SOURCES_SHUT, {EAST}),  # and these work no longer
        (NORTH_EAST, {}, {SOUTH_EAST}),
        (EAST, {}, BEHIND),  # none is nearer: any will do
    ],
)
def test_a_retreat_brings_units_nearer_to_a_working_source_if_it_can(
    attacker: str, elsewhere: dict[str, str], open_: set[str]
) -> None:
    p = set_up("allied_combat_1", _0619="26VG", **{f"_{attacker}": "2ID"}, **elsewhere)
    match = fight(p, MIDDLE, ["2ID"], "DR")
    told = match.asked().prompt.removeprefix(f"Retreat from {MIDDLE} to ").removesuffix("?")
    assert set(told.split(" or ")) == open_, "the question says where to"
    answer(match, "retreat")
    if len(open_) > 1:
        assert match.asked().side == GERMAN
        assert offered(match) == open_
    else:
        assert {where(match.position, "26VG")} == open_


@pytest.mark.rule("the_bulge", "13.17")
def test_nearer_means_nearer_to_some_source_than_the_old_hex_was() -> None:
    s = situation({"26VG": MIDDLE})
    board, around = facts().board, facts().board.around(hexes(MIDDLE))
    sources = [hex_ for hex_ in names(board.all) if hex_.endswith("01") or hex_ in ("0102", "0103", "0104")]
    nearer = {
        hex_
        for hex_ in names(around)
        if any(board.distance(at(hex_), at(to)) < board.distance(at(MIDDLE), at(to)) for to in sources)
    }
    assert names(towards_supply(s, GERMAN, at(MIDDLE), around)) == nearer
    assert nearer


@pytest.mark.rule("the_bulge", "13.17", "9.8")
def test_british_units_do_not_retreat_over_the_meuse() -> None:
    """West of the river every hex lies in the attacker's zone; a US unit could still cross."""
    match = fight(set_up(_0725="1SS", _0724="43Br"), "0724", ["1SS"], "DR")
    assert (where(match.position, "43Br"), *steps(match, "43Br")) == ("0724", 1)
    match = answer(fight(set_up(_0725="1SS", _0724="30ID"), "0724", ["1SS"], "DR"), "retreat")
    assert offered(match) == {"0623", "0723", "0823"}


# ---------------------------------------------------------------------- 13.17 blocked


RINGED = {"_0618": "1SS", "_0520": "2SS", "_0720": "9SS"}
"""Every hex around the middle is German, or in a German zone."""


@pytest.mark.rule("the_bulge", "13.17", "13.19", "13.20")
@pytest.mark.parametrize(
    ("defenders", "left"),
    [("30ID", [1]), ("30ID-", [0]), ("110", [0]), ("30ID 1ID-", [1, 0]), ("CCB7 CCA7 30ID", [0, 0, 1])],
)
def test_with_no_way_out_the_defenders_suffer_de_and_may_not_buy_themselves_off(
    defenders: str, left: list[int]
) -> None:
    ids = defenders.replace("-", "").split()
    match = fight(set_up(_0619=defenders, **RINGED), MIDDLE, ["1SS"], "DR")
    assert steps(match, *ids) == left
    for id_, remaining in zip(ids, left, strict=True):
        assert where(match.position, id_) == (MIDDLE if remaining else None)
    assert (match.asked().rule == "13.22") is not any(left), "an advance only into a hex left empty"


@pytest.mark.rule("the_bulge", "13.17")
def test_no_retreat_off_the_map() -> None:
    p = set_up(_0126="110", _0125="1SS", _0226="2SS")
    match = fight(p, "0126", ["1SS"], "DR")
    assert where(match.position, "110") is None


# ---------------------------------------------------------------------- 13.17 stacks


@pytest.mark.rule("the_bulge", "13.17")
def test_a_stack_retreats_together() -> None:
    p = set_up(_0618="1SS", _0619="30ID 1ID", _0520="110")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == {WEST, SOUTH_WEST}, "a hex without room for all of it is none"
    answer(match, WEST)
    assert {where(match.position, id_) for id_ in ("30ID", "1ID")} == {WEST}
    assert match.asked().rule == "13.22"


@pytest.mark.rule("the_bulge", "13.17")
def test_a_stack_stays_together_rather_than_go_nearer_to_a_source() -> None:
    """Only 0719 is nearer to a source; it has room for one division."""
    p = set_up("allied_combat_1", _0519="2ID 30ID", _0619="26VG 62VG", _0719="18VG")
    match = answer(fight(p, MIDDLE, ["2ID", "30ID"], "DR"), "retreat")
    assert offered(match) == {WEST, SOUTH_WEST}
    answer(match, WEST)
    assert {where(match.position, id_) for id_ in ("26VG", "62VG")} == {WEST}


@pytest.mark.rule("the_bulge", "13.17")
def test_a_stack_that_finds_no_room_together_breaks_up_as_its_owner_likes() -> None:
    p = set_up(_0618="1SS", _0619="30ID 1ID", _0520="2ID", _0620="5ID", _0720="99ID 4ID")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == {"30ID", "1ID"}
    answer(match, "1ID")
    assert offered(match) == {NORTH_WEST, WEST}
    answer(match, NORTH_WEST)
    assert (where(match.position, "1ID"), where(match.position, "30ID")) == (NORTH_WEST, WEST)


@pytest.mark.rule("the_bulge", "13.17")
@pytest.mark.parametrize("first", [NORTH_WEST, WEST])
def test_a_stack_is_broken_up_no_more_than_it_must_be(first: str) -> None:
    """A division and three commands; room for 4, 3 and 1 thirds of a division. Two hexes are enough."""
    stack = ["30ID", "CCB7", "CCA7", "CCR7"]
    p = set_up(_0618="1SS", _0619=" ".join(stack), _0520="CCA9 CCB9", _0620="5ID", _0720="99ID CCR9 110")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == {NORTH_WEST, WEST}
    answer(match, first)
    while match.asked().rule == "13.17":
        match.choose(match.asked().options[-1])
    assert {where(match.position, id_) for id_ in stack} == {NORTH_WEST, WEST}
    assert steps(match, *stack) == [2, 1, 1, 1]


@pytest.mark.rule("the_bulge", "13.17")
def test_the_big_units_go_first_where_all_find_room_so_that_none_is_left_behind() -> None:
    """Room for 3 and for 2 thirds: the regiments would fit in the first, and leave the division behind."""
    p = set_up(_0618="1SS", _0619="30ID CCB7 CCA7", _0520="2ID", _0620="5ID CCA9", _0720="99ID 4ID")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert {where(match.position, id_) for id_ in ("CCB7", "CCA7")} == {WEST}
    assert where(match.position, "30ID") == NORTH_WEST


@pytest.mark.rule("the_bulge", "13.17", "13.20")
@pytest.mark.parametrize(("goes", "stays"), [("30ID", "1ID"), ("1ID", "30ID")])
def test_where_there_is_room_for_a_part_the_owner_says_which_and_the_rest_suffers_de(
    goes: str, stays: str
) -> None:
    p = set_up(_0618="1SS", _0619="30ID 1ID", _0520="2ID", _0620="5ID 26ID", _0720="99ID 4ID")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat", goes)
    assert where(match.position, goes) == NORTH_WEST
    assert (where(match.position, stays), *steps(match, stays, goes)) == (MIDDLE, 1, 2)
    assert over(match), "the hex is not vacated"


@pytest.mark.rule("the_bulge", "13.17")
def test_the_owner_may_save_the_small_units_where_the_big_one_takes_their_place() -> None:
    p = set_up(_0618="1SS", _0619="30ID CCB7 CCA7 CCR7", _0520="2ID", _0620="5ID 26ID", _0720="99ID 4ID")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == {"30ID", "CCB7", "CCA7", "CCR7"}
    answer(match, "CCB7", "CCA7")
    assert steps(match, "30ID", "CCB7", "CCA7", "CCR7") == [1, 1, 1, 1]
    assert where(match.position, "30ID") == MIDDLE


# ---------------------------------------------------------------------- 13.17 retreated-in units


def retreat_onto_a_friend() -> BulgeMatch:
    """The 110th is driven from the middle into 0620, where the 30th Division is attacked next."""
    p = set_up(_0618="1SS", _0619="110", _0620="30ID", _0621="2SS", _0521="9SS", _0721="9Pz")
    dice = [2, 1]
    match = answer(decline(name_attack(play(p, dice), MIDDLE, "1SS")), "+3")
    assert where(match.position, "110") == WEST
    return answer(match, "done", WEST, "2SS", "9SS", "9Pz")


@pytest.mark.rule("the_bulge", "13.17")
def test_a_unit_retreated_onto_others_adds_no_strength_but_shares_their_fate() -> None:
    match = retreat_onto_a_friend()
    s = Situation(facts(), match.position)
    assert defence_strength(s, at(WEST)) == 4
    answer(match, str(match.asked().options[0]))  # 15 against 4: a one is DE
    assert steps(match, "30ID", "110") == [1, 0]


@pytest.mark.rule("the_bulge", "13.17")
def test_in_the_next_phase_a_retreated_unit_counts_again() -> None:
    p = set_up(_0618="1SS", _0619="110", _0620="30ID")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), WEST, "done")
    assert defence_strength(Situation(facts(), match.position), at(WEST)) == 4
    run_until(match, "german_combat_2")
    assert defence_strength(Situation(facts(), match.position), at(WEST)) == 5


@pytest.mark.rule("the_bulge", "13.17", "14.5")
def test_us_units_may_retreat_onto_von_der_heydte_who_is_eliminated() -> None:
    p = set_up(_0618="1SS", _0619="30ID", _0620="VDH")
    match = answer(fight(p, MIDDLE, ["1SS"], "DR"), "retreat")
    assert offered(match) == BEHIND
    answer(match, WEST)
    assert where(match.position, "VDH") is None
    assert not match.position.paratroops_relieved


@pytest.mark.rule("the_bulge", "13.17", "14.5")
def test_german_units_that_retreat_onto_von_der_heydte_relieve_him() -> None:
    p = set_up("allied_combat_1", _0519="2ID", _0619="26VG", _0719="VDH")
    match = answer(fight(p, MIDDLE, ["2ID"], "DR"), "retreat")
    assert where(match.position, "26VG") == SOUTH_EAST
    assert match.position.paratroops_relieved
    assert bulge().points(match.position) == 1


# ---------------------------------------------------------------------- 13.18 towns


BASTOGNE = "1412"


@pytest.mark.rule("the_bulge", "13.18")
def test_in_a_town_the_whole_force_may_refuse_to_retreat_and_the_result_is_a_stall() -> None:
    p = set_up(_1411="1SS", _1412="101AB CCB7")
    match = fight(p, BASTOGNE, ["1SS"], "DR")
    assert match.asked().side == ALLIED
    assert offered(match) == {"retreat", DECLINE}, "all or nothing, and no step instead (13.19)"
    answer(match, DECLINE)
    assert over(match)
    assert steps(match, "101AB", "CCB7") == [2, 1]
    assert {where(match.position, id_) for id_ in ("101AB", "CCB7")} == {BASTOGNE}


@pytest.mark.rule("the_bulge", "13.18")
def test_in_a_town_the_force_may_retreat_all_the_same() -> None:
    match = answer(fight(set_up(_1411="1SS", _1412="101AB CCB7"), BASTOGNE, ["1SS"], "DR"), "retreat")
    match.choose(match.asked().options[0])
    assert where(match.position, "101AB") == where(match.position, "CCB7") != BASTOGNE
    assert match.asked().rule == "13.22"


@pytest.mark.rule("the_bulge", "13.18", "13.17")
def test_a_town_with_no_way_out_may_be_held() -> None:
    p = set_up(_1411="1SS", _1313="2SS", _1513="9SS", _1412="101AB")
    match = fight(p, BASTOGNE, ["1SS"], "DR")
    assert offered(match) == {DECLINE}
    assert steps(answer(match, DECLINE), "101AB") == [2]


@pytest.mark.rule("the_bulge", "13.18")
@pytest.mark.parametrize("result", ["BB", "DE"])
def test_a_town_does_not_save_from_other_results(result: str) -> None:
    p = set_up(_1411="2SS 1SS", _1312="9SS 2Pz", _1412="CCB7")
    match = fight(p, BASTOGNE, ["2SS", "1SS", "9SS", "2Pz"], result)
    assert where(match.position, "CCB7") is None


# ---------------------------------------------------------------------- 13.19 a step instead


@pytest.mark.rule("the_bulge", "13.19")
@pytest.mark.parametrize(
    ("defenders", "choice"),
    [
        ("110", False),  # one step
        ("30ID-", False),  # one step left
        ("30ID", True),
        ("110 109", True),  # two units of one step each
        ("30ID- 110", True),
    ],
)
def test_outside_towns_a_force_of_more_than_one_step_may_lose_one_instead(defenders: str, choice: bool) -> None:
    match = fight(set_up(_0618="2SS 1SS", _0619=defenders), MIDDLE, ["2SS", "1SS"], "DR")
    assert (match.asked().rule == "13.19") is choice
    if choice:
        assert match.asked().side == ALLIED
        assert offered(match) == {"retreat", LOSE_STEP}
    else:
        assert refused_by(match, LOSE_STEP)


@pytest.mark.rule("the_bulge", "13.19")
@pytest.mark.parametrize(("loser", "left"), [("30ID", [1, 1]), ("110", [2, 0])])
def test_one_unit_of_the_owners_choice_loses_the_step_and_the_survivors_stay(loser: str, left: list[int]) -> None:
    p = set_up(_0618="2SS 1SS", _0619="30ID 110")
    match = answer(fight(p, MIDDLE, ["2SS", "1SS"], "DR"), LOSE_STEP)
    assert offered(match) == {"30ID", "110"}
    answer(match, loser)
    assert steps(match, "30ID", "110") == left
    assert where(match.position, "30ID") == MIDDLE
    assert over(match), "no advance: the hex is not vacated"


@pytest.mark.rule("the_bulge", "13.19")
def test_the_germans_have_the_same_choice() -> None:
    match = fight(set_up("allied_combat_1", _0520="2ID", _0619="26VG"), MIDDLE, ["2ID"], "DR")
    assert match.asked().side == GERMAN
    answer(match, LOSE_STEP)
    assert steps(match, "26VG") == [1]


# ---------------------------------------------------------------------- 13.20 DE, 13.21 BB


@pytest.mark.rule("the_bulge", "13.20")
@pytest.mark.parametrize(
    ("defenders", "left"),
    [("30ID", [1]), ("30ID-", [0]), ("110", [0]), ("30ID- 110", [0, 0]), ("30ID 110", [1, 0])],
)
def test_every_defender_loses_a_step_and_an_empty_hex_may_be_entered(defenders: str, left: list[int]) -> None:
    attackers = ["2SS", "9SS", "2Pz", "1SS"]
    p = set_up(_0618="2SS 9SS", _0519="2Pz 1SS", _0619=defenders)
    match = fight(p, MIDDLE, attackers, "DE")
    assert steps(match, *defenders.replace("-", "").split()) == left
    assert steps(match, *attackers) == [2, 2, 2, 2]
    assert (match.asked().rule == "13.22") is not any(left)


@pytest.mark.rule("the_bulge", "13.21")
@pytest.mark.parametrize(
    ("losers", "left"),
    [(["2SS", "2SS"], [0, 2]), (["2SS", "9SS"], [1, 1]), (["9SS", "9SS"], [2, 0])],
)
def test_the_attacker_loses_as_many_steps_as_the_defender_and_says_whose(
    losers: list[str], left: list[int]
) -> None:
    match = fight(set_up(_0618="2SS 9SS", _0619="30ID 110"), MIDDLE, ["2SS", "9SS"], "BB")
    assert steps(match, "30ID", "110") == [1, 0]
    for loser in losers:
        assert match.asked().rule == "13.21"
        answer(match, loser)
    assert steps(match, "2SS", "9SS") == left
    assert over(match)


@pytest.mark.rule("the_bulge", "13.21")
def test_steps_are_counted_not_factors() -> None:
    """Four units of one step each die: four steps, whatever their factors."""
    p = set_up(_0618="2SS 9SS", _0619="110 109 112 CCB7")
    match = fight(p, MIDDLE, ["2SS", "9SS"], "BB")
    answer(match, "2SS", "9SS", "2SS")
    assert steps(match, "2SS", "9SS") == [0, 0]
    assert over(match), "nobody is left to advance"


@pytest.mark.rule("the_bulge", "13.21")
def test_an_attacker_with_fewer_steps_loses_all_he_has() -> None:
    p = set_up(_0618="2SS-", _0619="110 109")
    match = fight(p, MIDDLE, ["2SS"], "BB")
    assert steps(match, "2SS", "110", "109") == [0, 0, 0]


@pytest.mark.rule("the_bulge", "13.21", "13.22")
def test_after_a_bloodbath_survivors_may_advance_into_an_empty_hex() -> None:
    match = fight(set_up(_0618="2SS 9SS", _0619="110"), MIDDLE, ["2SS", "9SS"], "BB")
    answer(match, "9SS")
    assert offered(match) == {"2SS", "9SS", "done"}


# ---------------------------------------------------------------------- 13.22 advance


@pytest.mark.rule("the_bulge", "13.22")
def test_any_involved_attackers_may_advance_within_stacking() -> None:
    p = set_up(_0618="2SS 9SS", _0519="FE", _0719="1SS", _0619="110")
    match = fight(p, MIDDLE, ["2SS", "9SS", "FE"], "DR")
    while match.asked().rule == "13.17":
        match.choose(match.asked().options[0])
    assert offered(match) == {"2SS", "9SS", "FE", "done"}, "not 1SS, which did not attack"
    answer(match, "9SS")
    assert match.position.german & hexes(MIDDLE)
    assert offered(match) == {"2SS", "FE", "done"}
    answer(match, "FE")
    assert over(match), "no room for another division"
    assert {where(match.position, id_) for id_ in ("9SS", "FE")} == {MIDDLE}


@pytest.mark.rule("the_bulge", "13.22")
def test_an_advance_is_voluntary() -> None:
    match = answer(fight(set_up(_0618="2SS", _0619="110"), MIDDLE, ["2SS"], "DR"), WEST, "done")
    assert over(match)
    assert where(match.position, "2SS") == EAST
    assert not match.position.german & hexes(MIDDLE)


@pytest.mark.rule("the_bulge", "13.22", "8.3", "8.4")
def test_enemy_zones_do_not_hinder_an_advance() -> None:
    """From zone to zone into the West Wall, where a US unit could not move."""
    p = set_up("allied_combat_1", _0504="2ID 1ID", _0503="12VG-", _0402="26VG", _0603="18VG")
    match = answer(fight(p, "0503", ["2ID", "1ID"], "BB"), "1ID", "2ID")
    assert where(match.position, "2ID") == "0503"


@pytest.mark.rule("the_bulge", "13.22")
@pytest.mark.parametrize("result", ["AS", "AE"])
def test_defenders_never_advance(result: str) -> None:
    p = set_up(_0618="1SS-", _0619="30ID")
    match = fight(p, MIDDLE, ["1SS"], result)
    assert over(match)
    assert where(match.position, "30ID") == MIDDLE


@pytest.mark.rule("the_bulge", "13.22", "14.7")
def test_artillery_never_advances() -> None:
    match = play(set_up(_0618="2SS", _0617="388VAK", _0619="110"), [1])
    answer(match, MIDDLE, "2SS", "388VAK", "+5..+6")
    assert match.asked().rule == "13.22"
    assert offered(match) == {"2SS", "done"}


@pytest.mark.rule("the_bulge", "13.22", "14.5")
def test_a_german_that_advances_takes_control_and_the_allies_take_it_back() -> None:
    match = answer(fight(set_up(_0618="2SS", _0619="110"), MIDDLE, ["2SS"], "DR"), WEST, "2SS")
    assert match.position.german & hexes(MIDDLE)
    p = set_up("allied_combat_1", _0520="2ID 1ID", _0619="62VG-")
    match = answer(fight(p, MIDDLE, ["2ID", "1ID"], "BB"), "1ID", "1ID")
    assert not match.position.german & hexes(MIDDLE)

"""The Ford, rule by rule; tests/games/ford/helpers.py shows its map."""

from __future__ import annotations

import pytest

from bulge.core.chance import Scripted
from bulge.core.decision import Option, Refusal
from bulge.core.match import Match
from bulge.games.ford.combat import retreats
from bulge.games.ford.facts import NO_CHIT
from tests.games.ford.helpers import (
    BOARD,
    FACTS,
    FORD,
    GUNS,
    MORTARS,
    UNITS,
    costs,
    fight,
    hex_of,
    ids,
    names,
    place,
    start,
    steps_of,
)

# ---------------------------------------------------------------------- 1 and 2: the game


@pytest.mark.rule("ford", "1.1")
@pytest.mark.parametrize(
    ("units", "winner"),
    [
        ("B1 0203, R1 0204", "Blue"),
        ("B1 0202, R1 0203", "Red"),
        ("B1 0202, R1 0204", "Red"),
        ("R1 0204", "Red"),
    ],
)
def test_blue_wins_by_holding_the_town_after_turn_four(units: str, winner: str) -> None:
    match = start(units, "done", step="red_fight", turn=4)
    assert match.result is not None
    assert (match.result.winner, match.result.rule) == (winner, "1.1")


@pytest.mark.rule("ford", "1.1")
def test_holding_the_town_earlier_decides_nothing() -> None:
    match = start("B1 0203, R1 0204", "done", step="red_fight", turn=3)
    assert match.result is None
    assert match.position.turn == 4


@pytest.mark.rule("ford", "1.1")
def test_blue_wins_at_once_by_destroying_every_red_unit() -> None:
    match = fight("B1 0304, B2 0304, R3 0204", "0204", "B1", "B2", die=1)  # +5: D1
    assert hex_of(match, "R3") == "lost"
    for answer in ("stay", "done"):
        match.answer(answer)
    assert match.result is not None
    assert (match.result.winner, match.position.turn) == ("Blue", 1)


@pytest.mark.rule("ford", "1.1")
def test_red_can_lose_his_last_unit_in_his_own_attack() -> None:
    match = start(
        "B1 0202, R3 0203", "0202", "R3", "fight", "done", dice=[6], step="red_fight"
    )  # 1 - 3 - 1 = -3: A1
    assert match.result is not None
    assert match.result.winner == "Blue"


@pytest.mark.rule("ford", "1.2")
def test_there_are_fourteen_hexes_six_units_and_six_chits() -> None:
    assert (BOARD.all.bit_count(), len(FORD.units), sorted(FACTS.chits)) == (14, 6, [0, 0, 1, 1, 2, 2])


@pytest.mark.rule("ford", "2.1")
def test_each_of_four_turns_blue_draws_moves_and_fights_then_red() -> None:
    match = Match(FORD, chance=Scripted([1, 1]))
    asked = []
    while match.decision is not None:
        asked.append((match.position.turn, match.decision.side, match.decision.rule, match.position.drawn))
        match.answer("done")
    one_turn = [("Blue", "4.5", 1), ("Blue", "6.1", 1), ("Red", "4.5", 2), ("Red", "6.1", 2)]
    assert asked == [
        (turn, side, rule, drawn if turn == 1 else 2) for turn in (1, 2, 3, 4) for side, rule, drawn in one_turn
    ]


# ---------------------------------------------------------------------- 3: zones of control


@pytest.mark.rule("ford", "3.1")
@pytest.mark.parametrize(
    ("unit", "zone"),
    [
        ("R1 0203", "0204 0202 0103 0104 0303 0304"),
        ("R1 0103", "0104 0203"),
        ("R1 0303", "0304 0203"),
        ("R1 0105", "0104 0204"),
        ("R1 0203, R2 0303", "0203 0204 0202 0103 0104 0303 0304"),
    ],
)
def test_a_zone_is_all_around_but_not_across_a_river_without_a_bridge(unit: str, zone: str) -> None:
    assert names(FACTS.zone(place(unit), "Red")) == set(zone.split())


@pytest.mark.rule("ford", "3.2")
def test_a_unit_that_enters_an_enemy_zone_stops_there() -> None:
    free = start("B1 0201, R1 0305", "B1")
    held = start("B1 0201, R1 0203", "B1")
    assert costs(free)["0203"] == "1"
    assert costs(held)["0202"] == "½"
    assert ids(held) == {"0201", "0202", "0101", "0102", "0301", "0302"}


@pytest.mark.rule("ford", "3.2")
def test_a_unit_that_starts_in_an_enemy_zone_may_leave_it() -> None:
    match = start("B1 0202, R1 0203", "B1")
    assert {"0201", "0302", "0103", "0303"} <= ids(match)


@pytest.mark.rule("ford", "3.3")
def test_a_friend_does_not_negate_a_zone_for_movement() -> None:
    """R1 in 0303 watches 0203, so that B1 stops there although B2 is in it; from 0305 R1 only watches 0204."""
    held, free = start("B1 0202, B2 0203, R1 0303", "B1"), start("B1 0202, B2 0203, R1 0305", "B1")
    assert (costs(held)["0203"], costs(held).get("0204")) == ("1", None)
    assert (costs(free)["0203"], costs(free).get("0204")) == ("1", "2")


@pytest.mark.rule("ford", "3.3")
def test_a_friend_negates_a_zone_for_supply() -> None:
    """R1 in 0303 watches 0203. B2 in 0204 traces along the road only if a friend holds 0203."""
    alone, helped = place("B2 0204, R1 0303"), place("B2 0204, B1 0203, R1 0303")
    assert "0204" not in names(FACTS.supply(alone, "Blue").spaces)
    assert "0204" in names(FACTS.supply(helped, "Blue").spaces)


@pytest.mark.rule("ford", "3.3")
def test_a_friend_negates_a_zone_for_retreat() -> None:
    """B3 in 0305 watches 0204 and 0304."""
    alone, helped = place("R1 0203, B1 0202, B3 0305"), place("R1 0203, R2 0204, B1 0202, B3 0305")
    town = BOARD.at("0203")
    assert names(retreats(FACTS, alone, "Red", town)) == {"0104"}
    assert names(retreats(FACTS, helped, "Red", town)) == {"0204"}


# ---------------------------------------------------------------------- 4: movement


@pytest.mark.rule("ford", "4.1")
def test_what_three_points_buy() -> None:
    """Clear 1, woods 2, the road a half, a river without a bridge 1 more."""
    assert costs(start("B3 0301", "B3")) == {
        "0301": "0",
        "0302": "1",
        "0201": "1",
        "0101": "2",
        "0102": "3",
        "0202": "1½",
        "0203": "2",
        "0204": "2½",
        "0103": "3",
        "0304": "3",
    }


@pytest.mark.rule("ford", "4.1")
@pytest.mark.parametrize(
    ("unit", "to", "cost"),
    [
        ("B1 0202", "0103", "1½"),  # by the bridge and back: a half and 1, rather than 2 through the river
        ("B1 0302", "0303", "3"),  # woods, and through the river
        ("B1 0202", "0303", "2½"),  # by the bridge, then woods; straight across would cost 3
        ("B1 0301", "0303", None),  # 1 and 3
        ("B1 0102", "0103", "2"),  # through the river
        ("B1 0201", "0204", "1½"),
        ("B1 0201", "0105", "2½"),
    ],
)
def test_single_costs_of_movement(unit: str, to: str, cost: str | None) -> None:
    assert costs(start(unit, "B1")).get(to) == cost


@pytest.mark.rule("ford", "4.1")
def test_a_move_is_logged_with_its_way() -> None:
    match = start("B1 0201", "B1", "0204")
    assert match.log[-1].words == "1st Blue moves 0201 - 0202 - 0203 - 0204."
    assert match.log[-1].rule == "4.1"


@pytest.mark.rule("ford", "4.2")
def test_no_third_unit_enters_or_passes_a_hex() -> None:
    match = start("B1 0202, B2 0202, B3 0201, R3 0305", "B3")
    assert not ids(match) & {"0202", "0203"}
    assert match.why_not("0202") == Refusal("4.2", "1st Blue and 2nd Blue are there already")


@pytest.mark.rule("ford", "4.2")
def test_no_retreat_makes_three_units_in_a_hex() -> None:
    stack = place("R1 0203, R3 0203, R2 0204, B1 0202")
    assert names(retreats(FACTS, stack, "Red", BOARD.at("0203"))) == {"0104", "0304"}


@pytest.mark.rule("ford", "4.3")
def test_half_a_point_to_join_a_friend_and_half_to_leave_one() -> None:
    match = start("B1 0201, B2 0202", "B1")
    assert (costs(match)["0202"], costs(match)["0203"]) == ("1", "2")
    stacked = start("B1 0201, B2 0201", "B1")
    assert (costs(stacked)["0202"], costs(stacked)["0101"]) == ("1", "1½")


@pytest.mark.rule("ford", "4.4")
@pytest.mark.parametrize(
    ("units", "who"),
    [("B1 0202, R1 0203", "1st Red is"), ("B1 0202, R1 0203, R2 0203", "1st Red and 2nd Red are")],
)
def test_a_hex_with_an_enemy_may_not_be_entered(units: str, who: str) -> None:
    match = start(units, "B1")
    assert "0203" not in ids(match)
    assert match.why_not("0203") == Refusal("4.4", f"{who} there")


@pytest.mark.rule("ford", "4.5")
@pytest.mark.parametrize("to", ["0202", "0201"])
def test_a_unit_moves_once_even_if_it_stays(to: str) -> None:
    match = start("B1 0201, B2 0301, R1 0204", "B1", to)
    assert ids(match) == {"B2", "done"}
    assert match.why_not("B1") == Refusal("4.5", "1st Blue has moved already")
    for answer in ("done", "done", "done", "done"):
        match.answer(answer)
    assert ids(match) == {"B1", "B2", "done"}, "and again the next turn"


# ---------------------------------------------------------------------- 5: supply


@pytest.mark.rule("ford", "5.1")
@pytest.mark.parametrize(
    ("units", "hex_", "supplied"),
    [
        ("B1 0202, R3 0105", "0202", True),
        ("B1 0105, R1 0303", "0105", False),  # three hexes from 0202, where the road is still free
        ("B1 0104, R1 0303", "0104", True),  # 0103, then the road in 0202
        ("B1 0204, R1 0203", "0204", False),  # an enemy on the road
        ("B1 0204, R1 0303", "0204", False),  # an enemy zone on the road
        ("B1 0101, R1 0202", "0101", False),  # the road's last hex is in a zone, and the edge alone is no road
        ("B1 0201, R1 0202", "0201", True),  # on the road's last hex, which it holds itself
        ("B1 0301, R1 0201", "0301", False),
    ],
)
def test_supply_is_two_hexes_and_then_the_road_to_the_edge(units: str, hex_: str, supplied: bool) -> None:
    assert (hex_ in names(FACTS.supply(place(units), "Blue").spaces)) is supplied


@pytest.mark.rule("ford", "5.1")
def test_red_draws_supply_from_his_own_edge() -> None:
    assert "0202" in names(FACTS.supply(place("R1 0202, B1 0301"), "Red").spaces)
    assert "0202" not in names(FACTS.supply(place("R1 0202, B1 0204"), "Red").spaces)


@pytest.mark.rule("ford", "5.2")
def test_a_unit_out_of_supply_has_one_point() -> None:
    match = start("B1 0105, R1 0303", "B1")
    assert costs(match) == {"0105": "0", "0204": "1"}


@pytest.mark.rule("ford", "5.2")
def test_an_attack_is_one_lower_if_any_attacker_is_out_of_supply() -> None:
    """R1 in 0203 cuts the road; B1 in 0104 has no line, B2 in 0202 has one."""
    match = start("B1 0104, B2 0202, R1 0203", "0203", "B2", step="blue_fight")
    alone, both = match.preview("fight"), match.preview(UNITS.index("B1"))
    assert alone is not None
    assert both is not None
    assert [(change.words, change.amount) for change in alone.modifiers] == [
        ("town", -1),
        ("across the river", -1),
    ]
    assert [(change.words, change.amount) for change in both.modifiers] == [("town", -1), ("out of supply", -1)]


# ---------------------------------------------------------------------- 6: combat


@pytest.mark.rule("ford", "6.1")
def test_only_adjacent_units_attack_and_only_enemy_hexes() -> None:
    match = start("B1 0202, B2 0201, B3 0304, R1 0203, R3 0105", step="blue_fight")
    assert ids(match) == {"0203", "done"}
    match.answer("0203")
    assert ids(match) == {"B1", "B3"}, "nobody has been named, so there is no fight yet"
    match.answer("B3")
    assert ids(match) == {"B1", "fight"}


@pytest.mark.rule("ford", "6.1")
def test_each_unit_attacks_once_and_each_hex_is_attacked_once() -> None:
    match = start(
        "B1 0304, B2 0304, R1 0204, R2 0305", "0204", "B1", "fight", dice=[4, 4], step="blue_fight"
    )  # +1: NE
    assert ids(match) == {"0305", "done"}
    match.answer("0305")
    assert ids(match) == {"B2"}
    assert match.why_not("B1").rule == "6.1"
    match.answer("B2")
    match.answer("fight")
    assert ids(match) == {"done"}


@pytest.mark.rule("ford", "6.2")
@pytest.mark.parametrize(
    ("units", "attackers", "attack", "defence", "column"),
    [
        ("B1 0304, R1 0204", ["B1"], 3, 2, "1..2"),
        ("B1 0304, B2 0304, R1 0204", ["B1", "B2"], 6, 2, ">=3"),
        ("B1/1 0304, R1 0204", ["B1"], 2, 2, "0"),
        ("B1 0304, R1/1 0204", ["B1"], 3, 1, "1..2"),
        ("B1 0304, R1 0204, R2 0204", ["B1"], 3, 4, "<=-1"),
        ("B1/1 0304, B2/1 0304, R1/1 0204, R2 0204", ["B1", "B2"], 4, 3, "1..2"),
    ],
)
def test_strengths_and_their_difference_give_the_column(
    units: str, attackers: list[str], attack: int, defence: int, column: str
) -> None:
    preview = start(units, "0204", *attackers, step="blue_fight").preview("fight")
    assert preview is not None
    assert (preview.attack, preview.defence, preview.column, preview.modifiers) == (attack, defence, column, ())


@pytest.mark.rule("ford", "6.2")
def test_a_preview_gives_the_exact_chances() -> None:
    preview = start("B1 0304, R1 0204", "0204", "B1", step="blue_fight").preview("fight")
    assert preview is not None
    assert [(result, str(chance)) for result, chance in preview.chances] == [
        ("DR", "1/2"),
        ("NE", "1/3"),
        ("A1", "1/6"),
    ]


@pytest.mark.rule("ford", "6.3")
@pytest.mark.parametrize(
    ("units", "target", "attackers", "modifiers"),
    [
        ("B1 0304, R1 0204", "0204", ["B1"], []),
        ("B1 0204, R1 0203, B2 0202", "0203", ["B1"], ["town"]),
        ("B1 0202, R1 0203", "0203", ["B1"], ["town", "across the river"]),
        ("B1 0202, B3 0304, B2 0204, R1 0203", "0203", ["B1", "B3"], ["town"]),
        ("B1 0202, R1 0303", "0303", ["B1"], ["woods", "across the river"]),
        ("B1 0203, R1 0303, B2 0202", "0303", ["B1"], ["woods"]),
        ("B1 0303, R1 0302, B2 0202", "0302", ["B1"], ["across the river"]),
        ("B1 0303, R1 0302, B2 0202", "0302", ["B1", "B2"], []),
    ],
)
def test_ground_helps_the_defender(units: str, target: str, attackers: list[str], modifiers: list[str]) -> None:
    preview = start(units, target, *attackers, step="blue_fight").preview("fight")
    assert preview is not None
    found = [change for change in preview.modifiers if change.rule == "6.3"]
    assert [change.words for change in found] == modifiers
    assert all(change.amount == -1 for change in found)


TABLE = {
    "<=-1": "NE NE A1 A1 A1 A1",
    "0": "DR NE NE NE A1 A1",
    "1..2": "DR DR DR NE NE A1",
    ">=3": "D1 DR DR DR DR NE",
}
ATTACKS = {
    "<=-1": "B1 0304, R1 0204, R2 0204",
    "0": "B1/1 0304, R1 0204",
    "1..2": "B1 0304, R1 0204",
    ">=3": "B1 0304, R3/1 0204, B2 0304",
}


@pytest.mark.rule("ford", "6.4")
@pytest.mark.parametrize("column", TABLE)
@pytest.mark.parametrize("die", range(1, 7))
def test_every_result_of_the_table(column: str, die: int) -> None:
    attackers = ["B1", "B2"] if column == ">=3" else ["B1"]
    match = fight(ATTACKS[column], "0204", *attackers, die=die)
    assert [(event.dice, event.sides) for event in match.log if event.dice] == [((die,), 6)]
    assert f"column {column}" in next(event.words for event in match.log if event.dice)
    before = place(ATTACKS[column]).steps
    lost = [UNITS[unit] for unit in range(6) if match.position.steps[unit] < before[unit]]
    asked = match.asked()
    match TABLE[column].split()[die - 1]:
        case "A1":
            assert (lost, asked.side, asked.rule) == (["B1"], "Blue", "6.1")
        case "NE":
            assert (lost, asked.side, asked.rule) == ([], "Blue", "6.1")
        case "DR":
            assert (lost, asked.side, asked.rule) == ([], "Red", "6.5")
        case "D1":
            assert (lost, asked.side, asked.rule) == (["R3"], "Blue", "6.7")


@pytest.mark.rule("ford", "6.4")
def test_the_attacker_says_which_of_his_units_loses_a_step() -> None:
    match = fight("B1 0304, B3 0304, R1 0204, R2 0204", "0204", "B1", "B3", die=6)  # 5 - 4 = +1: A1
    assert (match.asked().side, ids(match)) == ("Blue", {"B1", "B3"})
    match.answer("B3")
    assert (hex_of(match, "B3"), steps_of(match, "B1")) == ("lost", 2)


@pytest.mark.rule("ford", "6.4")
def test_the_defender_says_which_of_his_units_loses_a_step() -> None:
    match = fight("B1 0304, B2 0304, B3 0203, R1 0204, R2 0204", "0204", "B1", "B2", "B3", die=1)  # 8 - 4: D1
    assert (match.asked().side, ids(match)) == ("Red", {"R1", "R2"})
    match.answer("R2")
    assert (steps_of(match, "R1"), steps_of(match, "R2"), hex_of(match, "R2")) == (2, 1, "0204")


@pytest.mark.rule("ford", "6.5")
def test_the_defender_may_stand_and_lose_a_step() -> None:
    match = fight("B1 0304, R1 0204", "0204", "B1", die=1)
    assert "stand" in ids(match)
    match.answer("stand")
    assert (hex_of(match, "R1"), steps_of(match, "R1")) == ("0204", 1)
    assert match.asked().rule == "6.1", "nobody advances into a hex that is held"


@pytest.mark.rule("ford", "6.5")
def test_of_a_stack_that_stands_the_owner_says_who_loses_the_step() -> None:
    match = fight("B1 0304, B2 0304, R1 0204, R3 0204", "0204", "B1", "B2", die=2)  # 6 - 3: DR
    match.answer("stand")
    assert (match.asked().side, ids(match)) == ("Red", {"R1", "R3"})
    match.answer("R3")
    assert (hex_of(match, "R3"), steps_of(match, "R1"), hex_of(match, "R1")) == ("lost", 2, "0204")


@pytest.mark.rule("ford", "6.5")
def test_the_defender_must_stand_where_there_is_no_retreat() -> None:
    match = fight("B1 0104, B2 0204, R1 0105", "0105", "B1", die=1)
    assert ids(match) == {"stand"}


@pytest.mark.rule("ford", "6.6")
@pytest.mark.parametrize(
    ("units", "from_", "to"),
    [
        ("R1 0203, B1 0202", "0203", "0204"),  # an edge hex is nearest
        ("R1 0203, R2 0204, R3 0204, B1 0202", "0203", "0104 0304"),  # full: the next best, both one hex away
        ("R1 0203, B1 0202, B3 0305", "0203", "0104"),  # 0204 and 0304 are watched
        ("R1 0103, B1 0203", "0103", "0102"),  # across the river, away from 0104 and 0202, which are watched
        ("R1 0105, B1 0104", "0105", ""),  # 0204 is watched too
        ("R1 0303, B1 0202", "0303", "0304"),  # no zone across the river
    ],
)
def test_a_retreat_is_one_hex_out_of_zones_nearest_to_the_own_edge(units: str, from_: str, to: str) -> None:
    assert names(retreats(FACTS, place(units), "Red", BOARD.at(from_))) == set(to.split())


@pytest.mark.rule("ford", "6.6")
def test_blue_retreats_towards_his_own_edge() -> None:
    assert names(retreats(FACTS, place("B1 0203, R1 0204"), "Blue", BOARD.at("0203"))) == {"0202"}


@pytest.mark.rule("ford", "6.6")
def test_a_whole_stack_retreats_together() -> None:
    match = fight("B1 0202, B2 0202, R1/1 0203, R3 0203", "0203", "B1", "B2", die=1)  # 6 - 2 - 2 = +2: DR
    assert ids(match) == {"0204", "stand"}
    match.answer("0204")
    assert (hex_of(match, "R1"), hex_of(match, "R3")) == ("0204", "0204")


@pytest.mark.rule("ford", "6.7")
@pytest.mark.parametrize(("answer", "at"), [("B1", "0203"), ("stay", "0202")])
def test_one_attacker_may_advance_whatever_the_zones(answer: str, at: str) -> None:
    match = fight("B1 0202, B2 0202, B3 0201, R1 0203, R2 0103", "0203", "B1", "B2", die=1)
    match.answer("0204")
    assert (match.asked().side, ids(match)) == ("Blue", {"B1", "B2", "stay"})
    assert match.options()[0].words == "advance with 1st Blue"
    match.answer(answer)
    assert (hex_of(match, "B1"), hex_of(match, "B2")) == (at, "0202")
    assert match.asked().rule == "6.1", "only one advances"
    assert [option.role for option in match.options() if option.id == "done"] == ["end_turn"], "and then Red is on"


@pytest.mark.rule("ford", "6.7")
def test_an_advance_follows_when_a_unit_that_stands_is_lost() -> None:
    match = fight("B1 0304, R3 0204, R1 0105", "0204", "B1", die=2)  # 3 - 1 = +2: DR
    match.answer("stand")
    assert hex_of(match, "R3") == "lost"
    assert ids(match) == {"B1", "stay"}


# ---------------------------------------------------------------------- 7: support


@pytest.mark.rule("ford", "7.1")
def test_a_side_without_a_chit_draws_one_unseen_by_the_other() -> None:
    match = Match(FORD, chance=Scripted([5, 3]))
    p = match.position
    assert (p.held, p.cup) == ([4, NO_CHIT], [0, 1, 2, 3, 5])
    for answer in ("done", "done"):
        match.answer(answer)
    assert (p.held, p.cup) == ([4, 2], [0, 1, 3, 5])
    unseen = {"Blue": [0, 0, 1, 1, 2], "Red": [0, 0, 1, 2, 2], None: [0, 0, 1, 1, 2, 2]}
    held = {"Blue": [4, "hidden"], "Red": ["hidden", 2], None: ["hidden", "hidden"]}
    for side in ("Blue", "Red", None):
        view = FORD.view(p, side)
        assert (view["cup"], view["held"]) == ({"chits": 4, "unseen": unseen[side]}, held[side])
    secrets = [event for event in match.log if "counts" in event.words]
    assert [(event.side, event.words) for event in secrets] == [
        ("Blue", "Your chit counts 2."),
        ("Red", "Your chit counts 1."),
    ]


@pytest.mark.rule("ford", "7.1")
@pytest.mark.parametrize(("held", "cup"), [((GUNS, NO_CHIT), "0 1"), ((NO_CHIT, NO_CHIT), "")])
def test_nobody_draws_who_has_a_chit_or_when_the_cup_is_empty(held: tuple[int, int], cup: str) -> None:
    match = start("B1 0202, R1 0203", step="blue_support", held=held, cup=cup)
    assert (match.position.held, match.position.drawn) == (list(held), 0)


@pytest.mark.rule("ford", "7.1")
def test_a_chit_that_was_played_is_out_of_the_game() -> None:
    match = fight("B1 0304, R1 0204", "0204", "B1", die=1, held=(GUNS, NO_CHIT))
    match.answer("play_support")
    assert (match.position.held, match.position.cup) == ([NO_CHIT, NO_CHIT], [])


@pytest.mark.rule("ford", "7.2")
def test_what_a_chit_would_change_is_seen_before_it_is_played() -> None:
    """3 against 2 in the open is +1; Blue's guns make it +3, Red's mortars take one off again."""
    match = fight("B1 0304, R1 0204", "0204", "B1", die=6, held=(GUNS, MORTARS))
    played, kept = match.preview("play_support"), match.preview("keep_support")
    assert played
    assert kept
    assert (played.column, kept.column) == (">=3", "1..2")
    match.answer("play_support")
    preview = match.preview("play_support")
    assert preview
    assert (preview.column, [change.amount for change in preview.modifiers]) == ("1..2", [2, -1])
    assert {option.id: option.rolls for option in match.options()} == {"play_support": True, "keep_support": True}


@pytest.mark.rule("ford", "7.2")
@pytest.mark.parametrize(
    ("blue", "red", "column"),
    [
        ("keep_support", "keep_support", "1..2"),
        ("play_support", "keep_support", ">=3"),
        ("play_support", "play_support", "1..2"),
        ("keep_support", "play_support", "0"),
    ],
)
def test_attacker_and_then_defender_may_move_the_attack_by_their_chits(blue: str, red: str, column: str) -> None:
    """3 against 2 is +1; Blue's guns count 2, Red's mortars 1."""
    match = fight("B1 0304, R1 0204", "0204", "B1", die=6, held=(GUNS, MORTARS))
    assert (match.asked().side, ids(match)) == ("Blue", {"play_support", "keep_support"})
    match.answer(blue)
    assert match.asked().side == "Red"
    assert match.position.drawn == 0, "the die comes last"
    match.answer(red)
    assert f"column {column}" in next(event.words for event in match.log if event.dice)
    assert match.position.held == [
        NO_CHIT if blue == "play_support" else GUNS,
        NO_CHIT if red == "play_support" else MORTARS,
    ]


@pytest.mark.rule("ford", "7.2")
def test_a_side_without_a_chit_is_not_asked() -> None:
    match = fight("B1 0304, R1 0204", "0204", "B1", die=4, held=(NO_CHIT, NO_CHIT))
    assert match.position.drawn == 1


# ---------------------------------------------------------------------- words


def test_refusals_cite_the_rule() -> None:
    match = start("B1 0202, B2 0201, R1 0203", "B1")
    asked = {"0104": "3.2", "0203": "4.4", "0105": "4.1"}
    assert {hex_: match.why_not(hex_).rule for hex_ in asked} == asked
    assert start("B3 0301", "B3").why_not("0105") == Refusal("4.1", "it costs more than the 3 points the unit has")
    assert start("B1 0202, R1 0203").why_not("B2") == Refusal("6.4", "2nd Blue is lost")


def test_options_say_what_they_are() -> None:
    match = start("B1/1 0203, R1 0204")
    assert match.options()[0] == Option("B1", "1st Blue, strength 2, in 0203 Ettelbrick", units=("B1",))
    match.answer("B1")
    assert Option("0203", "0203 Ettelbrick", spaces=("0203",), cost="0") in match.options()

"""Attacks: who fights whom, strengths, odds, tables and the choices before the die (rules 9, 10 and 11)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.games.ardennes_offensive.battle import (
    attack_strength,
    column,
    columns_to_choose,
    defence_strength,
    table_for,
)
from bulge.games.ardennes_offensive.position import ArdennesPosition
from tests.games.ardennes_offensive.helpers import (
    around,
    battle,
    beside,
    clockwise,
    facts,
    fight,
    first_step,
    in_the_wall,
    is_in,
    meadow,
    name_attack,
    play,
    position,
    ring,
    situation,
    unit,
    units,
    where,
)
from tests.helpers import answer, foresee, offered, offered_names, refused_by

GAME = "ardennes_offensive"


def attack(p: ArdennesPosition, target: str | list[str], *attackers: str) -> int:
    return attack_strength(facts(), situation(p), battle(target, *attackers)).total


def defence(p: ArdennesPosition, target: str | list[str], *attackers: str) -> int:
    return defence_strength(facts(), situation(p), battle(target, *attackers)).total


# ---------------------------------------------------------------------- who fights whom


@pytest.mark.rule(GAME, "9.0", "9.1A", "9.1B")
def test_units_attack_what_is_next_to_them_if_they_like() -> None:
    here = meadow()
    target, far = clockwise(here)[0], ring(here, 2)[0]
    p = position({"1SSPz": here, "395Inf": target, "9Inf": far, "3Pz": "2310"}, step="german_combat")
    match = play(p)
    assert offered(match) == {target, "done"}
    assert refused_by(match, far) == "9.1A"
    match.answer("done")
    assert match.position.step == "german_mechanized"


@pytest.mark.rule(GAME, "9.1A", "9.2E", "9.2G")
def test_any_number_of_adjacent_units_joins_and_none_that_is_not() -> None:
    here = meadow()
    a, b, c, *_ = clockwise(here)
    p = position(
        {"1SSPz": a, "12SSPz": a, "16Pz": b, "3Pz": ring(here, 2)[0], "395Inf": here}, step="german_combat"
    )
    match = answer(play(p), here)
    assert offered(match) == {"1SSPz", "12SSPz", "16Pz"}
    assert refused_by(match, "3Pz") == "9.1A"
    match.answer("1SSPz")
    assert offered(match) == {"12SSPz", "16Pz", "attack"}
    assert refused_by(match, "1SSPz") == "9.1C"
    assert c != a


@pytest.mark.rule(GAME, "9.1C")
def test_nobody_attacks_twice_or_is_attacked_twice() -> None:
    here = meadow()
    a, b, *_ = clockwise(here)
    p = position({"1SSPz": here, "12SSPz": here, "395Inf": a, "9Inf": b}, step="german_combat")
    p.attacked, p.defended = units("1SSPz"), units("395Inf")
    match = play(p)
    assert offered(match) == {b, "done"}
    assert refused_by(match, a) == "9.1C"
    match.answer(b)
    assert offered(match) == {"12SSPz"}
    p = position({"1SSPz": here, "12SSPz": here, "16Pz": here, "9Inf": b}, step="german_combat")
    p.attacked = units("1SSPz")
    match = answer(play(p), b)
    assert refused_by(match, "1SSPz") == "9.1C"


@pytest.mark.rule(GAME, "9.2D")
def test_one_attack_on_two_hexes_by_units_next_to_both() -> None:
    here = meadow()
    a, b, *rest = clockwise(here)
    p = position({"1SSPz": here, "16Pz": rest[-1], "395Inf": a, "9Inf": b}, step="german_combat")
    match = answer(play(p), a)
    assert match.asked().rule == "9.2D"
    assert offered(match) == {b, "done"}
    answer(match, b)
    assert offered(match) == {"1SSPz"}, "it alone is next to both"
    assert refused_by(match, "16Pz") == "9.1A"
    assert attack(p, [a, b], "1SSPz") == 9
    assert defence(p, [a, b], "1SSPz") == 8


@pytest.mark.rule(GAME, "9.2D")
def test_two_hexes_that_no_unit_touches_together_are_two_attacks() -> None:
    here = meadow()
    left, right = clockwise(here)[0], clockwise(here)[3]
    beyond = sorted(around(right) - around(here) - {here})[0]
    p = position({"1SSPz": left, "16Pz": right, "395Inf": here, "9Inf": beyond}, step="german_combat")
    assert offered(answer(play(p), here)) == {beyond, "done"}, "16Pz is next to both"
    p.where[unit("16Pz")] = p.where[unit("1SSPz")]
    assert offered(play(p)) == {here, "done"}
    assert offered(answer(play(p), here)) == {"1SSPz", "16Pz"}


@pytest.mark.rule(GAME, "9.2F", "9.1B")
def test_a_stack_defends_as_one() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "395Inf": target, "38Inf": target}, step="german_combat")
    assert defence(p, target, "1SSPz") == 9


@pytest.mark.rule(GAME, "9.2G", "9.2H")
def test_units_of_a_stack_may_attack_apart() -> None:
    here = meadow()
    a, _, c, *_ = clockwise(here)
    p = position({"1SSPz": here, "12SSPz": here, "395Inf": a, "1107Eng": c, "23Inf": "0710"}, step="german_combat")
    match = play(p, [5, 5])
    answer(match, a, "done", "1SSPz", "attack")
    while match.asked().rule != "9.0":
        match.choose(match.asked().options[-1])
    assert match.position.attacked == units("1SSPz")
    answer(match, c)
    assert offered_names(match) == {"12SSPz"}


@pytest.mark.rule(GAME, "5.3M")
def test_a_unit_beside_the_map_takes_no_part() -> None:
    p = beside(position({"1SSPz": "0211"}, step="allied_combat"), "395Inf", "0112", dormant=True)
    match = play(p)
    assert match.position.step != "allied_combat"


# ---------------------------------------------------------------------- odds


@pytest.mark.rule(GAME, "9.3K", "10.1")
def test_twenty_six_to_nine_is_two_to_one() -> None:
    """The rulebook's example, fought: 9, 7, 6 and 4 against 5 and 4."""
    here = meadow()
    a, b, *_ = clockwise(here)
    placed = {"1SSPz": a, "12SSPz": a, "16Pz": b, "3Pz": b, "38Inf": here, "395Inf": here}
    p = position(placed, step="german_combat")
    assert attack(p, here, "1SSPz", "12SSPz", "16Pz", "3Pz") == 26
    assert defence(p, here, "1SSPz") == 9
    on_paper = battle(here, "1SSPz", "12SSPz", "16Pz", "3Pz")
    assert facts().initial.columns[column(facts(), situation(p), on_paper)] == "2-1"


@pytest.mark.rule(GAME, "10.1")
@pytest.mark.parametrize(
    ("attacker", "defender", "odds"),
    [(1, 9, "1-2"), (4, 9, "1-2"), (5, 9, "1-2"), (8, 9, "1-2"), (9, 9, "1-1"), (90, 9, "9-1"), (17, 9, "1-1")],
)
def test_odds_beyond_the_table_are_held_at_its_ends(attacker: int, defender: int, odds: str) -> None:
    table = facts().standard
    assert table.columns[table.odds_column(attacker, defender)] == odds


@pytest.mark.rule(GAME, "9.4L", "E9.4L")
def test_the_germans_may_lower_their_odds_to_two_to_one() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "12SSPz": here, "16Pz": here, "395Inf": target}, step="german_combat")
    match = name_attack(play(p), target, "1SSPz", "12SSPz", "16Pz")
    assert offered(match) == {"5-1", "4-1", "3-1", "2-1"}
    p = position({"5FJ": here, "395Inf": target}, step="german_combat")
    assert columns_to_choose(facts(), situation(p), battle(target, "5FJ")) == [0], "1-2 is what it is"


@pytest.mark.rule(GAME, "9.4L")
def test_the_allies_may_lower_theirs_as_far_as_they_like() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"32AR": here, "33AR": here, "5FJ": target}, step="allied_combat")
    match = name_attack(play(p), target, "32AR", "33AR")
    assert offered(match) == {"4-1", "3-1", "2-1", "1-1", "1-2"}


@pytest.mark.rule(GAME, "9.4L")
def test_the_result_is_read_at_the_odds_chosen() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "12SSPz": here, "1107Eng": target, "395Inf": "0710"}, step="german_combat")
    match = name_attack(play(p, [1]), target, "1SSPz", "12SSPz")
    assert foresee(match, "9-1").chances == (("De", Fraction(1)),)
    assert dict(foresee(match, "2-1").chances) == {"Dr2": Fraction(1, 6), "Dr1": Fraction(5, 6)}
    match.answer("2-1")
    assert where(match.position, "1107Eng") != "lost"


# ---------------------------------------------------------------------- tables


@pytest.mark.rule(GAME, "10.0", "10.3")
def test_each_side_rolls_on_its_own_table() -> None:
    s = situation(position(step="german_combat"))
    assert table_for(facts(), s, "German") is facts().initial
    assert table_for(facts(), s, "Allied") is facts().standard
    s.p.standard = True
    assert table_for(facts(), s, "German") is facts().standard


@pytest.mark.rule(GAME, "10.3")
@pytest.mark.parametrize(("die", "standard"), [(1, True), (2, False), (6, False)])
def test_from_turn_six_a_one_takes_the_better_table_away(die: int, standard: bool) -> None:
    match = play(position({"1SSPz": meadow(), "395Inf": "0710"}, turn=6, step="german_table"), [die])
    assert match.position.standard is standard
    assert match.dice_taken == 1


@pytest.mark.rule(GAME, "10.3")
def test_before_turn_six_and_after_a_one_nobody_rolls() -> None:
    assert play(position({"1SSPz": meadow()}, turn=5, step="german_table")).dice_taken == 0
    p = position({"1SSPz": meadow()}, turn=7, step="german_table")
    p.standard = True
    match = play(p)
    assert match.dice_taken == 0
    assert match.position.standard


# ---------------------------------------------------------------------- strengths


@pytest.mark.rule(GAME, "9.5M", "12.6", "9.3J")
def test_an_unsupplied_stack_is_halved_as_a_whole() -> None:
    """9 and 4 are 13, halved and rounded up 7; halved one by one they would be 5 and 2."""
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "901PG": here, "902PG": here, "395Inf": target}, step="german_combat")
    p.unsupplied = units("901PG", "902PG")
    assert attack(p, target, "901PG", "902PG") == 3
    p.unsupplied = units("1SSPz", "901PG", "902PG")
    assert attack(p, target, "1SSPz", "901PG", "902PG") == 8
    p.unsupplied = units("901PG")
    assert attack(p, target, "1SSPz", "901PG") == 9 + 2


@pytest.mark.rule(GAME, "12.6")
def test_isolated_units_do_not_attack() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "12SSPz": here, "395Inf": target}, step="german_combat")
    p.unsupplied = p.isolated = units("1SSPz")
    match = answer(play(p), target)
    assert offered(match) == {"12SSPz"}
    assert refused_by(match, "1SSPz") == "12.6"


@pytest.mark.rule(GAME, "11.0", "9.3J")
def test_the_west_wall_triples_the_defence_and_doubles_the_attack_of_germans() -> None:
    wall, outside = in_the_wall()
    p = position({"5FJ": wall, "395Inf": outside}, step="allied_combat")
    assert defence(p, wall, "395Inf") == 9
    assert attack(position({"5FJ": wall, "395Inf": outside}, step="german_combat"), outside, "5FJ") == 6
    p = position({"395Inf": wall, "5FJ": outside}, step="german_combat")
    assert defence(p, wall, "5FJ") == 4
    assert attack(position({"395Inf": wall, "5FJ": outside}, step="allied_combat"), outside, "395Inf") == 4


@pytest.mark.rule(GAME, "11.0")
def test_a_cleared_hex_of_the_wall_doubles_the_defence_only() -> None:
    wall, outside = first_step(
        lambda one, other: is_in(one, facts().cleared_wall) and not is_in(other, facts().wall)
    )
    p = position({"5FJ": wall, "395Inf": outside}, step="allied_combat")
    assert defence(p, wall, "395Inf") == 6
    assert attack(position({"5FJ": wall, "395Inf": outside}, step="german_combat"), outside, "5FJ") == 3


@pytest.mark.rule(GAME, "9.3J", "11.0")
def test_supply_comes_before_terrain() -> None:
    """3 unsupplied is 2, out of the wall 4; the other way round it would be 3."""
    wall, outside = in_the_wall()
    p = position({"5FJ": wall, "395Inf": outside}, step="german_combat")
    p.unsupplied = units("5FJ")
    assert attack(p, outside, "5FJ") == 4


@pytest.mark.rule(GAME, "4.2")
def test_on_the_first_turn_germans_are_tripled_and_no_more() -> None:
    wall, outside = in_the_wall()
    p = position({"5FJ": wall, "395Inf": outside}, turn=1, step="german_combat")
    assert attack(p, outside, "5FJ") == 9
    p = position({"5FJ": wall, "395Inf": outside}, turn=1, step="allied_combat")
    assert defence(p, wall, "395Inf") == 9
    here = meadow()
    p = position({"5FJ": here, "395Inf": clockwise(here)[0]}, turn=1, step="allied_combat")
    assert defence(p, here, "395Inf") == 9


@pytest.mark.rule(GAME, "E9.2F")
def test_a_unit_that_retreated_into_a_stack_adds_nothing_and_shares_its_fate() -> None:
    here = meadow()
    target = clockwise(here)[0]
    placed = {"1SSPz": here, "12SSPz": here, "395Inf": target, "1107Eng": target, "23Inf": "0710"}
    p = position(placed, step="german_combat")
    p.joined = p.defended = units("1107Eng")
    assert defence(p, target, "1SSPz") == 4
    match = fight(p, target, ["1SSPz", "12SSPz"], "Ex")
    assert where(match.position, "1107Eng") == "lost"

"""What results do: standing fast, losses, exchanges and advances (rules 9.6, 10.1 and 11)."""

from __future__ import annotations

import pytest

from tests.games.ardennes_offensive.helpers import (
    around,
    clockwise,
    facts,
    fight,
    in_the_wall,
    is_in,
    meadow,
    name_attack,
    play,
    position,
    retreated,
    units,
    where,
)
from tests.helpers import answer, offered, refused_by

GAME = "ardennes_offensive"


# ---------------------------------------------------------------------- standing fast


@pytest.mark.rule(GAME, "11.0", "E11.0")
def test_units_in_a_town_stand_unless_they_waive_that_before_the_die() -> None:
    town = "2521"
    near = sorted(name for name in around(town) if is_in(name, facts().passable))[0]
    placed = {"1SSPz": near, "12SSPz": near, "395Inf": town, "23Inf": "0710"}
    stood = fight(position(placed, step="german_combat"), town, ["1SSPz", "12SSPz"], "Dr1")
    assert where(stood.position, "395Inf") == town
    waived = fight(position(placed, step="german_combat"), town, ["1SSPz", "12SSPz"], "Dr1", waive=[town])
    retreated(waived)
    assert where(waived.position, "395Inf") != town


@pytest.mark.rule(GAME, "E11.0", "11.0")
def test_the_owner_of_the_unit_is_asked_and_only_where_it_matters() -> None:
    town = "2521"
    near = sorted(name for name in around(town) if is_in(name, facts().passable))[0]
    placed = {"1SSPz": near, "12SSPz": near, "395Inf": town}
    match = name_attack(play(position(placed, step="german_combat")), town, "1SSPz", "12SSPz")
    match.answer("4-1")
    assert (match.asked().side, match.asked().rule) == ("Allied", "E11.0")
    p = position({"1SSPz": town, "12SSPz": town, "395Inf": near}, step="german_combat")
    match = name_attack(play(p, [1]), near, "1SSPz", "12SSPz")
    match.answer("2-1")
    assert match.position.drawn == 1, "the Initial table has no Ar at 2-1: nothing to ask"


@pytest.mark.rule(GAME, "E11.0", "11.0")
def test_only_germans_stand_in_the_west_wall() -> None:
    wall, outside = in_the_wall()
    p = position({"5FJ": wall, "32AR": outside, "33AR": outside, "66AR": outside}, step="allied_combat")
    match = fight(p, wall, ["32AR", "33AR", "66AR"], "Dr1")
    assert where(match.position, "5FJ") == wall
    p = position({"395Inf": wall, "1SSPz": outside, "12SSPz": outside, "23Inf": "0710"}, step="german_combat")
    match = name_attack(play(p, [6]), wall, "1SSPz", "12SSPz")
    match.answer("2-1")
    assert match.position.drawn == 1, "Americans have nothing to waive"


@pytest.mark.rule(GAME, "11.0", "E11.0")
def test_attackers_in_a_town_stand_too() -> None:
    town = "2521"
    near = sorted(name for name in around(town) if is_in(name, facts().passable))[0]
    p = position({"5FJ": town, "395Inf": near}, step="german_combat")
    match = name_attack(play(p, [1]), near, "5FJ")
    assert (match.asked().side, match.asked().rule) == ("German", "E11.0")
    match.answer("roll")
    assert where(match.position, "5FJ") == town


# ---------------------------------------------------------------------- losses and advances


@pytest.mark.rule(GAME, "10.1", "16.0A")
def test_elimination_and_exchange_by_face_value() -> None:
    here = meadow()
    target = clockwise(here)[0]
    placed = {"1SSPz": here, "12SSPz": here, "16Pz": here, "1107Eng": target, "23Inf": "0710"}
    match = fight(position(placed, step="german_combat"), target, ["1SSPz", "12SSPz", "16Pz"], "De")
    assert match.position.lost == units("1107Eng")

    placed = {"1SSPz": here, "12SSPz": here, "901PG": here, "395Inf": target, "23Inf": "0710"}
    match = fight(position(placed, step="german_combat"), target, ["1SSPz", "12SSPz", "901PG"], "Ex")
    assert match.asked().rule == "10.1"
    match.answer("901PG")
    assert match.asked().rule == "10.1", "three is not yet four"
    match.answer("12SSPz")
    assert match.position.lost == units("395Inf", "901PG", "12SSPz")


@pytest.mark.rule(GAME, "10.1")
def test_an_exchange_counts_the_printed_strength_of_a_halved_column() -> None:
    way_hex = meadow()
    target = clockwise(way_hex)[0]
    placed = {"1SSPz": way_hex, "12SSPz": way_hex, "3Pz": way_hex, "38Inf": target, "23Inf": "0710"}
    p = position(placed, step="german_combat", road=["38Inf"])
    match = fight(p, target, ["1SSPz", "12SSPz", "3Pz"], "Ex")
    match.answer("3Pz")
    assert match.asked().rule == "10.1", "it defended with 3, but 5 are to be paid"


@pytest.mark.rule(GAME, "9.6N")
def test_one_mechanized_attacker_may_take_the_cleared_hex() -> None:
    here = meadow()
    target = clockwise(here)[0]
    placed = {"1SSPz": here, "12SSPz": here, "5FJ": here, "1107Eng": target, "23Inf": "0710"}
    match = fight(position(placed, step="german_combat"), target, ["1SSPz", "12SSPz", "5FJ"], "De")
    assert match.asked().rule == "9.6N"
    assert offered(match) == {"1SSPz", "12SSPz", "done"}
    assert refused_by(match, "5FJ") == "9.6N"
    match.answer("12SSPz")
    assert where(match.position, "12SSPz") == target
    assert where(match.position, "1SSPz") == here
    assert match.asked().rule != "9.6N", "one unit a hex"


@pytest.mark.rule(GAME, "9.6N", "5.2K")
def test_a_unit_that_advanced_does_not_move_again() -> None:
    here = meadow()
    target = clockwise(here)[0]
    placed = {"1SSPz": here, "12SSPz": here, "1107Eng": target, "3Pz": "2310"}
    match = fight(position(placed, step="german_combat"), target, ["1SSPz", "12SSPz"], "De")
    answer(match, "1SSPz")
    assert match.position.step == "german_mechanized"
    assert refused_by(match, "1SSPz") == "5.2K"


@pytest.mark.rule(GAME, "9.6N", "10.2")
def test_a_defender_may_follow_a_beaten_attacker() -> None:
    here = meadow()
    target = clockwise(here)[0]
    placed = {"5FJ": here, "CCB9": target, "1SSPz": "2509"}
    match = fight(position(placed, step="german_combat"), target, ["5FJ"], "Ar1")
    while match.asked().rule == "10.2":
        assert match.asked().side == "Allied", "the victor moves the beaten"
        match.choose(match.asked().options[0])
    assert (match.asked().rule, match.asked().side) == ("9.6N", "Allied")
    match.answer("CCB9")
    assert where(match.position, "CCB9") == here

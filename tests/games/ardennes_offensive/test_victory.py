"""Points and victory (rules 2.1 and 16)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_offensive.victory import exits_held, final_judgment, immediate_victory, points
from tests.games.ardennes_offensive.helpers import (
    ArdennesMatch,
    around,
    clockwise,
    facts,
    is_in,
    live,
    meadow,
    play,
    position,
    situation,
    units,
)
from tests.helpers import offered_names

GAME = "ardennes_offensive"


# ---------------------------------------------------------------------- points


def german_points(placed: dict[str, str], *, road: list[str] | None = None) -> int:
    return points(facts(), situation(position(placed, turn=8, step="turn_end", road=road or [])))["German"]


def line_to(exit_: str) -> dict[str, str]:
    """Nobody in the way: the whole map is open, so every German on it is supplied."""
    return {"1SSPz": exit_}


@pytest.mark.rule(GAME, "16.0", "16.0B", "16.0C")
def test_an_exit_counts_for_a_german_unit_or_its_zone() -> None:
    worth = facts().exit_points[facts().board.at("0213")]
    assert german_points(line_to("0213")) == worth
    near = next(
        name
        for name in sorted(around("0213"))
        if is_in(name, facts().passable) and not around(name) & (set(exits()) - {"0213"})
    )
    assert german_points({"1SSPz": near}) == worth
    enemy_near = next(
        name for name in live() if name in around("0213") and name not in around(near) and name != near
    )
    assert german_points({"1SSPz": near, "395Inf": enemy_near}) == worth, "in both zones it is German"


def exits() -> list[str]:
    return [row.id for row in facts().exits]


@pytest.mark.rule(GAME, "16.0C")
def test_an_allied_unit_in_an_exit_denies_it() -> None:
    tried = 0
    for exit_ in exits():
        for near in sorted(around(exit_) & set(live())):
            p = position({"1SSPz": near, "395Inf": exit_}, turn=8, step="turn_end")
            if is_in(near, situation(p).supplied_hexes("German")) and german_points({"1SSPz": near}):
                held = exits_held(facts(), situation(p))
                assert facts().board.at(exit_) not in held
                tried += 1
    assert tried


@pytest.mark.rule(GAME, "16.0C")
def test_one_unit_may_hold_several_exits() -> None:
    both = next(
        (name, here)
        for name in live()
        if len(here := [exit_ for exit_ in exits() if exit_ in around(name) or exit_ == name]) > 1
        and all(row.section in ("NE", "NW", "W") for row in facts().exits if row.id in here)
    )
    name, here = both
    assert german_points({"1SSPz": name}) == sum(row.points for row in facts().exits if row.id in here)


@pytest.mark.rule(GAME, "16.0H", "6.6J")
def test_a_column_holds_an_exit_only_by_standing_in_it() -> None:
    near = next(name for name in sorted(around("0213")) if is_in(name, facts().passable))
    assert german_points({"1SSPz": near}, road=["1SSPz"]) == 0
    assert german_points({"1SSPz": "0213"}, road=["1SSPz"]) > 0


@pytest.mark.rule(GAME, "16.0G")
def test_an_unsupplied_unit_scores_nothing() -> None:
    a, _, c, _, e, _ = clockwise(facts_west())
    allies = {"395Inf": a, "9Inf": c, "38Inf": e}
    assert german_points({"1SSPz": facts_west()}) > 0
    assert german_points({"1SSPz": facts_west()} | allies) == 0


def facts_west() -> str:
    """A hex next to an exit, with six live neighbours, from which no other way leads than past Allies."""
    return next(
        name
        for name in live()
        if any(row.id in around(name) and row.section in ("NW", "W") for row in facts().exits)
        and all(is_in(near, facts().passable) for near in around(name))
    )


@pytest.mark.rule(GAME, "16.0D")
def test_the_south_counts_only_with_a_supplied_german_in_bastogne() -> None:
    assert german_points({"1SSPz": "3618"}) == 0
    assert german_points({"1SSPz": "3618", "5FJ": "2521"}) == 2
    a, _, c, _, e, _ = clockwise("2521")
    ring = {"395Inf": a, "9Inf": c, "38Inf": e}
    assert german_points({"1SSPz": "3618", "5FJ": "2521"} | ring) == 0


@pytest.mark.rule(GAME, "16.0F")
def test_an_exit_that_was_left_counts_no_more() -> None:
    assert german_points({"1SSPz": "0213"}) > german_points({"1SSPz": meadow()}) == 0
    assert exits_held(facts(), situation(position({"1SSPz": meadow()}, step="turn_end"))) == []


@pytest.mark.rule(GAME, "16.0A", "16.0")
def test_every_unit_lost_is_a_point_for_the_other_side() -> None:
    p = position({"1SSPz": meadow()}, turn=8, step="turn_end")
    p.lost = units("5FJ", "12VG", "395Inf")
    assert points(facts(), situation(p)) == {"German": 1, "Allied": 2}


@pytest.mark.rule(GAME, "5.3M", "9.7P")
def test_dormant_units_are_no_loss() -> None:
    p = position({"1SSPz": meadow()}, turn=8, step="turn_end")
    p.dormant = units("395Inf")
    assert points(facts(), situation(p)) == {"German": 0, "Allied": 0}


# ---------------------------------------------------------------------- victory


def end_of_turn(turn: int, allied_lost: int, german_lost: int = 0, dice: list[int] | None = None) -> ArdennesMatch:
    p = position({"1SSPz": meadow(), "395Inf": "0710"}, turn=turn, step="turn_end")
    p.lost = sum(1 << number for number in list(facts().allied_units)[:allied_lost])
    p.lost |= sum(1 << number for number in list(facts().german_units)[:german_lost])
    return play(p, dice or [])


@pytest.mark.rule(GAME, "16.2", "16.0E")
@pytest.mark.parametrize(("turn", "lost", "wins"), [(3, 35, True), (6, 35, True), (6, 34, False), (7, 35, False)])
def test_35_points_by_the_end_of_turn_6_win_at_once(turn: int, lost: int, wins: bool) -> None:
    match = end_of_turn(turn, lost, dice=[6])
    assert (match.result is not None) is wins
    if match.result:
        assert (match.result.winner, match.result.rule) == ("German", "16.2")
    assert (immediate_victory({"German": lost, "Allied": 0}, turn) is not None) is wins


@pytest.mark.rule(GAME, "16.3", "2.1")
def test_fewer_than_35_points_lose_the_game() -> None:
    match = end_of_turn(18, 34)
    assert match.result is not None
    assert (match.result.winner, match.result.rule) == ("Allied", "16.3")


@pytest.mark.rule(GAME, "16.1")
@pytest.mark.parametrize(
    ("german", "allied", "winner"),
    [
        (36, 24, "German"),
        (36, 25, None),
        (36, 36, None),
        (36, 37, "Allied"),
        (35, 0, "German"),
        (35, 23, "German"),
    ],
)
def test_else_the_ratio_decides(german: int, allied: int, winner: str | None) -> None:
    assert final_judgment({"German": german, "Allied": allied}).winner == winner


@pytest.mark.rule(GAME, "2.1", "4.1", "16.0E")
def test_a_turn_ends_and_the_next_begins_until_the_eighteenth() -> None:
    match = end_of_turn(17, 0, dice=[6])
    assert match.position.turn == 18
    assert match.result is None
    assert offered_names(match) == {"1SSPz"}
    assert end_of_turn(18, 0).result is not None

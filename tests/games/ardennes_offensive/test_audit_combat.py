"""Corner cases of combat: who is asked, who is pushed where, who follows, and columns at the West Wall."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bulge.core.bars import refusal as refusal_of
from bulge.core.bars import shuts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.results import may_not_advance
from bulge.games.ardennes_offensive.retreats import Ways, best, no_refuge
from tests.games.ardennes_offensive.helpers import (
    STRONG,
    around,
    at,
    clockwise,
    facts,
    fight,
    first_step,
    hexes,
    is_in,
    live,
    meadow,
    name_attack,
    names,
    play,
    position,
    retreated,
    side_is,
    situation,
    unit,
    where,
)
from tests.helpers import offered, refused_by

GAME = "ardennes_offensive"


def beyond(hex_: str, others: Iterable[str]) -> str:
    """The neighbour of a hex that touches none of the others."""
    return next(name for name in sorted(around(hex_)) if not around(name) & set(others) and name not in others)


# ---------------------------------------------------------------------- before the die


@pytest.mark.rule(GAME, "E11.0")
def test_nobody_is_asked_to_waive_where_every_result_is_elimination() -> None:
    town = next(
        name
        for name in live()
        if is_in(name, facts().towns) and around(name) <= set(live()) and not is_in(name, facts().wall)
    )
    from_ = clockwise(town)[0]
    p = position(dict.fromkeys(STRONG, from_) | {"1107Eng": town}, step="german_combat")
    match = name_attack(play(p, [6]), town, *STRONG)
    match.answer("9-1")
    assert where(match.position, "1107Eng") == "lost"


# ---------------------------------------------------------------------- retreats


@pytest.mark.rule(GAME, "7.3D", "10.2")
def test_nobody_is_pushed_into_the_hex_that_is_being_given_up() -> None:
    here = meadow()
    near = clockwise(here)
    full = dict.fromkeys(["9Inf", "38Inf", "393Inf"], near[3])
    shut = {"3Pz": near[2], "5FJ": near[4], "9FJ": beyond(near[3], [here, near[2], near[4]])}
    placed = dict.fromkeys(STRONG, near[0]) | {"395Inf": here} | full | shut
    match = retreated(fight(position(placed, step="german_combat"), here, STRONG, "Dr1"))
    assert where(match.position, "395Inf") == "lost"
    assert {where(match.position, id_) for id_ in full} == {near[3]}


@pytest.mark.rule(GAME, "7.2B", "7.3D", "10.2")
@pytest.mark.parametrize(
    ("beaten", "in_the_way"), [("5FJ", ["79VG"]), ("79VG", ["5FJ"]), ("79VG", ["5FJ", "8FJ"])]
)
def test_nobody_pushes_away_all_who_keep_an_enemy_zone_off(beaten: str, in_the_way: list[str]) -> None:
    here = meadow()
    near = clockwise(here)
    placed = {"38Inf": near[0], "9Inf": near[0], "393Inf": near[0], "23Inf": near[2], "395Inf": near[4]}
    placed |= {beaten: here} | dict.fromkeys(in_the_way, near[3])
    match = retreated(fight(position(placed, step="allied_combat"), here, ["38Inf", "9Inf", "393Inf"], "Dr1"))
    assert where(match.position, beaten) == "lost"
    assert {where(match.position, id_) for id_ in in_the_way} == {near[3]}


@pytest.mark.rule(GAME, "8.0", "10.2")
@pytest.mark.parametrize(("others", "finds_room"), [(["13FJ", "14FJ"], False), (["13FJ"], True)])
def test_nobody_is_pushed_in_vain(others: list[str], finds_room: bool) -> None:
    """Two regiments must make way for a division, and next to them there is room for one more, or for two."""
    here = meadow()
    near = clockwise(here)
    behind = beyond(near[3], [here, near[2], near[4]])
    corners = sorted(around(near[3]) - {here, near[2], near[4], behind})
    divisions = dict(zip(["167VG", "246VG", "9VG", "340VG"], [near[2], near[4], *corners], strict=True))
    placed = {"79VG": here, "5FJ": near[3], "8FJ": near[3]} | dict.fromkeys(others, behind) | divisions
    ways = Ways(facts(), situation(position(placed, step="allied_combat")), unit("79VG"), 1)
    assert bool(ways.displacing(at(here), 0) & hexes(near[3])) == finds_room


@pytest.mark.rule(GAME, "7.3D", "10.2")
def test_units_that_must_retreat_themselves_open_no_enemy_zone_to_others() -> None:
    here = meadow()
    near = clockwise(here)
    placed = dict.fromkeys(STRONG, near[0]) | {"395Inf": here, "9Inf": near[1], "3Pz": near[3], "5FJ": near[5]}
    match = retreated(fight(position(placed, step="german_combat"), [here, near[1]], STRONG, "Dr1"))
    assert where(match.position, "395Inf") == "lost", "its only hex was the other one under attack"
    assert where(match.position, "9Inf") not in ("lost", near[1])


@pytest.mark.rule(GAME, "7.2B", "10.2")
def test_a_friend_who_stays_does_open_it() -> None:
    here = meadow()
    near = clockwise(here)
    placed = dict.fromkeys(STRONG, near[0]) | {"395Inf": here, "9Inf": near[1], "3Pz": near[3], "5FJ": near[5]}
    match = retreated(fight(position(placed, step="german_combat"), here, STRONG, "Dr1"))
    assert where(match.position, "395Inf") == near[1]


@pytest.mark.rule(GAME, "10.2")
def test_friends_are_counted_by_heads_not_by_size() -> None:
    here = meadow()
    for one in clockwise(here):
        for other in clockwise(here):
            ways = Ways(facts(), situation(position({"5FJ": here}, step="allied_combat")), unit("5FJ"), 1)
            if one == other or best(ways, at(here), hexes(one, other)) != hexes(one, other):
                continue
            placed = {"5FJ": here, "79VG": one, "9FJ": other, "8FJ": other}
            ways = Ways(facts(), situation(position(placed, step="allied_combat")), unit("5FJ"), 1)
            assert names(best(ways, at(here), hexes(one, other))) == {one}
            return
    raise AssertionError("no two hexes are alike to a retreat")


# ---------------------------------------------------------------------- columns and the West Wall


def road_into_the_wall() -> tuple[str, str]:
    return first_step(
        lambda one, other: (
            side_is(one, other, "road")
            and not side_is(one, other, "bridge")
            and is_in(other, facts().wall)
            and not is_in(one, facts().wall)
        )
    )


@pytest.mark.rule(GAME, "11.0", "9.6N")
@pytest.mark.parametrize(("id_", "may"), [("CCB9", False), ("1SSPz", True)])
def test_no_allied_column_advances_into_the_west_wall(id_: str, may: bool) -> None:
    one, wall = road_into_the_wall()
    step = "allied_combat" if id_ == "CCB9" else "german_combat"
    p = position({id_: one}, step=step, road=[id_])
    assert may_advance(p, id_, wall) == may
    assert may_advance(position({id_: one}, step=step), id_, wall)


def may_advance(p: ArdennesPosition, id_: str, hex_: str) -> bool:
    bars = may_not_advance(facts(), situation(p), facts().side_of(unit(id_)), at(hex_))
    return not any(shuts(bar, unit(id_)) for bar in bars)


@pytest.mark.rule(GAME, "11.0", "6.7M")
@pytest.mark.parametrize(("id_", "may"), [("CCB9", False), ("1SSPz", True)])
def test_no_allied_column_retreats_into_the_west_wall(id_: str, may: bool) -> None:
    one, wall = road_into_the_wall()
    p = position({id_: one}, step="allied_combat", road=[id_])
    assert bool(Ways(facts(), situation(p), unit(id_), 1).plain(at(one), 0) & hexes(wall)) == may
    if not may:
        refused = refusal_of(no_refuge(facts(), situation(p), unit(id_)), at(wall))
        assert refused is not None
        assert refused.rule == "11.0"
    on_foot = position({id_: one}, step="allied_combat")
    assert Ways(facts(), situation(on_foot), unit(id_), 1).plain(at(one), 0) & hexes(wall)


# ---------------------------------------------------------------------- advances


@pytest.mark.rule(GAME, "9.6N")
def test_nobody_advances_twice() -> None:
    here = meadow()
    near = clockwise(here)
    placed = {"1SSPz": here, "12SSPz": here, "1107Eng": near[0], "1102Eng": near[1]}
    match = fight(position(placed, step="german_combat"), near[:2], ["1SSPz", "12SSPz"], "De")
    match.answer("1SSPz")
    assert match.asked().rule == "9.6N"
    assert offered(match) == {"12SSPz", "done"}
    assert refused_by(match, "1SSPz") == "9.6N"

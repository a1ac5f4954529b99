"""Where a unit can go, against a search that tries every choice; and the ways that lead there."""

from __future__ import annotations

from copy import copy

import pytest

from bulge.core.chance import Scripted
from bulge.core.data import Overrides
from bulge.core.decision import Refusal
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.ardennes_offensive.facts import GERMAN, POINT
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.movement import Walk
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from tests.games.ardennes_offensive.helpers import (
    ardennes,
    facts,
    highway,
    in_road_mode,
    is_in,
    meadow,
    names,
    position,
    ring,
    unit,
    where,
)

GAME = "ardennes_offensive"

Ends = dict[tuple[int, bool], int]
"""For each hex, and each mode to end in there, the most that can be left."""


def begin(game: ArdennesOffensive, p: ArdennesPosition, id_: str) -> Walk:
    number = unit(id_)
    return Walk(Situation(game.facts, p), number, p.where[number], game.facts.rows[number].movement * 10)


def tried(way: Walk) -> Ends:
    """Every choice after every other, as long as it leaves more than was known."""
    best: Ends = {}
    left = [copy(way)]
    while left:
        here = left.pop()
        key = here.here, here.by_road
        if best.get(key, -1) >= here.left:
            continue
        best[key] = here.left
        for choice in here.options():
            if choice == "stop":
                continue
            then = copy(here)
            then.path = [*here.path]
            if isinstance(choice, int):
                then.step(choice)
            else:
                then.change_mode()
            left.append(then)
    return best


def flooded(way: Walk) -> Ends:
    best: Ends = {}
    routes = way.reach()
    for changes, flood in enumerate(routes.floods):
        for cost, level in enumerate(flood.levels):
            for hex_ in members(level):
                key = hex_, routes.marches_in(changes)
                best[key] = max(best.get(key, -1), way.left - cost)
    return best


def obstructed(id_: str, *, by_road: bool) -> ArdennesPosition:
    """A road with a friend in the way and another beside it, and an enemy farther off."""
    way = highway(12)
    beside = next(name for name in ring(way[2]) if not is_in(name, facts().road_hexes))
    side = facts().side_of(unit(id_))
    friends, enemy = (["8FJ", "9FJ"], "9Inf") if side == GERMAN else (["9Inf", "38Inf"], "1SSPz")
    placed = {id_: way[1], friends[0]: way[6], friends[1]: beside, enemy: meadow()}
    return position(placed, step=f"{side.lower()}_movement", road=[id_] if by_road else [])


@pytest.mark.rule(GAME, "5.0", "6.3C", "6.5H", "7.1A", "8.1A")
@pytest.mark.parametrize("by_road", [False, True])
@pytest.mark.parametrize("id_", ["CCB9", "395Inf", "4SSPG", "5FJ"])
def test_all_that_can_be_reached_is_shown_and_nothing_else(id_: str, by_road: bool) -> None:
    way = begin(ardennes(), obstructed(id_, by_road=by_road), id_)
    found = tried(way)
    assert len({hex_ for hex_, _ in found}) > 5
    assert flooded(way) == found


def swift() -> ArdennesOffensive:
    """A game in which a regiment on foot has the points for several changes of mode."""
    return ArdennesOffensive(Overrides("[ardennes_offensive.units.395Inf]\nmovement = 9\n"))


@pytest.mark.rule(GAME, "6.3C", "6.5H")
@pytest.mark.parametrize("by_road", [False, True])
def test_the_mode_may_change_as_often_as_points_allow(by_road: bool) -> None:
    game = swift()
    way = begin(game, obstructed("395Inf", by_road=by_road), "395Inf")
    assert flooded(way) == tried(way)


@pytest.mark.rule(GAME, "6.3C", "6.5H")
def test_into_road_mode_and_out_again_to_a_hex_far_off_the_road() -> None:
    game, p = swift(), obstructed("395Inf", by_road=False)
    walking, marching, deployed = begin(game, p, "395Inf").reaches()
    far = names(deployed.spaces & ~walking.spaces & ~marching.spaces)
    match: Match[ArdennesPosition] = Match.at(game, p, Scripted([]))
    match.answer("395Inf")
    match.go(max(far))
    assert where(match.position, "395Inf") == max(far)
    assert not in_road_mode(match.position, "395Inf")
    assert [id_ for id_ in match.ids if "road" in id_] == ["enter_road_mode", "leave_road_mode"]


@pytest.mark.rule(GAME, "5.0", "5.2J", "7.1A")
@pytest.mark.parametrize("by_road", [False, True])
def test_what_the_cheapest_way_costs_is_just_enough_for_it(by_road: bool) -> None:
    way = begin(ardennes(), obstructed("395Inf", by_road=by_road), "395Inf")
    all_ways, near = way.untiring().reach(), way.reach().spaces
    for hex_ in members(all_ways.spaces & ~near)[::25]:
        rich, poor = copy(way), copy(way)
        rich.left = -(-all_ways.cost(hex_) // POINT) * POINT
        poor.left = rich.left - POINT
        rich._routes = poor._routes = None
        assert rich.reach().spaces >> hex_ & 1
        assert not poor.reach().spaces >> hex_ & 1


@pytest.mark.rule(GAME, "5.0", "5.2J", "7.1A")
def test_a_far_hex_is_refused_by_what_keeps_the_unit_from_it() -> None:
    p = obstructed("395Inf", by_road=False)
    match: Match[ArdennesPosition] = Match.at(ardennes(), p, Scripted([]))
    match.answer("395Inf")
    way = begin(ardennes(), p, "395Inf")
    far = names(way.reach().spaces & ~facts().board.within(1 << way.here, 1))
    assert {match.why_not(hex_) for hex_ in far} == {Refusal("5.0", "it can go there, hex by hex")}
    assert match.why_not("3415") == Refusal(
        "5.2J", "the cheapest way there costs 15 movement points, and 4 are left"
    )
    germans = [facts().rows[number].id for number in facts().units_of[GERMAN]][:6]
    ringed = position(
        {"395Inf": "2415"} | dict(zip(germans, sorted(ring("1015")), strict=True)), step="allied_movement"
    )
    surrounded: Match[ArdennesPosition] = Match.at(ardennes(), ringed, Scripted([]))
    surrounded.answer("395Inf")
    assert surrounded.why_not("1015").rule == "7.1A"

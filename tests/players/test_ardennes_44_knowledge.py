"""What players know of Ardennes '44: each thing that its evaluation must tell apart."""

from __future__ import annotations

import pytest

from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44 import Ardennes44Knowledge
from bulge.players.levels import _REGULAR
from bulge.players.review import QUICK, THOROUGH
from tests.games.ardennes_44.helpers import ardennes, at, facts, placed, unit, units

GRENADIERS, TANKS, AMERICANS = "12/48", "12SS/560", "99/393"


@pytest.fixture(scope="module")
def knowledge() -> Ardennes44Knowledge:
    return Ardennes44Knowledge(ardennes())


def with_held(p: Ardennes44, hex_: str) -> Ardennes44:
    p.german_held |= 1 << at(hex_)
    return p


def next_to(hex_: str, others: list[str]) -> str:
    """One of the others that is next to a hex."""
    return next(name for name in others if facts().board.next_to(at(hex_)) >> at(name) & 1)


def test_a_town_that_is_taken_is_worth_more_than_the_way_to_it(knowledge: Ardennes44Knowledge) -> None:
    near = placed((GRENADIERS, "E1730"))
    there = with_held(placed((GRENADIERS, "E1731")), "E1731")
    assert knowledge.value(there, GERMAN) > knowledge.value(near, GERMAN) + 2
    assert knowledge.value(there, ALLIED) == -knowledge.value(there, GERMAN)


def test_germans_are_drawn_to_what_is_still_to_be_taken(knowledge: Ardennes44Knowledge) -> None:
    far, near = placed((GRENADIERS, "E1329")), placed((GRENADIERS, "E1630"))
    assert knowledge.value(near, GERMAN) > knowledge.value(far, GERMAN)


def test_who_is_shaken_or_cut_off_counts_less(knowledge: Ardennes44Knowledge) -> None:
    fit = knowledge.value(placed((AMERICANS, "E1731")), ALLIED)
    for marker in ("disrupted", "broken", "unsupplied"):
        p = placed((AMERICANS, "E1731"))
        setattr(p, marker, units(AMERICANS))
        assert knowledge.value(p, ALLIED) < fit, marker


def test_attacks_are_worth_more_on_who_cannot_get_away(knowledge: Ardennes44Knowledge) -> None:
    """One and the same attack, once with the way back open, once with every hex around in the attackers' zone."""
    board, target = facts().board, at("E2125")
    around = [board.name(hex_) for hex_ in members(board.next_to(target))]
    attackers = [(AMERICANS, "E2125"), ("12/48", around[0]), ("12/27F", next_to(around[0], around))]
    open_ = placed(*attackers)
    covered = board.next_to(open_.where[unit("12/48")]) | board.next_to(open_.where[unit("12/27F")])
    back = board.next_to(target) & ~covered & ~(1 << open_.where[unit("12/48")])
    behind = board.around(back) & ~board.next_to(target) & ~(1 << target)
    closing = [hex_ for hex_ in members(behind) if not back & ~board.next_to(hex_)]
    shut = placed(*attackers, ("277/989", board.name(closing[0])))
    ground = knowledge.ground(open_)

    def prospects(p: Ardennes44) -> float:
        s = Situation(facts(), p)
        return ground.prospects(s, ground.stacks.of(s), GERMAN)

    assert 0 < prospects(open_) < prospects(shut)


def test_guns_that_are_ready_make_attacks_better(knowledge: Ardennes44Knowledge) -> None:
    p = placed((AMERICANS, "E2125"), ("12/48", "E2225"), ("12/27F", "E2226"), ("LXVII/405", "E2325"))
    ground = knowledge.ground(p)
    s = Situation(facts(), p)
    ready = ground.prospects(s, ground.stacks.of(s), GERMAN)
    p.fired = units("LXVII/405")
    assert ground.prospects(Situation(facts(), p), ground.stacks.of(s), GERMAN) < ready


def test_armour_threatens_towns_in_which_nobody_stands(knowledge: Ardennes44Knowledge) -> None:
    def threatened(p: Ardennes44) -> int:
        s = Situation(facts(), p)
        return ground.threatened(s, ground.stacks.of(s)[GERMAN])

    free = placed((TANKS, "E1727"))
    barred = placed((TANKS, "E1727"), (AMERICANS, "E2125"))
    ground = knowledge.ground(free)
    st_vith = 1 << at("E2125")
    assert threatened(free) & st_vith
    assert not threatened(barred) & st_vith


def test_what_ends_a_plan_is_placed(knowledge: Ardennes44Knowledge) -> None:
    p = placed((GRENADIERS, "E1730"))
    knowledge.place(p, unit(GRENADIERS), (at("E1731"), at("E1831")))
    assert p.where[unit(GRENADIERS)] == at("E1831")
    assert p.german_held >> at("E1731") & 1


@pytest.mark.parametrize(("scenario", "glance"), [("S2", 10), ("S3", 10), ("S1", 1), ("S4", 1)])
def test_in_short_scenarios_lower_levels_weigh_a_tenth_and_reviews_all(
    knowledge: Ardennes44Knowledge, scenario: str, glance: int
) -> None:
    """There a hundred evaluations find what thousands do: regular and veteran were one player."""
    spread = knowledge.spread(placed(scenario=scenario))
    weighed = [effort.spread(spread, 1).evaluations for effort in (_REGULAR, QUICK, THOROUGH)]
    assert weighed == [300 // glance, 300, 1800]


def test_points_count_more_and_more_as_the_last_turn_comes(knowledge: Ardennes44Knowledge) -> None:
    worth = [
        knowledge.features(with_held(placed((GRENADIERS, "E1731"), turn=turn), "E1731"))["points"]
        for turn in (3, 4, 5, 6)
    ]
    assert worth == sorted(worth)
    assert worth[-1] >= 3 * worth[0] > 0


def test_liege_counts_for_nothing_where_points_are_counted(knowledge: Ardennes44Knowledge) -> None:
    for scenario, counts in (("S2", False), ("S3", False), ("S1", True)):
        ground = knowledge.ground(placed(scenario=scenario))
        assert (at("E3939") in ground.places) == counts, scenario

"""What the players know of The Bulge: odds, traps, supply and ways out, each on a board with a few units."""

from __future__ import annotations

import pytest

from bulge.core.match import Match
from bulge.core.movement import reach
from bulge.core.spaces import members
from bulge.games import load_game
from bulge.games.the_bulge.facts import ALLIED, GERMAN, GONE, POINT
from bulge.games.the_bulge.game import TheBulge
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from bulge.players.knowledge.the_bulge import BulgeKnowledge
from bulge.players.knowledge.the_bulge_ground import BUDGET, CONCENTRIC
from bulge.players.knowledge.the_bulge_tally import Offensive, Tally


@pytest.fixture(scope="module")
def game() -> TheBulge:
    game = load_game("the_bulge")
    assert isinstance(game, TheBulge)
    return game


@pytest.fixture(scope="module")
def knowledge(game: TheBulge) -> BulgeKnowledge:
    return BulgeKnowledge(game)


def board_with(game: TheBulge, step: str, turn: int, **units: str) -> BulgePosition:
    """A position in which nobody is on the map but these, each named by its counter (a figure after `u`)."""
    p = Match(game, keep_log=False).position.copy()
    p.step, p.turn = step, turn
    p.where = [GONE] * len(p.where)
    ids = [row.id for row in game.facts.rows]
    for name, hex_ in units.items():
        p.where[ids.index(name.removeprefix("u"))] = game.facts.board.at(hex_)
    return p


def prospects(knowledge: BulgeKnowledge, p: BulgePosition, side: str) -> float:
    s = Situation(knowledge.facts, p)
    return knowledge.ground.attack_prospects(s, Tally(knowledge.facts, s), side)[0]


def clear_hex(game: TheBulge) -> tuple[str, list[str]]:
    """A clear hex off the roads with six neighbours, none behind a river, and those neighbours in turn."""
    facts = game.facts
    for hex_ in facts.board.names_of(facts.by_terrain["clear"] & ~facts.towns & ~facts.west_of_meuse):
        at = facts.board.at(hex_)
        near = facts.board.neighbours(at)
        if len(near) == 6 and not any(facts.rivers.between(at, to) for to in near):
            around = sorted(near, key=lambda to: facts.board.direction(at, to))
            return hex_, [facts.board.name(to) for to in around]
    raise AssertionError("there is no such hex")


def test_opposite_sides_or_three_in_turn_are_concentric() -> None:
    assert {0b001001, 0b010010, 0b100100, 0b010101, 0b101010, 0b111111} <= CONCENTRIC
    assert not {0, 0b1, 0b11, 0b111, 0b101, 0b100001} & CONCENTRIC


def test_who_is_between_two_enemies_is_worth_more_than_who_faces_both(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """No way of retreat: the same strength from both sides kills where from one side it pushes back."""
    hex_, around = clear_hex(game)
    beside = board_with(game, "german_movement", 2, u422=hex_, u2Pz=around[0], u116Pz=around[1])
    between = board_with(game, "german_movement", 2, u422=hex_, u2Pz=around[0], u116Pz=around[3])
    assert prospects(knowledge, between, GERMAN) > prospects(knowledge, beside, GERMAN) + 0.5


def test_a_trap_is_sprung_on_the_column_that_never_fails(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """However strong, a bloodbath in one of six is the least that it costs (13.14)."""
    hex_, around = clear_hex(game)
    some = board_with(game, "german_movement", 2, u422=hex_, u116Pz=around[0], u62VG=around[3])
    more = board_with(game, "german_movement", 2, u422=hex_, u12SS=around[0], u2SS=around[3])
    assert prospects(knowledge, more, GERMAN) == pytest.approx(prospects(knowledge, some, GERMAN))


def test_supply_of_both_sides_counts_by_the_turn(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """Germans are in supply for three turns whatever happens, Allies never without a line (5.5, 7.1)."""
    hex_, around = clear_hex(game)
    for turn, fed in ((3, True), (4, False)):
        americans = board_with(game, "german_movement", turn, u422=hex_, u2Pz=around[0], u116Pz=around[3])
        germans = board_with(game, "allied_movement", turn, u62VG=hex_, u1ID=around[0], u2ID=around[3])
        for p, attacker, foes_fed in ((americans, GERMAN, False), (germans, ALLIED, fed)):
            s = Situation(knowledge.facts, p)
            offensive = Offensive(s, Tally(knowledge.facts, s), attacker)
            assert bool(offensive.foes_fed) is foes_fed, (turn, attacker)


def test_combat_support_is_for_the_right_phase(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    hex_, around = clear_hex(game)
    shifts = {}
    for step, side in (
        ("german_movement", GERMAN),
        ("german_movement", ALLIED),
        ("allied_movement", ALLIED),
        ("allied_movement", GERMAN),
    ):
        p = board_with(game, step, 8, u422=hex_, u2Pz=around[0])
        s = Situation(knowledge.facts, p)
        shifts[step, side] = Offensive(s, Tally(knowledge.facts, s), side).shift
    assert list(shifts.values()) == [-2, 2, 1, -1]


def test_peiper_drives_without_a_line_of_supply(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """With Americans on every German source, 1st SS creeps from Bastogne; Peiper does not mind (14.3)."""
    facts, spread = game.facts, {}
    for unit in ("SSP", "1SS"):
        p = board_with(game, "allied_movement", 5, **{f"u{unit}": "1412"})
        for guard, source in zip(facts.us_units, members(facts.sources[GERMAN]), strict=False):
            p.where[guard] = source
        s = Situation(facts, p)
        assert not s.live_sources(GERMAN)
        spread[unit] = knowledge.ground.panzer_reach(s).spaces.bit_count()
    assert spread["SSP"] > 2 * spread["1SS"]


def test_leaving_from_an_enemy_zone_costs_more(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """With one point left a panzer unit leaves the map, but not with an Allied unit next to it (9.7)."""
    facts = game.facts
    late = reach(facts.on_road, {BUDGET - POINT: 1 << facts.board.at("0110")}, BUDGET)
    alone = board_with(game, "allied_combat_2", 2, u2Pz="0110")
    watched = board_with(game, "allied_combat_2", 2, u2Pz="0110", uCCA3="0111")
    can_exit = [knowledge.ground.can_exit(Situation(facts, p), late) for p in (alone, watched)]
    assert can_exit == [True, False]


def test_who_could_be_surrounded_is_in_danger(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    hex_, around = clear_hex(game)
    away = next(name for name in game.facts.board.names_of(game.facts.west_of_meuse))
    for place, in_danger in ((hex_, True), (away, False)):
        p = board_with(game, "allied_movement", 4, uCCA7=place, u2Pz=around[0], u12SS=around[1])
        tally = Tally(game.facts, Situation(game.facts, p))
        assert (knowledge.ground.menace(tally, GERMAN) > 0) is in_danger


def test_a_unit_bars_its_own_row_and_those_beside_it_but_not_from_behind_the_wall(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    rows = [
        knowledge.ground.barred_rows(Situation(game.facts, board_with(game, "german_movement", 4, u2Pz=hex_)))
        for hex_ in ("0909", "0902")
    ]
    assert rows == [3, 0]


def test_a_division_in_the_way_closes_the_rear(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """A combat command at St. Vith can drive through to the Wall until a division stands in its way."""
    alone = board_with(game, "german_combat_2", 4, uCCB7="0707")
    faced = board_with(game, "german_combat_2", 4, uCCB7="0707", u18VG="0706")
    open_ = [knowledge.ground.open_rear(Situation(game.facts, p)) for p in (alone, faced)]
    assert open_[0] > open_[1]

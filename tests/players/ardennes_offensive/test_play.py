"""The computer players in The Ardennes Offensive: they play both sides, use the roads, and know the odds."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.decision import DONE
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.movement import LEAVE_ROAD, TAKE_ROAD
from bulge.games.ardennes_offensive.routes import MARCHING
from bulge.games.ardennes_offensive.walking import WhereNext
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge.ardennes_offensive import ArdennesKnowledge
from bulge.players.knowledge.ardennes_offensive.ground import Odds
from bulge.players.levels import player_for
from bulge.players.looking import best_attacks
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.player import Player

HASTY = Effort(evaluations=60, plans=3, replies=3, breadth=3)


def played(game: Game[Any], players: dict[str, Player], seed: str, scenario: str, turns: int = 99) -> Match[Any]:
    """A match to its end, or until so many turns are over; the game checks every position."""
    match = Match(game, scenario, seed=seed_of(seed), keep_log=False)
    while match.decision is not None and match.position.turn <= turns:
        match.choose(players[match.decision.side].choose(match))
        game.check(match.position)
    return match


def seated(game: Game[Any], german: str, allied: str) -> dict[str, Player]:
    return {side: player_for(name, game, side, "1") for side, name in ((GERMAN, german), (ALLIED, allied))}


def hasty(game: Game[Any], seed: str) -> dict[str, Player]:
    return {side: PlannerPlayer(random.Random(f"{seed} {side}"), HASTY) for side in game.players}


# ---------------------------------------------------------------------- play


def test_greed_fights_the_first_turns_and_uses_the_roads(game: ArdennesOffensive) -> None:
    match = played(game, seated(game, "greedy", "greedy"), "1", "1", turns=4)
    assert match.position.turn == 5
    assert {TAKE_ROAD, LEAVE_ROAD} <= set(match.ids)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["1", "8"])
def test_greed_plays_to_the_end(game: ArdennesOffensive, scenario: str) -> None:
    assert played(game, seated(game, "greedy", "greedy"), "1", scenario).result is not None


def test_the_planner_plays_both_sides(game: ArdennesOffensive) -> None:
    assert played(game, hasty(game, "1"), "1", "1", turns=2).position.turn == 3


@pytest.mark.slow
def test_the_planner_plays_to_the_end(game: ArdennesOffensive) -> None:
    """It thinks on some turns, the last among them; greed, which takes less time, plays the others."""
    match = Match(game, "10", seed=seed_of("2"), keep_log=False)
    planners, others = hasty(game, "1"), seated(game, "greedy", "greedy")
    while match.decision is not None:
        players = planners if match.position.turn in (3, 10, 18) else others
        match.choose(players[match.decision.side].choose(match))
        game.check(match.position)
    assert match.result is not None
    assert match.position.turn == 18


@pytest.mark.parametrize("side", [GERMAN, pytest.param(ALLIED, marks=pytest.mark.slow)])
def test_greed_beats_chance(game: ArdennesOffensive, side: str) -> None:
    names = ("greedy", "random") if side == GERMAN else ("random", "greedy")
    result = played(game, seated(game, *names), "a", "1").result
    assert result is not None
    assert result.winner == side


def test_players_repeat_themselves_by_their_seed(game: ArdennesOffensive) -> None:
    one, other = (played(game, hasty(game, "s"), "1", "1", turns=1).ids for _ in range(2))
    assert one == other


# ---------------------------------------------------------------------- ways with a change of mode


def test_routes_are_choices_that_lead_there(game: ArdennesOffensive) -> None:
    """Walk some routes of the second turn: each step must be offered, and end where and as it should."""
    players = seated(game, "greedy", "greedy")
    match = played(game, players, "1", "1", turns=1)
    while match.position.step != "allied_movement" or not match.asked().top:
        match.choose(players[match.asked().side].choose(match))
    deployed = marching = 0
    for unit in [unit for unit in match.asked().options if isinstance(unit, int)]:
        moving = match.copy()
        moving.choose(unit)
        if moving.asked().top:
            continue  # it can go nowhere
        question = moving.asked().about
        assert isinstance(question, WhereNext)
        routes = question.reach()
        assert not routes.marching & ~routes.spaces
        rng = random.Random(unit)
        some = [members(routes.spaces), members(routes.marching)]
        for hex_ in [rng.choice(hexes) for hexes in some if hexes]:
            ahead = moving.copy()
            for step in routes.path(hex_)[1:]:
                ahead.choose(step)
            if ahead.decision is not None and not ahead.decision.top:
                ahead.choose("stop")
            assert ahead.position.where[unit] == hex_
            by_road = bool(ahead.position.road >> unit & 1)
            assert by_road == (routes.manner(hex_) == MARCHING)
            marching += by_road
            deployed += not by_road
    assert min(deployed, marching) > 3


def test_placing_a_unit_follows_its_way(game: ArdennesOffensive, knowledge: ArdennesKnowledge) -> None:
    p = game.set_up("1", {})
    unit = next(number for number, row in enumerate(game.facts.rows) if row.id == "CCB9")
    at = game.board.at
    knowledge.place(p, unit, (at("0710"), TAKE_ROAD, at("0610")))
    assert p.where[unit] == at("0610")
    assert p.road >> unit & 1
    p.where[unit] = at("0118")
    knowledge.place(p, unit, ())
    assert p.where[unit] == at("0218"), "a reinforcement that goes nowhere still comes on"


def test_nobody_is_sent_onto_a_column(game: ArdennesOffensive, knowledge: ArdennesKnowledge) -> None:
    p = game.set_up("1", {})
    one, other = (number for number, row in enumerate(game.facts.rows) if row.id in ("CCB9", "23Inf"))
    hex_ = p.where[other]
    assert knowledge.room(p, one, hex_)
    p.road |= 1 << other
    assert not knowledge.room(p, one, hex_)


def test_nobody_stands_where_others_wait_to_come_on(game: ArdennesOffensive, knowledge: ArdennesKnowledge) -> None:
    p = game.set_up("1", {})
    one, other = (number for number, row in enumerate(game.facts.rows) if row.id in ("CCB9", "CCA7"))
    at = game.board.at
    gate, next_to_it = at("0218"), at("0219")
    assert game.facts.roads.between(gate, next_to_it)
    free = [knowledge.fields(p, ALLIED).score(one, hex_, "") for hex_ in (gate, next_to_it)]
    p.where[other] = at("0118")
    jammed = [knowledge.fields(p, ALLIED).score(one, hex_, "") for hex_ in (gate, next_to_it)]
    assert all(after < before - 5 for before, after in zip(free, jammed, strict=True))
    p.where[one] = at("0319")
    before = knowledge.value(p, ALLIED)
    p.where[one] = gate
    assert knowledge.value(p, ALLIED) < before


# ---------------------------------------------------------------------- what players know


def test_what_is_good_for_one_side_is_bad_for_the_other(
    game: ArdennesOffensive, knowledge: ArdennesKnowledge
) -> None:
    p = game.set_up("1", {})
    p.step = "german_movement"
    before = knowledge.value(p, GERMAN)
    assert before == -knowledge.value(p, ALLIED)
    victim = game.facts.allied_units[0]
    p.where[victim], p.lost = -1, 1 << victim
    assert knowledge.value(p, GERMAN) > before


def test_odds_are_those_of_the_table(game: ArdennesOffensive) -> None:
    """The quick way to a column, and the mean worth of an attack, against the table itself."""
    for table in (game.facts.initial, game.facts.standard):
        for attack in range(1, 80):
            for defence in range(1, 40):
                assert min(attack // defence, 9) == table.odds_column(attack, defence)
        for column in range(10):
            odds, worth = Odds(table, column), 3.0
            chances = {result: float(chance) for result, chance in table.chances(column)}
            thrown = sum(0.5 * int(r[2]) * c for r, c in chances.items() if r[0] == "A")
            for room in range(4):
                mean = -thrown
                for result, chance in chances.items():
                    if result == "Ex":
                        mean += chance * (0.35 * worth + 1)
                    elif result[0] == "D":
                        caught = result == "De" or int(result[2]) > room
                        mean += chance * (worth + 1 if caught else 0.7 + 0.3 * int(result[2]))
                assert odds.gain(worth, 1 + room, 1) == pytest.approx(mean)
            stands = sum(
                c * (worth + 1 if r == "De" else 0.35 * worth + 1) for r, c in chances.items() if r in ("De", "Ex")
            )
            assert odds.gain(worth, 0, 1) == pytest.approx(stands - thrown)


def test_exits_lie_nearer_to_a_unit_that_advances(game: ArdennesOffensive, knowledge: ArdennesKnowledge) -> None:
    fields = knowledge.fields(game.set_up("1", {}), GERMAN)
    at = game.board.at
    assert fields.pull[at("0518")] > fields.pull[at("0814")] > fields.pull[at("0801")]


def test_the_first_attacks_are_made_because_they_must_be(game: ArdennesOffensive) -> None:
    """On the first turn an attack is asked for until none is left: the player never says that it is done."""
    match = Match(game, "1", seed=seed_of("1"), keep_log=False)
    player = GreedyPlayer(random.Random(1))
    while match.position.step != "german_combat":
        match.choose(player.choose(match))
    assert DONE not in match.asked().options
    while match.position.step == "german_combat":
        decision = match.asked()
        choice = player.choose(match)
        assert not (decision.top and choice == DONE)
        match.choose(choice)


def test_an_attack_may_be_made_by_everybody_who_can(game: ArdennesOffensive, knowledge: ArdennesKnowledge) -> None:
    """When the last unit is named the odds are asked for at once: that must not hide the whole group."""
    match = Match(game, "1", seed=seed_of("1"), keep_log=False)
    player = GreedyPlayer(random.Random(1))
    while match.position.step != "german_combat":
        match.choose(player.choose(match))
    p, at = match.position, game.board.at

    def worth(target: int, units: Any, result: str) -> float:
        return knowledge.worth(p, GERMAN, target, units, result)

    attacks = {attack.target: attack for attack in best_attacks(match, knowledge.launch, worth)}
    assert set(attacks) == set(match.asked().options)
    assert {game.facts.rows[unit].id for unit in attacks[at("2411")].units} == {"26VG", "304PG"}

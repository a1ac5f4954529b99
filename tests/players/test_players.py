"""Every player plays both games legally to the end, repeats itself by its seed, and says why."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections import Counter, defaultdict
from typing import Any

import pytest

from bulge.core.chance import Keyed, seed_of
from bulge.core.decision import DONE, Choice, Decision
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import ArmyKnowledge, armies_of
from bulge.players.levels import LEVELS, PLAYERS, player_for
from bulge.players.looking import Attack, Way
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.player import NothingToChoose, Player
from bulge.players.random_player import RandomPlayer
from tests.helpers import SEED, Toy

LEAK = {"enemy_action": 300_000}
"""Bytes that three games may add, where it is more than a few: a game's own caches are still filling."""
HASTY = Effort(evaluations=30, plans=2, replies=1, breadth=3)


@pytest.fixture(scope="module")
def the_bulge() -> Game[Any]:
    return load_game("the_bulge")


@pytest.fixture(scope="module")
def ford() -> Game[Any]:
    return load_game("ford")


def played(
    game: Game[Any], players: dict[str, Player], seed: str, *, most: int = 10**9, turns: int = 99
) -> Match[Any]:
    """A match to its end, or for so long; the match checks every choice, the game every position."""
    match = Match(game, seed=seed_of(seed), keep_log=False)
    most = min(most, game.most_choices)
    while match.decision is not None and len(match.ids) < most and match.position.turn <= turns:
        match.choose(players[match.decision.side].choose(match))
        game.check(match.position)
    return match


def seated(game: Game[Any], *names: str, seed: str = "1") -> dict[str, Player]:
    return {side: player_for(name, game, side, seed) for side, name in zip(game.players, names, strict=False)}


def hasty(game: Game[Any], seed: str) -> dict[str, Player]:
    return {side: PlannerPlayer(random.Random(f"{seed} {side}"), HASTY) for side in game.players}


class Recording(PlannerPlayer):
    """Notes how often it plans in each phase, and whether a unit had ended elsewhere than it was sent."""

    def __init__(self, words: str) -> None:
        super().__init__(random.Random(words), Effort(evaluations=8, plans=1, replies=0))
        self.plans: Counter[tuple[int, str]] = Counter()
        self.astray: Counter[tuple[int, str]] = Counter()
        self.ends: defaultdict[tuple[int, str], set[float]] = defaultdict(set)
        """When its time to think was up."""

    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        phase = twin.position.turn, twin.position.step
        self.plans[phase] += 1
        orders = super().plan_moves(twin, knowledge)
        self.ends[phase].add(self._until)
        return orders

    def choose(self, match: Match[Any]) -> Choice:
        p, asked, sent, goal = match.position, match.asked(), self._sent, self._goal
        who_moves = asked.top and asked.rule == "9.2" and len(asked.options) > 1
        if who_moves and sent >= 0 and self._phase == (p.step, p.turn):
            self.astray[p.turn, p.step] += p.where[sent] != goal >= 0
        return super().choose(match)


def test_when_a_unit_ends_elsewhere_the_others_plan_anew(the_bulge: Game[Any]) -> None:
    """On turn 1 a die says how far Americans go (5.4): whoever had counted on them must think again."""
    astray = 0
    for seed in range(2):
        player = Recording(f"{seed}")
        match = Match(the_bulge, seed=seed_of(f"astray {seed}"), keep_log=False)
        while match.position.turn == 1:
            match.choose(player.choose(match))
        assert {phase: count - 1 for phase, count in player.plans.items() if count > 1} == +player.astray
        assert all(len(ends) == 1 for ends in player.ends.values()), "planning anew must not take more time"
        astray += player.astray[1, "allied_movement"]
    assert astray > 0


def test_planning_anew_begins_from_what_was_planned(the_bulge: Game[Any]) -> None:
    """Who has no time left for planning anew goes on with his plan, instead of doing what greed would do."""
    match = Match(the_bulge, seed=seed_of("anew"))
    while match.asked().rule != "9.2":
        match.choose(DONE if DONE in match.asked().options else match.asked().options[0])
    armies = armies_of(the_bulge)
    assert armies is not None
    player = PlannerPlayer(random.Random(1), HASTY)
    twin = match.copy_for(match.asked().side, random.Random(2))
    planned = {way.unit: way.hex_ for way in player.plan_moves(twin, armies)}
    player._planned, player._effort = True, Effort(evaluations=0, plans=1, replies=0)
    assert {way.unit: way.hex_ for way in player.plan_moves(twin, armies)} == planned


# ---------------------------------------------------------------------- legal play


@pytest.mark.parametrize("kind", [GreedyPlayer, PlannerPlayer])
def test_an_attack_that_came_to_nothing_is_not_tried_again(ford: Game[Any], kind: type[GreedyPlayer]) -> None:
    """After an attack that was begun and called off, a player names another or none."""
    match = Match(ford, seed=seed_of("attack"), keep_log=False)
    players, knowledge = {side: kind(random.Random(side)) for side in ford.players}, armies_of(ford)
    assert knowledge is not None
    while True:
        decision = match.asked()
        player = players[decision.side]
        choice = player.choose(match)
        if decision.top and decision.rule in knowledge.attack_rules and choice != DONE:
            match.choose(choice)
            player.choose(match)
            match.undo()
            assert player.choose(match) != choice
            return
        match.choose(choice)


def test_all_who_were_meant_to_attack_do_so_also_the_first_unit_of_the_game(the_bulge: Game[Any]) -> None:
    """Number 0 is Peiper, and no less a unit than others."""
    p = Match(the_bulge, seed=SEED).position.copy()
    ids = [unit.id for unit in the_bulge.units]
    peiper, first, last = ids.index("SSP"), ids.index("12VG"), ids.index("3FJ")
    assert peiper == 0
    p.where[peiper] = p.where[last]
    match = Match.at(the_bulge, p, Keyed(SEED))
    player, knowledge = GreedyPlayer.seeded("1"), armies_of(the_bulge)
    assert knowledge is not None
    target = the_bulge.board.at("0503")
    attack = Attack(target, (target,), (first, peiper, last), 1.0, "", 1.0)
    match.choose(player._launch(attack, 1.0, knowledge))
    said = []
    while match.asked().rule == "13.4":
        said.append(player.choose(match))
        match.choose(said[-1])
    assert said == [first, peiper, last, knowledge.launch]


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_the_ford_to_its_end(ford: Game[Any], name: str) -> None:
    for seed in "a" if name in ("veteran", "general") else "abc":
        assert played(ford, seated(ford, name, name, seed=seed), seed).result is not None


def test_the_greedy_player_plays_the_bulge_to_its_end(the_bulge: Game[Any]) -> None:
    match = played(the_bulge, seated(the_bulge, "greedy", "greedy"), "1")
    assert match.result is not None


def test_the_planner_plays_the_bulge_to_its_end(the_bulge: Game[Any]) -> None:
    """It thinks on a turn with aircraft and on the last; greed, which takes less time, plays the others."""
    match = Match(the_bulge, seed=seed_of("1"), keep_log=False)
    planners, others = hasty(the_bulge, "1"), seated(the_bulge, "greedy", "greedy")
    while match.decision is not None:
        players = planners if match.position.turn in (8, 10) else others
        match.choose(players[match.decision.side].choose(match))
        the_bulge.check(match.position)
    assert match.result is not None
    assert match.position.turn == 10


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_both_sides_of_the_bulge(the_bulge: Game[Any], level: str) -> None:
    """The weakest for three turns; the others, who only think longer, for one, and the last as one side."""
    turns = 3 if level == LEVELS[0] else 1
    sides = [(level, "random"), ("random", level)]
    for names in sides[:1] if level == LEVELS[-1] else sides:
        match = played(the_bulge, seated(the_bulge, *names), level, turns=turns)
        assert match.result is not None or match.position.turn == turns + 1


@pytest.mark.parametrize("side", ["German", "Allied"])
def test_greed_beats_chance(the_bulge: Game[Any], side: str) -> None:
    names = ("greedy", "random") if side == "German" else ("random", "greedy")
    for seed in "ab":
        result = played(the_bulge, seated(the_bulge, *names, seed=seed), seed).result
        assert result is not None
        assert result.winner == side


# ---------------------------------------------------------------------- the same again


def test_players_repeat_themselves_by_their_seed(
    ford: Game[Any], the_bulge: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "uniform", "choice", "choices", "sample", "shuffle", "randint", "randrange"):
        monkeypatch.delattr(random, name)  # dice that nobody seeded may happen to change nothing in so few choices
    for game, most in ((ford, 10**9), (the_bulge, 60)):
        one, other = (played(game, hasty(game, "s"), "1", most=most).ids for _ in range(2))
        assert one == other


def test_another_seed_makes_another_player(the_bulge: Game[Any]) -> None:
    one, other = (played(the_bulge, hasty(the_bulge, seed), "1", most=60).ids for seed in "ab")
    assert one != other


# ---------------------------------------------------------------------- reasons


def test_reasons_are_one_line_each(the_bulge: Game[Any]) -> None:
    match = Match(the_bulge, seed=seed_of("1"), keep_log=False)
    players = hasty(the_bulge, "1")
    reasons = set()
    while match.decision is not None and match.position.turn < 3:
        player = players[match.decision.side]
        match.choose(player.choose(match))
        assert player.why()
        assert "\n" not in player.why()
        reasons.add(player.why())
    assert any("hold " in reason for reason in reasons)
    assert any("on average" in reason for reason in reasons)
    assert len(reasons) > 20


# ---------------------------------------------------------------------- failing loudly


def without_options(game: Game[Any]) -> Match[Any]:
    match = Match(game, seed=seed_of("1"))
    asked = match.asked()
    match.decision = Decision(asked.side, asked.prompt, [], asked.rule, asked.kind, top=asked.top)
    return match


@pytest.mark.parametrize("name", PLAYERS)
def test_nothing_to_choose_is_said_loudly(ford: Game[Any], name: str) -> None:
    with pytest.raises(NothingToChoose, match="without a single option"):
        player_for(name, ford, "Blue", "1").choose(without_options(ford))


def test_a_choice_that_is_not_offered_is_never_made(ford: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GreedyPlayer, "_decide", lambda *_: "surrender")
    with pytest.raises(NothingToChoose, match="'surrender', which is not offered"):
        GreedyPlayer(random.Random(1)).choose(Match(ford, seed=seed_of("1")))


def test_a_match_that_is_over_asks_nobody(ford: Game[Any]) -> None:
    match = played(ford, seated(ford, "random", "random"), "1")
    with pytest.raises(BulgeError, match="the game is over"):
        GreedyPlayer.seeded("1").choose(match)


# ---------------------------------------------------------------------- levels


def test_levels_are_players_by_name(ford: Game[Any]) -> None:
    assert set(LEVELS) <= set(PLAYERS)
    for name in PLAYERS:
        assert player_for(name, ford, "Red", "1").name == name


def test_unknown_players_sides_and_games_are_refused(ford: Game[Any]) -> None:
    with pytest.raises(BulgeError, match="there is no player 'marshal'; there are: random"):
        player_for("marshal", ford, "Red", "1")
    with pytest.raises(BulgeError, match="has no player 'Green'; there are: Blue, Red"):
        player_for("regular", ford, "Green", "1")


def test_a_game_that_nobody_has_explained_is_left_to_chance() -> None:
    toy = Toy()
    assert isinstance(player_for("random", toy, toy.players[0], "1"), RandomPlayer)
    with pytest.raises(BulgeError, match="does not know how to play"):
        player_for("regular", toy, toy.players[0], "1")


# ---------------------------------------------------------------------- memory


def held() -> int:
    """What is in use; rings of objects that nobody holds any more do not count, whenever they are swept away."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("id_", GAMES)
def test_memory_stays_flat(id_: str) -> None:
    game = load_game(id_)

    def play(seed: str) -> None:
        if id_ == "ford":
            played(game, hasty(game, seed), seed, most=25)
        else:  # tracing is slow, and what greed does not use is used in The Ford
            most = 12 if id_ == "enemy_action" else 25
            played(game, seated(game, "greedy", "greedy", seed=seed), seed, most=most)

    tracemalloc.start()
    try:
        for seed in "abc":
            play(seed)
        before = held()
        for seed in "dec":  # the last is played again, for a player may keep what it knows of the last position
            play(seed)
        grown = held() - before
    finally:
        tracemalloc.stop()
    assert grown < LEAK.get(id_, 40_000), f"{grown:,} bytes more after three games"


def moving(game: Game[Any], step: str) -> Match[Any]:
    """A match at the beginning of a step, everything before it passed over."""
    match = Match(game, seed=seed_of("4"))
    while match.position.step != step:
        options = match.asked().options
        match.choose(DONE if DONE in options else options[0])
    return match


@pytest.mark.parametrize("step", ["german_combat_1", "german_movement"])
def test_who_is_asked_again_says_the_same_again(the_bulge: Game[Any], step: str) -> None:
    """Whoever asks for a hint twice has not made that attack yet, nor moved that unit."""
    match, adviser = moving(the_bulge, step), player_for("greedy", the_bulge, "German", "1")
    said = [(adviser.choose(match), adviser.why()) for _ in range(6)]
    assert said[0][0] != DONE
    assert set(said) == {said[0]}


def test_whoever_took_moves_back_is_told_of_them_again(the_bulge: Game[Any]) -> None:
    """Every hint of a phase is followed, and then all of it is undone: nobody is where he should be."""
    match, adviser = moving(the_bulge, "german_movement"), player_for("greedy", the_bulge, "German", "1")
    begun, sent = len(match.ids), set()
    while (choice := adviser.choose(match)) != DONE:
        sent |= {choice} if match.asked().top else set()
        match.choose(choice)
    while len(match.ids) > begun:
        match.undo()
    assert len(sent) > 5
    assert adviser.choose(match) in sent

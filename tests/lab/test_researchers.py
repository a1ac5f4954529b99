"""The doors for learning machines: PettingZoo and OpenSpiel, and that neither shows what is hidden."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from pettingzoo.test import api_test

import bulge
from bulge.core.decision import Decision, Kind
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.lab import spiel
from bulge.lab.actions import OTHERS, Actions
from bulge.lab.planes import Planes
from bulge.lab.rewards import reward_of
from bulge.lab.zoo import BulgeEnv

USUAL = [
    # PettingZoo says this of every environment with action masks that is not one of its own.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # Our agents are called after their sides.
    pytest.mark.filterwarnings("ignore:We recommend agents to be named in the format"),
]


class TestPettingZoo:
    pytestmark = USUAL

    def test_it_passes_the_test_of_its_makers(self) -> None:
        api_test(bulge.env("ford"), num_cycles=300)

    @pytest.mark.slow
    @pytest.mark.parametrize("game", [game for game in GAMES if game != "ford"])
    def test_so_does_every_game(self, game: str) -> None:
        api_test(bulge.env(game), num_cycles=300)

    def test_the_same_seed_gives_the_same_game(self) -> None:
        assert played(1) == played(1)
        assert played(1) != played(2)

    def test_the_winner_gets_one_and_the_loser_loses_one(self) -> None:
        for seed in range(5):
            _, rewards = played(seed)
            assert sorted(rewards.values()) == [-1.0, 1.0]

    def test_an_illegal_action_ends_the_game_for_who_made_it(self) -> None:
        env = bulge.env("ford")
        env.reset(seed=1)
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        env.step(int(np.flatnonzero(mask == 0)[0]))
        assert env.unwrapped.rewards[agent] == -1.0
        assert all(env.terminations.values())

    def test_the_bare_environment_says_what_is_offered(self) -> None:
        env = BulgeEnv(load_game("ford"))
        env.reset(seed=1)
        with pytest.raises(BulgeError, match="action 1 is not offered now; there are: 0, 15, 16, 17"):
            env.step(1)

    def test_actions_have_words(self) -> None:
        env = BulgeEnv(load_game("ford"))
        env.reset(seed=1)
        assert env.words(0) == "done"
        assert env.words(15).startswith("1st Blue")

    def test_who_is_not_asked_sees_no_question(self) -> None:
        env = BulgeEnv(load_game("ford"))
        env.reset(seed=1)
        seen = env.observe("Red")
        assert not seen["action_mask"].any()
        assert not seen["observation"][env.plane_names.index("units offered")].any()
        assert not any(
            value and name.startswith("rule ")
            for name, value in zip(env.context_names, seen["context"], strict=True)
        )

    def test_an_unknown_scenario_is_refused(self) -> None:
        with pytest.raises(BulgeError, match="has no scenario 'moon'"):
            bulge.env("ford", "moon")


def played(seed: int) -> tuple[list[int], dict[str, float]]:
    """A game of The Ford by agents that choose at random: the actions, and what each agent got."""
    env = bulge.env("ford")
    env.reset(seed=seed)
    rng = np.random.default_rng(0)
    actions, rewards = [], {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        action = None
        if termination or truncation:
            rewards[agent] = reward
        else:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            actions.append(action)
        env.step(action)
    return actions, rewards


class TestWhatIsSeen:
    def test_planes_lie_north_up_and_west_left(self) -> None:
        game = load_game("ford")
        match = Match(game, seed="0" * 32)
        planes = Planes(game)
        seen = planes.planes(match, "Blue")
        assert seen.shape == planes.shape == (len(planes.names), 3, 5)
        # Columns are counted from the east: 0202 is the second from the right in the second row.
        strength = seen[planes.names.index("Blue strength")]
        assert strength[1, 3] == pytest.approx(3 / 20)
        assert strength.sum() == pytest.approx((3 + 3 + 2) / 20)

    def test_sides_of_a_hex_are_counted(self) -> None:
        game: Any = load_game("the_bulge")
        planes = Planes(game)
        rivers = planes.planes(Match(game, seed="0" * 32), "German")[planes.names.index("sides river")]
        assert rivers.sum() * 6 == pytest.approx(2 * len(game.facts.rivers.names()), abs=0.01)

    @pytest.mark.parametrize("side", ["Blue", "Red"])
    def test_hidden_chits_and_dice_to_come_change_nothing(self, side: str) -> None:
        game = load_game("ford")
        planes, actions = Planes(game), Actions(game)
        rng, hidden = random.Random(5), 0
        match = Match(game, seed="1" * 32)
        while match.decision is not None:
            twin = match.copy_for(side, rng)
            hidden += twin.position.held != match.position.held
            for seen in (planes.planes, planes.context):
                assert np.array_equal(seen(match, side), seen(twin, side))
            if match.decision.side == side:
                assert np.array_equal(actions.mask(match.decision), actions.mask(twin.decision))
            match.choose(rng.choice(match.decision.options))
        assert hidden, "nothing was hidden from this side in the whole game"

    def test_observations_and_infos_hold_nothing_but_numbers_and_the_question(self) -> None:
        env = BulgeEnv(load_game("ford"))
        env.reset(seed=3)
        seen = env.observe("Blue")
        assert {key: value.dtype.kind for key, value in seen.items()} == {
            "observation": "f",
            "context": "f",
            "action_mask": "i",
        }
        assert set(env.infos["Blue"]) == {"prompt", "rule"}
        assert env.infos["Red"] == {}


class TestActions:
    def test_each_space_and_unit_has_its_own_number(self) -> None:
        game = load_game("ford")
        actions = Actions(game)
        hexes = sorted(game.board.at(name) for name in game.board.names_of(game.board.all))
        by_space = actions.offered(Decision("Blue", "Where?", [*hexes, "done"], "1.1", Kind.SPACE))
        by_unit = actions.offered(Decision("Blue", "Who?", [*range(6), "done"], "1.1", Kind.UNIT))
        assert list(by_space.values()) == ["done", *hexes]
        assert list(by_unit) == [0, *range(len(hexes) + 1, len(hexes) + 7)]
        alone = actions.offered(Decision("Blue", "Where?", [hexes[3]], "1.1", Kind.SPACE))
        assert list(alone) == [4]

    def test_words_take_the_last_numbers_in_their_order(self) -> None:
        actions = Actions(load_game("ford"))
        offered = actions.offered(Decision("Blue", "How?", ["stand", "retreat", 7], "1.1"))
        words = {number: choice for number, choice in offered.items() if isinstance(choice, str)}
        assert list(words.values()) == ["stand", "retreat"]
        assert list(words) == [actions.count - OTHERS, actions.count - OTHERS + 1]

    def test_too_many_words_are_refused(self) -> None:
        options = [f"word {number}" for number in range(OTHERS + 1)]
        with pytest.raises(BulgeError, match="there is room for 256"):
            Actions(load_game("ford")).offered(Decision("Blue", "How?", options, "1.1"))


def test_rewards() -> None:
    game = load_game("ford")
    assert [reward_of(game, winner, "Blue") for winner in ("Blue", "Red", None)] == [1.0, -1.0, 0.0]


class TestOpenSpiel:
    def test_it_passes_the_random_simulation(self) -> None:
        pyspiel.random_sim_test(spiel.load("ford"), num_sims=3, serialize=True, verbose=False)

    @pytest.mark.slow
    def test_the_bulge_passes_the_random_simulation(self) -> None:
        pyspiel.random_sim_test(spiel.load("the_bulge"), num_sims=1, serialize=False, verbose=False)

    def test_every_die_is_a_chance_node(self) -> None:
        rng = random.Random(2)
        state = spiel.load("ford").new_initial_state()
        sizes = []
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                sizes.append(len(outcomes))
                assert sum(chance for _, chance in outcomes) == pytest.approx(1)
                state.apply_action(rng.choice(outcomes)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        assert {6} < set(sizes), "dice, and draws from a cup of chits that empties"
        assert state.node.match.position.drawn == len(sizes)

    def test_the_tree_is_the_match(self) -> None:
        """The same choices with the same numbers lead to the same position as in a match."""
        numbers: list[int] = []
        choices: list[Any] = []
        rng = random.Random(4)
        state = spiel.load("ford").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                numbers.append(rng.choice(state.chance_outcomes())[0])
                state.apply_action(numbers[-1])
            else:
                action = rng.choice(state.legal_actions())
                choices.append(state.node.parts.actions.offered(state.node.decision)[action])
                state.apply_action(action)
        match = Match(load_game("ford"), chance=spiel.Told(dict(enumerate(numbers))))
        for choice in choices:
            match.choose(choice)
        assert match.result == state.node.match.result
        assert match.position == state.node.match.position

    def test_clones_and_pickles_go_their_own_way(self) -> None:
        rng = random.Random(3)
        game = spiel.load("ford")
        state = game.new_initial_state()
        for _ in range(12):
            outcomes = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            state.apply_action(rng.choice(outcomes))
        before = str(state)
        twin = state.clone()
        twin.apply_action(twin.legal_actions()[0])
        assert str(state) == before
        again = pickle.loads(pickle.dumps(state.node))
        assert again.match.position == state.node.match.position
        assert pickle.loads(pickle.dumps(game)).get_type().short_name == "bulge_ford"

    def test_an_unknown_game_or_scenario_is_refused(self) -> None:
        with pytest.raises(BulgeError, match="there is no game 'chess'"):
            spiel.load("chess")
        with pytest.raises(BulgeError, match="has no scenario 'moon'"):
            spiel.load("ford", "moon")

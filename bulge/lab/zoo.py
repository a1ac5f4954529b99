"""Every game as a PettingZoo environment: agents take turns, each sees what its side may see.

    env = bulge.env("the_bulge")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

A reward comes at the end: 1 for the winner, -1 for the loser, 0 for a draw. `info` says the question in words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bulge.core.chance import new_seed, seed_of
from bulge.core.decision import Choice
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.games import load_game
from bulge.lab.actions import Actions
from bulge.lab.extras import needed
from bulge.lab.planes import Planes
from bulge.lab.rewards import reward_of

needed("pettingzoo", "rl", "bulge.env")
needed("gymnasium", "rl", "bulge.env")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

ILLEGAL = -1.0
"""The reward of an agent that chooses what is not offered; the game ends there."""


def env(game: str, scenario: str | None = None) -> Any:
    """A game with PettingZoo's usual guards: an illegal action ends it, calls out of order are refused."""
    guarded = wrappers.TerminateIllegalWrapper(BulgeEnv(load_game(game), scenario), illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class BulgeEnv(AECEnv):  # type: ignore[misc]
    """The bare environment. The match and its seed stay inside; observations and infos hold nothing of them."""

    metadata = {"render_modes": [], "is_parallelizable": False}

    def __init__(self, game: Game[Any], scenario: str | None = None) -> None:
        super().__init__()
        self._game = game
        self._scenario = game.scenario(scenario or next(iter(game.scenarios))).id
        self._actions, self._planes = Actions(game), Planes(game)
        self.metadata = {**self.metadata, "name": f"bulge_{game.id}_v0"}
        self.render_mode = None
        self.possible_agents = list(game.players_in(self._scenario))
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0.0, np.inf, self._planes.shape, np.float32),
                "context": spaces.Box(0.0, np.inf, (len(self._planes.numbers),), np.float32),
                "action_mask": spaces.Box(0, 1, (self._actions.count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        chosen = spaces.Discrete(self._actions.count)
        self.action_spaces = dict.fromkeys(self.possible_agents, chosen)

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane of an observation shows."""
        return self._planes.names

    @property
    def context_names(self) -> tuple[str, ...]:
        """What each number of the context says."""
        return self._planes.numbers

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed gives the same dice."""
        self._match = Match(
            self._game, self._scenario, seed=new_seed() if seed is None else seed_of(str(seed)), keep_log=False
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def observe(self, agent: str) -> dict[str, Any]:
        decision = self._match.decision
        mine = decision if decision is not None and decision.side == agent else None
        return {
            "observation": self._planes.planes(self._match, agent),
            "context": self._planes.context(self._match, agent),
            "action_mask": self._actions.mask(mine),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._match.choose(self.choice(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._ask()
        self._accumulate_rewards()

    def choice(self, action: int | None) -> Choice:
        """The choice that an action stands for now."""
        offered = self._actions.offered(self._match.asked())
        if action is None or int(action) not in offered:
            raise BulgeError(f"action {action} is not offered now; there are: {', '.join(map(str, offered))}")
        return offered[int(action)]

    def words(self, action: int) -> str:
        """An action in words, as a person at the table would read it."""
        decision = self._match.asked()
        return self._game.option(self._match.table, decision, self.choice(action)).words

    def _ask(self) -> None:
        """Turn to whoever is asked next, or end the game."""
        decision, result = self._match.decision, self._match.result
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in self.agents}
        if decision is not None:
            self.agent_selection = decision.side
            self.infos[decision.side] = {"prompt": decision.prompt, "rule": decision.rule}
        if result is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {agent: reward_of(self._game, result.winner, agent) for agent in self.agents}
        elif len(self._match.ids) > self._game.most_choices:
            self.truncations = dict.fromkeys(self.agents, True)
